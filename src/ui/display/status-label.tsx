import type { ReactNode } from 'react';

import { cn } from '../cn.ts';

interface StatusLabelProps {
  /** `live` draws its own lamp; the other tones need an icon, since colour alone is not enough. */
  tone: 'live' | 'ok' | 'warn' | 'err' | 'plain';
  /** An icon, drawn 14 px wide. */
  icon?: ReactNode;
  /**
   * `lane` is larger on phones; `shape` shows only the shape and leaves the text to screen readers; `stage` is readable
   * from the back of a room; `small stage` is for several side by side.
   */
  size?: keyof typeof sizes;
  /** Classes for the position, never for the appearance. */
  className?: string;
  children: ReactNode;
}

const tones = {
  plain: 'text-ink-2',
  live: cn(
    'text-needle-ink before:bg-needle motion-safe:before:animate-lamp',
    'forced-colors:before:border forced-colors:before:border-[CanvasText]',
  ),
  ok: 'text-ok-ink',
  warn: 'text-warn-ink',
  err: 'text-err-ink',
};

const normalLook = cn('gap-1.5 text-12 font-500 normal-nums [&_svg]:size-3.5');
const roomLook = cn('gap-2 text-[16px]/6 font-550 normal-nums [&_svg]:size-4.5');
const sizes = {
  normal: normalLook,
  lane: cn(normalLook, 'max-phone:text-[13px]/5'),
  shape: cn('text-[0px] [&_svg]:size-3.5'),
  stage: roomLook,
  'small stage': cn(roomLook, 'min-[900px]:text-[14px]/5'),
};
const smallLamp = cn('before:size-2 before:rounded-[2px]');
const roomLamp = cn('before:size-2.75 before:rounded-[3px]');
const lamps = {
  normal: smallLamp,
  lane: smallLamp,
  shape: cn('before:size-2.25 before:rounded-[2px]'),
  stage: roomLamp,
  'small stage': roomLamp,
};

/** A state in a few words, always preceded by a shape. */
export function StatusLabel({ tone, icon, size = 'normal', className, children }: StatusLabelProps) {
  return (
    <span
      className={cn(
        'inline-flex items-center font-sans whitespace-nowrap [&_svg]:stroke-[1.9]',
        sizes[size],
        tones[tone],
        tone === 'live' && lamps[size],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
