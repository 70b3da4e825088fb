import { useCallback, useRef, type ReactNode } from 'react';

import type { LaneHeadline } from '../../../conversation/comparison/lane-headline.ts';
import { getEnding } from '../../../conversation/reply/ending.ts';
import { getFinishLabel, isLive } from '../../../conversation/reply/run.ts';
import { getContentText } from '../../../conversation/request/request.ts';
import { getCandidate } from '../../../conversation/session/candidates.ts';
import { getRunId, getManualReply } from '../../../conversation/session/turn-tree.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { describeTrace } from '../../../conversation/trace/describe-trace.ts';
import {
  getElapsedMs,
  getLatestRuns,
  getRecordedMs,
  getSharedRangeMs,
  getTraceEnd,
} from '../../../conversation/trace/trace.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import type { Replay } from '../../../state/runs/replay.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { usePlayground, useRun, useSession, useTurn, useView } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { StatusWord } from '../../../ui/display/status-label.tsx';
import { ArrowDown, Check, CircleAlert, Scissors, Square } from '../../../ui/icons.tsx';
import type { TracePicture } from '../lane/paint-trace.ts';
import { useTraceCanvas } from '../lane/use-trace-canvas.ts';
import { ReplayedTrace } from '../replay/replayed-trace.tsx';
import { ChoiceView } from '../reply/candidate-view.tsx';
import { useTicks } from '../trace/use-ticks.ts';
import { StageNumbers } from './stage-numbers.tsx';
import { PromptWords } from './stage-prompt.tsx';
import { useStageText } from './use-stage-text.ts';

interface StageLaneProps {
  turnId: string;
  letter: string;
  headline: LaneHeadline | undefined;
  /** Its place among those on the stage, and how many they are. */
  index: number;
  count: number;
  numbersHidden: boolean;
  texts: Set<HTMLElement>;
  replay: Replay | undefined;
}

/** How many lanes stand beside each other. */
export function lanesInRow(count: number): number {
  return count > 3 ? Math.ceil(count / 2) : count;
}

/** Room and lines between the lanes. In a narrow window each has a line at its top. */
function edgesLook(index: number, count: number): string {
  const inRow = lanesInRow(count);
  const column = index % inRow;
  const isSmall = count > 3;
  return classes(
    'border-line-2 max-[900px]:px-0 max-[900px]:py-4',
    isSmall ? 'pt-3.5 pb-2.5' : 'pt-5.5 pb-3',
    column > 0 && (isSmall ? 'pl-5' : 'pl-7'),
    column > 0 && 'border-l max-[900px]:border-l-0',
    column < inRow - 1 && (isSmall ? 'pr-5' : 'pr-7'),
    index >= inRow ? 'border-t' : index > 0 && 'max-[900px]:border-t',
  );
}

/** Names are as large as the lanes leave room for; many beside each other have one line each. */
function nameLook(count: number): string {
  return classes(
    'font-600 tracking-[-0.016em] wrap-anywhere normal-nums',
    count === 3 ? 'text-24/8' : 'text-[31px]/9.5',
    count > 3 && 'min-[900px]:truncate min-[900px]:text-[20px]/7 min-[900px]:tracking-[-0.01em]',
  );
}

/** Whose answer it is; the letter of the lane is larger here than elsewhere. */
function headLook(isSmall: boolean): string {
  return classes(
    'flex items-start gap-3.5 [&>b]:size-9.5 [&>b]:rounded-[4px] [&>b]:text-[22px]',
    isSmall && 'min-[900px]:gap-2.5 min-[900px]:[&>b]:size-7 min-[900px]:[&>b]:text-[17px]',
  );
}

