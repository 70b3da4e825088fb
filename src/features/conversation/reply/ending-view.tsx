import { clsx } from 'clsx';
import { Fragment, useState } from 'react';

import {
  getEnding,
  getRetryDelayMs,
  type Ending,
  type EndingAction,
} from '../../../conversation/reply/ending.ts';
import { withImageUrls } from '../../../conversation/request/media-data.ts';
import { findImageUrls } from '../../../conversation/request/message-images.ts';
import type { DraftImage } from '../../../conversation/session/draft.ts';
import {
  getAnswerVersions,
  getLaneLetter,
  getRun,
  getLanePath,
} from '../../../conversation/session/turn-tree.ts';
import type { Run, SessionData, Turn, PromptId, TurnId } from '../../../conversation/session/types.ts';
import { findOutputLimit } from '../../../conversation/setup/output-limit.ts';
import {
  describeFix,
  isFixable,
  formatFieldName,
  getParamOfField,
  toRefusedFields,
} from '../../../conversation/setup/refused-fields.ts';
import { GatewayError, type ErrorReport } from '../../../gateway/errors/errors.ts';
import type { FieldRefusal } from '../../../gateway/errors/field-refusal.ts';
import type { Message } from '../../../gateway/wire.ts';
import { formatCount, formatDuration, formatSeconds } from '../../../lib/format.ts';
import {
  useLane,
  useLearnedRecords,
  useSession,
  useSessionShallow,
  useView,
  useSessionServices,
  useAppServices,
  useRunServices,
} from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { NoteCard, NoteText } from '../../../ui/display/card.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { CircleAlert, RotateCw, Scissors, Square } from '../../../ui/icons.tsx';
import { ScaleDown } from '../../attachments/scale-down.tsx';
import { gatewayDetailsButton } from '../../health/health-focus-targets.ts';
import { CopyReport } from '../../inspector/copy-report.tsx';
import { findNamedModel } from '../../models/match-models.ts';
import { filterModelsByKind } from '../../models/picker-options.ts';
import { useModels } from '../../models/use-models.ts';
import { openModelPicker } from '../../workspace/playground-focus-targets.ts';
import { useRemaining } from '../../workspace/use-elapsed.ts';
import { showParameter } from '../../workspace/use-parameters-open.ts';
import { ExtraData, RawDetails } from '../message/extra-data.tsx';
import { BriefText } from './brief-text.tsx';

interface EndingViewProps {
  turn: Turn;
  run: Run;
  isLast: boolean;
  /** True for a single sentence with actions, in a card beside the cards of other lanes. */
  isBrief?: boolean;
  /** Opens the lane's model picker if it is not on screen. */
  onPickModel?: () => void;
}

/** Ending of the run, if it needs an explanation: a line, a card, or an error with actions. */
export function EndingView({ turn, run, isLast, isBrief = false, onPickModel }: EndingViewProps) {
  const ending = getEnding(run);
  if (!ending) return null;
  const actionButtons = (
    <EndingActions
      className={
        isBrief
          ? 'mt-2 mb-1 gap-2 [&>button]:flex-[1_1_140px]'
          : clsx('gap-1.5', ending.tone !== 'line' && 'mt-3')
      }
      actions={isLast ? ending.actions : []}
      turn={turn}
      run={run}
      ending={ending}
      onPickModel={onPickModel}
    />
  );
  if (ending.tone === 'line') {
    return (
      <div
        className={clsx(
          'flex flex-wrap items-center gap-2',
          !isBrief && 'mt-2.5 border-t border-line pt-1.5',
        )}
      >
        <span
          className={clsx(
            'inline-flex items-center gap-1.5 font-500 text-ink-2 normal-nums',
            isBrief ? 'text-[13px]/5' : 'text-12',
          )}
        >
          <Square className="size-3.5 flex-none stroke-[1.9]" aria-hidden />
          {ending.title}
        </span>
        <span className="min-w-0 flex-1" />
        {actionButtons}
      </div>
    );
  }
  const isError = ending.tone === 'err';
  const name = isError ? 'Error' : 'Note';
  if (isBrief) {
    return (
      <div role="group" aria-label={name}>
        <BriefText isTitle>{ending.title}</BriefText>
        {ending.text && <BriefText>{ending.text}</BriefText>}
        {actionButtons}
        <ExtraData run={run} isBrief />
      </div>
    );
  }
  const Icon = isError ? CircleAlert : Scissors;
  return (
    <NoteCard
      tone={ending.tone}
      icon={<Icon className="icon-16" aria-hidden />}
      title={ending.title}
      role="group"
      aria-label={name}
    >
      {ending.text && <NoteText>{ending.text}</NoteText>}
      {ending.report && <ErrorMessage report={ending.report} refusals={ending.refusals ?? []} />}
      {actionButtons}
      {ending.report && <ErrorDetails report={ending.report} run={run} />}
      <ExtraData run={run} />
    </NoteCard>
  );
}

