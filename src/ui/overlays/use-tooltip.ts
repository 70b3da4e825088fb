import { useEffect, useRef, useState, type PointerEvent, type FocusEvent } from 'react';

const hoverDelayMs = 400;
/** Delay in ms, long enough to move the pointer onto the tooltip. */
const leaveDelayMs = 120;

/**
 * Controls a tooltip: shown on keyboard focus or after hovering for 400 ms; hidden on leave, blur, click and Escape;
 * kept while the pointer is on the tooltip.
 */
export function useTooltip() {
  const [isVisible, setVisible] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const setVisibleLater = (show: boolean, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setVisible(show), delayMs);
  };
  const setVisibleNow = (show: boolean) => {
    clearTimeout(timer.current);
    setVisible(show);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isVisible) return;
    const hideOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setVisible(false);
    };
    document.addEventListener('keydown', hideOnEscape, true);
    return () => document.removeEventListener('keydown', hideOnEscape, true);
  }, [isVisible]);

  return {
    isVisible,
    /** Shows the tooltip immediately, for taps. */
    show: () => setVisibleNow(true),
    anchorProps: {
      onPointerEnter: (event: PointerEvent) => {
        if (event.pointerType === 'mouse') setVisibleLater(true, hoverDelayMs);
      },
      onPointerLeave: () => setVisibleLater(false, leaveDelayMs),
      onPointerDown: () => setVisibleNow(false),
      onFocus: (event: FocusEvent) => {
        // Deferred: if focus returns because a popover closes, a tooltip would be shown while another element is being
        // hidden.
        if (event.target.matches(':focus-visible')) setVisibleLater(true, 0);
      },
      onBlur: () => setVisibleNow(false),
    },
    tipProps: {
      onPointerEnter: () => setVisibleNow(true),
      onPointerLeave: () => setVisibleLater(false, leaveDelayMs),
    },
  };
}