/** One answer for a room: whose it is, what it says, how it came. No address, no ID and no raw error is shown. */
export function StageLane(props: StageLaneProps) {
  const { turnId, letter, headline, index, count, numbersHidden, texts, replay } = props;
  const turn = useTurn(turnId);
  const run = useRun(getRunId(turn));
  const namesHidden = useView((view) => view.namesHidden);
  const isAlone = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const isOwnPrompt = useSession((data) => !isShared(Object.values(data.turns), turn)) ?? false;
  if (!turn) return null;
  // Its owner has no room then.
  const isSmall = count > 3;
  const hasPrompt = isOwnPrompt && !isAlone;
  return (
    <section
      className={classes(
        `lane-${letter.toLowerCase()} grid min-h-0 min-w-0 grid-cols-1`,
        edgesLook(index, count),
        hasPrompt ? 'grid-rows-[auto_auto_minmax(0,1fr)_auto]' : 'grid-rows-[auto_minmax(0,1fr)_auto]',
      )}
      data-lane={letter}
      aria-label={`Lane ${letter}`}
      data-status={run?.phase.name}
    >
      <header className={headLook(isSmall)}>
        {!isAlone && <LaneTile letter={letter} small={false} />}
        <div className="min-w-0 flex-1">
          <h2 className={classes(nameLook(count), !isAlone && 'text-lane')}>
            {namesHidden ? `Model ${letter}` : isSmall ? smallName(headline) : headline?.headline}
          </h2>
          {!namesHidden && !isSmall && headline && (
            <p className="text-[16px]/5.5 font-[450] [overflow-wrap:anywhere] text-ink-3">
              {underWords(headline)}
            </p>
          )}
        </div>
        {replay && (
          <StageWord isSmall={isSmall} tone="warn">
            Recorded
          </StageWord>
        )}
        {run && <StageWord isSmall={isSmall} {...statusOf(run)} />}
      </header>
      {hasPrompt && <PromptWords promptId={turn.promptId} isSmall={isSmall} inLane />}
      <StageText
        key={turnId}
        letter={letter}
        count={count}
        texts={texts}
        live={run !== undefined && isLive(run)}
      >
        <Said turn={turn} run={run} />
      </StageText>
      {run && !numbersHidden && (
        <footer className={classes('pt-3', isSmall && 'min-[900px]:pt-1')}>
          {isSmall ? null : replay ? (
            <ReplayedTrace run={run} replay={replay} look="stage" />
          ) : (
            <StageTrace run={run} />
          )}
          <StageNumbers run={run} isSmall={isSmall} />
        </footer>
      )}
    </section>
  );
}

/** The first thing that differs stands for a lane that has little room. */
function smallName(headline: LaneHeadline | undefined): string | undefined {
  return headline && headline.headline === headline.chips.join(', ') ? headline.chips[0] : headline?.headline;
}

function underWords({ headline, subtitle, chips }: LaneHeadline): string {
  const isSaid = headline === chips.join(', ');
  return [subtitle, ...(isSaid ? [] : chips)].filter((part) => part !== '').join(' · ');
}

interface StageTextProps {
  letter: string;
  count: number;
  live: boolean;
  texts: Set<HTMLElement>;
  children: ReactNode;
}

/**
 * Scrolls along with an answer that arrives while it is on the stage; one that is there is read from its start. What
 * does not fit fades and says so.
 */
function StageText({ letter, count, live, texts, children }: StageTextProps) {
  const { scroller, isCut } = useStageText(live, texts);
  return (
    <div className={classes('relative mt-3.5 flex min-h-0 flex-col', count > 3 && 'min-[900px]:mt-2')}>
      <div
        ref={scroller}
        className={classes(
          'stage-text min-h-0 [scrollbar-width:thin] overflow-y-auto overscroll-contain -outline-offset-2',
          '[font:400_var(--stage-text)_var(--sans)]',
          count === 1 && 'w-full max-w-275',
        )}
        tabIndex={0}
        role="group"
        aria-label={`Answer, lane ${letter}`}
      >
        <div>{children}</div>
      </div>
      {isCut && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-x-0 bottom-0 flex h-23 items-end gap-1.5 bg-linear-to-b from-transparent to-paper to-62% text-15 font-[550] text-ink-2"
        >
          more <ArrowDown className="mb-1 icon-16" />
        </div>
      )}
    </div>
  );
}

/** Whether another lane's turn answers the same prompt. */
function isShared(turns: readonly Turn[], turn: Turn | undefined): boolean {
  return turns.some((other) => other.laneId !== turn?.laneId && other.promptId === turn?.promptId);
}

