import { useMemo } from 'react';
import { useStore } from 'zustand';

import {
  getPendingCalls,
  findPendingRows,
  type PendingResultsRow,
  type DraftToolResults,
} from '../../conversation/request/pending-tool-results.ts';
import { getRun } from '../../conversation/session/turn-tree.ts';
import type { PromptId, SessionData, Turn } from '../../conversation/session/types.ts';
import { useSession, useSessionShallow, useSessionServices } from '../../state/contexts.tsx';

const noResults: DraftToolResults = {};

/** Returns the lanes whose last answer has calls without results, grouped by prompt, and the results typed so far. */
export function usePendingRows(): {
  rows: PendingResultsRow[];
  getDraftResults: (promptId: PromptId) => DraftToolResults;
} {
  const { drafts } = useSessionServices();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const turns = useSessionShallow(listPendingTurns);
  const runs = useSessionShallow((data) => listPendingTurns(data).map((turn) => getRun(data, turn)));
  const draftResults = useStore(drafts.state, (state) => state[sessionId]?.results);
  const rows = useMemo(
    () => findPendingRows((turns ?? []).map((turn, index) => ({ turn, run: runs?.[index] }))),
    [turns, runs],
  );
  return { rows, getDraftResults: (promptId) => draftResults?.[promptId] ?? noResults };
}

function listPendingTurns(data: SessionData): Turn[] {
  return data.session.laneIds.flatMap((laneId) => {
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    return turn && getPendingCalls(turn, getRun(data, turn)).length > 0 ? [turn] : [];
  });
}
