import { useMemo } from 'react';

import { seed, type MapColor } from '../../../state/lab/lab-state.ts';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import { rangeOfScores, shareOf } from '../heat/heat-scene.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { useDistribution, type Nearest } from '../nearest/use-nearest.ts';
import { percent } from '../views/dimension-words.ts';
import { useVectors, type ShownView } from '../views/use-vectors.ts';
import { clusterCount, groupLabels, groupsOfRows } from './map-marks.ts';
import type { MapPoints } from './use-map-points.ts';

/** What the map shows of these points, coloured as the person chose. */
export function useMapScene(
  shown: ShownView,
  map: MapPoints | undefined,
  nearest: Nearest | undefined,
): { scene: ScatterScene | undefined; color: MapColor } {
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const wanted = useLabState((state) => state.map.color);
  const color = wanted ?? (groups.length > 0 ? 'group' : 'cluster');
  const { rows } = shown.set;
  const clusters = useVectors(
    shown,
    ['clusters'],
    (engine, view, signal) => engine.clusters(view, clusterCount(rows.length), seed, { signal }),
    { isWanted: color === 'cluster' && rows.length > 3, keepsLast: true },
  ).data;
  const distribution = useDistribution(shown).data;
  const all = nearest?.all;

  const scene = useMemo((): ScatterScene | undefined => {
    if (!map) return undefined;
    const { xy, explained, isTurned } = map;
    const scene: ScatterScene = { xy };
    if (explained && !isTurned)
      scene.axes = {
        x: `Component 1, ${percent(explained.x)} of variance`,
        y: `Component 2, ${percent(explained.y)}`,
      };
    if (color === 'group') {
      const of = groupsOfRows(rows, texts);
      scene.colors = { by: 'group', of };
      scene.labels = groupLabels(xy, of, groups);
    } else if (color === 'cluster' && clusters) {
      const of = Uint8Array.from(clusters.labels);
      scene.colors = { by: 'group', of };
      scene.labels = groupLabels(
        xy,
        of,
        clusters.sizes.map((_, cluster) => `Cluster ${cluster + 1}`),
      );
    } else if (color === 'similarity' && all) {
      const range = distribution ? rangeOfScores(distribution) : { low: 0, high: 1 };
      // The lightest step would not be seen on the paper.
      scene.colors = {
        by: 'heat',
        of: Uint8Array.from(all, (score) => 40 + Math.round(215 * shareOf(score, range))),
      };
    }
    return scene;
  }, [map, rows, texts, groups, color, clusters, all, distribution]);
  return { scene, color };
}
