import type { ReactNode } from 'react';

import {
  describeTurnVote,
  getVoteBlocker,
  type VoteChoice,
  type TurnVote,
} from '../../../conversation/comparison/turn-vote.ts';
import type { PromptRow } from '../../../conversation/session/prompt-rows.ts';
import { usePrefs, useView } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { itemAfterKey } from '../../../ui/hooks/next-item-index.ts';
import { useMedia } from '../../../ui/hooks/use-media-query.ts';
import { useContest } from './use-turn-vote.ts';

/** Below this the choice is beside each reply. */
const isLow = '(height < 800px)';

/** Whether there is room for the choice as a row under each turn. */
export function useBetterRows(): boolean {
  return !useMedia(isLow);
}

const rowLook = classes(
  '@container/better relative flex h-[37px] items-center gap-x-2 border-t border-line bg-bench px-4 text-12 text-ink-3 max-phone:h-[49px]',
);

/** Which answer of this turn is better. Its room is there from the start of the turn on. */
export function BetterRow({ row }: { row: PromptRow }) {
  const isRow = useBetterRows();
  const singleKeys = usePrefs((prefs) => prefs.singleKeys);
  const namesHidden = useView((view) => view.namesHidden);
  const { contest, choose } = useContest(row);
  if (!isRow || !contest) return null;
  return (
    <div className={classes(rowLook, contest.vote === undefined && 'print:hidden')}>
      <span aria-hidden className="w-16 flex-none max-phone:w-auto">
        Better
      </span>
      <BetterChoice contest={contest} choose={choose} />
      <span className="min-w-0 truncate pl-1.5 text-ink-2">{describeTurnVote(contest, namesHidden)}</span>
      {singleKeys && contest.vote === undefined && contest.disabledReason === undefined && (
        <span aria-hidden className="ml-auto flex flex-none items-center gap-1.5 @max-[760px]/better:hidden">
          {contest.options.map(({ letter }) => (
            <kbd key={letter}>{letter.charCodeAt(0) - 64}</kbd>
          ))}
          a lane <kbd className="ml-2">0</kbd> equal
        </span>
      )}
    </div>
  );
}

interface BetterChoiceProps {
  contest: TurnVote;
  choose: (choice: VoteChoice) => void;
}

const steps: Record<string, string> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' };

/** The lanes and "Equal" as one radio group. Arrows move, Space and Enter choose: a choice is a vote, not a setting. */
export function BetterChoice({ contest, choose }: BetterChoiceProps) {
  const { options, vote, number, disabledReason } = contest;
  const choices: {
    choice: VoteChoice;
    label: string;
    isChosen: boolean;
    why: string | undefined;
    shown: ReactNode;
  }[] = [
    ...options.map((rival) => ({
      choice: rival.laneId,
      label: `Lane ${rival.letter} is better`,
      isChosen: vote?.winner === rival.turnId,
      why: getVoteBlocker(contest, rival),
      shown: <LaneTile letter={rival.letter} />,
    })),
    {
      choice: 'equal',
      label: 'Equal',
      isChosen: vote?.winner === 'equal',
      why: disabledReason,
      shown: 'Equal',
    },
  ];
  const chosen = choices.findIndex(({ isChosen }) => isChosen);
  return (
    <div
      role="radiogroup"
      aria-label={`Better, turn ${number}`}
      tabIndex={-1}
      className="flex flex-none items-center gap-x-1.5"
      onKeyDown={(event) => {
        const buttons = [...event.currentTarget.querySelectorAll('button')];
        const at = buttons.findIndex((button) => button === event.target);
        const labels = choices.map(({ label }) => label);
        const next =
          event.key.length > 1 ? itemAfterKey(labels, at, steps[event.key] ?? event.key) : undefined;
        if (next === undefined) return;
        event.preventDefault();
        buttons[next]?.focus();
      }}
    >
      {choices.map(({ choice, label, isChosen, why, shown }, index) => (
        <button
          key={choice}
          type="button"
          role="radio"
          aria-checked={isChosen}
          aria-disabled={why !== undefined}
          aria-label={why === undefined ? label : `${label}. ${why}`}
          title={why}
          tabIndex={index === Math.max(0, chosen) ? 0 : -1}
          className={`inline-flex h-[25px] min-w-6 items-center gap-1.5 rounded-2 border bg-raised px-2 text-12 text-ink max-phone:h-11 max-phone:min-w-11 ${
            isChosen ? 'border-ink shadow-[inset_0_0_0_0.5px_var(--ink)]' : 'border-line-2 hover:border-edge'
          } aria-disabled:bg-transparent`}
          onClick={() => choose(choice)}
        >
          <span
            aria-hidden
            className={`size-2.5 flex-none rounded-[50%] border ${
              isChosen ? 'border-[3px] border-ink bg-paper' : 'border-edge'
            }`}
          />
          <span className={`inline-flex ${why === undefined ? '' : 'opacity-45'}`}>{shown}</span>
        </button>
      ))}
    </div>
  );
}
