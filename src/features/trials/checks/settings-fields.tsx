import { useId, useState } from 'react';

import { formatExactJson, parseExactNumbers } from '../../../lib/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { parseStoredObject, toStoredObject } from '../../../trials/checks/check-settings.ts';
import type { Check } from '../../../trials/trial.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { listCheckSettings, type CheckSettingRow } from './setting-rows.ts';

interface SettingsFieldsProps {
  check: Check;
  onSettings: (settings: JsonObject) => void;
}

/** Fields for the settings of a check. */
export function SettingsFields({ check, onSettings }: SettingsFieldsProps) {
  const { settings } = check;
  return listCheckSettings(check).map((row) => (
    <SettingLine
      key={row.name}
      row={row}
      value={settings[row.name]}
      onValue={(value) => {
        const { [row.name]: _, ...rest } = settings;
        onSettings(value === undefined ? rest : { ...rest, [row.name]: value });
      }}
    />
  ));
}

interface SettingLineProps {
  row: CheckSettingRow;
  value: Json | undefined;
  onValue: (value: Json | undefined) => void;
}

function SettingLine({ row, value, onValue }: SettingLineProps) {
  const { label } = row;
  if (row.type === 'flag')
    return (
      <>
        <span />
        <label className="flex items-center gap-1.5 text-13">
          <Checkbox
            label={label}
            checked={value === true}
            onChange={(isChecked) => onValue(isChecked ? true : undefined)}
          />
          {label}
        </label>
      </>
    );
  return (
    <>
      <span>{label}</span>
      {row.type === 'choice' && (
        <Select
          label={label}
          value={typeof value === 'string' ? value : row.choices[0]}
          options={row.choices.map((choice) => ({ value: choice, label: choice }))}
          onChange={onValue}
        />
      )}
      {row.type === 'text' && (
        <TextField
          aria-label={label}
          spellCheck={false}
          className="w-full max-w-none"
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
      {row.type === 'number' && (
        <NumberSetting label={label} value={value} onValue={onValue} unit={row.unit} />
      )}
      {row.type === 'JSON' && <JsonSetting label={label} value={value} onValue={onValue} />}
    </>
  );
}

interface ValueProps {
  label: string;
  value: Json | undefined;
  onValue: (value: Json | undefined) => void;
}

function NumberSetting({ label, value, onValue, unit }: ValueProps & { unit: string }) {
  const [typedText, setTypedText] = useState<string>();
  const text = typedText ?? (typeof value === 'number' ? String(value) : '');
  const isNumber = text === '' || Number.isFinite(Number(text));
  return (
    <span className="flex items-center gap-1.5" onBlur={() => isNumber && setTypedText(undefined)}>
      <NumberField
        label={label}
        text={text}
        startText="0"
        step={1}
        min={0}
        invalid={!isNumber}
        placeholder="not set"
        onUnset={() => {
          setTypedText('');
          onValue(undefined);
        }}
        onChange={(next) => {
          setTypedText(next);
          if (next.trim() !== '' && Number.isFinite(Number(next)) && Number(next) >= 0) onValue(Number(next));
        }}
      />
      <span className="text-12 text-ink-3">{unit}</span>
    </span>
  );
}

function JsonSetting({ label, value, onValue }: ValueProps) {
  const [typedText, setTypedText] = useState<string>();
  const problemId = useId();
  const stored = typeof value === 'string' ? parseStoredObject(value) : value;
  const text = typedText ?? (stored === undefined ? '' : formatExactJson(stored));
  const parsed = parseExactNumbers(text);
  const isValid = text.trim() === '' || (parsed.ok && isJsonObject(parsed.value));
  return (
    <span>
      <TextArea
        aria-label={label}
        aria-invalid={!isValid || undefined}
        aria-describedby={isValid ? undefined : problemId}
        variant="code"
        className="max-h-60 min-h-8"
        spellCheck={false}
        placeholder="JSON object (optional)"
        value={text}
        onText={(next) => {
          setTypedText(next);
          const parsedInput = parseExactNumbers(next);
          if (next.trim() === '') onValue(undefined);
          else if (parsedInput.ok && isJsonObject(parsedInput.value))
            onValue(toStoredObject(parsedInput.value));
        }}
      />
      {!isValid && (
        <span id={problemId} className="text-12 text-err-ink">
          Not a JSON object. The last valid value is used.
        </span>
      )}
    </span>
  );
}
