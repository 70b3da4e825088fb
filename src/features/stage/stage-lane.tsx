import { clsx } from 'clsx';
import { useCallback, useRef, useEffect, useState, type ReactNode, type RefObject } from 'react';

import { formatSubtitle, type LaneHeadline } from '../../conversation/comparison/lane-headline.ts';
import { getEnding } from '../../conversation/reply/ending.ts';
import { getFinishLabel, isLive } from '../../conversation/reply/run.ts';
import { getContentText } from '../../conversation/request/request.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import { getRunId, getManualReply } from '../../conversation/session/turn-tree.ts';
import type { Run, Turn, TurnId } from '../../conversation/session/types.ts';
import { describeTrace } from '../../conversation/trace/describe-trace.ts';
import type { TracePicture } from '../../conversation/trace/trace-drawing.ts';
import {
  getElapsedMs,
  getRecordedMs,
  getSharedRangeMs,
  getTraceEnd,
  getTurnRuns,
} from '../../conversation/trace/trace.ts';
import { Markdown } from '../../markdown/draw/markdown.tsx';
import {
  useRun,
  useSession,
  useTurn,
  useView,
  useSessionServices,
  useRunServices,
} from '../../state/contexts.tsx';
import type { Replay } from '../../state/runs/replay.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { ArrowDown, CheckIcon, CircleAlert, Scissors, Square } from '../../ui/icons.tsx';
import { createEndFollower } from '../conversation/end-follower.ts';
import { CandidateView } from '../conversation/reply/candidate-view.tsx';
import { useTicks } from '../lanes/trace/use-ticks.ts';
import { useTraceCanvas } from '../lanes/trace/use-trace-canvas.ts';
import { ReplayedTrace } from '../replay/replayed-trace.tsx';
import { getScrollView } from '../workspace/scroll-view.ts';
import { StageNumbers } from './stage-numbers.tsx';
import { StagePromptText } from './stage-prompt.tsx';

interface StageLaneProps {
  turnId: TurnId;
  /** Turns of all lanes with this number, whose traces share a time axis. */
  sceneTurnIds: readonly TurnId[];
  letter: string;
  headline: LaneHeadline | undefined;
  /** Index of this lane on the stage, and the number of lanes there. */
  index: number;
  count: number;
  numbersHidden: boolean;
  scrollers: Set<HTMLElement>;
  replay: Replay | undefined;
}

/** Returns the number of lanes per row. */
export function getLanesPerRow(count: number): number {
  return count > 3 ? Math.ceil(count / 2) : count;
}

/** Answer on the stage: its model, text and metrics. Never shows URLs, IDs or raw errors. */
export function StageLane(props: StageLaneProps) {
  const { turnId, sceneTurnIds, letter, headline, index, count, numbersHidden, scrollers, replay } = props;
  const turn = useTurn(turnId);
  const run = useRun(getRunId(turn));
  const namesHidden = useView((view) => view.namesHidden);
  const isOnlyLane = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const hasOwnPrompt = useSession((data) => !isSharedPrompt(Object.values(data.turns), turn)) ?? false;
  if (!turn) return null;
  // Small lanes do not show the owner of the model.
  const isSmall = count > 3;
  const lanesPerRow = getLanesPerRow(count);
  const column = index % lanesPerRow;
  const hasPrompt = hasOwnPrompt && !isOnlyLane;
  return (
    <section
      className={clsx(
        `lane-${letter.toLowerCase()} grid min-h-0 min-w-0 grid-cols-1`,
        'border-line-2 @max-[800px]/stage:px-0 @max-[800px]/stage:py-4',
        isSmall ? 'pt-3.5 pb-2.5' : 'pt-5.5 pb-3',
        column > 0 && (isSmall ? 'pl-5' : 'pl-7'),
        column < lanesPerRow - 1 && (isSmall ? 'pr-5' : 'pr-7'),
        // The border is at the top in a narrow window.
        column > 0 && 'border-l @max-[800px]/stage:border-l-0',
        index >= lanesPerRow ? 'border-t' : index > 0 && '@max-[800px]/stage:border-t',
        hasPrompt ? 'grid-rows-[auto_auto_minmax(0,1fr)_auto]' : 'grid-rows-[auto_minmax(0,1fr)_auto]',
      )}
      data-lane={letter}
      aria-label={`Lane ${letter}`}
      data-status={run?.phase.name}
    >
      {/* The lane letter is larger here than elsewhere. */}
      <header
        className={clsx(
          'flex items-start gap-3.5 [&>b]:size-9.5 [&>b]:rounded-[4px] [&>b]:text-[22px]',
          isSmall &&
            '@min-[800px]/stage:gap-2.5 @min-[800px]/stage:[&>b]:size-7 @min-[800px]/stage:[&>b]:text-[17px]',
        )}
      >
        {!isOnlyLane && <LaneTile letter={letter} isSmall={false} />}
        <div className="min-w-0 flex-1">
          <h2
            className={clsx(
              'font-600 tracking-[-0.016em] wrap-anywhere normal-nums',
              // The size depends on the number of lanes; names of small lanes are limited to one line.
              count === 3 ? 'text-24/8' : 'text-[31px]/9.5',
              isSmall &&
                '@min-[800px]/stage:truncate @min-[800px]/stage:text-[20px]/7 @min-[800px]/stage:tracking-[-0.01em]',
              !isOnlyLane && 'text-lane',
            )}
          >
            {namesHidden ? `Model ${letter}` : isSmall ? getCompactName(headline) : headline?.headline}
          </h2>
          {!namesHidden && !isSmall && headline && (
            <p className="text-[16px]/5.5 font-450 wrap-anywhere text-ink-3">{formatSubtitle(headline)}</p>
          )}
        </div>
        {replay && (
          <StageStatus isSmall={isSmall} tone="warn">
            Recorded
          </StageStatus>
        )}
        {run && <StageStatus isSmall={isSmall} {...getStageStatus(run)} />}
      </header>
      {hasPrompt && <StagePromptText promptId={turn.promptId} isSmall={isSmall} inLane />}
      <StageText
        key={turnId}
        letter={letter}
        count={count}
        scrollers={scrollers}
        live={run !== undefined && isLive(run)}
      >
        <StageAnswer turn={turn} run={run} />
      </StageText>
      {run && !numbersHidden && (
        <footer className={clsx('pt-3', isSmall && '@min-[800px]/stage:pt-1')}>
          {isSmall ? null : replay ? (
            <ReplayedTrace run={run} replay={replay} variant="stage" />
          ) : (
            <StageTrace run={run} sceneTurnIds={sceneTurnIds} />
          )}
          <StageNumbers run={run} isSmall={isSmall} />
        </footer>
      )}
    </section>
  );
}

