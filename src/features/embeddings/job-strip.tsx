import { clsx } from 'clsx';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import type { EmbeddingJob, FieldProblem, JobState } from '../../state/embedding/embedding-job-types.ts';
import type { ModelSlot } from '../../state/lab/lab-state.ts';
import { Button } from '../../ui/controls/button.tsx';
import { cardVariants } from '../../ui/display/card.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { Play } from '../../ui/late-icons.tsx';
import { NoticeStrip } from '../../ui/overlays/notice-strip.tsx';
import { useFormatModel, useJobState, useLab, useLabState } from './hooks/use-lab.ts';
import { describeFieldProblem, FieldFix } from './texts/field-fix.tsx';

/** Notice after a job: errors, what was kept and possible actions. */
export function JobStrip() {
  const { dismiss } = useLab();
  const notice = useLabState((state) => state.notice);
  const problem = useLabState((state) => state.problem);
  const jobs = useLabState((state) => state.jobs);
  return (
    <>
      {notice !== undefined && (
        <NoticeStrip severity="note" text={notice} onClose={() => dismiss('notice')} />
      )}
      {problem !== undefined && (
        <NoticeStrip severity="problem" text={problem} onClose={() => dismiss('problem')} />
      )}
      {jobs.A && <JobLine slot="A" job={jobs.A} />}
      {jobs.B && <JobLine slot="B" job={jobs.B} />}
    </>
  );
}

function JobLine({ slot, job }: { slot: ModelSlot; job: EmbeddingJob }) {
  const { resume } = useLab();
  const phase = useJobState(job, (state) => state.phase);
  const counts = useJobState(job, (state) => state.counts);
  const isActive = useLabState((state) => state.activeSlot !== undefined);
  const total = job.inputs.length;
  const embeddedCount = counts.known + counts.embedded;
  if (phase.name === 'done' && counts.failed === 0) return null;
  if (phase.name === 'paused' && phase.report)
    return <Problem slot={slot} job={job} report={phase.report} field={phase.field} counts={counts} />;
  if (phase.name === 'done' || phase.name === 'paused') {
    const isDone = phase.name === 'done';
    return (
      <div
        className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-12"
        role="group"
        aria-label="Embedding result"
      >
        <p>
          {isDone
            ? `${formatCount(counts.failed)} of ${pluralize(total, 'text')} ${counts.failed === 1 ? 'has' : 'have'} no vector. The table shows why.`
            : `${formatCount(embeddedCount)} of ${pluralize(total, 'text')} embedded and kept.${counts.failed > 0 ? ` ${formatCount(counts.failed)} failed.` : ''}`}
        </p>
        <Button size="small" disabled={isActive} onClick={() => void resume({ retryFailed: isDone })}>
          <Play className="icon-14" aria-hidden />
          {isDone
            ? `Retry ${pluralize(counts.failed, 'text')}`
            : `Resume (${formatCount(counts.waiting)} left)`}
        </Button>
      </div>
    );
  }
  return null;
}

interface ProblemProps {
  slot: ModelSlot;
  job: EmbeddingJob;
  report: ErrorReport;
  /** Request field that the notice is about. */
  field: FieldProblem | undefined;
  counts: JobState['counts'];
}

function Problem({ slot, job, report, field, counts }: ProblemProps) {
  const { resume, omitRejectedField } = useLab();
  const isActive = useLabState((state) => state.activeSlot !== undefined);
  const formatModel = useFormatModel();
  const embeddedCount = counts.known + counts.embedded;
  const details: [string, string | number | undefined][] = [
    ['model', formatModel(job.setup)],
    ['status', report.status],
    ['type', report.type],
    ['code', report.code],
    ['request', report.requestId],
  ];
  return (
    <div
      className={clsx(cardVariants({ tone: 'err' }), 'mx-4 my-3 flex-none px-3.5 py-3')}
      role="group"
      aria-label="Error"
    >
      <h2 className="flex items-center gap-2 text-14 font-semibold text-err-ink">
        <CircleAlert className="icon-16" aria-hidden />
        {embeddedCount === 0
          ? 'Could not embed the texts'
          : `Stopped after ${formatCount(embeddedCount)} of ${pluralize(job.inputs.length, 'text')}`}
      </h2>
      {field && <p className="mt-1.5 text-13 wrap-anywhere">{describeFieldProblem(field)}</p>}
      <p className="mt-1.5 text-13 wrap-anywhere text-ink-2">{report.message}</p>
      <p className="mt-1.5 text-13 text-ink-3">
        {embeddedCount === 0 ? 'Your texts are kept.' : 'Your texts and all vectors received are kept.'}
      </p>
      <dl className="my-2.5 font-mono text-mono-11 wrap-anywhere text-ink-2">
        {details.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name} className="grid grid-cols-[60px_1fr] gap-x-2 gap-y-0.5">
                <dt className="text-ink-3">{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <div className="flex flex-wrap gap-1.5">
        {field && (
          <FieldFix
            field={field}
            target="texts"
            disabled={isActive}
            onOmit={() => void omitRejectedField(slot)}
          />
        )}
        <Button size="small" disabled={isActive} onClick={() => void resume()}>
          Retry
        </Button>
      </div>
    </div>
  );
}
