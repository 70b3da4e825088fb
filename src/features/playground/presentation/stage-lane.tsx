import { ArrowDown, Check, CircleAlert, Scissors, Square } from 'lucide-react';
import { useCallback, useRef, type ReactNode } from 'react';

import type { LaneHeadline } from '../../../conversation/comparison/lane-headline.ts';
import { endingOf } from '../../../conversation/reply/ending.ts';
import { finishWord, isLive } from '../../../conversation/reply/run.ts';
import { textOfContent } from '../../../conversation/request/request.ts';
import { candidateOf } from '../../../conversation/session/candidates.ts';
import { runIdOf, writtenOf } from '../../../conversation/session/tree.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { traceWords } from '../../../conversation/trace/trace-words.ts';
import { elapsedMsOf, latestRunsOf, recordedMsOf, sharedRangeMs } from '../../../conversation/trace/trace.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import { usePlayground, useRun, useSession, useTurn, useView } from '../../../state/react.tsx';
import type { Replay } from '../../../state/runs/replay.ts';
import { currentSession } from '../../../state/sessions/session-store.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { StatusWord } from '../../../ui/display/status-word.tsx';
import type { TracePicture } from '../lane/paint-trace.ts';
import { useTraceCanvas } from '../lane/use-trace-canvas.ts';
import { ReplayedTrace } from '../replay/replayed-trace.tsx';
import { ChoiceView } from '../reply/choice-view.tsx';
import { useTicks } from '../trace/use-ticks.ts';
import { StageNumbers } from './stage-numbers.tsx';
import { PromptWords } from './stage-prompt.tsx';
import { useStageText } from './use-stage-text.ts';

interface StageLaneProps {
  turnId: string;
  letter: string;
  headline: LaneHeadline | undefined;
  /** One of many: its owner has no room. */
  isSmall: boolean;
  numbersHidden: boolean;
  texts: Set<HTMLElement>;
  replay: Replay | undefined;
}

/** One answer for a room: whose it is, what it says, how it came. No address, no ID and no raw error is shown. */
export function StageLane(props: StageLaneProps) {
  const { turnId, letter, headline, isSmall, numbersHidden, texts, replay } = props;
  const turn = useTurn(turnId);
  const run = useRun(runIdOf(turn));
  const namesHidden = useView((view) => view.namesHidden);
  const isAlone = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const isOwnPrompt = useSession((data) => !isShared(Object.values(data.turns), turn)) ?? false;
  if (!turn) return null;
  return (
    <section
      className={`pl lane-${letter.toLowerCase()}`}
      data-lane={letter}
      aria-label={`Lane ${letter}`}
      data-status={run?.phase.name}
    >
      <header>
        {!isAlone && <LaneTile letter={letter} small={false} />}
        <div className="min-w-0 flex-1">
          <h2 className={isAlone ? '' : 'text-lane'}>
            {namesHidden ? `Model ${letter}` : isSmall ? smallName(headline) : headline?.headline}
          </h2>
          {!namesHidden && !isSmall && headline && (
            <p className="text-[16px]/5.5 font-[450] [overflow-wrap:anywhere] text-ink-3">
              {underWords(headline)}
            </p>
          )}
        </div>
        {replay && <span className="st warn">Recorded</span>}
        {run && <StageStatus run={run} />}
      </header>
      {isOwnPrompt && !isAlone && <PromptWords promptId={turn.promptId} />}
      <StageText key={turnId} letter={letter} texts={texts} live={run !== undefined && isLive(run)}>
        <Said turn={turn} run={run} />
      </StageText>
      {run && !numbersHidden && (
        <footer>
          {isSmall ? null : replay ? (
            <ReplayedTrace run={run} replay={replay} look="stage" />
          ) : (
            <StageTrace run={run} />
          )}
          <StageNumbers run={run} />
        </footer>
      )}
    </section>
  );
}

/** The first thing that differs stands for a lane that has little room. */
function smallName(headline: LaneHeadline | undefined): string | undefined {
  return headline && headline.headline === headline.chips.join(', ') ? headline.chips[0] : headline?.headline;
}

function underWords({ headline, under, chips }: LaneHeadline): string {
  const isSaid = headline === chips.join(', ');
  return [under, ...(isSaid ? [] : chips)].filter((part) => part !== '').join(' · ');
}

