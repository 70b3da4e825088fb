import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';

import { cn } from '../cn.ts';

const statusLabelVariants = cva('inline-flex items-center font-sans whitespace-nowrap [&_svg]:stroke-[1.9]', {
  variants: {
    tone: {
      plain: 'text-ink-2',
      live: [
        'text-needle-ink before:bg-needle motion-safe:before:animate-lamp',
        'forced-colors:before:border forced-colors:before:border-[CanvasText]',
      ],
      ok: 'text-ok-ink',
      warn: 'text-warn-ink',
      err: 'text-err-ink',
    },
    size: {
      normal: 'gap-1.5 text-12 font-500 normal-nums [&_svg]:size-3.5',
      lane: 'gap-1.5 text-12 font-500 normal-nums max-phone:text-[13px]/5 [&_svg]:size-3.5',
      shape: 'text-[0px] [&_svg]:size-3.5',
      stage: 'gap-2 text-[16px]/6 font-550 normal-nums [&_svg]:size-4.5',
      'small stage': 'gap-2 text-[16px]/6 font-550 normal-nums min-[900px]:text-[14px]/5 [&_svg]:size-4.5',
    },
  },
  compoundVariants: [
    { tone: 'live', size: ['normal', 'lane'], className: 'before:size-2 before:rounded-[2px]' },
    { tone: 'live', size: 'shape', className: 'before:size-2.25 before:rounded-[2px]' },
    { tone: 'live', size: ['stage', 'small stage'], className: 'before:size-2.75 before:rounded-[3px]' },
  ],
});

interface StatusLabelProps {
  /** `live` draws its own lamp; the other tones need an icon, since colour alone is not enough. */
  tone: 'live' | 'ok' | 'warn' | 'err' | 'plain';
  /** An icon, drawn 14 px wide. */
  icon?: ReactNode;
  /**
   * `lane` is larger on phones; `shape` shows only the shape and leaves the text to screen readers; `stage` is readable
   * from the back of a room; `small stage` is for several side by side.
   */
  size?: 'normal' | 'lane' | 'shape' | 'stage' | 'small stage';
  /** Classes for the position, never for the appearance. */
  className?: string;
  children: ReactNode;
}

/** A state in a few words, always preceded by a shape. */
export function StatusLabel({ tone, icon, size = 'normal', className, children }: StatusLabelProps) {
  return (
    <span className={cn(statusLabelVariants({ tone, size }), className)}>
      {icon}
      {children}
    </span>
  );
}
