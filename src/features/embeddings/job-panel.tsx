import { formatCount, pluralize } from '../../lib/format.ts';
import { useAppServices, useQueue } from '../../state/contexts.tsx';
import type { EmbeddingJob, JobPhase } from '../../state/embedding/embedding-job-types.ts';
import { getEmbedBlocker } from '../../state/lab/lab-state.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CheckIcon, Square } from '../../ui/icons.tsx';
import { Pause } from '../../ui/late-icons.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { describeJobPace } from './describe-job.ts';
import { useFormatModel, useJobState, useLab, useLabState } from './hooks/use-lab.ts';
import { useMinuteLimit } from './hooks/use-minute-limit.ts';
import { useNow } from './hooks/use-now.ts';
import { useSecondsUntil } from './hooks/use-seconds-until.ts';

/** Progress of the running job, and the one button that starts or stops it, at the end of the bar. */
export function JobPanel() {
  const job = useLabState((state) => (state.activeSlot ? state.jobs[state.activeSlot] : undefined));
  // One element in all states, so that the button keeps the focus when its label changes.
  return (
    <div className="contents" {...(job ? { role: 'group', 'aria-label': 'Embedding job' } : {})}>
      {job && <Progress job={job} />}
      <div className="z-1 col-span-full row-start-1 mt-2 mr-4 grid w-[168px] self-start justify-self-end max-phone:w-[156px]">
        <PrimaryButton job={job} />
      </div>
    </div>
  );
}

function Progress({ job }: { job: EmbeddingJob }) {
  const { pause } = useLab();
  const phase = useJobState(job, (state) => state.phase);
  const counts = useJobState(job, (state) => state.counts);
  const hasSecondModel = useLabState((state) => state.input.models.B.model !== '');
  const hasSeveralGateways = useGatewayStatuses().length > 1;
  const formatModel = useFormatModel();
  const total = job.inputs.length;
  const embeddedCount = counts.known + counts.embedded;
  return (
    <div className="col-start-1 row-start-2 border-r border-b border-line bg-bench px-4 pt-3 pb-2.5">
      <div className="flex items-center gap-1.5">
        <p className="text-13">
          <b className="font-semibold">{formatCount(embeddedCount)}</b> of {pluralize(total, 'text')} embedded
          {(hasSecondModel || hasSeveralGateways) && (
            <span className="text-ink-3"> with {formatModel(job.setup)}</span>
          )}
        </p>
        <span className="grow" />
        <Button disabled={phase.name === 'pausing'} onClick={() => void pause()}>
          <Pause className="icon-14" aria-hidden />
          Pause
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label="Texts embedded"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={embeddedCount}
        aria-valuetext={`${formatCount(embeddedCount)} of ${formatCount(total)}`}
        className="relative mt-2 mb-2 h-1.5 rounded-[3px] bg-line"
        style={{ '--share': total === 0 ? 0 : (embeddedCount + counts.failed) / total }}
      >
        <span className="block h-full w-[calc(var(--share)*100%)] rounded-l-[3px] bg-ink" />
        <span className="absolute -top-[3px] left-[calc(var(--share)*100%)] -ml-px h-3 w-0.5 bg-needle" />
      </div>
      <p className="min-h-8 text-12 text-pretty text-ink-3">
        <PhaseText phase={phase} job={job} />
      </p>
    </div>
  );
}

function PhaseText({ phase, job }: { phase: JobPhase; job: EmbeddingJob }) {
  const nextStartAt = useQueue((state) => state.nextStartAt, job.setup.gateway);
  const resumeAtMs =
    phase.name === 'waiting' ? phase.untilMs : phase.name === 'running' ? nextStartAt : undefined;
  const seconds = useSecondsUntil(resumeAtMs);
  switch (phase.name) {
    case 'looking':
      return 'Checking stored vectors…';
    case 'elsewhere':
      return 'Waiting for another tab to finish embedding.';
    case 'pausing':
      return 'Finishing requests already sent…';
    case 'waiting':
      return `Rate limited by the gateway: “${phase.report.message}” Resuming in ${seconds ?? 0} s.`;
    default:
      return (
        <>
          {seconds !== undefined && seconds > 0 && <>Rate limit reached. Resuming in {seconds} s. </>}
          <PaceText job={job} />
        </>
      );
  }
}

function PaceText({ job }: { job: EmbeddingJob }) {
  const state = useJobState(job, (jobState) => jobState);
  const minute = useMinuteLimit(job.setup.gateway);
  const nowMs = useNow();
  return describeJobPace(state, job.inputs.length, nowMs, minute);
}

const primaryClasses = 'relative h-8 w-full min-w-0 justify-center px-2 whitespace-nowrap';

/** Button that starts or stops embedding, or shows that it is complete. If it is disabled, it shows the reason. */
function PrimaryButton({ job }: { job: EmbeddingJob | undefined }) {
  const { embed, stop } = useLab();
  const { gateways } = useAppServices();
  // The reason changes with the gateways of the server.
  useGatewayStatuses();
  const count = useLabState((state) => state.parsedInput.items.length);
  const disabledReason = useLabState((state) => getEmbedBlocker(state, gateways));
  const isUpToDate = useLabState((state) => state.isUpToDate && state.parsedInput.items.length > 0);
  const countText = pluralize(count, 'text');
  if (job)
    return (
      <Button size="big" className={primaryClasses} onClick={() => void stop()}>
        <Square className="icon-14 fill-needle text-needle" aria-hidden />
        Stop
        <kbd className="max-phone:hidden" aria-hidden>
          Esc
        </kbd>
      </Button>
    );
  if (isUpToDate && disabledReason === undefined)
    return (
      <Button
        size="big"
        className={`${primaryClasses} cursor-default aria-disabled:text-ink-2`}
        disabled
        title="All texts are embedded. Change the texts, model or dimensions to embed again."
      >
        <CheckIcon className="icon-14 text-ok-ink" aria-hidden />
        All {formatCount(count)} embedded
      </Button>
    );
  return (
    <>
      <Button
        variant="primary"
        size="big"
        className={primaryClasses}
        // Not disabled, because a press shows the reason.
        aria-disabled={disabledReason !== undefined}
        title={disabledReason}
        aria-describedby={disabledReason === undefined ? undefined : 'embed-disabled-reason'}
        onClick={() => void embed()}
      >
        Embed
        {count > 0 && ` ${countText}`}
      </Button>
      {disabledReason !== undefined && (
        <span id="embed-disabled-reason" className="sr-only">
          {disabledReason}
        </span>
      )}
    </>
  );
}
