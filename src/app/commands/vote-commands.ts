/** Keys for which answer is better: 1 to 6 a lane, 0 none, in the turn in view. */
import { listTurnVotes, getVoteBlocker, type VoteChoice } from '../../conversation/comparison/turn-vote.ts';
import { maxLanes } from '../../conversation/session/lanes.ts';
import { getRowInView, buildRows } from '../../conversation/session/prompt-rows.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { PromptId, SessionData } from '../../conversation/session/types.ts';
import { ofSession, type Command, type CommandContext } from './command.ts';

function contestInView(data: SessionData, { playground }: CommandContext) {
  const row = getRowInView(buildRows(data), playground.view.getState().promptInView);
  return listTurnVotes(data).find(({ promptId }) => promptId === row?.promptId);
}

function choose(
  promptId: PromptId | undefined,
  choice: VoteChoice | undefined,
  context: CommandContext,
): void {
  if (promptId === undefined || choice === undefined) return;
  context.say(context.playground.actions.setVote(promptId, choice));
}

const noContest = 'Only one lane answers this turn';

export const betterCommands: readonly Command[] = [
  ...Array.from({ length: maxLanes }, (_, index) => {
    const key = String(index + 1);
    return ofSession({
      id: `better-${key}`,
      words: `Lane ${getLaneLetter(index)} is better`,
      group: 'Answers',
      keys: [[key]],
      bindings: [key],
      isSingle: true,
      also: 'vote prefer winner',
      effect: () => 'in the turn in view',
      blockedBy: (data, context) => {
        const contest = contestInView(data, context);
        if (!contest) return noContest;
        const rival = contest.options.find(({ laneId }) => laneId === data.session.laneIds[index]);
        return rival ? getVoteBlocker(contest, rival) : `No answer of lane ${getLaneLetter(index)} here`;
      },
      run: (data, context) =>
        choose(contestInView(data, context)?.promptId, data.session.laneIds[index], context),
    });
  }),
  ofSession({
    id: 'better-equal',
    words: 'Equal: no lane is better',
    group: 'Answers',
    keys: [['0']],
    bindings: ['0'],
    isSingle: true,
    also: 'vote tie draw',
    effect: () => 'in the turn in view',
    blockedBy: (data, context) => {
      const contest = contestInView(data, context);
      return contest ? contest.disabledReason : noContest;
    },
    run: (data, context) => choose(contestInView(data, context)?.promptId, 'equal', context),
  }),
];
