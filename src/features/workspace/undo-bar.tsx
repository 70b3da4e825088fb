import { clsx } from 'clsx';

import { getNextFocusAttributes, type FocusTarget } from '../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';
import { Toast } from '../../ui/overlays/toast.tsx';

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

/** A message with an Undo button, shown for 8 s. Hovering or focusing it pauses the timer. */
export function UndoBar({ undoAction, onEnd, isInline = false, nextFocus }: UndoBarProps) {
  return (
    // The region must exist before its text, because screen readers skip a region that has just appeared.
    <div role="status">
      {undoAction && (
        <Toast
          message={undoAction}
          durationMs={visibleMs}
          onEnd={onEnd}
          position={isInline ? 'inline' : 'floating'}
        >
          <span className={clsx(isInline && 'min-w-0 flex-1 wrap-anywhere')}>{undoAction.text}</span>
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
              onEnd();
            }}
          >
            Undo
          </button>
        </Toast>
      )}
    </div>
  );
}
