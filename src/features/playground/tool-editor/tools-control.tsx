import { ChevronRight } from 'lucide-react';
import { useState } from 'react';

import { withText } from '../../../conversation/setup/params.ts';
import { lostToolChoice } from '../../../conversation/setup/tool-choice.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { lazyOverlay } from '../../../ui/hooks/lazy-view.tsx';
import type { RowControl } from '../setup/row-control.ts';
import { toolCountWords, unsetWords } from '../setup/row-words.ts';
import { useOpened } from '../use-opened.ts';
import { functionCount, toolsIn } from './tool-list.ts';

const ToolsDialog = lazyOverlay('The tools', async () => (await import('./tools-dialog.tsx')).ToolsDialog);

/** How many tools there are, and the way to edit them. */
export function ToolsControl(control: RowControl) {
  const { row, label, params, lastText, isSent, mixed, describedBy, onText } = control;
  const [open, setOpen] = useOpened(`editor of ${label}`);
  const [lost, setLost] = useState<string>();
  const tools = toolsIn(lastText);
  const count = tools ? toolCountWords(tools.length, functionCount(tools)) : 'not valid yet';
  const words = mixed ?? (isSent ? count : unsetWords(row));
  // Said only while it is still so.
  const isAuto = params.tool_choice?.text === 'auto';
  const choiceRemark =
    lost !== undefined && isAuto ? `tool_choice is auto again because ${lost} was removed.` : undefined;

  const change = (text: string) => {
    const name = lostToolChoice(params, withText(params, 'tools', text));
    if (name !== undefined) setLost(name);
    onText(text);
  };

  return (
    <>
      <span className="vl">
        <Button
          size="small"
          look={isSent ? 'default' : 'quiet'}
          className={isSent ? '' : 'unset'}
          aria-label={`Edit ${label}, ${words}`}
          aria-describedby={describedBy}
          onClick={() => setOpen(true)}
        >
          {words}
          <ChevronRight className="i s" aria-hidden />
        </Button>
        {open && (
          <ToolsDialog
            {...control}
            onText={change}
            choiceRemark={choiceRemark}
            onClose={() => setOpen(false)}
          />
        )}
      </span>
      {choiceRemark && !open && <p className="hint">{choiceRemark}</p>}
    </>
  );
}
