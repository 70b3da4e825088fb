import { cva } from 'class-variance-authority';
import { clsx } from 'clsx';
import { useLayoutEffect, useRef, useState, useEffect, useEffectEvent } from 'react';

import { getNextFocusAttributes, type FocusTarget } from '../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';

/** The action that can be undone now. A new object restarts the 8 seconds. */
export interface UndoAction {
  text: string;
  onUndo: () => void;
}

interface UndoBarProps {
  undoAction: UndoAction | undefined;
  /** Called after 8 s or after undo. The caller must then remove the bar. */
  onEnd: () => void;
  /** Placed within the page flow, so that the bar covers nothing. */
  isInline?: boolean;
  /** Receives the focus after Undo; by default the part that contains the bar. */
  nextFocus?: FocusTarget;
}

const visibleMs = 8000;

const undoBarVariants = cva('items-center gap-2.5 bg-ink py-2 font-sans text-on-ink', {
  variants: {
    position: {
      /** A slot of the container, in which the bar covers nothing. */
      inline: 'mx-3 mb-3 flex rounded-3 pr-2 pl-3 text-12 leading-4.25',
      /** A place above the composer, if there is one, so that its buttons stay visible. */
      floating: [
        'fixed inset-[auto_auto_120px_50%] m-0 w-max max-w-[calc(100vw-32px)] -translate-x-1/2 rounded-2 px-3 text-13 shadow-e-2',
        'open:flex supports-[bottom:anchor(--composer_top)]:bottom-[anchor(--composer_top,16px)]',
        'supports-[bottom:anchor(--composer_top)]:mb-2',
      ],
    },
  },
});

/**
 * A bar above all other content with a message and an Undo button, shown for 8 s. Hovering or focusing it pauses the
 * timer.
 */
export function UndoBar({ undoAction, onEnd, isInline = false, nextFocus }: UndoBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isFloating = undoAction !== undefined && !isInline;
  useLayoutEffect(() => {
    const element = bar.current;
    if (!isFloating || !element) return;
    element.showPopover();
    return () => element.hidePopover();
  }, [isFloating]);
  useCountdown(undoAction, visibleMs, isHovered || isFocused, onEnd);

  return (
    // The region must exist before its text, because screen readers skip a region that has just appeared.
    <div role="status">
      <div
        ref={bar}
        {...(isInline
          ? { className: undoBarVariants({ position: 'inline' }), hidden: !undoAction }
          : { className: undoBarVariants({ position: 'floating' }), popover: 'manual' })}
        onPointerEnter={() => setIsHovered(true)}
        onPointerLeave={() => setIsHovered(false)}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
      >
        <span className={clsx(isInline && 'min-w-0 flex-1 wrap-anywhere')}>{undoAction?.text}</span>
        {undoAction && (
          <button
            ref={moveFocusOnRemoval}
            {...(nextFocus && getNextFocusAttributes(nextFocus))}
            type="button"
            className={clsx(
              'font-600 underline underline-offset-2 focus-visible:outline-on-ink',
              isInline ? 'h-7 flex-none px-2' : 'min-h-6 px-1',
            )}
            onClick={() => {
              undoAction.onUndo();
              setIsHovered(false);
              setIsFocused(false);
              onEnd();
            }}
          >
            Undo
          </button>
        )}
      </div>
    </div>
  );
}

/** Calls `onEnd` after `durationMs`, not counting time spent paused. A new `key` restarts the countdown. */
function useCountdown(key: unknown, durationMs: number, isPaused: boolean, onEnd: () => void): void {
  const remainingMs = useRef(durationMs);
  const notifyEnd = useEffectEvent(onEnd);

  useEffect(() => {
    remainingMs.current = durationMs;
  }, [key, durationMs]);

  useEffect(() => {
    if (key === undefined || isPaused) return;
    const startedAt = performance.now();
    const timer = setTimeout(() => notifyEnd(), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current = Math.max(0, remainingMs.current - (performance.now() - startedAt));
    };
  }, [key, isPaused, durationMs]);
}