/** Returns the name for a small lane: of several differences, only the first. */
function getCompactName(headline: LaneHeadline | undefined): string | undefined {
  return headline && headline.headline === headline.chips.join(', ') ? headline.chips[0] : headline?.headline;
}

interface StageTextProps {
  letter: string;
  count: number;
  live: boolean;
  scrollers: Set<HTMLElement>;
  children: ReactNode;
}

/**
 * Text of an answer: follows a streaming answer, but shows a finished one from its start. Overflowing text fades out
 * with a hint.
 */
function StageText({ letter, count, live, scrollers, children }: StageTextProps) {
  const { scroller, hasMore } = useStageText(live, scrollers);
  return (
    <div className={clsx('relative mt-3.5 flex min-h-0 flex-col', count > 3 && '@min-[800px]/stage:mt-2')}>
      <div
        ref={scroller}
        className={clsx(
          'min-h-0 [scrollbar-width:thin] overflow-y-auto overscroll-contain -outline-offset-2',
          '[--md-code-font:400_var(--stage-code)_var(--mono)] [font:400_var(--stage-text)_var(--sans)]',
          '[&_.markdown]:[--md-font:400_var(--stage-text)_var(--sans)]',
          count === 1 && 'w-full max-w-275',
        )}
        tabIndex={0}
        role="group"
        aria-label={`Answer, lane ${letter}`}
        data-stage-text
      >
        <div>{children}</div>
      </div>
      {hasMore && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-x-0 bottom-0 flex h-23 items-end gap-1.5 bg-linear-to-b from-transparent to-paper to-62% text-15 font-550 text-ink-2"
        >
          more <ArrowDown className="mb-1 icon-16" />
        </div>
      )}
    </div>
  );
}

/** Returns true if a turn in another lane answers the same prompt. */
function isSharedPrompt(turns: readonly Turn[], turn: Turn | undefined): boolean {
  return turns.some(
    (otherTurn) => otherTurn.laneId !== turn?.laneId && otherTurn.promptId === turn?.promptId,
  );
}

function StageAnswer({ turn, run }: { turn: Turn; run: Run | undefined }) {
  if (!run) {
    const manualText = getContentText(getManualReply(turn)?.content ?? '');
    return manualText === '' ? (
      <p className="text-ink-3">No answer yet</p>
    ) : (
      <Markdown text={manualText} isLive={false} />
    );
  }
  const ending = isLive(run) ? undefined : getEnding(run);
  return (
    <>
      {run.phase.name !== 'queued' && run.phase.name !== 'waiting' && (
        <CandidateView turn={turn} run={run} candidateIndex={turn.shownChoice} isRaw={false} />
      )}
      {ending && (
        <p
          className={clsx(
            'mt-5 rounded-3 border px-4.5 py-3.5',
            {
              line: 'border-line-2 text-ink-2',
              warn: 'border-warn text-warn-ink',
              err: 'border-err text-err-ink',
            }[ending.tone],
          )}
        >
          {ending.title}
        </p>
      )}
    </>
  );
}

