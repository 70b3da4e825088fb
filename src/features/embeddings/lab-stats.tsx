import { formatCount, formatDuration } from '../../lib/format.ts';
import type { EmbeddingJob } from '../../state/embedding/embedding-job-types.ts';
import { getShownSet } from '../../state/lab/lab-state.ts';
import { useJobState, useLabState } from './hooks/use-lab.ts';

/** Properties and cost of the shown vectors; renders nothing while they are out of date. */
export function LabStats() {
  const set = useLabState(getShownSet);
  const job = useLabState((state) => (set && state.isUpToDate ? state.jobs[set.slot] : undefined));
  if (!set || !job) return null;
  return <StatsList job={job} dimensions={set.dimensions} />;
}

function StatsList({ job, dimensions }: { job: EmbeddingJob; dimensions: number }) {
  const tokens = useJobState(job, (state) => state.tokens);
  const requests = useJobState(job, (state) => state.requests);
  const duration = formatDuration(useJobState(job, (state) => state.durationMs));
  const tokensText = tokens === undefined ? 'not reported' : formatCount(tokens);
  const stats: readonly [string, string][] = [
    ['Dimensions', formatCount(dimensions)],
    ['Tokens', requests === 0 ? 'stored' : tokensText],
    ['Total', requests === 0 ? 'no request' : `${duration.number} ${duration.unit}`],
  ];
  return (
    <div role="group" aria-label="Metrics">
      <dl className="flex flex-wrap gap-x-4">
        {stats.map(([name, value]) => (
          <div key={name} className="flex items-baseline gap-1.5">
            <dt className="text-11 text-ink-3">{name}</dt>
            <dd className="text-12 font-[550] whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
