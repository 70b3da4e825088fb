import { useEffect, useMemo, useRef } from 'react';

import type { Point, UmapFrame, UmapSettings } from '../../../embedding/engine/engine.ts';
import { alignMap } from '../../../embedding/maps/align-map.ts';
import { useDebouncedValue } from '../../../ui/hooks/use-debounced-value.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useVectorQuery, createSetView, type SetViewModel } from '../views/use-vector-query.ts';

export interface MapPoints {
  /** Position of each row as `x, y` pairs. */
  xy: Float32Array;
  /** Explained variance of each axis, 0 to 1; absent if the axes have no meaning. */
  explained?: { x: number; y: number };
  /** True if the map was rotated to match the map of the full vectors. */
  isAligned: boolean;
  query?: Point | undefined;
}

const getLastPoint = (xy: Float32Array): Point => ({ x: xy.at(-2) ?? 0, y: xy.at(-1) ?? 0 });

/**
 * Returns the PCA map of the shown vectors. `isPlaceholder` is true while the map of the previous size is still shown.
 * Maps of truncated vectors are rotated to match the full map, including the query.
 */
export function usePcaMap(setView: SetViewModel, query?: { input: string; vector: Float32Array }) {
  const isCut = setView.dimensions < setView.set.dimensions;
  const fullResult = useVectorQuery(createSetView(setView.set), ['pca'], (engine, view, signal) =>
    engine.computePca(view, { signal }),
  );
  const cutResult = useVectorQuery(
    setView,
    ['turned'],
    (engine, view, signal) => engine.computePca(view, { signal }),
    {
      isEnabled: isCut,
      keepsPreviousData: true,
    },
  );
  const cutPca = isCut ? cutResult.data : undefined;
  const isPlaceholder = isCut && (!cutPca || cutResult.isPlaceholderData);
  const projectedQuery = useVectorQuery(
    setView,
    ['project', query?.input ?? ''],
    async (engine, view) => await engine.project(view, query?.vector ?? new Float32Array()),
    // The engine projects the query onto the latest map of this view.
    { isEnabled: query !== undefined && fullResult.data !== undefined && !isPlaceholder },
  ).data;
  const fullPca = fullResult.data;
  const queryPoint = query && projectedQuery;
  const map = useMemo((): MapPoints | undefined => {
    if (!fullPca) return undefined;
    if (!cutPca)
      return { xy: fullPca.points, explained: fullPca.explained, isAligned: false, query: queryPoint };
    const { points, explained } = cutPca;
    const pointsWithQuery = new Float32Array(points.length + (queryPoint ? 2 : 0));
    pointsWithQuery.set(points);
    if (queryPoint) pointsWithQuery.set([queryPoint.x, queryPoint.y], points.length);
    const xy = alignMap(fullPca.points, pointsWithQuery).points;
    return {
      xy: xy.subarray(0, points.length),
      explained,
      isAligned: true,
      query: queryPoint && getLastPoint(xy),
    };
  }, [cutPca, fullPca, queryPoint]);
  return { map, isPlaceholder, problem: (fullResult.error ?? cutResult.error)?.message };
}

/** Interval between progress updates, in ms; the points move with every frame. */
const progressIntervalMs = 200;

/**
 * Returns the UMAP layout of the shown vectors, computed once per size and settings. `onFrame` draws the movement
 * without React, unless reduced motion is preferred.
 */
export function useUmapMap(
  setView: SetViewModel | undefined,
  isEnabled: boolean,
  onFrame: (frame: UmapFrame) => void,
): { points: Float32Array | undefined; settings: UmapSettings; problem: string | undefined } {
  const { changeMap } = useLab();
  // Debounced, so that typing does not start a layout for each digit.
  const settings = useDebouncedValue(
    useLabState((state) => state.map.umap),
    400,
  );
  const onFrameRef = useRef(onFrame);
  useEffect(() => {
    onFrameRef.current = onFrame;
  });
  // Debounced, so that dragging the slider does not start a layout at each stop.
  const isSettled = useDebouncedValue(setView, 250) === setView;
  const { data, error } = useVectorQuery(
    setView,
    ['umap', settings.neighbours, settings.minDistance, settings.seed],
    async (engine, view, signal) => {
      const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
      let reportedAtMs = 0;
      changeMap({ progress: undefined });
      return await engine.computeUmap(view, settings, {
        signal,
        onFrame: (frame) => {
          if (signal.aborted) return;
          if (!prefersReducedMotion) onFrameRef.current(frame);
          if (performance.now() - reportedAtMs < progressIntervalMs) return;
          reportedAtMs = performance.now();
          changeMap({ progress: { epoch: frame.epoch, epochs: frame.epochs } });
        },
      });
    },
    { isEnabled: isEnabled && isSettled },
  );
  return { points: data?.points, settings, problem: error?.message };
}
