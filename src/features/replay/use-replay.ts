import { useEffect, useMemo, useState } from 'react';

import { getRunId } from '../../conversation/session/turn-tree.ts';
import type { SessionData, TurnId } from '../../conversation/session/types.ts';
import { useLibraryServices, useRunServices, useAppServices } from '../../state/contexts.tsx';
import { createReplay, type Replay } from '../../state/runs/replay.ts';

/** Returns the replay of these answers, playing from the start; `undefined` while the tapes load. */
export function useReplay(
  data: SessionData,
  turnIds: readonly TurnId[],
): { replay: Replay | undefined; isMissing: boolean } {
  const { library } = useLibraryServices();
  const { recorder } = useRunServices();
  const { page } = useAppServices();
  const [replay, setReplay] = useState<Replay>();
  const [isMissing, setIsMissing] = useState(false);
  // The session as it was when the replay was requested.
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
    // Unreadable tapes cannot be replayed.
    loadReplay().catch(() => isUnmounted || setIsMissing(true));
    return () => {
      isUnmounted = true;
      createdReplay?.stop();
    };
  }, [initialData, runIds, library, recorder, page]);
  return { replay, isMissing };
}
