import { useEffect, useRef, type RefObject } from 'react';

import { createTraceColumns } from '../../../conversation/trace/trace-columns.ts';
import type { TraceVariant, TracePicture, TraceSize } from '../../../conversation/trace/trace-drawing.ts';
import { useRunServices } from '../../../state/contexts.tsx';
import { paintTrace } from './paint-trace.ts';

const maxRepaintIntervalMs = 1_000;

/** Paints a trace whenever its content, size or cursor changes, and at most twenty times a second while it is live. */
export function useTraceCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  getPicture: () => TracePicture,
  { variant, isAnimated }: { variant: TraceVariant; isAnimated: boolean },
): void {
  const { inspector } = useRunServices();
  const columns = useRef(createTraceColumns());
  const scale = useRef(createEasedScale(() => matchMedia('(prefers-reduced-motion: reduce)').matches));
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // Size reported by the observer, because measuring the element would force a layout.
    let size: TraceSize = { width: 0, height: 0 };
    const colors = createTraceColors(element);
    let paintedAtMs = 0;
    let nextFrame = 0;
    const paint = () => {
      paintedAtMs = performance.now();
      const picture = getPicture();
      const rangeMs = scale.current(picture.rangeMs, paintedAtMs);
      paintTrace(
        element,
        columns.current,
        { ...picture, rangeMs },
        { variant, ...size, getColor: colors.get },
      );
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
    // On a long axis the needle takes many frames to move by one pixel; skip the paints between.
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
  }, [canvas, inspector, getPicture, variant, isAnimated]);
}

const easingMs = 200;

/**
 * Creates a scale that eases to a new range within 200 ms and returns the range to draw now. `nowMs` is monotonic. If
 * `prefersReducedMotion` returns true, the range jumps instead.
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
 * Calls a listener at most twenty times a second while the page is visible, and returns a function that removes it. All
 * listeners run in the same frame, because the browser would otherwise render the page once for each trace.
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
      // Scheduled first, so that an error in a listener does not stop the clock.
      schedulePaint();
      for (const listener of paintListeners) listener();
    });
  }, paintIntervalMs);
}

const maxColorAgeMs = 1_000;

/** Cached custom properties of an element, as text. */
interface TraceColors {
  get: (name: string) => string;
  /** Discards the cached values after a theme change. */
  invalidate: () => void;
}

/**
 * Reads the colours of a trace at most once a second. Below a container query, reading a style forces a layout, and
 * traces are painted while the content grows.
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
