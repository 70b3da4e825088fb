import { Popover } from '@base-ui/react/popover';
import { useRef, type ReactNode, type RefObject } from 'react';

import type { MenuPlacement } from './menu.tsx';
import { getPortalProps, Popup, positionerProps } from './popup.tsx';

interface PopoverPanelProps {
  /** Accessible name. */
  label: string;
  /** The button that opens the panel. The panel returns the focus to it. */
  button: RefObject<HTMLButtonElement | null>;
  placement?: MenuPlacement;
  /** Called on Escape and a click outside. The caller must then stop rendering the panel. */
  onClose: () => void;
  className?: string;
  children: ReactNode;
}

/** A panel beside its button that is open while rendered. The focus moves in; the rest of the page stays usable. */
export function PopoverPanel({
  label,
  button,
  placement = 'end',
  onClose,
  className,
  children,
}: PopoverPanelProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root
      open
      onOpenChange={(_, { reason, event }) => {
        // Escape closes only the panel, and a click on the button closes it on its own.
        if (reason === 'escape-key') event.preventDefault();
        const isInButton = event.target instanceof Node && button.current?.contains(event.target);
        if (reason === 'escape-key' || !isInButton) onClose();
      }}
    >
      <Popover.Portal {...getPortalProps(button.current)}>
        <Popover.Positioner {...positionerProps} anchor={button} align={placement}>
          <Popover.Popup
            ref={popup}
            aria-label={label}
            initialFocus={popup}
            finalFocus={button}
            className={className}
            render={<Popup />}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
