import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

import { cn } from '../cn.ts';

export interface ButtonLook {
  /**
   * `quiet` has no box until hovered, `tool` is `quiet` in a bar that becomes a menu on phones, `ink` is the one main
   * action, and `stop` has a small square before the text.
   */
  look?: 'default' | 'quiet' | 'tool' | 'ink' | 'stop' | undefined;
  /** Heights 24, 28 and 32 px; 44 px on phones. */
  size?: 'small' | 'normal' | 'big' | undefined;
}

interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

const boxed = cn('border-line-2 bg-raised font-500 text-ink hover:border-edge hover:bg-hover');
const quiet = cn('border-transparent font-500 text-ink-2 hover:bg-hover hover:text-ink');
const looks = {
  default: boxed,
  quiet,
  tool: cn(
    quiet,
    'max-phone:justify-start max-phone:gap-2.5 max-phone:px-3 max-phone:text-[15px] max-phone:text-ink',
  ),
  ink: cn(
    'border-ink bg-ink font-550 text-on-ink hover:border-ink-2 hover:bg-ink-2',
    '[&_kbd]:border-0 [&_kbd]:bg-on-ink/16 [&_kbd]:text-inherit',
  ),
  stop: cn(boxed, '[&_svg]:size-3 [&_svg]:fill-needle [&_svg]:stroke-needle'),
};
const heights = { small: 'h-6 px-2 text-[12px]', normal: 'h-7', big: 'h-8 px-3' };

/** Returns the classes of a button for other elements: a link, a label, a menu button. */
export function buttonLook({ look = 'default', size = 'normal' }: ButtonLook = {}): string {
  const isTool = look === 'tool';
  const isQuiet = size === 'normal' && (isTool || look === 'quiet');
  return cn(
    'inline-flex flex-none items-center justify-center gap-1.5 rounded-2 border whitespace-nowrap',
    'transition-[background-color,border-color] duration-(--d-1) [&_svg]:-ml-px',
    'disabled:border-line-2 disabled:bg-transparent disabled:font-500 disabled:text-ink-3',
    'max-phone:h-11',
    !isTool && 'max-phone:text-[14px]',
    looks[look],
    heights[size],
    size === 'normal' && (isQuiet ? 'px-2' : 'px-2.5'),
    !isQuiet && 'max-phone:px-3.5',
  );
}

/** Classes of a small action inside a sentence. */
export const textButtonLook = cn(
  'min-h-6 text-ink-2 underline decoration-line-2 underline-offset-2 hover:text-ink hover:decoration-current',
);

/** A button with text. Icons inside take the class `icon-14`. If it is disabled, give the reason beside it. */
export function Button({ look, size, className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={cn(buttonLook({ look, size }), className)} {...rest} />;
}
