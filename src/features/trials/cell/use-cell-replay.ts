import { useEffect, useState } from 'react';

import { createTapeCursor } from '../../../conversation/files/tape-cursor.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import type { CellData } from '../../../state/trials/open-trial.ts';
import { useTrialView } from '../use-trial.ts';

/** Returns the run at the current position of its replay; `undefined` while there is no replay. */
export function useCellReplay(cellData: CellData | undefined): Run | undefined {
  const { page } = useAppServices();
  const replayRequests = useTrialView((view) => view.replayRequests);
  const [handledRequests, setHandledRequests] = useState(replayRequests);
  const [replayedRun, setReplayedRun] = useState<Run>();
  const shouldReplay = replayRequests !== handledRequests;
  useEffect(() => {
    if (!shouldReplay || !cellData) return undefined;
    const { run, tape } = cellData;
    const cursor = createTapeCursor(run);
    cursor.push(tape);
    const endMs = cursor.arrivalTimes.at(-1) ?? 0;
    const startMs = page.clock();
    let isUnmounted = false;
    const step = () => {
      if (isUnmounted) return;
      const elapsedMs = page.clock() - startMs;
      if (elapsedMs >= endMs) {
        setReplayedRun(undefined);
        setHandledRequests(replayRequests);
        return;
      }
      setReplayedRun(cursor.getRunAt(elapsedMs));
      page.runInNextFrame(step);
    };
    step();
    return () => {
      isUnmounted = true;
      setReplayedRun(undefined);
    };
  }, [shouldReplay, cellData, page, replayRequests]);
  return shouldReplay ? replayedRun : undefined;
}
