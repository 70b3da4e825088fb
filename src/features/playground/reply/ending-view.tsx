import { Fragment, useState, type ReactNode } from 'react';

import {
  getEnding,
  findOutputLimit,
  getRetryDelayMs,
  type Ending,
  type EndingAction,
} from '../../../conversation/reply/ending.ts';
import { getAnswerVersions, getLaneLetter, getRun } from '../../../conversation/session/turn-tree.ts';
import type { Run, SessionData, Turn } from '../../../conversation/session/types.ts';
import {
  describeFix,
  isFixable,
  formatFieldName,
  getParamOfField,
  toRefusedFields,
} from '../../../conversation/setup/refused-fields.ts';
import { GatewayError, type ErrorReport } from '../../../gateway/errors/errors.ts';
import type { FieldRefusal } from '../../../gateway/errors/field-refusal.ts';
import { formatCount, formatDuration, formatSeconds } from '../../../lib/format.ts';
import {
  useLane,
  useLearnedRecords,
  usePlayground,
  useSession,
  useSessionShallow,
  useView,
} from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NoteCard, noteTextLook } from '../../../ui/display/card.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { CircleAlert, RotateCw, Scissors, Square } from '../../../ui/icons.tsx';
import { modelNamedIn } from '../../models/match-models.ts';
import { modelsOfKind } from '../../models/picker-options.ts';
import { useModels } from '../../models/use-models.ts';
import { LeftOver, RawDetails, rawLook } from '../message/extra-data.tsx';
import { pickModel } from '../playground-focus-targets.ts';
import { showParameter } from '../use-parameters-open.ts';
import { ScaleImages } from './scale-images.tsx';
import { useRemaining } from './use-elapsed.ts';

interface EndingViewProps {
  turn: Turn;
  run: Run;
  isLast: boolean;
  /** A sentence and what can be done, for a card among those of other lanes. */
  brief?: boolean;
  /** Where the lane's model picker is not on screen: brings it there and opens it. */
  onPickModel?: () => void;
}

const briefTextLook = classes('inline text-[15px]/5.5 font-400 text-ink-2 normal-nums');

