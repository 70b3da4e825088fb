import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';

import { cn } from '../cn.ts';
import { ButtonElement } from '../controls/button-element.tsx';

interface TagProps {
  /** Height of a tag that can be pressed: 20 px (`small`) or 24 px. */
  size?: 'small' | 'normal';
  /** With `pressed` and `onPress` the tag is a toggle button, for example a filter. */
  pressed?: boolean;
  onPress?: () => void;
  /** Classes for the position, never for the appearance. */
  className?: string;
  children: ReactNode;
}

const tagVariants = cva(
  [
    'inline-flex items-center gap-1 rounded-1 font-sans text-[11px] leading-none font-500 whitespace-nowrap',
    'text-ink-2 inset-ring inset-ring-line-2',
  ],
  {
    variants: {
      kind: {
        label: 'h-4.5 px-1.25',
        toggle: [
          'hover:bg-hover hover:text-ink',
          'aria-pressed:bg-ink aria-pressed:text-on-ink aria-pressed:inset-ring-0',
        ],
      },
      size: { small: 'h-5 px-1.25', normal: 'h-6 px-1.75 max-phone:h-8' },
    },
  },
);

/** An outlined word, such as an ability; a toggle if `onPress` is given. */
export function Tag({ size = 'normal', pressed = false, onPress, className, children }: TagProps) {
  if (!onPress) return <span className={cn(tagVariants({ kind: 'label' }), className)}>{children}</span>;
  return (
    <ButtonElement
      type="button"
      className={cn(tagVariants({ kind: 'toggle', size }), className)}
      aria-pressed={pressed}
      onClick={onPress}
    >
      {children}
    </ButtonElement>
  );
}

interface ChipProps {
  /** The value differs between lanes, so the chip has the lane's colour. */
  isDifferent?: boolean;
  /** Hidden from screen readers because the value is announced elsewhere. */
  hidden?: boolean;
  /** Truncates the text if there is not enough room. */
  isTruncated?: boolean;
  title?: string;
  /** Classes for the position, never for the appearance. */
  className?: string;
  children: ReactNode;
}

/** Classes of a chip, also for buttons. `isTruncated` cuts the text if there is not enough room. */
export const chipVariants = cva(
  [
    'h-5 rounded-1 px-1.5 font-mono text-mono-11 whitespace-nowrap',
    'forced-colors:border forced-colors:border-[CanvasText]',
  ],
  {
    variants: {
      isDifferent: { true: 'bg-wash text-lane', false: 'bg-sunken text-ink-2' },
      isTruncated: {
        true: 'block max-w-full min-w-8.5 overflow-hidden leading-5 text-ellipsis',
        false: 'inline-flex items-center gap-1.25',
      },
    },
    defaultVariants: { isDifferent: false, isTruncated: false },
  },
);

/** A short fact on a background, such as `temperature 0.2`. */
export function Chip({
  isDifferent = false,
  hidden = false,
  isTruncated = false,
  title,
  className,
  children,
}: ChipProps) {
  return (
    <span
      title={title}
      aria-hidden={hidden || undefined}
      className={cn(chipVariants({ isDifferent, isTruncated }), className)}
    >
      {children}
    </span>
  );
}
