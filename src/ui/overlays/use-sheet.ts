import { useEffect, useEffectEvent } from 'react';

/** How far down the sheet is dragged before letting go closes it, px. */
const closesAfterPx = 80;

/**
 * Makes a part of the page (`data-sheet`) a modal sheet while it is open: what lies behind (`data-behind-sheet`) cannot
 * be reached, Escape and a drag of its head (`data-sheet-grip`) downwards close it, and the focus goes in
 * (`data-sheet-start`) and comes back to where it was.
 */
export function useSheet(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const sheet = document.querySelector<HTMLElement>('[data-sheet]');
    const behind = document.querySelectorAll<HTMLElement>('[data-behind-sheet]');
    const opener = document.activeElement;
    for (const element of behind) element.inert = true;
    sheet?.querySelector<HTMLElement>('[data-sheet-start]')?.focus({ preventScroll: true });

    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    let fromY: number | undefined;
    const drag = (event: PointerEvent) => {
      if (!sheet || fromY === undefined) return;
      sheet.style.translate = `0 ${Math.max(0, event.clientY - fromY)}px`;
    };
    const start = (event: PointerEvent) => {
      const isHead =
        event.target instanceof Element &&
        event.target.closest('[data-sheet-grip]') &&
        !event.target.closest('button');
      if (isHead) fromY = event.clientY;
    };
    const end = (event: PointerEvent) => {
      if (!sheet || fromY === undefined) return;
      const isFar = event.type === 'pointerup' && event.clientY - fromY > closesAfterPx;
      fromY = undefined;
      sheet.style.translate = '';
      if (isFar) close();
    };
    const gone = new AbortController();
    const { signal } = gone;
    document.addEventListener('keydown', onKeyDown, { signal });
    sheet?.addEventListener('pointerdown', start, { signal });
    document.addEventListener('pointermove', drag, { signal });
    document.addEventListener('pointerup', end, { signal });
    document.addEventListener('pointercancel', end, { signal });
    return () => {
      gone.abort();
      for (const element of behind) element.inert = false;
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [isOpen]);
}
