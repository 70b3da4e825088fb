import { useRef, type KeyboardEvent, type ReactNode } from 'react';

import { itemAfterKey } from '../hooks/item-after-key.ts';

interface SegmentedProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  value: Value;
  /** `label`: accessible name of one choice where `shown` is not its words. */
  /** `disabledBecause`: why it cannot be chosen now; it stays in reach. */
  choices: readonly { value: Value; label: string; shown?: ReactNode; disabledBecause?: string }[];
  onChange: (value: Value) => void;
}

const radioKeys: Record<string, string> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' };

/** One of a few, side by side: a radio group with one tab stop; arrows choose. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  const group = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const current = choices.findIndex((choice) => choice.value === value);
    const key = radioKeys[event.key] ?? event.key;
    const next =
      key.length > 1
        ? itemAfterKey(
            choices.map((choice) => choice.label),
            current,
            key,
          )
        : undefined;
    const choice = next === undefined ? undefined : choices[next];
    if (!choice || next === undefined) return;
    event.preventDefault();
    if (choice.disabledBecause === undefined) onChange(choice.value);
    group.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div ref={group} className="seg" role="radiogroup" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          aria-label={choice.shown === undefined ? undefined : choice.label}
          tabIndex={choice.value === value ? 0 : -1}
          aria-disabled={choice.disabledBecause === undefined ? undefined : true}
          title={choice.disabledBecause}
          className="aria-disabled:opacity-55"
          onClick={() => choice.disabledBecause === undefined && onChange(choice.value)}
        >
          {choice.shown ?? choice.label}
        </button>
      ))}
    </div>
  );
}
