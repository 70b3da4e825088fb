/** Keys that vote in the visible turn: 1 to 6 for a lane, 0 for equal. */
import {
  listTurnVotes,
  getVoteOptionBlocker,
  type VoteChoice,
} from '../../conversation/comparison/turn-vote.ts';
import { maxLanes } from '../../conversation/session/lanes.ts';
import { getRowInView, buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { PromptId, SessionData } from '../../conversation/session/types.ts';
import { createSessionCommand, type Command, type CommandContext } from './command.ts';

function getVoteInView(data: SessionData, context: CommandContext) {
  const row = getRowInView(buildPromptRows(data), context.view.getState().promptInView);
  return listTurnVotes(data).find(({ promptId }) => promptId === row?.promptId);
}

function castVote(
  promptId: PromptId | undefined,
  choice: VoteChoice | undefined,
  context: CommandContext,
): void {
  if (promptId === undefined || choice === undefined) return;
  context.announce(context.actions.setVote(promptId, choice));
}

const noVoteReason = 'This turn has answers in one lane only';

export const voteCommands: readonly Command[] = [
  ...Array.from({ length: maxLanes }, (_, index) => {
    const key = String(index + 1);
    return createSessionCommand({
      id: `better-${key}`,
      label: `Lane ${getLaneLetter(index)} is better`,
      group: 'Answers',
      keys: [[key]],
      sharedShortcut: { label: 'Lane A to F is better', keys: [[`1 to ${maxLanes}`]] },
      bindings: [key],
      isSingleKey: true,
      keywords: 'vote prefer winner',
      getDescription: () => 'in the visible turn',
      getBlocker: (data, context) => {
        const vote = getVoteInView(data, context);
        if (!vote) return noVoteReason;
        const option = vote.options.find(({ laneId }) => laneId === data.session.laneIds[index]);
        return option
          ? getVoteOptionBlocker(vote, option)
          : `Lane ${getLaneLetter(index)} has no answer here`;
      },
      run: (data, context) =>
        castVote(getVoteInView(data, context)?.promptId, data.session.laneIds[index], context),
    });
  }),
  createSessionCommand({
    id: 'better-equal',
    label: 'Equal: no lane is better',
    group: 'Answers',
    keys: [['0']],
    bindings: ['0'],
    isSingleKey: true,
    keywords: 'vote tie draw',
    getDescription: () => 'in the visible turn',
    getBlocker: (data, context) => {
      const vote = getVoteInView(data, context);
      return vote ? vote.disabledReason : noVoteReason;
    },
    run: (data, context) => castVote(getVoteInView(data, context)?.promptId, 'equal', context),
  }),
];
