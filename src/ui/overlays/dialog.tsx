import { cva } from 'class-variance-authority';
import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';

import { cn } from '../cn.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { X } from '../icons.tsx';
import { showModal } from './use-modal-dialog.ts';

interface DialogProps {
  /** The heading and accessible name. */
  title: string;
  /** Called on Escape, the close button and a click outside. The caller must then stop rendering the dialog. */
  onClose: () => void;
  /** Shown beside the title. */
  note?: ReactNode;
  footer?: ReactNode;
  /** 960 px wide instead of 560. */
  isWide?: boolean;
  /**
   * Uses the full height of the viewport, and all of a small one. The content reaches the edges and scrolls on its own.
   */
  isFullHeight?: boolean;
  /** Classes for a different width. */
  className?: string;
  children: ReactNode;
}

const dialogVariants = cva(
  [
    'm-auto max-h-[min(760px,calc(100dvh-48px))] max-w-none flex-col overflow-hidden rounded-4 border border-line-2 bg-paper p-0',
    'text-left font-sans text-13 whitespace-normal text-ink shadow-e-3 backdrop:bg-scrim open:flex open:animate-rise',
  ],
  {
    variants: {
      isFullHeight: {
        true: 'h-dvh max-[760px]:max-h-none max-[760px]:w-screen max-[760px]:rounded-none',
        false:
          'max-phone:mx-0 max-phone:mt-auto max-phone:mb-0 max-phone:max-h-[calc(100dvh-40px)] max-phone:w-screen max-phone:rounded-b-none',
      },
      isWide: { true: 'w-[min(960px,calc(100vw-32px))]', false: 'w-[min(560px,calc(100vw-32px))]' },
    },
  },
);

/**
 * Ref of the first element inside a dialog. React focuses an `autoFocus` field after this ref and before that of the
 * dialog, and a field in a closed dialog cannot have the focus. A stable callback: React calls a new ref on each
 * render, and opening again would take focus from the fields.
 */
const openWhileMounted = (header: HTMLElement | null) => {
  const dialog = header?.closest('dialog');
  return dialog ? showModal(dialog) : undefined;
};

/** A modal dialog that is open while rendered. Focus moves in and returns on close; the page behind it is inert. */
export function Dialog({
  title,
  onClose,
  note,
  footer,
  isWide = false,
  isFullHeight = false,
  className,
  children,
}: DialogProps) {
  const titleId = useId();
  return (
    <dialog
      className={cn(dialogVariants({ isFullHeight, isWide }), className)}
      aria-labelledby={titleId}
      closedby="any"
      // Escape closes only the dialog.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      onClose={(event) => {
        // `close` fires late, so a dialog that has been opened again stays open.
        if (event.target === event.currentTarget && !event.currentTarget.open) onClose();
      }}
    >
      <header
        ref={openWhileMounted}
        className="flex items-center gap-2 pt-3.5 pr-3 pb-3 pl-5 max-phone:flex-wrap"
      >
        <h2 id={titleId} className="text-18 tracking-[-0.008em]">
          {title}
        </h2>
        {note}
        <span className="flex-1" />
        <IconButton label="Close" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </header>
      <div
        className={clsx(
          'min-h-0 flex-1 [scrollbar-width:thin] overflow-y-auto overscroll-contain',
          isFullHeight ? 'flex flex-col' : 'px-5 pt-1 pb-5',
        )}
      >
        {children}
      </div>
      {footer && (
        <footer
          className={clsx(
            'flex items-center justify-end gap-2 border-t border-line bg-bench',
            isFullHeight ? 'px-4 py-2.5' : 'px-5 py-3',
          )}
        >
          {footer}
        </footer>
      )}
    </dialog>
  );
}
