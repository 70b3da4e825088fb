import { useStore } from 'zustand';

import type { UmapSettings } from '../../../embedding/engine/engine.ts';
import { formatCount } from '../../../lib/format.ts';
import { percent } from '../views/dimension-words.ts';
import { useVectors, type ShownView } from '../views/use-vectors.ts';
import { mapStore, type MapLayout } from './map-store.ts';
import type { MapPoints } from './use-map-points.ts';

interface MapNoteProps {
  shown: ShownView;
  layout: MapLayout;
  map: MapPoints | undefined;
  /** The map is the one of this layout and size, done. */
  isDone: boolean;
  settings: UmapSettings;
}

const neighbours = 15;

/** How far the map may be believed: projections lie. */
export function MapNote({ shown, layout, map, isDone, settings }: MapNoteProps) {
  const progress = useStore(mapStore, (state) => state.progress);
  const k = Math.min(neighbours, Math.floor(shown.set.rows.length / 4));
  const trust = useVectors(
    shown,
    ['trust', layout, JSON.stringify(settings), k],
    (engine, view, signal) => engine.trust(view, (map?.xy ?? new Float32Array()).slice(), k, { signal }),
    { isWanted: isDone && k > 0 },
  ).data;
  if (layout === 'umap' && !isDone) {
    return progress
      ? `Laying out, round ${formatCount(progress.epoch)} of ${formatCount(progress.epochs)}`
      : 'Finding each text’s neighbours';
  }
  if (!map) return 'Computing';
  const variance =
    layout === 'pca' && map.explained
      ? `Keeps ${percent(map.explained.x + map.explained.y)} of the variance${map.isTurned ? ', turned like the map of the full size' : ''}. `
      : '';
  const kept = trust
    ? `Trustworthiness ${trust.trustworthiness.toFixed(3)}. The map keeps ${percent(trust.kept)} of the ${k} nearest texts${
        trust.sampled < shown.set.rows.length ? `, in a sample of ${formatCount(trust.sampled)}` : ''
      }. `
    : '';
  return `${variance}${kept}Rely on scores, not distances.`;
}
