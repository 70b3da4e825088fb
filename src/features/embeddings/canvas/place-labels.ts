/** Places group names on a map, at the centre of their points or close to it if that position is covered. */

interface PixelPoint {
  x: number;
  y: number;
}

export interface Label {
  /** Width of the text, in px. */
  widthPx: number;
  /** Centre of the points of the group, in px. */
  center: PixelPoint;
}

/** Maximum distance between a name and the centre of its points, in px. */
export const maxLabelShiftPx = 60;
/** Height of a name including the padding around it, in px. */
export const labelHeightPx = 18;
/** Half the diameter of a point and a little more, in px. */
const paddingPx = 7;
const cellPx = 6;
const ringRadiiPx = [0, 14, 24, 36, 48, maxLabelShiftPx];
const directionCount = 16;
/** Cost of covering another name, in covered points. */
const labelOverlapCost = 40;

/**
 * Returns the centre of each name: at most `maxLabelShiftPx` away from the centre of its group, and within the canvas.
 */
export function placeLabels(
  labels: readonly Label[],
  points: Iterable<PixelPoint>,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): PixelPoint[] {
  const density = new PointDensity(points, widthPx, heightPx);
  const usedBoxes: Box[] = [];
  const centers: PixelPoint[] = labels.map(({ center }) => center);
  // Wide names first: they have the fewest possible positions.
  const order = labels
    .map((_, index) => index)
    .toSorted((a, b) => getWidthPx(labels[b]) - getWidthPx(labels[a]));
  for (const index of order) {
    const label = labels[index];
    if (!label) continue;
    let best: { center: PixelPoint; box: Box; cost: number } | undefined;
    for (const center of listCandidateCenters(label, widthPx, heightPx)) {
      const box = getLabelBox(center, label.widthPx);
      const shiftPx = Math.hypot(center.x - label.center.x, center.y - label.center.y);
      const cost =
        density.count(box) +
        labelOverlapCost * usedBoxes.filter((usedBox) => doBoxesOverlap(box, usedBox)).length +
        shiftPx / maxLabelShiftPx;
      if (!best || cost < best.cost) best = { center, box, cost };
    }
    if (!best) continue;
    centers[index] = best.center;
    usedBoxes.push(best.box);
  }
  return centers;
}

const getWidthPx = (label: Label | undefined) => label?.widthPx ?? 0;

/** Lists positions around the centre, the nearest first, clamped to the canvas. */
function listCandidateCenters({ center, widthPx }: Label, maxX: number, maxY: number): PixelPoint[] {
  const halfWidth = widthPx / 2 + paddingPx;
  const clampCenter = (value: number, halfSize: number, max: number) =>
    Math.max(halfSize, Math.min(Math.max(halfSize, max - halfSize), value));
  return ringRadiiPx.flatMap((radius) =>
    Array.from({ length: radius === 0 ? 1 : directionCount }, (_, step) => {
      const angle = (2 * Math.PI * step) / directionCount;
      return {
        x: clampCenter(center.x + radius * Math.cos(angle), halfWidth, maxX),
        y: clampCenter(center.y + radius * Math.sin(angle), labelHeightPx / 2, maxY),
      };
    }),
  );
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function getLabelBox({ x, y }: PixelPoint, widthPx: number): Box {
  const halfWidth = widthPx / 2 + paddingPx;
  return {
    left: x - halfWidth,
    right: x + halfWidth,
    top: y - labelHeightPx / 2,
    bottom: y + labelHeightPx / 2,
  };
}

function doBoxesOverlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Counts points per canvas cell once, so that placing labels never scans all points. */
class PointDensity {
  readonly #columns: number;
  readonly #rows: number;
  readonly #counts: Uint32Array;

  constructor(points: Iterable<PixelPoint>, widthPx: number, heightPx: number) {
    this.#columns = Math.max(1, Math.ceil(widthPx / cellPx));
    this.#rows = Math.max(1, Math.ceil(heightPx / cellPx));
    this.#counts = new Uint32Array(this.#columns * this.#rows);
    for (const { x, y } of points) {
      const column = Math.floor(x / cellPx);
      const row = Math.floor(y / cellPx);
      if (column < 0 || row < 0 || column >= this.#columns || row >= this.#rows) continue;
      const index = row * this.#columns + column;
      this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    }
  }

  count({ left, right, top, bottom }: Box): number {
    let sum = 0;
    const lastRow = Math.min(this.#rows - 1, Math.floor(bottom / cellPx));
    const lastColumn = Math.min(this.#columns - 1, Math.floor(right / cellPx));
    for (let row = Math.max(0, Math.floor(top / cellPx)); row <= lastRow; row += 1)
      for (let column = Math.max(0, Math.floor(left / cellPx)); column <= lastColumn; column += 1)
        sum += this.#counts[row * this.#columns + column] ?? 0;
    return sum;
  }
}
