import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import {
  describeTurnVote,
  getVoteOptionBlocker,
  type VoteChoice,
  type TurnVote,
} from '../../conversation/comparison/turn-vote.ts';
import type { PromptRow } from '../../conversation/session/prompt-rows.ts';
import { usePrefs, useView } from '../../state/contexts.tsx';
import { RadioChoice, RadioGroup } from '../../ui/controls/radio-group.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { useTurnVote } from './use-turn-vote.ts';

/** Media query for short windows, in which each reply has its own voting button. */
const lowWindowQuery = '(height < 800px)';

/** Returns true if the window is tall enough for a vote row under each turn. */
export function useHasVoteRows(): boolean {
  return !useMediaQuery(lowWindowQuery);
}

/**
 * Vote on the better answer of a turn. Its space is reserved from the start of the turn. Key hints are shown only while
 * the keys work: in the turn in view, and without the focus in a text field.
 */
export function VoteRow({ row, isLast }: { row: PromptRow; isLast: boolean }) {
  const hasVoteRows = useHasVoteRows();
  const singleKeys = usePrefs((prefs) => prefs.singleKeys);
  const namesHidden = useView((view) => view.namesHidden);
  const isInView = useView(({ promptInView }) =>
    promptInView === undefined ? isLast : promptInView === row.promptId,
  );
  const { turnVote, choose } = useTurnVote(row);
  if (!hasVoteRows || !turnVote) return null;
  return (
    <div
      className={clsx(
        '@container/better relative flex h-[37px] items-center gap-x-2 border-t border-line bg-bench px-4 text-12 text-ink-3 max-phone:h-[49px]',
        turnVote.vote === undefined && 'print:hidden',
      )}
    >
      <span aria-hidden className="w-16 flex-none max-phone:w-auto">
        Better
      </span>
      <VoteRadioGroup turnVote={turnVote} choose={choose} />
      <span className="min-w-0 truncate pl-1.5 text-ink-2">{describeTurnVote(turnVote, namesHidden)}</span>
      {singleKeys && isInView && turnVote.vote === undefined && turnVote.disabledReason === undefined && (
        <span
          aria-hidden
          className={clsx(
            'ml-auto flex flex-none items-center gap-1.5 @max-[760px]/better:hidden',
            'in-[:root:has(:is(textarea,select,input:not([type=checkbox],[type=radio],[type=range],[type=button])):focus)]:invisible',
          )}
        >
          {turnVote.options.map(({ letter }) => (
            <kbd key={letter}>{letter.charCodeAt(0) - 64}</kbd>
          ))}
          lane <kbd className="ml-2">0</kbd> equal
        </span>
      )}
    </div>
  );
}

interface VoteRadioGroupProps {
  turnVote: TurnVote;
  choose: (choice: VoteChoice) => void;
}

/**
 * Lanes and "Equal" as a radio group. Arrow keys only move the focus; Space and Enter choose, because a choice is a
 * vote and not a setting. Choosing the same again takes the vote back.
 */
export function VoteRadioGroup({ turnVote, choose }: VoteRadioGroupProps) {
  const { options, vote, number, disabledReason } = turnVote;
  const choices: {
    choice: VoteChoice;
    label: string;
    isChosen: boolean;
    disabledReason: string | undefined;
    content: ReactNode;
  }[] = [
    ...options.map((voteOption) => ({
      choice: voteOption.laneId,
      label: `Lane ${voteOption.letter} is better`,
      isChosen: vote?.winner === voteOption.turnId,
      disabledReason: getVoteOptionBlocker(turnVote, voteOption),
      content: <LaneTile letter={voteOption.letter} />,
    })),
    { choice: 'equal', label: 'Equal', isChosen: vote?.winner === 'equal', disabledReason, content: 'Equal' },
  ];
  return (
    <RadioGroup
      label={`Better, turn ${number}`}
      value={choices.find(({ isChosen }) => isChosen)?.choice ?? null}
      className="flex flex-none items-center gap-x-1.5"
    >
      {choices.map(({ choice, label, isChosen, disabledReason: reason, content }) => (
        <RadioChoice
          key={choice}
          value={choice}
          disabledReason={reason}
          aria-label={reason === undefined ? label : `${label}. ${reason}`}
          className={clsx(
            'inline-flex h-[25px] min-w-6 items-center gap-1.5 rounded-2 border bg-raised px-2 text-12 text-ink aria-disabled:bg-transparent max-phone:h-11 max-phone:min-w-11',
            isChosen ? 'border-ink shadow-[inset_0_0_0_0.5px_var(--ink)]' : 'border-line-2 hover:border-edge',
          )}
          onClick={() => choose(choice)}
        >
          <span
            aria-hidden
            className={`size-2.5 flex-none rounded-[50%] border ${
              isChosen ? 'border-[3px] border-ink bg-paper' : 'border-edge'
            }`}
          />
          <span className={`inline-flex ${reason === undefined ? '' : 'opacity-45'}`}>{content}</span>
        </RadioChoice>
      ))}
    </RadioGroup>
  );
}
