import { useEffect, useState } from 'react';

import { createTapeCursor } from '../../../conversation/files/tape-cursor.ts';
import type { Run } from '../../../conversation/session/types.ts';
import type { CellReading } from '../../../state/trials/open-trial.ts';
import { usePlayground } from '../../../state/use-playground.tsx';
import { useTrialView } from '../use-trial.ts';

/** The run as it was at a moment of its recording, while that is played; undefined while it is not. */
export function useCellReplay(reading: CellReading | undefined): Run | undefined {
  const { page } = usePlayground();
  const replayRequests = useTrialView((view) => view.replayRequests);
  const [handledRequests, setHandledRequests] = useState(replayRequests);
  const [replayedRun, setReplayedRun] = useState<Run>();
  const shouldReplay = replayRequests !== handledRequests;
  useEffect(() => {
    if (!shouldReplay || !reading) return undefined;
    const { run, tape } = reading;
    const cursor = createTapeCursor(run);
    cursor.push(tape);
    const end = cursor.arrivalTimes.at(-1) ?? 0;
    const start = page.clock();
    let isUnmounted = false;
    const step = () => {
      if (isUnmounted) return;
      const ms = page.clock() - start;
      if (ms >= end) {
        setReplayedRun(undefined);
        setHandledRequests(replayRequests);
        return;
      }
      setReplayedRun(cursor.getRunAt(ms));
      page.nextFrame(step);
    };
    step();
    return () => {
      isUnmounted = true;
      setReplayedRun(undefined);
    };
  }, [shouldReplay, reading, page, replayRequests]);
  return shouldReplay ? replayedRun : undefined;
}
