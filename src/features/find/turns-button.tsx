import { useState } from 'react';

import { formatTurnPosition } from '../../conversation/session/prompt-rows.ts';
import { useSession, useView } from '../../state/contexts.tsx';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { ChevronDown } from '../../ui/icons.tsx';
import { turnsButton } from '../workspace/playground-focus-targets.ts';

const TurnsDialog = lazyOverlay(
  'The list of turns',
  async () => (await import('./turns-dialog.tsx')).TurnsDialog,
);

/** Position of the turn in view, with a dialog that jumps to any turn. */
export function TurnsButton() {
  const promptInView = useView((view) => view.promptInView);
  const positionText = useSession((data) => formatTurnPosition(data, promptInView));
  const [isOpen, setIsOpen] = useState(false);
  if (positionText === undefined) {
    return (
      <span className="ml-1.5 text-12 whitespace-nowrap text-ink-3 max-phone:sr-only">No messages yet</span>
    );
  }
  return (
    <>
      <button
        type="button"
        className="ml-1.5 inline-flex h-7 flex-none items-center gap-1 rounded-2 px-2 text-12 whitespace-nowrap text-ink-2 hover:bg-hover hover:text-ink aria-expanded:bg-hover max-phone:ml-0 max-phone:h-11 max-phone:px-1"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...turnsButton.attributes}
        onClick={() => setIsOpen(true)}
      >
        {/* Phones show only the numbers, which leaves space for the title. */}
        <span>
          <span className="max-phone:sr-only">Turn </span>
          {positionText.replace(/^Turn /, '')}
        </span>
        <ChevronDown className="icon-14 max-phone:hidden" aria-hidden />
      </button>
      {isOpen && <TurnsDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
