import { createContext, useMemo } from 'react';

import {
  getTurnVote,
  getVoteOptionState,
  type VoteChoice,
  type TurnVote,
} from '../../conversation/comparison/turn-vote.ts';
import type { PromptRow } from '../../conversation/session/prompt-rows.ts';
import { useSession, useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';

/** Row that contains a reply. */
export const VoteRowContext = createContext<PromptRow | undefined>(undefined);

const emptyRow: PromptRow = { promptId: '', cells: [], number: 0 };

/**
 * Returns the answers in one row that can be voted on, and a function that votes; `turnVote` is undefined with only one
 * lane.
 */
export function useTurnVote(row: PromptRow = emptyRow): {
  turnVote: TurnVote | undefined;
  choose: (choice: VoteChoice) => void;
} {
  const { actions } = useSessionServices();
  const announce = useAnnounce();
  const states = useSessionShallow((data) => row.cells.map(({ turnId }) => getVoteOptionState(data, turnId)));
  const laneIds = useSession((data) => data.session.laneIds);
  const votes = useSession((data) => data.prompts[row.promptId]?.better);
  const turnVote = useMemo(
    () => getTurnVote(row, laneIds ?? [], states ?? [], votes),
    [row, laneIds, states, votes],
  );
  return { turnVote, choose: (choice) => announce(actions.setVote(row.promptId, choice)) };
}
