import { useEffect, useRef, type RefObject } from 'react';

import { usePlayground } from '../../../state/react.tsx';
import { createEasedScale } from './eased-scale.ts';
import { paintTrace, type TraceLook, type TracePicture, type TraceSize } from './paint-trace.ts';
import { onTraceTick } from './trace-clock.ts';
import { createTraceColors } from './trace-colors.ts';
import { createTraceColumns } from './trace-columns.ts';

const longestWaitMs = 1_000;

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
  const scale = useRef(createEasedScale(() => matchMedia('(prefers-reduced-motion: reduce)').matches));
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // Told by the observer when layout is done anyway: asking the element would make the browser lay out the page.
    let size: TraceSize = { width: 0, height: 0 };
    const colors = createTraceColors(element);
    let paintedAtMs = 0;
    let nextFrame = 0;
    const paint = () => {
      paintedAtMs = performance.now();
      const picture = pictureNow();
      const rangeMs = scale.current(picture.rangeMs, paintedAtMs);
      paintTrace(element, columns.current, { ...picture, rangeMs }, { look, ...size, color: colors.of });
      cancelAnimationFrame(nextFrame);
      if (rangeMs !== picture.rangeMs) nextFrame = requestAnimationFrame(paint);
    };
    const observer = new ResizeObserver(([entry]) => {
      if (entry) size = { width: entry.contentRect.width, height: entry.contentRect.height };
      paint();
    });
    observer.observe(element);
    const theme = new MutationObserver(() => {
      colors.forget();
      paint();
    });
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const letGo = inspector.subscribe((state, before) => {
      if (state.cursorMs !== before.cursorMs) paint();
    });
    // The needle of a long clock moves a pixel in many frames: there is nothing to draw between.
    const paintWhenDue = () => {
      const pixelMs = pictureNow().rangeMs / Math.max(1, size.width);
      if (performance.now() - paintedAtMs >= Math.min(longestWaitMs, pixelMs)) paint();
    };
    const stopTicks = alive ? onTraceTick(paintWhenDue) : undefined;
    return () => {
      observer.disconnect();
      theme.disconnect();
      letGo();
      stopTicks?.();
      cancelAnimationFrame(nextFrame);
    };
  }, [canvas, inspector, pictureNow, look, alive]);
}
