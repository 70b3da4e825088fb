import { linesOf } from '../../../conversation/setup/param-readers.ts';
import { areaLooks } from '../../../ui/controls/field.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import type { RowControl } from './row-control.ts';
import { unsetWords } from './row-words.ts';

/** Several texts, one per line. */
export function LinesControl(control: RowControl) {
  const { row, label, text, isSent, state, mixed, describedBy, onText, onUnset } = control;
  if (row.control.type !== 'lines') return null;
  const count = linesOf(text).length;
  return (
    <span className="vl lines">
      {isSent && mixed === undefined && (
        <span className="note">
          {count} of {row.control.most}
        </span>
      )}
      <TextArea
        className={isSent ? areaLooks.area : areaLooks.bare}
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
    </span>
  );
}

/** A JSON object. One line of words at the right while it is not sent, the editor under the name while it is. */
export function JsonControl({ row, label, text, isSent, state, mixed, onText }: RowControl) {
  const isGroup = row.name === row.group;
  const example = isGroup ? 'Not sent. For example { "min_p": 0.05 }' : unsetWords(row);
  return (
    <div className={isGroup ? 'json wide' : 'json'}>
      <JsonEditor
        label={label}
        value={text}
        onChange={onText}
        plain={!isSent || mixed !== undefined}
        placeholder={mixed ?? (isSent ? '' : example)}
        problem={problemOf(state)}
      />
    </div>
  );
}

/** The problem of a row as the editor marks it. */
export function problemOf(state: RowControl['state']): { message: string; at?: number } | undefined {
  if (state.state !== 'problem') return undefined;
  return state.at === undefined ? { message: state.problem } : { message: state.problem, at: state.at };
}
