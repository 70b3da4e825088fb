import { clsx } from 'clsx';
import { useMemo } from 'react';
import { flushSync } from 'react-dom';

import { isLive, getAnswerText } from '../../conversation/reply/run.ts';
import { getTextOrFileNames } from '../../conversation/request/message-files.ts';
import { getContentText } from '../../conversation/request/request.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import { buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import {
  getLaneLetter,
  getLanePath,
  getRunId,
  getManualReply,
} from '../../conversation/session/turn-tree.ts';
import type { LaneId, Run, Turn } from '../../conversation/session/types.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { Markdown } from '../../markdown/draw/markdown.tsx';
import { useLane, useRun, useSession, useSessionShallow, useTurn, useView } from '../../state/contexts.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { VoteRow } from '../compare/vote-row.tsx';
import { EndingView } from '../conversation/reply/ending-view.tsx';
import { LaneChips } from '../lanes/lane-chips.tsx';
import { LaneStatus } from '../lanes/lane-status.tsx';
import { MetricsView } from '../lanes/metrics-view.tsx';
import { TraceView } from '../lanes/trace/trace-view.tsx';
import { openModelPicker } from '../workspace/playground-focus-targets.ts';

interface AllLanesProps {
  laneIds: readonly LaneId[];
  onShow: (laneId: LaneId) => void;
}

/** Latest turn of every lane in short form: the prompt once, followed by one card per lane. */
export function AllLanes({ laneIds, onShow }: AllLanesProps) {
  const promptIds = useSessionShallow((data) =>
    laneIds.map((id) => data.turns[data.lanes[id]?.tip ?? '']?.promptId),
  );
  const sharedPromptId = promptIds?.every((id) => id === promptIds[0]) ? promptIds[0] : undefined;
  const data = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const row = useMemo(
    () =>
      data && buildPromptRows({ ...data, runs: {} }).findLast(({ promptId }) => promptId === sharedPromptId),
    [data, sharedPromptId],
  );
  return (
    <section
      className="peer flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain bg-paper -outline-offset-2"
      aria-label="All lanes"
      tabIndex={-1}
      data-all-lanes
    >
      {sharedPromptId !== undefined && <PromptPreview promptId={sharedPromptId} />}
      {laneIds.map((laneId, index) => (
        <LaneCard
          key={laneId}
          laneId={laneId}
          letter={getLaneLetter(index)}
          ownPromptId={sharedPromptId === undefined ? promptIds?.[index] : undefined}
          onShow={() => onShow(laneId)}
        />
      ))}
      {row && <VoteRow row={row} isLast />}
    </section>
  );
}

function PromptPreview({ promptId, isInCard = false }: { promptId: string; isInCard?: boolean }) {
  const text = useSession((data) =>
    data.prompts[promptId]?.messages.map((message) => getTextOrFileNames(message.content)).join('\n'),
  );
  if (!text) return null;
  return (
    <div
      className={clsx(
        'grid grid-cols-[36px_minmax(0,1fr)] px-4',
        isInCard ? '-mx-4 mb-1.5 py-1.5' : 'border-b border-line bg-bench py-3',
      )}
      role="article"
      aria-label="User message"
    >
      <span className="text-[13px]/5.5 font-500 text-ink-3" aria-hidden>
        You
      </span>
      <p
        className={clsx(
          'text-[15px]/5.5 font-450 text-pretty wrap-anywhere normal-nums',
          isInCard ? 'line-clamp-1 text-ink-2' : 'line-clamp-2',
        )}
        dir="auto"
      >
        {text}
      </p>
    </div>
  );
}

interface LaneCardProps {
  laneId: LaneId;
  letter: string;
  /** Prompt of this lane, if the lanes have different prompts. */
  ownPromptId: string | undefined;
  onShow: () => void;
}

/** Card of a lane. All cards together fill the height with as much of each answer as fits. */
function LaneCard({ laneId, letter, ownPromptId, onShow }: LaneCardProps) {
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useRun(getRunId(turn));
  const turnNumber = useSession((data) => (lane ? getLanePath(data, lane).length : 0)) ?? 0;
  const namesHidden = useView((view) => view.namesHidden);
  if (!lane) return null;
  const model = lane.setup.model;
  const name = namesHidden
    ? `Model ${letter}`
    : getDisplayTitle(lane.name ?? (model.slice(model.indexOf('/') + 1) || 'No model yet'));
  return (
    <article
      className={`lane-${letter.toLowerCase()} @container/lane-footer flex flex-[1_0_auto] flex-col border-b border-line px-4 pb-2.75`}
      aria-label={`Assistant message, lane ${letter}${run && !namesHidden ? `, ${run.setup.model}` : ''}, turn ${turnNumber}`}
      data-status={run?.phase.name}
    >
      <header className="flex min-h-11 items-center gap-2">
        <button
          type="button"
          className="flex h-11 min-w-24 items-center gap-2 text-[15px]/5 font-600 normal-nums"
          onClick={onShow}
        >
          <LaneTile letter={letter} isSmall={false} />
          <span className="sr-only">Show lane {letter}: </span>
          <b className="truncate font-600">{name}</b>
        </button>
        <span className="flex h-5 min-w-0 flex-1 flex-wrap gap-1 overflow-hidden">
          {!namesHidden && <LaneChips laneId={laneId} />}
        </span>
        <LaneStatus laneId={laneId} run={run} live={run !== undefined && isLive(run)} />
      </header>
      {ownPromptId !== undefined && <PromptPreview promptId={ownPromptId} isInCard />}
      {turn && <AnswerPreview turn={turn} run={run} />}
      {turn && run && (
        <>
          <EndingView
            turn={turn}
            run={run}
            isLast
            isBrief
            // The picker is in the lane's tab.
            onPickModel={() => {
              flushSync(onShow);
              openModelPicker(letter);
            }}
          />
          {!namesHidden && (
            <>
              <TraceView turn={turn} run={run} letter={letter} turnNumber={turnNumber} isFullWidth />
              <MetricsView run={run} letter={letter} turnNumber={turnNumber} variant="card" />
            </>
          )}
        </>
      )}
    </article>
  );
}

/** First lines of the answer. */
function AnswerPreview({ turn, run }: { turn: Turn; run: Run | undefined }) {
  const manualText = getContentText(getManualReply(turn)?.content ?? '');
  const text = run ? getAnswerText(getCandidate(run, turn.shownChoice)) : manualText;
  if (text === '') return null;
  return (
    <div className="answer-preview mb-2 min-h-11 flex-[1_1_0] overflow-hidden [--md-font:400_15px/22px_var(--sans)]">
      <Markdown text={text} isLive={run !== undefined && isLive(run)} />
    </div>
  );
}
