export interface PointerHandlers {
  /**
   * Returns whether a drag from here moves the view or draws a line. Positions are in CSS pixels from the element's top
   * left corner.
   */
  onPress: (event: PointerEvent) => 'drag' | 'draw';
  onDrag: (byX: number, byY: number) => void;
  onDraw?: (x: number, y: number) => void;
  /** Called when the line is finished or cancelled. */
  onDrawEnd?: (end: 'done' | 'cancelled') => void;
  /** Zooms by a factor about a position, for the wheel or a pinch. */
  onZoom: (factor: number, x: number, y: number) => void;
  onHover: (x: number, y: number) => void;
  onLeave: () => void;
  /** Handles a press and release without movement. */
  onTap: (x: number, y: number, event: PointerEvent) => void;
}

/** Minimum distance of a drag, in px; smaller movements of a finger are ignored. */
const minDragPx = 4;

/**
 * Turns pointer and wheel events of an element into movements of its view. Returns a function that removes the
 * listeners.
 */
export function watchPointers(element: HTMLElement, handlers: PointerHandlers): () => void {
  const abortController = new AbortController();
  const options = { signal: abortController.signal };
  const pressedPointers = new Map<number, { x: number; y: number }>();
  let gesture: 'none' | 'pressed' | 'drag' | 'draw' | 'pinch' = 'none';
  let dragGesture: 'drag' | 'draw' = 'drag';
  let start = { x: 0, y: 0 };

  const getPointerPosition = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const getPinch = () => {
    const [first, second] = [...pressedPointers.values()];
    if (!first || !second) return undefined;
    return {
      x: (first.x + second.x) / 2,
      y: (first.y + second.y) / 2,
      distance: Math.max(1, Math.hypot(first.x - second.x, first.y - second.y)),
    };
  };

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      pressedPointers.set(event.pointerId, getPointerPosition(event));
      if (pressedPointers.size > 1) {
        if (gesture === 'draw') handlers.onDrawEnd?.('cancelled');
        gesture = 'pinch';
        return;
      }
      start = getPointerPosition(event);
      gesture = 'pressed';
      dragGesture = handlers.onPress(event);
    },
    options,
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      const position = getPointerPosition(event);
      const previousPosition = pressedPointers.get(event.pointerId);
      if (!previousPosition) {
        if (event.pointerType !== 'touch') handlers.onHover(position.x, position.y);
        return;
      }
      const previousPinch = gesture === 'pinch' ? getPinch() : undefined;
      pressedPointers.set(event.pointerId, position);
      if (gesture === 'pinch') {
        const pinch = getPinch();
        if (!previousPinch || !pinch) return;
        handlers.onDrag(pinch.x - previousPinch.x, pinch.y - previousPinch.y);
        handlers.onZoom(pinch.distance / previousPinch.distance, pinch.x, pinch.y);
        return;
      }
      if (gesture === 'pressed' && Math.hypot(position.x - start.x, position.y - start.y) >= minDragPx) {
        gesture = dragGesture;
        if (gesture === 'draw') handlers.onDraw?.(start.x, start.y);
      }
      if (gesture === 'drag')
        handlers.onDrag(position.x - previousPosition.x, position.y - previousPosition.y);
      if (gesture === 'draw') handlers.onDraw?.(position.x, position.y);
    },
    options,
  );
  const handlePointerEnd = (event: PointerEvent, end: 'done' | 'cancelled') => {
    if (!pressedPointers.delete(event.pointerId)) return;
    if (gesture === 'draw') handlers.onDrawEnd?.(end);
    if (gesture === 'pressed' && end === 'done') {
      const { x, y } = getPointerPosition(event);
      handlers.onTap(x, y, event);
    }
    // After a pinch, the remaining finger is ignored until it is lifted.
    gesture = pressedPointers.size > 0 ? 'pinch' : 'none';
  };
  element.addEventListener('pointerup', (event) => handlePointerEnd(event, 'done'), options);
  element.addEventListener('pointercancel', (event) => handlePointerEnd(event, 'cancelled'), options);
  element.addEventListener('pointerleave', () => handlers.onLeave(), options);
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { x, y } = getPointerPosition(event);
      // Lines and pages are converted to pixels. A touchpad pinch arrives as small wheel steps with Ctrl.
      const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 16 : 400;
      handlers.onZoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)), x, y);
    },
    { ...options, passive: false },
  );
  return () => abortController.abort();
}
