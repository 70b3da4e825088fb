/** Where the names of groups stand on a map: at the middle of their points, or close to it where something is in the way. */

interface Place {
  x: number;
  y: number;
}

export interface Label {
  /** Width of the words, px. */
  widthPx: number;
  /** The middle of the points that it names, px. */
  at: Place;
}

/** A name moves no further than this from the middle of its points. */
export const mostMovedPx = 60;
/** The height that a name takes with the room around it. */
export const labelHeightPx = 18;
/** Half a point and a little more. */
const paddingPx = 7;
const cellPx = 6;
const ringsPx = [0, 14, 24, 36, 48, mostMovedPx];
const directions = 16;
/** What covering another name costs, measured in covered points. */
const labelCost = 40;

/** The middle of each name, none of them further than `mostMovedPx` from where it belongs and all within the picture. */
export function placeLabels(
  labels: readonly Label[],
  points: Iterable<Place>,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): Place[] {
  const crowd = new Crowd(points, widthPx, heightPx);
  const taken: Box[] = [];
  const places: Place[] = labels.map(({ at }) => at);
  // Wide names have the fewest places to go to.
  const order = labels
    .map((_, at) => at)
    .toSorted((one, other) => widthOf(labels[other]) - widthOf(labels[one]));
  for (const index of order) {
    const label = labels[index];
    if (!label) continue;
    let best: { place: Place; box: Box; cost: number } | undefined;
    for (const place of candidates(label, widthPx, heightPx)) {
      const box = boxAt(place, label.widthPx);
      const moved = Math.hypot(place.x - label.at.x, place.y - label.at.y);
      const cost =
        crowd.count(box) +
        labelCost * taken.filter((other) => overlap(box, other)).length +
        moved / mostMovedPx;
      if (!best || cost < best.cost) best = { place, box, cost };
    }
    if (!best) continue;
    places[index] = best.place;
    taken.push(best.box);
  }
  return places;
}

const widthOf = (label: Label | undefined) => label?.widthPx ?? 0;

/** Places around the middle, the nearest first, moved into the picture where they lie beyond its edge. */
function candidates({ at, widthPx }: Label, mostX: number, mostY: number): Place[] {
  const half = widthPx / 2 + paddingPx;
  const within = (value: number, room: number, most: number) =>
    Math.max(room, Math.min(Math.max(room, most - room), value));
  return ringsPx.flatMap((radius) =>
    Array.from({ length: radius === 0 ? 1 : directions }, (_, step) => {
      const angle = (2 * Math.PI * step) / directions;
      return {
        x: within(at.x + radius * Math.cos(angle), half, mostX),
        y: within(at.y + radius * Math.sin(angle), labelHeightPx / 2, mostY),
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

function boxAt({ x, y }: Place, widthPx: number): Box {
  const half = widthPx / 2 + paddingPx;
  return { left: x - half, right: x + half, top: y - labelHeightPx / 2, bottom: y + labelHeightPx / 2 };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** How many points lie in each cell of the picture: a map of many points is asked once a cell, not once a point. */
class Crowd {
  readonly #columns: number;
  readonly #rows: number;
  readonly #counts: Uint32Array;

  constructor(points: Iterable<Place>, widthPx: number, heightPx: number) {
    this.#columns = Math.max(1, Math.ceil(widthPx / cellPx));
    this.#rows = Math.max(1, Math.ceil(heightPx / cellPx));
    this.#counts = new Uint32Array(this.#columns * this.#rows);
    for (const { x, y } of points) {
      const column = Math.floor(x / cellPx);
      const row = Math.floor(y / cellPx);
      if (column < 0 || row < 0 || column >= this.#columns || row >= this.#rows) continue;
      const at = row * this.#columns + column;
      this.#counts[at] = (this.#counts[at] ?? 0) + 1;
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
