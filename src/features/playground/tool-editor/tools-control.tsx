import { useState } from 'react';

import { withText } from '../../../conversation/setup/params.ts';
import { findLostToolChoice } from '../../../conversation/setup/tool-choice.ts';
import { classes } from '../../../ui/cn.ts';
import { buttonLook } from '../../../ui/controls/button.tsx';
import { Hint } from '../../../ui/controls/field.tsx';
import { lazyOverlay } from '../../../ui/hooks/lazy-component.tsx';
import { ChevronRight } from '../../../ui/icons.tsx';
import { toolCountWords, unsetWords } from '../setup/format-row.ts';
import type { RowControl } from '../setup/row-control.ts';
import { RowValue } from '../setup/row-value.tsx';
import { useOpened } from '../use-open-panel.ts';
import { functionCount, toolsIn } from './tool-list.ts';

const ToolsDialog = lazyOverlay('The tools', async () => (await import('./tools-dialog.tsx')).ToolsDialog);

/** Words without a box, which end where values do. */
const unsetLook = classes(
  'inline-flex h-6 flex-none items-center gap-1 rounded-2 border border-transparent pl-2 text-[12px] font-450',
  'whitespace-nowrap text-ink-3 transition-[background-color,border-color] duration-(--d-1) hover:bg-hover',
  'max-phone:h-11 max-phone:pl-3.5 max-phone:text-[14px]',
);

/** How many tools there are, and the way to edit them. */
export function ToolsControl(control: RowControl) {
  const { row, label, isBoxed, params, lastText, isSent, mixed, describedBy, onText } = control;
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
    const name = findLostToolChoice(params, withText(params, 'tools', text));
    if (name !== undefined) setLost(name);
    onText(text);
  };

  return (
    <>
      <RowValue control={control}>
        <button
          type="button"
          className={isSent ? buttonLook({ size: 'small' }) : unsetLook}
          aria-label={`Edit ${label}, ${words}`}
          aria-describedby={describedBy}
          onClick={() => setOpen(true)}
        >
          {words}
          <ChevronRight className={classes('-mr-0.5 icon-14', isSent && 'last:ml-0')} aria-hidden />
        </button>
        {open && (
          <ToolsDialog
            {...control}
            onText={change}
            choiceRemark={choiceRemark}
            onClose={() => setOpen(false)}
          />
        )}
      </RowValue>
      {choiceRemark && !open && (
        <Hint className={classes(!isBoxed && 'col-start-2 -col-end-1 pb-1.5')}>{choiceRemark}</Hint>
      )}
    </>
  );
}
