import { clsx } from 'clsx';

import { splitLines } from '../../conversation/setup/param-readers.ts';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx';
import { describeUnset } from './format-row.ts';
import type { RowControlProps } from './row-control.ts';
import { RowNote, RowValue } from './row-value.tsx';

/** Control for several texts, one per line. */
export function LinesControl(control: RowControlProps) {
  const { row, label, isBoxed, text, isSent, state, mixedText, describedBy, onText, onUnset } = control;
  if (row.control.type !== 'lines') return null;
  const count = splitLines(text).length;
  return (
    <RowValue control={control} className={isBoxed ? 'flex-1' : 'max-w-54'}>
      {isSent && mixedText === undefined && (
        <RowNote>
          {count} of {row.control.maxLines}
        </RowNote>
      )}
      <TextArea
        variant={isSent ? 'code' : 'bare'}
        className={clsx(
          'my-0.5',
          isBoxed ? 'flex-1' : 'max-w-40',
          isSent ? (isBoxed ? 'min-w-0' : 'min-w-21') : 'min-w-27.5',
        )}
        aria-label={label}
        aria-invalid={state.state === 'problem' || undefined}
        aria-describedby={describedBy}
        rows={1}
        placeholder={mixedText ?? (isSent ? '' : describeUnset(row))}
        spellCheck={false}
        value={text}
        onText={onText}
        onKeyDown={(event) => event.key === 'Backspace' && text === '' && onUnset()}
      />
    </RowValue>
  );
}

/** Control for a JSON object: a short text on the right while it is not sent, otherwise an editor below the name. */
export function JsonControl({
  row,
  label,
  isBoxed,
  text,
  isSent,
  state,
  mixedText,
  onText,
}: RowControlProps) {
  const isGroup = row.name === row.group;
  const example = isGroup ? 'Not sent. Example: { "min_p": 0.05 }' : describeUnset(row);
  return (
    <div
      className={clsx(
        isBoxed ? 'min-w-0 flex-1' : isGroup ? 'col-span-full pb-1.5' : 'col-start-2 -col-end-1 pb-2',
        // The control is beside the name until it is focused.
        !isBoxed &&
          !isGroup &&
          !isSent &&
          'not-focus-within:col-start-3 not-focus-within:pb-0 group-not-[:hover,:focus-within]/parameter:opacity-0',
      )}
      style={{ '--editor-max': isBoxed ? '122px' : '244px' }}
    >
      <JsonEditor
        label={label}
        value={text}
        onChange={onText}
        isPlain={!isSent || mixedText !== undefined}
        variant={isBoxed ? undefined : isGroup || isSent ? 'prose' : 'bare'}
        placeholder={mixedText ?? (isSent ? '' : example)}
        problem={toEditorProblem(state)}
      />
    </div>
  );
}

/** Converts a row's problem into the form that the editor expects. */
export function toEditorProblem(
  state: RowControlProps['state'],
): { message: string; offset?: number } | undefined {
  if (state.state !== 'problem') return undefined;
  return state.offset === undefined
    ? { message: state.problem }
    : { message: state.problem, offset: state.offset };
}
