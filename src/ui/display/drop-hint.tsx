import type { ReactNode } from 'react';

/** Covers the page below the top bar while a file is dragged over it. */
export function DropHint({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed inset-2 top-14 z-30 grid place-items-center rounded-3 border-2 border-dashed border-edge bg-paper/92 text-18">
      {children}
    </div>
  );
}
