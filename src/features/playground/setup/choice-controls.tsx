import { toolNamesOf } from '../../../conversation/param-readers.ts';
import { JsonEditor } from '../../../ui/json-editor.tsx';
import { Select, type SelectOption } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { formatChoice, textOfChoice, type FormatChoice } from './response-format.ts';
import type { RowControl } from './row-control.ts';
import { unsetWords } from './row-words.ts';
import { problemOf } from './text-controls.tsx';

export function SwitchControl({ row, text, isSent, describedBy, onText }: RowControl) {
  return (
    <span className="vl">
      {!isSent && unsetWords(row)}
      <Switch
        label={row.name}
        checked={isSent && text === 'true'}
        unset={!isSent}
        onChange={(checked) => onText(String(checked))}
        describedBy={describedBy}
      />
    </span>
  );
}

/** A value that is sent as it is, or not. */
export function ConstantControl({ row, isSent }: RowControl) {
  if (row.control.type !== 'constant') return null;
  return (
    <span className="vl">{isSent ? <code className="mono">{row.control.shown}</code> : unsetWords(row)}</span>
  );
}

const formats: readonly SelectOption<FormatChoice>[] = [
  { value: 'text', label: 'text' },
  { value: 'json_object', label: 'json_object' },
  { value: 'json_schema', label: 'json_schema', note: 'passed through' },
];

export function ResponseFormatControl({
  row,
  text,
  lastText,
  isSent,
  state,
  describedBy,
  onText,
}: RowControl) {
  const choice = isSent ? formatChoice(text) : undefined;
  return (
    <>
      <span className="vl">
        <Select
          label={row.name}
          value={choice}
          options={formats}
          onChange={(chosen) => onText(textOfChoice(chosen, lastText))}
          placeholder={unsetWords(row)}
          describedBy={describedBy}
        />
      </span>
      {choice === 'json_schema' && (
        <div className="sub">
          <JsonEditor
            label={`${row.name} JSON`}
            value={text}
            onChange={onText}
            problem={problemOf(state)}
            minLines={3}
          />
        </div>
      )}
    </>
  );
}

const words: readonly SelectOption[] = [
  { value: 'auto', label: 'auto', note: 'may call' },
  { value: 'none', label: 'none', note: 'must not call' },
  { value: 'required', label: 'required', note: 'must call' },
];

export function ToolChoiceControl({ row, params, text, isSent, state, describedBy, onText }: RowControl) {
  const names = toolNamesOf(params.tools?.text ?? '');
  const functions = names.map((name) => ({ value: `function:${name}`, label: name, note: 'this one' }));
  const known = [...words, ...functions];
  const isLost = isSent && text !== '' && !known.some((option) => option.value === text);
  const lost = { value: text, label: text.replace(/^function:/, ''), note: 'no such tool' };
  return (
    <span className="vl">
      <Select
        label={row.name}
        value={isSent ? text : undefined}
        options={isLost ? [...known, lost] : known}
        onChange={onText}
        placeholder={unsetWords(row)}
        invalid={state.state === 'problem'}
        describedBy={describedBy}
      />
    </span>
  );
}
