import { useEffect, useRef, type RefObject } from 'react';

import { usePlayground } from '../../../state/react.tsx';
import { paintTrace, type TraceLook, type TracePicture } from './paint-trace.ts';
import { createTraceColumns } from './trace-columns.ts';

const paintEveryMs = 50;

/**
 * Keeps a trace drawn: when its picture is another one, when it is resized, when the cursor moves, and at most
 * twenty times a second while it is alive.
 */
export function useTraceCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  pictureNow: () => TracePicture,
  { look, alive }: { look: TraceLook; alive: boolean },
): void {
  const { inspector } = usePlayground();
  const columns = useRef(createTraceColumns());
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const paint = () => paintTrace(element, columns.current, pictureNow(), look);
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const letGo = inspector.subscribe((state, before) => {
      if (state.cursorMs !== before.cursorMs) paint();
    });
    // The needle of a long clock moves a pixel in many frames: there is nothing to draw between.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = () => {
      const pixelMs = pictureNow().rangeMs / Math.max(1, element.clientWidth);
      timer = setTimeout(step, Math.min(1_000, Math.max(paintEveryMs, pixelMs)));
    };
    const step = () => {
      paint();
      next();
    };
    if (alive) next();
    return () => {
      observer.disconnect();
      theme.disconnect();
      letGo();
      clearTimeout(timer);
    };
  }, [canvas, inspector, pictureNow, look, alive]);
}
