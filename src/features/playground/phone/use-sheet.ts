import { useEffect } from 'react';

import type { ViewStore } from '../../../state/sessions/view-store.ts';

/** How far down the sheet is dragged before letting go closes it, px. */
const closesAfterPx = 80;

/**
 * Makes the parameters a modal sheet while they are open: what lies behind cannot be reached, Escape and a drag of
 * their head downwards close them, and the focus goes in and comes back to where it was.
 */
export function useSheet(isOpen: boolean, view: ViewStore): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = () => view.setState({ parametersOverlay: false });
    const sheet = document.querySelector<HTMLElement>('.workspace-area > .side');
    const behind = document.querySelectorAll<HTMLElement>('.top, .banners, main');
    const opener = document.activeElement;
    for (const element of behind) element.inert = true;
    sheet?.querySelector<HTMLElement>('button.done')?.focus({ preventScroll: true });

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
        event.target instanceof Element && event.target.closest('.side-h') && !event.target.closest('button');
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
  }, [isOpen, view]);
}
