import { useEffect, useMemo, useState } from 'react';

import { getRunId } from '../../../conversation/session/turn-tree.ts';
import type { SessionData, TurnId } from '../../../conversation/session/types.ts';
import { createReplay, type Replay } from '../../../state/runs/replay.ts';
import { usePlayground } from '../../../state/use-playground.tsx';

/** The recording of these answers, playing from its start; undefined while its tapes are being read. */
export function useReplay(
  data: SessionData,
  turnIds: readonly TurnId[],
): { replay: Replay | undefined; isMissing: boolean } {
  const { library, recorder, page } = usePlayground();
  const [replay, setReplay] = useState<Replay>();
  const [isMissing, setIsMissing] = useState(false);
  // What is replayed is the session as it was when it was asked for.
  const [initialData] = useState(data);
  const runIds = useMemo(
    () => turnIds.flatMap((turnId) => getRunId(initialData.turns[turnId]) ?? []),
    [initialData, turnIds],
  );

  useEffect(() => {
    let createdReplay: Replay | undefined;
    let isUnmounted = false;
    const loadReplay = async () => {
      await recorder.flush();
      const tapes = await Promise.all(
        runIds.map(async (runId) => ({ runId, entries: await library.readTape(runId) })),
      );
      if (isUnmounted) return;
      const recordedTapes = tapes.filter(({ entries }) => entries.length > 0);
      if (recordedTapes.length === 0) return setIsMissing(true);
      createdReplay = createReplay({
        data: initialData,
        tapes: recordedTapes,
        now: page.clock,
        runInNextFrame: page.runInNextFrame,
      });
      setReplay(createdReplay);
      createdReplay.play();
    };
    // What cannot be read cannot be played.
    loadReplay().catch(() => isUnmounted || setIsMissing(true));
    return () => {
      isUnmounted = true;
      createdReplay?.stop();
    };
  }, [initialData, runIds, library, recorder, page]);
  return { replay, isMissing };
}
