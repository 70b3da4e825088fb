import { CircleAlert, Play } from 'lucide-react';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { formatCount, plural } from '../../lib/format.ts';
import type { EmbeddingJob, JobPhase, JobState } from '../../state/embedding/embedding-job-types.ts';
import { useQueue } from '../../state/react.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { NoticeStrip } from '../../ui/overlays/notice-strip.tsx';
import { useJobState, useLab, useLabState } from './hooks/use-lab.ts';
import { useSecondsUntil } from './hooks/use-seconds-until.ts';

/** How the job stands: its progress, why it waits, what went wrong, what is kept and what can be done. */
export function JobStrip() {
  const { dismiss } = useLab();
  const notice = useLabState((state) => state.notice);
  const problem = useLabState((state) => state.problem);
  const jobs = useLabState((state) => state.jobs);
  return (
    <>
      {notice !== undefined && <NoticeStrip tone="note" text={notice} onClose={() => dismiss('notice')} />}
      {problem !== undefined && (
        <NoticeStrip tone="problem" text={problem} onClose={() => dismiss('problem')} />
      )}
      {jobs.A && <JobLine job={jobs.A} />}
      {jobs.B && <JobLine job={jobs.B} />}
    </>
  );
}

function JobLine({ job }: { job: EmbeddingJob }) {
  const { resume } = useLab();
  const phase = useJobState(job, (state) => state.phase);
  const counts = useJobState(job, (state) => state.counts);
  const isActive = useLabState((state) => state.active !== undefined);
  const total = job.inputs.length;
  const there = counts.known + counts.embedded;
  if (phase.name === 'done' && counts.failed === 0) return null;
  if (phase.name === 'paused' && phase.report)
    return <Problem job={job} report={phase.report} counts={counts} />;
  if (phase.name === 'done' || phase.name === 'paused') {
    const isDone = phase.name === 'done';
    return (
      <div className="job" role="group" aria-label="Embedding">
        <p>
          {isDone
            ? `${plural(counts.failed, 'text')} of ${formatCount(total)} ${counts.failed === 1 ? 'has' : 'have'} no vector. See the table for why.`
            : `${formatCount(there)} of ${plural(total, 'text')} embedded and kept.${counts.failed > 0 ? ` ${formatCount(counts.failed)} failed.` : ''}`}
        </p>
        <Button size="small" disabled={isActive} onClick={() => void resume({ retryFailed: isDone })}>
          <Play className="i s" aria-hidden />
          {isDone ? 'Retry these' : `Resume (${formatCount(counts.waiting)} left)`}
        </Button>
      </div>
    );
  }
  return (
    <div className="job" role="group" aria-label="Embedding">
      <progress max={total} value={there + counts.failed} aria-label="Texts embedded" />
      <p>
        {formatCount(there)} of {plural(total, 'text')}. <PhaseWords phase={phase} job={job} />
      </p>
    </div>
  );
}

function PhaseWords({ phase, job }: { phase: JobPhase; job: EmbeddingJob }) {
  const batchSize = useJobState(job, (state) => state.batchSize);
  const nextStartAt = useQueue((state) => state.nextStartAt);
  const waitsUntil =
    phase.name === 'waiting' ? phase.untilMs : phase.name === 'running' ? nextStartAt : undefined;
  const seconds = useSecondsUntil(waitsUntil);
  switch (phase.name) {
    case 'looking':
      return 'Checking what is stored.';
    case 'elsewhere':
      return 'Another tab is embedding. This one continues when it is done.';
    case 'pausing':
      return 'Finishing requests already sent.';
    case 'waiting':
      return `Rate limited by the gateway: “${phase.report.message}” Continues in ${seconds ?? 0} s.`;
    default:
      return seconds !== undefined && seconds > 0
        ? `Continues in ${seconds} s: all requests for this minute are used.`
        : `${plural(batchSize, 'text')} per request.`;
  }
}

function Problem({
  job,
  report,
  counts,
}: {
  job: EmbeddingJob;
  report: ErrorReport;
  counts: JobState['counts'];
}) {
  const { resume } = useLab();
  const isActive = useLabState((state) => state.active !== undefined);
  const kept = counts.known + counts.embedded;
  const facts: [string, string | number | undefined][] = [
    ['model', job.setup.model],
    ['status', report.status],
    ['type', report.type],
    ['code', report.code],
    ['request', report.requestId],
  ];
  return (
    <div className="card err problem" role="group" aria-label="Error">
      <h2>
        <CircleAlert className="i" aria-hidden />
        {kept === 0
          ? 'The texts were not embedded'
          : `Stopped after ${formatCount(kept)} of ${plural(job.inputs.length, 'text')}`}
      </h2>
      <p>{report.message}</p>
      <p className="mut">
        {kept === 0 ? 'Your texts are kept.' : 'Your texts and all vectors received are kept.'}
      </p>
      <dl>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <Button size="small" disabled={isActive} onClick={() => void resume()}>
        Retry
      </Button>
    </div>
  );
}
