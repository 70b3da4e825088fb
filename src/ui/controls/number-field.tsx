import { cva } from 'class-variance-authority';
import type { KeyboardEvent } from 'react';

import { moveFocusOnRemoval } from '../focus/use-focus-successor.ts';
import { inputVariants } from './field.tsx';
import { stepNumber, type NumberSteps } from './step-number.ts';

interface NumberFieldProps extends NumberSteps {
  label: string;
  /** The text as typed, valid or not. Empty means no value. */
  text: string;
  onChange: (text: string) => void;
  /** Called when the field is emptied, or on Backspace in an empty field. */
  onUnset: () => void;
  /** Text that an arrow key puts into an empty field. */
  startText: string;
  placeholder?: string;
  /** Shows only its placeholder until hovered. */
  isBorderless?: boolean;
  /** The container draws the box, because the box has other content as well. */
  isBoxed?: boolean;
  /** The field represents several values: keys neither step nor remove them; only typing changes them. */
  isMixed?: boolean;
  /** The app handles undo for this field. The browser would undo single keystrokes, even those in other fields. */
  isUndoneByApp?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** `mixed` is wide enough for text in place of a number; `bare` shows only its placeholder until hovered. */
const numberFieldVariants = cva('text-right font-sans normal-nums max-phone:text-[16px]', {
  variants: {
    variant: {
      boxed: [
        inputVariants({ size: 'line' }),
        'max-w-31 min-w-14 text-[13px] leading-none font-550 max-phone:min-w-17.5',
      ],
      mixed: [
        inputVariants({ size: 'line' }),
        'max-w-40 min-w-26 text-[13px] leading-none font-550 placeholder:text-[12px] placeholder:font-450',
      ],
      bare: [
        inputVariants({ variant: 'bare', size: 'line' }),
        'max-w-47.5 min-w-16 pr-0 hover:pr-1.75 focus:pr-1.75 max-phone:min-w-17.5',
      ],
      inBox: [
        'field-sizing-content h-5.5 max-w-16.5 min-w-10 px-1.75 text-[13px] leading-none font-550 outline-none',
        'placeholder:text-[12px] placeholder:font-450 max-phone:h-11',
      ],
    },
  },
});

/**
 * A text field with the role spinbutton, so typed text is kept even while it is not a number. Arrow keys step, with
 * Shift tenfold; Page Up and Page Down make large steps.
 */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    text,
    onChange,
    onUnset,
    startText,
    placeholder,
    isBorderless = false,
    isBoxed = false,
    isMixed = false,
    isUndoneByApp = false,
    invalid = false,
    describedBy,
    ...steps
  } = props;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const isNumber = Number.isFinite(value);
  const variant = isBoxed ? 'inBox' : isBorderless ? 'bare' : isMixed ? 'mixed' : 'boxed';

  const onKeyDown = (event: KeyboardEvent) => {
    if (isMixed) return;
    if (event.key === 'Backspace' && text === '') return onUnset();
    const nextValue = stepNumber(isNumber ? value : Number(startText), event.key, event.shiftKey, steps);
    if (nextValue === undefined) return;
    event.preventDefault();
    onChange(text === '' ? startText : String(nextValue));
  };

  return (
    <input
      ref={moveFocusOnRemoval}
      type="text"
      inputMode="decimal"
      role="spinbutton"
      className={numberFieldVariants({ variant })}
      data-undone-by-app={isUndoneByApp || undefined}
      aria-label={label}
      aria-valuenow={isNumber ? value : undefined}
      aria-valuetext={isNumber ? undefined : text || placeholder}
      aria-valuemin={steps.min}
      aria-valuemax={steps.max}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onInput={({ currentTarget, nativeEvent }) => {
        const isHistory = nativeEvent instanceof InputEvent && nativeEvent.inputType.startsWith('history');
        if (isUndoneByApp && isHistory) return;
        if (currentTarget.value === '') onUnset();
        else onChange(currentTarget.value);
      }}
      onKeyDown={onKeyDown}
    />
  );
}