interface EndingActionsProps {
  /** Classes for position and spacing. */
  className: string;
  actions: readonly EndingAction[];
  turn: Turn;
  run: Run;
  ending: Ending;
  onPickModel: (() => void) | undefined;
}

function EndingActions({
  className,
  actions: endingActions,
  turn,
  run,
  ending,
  onPickModel,
}: EndingActionsProps) {
  const { actions } = useSessionServices();
  const rejectionCount =
    useSession(
      (data) => getAnswerVersions(data, turn).filter((version) => wasRejected(data, version)).length,
    ) ?? 1;
  const retryInMs = getRetryDelayMs(ending.report, run.id, rejectionCount);
  const readyAtMs = retryInMs === undefined ? undefined : (run.sentAt ?? 0) + (run.endedMs ?? 0) + retryInMs;
  const waitMs = useRemaining(readyAtMs);
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const copyReport = ending.tone === 'err' && <CopyReport run={run} />;
  if (endingActions.length === 0)
    return copyReport && <div className={clsx('flex flex-wrap items-center', className)}>{copyReport}</div>;
  const letter = getLaneLetter(Math.max(0, laneIds.indexOf(turn.laneId)));
  const retryLabel = laneIds.length > 1 ? `Retry lane ${letter}` : 'Retry';
  const doubledLimit = (findOutputLimit(run.setup.params)?.value ?? 0) * 2;
  return (
    <div className={clsx('flex flex-wrap items-center', className)}>
      {ending.report?.kind === 'too-large' && <ScaleImages turn={turn} />}
      {endingActions.map((action) => {
        switch (action) {
          case 'raise':
            return (
              <Button
                key={action}
                size="small"
                onClick={() => void actions.retryWithHigherLimit(turn.id, doubledLimit)}
              >
                Raise to {formatCount(doubledLimit)} and retry
              </Button>
            );
          case 'continue':
            return (
              <Button key={action} size="small" onClick={() => void actions.continueAnswer(turn.laneId)}>
                Continue
              </Button>
            );
          case 'again':
            return (
              <Button
                key={action}
                size="small"
                disabled={waitMs > 0}
                onClick={() => void actions.regenerate([turn.id])}
              >
                <RotateCw className="icon-14" aria-hidden />
                {retryLabel}
              </Button>
            );
          case 'fix':
            return <FixFields key={action} turn={turn} run={run} refusals={ending.refusals ?? []} />;
          case 'choose-model':
            return (
              <Button
                key={action}
                size="small"
                variant="primary"
                onClick={onPickModel ?? (() => openModelPicker(letter))}
              >
                Choose another model
              </Button>
            );
          case 'check-key':
            return <CheckKey key={action} />;
        }
      })}
      {ending.report?.kind === 'not-found' && (
        <SwitchToNamedModel report={ending.report} turn={turn} run={run} />
      )}
      {run.phase.name === 'failed' && modelErrorKinds.has(ending.report?.kind ?? '') && (
        <Button size="small" onClick={onPickModel ?? (() => openModelPicker(letter))}>
          Choose another model
        </Button>
      )}
      {copyReport}
      {waitMs > 0 && <span className="text-ink-3">Retry in {Math.ceil(waitMs / 1000)} s</span>}
    </div>
  );
}

interface FixFieldsProps {
  turn: Turn;
  run: Run;
  refusals: readonly FieldRefusal[];
}

/**
 * Button that retries with the fix of the error. Hidden once the fix is remembered, since every retry then applies it.
 */
