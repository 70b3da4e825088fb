import { ChevronRight } from 'lucide-react';
import { useState } from 'react';

import { Button } from '../../../ui/button.tsx';
import type { RowControl } from './row-control.ts';
import { toolCountWords, unsetWords } from './row-words.ts';
import { toolCards } from './tool-list.ts';
import { ToolsDialog } from './tools-dialog.tsx';

/** How many tools there are, and the way to edit them. */
export function ToolsControl(control: RowControl) {
  const { row, lastText, isSent, describedBy } = control;
  const [open, setOpen] = useState(false);
  const cards = toolCards(lastText);
  const count = cards
    ? toolCountWords(cards.length, cards.filter((card) => card.isFunction).length)
    : 'not valid yet';
  const words = isSent ? count : unsetWords(row);
  return (
    <span className="vl">
      <Button
        size="small"
        look={isSent ? 'default' : 'quiet'}
        className={isSent ? '' : 'unset'}
        aria-label={`Edit tools, ${words}`}
        aria-describedby={describedBy}
        onClick={() => setOpen(true)}
      >
        {words}
        <ChevronRight className="i s" aria-hidden />
      </Button>
      {open && <ToolsDialog {...control} onClose={() => setOpen(false)} />}
    </span>
  );
}
