import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';

import { RadioChoice, RadioGroup } from './radio-group.tsx';

interface SegmentedProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  value: Value;
  /**
   * `label` is the accessible name of a choice that has `content`. `disabledReason` is set while a choice is
   * unavailable; the choice stays focusable.
   */
  choices: readonly { value: Value; label: string; content?: ReactNode; disabledReason?: string }[];
  onChange: (value: Value) => void;
}

/** Classes of a row of choices, also for tabs. */
export const segmentedVariants = cva(
  'inline-flex rounded-[6px] bg-sunken p-0.5 inset-ring inset-ring-line max-phone:flex',
);

/** Classes of one choice, also for tabs. */
export const segmentVariants = cva([
  'inline-flex h-6 items-center gap-1.5 rounded-[4px] px-2.25 font-sans text-12 font-500 whitespace-nowrap text-ink-2',
  // Touch area extends 4 px above and below.
  'max-phone:relative max-phone:before:absolute max-phone:before:inset-[-4px_0]',
  'hover:text-ink focus-visible:outline-offset-1 max-phone:h-9 max-phone:flex-1 max-phone:justify-center max-phone:text-[14px]',
  'data-active:bg-raised data-active:text-ink data-active:shadow-e-1 data-active:ring data-active:ring-line-2',
  'forced-colors:data-active:border forced-colors:data-active:border-[CanvasText]',
  'aria-disabled:opacity-55',
]);

/** A radio group shown side by side with one tab stop; arrow keys choose. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  const isAvailable = (choiceValue: Value) =>
    choices.find((choice) => choice.value === choiceValue)?.disabledReason === undefined;
  return (
    <RadioGroup
      label={label}
      value={value}
      className={segmentedVariants()}
      onChange={(next) => isAvailable(next) && onChange(next)}
    >
      {choices.map((choice) => (
        <RadioChoice
          key={choice.value}
          value={choice.value}
          disabledReason={choice.disabledReason}
          className={segmentVariants()}
          aria-label={choice.content === undefined ? undefined : choice.label}
        >
          {choice.content ?? choice.label}
        </RadioChoice>
      ))}
    </RadioGroup>
  );
}
