import type { ReactNode } from 'react';

import { cn } from '../../../ui/cn.ts';

interface AttachmentRowProps {
  /** What it is, for screen readers, where the row is a group. */
  label?: string;
  /** The picture, or what stands for it: with the look of a thumbnail. */
  thumb: ReactNode;
  name: string;
  /** What the name is short for. */
  title?: string | undefined;
  /** Beside the name: one line that is cut, or as many as it takes. */
  note: ReactNode;
  isOneLine?: boolean;
  /** What can be done with it. */
  children: ReactNode;
}

/** The look of the picture at the start of a row, or of an icon in its place. */
export const thumbLook = cn(
  'grid h-8 w-11.5 flex-none place-items-center rounded-2 border border-line-2 bg-paper object-cover text-ink-3',
);

/** One thing that goes with a message. */
export function AttachmentRow({
  label,
  thumb,
  name,
  title,
  note,
  isOneLine = false,
  children,
}: AttachmentRowProps) {
  return (
    <div
      className="mx-2 mt-2 flex items-center gap-2.5"
      role={label === undefined ? undefined : 'group'}
      aria-label={label}
    >
      {thumb}
      <p className={cn('min-w-0 text-12/5 text-ink-3 normal-nums', isOneLine ? 'truncate' : 'wrap-anywhere')}>
        <b title={title} className="mr-1 font-550 text-ink">
          {name}
        </b>{' '}
        {note}
      </p>
      <span className="min-w-0 flex-1" />
      {children}
    </div>
  );
}

/** A line between the rows: what is to be said or done before the message goes out. */
export function AttachmentLine({ children }: { children: ReactNode }) {
  return (
    <div className="mx-2 mt-2 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-12 text-ink-3 normal-nums">
      {children}
    </div>
  );
}
