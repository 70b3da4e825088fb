import { cva } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';

import { cn } from '../cn.ts';
import { useFocusSuccessor } from '../focus/use-focus-successor.ts';
import { CircleAlert } from '../icons.tsx';

/**
 * Classes of a text field. `bare` shows only its placeholder until hovered, because it has no value. `quiet` has no box
 * while it is empty and unused. A `line` is as wide as its text; without a size, the caller sets width and height.
 */
export const inputVariants = cva('rounded-2 border', {
  variants: {
    variant: {
      boxed:
        'border-edge bg-raised aria-invalid:border-err aria-invalid:inset-ring aria-invalid:inset-ring-err',
      bare: [
        'border-transparent bg-transparent font-sans text-12 text-ink-3 placeholder:text-12 placeholder:text-ink-3',
        'hover:border-line-2 hover:bg-raised focus:border-edge focus:bg-raised max-phone:placeholder:text-[14px]',
        // Forced colours draw even a transparent border, so it takes the background colour.
        'forced-colors:border-[Canvas] forced-colors:hover:border-[ButtonBorder] forced-colors:focus:border-[ButtonBorder]',
      ],
      quiet: [
        'border-transparent bg-transparent hover:border-edge hover:bg-raised focus:border-edge focus:bg-raised',
        'not-placeholder-shown:border-edge not-placeholder-shown:bg-raised',
      ],
    },
    size: { line: 'field-sizing-content h-6 px-1.75 max-phone:h-9' },
  },
  defaultVariants: { variant: 'boxed' },
});

/**
 * Classes of a multi-line field that grows with its text: source code, prose, or a right-aligned placeholder while it
 * has no value.
 */
export const textAreaVariants = cva('block field-sizing-content w-full resize-none wrap-anywhere', {
  variants: {
    variant: {
      code: [inputVariants(), 'px-2.25 py-1.25 font-mono text-mono-12'],
      prose: [
        inputVariants(),
        'px-2.25 py-1.25 font-sans text-13 tracking-normal normal-nums [word-spacing:0]',
      ],
      bare: [
        inputVariants({ variant: 'bare' }),
        'overflow-hidden py-1 text-right tracking-normal normal-nums [word-spacing:0.06em]',
        'focus:pr-1.75 focus:text-left',
      ],
    },
  },
});

/** A single-line field for names, IDs and URLs. A `quiet` one is an optional field in a bar. */
export function TextField({
  variant = 'boxed',
  className,
  ref,
  ...rest
}: ComponentProps<'input'> & { variant?: 'boxed' | 'quiet' }) {
  return (
    <input
      {...rest}
      ref={useFocusSuccessor(ref)}
      className={cn(
        inputVariants({ variant, size: 'line' }),
        'text-left font-mono text-mono-12',
        variant === 'boxed'
          ? 'max-w-31 min-w-14 max-phone:min-w-17.5 max-phone:text-[16px]'
          : 'w-17 max-w-35 min-w-13',
        className,
      )}
    />
  );
}

interface RemarkProps extends Omit<ComponentProps<'p'>, 'className'> {
  /** Classes for the position, never for the appearance. */
  className?: string;
  children: ReactNode;
}

/** An error message below a field. */
export function FieldError({
  icon: hasIcon = true,
  className,
  children,
  ...rest
}: RemarkProps & { icon?: boolean }) {
  return (
    <p
      className={cn(
        'flex items-start gap-1.25 font-sans text-12 text-pretty text-err-ink normal-nums',
        className,
      )}
      {...rest}
    >
      {hasIcon && <CircleAlert className="mt-px icon-14" aria-hidden />}
      {children}
    </p>
  );
}

/** A hint below a field. */
export function Hint({ className, ...rest }: RemarkProps) {
  return <p className={cn('font-sans text-12 text-pretty text-ink-3 normal-nums', className)} {...rest} />;
}
