import { useEffect, useMemo, useRef } from 'react';

import type { Point, UmapFrame, UmapSettings } from '../../../embedding/engine/engine.ts';
import { alignMap } from '../../../embedding/maps/align-map.ts';
import { useSettled } from '../../../ui/hooks/use-debounced-value.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useVectors, viewOf, type ShownView } from '../views/use-vectors.ts';

export interface MapPoints {
  /** `x, y` by row. */
  xy: Float32Array;
  /** Share of the variance of each axis, 0 to 1; absent where the axes mean nothing. */
  explained?: { x: number; y: number };
  /** Turned, so that it lies like the map of the full size. */
  isTurned: boolean;
  query?: Point | undefined;
}

const lastPoint = (xy: Float32Array): Point => ({ x: xy.at(-2) ?? 0, y: xy.at(-1) ?? 0 });

/** The PCA map of the vectors on show; `isLast`: still that of the size before. Of shorter vectors it is turned to lie like the full one, with the query where there is one. */
export function usePcaMap(shown: ShownView, query?: { input: string; vector: Float32Array }) {
  const isCut = shown.dimensions < shown.set.dimensions;
  const full = useVectors(viewOf(shown.set), ['pca'], (engine, view, signal) => engine.pca(view, { signal }));
  const cut = useVectors(shown, ['turned'], (engine, view, signal) => engine.pca(view, { signal }), {
    isWanted: isCut,
    keepsLast: true,
  });
  const turned = isCut ? cut.data : undefined;
  const isLast = isCut && (!turned || cut.isPlaceholderData);
  const place = useVectors(
    shown,
    ['project', query?.input ?? ''],
    async (engine, view) => await engine.project(view, query?.vector ?? new Float32Array()),
    // The engine projects onto the map that it made last of this view.
    { isWanted: query !== undefined && full.data !== undefined && !isLast },
  ).data;
  const whole = full.data;
  const at = query && place;
  const map = useMemo((): MapPoints | undefined => {
    if (!whole) return undefined;
    if (!turned) return { xy: whole.points, explained: whole.explained, isTurned: false, query: at };
    const { points, explained } = turned;
    const moved = new Float32Array(points.length + (at ? 2 : 0));
    moved.set(points);
    if (at) moved.set([at.x, at.y], points.length);
    const xy = alignMap(whole.points, moved).points;
    return { xy: xy.subarray(0, points.length), explained, isTurned: true, query: at && lastPoint(xy) };
  }, [turned, whole, at]);
  return { map, isLast, problem: (full.error ?? cut.error)?.message };
}

/** How often the number of rounds is told; the picture moves with every frame. */
const toldEveryMs = 200;

/**
 * The UMAP layout of the vectors on show, computed once for each size and setting. `onFrame` sees it move, unless
 * motion is unwanted: frames go to the picture past React.
 */
export function useUmapMap(
  shown: ShownView | undefined,
  isWanted: boolean,
  onFrame: (frame: UmapFrame) => void,
): { points: Float32Array | undefined; settings: UmapSettings; problem: string | undefined } {
  const { changeMap } = useLab();
  // Not at each digit that is typed.
  const settings = useSettled(
    useLabState((state) => state.map.umap),
    400,
  );
  const seen = useRef(onFrame);
  useEffect(() => {
    seen.current = onFrame;
  });
  // A slider that moves would begin a layout at each stop.
  const isSettled = useSettled(shown, 250) === shown;
  const { data, error } = useVectors(
    shown,
    ['umap', settings.neighbours, settings.minDistance, settings.seed],
    async (engine, view, signal) => {
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      let toldAt = 0;
      changeMap({ progress: undefined });
      return await engine.umap(view, settings, {
        signal,
        onFrame: (frame) => {
          if (signal.aborted) return;
          if (!isStill) seen.current(frame);
          if (performance.now() - toldAt < toldEveryMs) return;
          toldAt = performance.now();
          changeMap({ progress: { epoch: frame.epoch, epochs: frame.epochs } });
        },
      });
    },
    { isWanted: isWanted && isSettled },
  );
  return { points: data?.points, settings, problem: error?.message };
}
