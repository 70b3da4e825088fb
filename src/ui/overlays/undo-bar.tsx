import { useRef, useState } from 'react';

import { useCountdown } from '../hooks/use-countdown.ts';
import { useShownPopover } from './use-shown-popover.ts';

/** What can be undone now. A new object starts the 8 seconds over. */
export interface UndoOffer {
  text: string;
  onUndo: () => void;
}

interface UndoBarProps {
  offer: UndoOffer | undefined;
  /** The time is over, or it was undone: take the offer away. */
  onEnd: () => void;
  /** In the page where it stands, over nothing. */
  inline?: boolean;
}

const shownMs = 8000;

/** A bar above everything with one sentence and Undo, for 8 s; pointing at it or focusing it stops the clock. */
export function UndoBar({ offer, onEnd, inline = false }: UndoBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  useShownPopover(offer !== undefined && !inline, bar);
  useCountdown(offer, shownMs, hovered || focused, onEnd);

  return (
    // The region is there before what it says: one that only just appears is not read out.
    <div role="status">
      <div
        ref={bar}
        {...(inline
          ? { className: 'undo placed', hidden: !offer }
          : { className: 'undo', popover: 'manual' })}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <span>{offer?.text}</span>
        <button
          type="button"
          data-harmless
          onClick={() => {
            offer?.onUndo();
            setHovered(false);
            setFocused(false);
            onEnd();
          }}
        >
          Undo
        </button>
      </div>
    </div>
  );
}
