import { useEffect, useMemo, useState } from 'react';

import { getRunId } from '../../../conversation/session/turn-tree.ts';
import type { SessionData, TurnId } from '../../../conversation/session/types.ts';
import { createReplay, type Replay } from '../../../state/runs/replay.ts';
import { usePlayground } from '../../../state/use-playground.tsx';

/** The recording of these answers, playing from its start; undefined while its tapes are being read. */
export function useReplay(
  data: SessionData,
  turnIds: readonly TurnId[],
): { replay: Replay | undefined; missing: boolean } {
  const { library, recorder, page } = usePlayground();
  const [replay, setReplay] = useState<Replay>();
  const [missing, setMissing] = useState(false);
  // What is replayed is the session as it was when it was asked for.
  const [first] = useState(data);
  const runIds = useMemo(
    () => turnIds.flatMap((turnId) => getRunId(first.turns[turnId]) ?? []),
    [first, turnIds],
  );

  useEffect(() => {
    let made: Replay | undefined;
    let isGone = false;
    const open = async () => {
      await recorder.flush();
      const tapes = await Promise.all(
        runIds.map(async (runId) => ({ runId, entries: await library.readTape(runId) })),
      );
      if (isGone) return;
      const recorded = tapes.filter(({ entries }) => entries.length > 0);
      if (recorded.length === 0) return setMissing(true);
      made = createReplay({
        data: first,
        tapes: recorded,
        now: page.clock,
        nextFrame: page.nextFrame,
      });
      setReplay(made);
      made.play();
    };
    // What cannot be read cannot be played.
    open().catch(() => isGone || setMissing(true));
    return () => {
      isGone = true;
      made?.stop();
    };
  }, [first, runIds, library, recorder, page]);
  return { replay, missing };
}
