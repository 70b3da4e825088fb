import { clsx } from 'clsx';
import type { ComponentProps, RefObject } from 'react';

import { useModalDialog } from '../overlays/use-modal-dialog.ts';
import { useStageKeys } from './use-stage-keys.ts';

interface StageDialogProps extends Omit<ComponentProps<'dialog'>, 'onClose'> {
  ref: RefObject<HTMLDialogElement | null>;
  /** True if the content needs the space of the margins. */
  isSmall?: boolean;
  /** True while the hints and the pointer are hidden. */
  areHintsHidden: boolean;
  /** Handles the keys of the stage, except those of fields and of buttons with the focus. */
  onKey: (event: KeyboardEvent) => void;
  onClose: () => void;
}

/** The whole window in large type, for an audience. Its children are a head, the content and the hints. */
export function StageDialog({
  ref,
  isSmall = false,
  areHintsHidden,
  onKey,
  onClose,
  ...rest
}: StageDialogProps) {
  useModalDialog(ref, { shouldFocusDialog: true });
  useStageKeys(ref, onKey);
  return (
    <dialog
      ref={ref}
      className={clsx(
        '@container/stage h-dvh max-h-none w-screen max-w-none grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden',
        'bg-paper text-ink open:grid open:animate-[rise_var(--d-3)_var(--ease-out)]',
        'data-idle:not-has-[footer_:focus-visible]:cursor-none',
        isSmall ? 'px-9 pt-5.5 pb-3' : 'px-12 pt-8 pb-3.5 max-phone:px-4 max-phone:pt-4 max-phone:pb-3',
      )}
      aria-label="Presentation"
      tabIndex={-1}
      data-idle={areHintsHidden || undefined}
      onClose={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      {...rest}
    />
  );
}