interface StageStatusProps {
  tone: 'live' | 'ok' | 'warn' | 'err' | 'plain';
  icon?: ReactNode;
  isSmall: boolean;
  children: ReactNode;
}

/** Status in one word, readable from the last row. */
function StageStatus({ isSmall, ...statusProps }: StageStatusProps) {
  return (
    <StatusLabel
      size={isSmall ? 'small stage' : 'stage'}
      className={clsx('mt-1.75 flex-none', isSmall && '@min-[800px]/stage:mt-1')}
      {...statusProps}
    />
  );
}

function getStageStatus(run: Run): Omit<StageStatusProps, 'isSmall'> {
  if (isLive(run)) {
    if (run.phase.name === 'queued') return { tone: 'warn', children: 'Queued' };
    if (run.phase.name === 'waiting') return { tone: 'live', children: 'Waiting' };
    const isReasoning = getCandidate(run, 0)?.parts.at(-1)?.type === 'thinking';
    return { tone: 'live', children: isReasoning ? 'Reasoning' : 'Answering' };
  }
  const alertIcon = <CircleAlert aria-hidden />;
  const scissorsIcon = <Scissors aria-hidden />;
  switch (run.phase.name) {
    case 'failed':
      return { tone: 'err', icon: alertIcon, children: 'Failed' };
    case 'stopped':
      return { tone: 'plain', icon: <Square aria-hidden />, children: 'Stopped' };
    case 'interrupted':
      return { tone: 'warn', icon: alertIcon, children: 'Interrupted' };
    case 'truncated':
      return { tone: 'warn', icon: scissorsIcon, children: 'Cut off' };
    default:
      if (getFinishLabel(run) === 'length') return { tone: 'warn', icon: scissorsIcon, children: 'Cut off' };
      return { tone: 'ok', icon: <CheckIcon aria-hidden />, children: 'Done' };
  }
}

/** Large trace of an answer, on a time axis shared by the answers of the scene. */
function StageTrace({ run, sceneTurnIds }: { run: Run; sceneTurnIds: readonly TurnId[] }) {
  const { session } = useSessionServices();
  const { traces } = useRunServices();
  const canvas = useRef<HTMLCanvasElement>(null);
  const ticks = useTicks(run);
  const live = isLive(run);
  // The shared axis grows with any live run.
  const isAnyLive = useSession((data) => getTurnRuns(data, sceneTurnIds).some(isLive)) ?? false;
  const getPicture = useCallback((): TracePicture => {
    const nowMs = Date.now();
    const data = getCurrentSession(session.getState());
    const latestRun = data?.runs[run.id] ?? run;
    return {
      ticks: traces.get(run.id) ?? ticks,
      rangeMs: getSharedRangeMs(data ? getTurnRuns(data, sceneTurnIds) : [latestRun], nowMs),
      firstMs: latestRun.firstTokenMs,
      endMs: getElapsedMs(latestRun, nowMs),
      end: getTraceEnd(latestRun),
      nowMs: isLive(latestRun) && latestRun.sentAt !== undefined ? getElapsedMs(latestRun, nowMs) : undefined,
    };
  }, [session, traces, ticks, run, sceneTurnIds]);
  useTraceCanvas(canvas, getPicture, { variant: 'stage', isAnimated: isAnyLive });
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

/** Minimum overflow in px that counts as more text. */
const minOverflowPx = 8;

/**
 * Manages the text of an answer on the stage, which is registered in `scrollers` while mounted. Follows an answer that
 * was live when mounted. `hasMore` is true if there is more text below.
 */
function useStageText(
  live: boolean,
  scrollers: Set<HTMLElement>,
): { scroller: RefObject<HTMLDivElement | null>; hasMore: boolean } {
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing] = useState(live);
  const [hasMore, setHasMore] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const endFollower = isFollowing ? createEndFollower(element, getScrollView(element, false)) : undefined;
    const update = () =>
      setHasMore(element.scrollHeight - element.clientHeight - element.scrollTop > minOverflowPx);
    const resizeObserver = new ResizeObserver(update);
    resizeObserver.observe(element);
    if (element.firstElementChild) resizeObserver.observe(element.firstElementChild);
    element.addEventListener('scroll', update, { passive: true });
    scrollers.add(element);
    return () => {
      endFollower?.disconnect();
      scrollers.delete(element);
      element.removeEventListener('scroll', update);
      resizeObserver.disconnect();
    };
  }, [scrollers, isFollowing]);
  return { scroller, hasMore };
}
