/** The similarity matrix in a given row order: exact block means, single cells and the orders themselves. */
import type { MatrixOverview, MatrixRegion, MatrixTile, RowOrder } from '../engine/engine.ts';
import type { GroupedRows } from '../maps/clusters.ts';
import { blockRows, type Matrix } from './matrix.ts';

/** Returns exact cells of the ordered matrix. */
export function computeTile(matrix: Matrix, order: RowOrder | undefined, region: MatrixRegion): MatrixTile {
  const top = Math.max(0, region.top);
  const left = Math.max(0, region.left);
  const height = Math.max(0, Math.min(region.top + region.height, matrix.count) - top);
  const width = Math.max(0, Math.min(region.left + region.width, matrix.count) - left);
  const values = new Float32Array(height * width);
  for (let x = 0; x < width; x += blockRows) {
    const columnCount = Math.min(blockRows, width - x);
    matrix.gather(1, getRows(order, left + x, columnCount));
    for (let y = 0; y < height; y += blockRows) {
      const rowCount = Math.min(blockRows, height - y);
      matrix.gather(0, getRows(order, top + y, rowCount));
      const block = matrix.product({ slot: 0, count: rowCount }, { slot: 1, count: columnCount });
      for (let i = 0; i < rowCount; i++) {
        values.set(block.subarray(i * columnCount, (i + 1) * columnCount), (y + i) * width + x);
      }
    }
  }
  return { top, left, height, width, values };
}

/**
 * The mean of a block is the product of the mean vectors of its rows and columns, so it is exact without computing the
 * cells.
 */
export function computeOverview(matrix: Matrix, order: RowOrder | undefined, blocks: number): MatrixOverview {
  const { count } = matrix;
  const size = Math.min(count, Math.max(1, Math.floor(blocks)));
  if (size === count) {
    return {
      size,
      values: computeTile(matrix, order, { top: 0, left: 0, height: count, width: count }).values,
    };
  }
  const { dimensions } = matrix;
  const sum = new Float64Array(dimensions);
  const mean = new Float32Array(dimensions);
  const means = matrix.createEmpty();
  for (let block = 0; block < size; block++) {
    const start = Math.floor((block * count) / size);
    const rowCount = Math.floor(((block + 1) * count) / size) - start;
    matrix.sum(getRows(order, start, rowCount), sum);
    for (let n = 0; n < dimensions; n++) mean[n] = (sum[n] ?? 0) / rowCount;
    means.append(mean, true);
  }
  return { size, values: computeSymmetricProduct(means) };
}

/** Multiplies every row by every row, computing each pair only once. */
function computeSymmetricProduct(matrix: Matrix): Float32Array<ArrayBuffer> {
  const { count } = matrix;
  const values = new Float32Array(count * count);
  for (let y = 0; y < count; y += blockRows) {
    const rowCount = Math.min(blockRows, count - y);
    for (let x = y; x < count; x += blockRows) {
      const columnCount = Math.min(blockRows, count - x);
      const block = matrix.product({ from: y, count: rowCount }, { from: x, count: columnCount });
      for (let i = 0; i < rowCount; i++) {
        values.set(block.subarray(i * columnCount, (i + 1) * columnCount), (y + i) * count + x);
      }
      // Mirrors the other half row by row, since adjacent cells of a column are far apart in memory.
      for (let j = 0; j < columnCount; j++) {
        for (let i = 0; i < rowCount; i++) values[(x + j) * count + y + i] = block[i * columnCount + j] ?? 0;
      }
    }
  }
  return values;
}

function getRows(order: RowOrder | undefined, start: number, count: number): Int32Array {
  return (
    order?.subarray(start, start + count) ?? Int32Array.from({ length: count }, (_, index) => start + index)
  );
}

/** Sorts rows by ascending group, in input order within a group, with ungrouped rows last. */
export function sortRowsByLabel(labels: Int32Array, count: number): RowOrder {
  const getSortKey = (row: number) => {
    const label = labels[row] ?? -1;
    return label < 0 ? Infinity : label;
  };
  return sortRows(count, (a, b) => (getSortKey(a) === getSortKey(b) ? 0 : getSortKey(a) - getSortKey(b)));
}

/** Sorts rows along the first axis of a map. */
export function sortRowsByAxis(points: Float32Array): RowOrder {
  return sortRows(points.length / 2, (a, b) => (points[2 * a] ?? 0) - (points[2 * b] ?? 0));
}

/** Sorts clusters by their mean on the first axis, and rows within a cluster by closeness to its centre. */
export function sortRowsByGroup(matrix: Matrix, groups: GroupedRows, points: Float32Array): RowOrder {
  const { labels, sizes, centres } = groups;
  const { dimensions } = matrix;
  const axisPositions = new Float64Array(sizes.length);
  const closeness = new Float64Array(labels.length);
  for (const [row, label] of labels.entries()) {
    axisPositions[label] = (axisPositions[label] ?? 0) + (points[2 * row] ?? 0) / (sizes[label] ?? 1);
    const vector = matrix.getRow(row);
    const centre = centres.subarray(label * dimensions, (label + 1) * dimensions);
    closeness[row] = vector.reduce((sum, value, n) => sum + value * (centre[n] ?? 0), 0);
  }
  const getLabel = (row: number) => labels[row] ?? 0;
  return sortRows(
    labels.length,
    (a, b) =>
      (axisPositions[getLabel(a)] ?? 0) - (axisPositions[getLabel(b)] ?? 0) ||
      getLabel(a) - getLabel(b) ||
      (closeness[b] ?? 0) - (closeness[a] ?? 0),
  );
}

function sortRows(count: number, compare: (a: number, b: number) => number): RowOrder {
  return Int32Array.from({ length: count }, (_, row) => row).toSorted((a, b) => compare(a, b) || a - b);
}
