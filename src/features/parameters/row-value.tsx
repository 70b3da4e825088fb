import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import type { RowControlProps } from './row-control.ts';

interface RowValueProps {
  control: Pick<RowControlProps, 'isSent' | 'isBoxed' | 'row'>;
  /** Classes for the position, never for the style. */
  className?: string;
  children: ReactNode;
}

/**
 * Content on the right of a row or in a lane's small box; grey text if no value is sent. Text that only says so appears
 * while the row is hovered or focused, because the checkbox says it too.
 */
export function RowValue({ control: { isSent, isBoxed, row }, className, children }: RowValueProps) {
  const isInformative = isSent || isBoxed || row.demoDefault !== undefined;
  const hasOwnControl = row.control.type === 'switch' || row.control.type === 'tools';
  return (
    <span
      className={clsx(
        'flex min-w-0 items-center gap-1.5',
        (isBoxed || !isSent) && 'text-12 text-ink-3 normal-nums',
        !isBoxed && clsx('justify-end', !isSent && 'max-phone:text-[14px]'),
        !isInformative && !hasOwnControl && 'group-not-[:hover,:focus-within]/parameter:opacity-0',
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Note next to a value or in place of it. */
export function RowNote({ children }: { children: ReactNode }) {
  return <span className="text-12 whitespace-nowrap text-ink-3 normal-nums">{children}</span>;
}
