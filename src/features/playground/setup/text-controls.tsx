import { linesOf } from '../../../conversation/param-readers.ts';
import { JsonEditor } from '../../../ui/json-editor.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import type { RowControl } from './row-control.ts';
import { unsetWords } from './row-words.ts';

/** Several texts, one a line. */
export function LinesControl({ row, text, isSent, state, describedBy, onText, onUnset }: RowControl) {
  if (row.control.type !== 'lines') return null;
  const count = linesOf(text).length;
  return (
    <span className="vl lines">
      {isSent && (
        <span className="note">
          {count} of {row.control.most}
        </span>
      )}
      <TextArea
        className={isSent ? 'area' : 'area bare'}
        aria-label={row.name}
        aria-invalid={state.state === 'problem' || undefined}
        aria-describedby={describedBy}
        rows={1}
        placeholder={isSent ? '' : unsetWords(row)}
        spellCheck={false}
        value={text}
        onText={onText}
        onKeyDown={(event) => event.key === 'Backspace' && text === '' && onUnset()}
      />
    </span>
  );
}

/** A JSON object. One line of words at the right while it is not sent, the editor under the name while it is. */
export function JsonControl({ row, text, isSent, state, onText }: RowControl) {
  const isGroup = row.name === row.group;
  const example = isGroup ? 'Not sent. For example { "min_p": 0.05 }' : unsetWords(row);
  return (
    <div className={isGroup ? 'json wide' : 'json'}>
      <JsonEditor
        label={row.name}
        value={text}
        onChange={onText}
        plain={!isSent}
        placeholder={isSent ? '' : example}
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
