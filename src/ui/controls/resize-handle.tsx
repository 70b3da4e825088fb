import { useState, type ComponentProps, type PointerEvent } from 'react';

import { cn } from '../cn.ts';

interface ResizeHandleProps extends ComponentProps<'div'> {
  /** Returns the current width of the resized element, in px. */
  getWidth: () => number;
  onWidth: (width: number) => void;
}

/** Strip at the right edge of an element that resizes it by dragging. */
export function ResizeHandle({ getWidth, onWidth, className, ...rest }: ResizeHandleProps) {
  const [drag, setDrag] = useState<{ fromX: number; width: number }>();
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ fromX: event.clientX, width: getWidth() });
  };
  return (
    <div
      role="presentation"
      // Prevents a native drag of the header that lies under the pointer once the handle has moved.
      onMouseDown={(event) => event.preventDefault()}
      {...rest}
      data-dragged={drag !== undefined || undefined}
      className={cn(
        'absolute inset-y-0 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 hover:after:bg-edge focus-visible:outline-none focus-visible:after:bg-ink data-dragged:after:bg-ink',
        className,
      )}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        // A click without movement may be the first half of a double-click.
        if (drag && Math.abs(event.clientX - drag.fromX) > 2)
          onWidth(drag.width + event.clientX - drag.fromX);
      }}
      onPointerUp={() => setDrag(undefined)}
      onPointerCancel={() => setDrag(undefined)}
    />
  );
}
