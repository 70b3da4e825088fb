import { X } from 'lucide-react';
import { useId, type ReactNode } from 'react';

import { IconButton } from '../controls/icon-button.tsx';

interface DialogProps {
  /** The heading, and the accessible name. */
  title: string;
  /** Called on Escape, the close button and a click outside. Stop rendering the dialog then. */
  onClose: () => void;
  /** Beside the title. */
  note?: ReactNode;
  footer?: ReactNode;
  /** 960 px instead of 560. */
  wide?: boolean;
  /** Of a size of its own. */
  className?: string;
  children: ReactNode;
}

/** A modal dialog, open while it is rendered. Focus goes in and comes back to where it was; the page behind is inert. */
export function Dialog({
  title,
  onClose,
  note,
  footer,
  wide = false,
  className = '',
  children,
}: DialogProps) {
  const titleId = useId();
  return (
    <dialog
      className={`dlg ${wide ? 'wide' : ''} ${className}`}
      aria-labelledby={titleId}
      closedby="any"
      ref={(dialog) => {
        if (!dialog) return;
        if (!dialog.open) dialog.showModal();
        return () => dialog.close();
      }}
      // Escape belongs to the dialog, not to the page below it.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      onClose={(event) => {
        // `close` comes late: a dialog that has been shown again since then stays.
        if (event.target === event.currentTarget && !event.currentTarget.open) onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {note}
        <span className="grow" />
        <IconButton label="Close" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          <X className="i" aria-hidden />
        </IconButton>
      </header>
      <div className="dlg-b">{children}</div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  );
}