function FixFields({ turn, run, refusals }: FixFieldsProps) {
  const { actions } = useSessionServices();
  const { learnedModels } = useAppServices();
  useLearnedRecords();
  const lane = useLane(turn.laneId);
  const fixableRefusals = refusals.filter(isFixable);
  const fields = Object.entries(toRefusedFields(fixableRefusals));
  const rememberedFields = learnedModels.getRefusedFields(run.setup);
  const isRemembered =
    fields.length > 0 &&
    fields.every(
      ([field, name]) => Object.hasOwn(rememberedFields, field) && rememberedFields[field] === name,
    );
  const isModelInLane = lane && learnedModels.getKey(lane.setup) === learnedModels.getKey(run.setup);
  if (isRemembered || !isModelInLane) return null;
  return (
    <Button size="small" variant="primary" onClick={() => void actions.retryWithFixedFields(turn.id)}>
      {describeFix(fixableRefusals)}
    </Button>
  );
}

/** Button that switches the lane to the model named in the error. The user decides whether to retry. */
function SwitchToNamedModel({ report, turn, run }: { report: ErrorReport; turn: Turn; run: Run }) {
  const { actions } = useSessionServices();
  const announce = useAnnounce();
  const { data } = useModels(run.setup.gateway);
  const namesHidden = useView((view) => view.namesHidden);
  const listedIds = filterModelsByKind(data?.models ?? [], 'chat').map(({ id }) => id);
  const namedModel = namesHidden ? undefined : findNamedModel(report.message, run.setup.model, listedIds);
  if (namedModel === undefined) return null;
  const switchModel = () => {
    actions.changeSetup(turn.laneId, { model: namedModel });
    announce(`Now using ${namedModel}. Nothing was sent.`);
  };
  return (
    <Button size="small" onClick={switchModel}>
      Use {namedModel} instead
    </Button>
  );
}

/** Errors caused by the provider or the model, so that another model may succeed. */
const modelErrorKinds: ReadonlySet<string> = new Set(['overloaded', 'not-found', 'rate-limited', 'failed']);

function wasRejected(data: SessionData, turn: Turn): boolean {
  const phase = getRun(data, turn)?.phase;
  return phase?.name === 'failed' && phase.error?.kind === 'rate-limited';
}

