import type { Neighbours, UmapFrame, UmapMap, UmapSettings } from '../engine/engine.ts';
import { partOf, type Turns } from '../engine/turns.ts';
import { umapGraphOf } from './umap-graph.ts';
import { layoutOf } from './umap.ts';

const manyRows = 10_000;

/** The whole way from neighbours to a map; `start` is the PCA map. */
export async function umapOf(
  neighbours: Neighbours,
  start: Float32Array,
  settings: UmapSettings,
  turns: Turns,
  onFrame?: (frame: UmapFrame) => void,
): Promise<UmapMap> {
  const count = start.length / 2;
  const graph = await umapGraphOf(neighbours, count, partOf(turns, 0, 0.1));
  const epochs = settings.epochs ?? (count < manyRows ? 500 : 200);
  return layoutOf(graph, start, { ...settings, epochs }, partOf(turns, 0.1, 1), onFrame);
}
