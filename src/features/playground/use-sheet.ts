import { useEffect, useEffectEvent } from 'react';

/** Distance in px that the sheet must be dragged down to close it. */
const minCloseDragPx = 80;

/**
 * Turns a part of the page (`data-sheet`) into a modal sheet while it is open. The rest of the page
 * (`data-behind-sheet`) is inert. Pressing Escape or dragging the sheet's handle (`data-sheet-grip`) down closes it. Focus moves in
 * (`data-sheet-start`) and returns on close.
 */
export function useSheet(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const sheet = document.querySelector<HTMLElement>('[data-sheet]');
    const elementsBehind = document.querySelectorAll<HTMLElement>('[data-behind-sheet]');
    const opener = document.activeElement;
    for (const element of elementsBehind) element.inert = true;
    sheet?.querySelector<HTMLElement>('[data-sheet-start]')?.focus({ preventScroll: true });

    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    let startY: number | undefined;
    const onDragMove = (event: PointerEvent) => {
      if (!sheet || startY === undefined) return;
      sheet.style.translate = `0 ${Math.max(0, event.clientY - startY)}px`;
    };
    const onDragStart = (event: PointerEvent) => {
      const isHead =
        event.target instanceof Element &&
        event.target.closest('[data-sheet-grip]') &&
        !event.target.closest('button');
      if (isHead) startY = event.clientY;
    };
    const onDragEnd = (event: PointerEvent) => {
      if (!sheet || startY === undefined) return;
      const isPastThreshold = event.type === 'pointerup' && event.clientY - startY > minCloseDragPx;
      startY = undefined;
      sheet.style.translate = '';
      if (isPastThreshold) close();
    };
    const abortController = new AbortController();
    const { signal } = abortController;
    document.addEventListener('keydown', onKeyDown, { signal });
    sheet?.addEventListener('pointerdown', onDragStart, { signal });
    document.addEventListener('pointermove', onDragMove, { signal });
    document.addEventListener('pointerup', onDragEnd, { signal });
    document.addEventListener('pointercancel', onDragEnd, { signal });
    return () => {
      abortController.abort();
      for (const element of elementsBehind) element.inert = false;
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [isOpen]);
}
