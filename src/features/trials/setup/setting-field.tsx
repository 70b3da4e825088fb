import { useId, useState } from 'react';

import { NumberField } from '../../../ui/controls/number-field.tsx';

interface SettingFieldProps {
  label: string;
  unit?: string;
  value: number;
  min: number;
  max: number;
  onValue: (value: number) => void;
}

/** Field for a whole number with its label, as two grid cells. Rejects other input with an error message. */
export function SettingField({ label, unit, value, min, max, onValue }: SettingFieldProps) {
  const [typedText, setTypedText] = useState<string>();
  const problemId = useId();
  const text = typedText ?? String(value);
  const parsedValue = Number(text);
  const isValid =
    text.trim() !== '' && Number.isInteger(parsedValue) && parsedValue >= min && parsedValue <= max;
  return (
    <>
      <span>
        {label}
        {!isValid && (
          <span id={problemId} className="block text-err-ink">
            Must be {min} to {max}. Not used.
          </span>
        )}
      </span>
      <span
        className="flex items-center justify-end gap-1.5"
        onBlur={() => isValid && setTypedText(undefined)}
      >
        <NumberField
          label={label}
          text={text}
          startText={String(value)}
          step={1}
          min={min}
          max={max}
          invalid={!isValid}
          describedBy={isValid ? undefined : problemId}
          onUnset={() => setTypedText('')}
          onChange={(next) => {
            setTypedText(next);
            const number = Number(next);
            if (next.trim() !== '' && Number.isInteger(number) && number >= min && number <= max)
              onValue(number);
          }}
        />
        {unit !== undefined && <span className="text-12 text-ink-3">{unit}</span>}
      </span>
    </>
  );
}
