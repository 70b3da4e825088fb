import { useState, type HTMLAttributes, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';

const leastPx = 520;
const stepPx = 32;
/** What stays of the conversation beside it. */
const besidePx = 320;

/** A grip at the edge of the drawer that makes it wider and narrower, by pointer and by arrow keys. */
export function useDrawerWidth(drawer: RefObject<HTMLElement | null>): HTMLAttributes<HTMLDivElement> {
  const [width, setWidth] = useState<number>();
  const most = () => Math.max(leastPx, window.innerWidth - besidePx);
  const resize = (px: number) => {
    const next = Math.round(Math.max(leastPx, Math.min(most(), px)));
    drawer.current?.style.setProperty('--drawer', `${next}px`);
    setWidth(next);
  };
  const widthNow = () => drawer.current?.getBoundingClientRect().width ?? leastPx;
  return {
    role: 'separator',
    tabIndex: 0,
    'aria-label': 'Width of the inspector',
    'aria-orientation': 'vertical',
    'aria-valuemin': leastPx,
    'aria-valuemax': most(),
    'aria-valuenow': Math.min(most(), width ?? 866),
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.preventDefault();
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(window.innerWidth - event.clientX);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = { ArrowLeft: stepPx, ArrowRight: -stepPx }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      resize(widthNow() + step);
    },
  };
}
