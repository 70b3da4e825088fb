import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useStore } from 'zustand';

import { alignMap } from '../../../embedding/align-map.ts';
import type { Point, UmapFrame, UmapMap } from '../../../embedding/engine.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import { useLab } from '../use-lab.ts';
import { mapStore } from './map-store.ts';
import { useVectors, viewOf, type ShownView } from './use-vectors.ts';

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

/** The PCA map of the vectors on show. Of shorter vectors it is turned to lie like the full one, with the query where there is one. */
export function usePcaMap(shown: ShownView | undefined, query?: { input: string; vector: Float32Array }) {
  const uncut = shown && viewOf(shown.set);
  const isCut = shown !== undefined && shown.dimensions < shown.set.dimensions;
  const full = useVectors(uncut, ['pca'], (engine, view, signal) => engine.pca(view, { signal }));
  const cut = useVectors(shown, ['pca'], (engine, view, signal) => engine.pca(view, { signal }), {
    isWanted: isCut,
    keepsLast: true,
  });
  const { data, isPlaceholderData } = isCut ? cut : full;
  const place = useVectors(
    shown,
    ['project', query?.input ?? ''],
    async (engine, view) => await engine.project(view, query?.vector ?? new Float32Array()),
    // The engine projects onto the map that it made last of this view.
    { isWanted: query !== undefined && data !== undefined && !isPlaceholderData },
  ).data;
  const whole = full.data;
  const at = query && place;
  const map = useMemo((): MapPoints | undefined => {
    if (!data || !whole) return undefined;
    const { points, explained } = data;
    if (data === whole) return { xy: points, explained, isTurned: false, query: at };
    const moved = new Float32Array(points.length + (at ? 2 : 0));
    moved.set(points);
    if (at) moved.set([at.x, at.y], points.length);
    const xy = alignMap(whole.points, moved).points;
    return { xy: xy.subarray(0, points.length), explained, isTurned: true, query: at && lastPoint(xy) };
  }, [data, whole, at]);
  return { map, problem: (full.error ?? cut.error)?.message };
}

interface Layout {
  key: string;
  /** Rounds done, while it runs. */
  progress?: { epoch: number; epochs: number };
  problem?: string;
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
): { points: Float32Array | undefined; progress: Layout['progress']; problem: string | undefined } {
  const { engine } = useLab();
  const queries = useQueryClient();
  const settings = useStore(mapStore, (state) => state.umap);
  const key = JSON.stringify(
    shown && [shown.set.slot, shown.set.version, shown.dimensions, settings.neighbours, settings.seed],
  );
  const settledKey = useSettled(key, 250);
  const [layout, setLayout] = useState<Layout>({ key: '' });
  const kept = queries.getQueryData<UmapMap>(['lab', 'umap', key]);
  const isDue = isWanted && shown !== undefined && !kept && settledKey === key;

  const lay = useEffectEvent(async (signal: AbortSignal) => {
    if (!shown) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    let toldAt = 0;
    const move = (frame: UmapFrame) => {
      if (signal.aborted) return;
      if (!isStill) onFrame(frame);
      if (performance.now() - toldAt < toldEveryMs) return;
      toldAt = performance.now();
      setLayout({ key, progress: frame });
    };
    setLayout({ key });
    try {
      const done = await engine.umap(shown.view, settings, { signal, onFrame: move });
      queries.setQueryData(['lab', 'umap', key], done);
      setLayout({ key });
    } catch (error) {
      if (!signal.aborted) setLayout({ key, problem: error instanceof Error ? error.message : String(error) });
    }
  });
  useEffect(() => {
    if (!isDue) return;
    const stop = new AbortController();
    void lay(stop.signal);
    return () => stop.abort();
  }, [isDue, key]);

  const isIts = layout.key === key;
  return {
    points: kept?.points,
    progress: isIts ? layout.progress : undefined,
    problem: isIts ? layout.problem : undefined,
  };
}