interface StageTextProps {
  letter: string;
  live: boolean;
  texts: Set<HTMLElement>;
  children: ReactNode;
}

/**
 * Scrolls along with an answer that arrives while it is on the stage; one that is there is read from its start. What
 * does not fit fades and says so.
 */
function StageText({ letter, live, texts, children }: StageTextProps) {
  const { scroller, isCut } = useStageText(live, texts);
  return (
    <div className="stage-cut relative flex min-h-0 flex-col">
      <div
        ref={scroller}
        className="stage-text"
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

function Said({ turn, run }: { turn: Turn; run: Run | undefined }) {
  if (!run) {
    const written = textOfContent(writtenOf(turn)?.content ?? '');
    return written === '' ? (
      <p className="mut">Not answered yet</p>
    ) : (
      <Markdown text={written} live={false} />
    );
  }
  const ending = isLive(run) ? undefined : endingOf(run);
  return (
    <>
      {run.phase.name !== 'queued' && run.phase.name !== 'waiting' && (
        <ChoiceView turn={turn} run={run} choice={turn.shownChoice} raw={false} />
      )}
      {ending && <p className={`stage-end ${ending.tone}`}>{ending.title}</p>}
    </>
  );
}

/** One word for what the answer is doing, readable from the last row. */
function StageStatus({ run }: { run: Run }) {
  if (isLive(run)) {
    if (run.phase.name === 'queued') return <StatusWord tone="warn">In the queue</StatusWord>;
    if (run.phase.name === 'waiting') return <StatusWord tone="live">Waiting</StatusWord>;
    const isThinking = candidateOf(run, 0)?.parts.at(-1)?.type === 'thinking';
    return <StatusWord tone="live">{isThinking ? 'Thinking' : 'Writing'}</StatusWord>;
  }
  const alert = <CircleAlert className="i" aria-hidden />;
  const scissors = <Scissors className="i" aria-hidden />;
  switch (run.phase.name) {
    case 'failed':
      return (
        <StatusWord tone="err" icon={alert}>
          Failed
        </StatusWord>
      );
    case 'stopped':
      return (
        <StatusWord tone="plain" icon={<Square className="i" aria-hidden />}>
          Stopped
        </StatusWord>
      );
    case 'interrupted':
      return (
        <StatusWord tone="warn" icon={alert}>
          Interrupted
        </StatusWord>
      );
    case 'truncated':
      return (
        <StatusWord tone="warn" icon={scissors}>
          Cut off
        </StatusWord>
      );
    default:
      if (finishWord(run) === 'length')
        return (
          <StatusWord tone="warn" icon={scissors}>
            Cut off
          </StatusWord>
        );
      return (
        <StatusWord tone="ok" icon={<Check className="i" aria-hidden />}>
          Done
        </StatusWord>
      );
  }
}

/** The trace of an answer, large, on a clock that the lanes of the latest turn share. */
function StageTrace({ run }: { run: Run }) {
  const { session, traces } = usePlayground();
  const canvas = useRef<HTMLCanvasElement>(null);
  const ticks = useTicks(run);
  const live = isLive(run);
  // The clock of all grows with the one that still runs.
  const isAnyLive = useSession((data) => latestRunsOf(data).some(isLive)) ?? false;
  const pictureNow = useCallback((): TracePicture => {
    const now = Date.now();
    const data = currentSession(session.getState());
    const latest = data?.runs[run.id] ?? run;
    const beside = data ? latestRunsOf(data) : [];
    const failed = latest.phase.name === 'failed' || latest.phase.name === 'truncated';
    return {
      ticks: traces.of(run.id) ?? ticks,
      rangeMs: sharedRangeMs(beside.some(({ id }) => id === run.id) ? beside : [latest], now),
      firstMs: latest.firstTokenMs,
      endMs: elapsedMsOf(latest, now),
      end: isLive(latest) ? undefined : failed ? 'failed' : 'whole',
      nowMs: isLive(latest) && latest.sentAt !== undefined ? elapsedMsOf(latest, now) : undefined,
    };
  }, [session, traces, ticks, run]);
  useTraceCanvas(canvas, pictureNow, { look: 'stage', alive: isAnyLive });
  return (
    <div className="trace still">
      <canvas
        ref={canvas}
        role="img"
        aria-label={live ? 'Trace, live' : traceWords(run, ticks, recordedMsOf(run))}
      />
    </div>
  );
}
