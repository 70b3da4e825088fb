import { useEffect, useEffectEvent } from 'react';

import { isOverlayOpen } from '../../ui/overlays/is-overlay-open.ts';

/** Closes on Escape while open, taking precedence over stopping live runs. The browser restores the focus. */
export function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (isOverlayOpen()) return;
    event.preventDefault();
    close();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const handleKeyDown = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [isOpen]);
}
