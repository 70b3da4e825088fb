import { cva } from 'class-variance-authority';
import { clsx } from 'clsx';

import { moveFocusOnRemoval } from '../focus/use-focus-successor.ts';

/**
 * A 16 px square in a target of 24 px, on phones of 44 px; filled with a tick means on. It styles a native checkbox:
 * labels, the mixed state and forced colours work without a second, hidden input.
 */
export const checkboxVariants = cva([
  'relative inline-block size-4 flex-none appearance-none rounded-1 bg-raised align-middle inset-ring-[1.25px] inset-ring-edge',
  'not-disabled:cursor-pointer not-disabled:hover:inset-ring-ink disabled:opacity-50',
  'after:absolute after:-inset-1 max-phone:after:-inset-3.5',
  'checked:bg-ink checked:inset-ring-0 indeterminate:inset-ring-ink',
  'before:absolute before:hidden before:border-paper checked:before:block indeterminate:before:block',
  'before:top-0.5 before:left-1.25 before:h-2.25 before:w-1.25 before:rotate-45 before:border-r-2 before:border-b-2',
  // Some, but not all, of the represented items are on.
  'indeterminate:before:top-1.75 indeterminate:before:left-1 indeterminate:before:h-0 indeterminate:before:w-2',
  'indeterminate:before:rotate-0 indeterminate:before:border-r-0 indeterminate:before:border-ink',
  'forced-colors:border forced-colors:border-[CanvasText]',
  'forced-colors:checked:bg-[Highlight] forced-colors:checked:forced-color-adjust-none',
  'forced-colors:before:border-[HighlightText] forced-colors:indeterminate:before:border-[CanvasText]',
]);

interface CheckboxProps {
  /** Accessible name, unless the checkbox is inside a label. */
  label?: string;
  checked: boolean;
  /** Some, but not all, of the represented items are on. */
  isMixed?: boolean;
  disabled?: boolean | undefined;
  onChange: (checked: boolean) => void;
  id?: string;
  describedBy?: string | undefined;
}

export function Checkbox({
  label,
  checked,
  isMixed = false,
  disabled,
  onChange,
  id,
  describedBy,
}: CheckboxProps) {
  return (
    <input
      ref={(input) => {
        if (input) input.indeterminate = isMixed;
        return moveFocusOnRemoval(input);
      }}
      type="checkbox"
      className={checkboxVariants()}
      id={id}
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** A checkbox with its label beside it. */
export function CheckboxField({
  label,
  ...rest
}: Pick<CheckboxProps, 'checked' | 'disabled' | 'onChange'> & { label: string }) {
  return (
    <label className="inline-flex min-h-6 items-center gap-2 text-12 max-phone:min-h-11">
      <Checkbox {...rest} />
      <span className={clsx('truncate', rest.disabled === true && 'text-ink-3')} dir="auto">
        {label}
      </span>
    </label>
  );
}
