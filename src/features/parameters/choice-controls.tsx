import { clsx } from 'clsx';

import {
  defaultSchemaFormat,
  parseSchemaFormat,
  describeSchema,
  stringifySchemaFormat,
} from '../../conversation/setup/json-schema-format.ts';
import { getToolNames } from '../../conversation/setup/param-readers.ts';
import { useSession, useView } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Select, type SelectOption } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx';
import { Pencil } from '../../ui/late-icons.tsx';
import { useOpenPanel } from '../workspace/use-open-panel.ts';
import { describeUnset } from './format-row.ts';
import type { RowControlProps } from './row-control.ts';
import { RowNote, RowValue } from './row-value.tsx';
import { toEditorProblem } from './text-controls.tsx';

const SchemaDialog = lazyOverlay(
  'The schema',
  async () => (await import('./schema-dialog.tsx')).SchemaDialog,
);

export function SwitchControl(control: RowControlProps) {
  const { label, text, isSent, mixedText, describedBy, onText } = control;
  return (
    <RowValue control={control}>
      {mixedText && <RowNote>{mixedText}</RowNote>}
      <Switch
        label={label}
        checked={isSent && text === 'true'}
        isUnset={!isSent || mixedText !== undefined}
        onChange={(checked) => onText(String(checked))}
        describedBy={describedBy}
      />
    </RowValue>
  );
}

/** Switch that sends a constant value or omits the field. */
export function ConstantControl(control: RowControlProps) {
  const { row, isSent, mixedText } = control;
  if (row.control.type !== 'constant') return null;
  return (
    <RowValue control={control}>
      {mixedText ? (
        <RowNote>{mixedText}</RowNote>
      ) : isSent ? (
        <code className="font-mono text-mono-12">{row.control.label}</code>
      ) : (
        describeUnset(row)
      )}
    </RowValue>
  );
}

/** Switch for a constant in the small box of a lane. */
export function LaneConstant({ row, label, isSent, describedBy, onText, onUnset }: RowControlProps) {
  return (
    <Switch
      label={label}
      checked={isSent}
      onChange={(checked) => (checked ? onText(row.initialText) : onUnset())}
      describedBy={describedBy}
    />
  );
}

const formats: readonly SelectOption<FormatChoice>[] = [
  { value: 'text', label: 'text' },
  { value: 'json_object', label: 'json_object' },
  { value: 'json_schema', label: 'json_schema', note: 'with a schema' },
];

export function ResponseFormatControl(control: RowControlProps) {
  const { row, label, isBoxed, text, lastText, isSent, state, mixedText, describedBy, onText } = control;
  const choice = isSent && mixedText === undefined ? getFormatChoice(text) : undefined;
  // Text that cannot be parsed stays editable as text.
  const schema = choice === 'json_schema' ? parseSchemaFormat(text) : undefined;
  const [isOpen, setIsOpen] = useOpenPanel(`editor of ${label}`);
  const scope = useView((view) => view.scope);
  const laneCount = useSession((data) => (scope === undefined ? data.session.laneIds.length : 1)) ?? 1;
  return (
    <>
      <RowValue control={control}>
        <Select
          label={label}
          value={choice}
          options={formats}
          onChange={(nextChoice) => onText(toFormatText(nextChoice, lastText))}
          placeholder={mixedText ?? describeUnset(row)}
          describedBy={describedBy}
        />
      </RowValue>
      {/* It is below the name of the row, or below the choice in a lane's box. */}
      {choice === 'json_schema' &&
        (schema ? (
          <div className="col-start-2 -col-end-1 flex min-w-0 shrink-0 grow basis-full flex-wrap items-center gap-2 rounded-2 border border-edge bg-raised px-2.5 py-2">
            <div className="min-w-0 flex-1">
              <b className="block font-mono text-mono-12 font-[600] wrap-anywhere text-ink">{schema.name}</b>
              <span className="text-12 text-ink-3">{describeSchema(schema)}</span>
            </div>
            <Button size="small" onClick={() => setIsOpen(true)}>
              <Pencil className="icon-14" aria-hidden />
              Edit schema
            </Button>
          </div>
        ) : (
          <div
            className={clsx(
              'col-start-2 -col-end-1 min-w-0 shrink-0 grow basis-full',
              !isBoxed && 'pt-1 pb-1.75',
            )}
            style={{ '--editor-max': isBoxed ? '122px' : '244px' }}
          >
            <JsonEditor
              label={`${label} JSON`}
              value={text}
              onChange={onText}
              problem={toEditorProblem(state)}
              minLines={3}
            />
          </div>
        ))}
      {isOpen && schema && (
        <SchemaDialog format={schema} laneCount={laneCount} onUse={onText} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

const fixedChoices: readonly SelectOption[] = [
  { value: 'auto', label: 'auto', note: 'may call' },
  { value: 'none', label: 'none', note: 'must not call' },
  { value: 'required', label: 'required', note: 'must call' },
];

export function ToolChoiceControl(control: RowControlProps) {
  const { row, label, params, text, isSent, state, mixedText, describedBy, onText } = control;
  const names = getToolNames(params.tools?.text ?? '');
  const functionChoices = names.map((name) => ({
    value: `function:${name}`,
    label: name,
    note: 'this tool',
  }));
  const choices = [...fixedChoices, ...functionChoices];
  const isToolMissing = isSent && text !== '' && !choices.some((option) => option.value === text);
  const missingChoice = { value: text, label: text.replace(/^function:/, ''), note: 'not in tools' };
  return (
    <RowValue control={control}>
      <Select
        label={label}
        value={isSent && mixedText === undefined ? text : undefined}
        options={isToolMissing ? [...choices, missingChoice] : choices}
        onChange={onText}
        placeholder={mixedText ?? describeUnset(row)}
        invalid={state.state === 'problem'}
        describedBy={describedBy}
      />
    </RowValue>
  );
}

/** Selects a value from a list. Values that are not in the list can be entered in the command palette and are kept. */
export function WordsControl(control: RowControlProps) {
  const { row, label, text, isSent, state, mixedText, describedBy, onText } = control;
  if (row.control.type !== 'words') return null;
  const wordOptions = row.control.options.map((word): SelectOption => ({ value: word, label: word }));
  const isListed = !isSent || text === '' || row.control.options.includes(text);
  return (
    <RowValue control={control}>
      <Select
        label={label}
        value={isSent && mixedText === undefined ? text : undefined}
        options={isListed ? wordOptions : [...wordOptions, { value: text, label: text, note: 'other' }]}
        onChange={onText}
        placeholder={mixedText ?? describeUnset(row)}
        invalid={state.state === 'problem'}
        describedBy={describedBy}
      />
    </RowValue>
  );
}

type FormatChoice = 'text' | 'json_object' | 'json_schema';

/** Returns the choice represented by the row's text: any text that is not a plain word is a JSON object. */
export function getFormatChoice(text: string): FormatChoice {
  return text === 'text' || text === 'json_object' ? text : 'json_schema';
}

/** Returns the row's text for a choice; keeps an existing schema. */
export function toFormatText(choice: FormatChoice, text: string): string {
  if (choice !== 'json_schema') return choice;
  return text !== '' && getFormatChoice(text) === 'json_schema'
    ? text
    : stringifySchemaFormat(defaultSchemaFormat);
}
