import type { ReactNode } from 'react';

import { cn } from '../cn.ts';

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

const outlined = cn(
  'inline-flex items-center gap-1 rounded-1 font-sans text-[11px] leading-none font-500 whitespace-nowrap',
);

/** An outlined word, such as an ability; a toggle if `onPress` is given. */
export function Tag({ size = 'normal', pressed = false, onPress, className, children }: TagProps) {
  if (!onPress)
    return (
      <span className={cn(outlined, 'h-4.5 px-1.25 text-ink-2 inset-ring inset-ring-line-2', className)}>
        {children}
      </span>
    );
  return (
    <button
      type="button"
      className={cn(
        outlined,
        size === 'small' ? 'h-5 px-1.25' : 'h-6 px-1.75 max-phone:h-8',
        'text-ink-2 inset-ring inset-ring-line-2 hover:bg-hover hover:text-ink',
        'aria-pressed:bg-ink aria-pressed:text-on-ink aria-pressed:inset-ring-0',
        className,
      )}
      aria-pressed={pressed}
      onClick={onPress}
    >
      {children}
    </button>
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

/** Returns the classes of a chip for elements that can be pressed. */
export function chipLook(differs = false, cut = false): string {
  return cn(
    'h-5 rounded-1 px-1.5 font-mono text-mono-11 whitespace-nowrap',
    cut
      ? 'block max-w-full min-w-8.5 overflow-hidden leading-5 text-ellipsis'
      : 'inline-flex items-center gap-1.25',
    'forced-colors:border forced-colors:border-[CanvasText]',
    differs ? 'bg-wash text-lane' : 'bg-sunken text-ink-2',
  );
}

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
      className={cn(chipLook(isDifferent, isTruncated), className)}
    >
      {children}
    </span>
  );
}
