import { formatCount, formatDuration } from '../../lib/format.ts';
import type { EmbeddingJob } from '../../state/embedding/embedding-job-types.ts';
import { useControlState, useJobState } from './hooks/use-lab-control.ts';
import { useLabState } from './hooks/use-lab.ts';
import { shownSet } from './lab/lab-store.ts';

/** What the shown set is made of, and what it took. */
export function LabFacts() {
  const set = useLabState(shownSet);
  const job = useControlState((state) => (set ? state.jobs[set.slot] : undefined));
  if (!set || !job) return null;
  return <Facts job={job} texts={set.rows.length} dimensions={set.dimensions} />;
}

function Facts({ job, texts, dimensions }: { job: EmbeddingJob; texts: number; dimensions: number }) {
  const tokens = useJobState(job, (state) => state.tokens);
  const requests = useJobState(job, (state) => state.requests);
  const tookMs = useJobState(job, (state) => state.tookMs);
  const took = formatDuration(tookMs);
  return (
    <div role="group" aria-label="Metrics">
      <dl className="mx">
        <div>
          <dt>Texts</dt>
          <dd>{formatCount(texts)}</dd>
        </div>
        <div>
          <dt>Dimensions</dt>
          <dd>{formatCount(dimensions)}</dd>
        </div>
        <div>
          <dt>Tokens</dt>
          <dd>
            {requests === 0 ? 'from store' : tokens === undefined ? 'not reported' : formatCount(tokens)}
          </dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd>
            {requests === 0 ? (
              'no request'
            ) : (
              <>
                {took.number}
                <small>{took.unit}</small>
              </>
            )}
          </dd>
        </div>
      </dl>
    </div>
  );
}
