import type { KeyboardEvent } from 'react';

import { cn } from '../cn.ts';
import { bareLook, edgedLook, oneLineLook } from './field.tsx';
import { stepNumber, type NumberSteps } from './step-number.ts';

interface NumberFieldProps extends NumberSteps {
  label: string;
  /** What was typed, valid or not. Empty: no value. */
  text: string;
  onChange: (text: string) => void;
  /** The field was emptied, or Backspace was pressed while it was empty. */
  onUnset: () => void;
  /** What an arrow key puts into an empty field. */
  startText: string;
  placeholder?: string;
  /** Drawn as its placeholder alone until it is pointed at. */
  isBorderless?: boolean;
  /** The box around it is drawn by the part that it stands in, with other things in it. */
  isBoxed?: boolean;
  /** It stands for several values: no key steps it or takes it out, only what is typed counts. */
  isMixed?: boolean;
  /** The app undoes what is done here. A browser would do so key by key, also from another field. */
  isUndoneByApp?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

const figures = cn('text-right font-sans normal-nums');
const edged = cn(figures, 'text-[13px] leading-none font-550 max-phone:text-[16px]', edgedLook, oneLineLook);
const looks = {
  edged: cn(edged, 'max-w-31 min-w-14 max-phone:min-w-17.5'),
  /** With room for words in place of a number. */
  still: cn(edged, 'max-w-40 min-w-26 placeholder:text-[12px] placeholder:font-450'),
  bare: cn(
    figures,
    'field-sizing-content h-6 max-w-47.5 min-w-16 rounded-2 border pr-0 pl-1.75 hover:pr-1.75 focus:pr-1.75',
    'max-phone:h-9 max-phone:min-w-17.5 max-phone:text-[16px]',
    bareLook,
  ),
  boxed: cn(
    figures,
    'field-sizing-content h-5.5 max-w-16.5 min-w-10 px-1.75 text-[13px] leading-none font-550 outline-none',
    'placeholder:text-[12px] placeholder:font-450 max-phone:h-11 max-phone:text-[16px]',
  ),
};

/**
 * A number as text with the role of a spin button, so that what was typed stays as it was, also while it is not
 * a number. Arrows step, with Shift tenfold, Page Up and Page Down in large steps.
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
  const look = isBoxed ? looks.boxed : isBorderless ? looks.bare : isMixed ? looks.still : looks.edged;

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
      type="text"
      inputMode="decimal"
      role="spinbutton"
      className={look}
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
