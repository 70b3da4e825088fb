import type { ReactNode } from 'react';

import { cn } from '../cn.ts';

interface TagProps {
  /** 20 px instead of 24 where it can be pressed. */
  size?: 'small' | 'normal';
  /** With these two the tag is a filter that can be pressed. */
  pressed?: boolean;
  onPress?: () => void;
  /** Where it stands, never how it looks. */
  className?: string;
  children: ReactNode;
}

const outlined = cn(
  'inline-flex items-center gap-1 rounded-1 font-sans text-[11px] leading-none font-500 whitespace-nowrap',
);

/** An outlined word, such as an ability; a toggle where `onPress` is given. */
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
  /** Its value differs from the other lanes': drawn in the lane's colour. */
  isDifferent?: boolean;
  /** Said elsewhere: not for screen readers. */
  hidden?: boolean;
  /** Where there is no room, its end is cut off. */
  isTruncated?: boolean;
  title?: string;
  /** Where it stands, never how it looks. */
  className?: string;
  children: ReactNode;
}

/** The look of a chip, for what can be pressed. */
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

/** A small fact on a ground of its own, such as `temperature 0.2`. */
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
