import { useCallback } from 'react';

import { describeTurnVote } from '../../../conversation/comparison/turn-vote.ts';
import type { PromptRow } from '../../../conversation/session/prompt-rows.ts';
import { useView } from '../../../state/contexts.tsx';
import { useTurnVote } from '../comparison/use-turn-vote.ts';
import { VoteRadioGroup } from '../comparison/vote-row.tsx';

/** Vote on the best answer of the scene, in place of the hints. */
export function StageVote({ row, onClose }: { row: PromptRow; onClose: () => void }) {
  const { turnVote, choose } = useTurnVote(row);
  const namesHidden = useView((view) => view.namesHidden);
  const focusSelected = useCallback((element: HTMLElement | null) => {
    element?.querySelector<HTMLElement>('[role=radio][tabindex="0"]')?.focus();
  }, []);
  if (!turnVote) return null;
  return (
    <footer
      ref={focusSelected}
      className="flex min-h-13 items-center gap-4 border-t border-line-2 pt-2 text-13 text-ink-2"
    >
      <span aria-hidden className="font-600 text-ink">
        Better
      </span>
      <VoteRadioGroup turnVote={turnVote} choose={choose} />
      <span className="min-w-0 flex-1 truncate">{describeTurnVote(turnVote, namesHidden)}</span>
      <button
        type="button"
        className="flex min-h-6 flex-none items-center gap-1.5 text-12 text-ink-3 hover:text-ink"
        onClick={onClose}
      >
        <kbd aria-hidden>V</kbd> close
      </button>
    </footer>
  );
}
