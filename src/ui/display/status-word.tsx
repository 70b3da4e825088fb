import type { ReactNode } from 'react';

interface StatusWordProps {
  /** live draws its own lamp; the others need an icon, since colour never speaks alone. */
  tone: 'live' | 'ok' | 'warn' | 'err' | 'plain';
  /** An icon with class `i`. */
  icon?: ReactNode;
  children: ReactNode;
}

/** A state in one or a few words, always with a shape before them. */
export function StatusWord({ tone, icon, children }: StatusWordProps) {
  return (
    <span className={`st ${tone}`}>
      {icon}
      {children}
    </span>
  );
}