/** Returns true if no field of the error could be parsed, so that the raw response is the only information. */
function hasUnknownFormat({ source, type, code, fields, raw }: ErrorReport): boolean {
  const isParsed = [type, code, fields].some((part) => part !== undefined);
  return source === 'gateway' && !isParsed && /^\s*[{[<]/.test(raw ?? '');
}

/** Formats a duration below one second in ms, as the metrics below do, because "0.0 s" would be meaningless. */
function formatShortDuration(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return unit === 'ms' ? `${number} ${unit}` : formatSeconds(ms);
}

interface ErrorMessageProps {
  report: ErrorReport;
  refusals: readonly FieldRefusal[];
}

/** The message as it was received, with links to the fields that it rejects. */
function ErrorMessage({ report: { message }, refusals }: ErrorMessageProps) {
  const refusedFields = [...new Set(refusals.map(({ field }) => field))];
  return (
    <>
      {message !== '' && (
        <p
          className="mt-1.5 max-h-50 overflow-y-auto font-mono text-mono-11 wrap-anywhere whitespace-pre-wrap text-ink-2"
          dir="auto"
        >
          {message}
        </p>
      )}
      {refusedFields.length > 0 && (
        <p className="mt-1 font-mono text-mono-11 text-ink-3">
          {refusedFields.length === 1 ? 'field ' : 'fields '}
          {refusedFields.map((field, index) => (
            <Fragment key={field}>
              {index > 0 && ', '}
              {formatFieldName(field) === field ? <FieldLink field={field} /> : formatFieldName(field)}
            </Fragment>
          ))}
        </p>
      )}
    </>
  );
}

/** Other facts about the error, folded behind its status, type and code. */
function ErrorDetails({ report, run }: { report: ErrorReport; run: Run }) {
  const { status, type } = report;
  const elapsedText = run.endedMs === undefined ? '' : ` after ${formatShortDuration(run.endedMs)}`;
  const code = report.code === type || report.code === `${status}` ? undefined : report.code;
  // If the error has a list of items, its message may already contain the messages of these items.
  const fields = (report.fields ?? []).filter(({ message }) => !report.message.includes(message));
  const details: [name: string, value: string | undefined][] = [
    ['status', status === undefined ? undefined : `${status}${elapsedText}`],
    ['type', type],
    ['code', code],
    ...fields.map((field): [string, string] => [field.path, field.message]),
    ['request ID', report.requestId ?? run.returnedRequestId ?? run.requestId],
  ];
  const summary = [status, type, code].filter((part) => part !== undefined && part !== '').join(', ');
  return (
    <details className="mt-2.5 text-12 text-ink-2 normal-nums" open={hasUnknownFormat(report)}>
      <summary className="font-mono text-mono-11 wrap-anywhere">{summary || 'Details'}</summary>
      <dl className="mt-1.5 font-mono text-mono-11">
        {details.map(([name, value], index) =>
          value === undefined || value === '' ? null : (
            <div key={index} className="grid grid-cols-[minmax(60px,auto)_1fr] gap-2">
              <dt className="min-w-15 text-ink-3">{name}</dt>
              <dd className="max-h-50 overflow-y-auto wrap-anywhere whitespace-pre-wrap" dir="auto">
                {value}
              </dd>
            </div>
          ),
        )}
      </dl>
      {report.raw !== undefined && report.raw !== report.message && (
        <RawDetails label="Raw response" text={report.raw} open={hasUnknownFormat(report)} />
      )}
    </details>
  );
}

/** Link to the sidebar row of the field. */
function FieldLink({ field }: { field: string }) {
  const { inspector } = useRunServices();
  const { view } = useSessionServices();
  const { prefs } = useAppServices();

  return (
    <a
      href={`#${encodeURIComponent(field)}`}
      className="text-ink underline decoration-line-2 underline-offset-2 hover:decoration-current"
      onClick={(event) => {
        event.preventDefault();
        showParameter({ prefs, view, inspector }, getParamOfField(field));
      }}
    >
      {field}
    </a>
  );
}

/**
 * Button that checks the key by loading the model list, which costs nothing. Reports the result and where to set the
 * key.
 */
function CheckKey() {
  const { isFetching, refetch } = useModels();
  const [checkResult, setCheckResult] = useState('');
  const check = async () => {
    setCheckResult('');
    const { error } = await refetch();
    setCheckResult(describeCheckResult(error));
  };
  return (
    <>
      <Button size="small" disabled={isFetching} onClick={() => void check()}>
        {isFetching ? 'Checking' : 'Check again'}
      </Button>
      <Button size="small" variant="ghost" onClick={() => gatewayDetailsButton.findElement()?.click()}>
        How to set the key
      </Button>
      <span role="status" className="text-ink-3">
        {checkResult}
      </span>
    </>
  );
}

function describeCheckResult(error: Error | null): string {
  if (!error) return 'The key works. Models loaded.';
  const isRejected = error instanceof GatewayError && error.report.kind === 'key-rejected';
  return isRejected ? 'The key is still rejected.' : error.message;
}

/** Scales down the images of a message that was too large and retries the message in every affected lane. */
function ScaleImages({ turn: { promptId } }: { turn: Turn }) {
  const { actions } = useSessionServices();
  const messages = useSession((data) => data.prompts[promptId]?.messages) ?? noMessages;
  const turnIds = useSession((data) => listTooLargeTurns(data, promptId).join(' ')) ?? '';
  const images = findImageUrls(messages).map((url): DraftImage => ({ url, name: 'The image' }));
  return (
    <ScaleDown
      images={images}
      onScaled={(scaled) => {
        const urls = new Map([...scaled].map(([url, image]) => [url, image.url]));
        void actions.editPrompt(turnIds.split(' '), withImageUrls(messages, urls), true);
      }}
    />
  );
}

const noMessages: readonly Message[] = [];

/** Lists the visible turns of this prompt whose request was too large. */
function listTooLargeTurns(data: SessionData, promptId: PromptId): TurnId[] {
  return data.session.laneIds.flatMap((laneId) => {
    const lane = data.lanes[laneId];
    const turn = lane && getLanePath(data, lane).find((candidate) => candidate.promptId === promptId);
    if (!turn) return [];
    const phase = getRun(data, turn)?.phase;
    return phase?.name === 'failed' && phase.error?.kind === 'too-large' ? turn.id : [];
  });
}
