import { clsx } from 'clsx';

import { moveFocusOnRemoval } from '../focus/use-focus-successor.ts';

interface SquareCheckboxProps {
  /** Accessible name, unless the checkbox is inside a label. */
  label?: string;
  checked: boolean;
  /** Some, but not all, of the represented items are on. */
  isMixed?: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  id?: string;
  describedBy?: string | undefined;
}

/**
 * A checkbox drawn as a 10 px square in a 24 px target; filled means on. It is a native one: labels, the mixed state and
 * forced colours work without a second, hidden input.
 */
export function SquareCheckbox({
  label,
  checked,
  isMixed = false,
  disabled,
  onChange,
  id,
  describedBy,
}: SquareCheckboxProps) {
  return (
    <input
      ref={(input) => {
        if (input) input.indeterminate = isMixed;
      }}
      type="checkbox"
      className={clsx(
        'relative ml-0.5 block size-2.5 flex-none cursor-pointer appearance-none rounded-[2.5px]',
        'inset-ring-[1.25px] inset-ring-edge after:absolute after:-inset-1.75 hover:inset-ring-ink focus-visible:outline-offset-3',
        'checked:bg-ink checked:inset-ring-0',
        // Shown when some of several lanes send the field.
        'indeterminate:bg-[linear-gradient(var(--ink),var(--ink))] indeterminate:bg-[length:6px_2px] indeterminate:bg-center',
        'indeterminate:bg-no-repeat indeterminate:inset-ring-[1.25px] indeterminate:inset-ring-ink',
        'max-phone:ml-0 max-phone:size-3.5 max-phone:rounded-[3px] max-phone:after:-inset-3.75',
        'forced-colors:border forced-colors:border-[CanvasText]',
        'forced-colors:checked:bg-[Highlight] forced-colors:checked:forced-color-adjust-none',
        'forced-colors:indeterminate:bg-[linear-gradient(CanvasText,CanvasText)] forced-colors:indeterminate:forced-color-adjust-none',
      )}
      id={id}
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

interface CheckboxProps {
  /** Accessible name, unless the checkbox is inside a label. */
  'aria-label'?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox drawn by the browser. */
export function Checkbox({ onChange, ...rest }: CheckboxProps) {
  return (
    <input
      ref={moveFocusOnRemoval}
      type="checkbox"
      className="size-3.5 flex-none align-middle accent-ink"
      onChange={(event) => onChange(event.currentTarget.checked)}
      {...rest}
    />
  );
}

/** A checkbox with its label beside it. */
export function CheckboxField({ label, ...rest }: CheckboxProps & { label: string }) {
  return (
    <label className="inline-flex min-h-6 items-center gap-1.5 text-12 max-phone:min-h-9">
      <Checkbox {...rest} />
      {label}
    </label>
  );
}
