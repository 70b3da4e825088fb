import { useMemo } from 'react';
import { flushSync } from 'react-dom';

import { isLive, textOf } from '../../../conversation/reply/run.ts';
import { textOfContent } from '../../../conversation/request/request.ts';
import { candidateOf } from '../../../conversation/session/candidates.ts';
import { rowsOf } from '../../../conversation/session/rows.ts';
import { laneLetter, pathOf, runIdOf, writtenOf } from '../../../conversation/session/tree.ts';
import type { LaneId, Run, Turn } from '../../../conversation/session/types.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import { useLane, useRun, useSession, useSessionParts, useTurn, useView } from '../../../state/react.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { BetterRow } from '../comparison/better-row.tsx';
import { LaneChips } from '../lane/lane-chips.tsx';
import { LaneStatus } from '../lane/lane-status.tsx';
import { MetricsView } from '../lane/metrics-view.tsx';
import { TraceView } from '../lane/trace-view.tsx';
import { pickModel } from '../places.ts';
import { EndingView } from '../reply/ending-view.tsx';

interface AllLanesProps {
  laneIds: readonly LaneId[];
  onShow: (laneId: LaneId) => void;
}

/** The latest turn of every lane under each other, in short: what was asked once, then a card a lane. */
export function AllLanes({ laneIds, onShow }: AllLanesProps) {
  const promptIds = useSessionParts((data) =>
    laneIds.map((id) => data.turns[data.lanes[id]?.tip ?? '']?.promptId),
  );
  const shared = promptIds?.every((id) => id === promptIds[0]) ? promptIds[0] : undefined;
  const data = useSessionParts(({ session, lanes, prompts, turns }) => ({ session, lanes, prompts, turns }));
  const row = useMemo(
    () => data && rowsOf({ ...data, runs: {} }).findLast(({ promptId }) => promptId === shared),
    [data, shared],
  );
  return (
    <section className="pall" aria-label="All lanes" tabIndex={-1}>
      {shared !== undefined && <Asked promptId={shared} />}
      {laneIds.map((laneId, index) => (
        <LaneCard
          key={laneId}
          laneId={laneId}
          letter={laneLetter(index)}
          ownPromptId={shared === undefined ? promptIds?.[index] : undefined}
          onShow={() => onShow(laneId)}
        />
      ))}
      {row && <BetterRow row={row} />}
    </section>
  );
}

function Asked({ promptId }: { promptId: string }) {
  const text = useSession((data) =>
    data.prompts[promptId]?.messages.map((message) => textOfContent(message.content)).join('\n'),
  );
  if (!text) return null;
  return (
    <div className="pyou" role="article" aria-label="User message">
      <span aria-hidden>You</span>
      <p dir="auto">{text}</p>
    </div>
  );
}

interface LaneCardProps {
  laneId: LaneId;
  letter: string;
  /** What this lane was asked, where the lanes were not asked the same. */
  ownPromptId: string | undefined;
  onShow: () => void;
}

function LaneCard({ laneId, letter, ownPromptId, onShow }: LaneCardProps) {
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useRun(runIdOf(turn));
  const number = useSession((data) => (lane ? pathOf(data, lane).length : 0)) ?? 0;
  const namesHidden = useView((view) => view.namesHidden);
  if (!lane) return null;
  const model = lane.setup.model;
  const name = namesHidden ? `Model ${letter}` : model.slice(model.indexOf('/') + 1) || 'No model yet';
  return (
    <article
      className={`pcard lane-${letter.toLowerCase()}`}
      aria-label={`Assistant message, lane ${letter}${run && !namesHidden ? `, ${run.setup.model}` : ''}, turn ${number}`}
      data-status={run?.phase.name}
    >
      <header>
        <button type="button" onClick={onShow}>
          <LaneTile letter={letter} small={false} />
          <span className="vh">Show lane {letter}: </span>
          <b>{name}</b>
        </button>
        <span className="pchips">{!namesHidden && <LaneChips laneId={laneId} />}</span>
        <LaneStatus laneId={laneId} run={run} live={run !== undefined && isLive(run)} />
      </header>
      {ownPromptId !== undefined && <Asked promptId={ownPromptId} />}
      {turn && <Said turn={turn} run={run} />}
      {turn && run && (
        <>
          <EndingView
            turn={turn}
            run={run}
            isLast
            // The picker is in the lane's own tab.
            onPickModel={() => {
              flushSync(onShow);
              pickModel(letter);
            }}
          />
          {!namesHidden && (
            <>
              <TraceView turn={turn} run={run} letter={letter} number={number} />
              <MetricsView run={run} letter={letter} number={number} />
            </>
          )}
        </>
      )}
    </article>
  );
}

/** The first lines of the answer. */
function Said({ turn, run }: { turn: Turn; run: Run | undefined }) {
  const written = textOfContent(writtenOf(turn)?.content ?? '');
  const text = run ? textOf(candidateOf(run, turn.shownChoice)) : written;
  if (text === '') return null;
  return (
    <div className="pcl">
      <Markdown text={text} live={run !== undefined && isLive(run)} />
    </div>
  );
}
