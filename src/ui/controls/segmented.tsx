import { useRef, type KeyboardEvent, type ReactNode } from 'react';

import { cn } from '../cn.ts';
import { getNextItemIndex } from '../hooks/next-item-index.ts';

interface SegmentedProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  value: Value;
  /** `label` is the accessible name of a choice that has `content`. */
  /** `disabledReason` is set while a choice is unavailable; the choice stays focusable. */
  choices: readonly { value: Value; label: string; content?: ReactNode; disabledReason?: string }[];
  onChange: (value: Value) => void;
}

const radioKeys: Record<string, string> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' };

/** Classes of a row of choices and of one choice; also used for tabs, which have their own selection logic. */
export const segmentedLook = cn(
  'inline-flex rounded-[6px] bg-sunken p-0.5 inset-ring inset-ring-line max-phone:flex',
);
export const segmentLook = cn(
  'inline-flex h-6 items-center gap-1.5 rounded-[4px] px-2.25 font-sans text-12 font-500 whitespace-nowrap text-ink-2',
  // Touch area extends 4 px above and below.
  'max-phone:relative max-phone:before:absolute max-phone:before:inset-[-4px_0]',
  'hover:text-ink focus-visible:outline-offset-1 max-phone:h-9 max-phone:flex-1 max-phone:justify-center max-phone:text-[14px]',
  'aria-checked:bg-raised aria-checked:text-ink aria-checked:shadow-e-1 aria-checked:ring aria-checked:ring-line-2',
  'aria-selected:bg-raised aria-selected:text-ink aria-selected:shadow-e-1 aria-selected:ring aria-selected:ring-line-2',
  'forced-colors:aria-checked:border forced-colors:aria-checked:border-[CanvasText]',
  'aria-disabled:opacity-55',
);

/** A radio group shown side by side with one tab stop; arrow keys choose. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  const group = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const current = choices.findIndex((choice) => choice.value === value);
    const key = radioKeys[event.key] ?? event.key;
    const next =
      key.length > 1
        ? getNextItemIndex(
            choices.map((choice) => choice.label),
            current,
            key,
          )
        : undefined;
    const choice = next === undefined ? undefined : choices[next];
    if (!choice || next === undefined) return;
    event.preventDefault();
    if (choice.disabledReason === undefined) onChange(choice.value);
    group.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div
      ref={group}
      className={segmentedLook}
      role="radiogroup"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={segmentLook}
          role="radio"
          aria-checked={choice.value === value}
          aria-label={choice.content === undefined ? undefined : choice.label}
          tabIndex={choice.value === value ? 0 : -1}
          aria-disabled={choice.disabledReason === undefined ? undefined : true}
          title={choice.disabledReason}
          onClick={() => choice.disabledReason === undefined && onChange(choice.value)}
        >
          {choice.content ?? choice.label}
        </button>
      ))}
    </div>
  );
}