/** How the run ended, where that needs words: a line, a card, or an error with what can be done. */
export function EndingView({ turn, run, isLast, brief = false, onPickModel }: EndingViewProps) {
  const ending = getEnding(run);
  if (!ending) return null;
  const offers = (
    <Offers
      className={
        brief
          ? 'mt-2 mb-1 gap-2 [&>button]:flex-[1_1_140px]'
          : classes('gap-1.5', ending.tone !== 'line' && 'mt-3')
      }
      offers={isLast ? ending.actions : []}
      turn={turn}
      run={run}
      ending={ending}
      onPickModel={onPickModel}
    />
  );
  if (ending.tone === 'line') {
    return (
      <div
        className={classes(
          'flex flex-wrap items-center gap-2',
          !brief && 'mt-2.5 border-t border-line pt-1.5',
        )}
      >
        <span
          className={classes(
            'inline-flex items-center gap-1.5 font-500 text-ink-2 normal-nums',
            brief ? 'text-[13px]/5' : 'text-12',
          )}
        >
          <Square className="size-3.5 flex-none stroke-[1.9]" aria-hidden />
          {ending.title}
        </span>
        <span className="min-w-0 flex-1" />
        {offers}
      </div>
    );
  }
  const isError = ending.tone === 'err';
  const name = isError ? 'Error' : 'Note';
  if (brief) {
    return (
      <div role="group" aria-label={name}>
        <h3 className={classes(briefTextLook, "after:content-['._']")}>{ending.title}</h3>
        {ending.text && <p className={briefTextLook}>{ending.text}</p>}
        {offers}
        <LeftOver run={run} textLook={briefTextLook} brief />
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
      {ending.text && <p className={noteTextLook}>{ending.text}</p>}
      {offers}
      {ending.report && <ReportView report={ending.report} refusals={ending.refusals ?? []} run={run} />}
      <LeftOver run={run} textLook={noteTextLook} />
    </NoteCard>
  );
}

interface OffersProps {
  /** Where they stand, and how far apart. */
  className: string;
  offers: readonly EndingAction[];
  turn: Turn;
  run: Run;
  ending: Ending;
  onPickModel: (() => void) | undefined;
}

function Offers({ className, offers, turn, run, ending, onPickModel }: OffersProps) {
  const { actions } = usePlayground();
  const rejections =
    useSession(
      (data) => getAnswerVersions(data, turn).filter((version) => isRefused(data, version)).length,
    ) ?? 1;
  const retryInMs = getRetryDelayMs(ending.report, run.id, rejections);
  const readyAt = retryInMs === undefined ? undefined : (run.sentAt ?? 0) + (run.endedMs ?? 0) + retryInMs;
  const waitMs = useRemaining(readyAt);
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  if (offers.length === 0) return null;
  const letter = getLaneLetter(Math.max(0, laneIds.indexOf(turn.laneId)));
  const retry = laneIds.length > 1 ? `Retry lane ${letter}` : 'Retry';
  const words = run.phase.name === 'failed' || ending.isProviderFailure ? retry : 'Ask again';
  const doubled = (findOutputLimit(run.setup.params)?.value ?? 0) * 2;
  return (
    <div className={classes('flex flex-wrap items-center', className)}>
      {ending.report?.kind === 'too-large' && <ScaleImages turn={turn} />}
      {offers.map((offer) => {
        switch (offer) {
          case 'raise':
            return (
              <Button
                key={offer}
                size="small"
                onClick={() => void actions.retryWithHigherLimit(turn.id, doubled)}
              >
                Raise to {formatCount(doubled)} and ask again
              </Button>
            );
          case 'continue':
            return (
              <Button key={offer} size="small" onClick={() => void actions.continueAnswer(turn.laneId)}>
                Ask to continue
              </Button>
            );
          case 'again':
            return (
              <Button
                key={offer}
                size="small"
                disabled={waitMs > 0}
                onClick={() => void actions.regenerate([turn.id])}
              >
                <RotateCw className="icon-14" aria-hidden />
                {words}
              </Button>
            );
          case 'fix':
            return <FixFields key={offer} turn={turn} run={run} refusals={ending.refusals ?? []} />;
          case 'check-key':
            return <CheckKey key={offer} />;
        }
      })}
      {ending.report?.kind === 'not-found' && <UseNamed report={ending.report} turn={turn} run={run} />}
      {run.phase.name === 'failed' && otherModelMayHelp.has(ending.report?.kind ?? '') && (
        <Button size="small" onClick={onPickModel ?? (() => pickModel(letter))}>
          Pick another model
        </Button>
      )}
      {waitMs > 0 && (
        <span className="text-ink-3">
          {ending.report?.retryAfterMs === undefined ? 'Ready in' : 'The gateway asks you to wait'}{' '}
          {Math.ceil(waitMs / 1000)} s{ending.report?.retryAfterMs === undefined ? '.' : ' more.'}
        </span>
      )}
    </div>
  );
}

interface FixFieldsProps {
  turn: Turn;
  run: Run;
  refusals: readonly FieldRefusal[];
}

/** Button that retries with the fix of the error. Hidden once the fix is remembered, since every retry applies it. */
function FixFields({ turn, run, refusals }: FixFieldsProps) {
  const { actions, learnedModels } = usePlayground();
  useLearnedRecords();
  const lane = useLane(turn.laneId);
  const { model } = run.setup;
  const fixable = refusals.filter(isFixable);
  const fields = Object.entries(toRefusedFields(fixable));
  const rememberedFields = learnedModels.getRefusedFields(model);
  const isRemembered =
    fields.length > 0 &&
    fields.every(
      ([field, name]) => Object.hasOwn(rememberedFields, field) && rememberedFields[field] === name,
    );
  if (isRemembered || lane?.setup.model !== model) return null;
  return (
    <Button size="small" look="ink" onClick={() => void actions.fixFields(turn.id)}>
      {describeFix(fixable)}
    </Button>
  );
}

/** Sets the lane's model to the one that the error names. Asking again is left to the person. */
function UseNamed({ report, turn, run }: { report: ErrorReport; turn: Turn; run: Run }) {
  const { actions } = usePlayground();
  const announce = useAnnounce();
  const { data } = useModels();
  const namesHidden = useView((view) => view.namesHidden);
  const listed = modelsOfKind(data?.models ?? [], 'chat').map(({ id }) => id);
  const named = namesHidden ? undefined : modelNamedIn(report.message, run.setup.model, listed);
  if (named === undefined) return null;
  const useNamed = () => {
    actions.changeSetup(turn.laneId, { model: named });
    announce(`Now using ${named}. Nothing was sent.`);
  };
  return (
    <Button size="small" onClick={useNamed}>
      Use {named} instead
    </Button>
  );
}

/** What is wrong with the provider or the model's name is not wrong with the next one. */
const otherModelMayHelp: ReadonlySet<string> = new Set(['overloaded', 'not-found', 'rate-limited', 'failed']);

function isRefused(data: SessionData, turn: Turn): boolean {
  const phase = getRun(data, turn)?.phase;
  return phase?.name === 'failed' && phase.error?.kind === 'rate-limited';
}

/** Nothing of it could be read but that it failed: then what came is all there is to see. */
function hasUnknownForm({ source, type, code, fields, raw }: ErrorReport): boolean {
  const isRead = [type, code, fields].some((part) => part !== undefined);
  return source === 'gateway' && !isRead && /^\s*[{[<]/.test(raw ?? '');
}

/** As the numbers beneath have it where it is less than a second, which "0.0 s" would hide. */
function shortly(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return unit === 'ms' ? `${number} ${unit}` : formatSeconds(ms);
}

interface ReportViewProps {
  report: ErrorReport;
  refusals: readonly FieldRefusal[];
  run: Run;
}

function ReportView({ report, refusals, run }: ReportViewProps) {
  const after = run.endedMs === undefined ? '' : ` after ${shortly(run.endedMs)}`;
  // The message of a list of problems holds theirs.
  const fields = (report.fields ?? []).filter(({ message }) => !report.message.includes(message));
  const rows = [...new Set(refusals.map(({ field }) => field))];
  const facts: [string, ReactNode][] = [
    ['status', report.status === undefined ? undefined : `${report.status}${after}`],
    ['type', report.type],
    ['code', report.code === report.type || report.code === `${report.status}` ? undefined : report.code],
    ['message', report.message],
    ...fields.map((field): [string, ReactNode] => [field.path, field.message]),
    [
      rows.length === 1 ? 'field' : 'fields',
      rows.length === 0
        ? undefined
        : rows.map((field, index) => (
            <Fragment key={field}>
              {index > 0 && ', '}
              {formatFieldName(field) === field ? <FieldLink field={field} /> : formatFieldName(field)}
            </Fragment>
          )),
    ],
    ['request', report.requestId ?? run.returnedRequestId ?? run.requestId],
  ];
  return (
    <>
      <dl className="mt-2.5 border-t border-ink-2/20 pt-2 font-(family-name:--mono) text-mono-11 text-ink-2 normal-nums">
        {facts.map(([name, value], index) =>
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
        <RawDetails words="Raw response" open={hasUnknownForm(report)}>
          <pre className={rawLook}>{report.raw}</pre>
        </RawDetails>
      )}
    </>
  );
}

/** Goes to the row of the sidebar that the field belongs to. */
function FieldLink({ field }: { field: string }) {
  const playground = usePlayground();
  return (
    <a
      href={`#${encodeURIComponent(field)}`}
      className="text-ink underline decoration-line-2 underline-offset-2 hover:decoration-current"
      onClick={(event) => {
        event.preventDefault();
        showParameter(playground, getParamOfField(field));
      }}
    >
      {field}
    </a>
  );
}

/** Asks the gateway for its models: that takes the key and spends nothing. Says how it went, and where the key is set. */
function CheckKey() {
  const { isFetching, refetch } = useModels();
  const [found, setFound] = useState('');
  const check = async () => {
    setFound('');
    const { error } = await refetch();
    setFound(foundWords(error));
  };
  return (
    <>
      <Button size="small" aria-disabled={isFetching} onClick={() => void check()}>
        {isFetching ? 'Checking' : 'Check again'}
      </Button>
      <Button size="small" look="quiet" popoverTarget="gateway-details">
        How to set the key
      </Button>
      <span role="status" className="text-ink-3">
        {found}
      </span>
    </>
  );
}

function foundWords(error: Error | null): string {
  if (!error) return 'The key works: models loaded.';
  const isRejected = error instanceof GatewayError && error.report.kind === 'key-rejected';
  return isRejected ? 'The key is still not accepted.' : error.message;
}
