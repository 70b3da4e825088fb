import { useMemo } from 'react';
import { useStore } from 'zustand';

import {
  answerableCalls,
  waitingRows,
  type WaitingRow,
  type WrittenResults,
} from '../../../conversation/request/pending-tool-results.ts';
import { runOf } from '../../../conversation/session/turn-tree.ts';
import type { PromptId, SessionData, Turn } from '../../../conversation/session/types.ts';
import { usePlayground, useSession, useSessionParts } from '../../../state/use-playground.tsx';

const nothing: WrittenResults = {};

/** The lanes whose last answer made calls that wait for results, by the prompt they answered, and what is typed so far. */
export function useWaitingRows(): { rows: WaitingRow[]; writtenFor: (promptId: PromptId) => WrittenResults } {
  const { drafts } = usePlayground();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const turns = useSessionParts(waitingTurns);
  const runs = useSessionParts((data) => waitingTurns(data).map((turn) => runOf(data, turn)));
  const written = useStore(drafts.state, (state) => state[sessionId]?.results);
  const rows = useMemo(
    () => waitingRows((turns ?? []).map((turn, index) => ({ turn, run: runs?.[index] }))),
    [turns, runs],
  );
  return { rows, writtenFor: (promptId) => written?.[promptId] ?? nothing };
}

function waitingTurns(data: SessionData): Turn[] {
  return data.session.laneIds.flatMap((laneId) => {
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    return turn && answerableCalls(turn, runOf(data, turn)).length > 0 ? [turn] : [];
  });
}
