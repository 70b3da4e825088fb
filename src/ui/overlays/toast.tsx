import { cva, type VariantProps } from 'class-variance-authority';
import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

const toastVariants = cva('pointer-events-auto flex items-center gap-2.5 py-2 font-sans', {
  variants: {
    tone: {
      note: 'bg-ink text-on-ink',
      problem: 'bg-err-wash text-ink inset-ring inset-ring-err-ink/40',
    },
    position: {
      /** A slot of the container, in which the toast covers nothing. */
      inline: 'mx-3 mb-3 rounded-3 pr-2 pl-3 text-12 leading-4.25',
      floating: 'rounded-2 px-3 text-13 shadow-e-2',
    },
  },
  defaultVariants: { tone: 'note', position: 'floating' },
});

interface ToastProps extends VariantProps<typeof toastVariants> {
  /** The message; a new object restarts the time. */
  message: object;
  /** Time in ms after which the toast ends; undefined if it stays. */
  durationMs: number | undefined;
  onEnd: () => void;
  children: ReactNode;
}

/** A message that ends by itself. Hovering or focusing it pauses the timer. */
export function Toast({ message, durationMs, onEnd, children, ...variants }: ToastProps) {
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  useCountdown(message, durationMs, isHovered || isFocused, onEnd);
  return (
    <div
      className={toastVariants(variants)}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
    >
      {children}
    </div>
  );
}

/** Calls `onEnd` after `durationMs`, not counting time spent paused. A new `key` restarts the countdown. */
function useCountdown(
  key: object,
  durationMs: number | undefined,
  isPaused: boolean,
  onEnd: () => void,
): void {
  const remainingMs = useRef(0);
  const notifyEnd = useEffectEvent(onEnd);

  useEffect(() => {
    remainingMs.current = durationMs ?? 0;
  }, [key, durationMs]);

  useEffect(() => {
    if (durationMs === undefined || isPaused) return;
    const startedAt = performance.now();
    const timer = setTimeout(() => notifyEnd(), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current = Math.max(0, remainingMs.current - (performance.now() - startedAt));
    };
  }, [key, isPaused, durationMs]);
}

interface ToastAreaProps {
  /** The newest message. Each one moves the area above dialogs that opened since the previous one. */
  newest: object | undefined;
  children: ReactNode;
}

/**
 * Shows toasts above all other content: at the right edge of the composer, above the metrics of the lanes, or in a
 * corner of screens without a composer. Always open, because screen readers skip a status region that has just appeared.
 */
export function ToastArea({ newest, children }: ToastAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    // Closing it would take the focus away from its buttons.
    if (!element || element.contains(document.activeElement)) return;
    element.hidePopover();
    element.showPopover();
  }, [newest]);
  return (
    <div
      ref={area}
      popover="manual"
      className={clsx(
        'pointer-events-none fixed inset-[auto_12px_16px_auto] m-0 flex w-max max-w-[min(820px,calc(100vw-24px))] flex-col items-end gap-2',
        'overflow-visible border-0 bg-transparent p-0 print:hidden',
        'supports-[bottom:anchor(--bottom-bar_top)]:right-[anchor(--composer-field_right,12px)]',
        'supports-[bottom:anchor(--bottom-bar_top)]:bottom-[calc(8px+anchor(--lane-metrics_top,anchor(--bottom-bar_top,8px)))]',
        // Positions of anchors do not include the shift of the sticky bars of a flat window.
        'flat:supports-[bottom:anchor(--bottom-bar_top)]:bottom-23',
      )}
    >
      {children}
    </div>
  );
}
