import type { ReactNode } from 'react';

import { classes } from '../classes.ts';

interface StatusWordProps {
  /** live draws its own lamp; the others need an icon, since colour never speaks alone. */
  tone: 'live' | 'ok' | 'warn' | 'err' | 'plain';
  /** An icon; it is drawn 14 px wide. */
  icon?: ReactNode;
  /** Where it stands, never how it looks. */
  className?: string;
  children: ReactNode;
}

const tones = {
  plain: 'text-ink-2',
  live: classes(
    'text-needle-ink before:size-2 before:rounded-[2px] before:bg-needle motion-safe:before:animate-lamp',
    'forced-colors:before:border forced-colors:before:border-[CanvasText]',
  ),
  ok: 'text-ok-ink',
  warn: 'text-warn-ink',
  err: 'text-err-ink',
};

/** A state in one or a few words, always with a shape before them. */
export function StatusWord({ tone, icon, className, children }: StatusWordProps) {
  return (
    <span
      className={classes(
        `st ${tone} inline-flex items-center gap-1.5 font-sans text-12 font-500 whitespace-nowrap`,
        '[&_svg]:size-3.5 [&_svg]:stroke-[1.9]',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
