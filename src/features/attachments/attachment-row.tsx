import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { IconButton } from '../../ui/controls/icon-button.tsx';
import { anyTextArea, createFocusTarget, getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { X } from '../../ui/icons.tsx';

interface AttachmentRowProps {
  /** Accessible name if the row is a group. */
  label?: string;
  /** Image or icon at the start of the row. */
  thumb: ReactNode;
  name: string;
  /** Full text of a shortened name. */
  title?: string | undefined;
  /** Note beside the name. */
  note: ReactNode;
  /** Truncates the name and the note, which phones show below each other. */
  isOneLine?: boolean;
  /** Actions on the attachment. */
  children: ReactNode;
}

const removeButton = createFocusTarget('remove attachment');

/** Button that removes an attachment. The next one, or the message, then has the focus. */
export function RemoveAttachmentButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <IconButton
      label={label}
      size="small"
      {...removeButton.attributes}
      {...getNextFocusAttributes(removeButton, anyTextArea)}
      onClick={onRemove}
    >
      <X className="icon-14" aria-hidden />
    </IconButton>
  );
}

/** Row of an attachment. */
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
      <span className="grid h-8 w-11.5 flex-none place-items-center overflow-hidden rounded-2 border border-line-2 bg-paper text-ink-3">
        {thumb}
      </span>
      <p
        className={clsx(
          'min-w-0 text-12/5 text-ink-3 normal-nums',
          isOneLine ? 'flex gap-x-1.5 max-phone:flex-col' : 'wrap-anywhere',
        )}
      >
        <b
          title={title}
          className={clsx(
            'font-550 text-ink',
            isOneLine ? 'max-w-2/3 flex-none truncate max-phone:max-w-full' : 'mr-1',
          )}
        >
          {name}
        </b>{' '}
        {isOneLine ? <span className="truncate">{note}</span> : note}
      </p>
      <span className="min-w-0 flex-1" />
      {children}
    </div>
  );
}

/** Line between the rows: a note or action before sending. */
export function AttachmentLine({ children }: { children: ReactNode }) {
  return (
    <div className="mx-2 mt-2 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-12 text-ink-3 normal-nums">
      {children}
    </div>
  );
}
