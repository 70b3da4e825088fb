import type { RowOrder } from '../engine/engine.ts';
import type { GroupedRows } from '../maps/clusters.ts';
import type { Matrix } from './matrix.ts';

/** Groups ascend, rows without a group come last, and within a group the input's order stays. */
export function orderByLabel(labels: Int32Array, count: number): RowOrder {
  const placeOf = (row: number) => {
    const label = labels[row] ?? -1;
    return label < 0 ? Infinity : label;
  };
  return sortedRows(count, (a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
}

/** Along the first axis of a map. */
export function orderByAxis(points: Float32Array): RowOrder {
  return sortedRows(points.length / 2, (a, b) => (points[2 * a] ?? 0) - (points[2 * b] ?? 0));
}

/** Groups by the mean of their rows on the first axis; within a group, what is nearest to its middle first. */
export function orderByGroup(matrix: Matrix, groups: GroupedRows, points: Float32Array): RowOrder {
  const { labels, sizes, centres } = groups;
  const { dimensions } = matrix;
  const place = new Float64Array(sizes.length);
  const closeness = new Float64Array(labels.length);
  for (const [row, label] of labels.entries()) {
    place[label] = (place[label] ?? 0) + (points[2 * row] ?? 0) / (sizes[label] ?? 1);
    const vector = matrix.row(row);
    const centre = centres.subarray(label * dimensions, (label + 1) * dimensions);
    closeness[row] = vector.reduce((sum, value, n) => sum + value * (centre[n] ?? 0), 0);
  }
  const labelOf = (row: number) => labels[row] ?? 0;
  return sortedRows(
    labels.length,
    (a, b) =>
      (place[labelOf(a)] ?? 0) - (place[labelOf(b)] ?? 0) ||
      labelOf(a) - labelOf(b) ||
      (closeness[b] ?? 0) - (closeness[a] ?? 0),
  );
}

function sortedRows(count: number, compare: (a: number, b: number) => number): RowOrder {
  return Int32Array.from({ length: count }, (_, row) => row).toSorted((a, b) => compare(a, b) || a - b);
}
