import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

import { cn } from '../cn.ts';
import { useFocusSuccessor } from '../focus/use-focus-successor.ts';
import { ButtonElement } from './button-element.tsx';

/**
 * Classes of a button, also for links, labels and menu triggers that look like one. `ghost` has no box until hovered,
 * `tool` is `ghost` in a bar that becomes a menu on phones, `primary` is the one main action, and `stop` has a small
 * square before the text. The heights are 24, 28 and 32 px; 44 px on phones.
 */
export const buttonVariants = cva(
  [
    'inline-flex flex-none items-center justify-center gap-1.5 rounded-2 border font-500 whitespace-nowrap',
    'transition-[background-color,border-color] duration-(--d-1) [&_svg]:-ml-px',
    'aria-disabled:bg-transparent aria-disabled:font-500 aria-disabled:text-ink-3',
    'max-phone:h-11',
  ],
  {
    variants: {
      variant: {
        default:
          'border-line-2 bg-raised text-ink hover:border-edge hover:bg-hover aria-disabled:border-line-2',
        ghost: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
        tool: [
          'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
          'max-phone:justify-start max-phone:gap-2.5 max-phone:px-3 max-phone:text-[15px] max-phone:text-ink',
        ],
        primary: [
          'border-ink bg-ink font-550 text-on-ink hover:border-ink-2 hover:bg-ink-2 aria-disabled:border-line-2',
          '[&_kbd]:border-0 [&_kbd]:bg-on-ink/16 [&_kbd]:text-inherit',
        ],
        stop: [
          'border-line-2 bg-raised text-ink hover:border-edge hover:bg-hover',
          '[&_svg]:size-3 [&_svg]:fill-needle [&_svg]:stroke-needle',
        ],
      },
      size: { small: 'h-6 px-2 text-[12px]', normal: 'h-7', big: 'h-8 px-3' },
    },
    compoundVariants: [
      { variant: ['default', 'primary', 'stop'], size: 'normal', className: 'px-2.5' },
      { variant: ['ghost', 'tool'], size: 'normal', className: 'px-2' },
      { variant: ['default', 'primary', 'stop'], className: 'max-phone:px-3.5' },
      { variant: 'ghost', size: ['small', 'big'], className: 'max-phone:px-3.5' },
      { variant: ['default', 'ghost', 'primary', 'stop'], className: 'max-phone:text-[14px]' },
    ],
    defaultVariants: { variant: 'default', size: 'normal' },
  },
);

/** A button with text. Icons inside take the class `icon-14`. If it is disabled, give the reason beside it. */
export function Button({
  variant,
  size,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & VariantProps<typeof buttonVariants>) {
  return <ButtonElement type={type} className={cn(buttonVariants({ variant, size }), className)} {...rest} />;
}

/** A small underlined action inside a sentence. */
export function TextButton({ className, ref, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      ref={useFocusSuccessor(ref)}
      type="button"
      className={cn(
        'min-h-6 text-ink-2 underline decoration-line-2 underline-offset-2 hover:text-ink hover:decoration-current',
        className,
      )}
      {...rest}
    />
  );
}