const endingLooks = {
  line: 'border-line-2 text-ink-2',
  warn: 'border-warn text-warn-ink',
  err: 'border-err text-err-ink',
};

function Said({ turn, run }: { turn: Turn; run: Run | undefined }) {
  if (!run) {
    const written = getContentText(getManualReply(turn)?.content ?? '');
    return written === '' ? (
      <p className="text-ink-3">Not answered yet</p>
    ) : (
      <Markdown text={written} live={false} />
    );
  }
  const ending = isLive(run) ? undefined : getEnding(run);
  return (
    <>
      {run.phase.name !== 'queued' && run.phase.name !== 'waiting' && (
        <ChoiceView turn={turn} run={run} choice={turn.shownChoice} raw={false} />
      )}
      {ending && (
        <p className={classes('mt-5 rounded-3 border px-4.5 py-3.5', endingLooks[ending.tone])}>
          {ending.title}
        </p>
      )}
    </>
  );
}

interface StageWordProps {
  tone: 'live' | 'ok' | 'warn' | 'err' | 'plain';
  icon?: ReactNode;
  isSmall: boolean;
  children: ReactNode;
}

/** One word for what the answer is doing, readable from the last row. */
function StageWord({ isSmall, ...word }: StageWordProps) {
  return (
    <StatusWord
      size={isSmall ? 'small room' : 'room'}
      className={classes('mt-1.75 flex-none', isSmall && 'min-[900px]:mt-1')}
      {...word}
    />
  );
}

function statusOf(run: Run): Omit<StageWordProps, 'isSmall'> {
  if (isLive(run)) {
    if (run.phase.name === 'queued') return { tone: 'warn', children: 'In the queue' };
    if (run.phase.name === 'waiting') return { tone: 'live', children: 'Waiting' };
    const isThinking = getCandidate(run, 0)?.parts.at(-1)?.type === 'thinking';
    return { tone: 'live', children: isThinking ? 'Thinking' : 'Writing' };
  }
  const alert = <CircleAlert aria-hidden />;
  const scissors = <Scissors aria-hidden />;
  switch (run.phase.name) {
    case 'failed':
      return { tone: 'err', icon: alert, children: 'Failed' };
    case 'stopped':
      return { tone: 'plain', icon: <Square aria-hidden />, children: 'Stopped' };
    case 'interrupted':
      return { tone: 'warn', icon: alert, children: 'Interrupted' };
    case 'truncated':
      return { tone: 'warn', icon: scissors, children: 'Cut off' };
    default:
      if (getFinishLabel(run) === 'length') return { tone: 'warn', icon: scissors, children: 'Cut off' };
      return { tone: 'ok', icon: <Check aria-hidden />, children: 'Done' };
  }
}

/** The trace of an answer, large, on a clock that the lanes of the latest turn share. */
function StageTrace({ run }: { run: Run }) {
  const { session, traces } = usePlayground();
  const canvas = useRef<HTMLCanvasElement>(null);
  const ticks = useTicks(run);
  const live = isLive(run);
  // The clock of all grows with the one that still runs.
  const isAnyLive = useSession((data) => getLatestRuns(data).some(isLive)) ?? false;
  const pictureNow = useCallback((): TracePicture => {
    const now = Date.now();
    const data = getCurrentSession(session.getState());
    const latest = data?.runs[run.id] ?? run;
    const beside = data ? getLatestRuns(data) : [];
    return {
      ticks: traces.get(run.id) ?? ticks,
      rangeMs: getSharedRangeMs(beside.some(({ id }) => id === run.id) ? beside : [latest], now),
      firstMs: latest.firstTokenMs,
      endMs: getElapsedMs(latest, now),
      end: getTraceEnd(latest),
      nowMs: isLive(latest) && latest.sentAt !== undefined ? getElapsedMs(latest, now) : undefined,
    };
  }, [session, traces, ticks, run]);
  useTraceCanvas(canvas, pictureNow, { look: 'stage', alive: isAnyLive });
  return (
    <div className="h-8.5">
      <canvas
        ref={canvas}
        className="block size-full"
        role="img"
        aria-label={live ? 'Trace, live' : describeTrace(run, ticks, getRecordedMs(run))}
      />
    </div>
  );
}
