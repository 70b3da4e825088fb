import type { LabText } from '../../../state/lab/lab-state.ts';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import { noGroup } from '../canvas/scatter-scene.ts';

/**
 * Returns the group of each row's text; `noGroup` if the text has no group or the group number does not fit into a
 * byte.
 */
export function getRowGroups(rows: readonly number[], texts: readonly LabText[]): Uint8Array {
  return Uint8Array.from(rows, (text) => Math.min(noGroup, texts[text]?.group ?? noGroup));
}

/** Places group names at the centre of their points. */
export function buildGroupLabels(
  xy: Float32Array,
  groups: Uint8Array,
  names: readonly string[],
): NonNullable<ScatterScene['labels']> {
  return names.slice(0, noGroup).flatMap((text, group) => {
    const xs: number[] = [];
    const ys: number[] = [];
    for (let row = 0; row < groups.length; row++) {
      const x = xy[row * 2] ?? Number.NaN;
      const y = xy[row * 2 + 1] ?? Number.NaN;
      if (groups[row] !== group || !Number.isFinite(x + y)) continue;
      xs.push(x);
      ys.push(y);
    }
    if (xs.length === 0) return [];
    const sortedX = Float64Array.from(xs).toSorted();
    const sortedY = Float64Array.from(ys).toSorted();
    return [{ text, group, x: sortedX[sortedX.length >> 1] ?? 0, y: sortedY[sortedY.length >> 1] ?? 0 }];
  });
}

const maxNameChars = 24;

/** Names each cluster after its most central text, which says more than a number. */
export function buildClusterNames(
  centralRows: readonly number[],
  rows: readonly number[],
  texts: readonly LabText[],
): string[] {
  return centralRows.map((row, cluster) => {
    const text = texts[rows[row] ?? -1]?.text.replaceAll(/\s+/g, ' ').trim() ?? '';
    if (text === '') return `Cluster ${cluster + 1}`;
    const chars = Array.from(text.slice(0, 2 * maxNameChars + 2));
    return chars.length > maxNameChars
      ? `${chars
          .slice(0, maxNameChars - 1)
          .join('')
          .trimEnd()}…`
      : text;
  });
}

/** Returns a number of clusters that the user can tell apart. */
export function pickClusterCount(rows: number): number {
  return Math.max(2, Math.min(12, Math.round(Math.sqrt(rows / 2))));
}
