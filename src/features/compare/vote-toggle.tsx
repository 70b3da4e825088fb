import { use } from 'react';

import { getVoteOptionBlocker } from '../../conversation/comparison/turn-vote.ts';
import type { TurnId } from '../../conversation/session/types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { VoteRowContext, useTurnVote } from './use-turn-vote.ts';

/** Button in a reply's toolbar that votes for the reply, used if there is no space for a vote row. */
export function VoteToggle({ turnId }: { turnId: TurnId }) {
  const { turnVote, choose } = useTurnVote(use(VoteRowContext));
  const voteOption = turnVote?.options.find((option) => option.turnId === turnId);
  if (!turnVote || !voteOption) return null;
  const disabledReason = getVoteOptionBlocker(turnVote, voteOption);
  const isBetter = turnVote.vote?.winner === turnId;
  return (
    <Button
      size="small"
      aria-pressed={isBetter}
      disabled={disabledReason !== undefined}
      title={disabledReason}
      className={`mx-1 ${isBetter ? 'shadow-[inset_0_0_0_1.5px_var(--ink)]' : ''}`}
      onClick={() => choose(voteOption.laneId)}
    >
      Better
    </Button>
  );
}
