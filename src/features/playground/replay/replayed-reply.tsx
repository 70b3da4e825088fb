import { useCallback, useRef } from 'react';
import { useStore } from 'zustand';

import { isLive } from '../../../conversation/run.ts';
import { rangeFor } from '../../../conversation/trace.ts';
import { laneLetter } from '../../../conversation/tree.ts';
import type { Run, TurnId } from '../../../conversation/types.ts';
import { useRun, useTurn, useView } from '../../../state/react.tsx';
import type { Replay } from '../../../state/replay.ts';
import { LaneTile } from '../../../ui/lane-tile.tsx';
import { EndingView } from '../lane/ending-view.tsx';
import { MetricsView } from '../lane/metrics-view.tsx';
import { NotesView } from '../lane/notes-view.tsx';
import type { TracePicture } from '../lane/paint-trace.ts';
import { ReplyView } from '../lane/reply-view.tsx';
import { useTraceCanvas } from '../lane/use-trace-canvas.ts';

interface ReplayedReplyProps {
  turnId: TurnId;
  replay: Replay;
  laneIds: readonly string[];
}

/** One answer of a recording, in the view that it streamed in. */
export function ReplayedReply({ turnId, replay, laneIds }: ReplayedReplyProps) {
  const turn = useTurn(turnId);
  const run = useRun(turn?.reply && 'runId' in turn.reply ? turn.reply.runId : undefined);
  const namesHidden = useView((view) => view.namesHidden);
  if (!turn || !run) return null;
  const letter = laneLetter(Math.max(0, laneIds.indexOf(turn.laneId)));
  return (
    <article
      className={`replayed one-lane lane-${letter.toLowerCase()}`}
      aria-label={`Recorded message, lane ${letter}${namesHidden ? '' : `, ${run.setup.model}`}`}
      data-status={run.phase.name}
    >
      <header>
        <LaneTile letter={letter} />
        <b>{namesHidden ? 'Name hidden' : run.setup.model}</b>
        <span className="grow" />
        <span className="st warn">Recorded</span>
      </header>
      <div className="reply">
        <ReplyView turn={turn} run={run} raw={false} />
        <NotesView turn={turn} run={run} isLast={false} />
        <EndingView turn={turn} run={run} isLast={false} />
      </div>
      <footer>
        <ReplayedTrace run={run} replay={replay} />
        <MetricsView run={run} letter={letter} number={1} compact />
      </footer>
    </article>
  );
}

function ReplayedTrace({ run, replay }: { run: Run; replay: Replay }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = replay.cursors.get(run.id);
  const playing = useStore(replay.state, (state) => state.playing);
  const atMs = useStore(replay.state, (state) => state.atMs);
  const stillMs = playing ? undefined : atMs;
  const pictureNow = useCallback((): TracePicture => {
    const { atMs: nowMs, endMs } = replay.state.getState();
    const now = stillMs ?? nowMs;
    const ticks = cursor?.ticks ?? [];
    const then = cursor?.runAt(now) ?? run;
    const failed = then.phase.name === 'failed' || then.phase.name === 'truncated';
    return {
      ticks,
      shown: ticks.findLastIndex((tick) => tick.atMs <= now) + 1,
      rangeMs: rangeFor(endMs),
      endMs: then.endedMs ?? now,
      end: isLive(then) ? undefined : failed ? 'failed' : 'whole',
      nowMs: isLive(then) ? now : undefined,
    };
  }, [replay, cursor, run, stillMs]);
  useTraceCanvas(canvas, pictureNow, { look: 'footer', alive: playing });
  return (
    <div className="trace still">
      <canvas ref={canvas} role="img" aria-label="Trace of the recording" />
    </div>
  );
}
