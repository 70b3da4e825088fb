import { Tabs } from '@base-ui/react/tabs';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';

interface RadioGroupProps<Value extends string> {
  /** Accessible name. */
  label: string;
  /** The chosen value, or null. */
  value: Value | null;
  /** Called when a choice gets the focus. Without it, arrow keys only move the focus. */
  onChange?: (value: Value) => void;
  className?: string;
  /** Direct children must be `RadioChoice`. */
  children: ReactNode;
}

/**
 * A radio group with one tab stop. Arrow keys, Home and End move between its choices, also to unavailable ones. It is
 * made of Base UI's tabs, because those move their tab stop when the value changes elsewhere, handle Home and End, and
 * do not skip what is unavailable; Base UI's own radio group does none of these.
 */
export function RadioGroup<Value extends string>({
  label,
  value,
  onChange,
  className,
  children,
}: RadioGroupProps<Value>) {
  return (
    <Tabs.Root
      value={value}
      onValueChange={(next: Value) => onChange?.(next)}
      render={
        <Tabs.List
          role="radiogroup"
          aria-label={label}
          activateOnFocus={onChange !== undefined}
          className={className}
          onKeyDown={moveVertically}
        />
      }
    >
      {children}
    </Tabs.Root>
  );
}

/** Up and Down do the same as Left and Right, which are the only arrow keys of tabs. */
function moveVertically(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')];
  const index = radios.findIndex((radio) => radio === event.target);
  radios.at((index + step) % radios.length)?.focus();
}

interface RadioChoiceProps extends Omit<ComponentProps<'button'>, 'value'> {
  value: string;
  /** Set while the choice is unavailable; it stays focusable. */
  disabledReason?: string | undefined;
}

/** One choice of a `RadioGroup`. */
export function RadioChoice({ disabledReason, ...rest }: RadioChoiceProps) {
  return (
    <Tabs.Tab
      title={disabledReason}
      {...rest}
      render={(props, { active }) => (
        <button
          {...props}
          role="radio"
          aria-checked={active}
          aria-selected={undefined}
          aria-disabled={disabledReason === undefined ? undefined : true}
        />
      )}
    />
  );
}
