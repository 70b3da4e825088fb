/** How the map is drawn: outlives the view, and reports name it. */
import { createStore } from 'zustand/vanilla';

import type { UmapSettings } from '../../../embedding/engine/engine.ts';

export type MapLayout = 'pca' | 'umap';
export type MapColor = 'group' | 'cluster' | 'similarity';

export interface MapState {
  layout: MapLayout;
  /** Undefined: groups where the texts have labels, else clusters. */
  color?: MapColor | undefined;
  drag: 'pan' | 'lasso';
  umap: UmapSettings;
  /** Of the layout under way: rounds done. */
  progress?: { epoch: number; epochs: number } | undefined;
}

/** Of k-means, UMAP and samples: the same pictures every time. */
export const seed = 42;

/** By custom. */
export const firstUmap: UmapSettings = { neighbours: 15, minDistance: 0.1, seed };

export const mapStore = createStore<MapState>(() => ({ layout: 'pca', drag: 'pan', umap: firstUmap }));

/** About as many clusters as an eye tells apart. */
export function clusterCount(rows: number): number {
  return Math.max(2, Math.min(12, Math.round(Math.sqrt(rows / 2))));
}
