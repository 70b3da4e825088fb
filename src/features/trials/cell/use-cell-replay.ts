import { useEffect, useState } from 'react';

import { createTapeCursor } from '../../../conversation/files/tape-cursor.ts';
import type { Run } from '../../../conversation/session/types.ts';
import type { CellReading } from '../../../state/trials/open-trial.ts';
import { usePlayground } from '../../../state/use-playground.tsx';
import { useTrialView } from '../use-trial.ts';

/** The run as it was at a moment of its recording, while that is played; undefined while it is not. */
export function usePlaying(reading: CellReading | undefined): Run | undefined {
  const { page } = usePlayground();
  const plays = useTrialView((view) => view.plays);
  const [seen, setSeen] = useState(plays);
  const [shown, setShown] = useState<Run>();
  const isWanted = plays !== seen;
  useEffect(() => {
    if (!isWanted || !reading) return undefined;
    const { run, tape } = reading;
    const cursor = createTapeCursor(run);
    cursor.push(tape);
    const end = cursor.arrivalTimes.at(-1) ?? 0;
    const start = page.clock();
    let isGone = false;
    const step = () => {
      if (isGone) return;
      const ms = page.clock() - start;
      if (ms >= end) {
        setShown(undefined);
        setSeen(plays);
        return;
      }
      setShown(cursor.getRunAt(ms));
      page.nextFrame(step);
    };
    step();
    return () => {
      isGone = true;
      setShown(undefined);
    };
  }, [isWanted, reading, page, plays]);
  return isWanted ? shown : undefined;
}
