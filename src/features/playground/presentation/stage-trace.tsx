import { useCallback, useRef } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { traceWords } from '../../../conversation/trace/trace-words.ts';
import { elapsedMsOf, latestRunsOf, recordedMsOf, sharedRangeMs } from '../../../conversation/trace/trace.ts';
import { usePlayground, useSession } from '../../../state/react.tsx';
import { currentSession } from '../../../state/sessions/session-store.ts';
import type { TracePicture } from '../lane/paint-trace.ts';
import { useTraceCanvas } from '../lane/use-trace-canvas.ts';
import { useTicks } from '../trace/use-ticks.ts';

/** The trace of an answer, large, on a clock that the lanes of the latest turn share. */
export function StageTrace({ run }: { run: Run }) {
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
