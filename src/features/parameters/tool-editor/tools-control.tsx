import { clsx } from 'clsx';

import { buttonVariants } from '../../../ui/controls/button.tsx';
import { Hint } from '../../../ui/controls/field.tsx';
import { lazyOverlay } from '../../../ui/hooks/lazy-component.tsx';
import { ChevronRight } from '../../../ui/late-icons.tsx';
import { useOpenPanel } from '../../workspace/use-open-panel.ts';
import { formatToolCount, describeUnset } from '../format-row.ts';
import type { RowControlProps } from '../row-control.ts';
import { RowValue } from '../row-value.tsx';
import { countFunctions, parseTools } from './tool-list.ts';
import { useToolsEdit } from './use-tools-edit.ts';

const ToolsDialog = lazyOverlay('The tools', async () => (await import('./tools-dialog.tsx')).ToolsDialog);

/** Number of tools and a button to edit them. */
export function ToolsControl(control: RowControlProps) {
  const { row, label, isBoxed, params, lastText, isSent, mixedText, describedBy, onText } = control;
  const [isOpen, setIsOpen] = useOpenPanel(`editor of ${label}`);
  const { choiceRemark, changeText } = useToolsEdit(params, onText);
  const tools = parseTools(lastText);
  const countText = tools ? formatToolCount(tools.length, countFunctions(tools)) : 'not valid JSON yet';
  const summary = mixedText ?? (isSent ? countText : describeUnset(row));

  return (
    <>
      <RowValue control={control}>
        <button
          type="button"
          className={
            isSent
              ? buttonVariants({ size: 'small' })
              : // Text without a box, aligned with the ends of values.
                clsx(
                  'inline-flex h-6 flex-none items-center gap-1 rounded-2 border border-transparent pl-2 text-[12px] font-450',
                  'whitespace-nowrap text-ink-3 transition-[background-color,border-color] duration-(--d-1) hover:bg-hover',
                  'max-phone:h-11 max-phone:pl-3.5 max-phone:text-[14px]',
                )
          }
          aria-label={`Edit ${label}, ${summary}`}
          aria-describedby={describedBy}
          onClick={() => setIsOpen(true)}
        >
          {mixedText === undefined && !isSent ? 'Edit' : summary}
          <ChevronRight className={clsx('-mr-0.5 icon-14', isSent && 'last:ml-0')} aria-hidden />
        </button>
        {isOpen && (
          <ToolsDialog
            {...control}
            onText={changeText}
            choiceRemark={choiceRemark}
            onClose={() => setIsOpen(false)}
          />
        )}
      </RowValue>
      {choiceRemark && !isOpen && (
        <Hint className={clsx(!isBoxed && 'col-start-2 -col-end-1 pb-1.5')}>{choiceRemark}</Hint>
      )}
    </>
  );
}
