export interface PointerHandlers {
  /** What a drag from here does: moves the picture, or draws a line. Places are CSS pixels from the element's corner. */
  onPress: (event: PointerEvent) => 'drag' | 'draw';
  onDrag: (byX: number, byY: number) => void;
  onDraw?: (x: number, y: number) => void;
  /** The line is done; undefined: given up. */
  onDrawn?: (end: 'done' | 'given up') => void;
  /** The wheel or two fingers: grow by a factor about a place. */
  onZoom: (factor: number, x: number, y: number) => void;
  onHover: (x: number, y: number) => void;
  onLeave: () => void;
  /** Pressed and let go without moving. */
  onTap: (x: number, y: number, event: PointerEvent) => void;
}

/** A finger trembles: below this it is not a drag. */
const leastDragPx = 4;

/** Turns pointer and wheel events of an element into moves of its picture. Returns how to stop. */
export function watchPointers(element: HTMLElement, handlers: PointerHandlers): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const down = new Map<number, { x: number; y: number }>();
  let deed: 'none' | 'pressed' | 'drag' | 'draw' | 'pinch' = 'none';
  let wants: 'drag' | 'draw' = 'drag';
  let start = { x: 0, y: 0 };

  const placeOf = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const pinchOf = () => {
    const [one, other] = [...down.values()];
    if (!one || !other) return undefined;
    return {
      x: (one.x + other.x) / 2,
      y: (one.y + other.y) / 2,
      distance: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)),
    };
  };

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      down.set(event.pointerId, placeOf(event));
      if (down.size > 1) {
        if (deed === 'draw') handlers.onDrawn?.('given up');
        deed = 'pinch';
        return;
      }
      start = placeOf(event);
      deed = 'pressed';
      wants = handlers.onPress(event);
    },
    options,
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      const place = placeOf(event);
      const last = down.get(event.pointerId);
      if (!last) {
        if (event.pointerType !== 'touch') handlers.onHover(place.x, place.y);
        return;
      }
      const before = deed === 'pinch' ? pinchOf() : undefined;
      down.set(event.pointerId, place);
      if (deed === 'pinch') {
        const now = pinchOf();
        if (!before || !now) return;
        handlers.onDrag(now.x - before.x, now.y - before.y);
        handlers.onZoom(now.distance / before.distance, now.x, now.y);
        return;
      }
      if (deed === 'pressed' && Math.hypot(place.x - start.x, place.y - start.y) >= leastDragPx) {
        deed = wants;
        if (deed === 'draw') handlers.onDraw?.(start.x, start.y);
      }
      if (deed === 'drag') handlers.onDrag(place.x - last.x, place.y - last.y);
      if (deed === 'draw') handlers.onDraw?.(place.x, place.y);
    },
    options,
  );
  const onEnd = (event: PointerEvent, end: 'done' | 'given up') => {
    if (!down.delete(event.pointerId)) return;
    if (deed === 'draw') handlers.onDrawn?.(end);
    if (deed === 'pressed' && end === 'done') {
      const { x, y } = placeOf(event);
      handlers.onTap(x, y, event);
    }
    // After a pinch the finger that is left does nothing until it is lifted.
    deed = down.size > 0 ? 'pinch' : 'none';
  };
  element.addEventListener('pointerup', (event) => onEnd(event, 'done'), options);
  element.addEventListener('pointercancel', (event) => onEnd(event, 'given up'), options);
  element.addEventListener('pointerleave', () => handlers.onLeave(), options);
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { x, y } = placeOf(event);
      // Lines and pages count as many pixels; a pinch on a touchpad comes as a wheel with Ctrl, in small steps.
      const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 16 : 400;
      handlers.onZoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)), x, y);
    },
    { ...options, passive: false },
  );
  return () => stop.abort();
}
