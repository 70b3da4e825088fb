import { formatCount, formatDuration } from '../../lib/format.ts';
import type { EmbeddingJob } from '../../state/embedding/embedding-job-types.ts';
import { shownSet } from '../../state/lab/lab-state.ts';
import { useJobState, useLabState } from './hooks/use-lab.ts';

/** What the vectors on show are, and what they took; nothing while others are to be made. */
export function LabFacts() {
  const set = useLabState(shownSet);
  const job = useLabState((state) => (set && state.isUpToDate ? state.jobs[set.slot] : undefined));
  if (!set || !job) return null;
  return <Facts job={job} dimensions={set.dimensions} />;
}

function Facts({ job, dimensions }: { job: EmbeddingJob; dimensions: number }) {
  const tokens = useJobState(job, (state) => state.tokens);
  const requests = useJobState(job, (state) => state.requests);
  const took = formatDuration(useJobState(job, (state) => state.tookMs));
  const known = tokens === undefined ? 'not reported' : formatCount(tokens);
  const facts: readonly [string, string][] = [
    ['Dimensions', formatCount(dimensions)],
    ['Tokens', requests === 0 ? 'from store' : known],
    ['Total', requests === 0 ? 'no request' : `${took.number} ${took.unit}`],
  ];
  return (
    <div role="group" aria-label="Metrics">
      <dl className="flex flex-wrap gap-x-4">
        {facts.map(([name, value]) => (
          <div key={name} className="flex items-baseline gap-1.5">
            <dt className="text-11 text-ink-3">{name}</dt>
            <dd className="text-12 font-[550] whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
