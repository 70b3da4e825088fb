import { splitLines } from '../../../conversation/setup/param-readers.ts';
import { classes } from '../../../ui/cn.ts';
import { areaLooks } from '../../../ui/controls/field.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { unsetWords } from './format-row.ts';
import type { RowControl } from './row-control.ts';
import { RowNote, RowValue } from './row-value.tsx';

/** Several texts, one per line. */
export function LinesControl(control: RowControl) {
  const { row, label, isBoxed, text, isSent, state, mixed, describedBy, onText, onUnset } = control;
  if (row.control.type !== 'lines') return null;
  const count = splitLines(text).length;
  return (
    <RowValue control={control} className={isBoxed ? 'flex-1' : 'max-w-54'}>
      {isSent && mixed === undefined && (
        <RowNote>
          {count} of {row.control.maxLines}
        </RowNote>
      )}
      <TextArea
        className={classes(
          isSent ? areaLooks.area : areaLooks.bare,
          'my-0.5',
          isBoxed ? 'flex-1' : 'max-w-40',
          isSent ? (isBoxed ? 'min-w-0' : 'min-w-21') : 'min-w-27.5',
        )}
        aria-label={label}
        aria-invalid={state.state === 'problem' || undefined}
        aria-describedby={describedBy}
        rows={1}
        placeholder={mixed ?? (isSent ? '' : unsetWords(row))}
        spellCheck={false}
        value={text}
        onText={onText}
        onKeyDown={(event) => event.key === 'Backspace' && text === '' && onUnset()}
      />
    </RowValue>
  );
}

/** Beside the name until it is used. */
const atRight = classes('not-focus-within:col-start-3 not-focus-within:pb-0');

/** A JSON object. One line of words at the right while it is not sent, the editor under the name while it is. */
export function JsonControl({ row, label, isBoxed, text, isSent, state, mixed, onText }: RowControl) {
  const isGroup = row.name === row.group;
  const example = isGroup ? 'Not sent. For example { "min_p": 0.05 }' : unsetWords(row);
  const place = isGroup ? 'col-span-full pb-1.5' : classes('col-start-2 -col-end-1 pb-2', !isSent && atRight);
  return (
    <div
      className={isBoxed ? 'min-w-0 flex-1' : place}
      style={{ '--editor-max': isBoxed ? '122px' : '244px' }}
    >
      <JsonEditor
        label={label}
        value={text}
        onChange={onText}
        plain={!isSent || mixed !== undefined}
        look={isBoxed ? undefined : isGroup || isSent ? 'words' : 'bare'}
        placeholder={mixed ?? (isSent ? '' : example)}
        problem={problemOf(state)}
      />
    </div>
  );
}

/** The problem of a row as the editor marks it. */
export function problemOf(state: RowControl['state']): { message: string; at?: number } | undefined {
  if (state.state !== 'problem') return undefined;
  return state.offset === undefined
    ? { message: state.problem }
    : { message: state.problem, at: state.offset };
}
