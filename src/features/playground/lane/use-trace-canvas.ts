import { useEffect, useRef, type RefObject } from 'react';

import { usePlayground } from '../../../state/use-playground.tsx';
import { paintTrace, type TraceLook, type TracePicture, type TraceSize } from './paint-trace.ts';
import { createTraceColumns } from './trace-columns.ts';

const maxRepaintIntervalMs = 1_000;

/**
 * Keeps a trace drawn: when its picture is another one, when it is resized, when the cursor moves, and at most
 * twenty times a second while it is alive.
 */
export function useTraceCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  getPicture: () => TracePicture,
  { look, isAnimated }: { look: TraceLook; isAnimated: boolean },
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
      const picture = getPicture();
      const rangeMs = scale.current(picture.rangeMs, paintedAtMs);
      paintTrace(element, columns.current, { ...picture, rangeMs }, { look, ...size, getColor: colors.get });
      cancelAnimationFrame(nextFrame);
      if (rangeMs !== picture.rangeMs) nextFrame = requestAnimationFrame(paint);
    };
    const observer = new ResizeObserver(([entry]) => {
      if (entry) size = { width: entry.contentRect.width, height: entry.contentRect.height };
      paint();
    });
    observer.observe(element);
    const themeObserver = new MutationObserver(() => {
      colors.invalidate();
      paint();
    });
    themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const unsubscribe = inspector.subscribe((state, previous) => {
      if (state.cursorMs !== previous.cursorMs) paint();
    });
    // The needle of a long clock moves a pixel in many frames: there is nothing to draw between.
    const paintWhenDue = () => {
      const pixelMs = getPicture().rangeMs / Math.max(1, size.width);
      if (performance.now() - paintedAtMs >= Math.min(maxRepaintIntervalMs, pixelMs)) paint();
    };
    const removePaintListener = isAnimated ? addPaintListener(paintWhenDue) : undefined;
    return () => {
      observer.disconnect();
      themeObserver.disconnect();
      unsubscribe();
      removePaintListener?.();
      cancelAnimationFrame(nextFrame);
    };
  }, [canvas, inspector, getPicture, look, isAnimated]);
}

const easingMs = 200;

/**
 * A scale that reaches a new range in 200 ms instead of a jump; returns the range to draw now. `nowMs` is monotonic.
 * `prefersReducedMotion`: the person wants no motion.
 */
export function createEasedScale(
  prefersReducedMotion: () => boolean,
): (rangeMs: number, nowMs: number) => number {
  let fromRangeMs: number | undefined;
  let toRangeMs: number | undefined;
  let sinceMs = 0;
  return (rangeMs, nowMs) => {
    const progress = Math.min(1, (nowMs - sinceMs) / easingMs);
    const currentRangeMs =
      fromRangeMs === undefined || toRangeMs === undefined
        ? rangeMs
        : fromRangeMs + (toRangeMs - fromRangeMs) * progress;
    if (rangeMs !== toRangeMs) {
      fromRangeMs = toRangeMs === undefined || prefersReducedMotion() ? rangeMs : currentRangeMs;
      toRangeMs = rangeMs;
      sinceMs = nowMs;
      return fromRangeMs;
    }
    return currentRangeMs;
  };
}

const paintIntervalMs = 50;

const paintListeners = new Set<() => void>();
let isPaintScheduled = false;

/**
 * Calls back at most twenty times a second while the page is visible; answers with how to stop that. All who listen are
 * called in one frame: traces that are drawn each at its own time would make the browser draw the page for each.
 */
function addPaintListener(listener: () => void): () => void {
  paintListeners.add(listener);
  if (!isPaintScheduled) schedulePaint();
  return () => {
    paintListeners.delete(listener);
  };
}

function schedulePaint(): void {
  isPaintScheduled = paintListeners.size > 0;
  if (!isPaintScheduled) return;
  setTimeout(() => {
    requestAnimationFrame(() => {
      // First, so that the clock goes on whatever a listener meets.
      schedulePaint();
      for (const listener of paintListeners) listener();
    });
  }, paintIntervalMs);
}

const maxColorAgeMs = 1_000;

/** Custom properties of an element, as text. */
interface TraceColors {
  get: (name: string) => string;
  /** What was read is old: the theme is another one. */
  invalidate: () => void;
}

/**
 * Reads the colors of a trace at most once a second: asking for a style where a container query stands above makes the
 * browser lay out the page, and a trace is drawn while all else grows.
 */
function createTraceColors(element: Element): TraceColors {
  let cachedColors = new Map<string, string>();
  let cachedAtMs = Number.NEGATIVE_INFINITY;
  return {
    get: (name) => {
      if (performance.now() - cachedAtMs > maxColorAgeMs) {
        cachedColors = new Map();
        cachedAtMs = performance.now();
      }
      const value = cachedColors.get(name) ?? getComputedStyle(element).getPropertyValue(name);
      cachedColors.set(name, value);
      return value;
    },
    invalidate: () => {
      cachedAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}
