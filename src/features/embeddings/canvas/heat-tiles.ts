import { shareOf, type HeatScene } from './heat-scene.ts';

/** Cells a side of one tile, and how many tiles are kept: 24 take 6 MB. */
export const tileSide = 256;
const mostTiles = 24;

export interface HeatColors {
  /** 256 steps, as pixels. */
  ramp: Uint32Array;
  /** Of a text with itself. */
  self: number;
}

/** The matrix as small canvases of one pixel a cell: the overview, and the exact tiles that were looked at last. */
export class HeatTiles {
  overview: HTMLCanvasElement | undefined;
  readonly #tiles = new Map<string, HTMLCanvasElement | 'asked'>();
  readonly #onTile: () => void;
  #scene: HeatScene | undefined;
  #colors: HeatColors;

  /** `onTile`: one that was asked for has come. */
  constructor(colors: HeatColors, onTile: () => void) {
    this.#colors = colors;
    this.#onTile = onTile;
  }

  /** Another matrix or other colours: everything is painted anew. */
  paint(scene: HeatScene | undefined, colors: HeatColors): void {
    this.#scene = scene;
    this.#colors = colors;
    this.#tiles.clear();
    if (!scene) return;
    const { size, values } = scene.overview;
    this.overview = painted(scene, values, size, size, size === scene.side ? 0 : undefined, colors);
  }

  clear(): void {
    this.paint(undefined, this.#colors);
  }

  /** A tile by its place; undefined while it is on its way. */
  at(row: number, column: number): HTMLCanvasElement | undefined {
    const scene = this.#scene;
    if (!scene) return undefined;
    const key = `${row} ${column}`;
    const kept = this.#tiles.get(key);
    if (kept) {
      // The newest stand last: the first is given up for a new one.
      this.#tiles.delete(key);
      this.#tiles.set(key, kept);
      return kept === 'asked' ? undefined : kept;
    }
    this.#tiles.set(key, 'asked');
    const region = { top: row * tileSide, left: column * tileSide, height: tileSide, width: tileSide };
    scene.tile(region).then(
      (tile) => {
        // Meanwhile other colours, another order or another matrix may be shown.
        if (this.#scene !== scene || this.#tiles.get(key) !== 'asked') return;
        this.#tiles.set(
          key,
          painted(scene, tile.values, tile.width, tile.height, tile.top - tile.left, this.#colors),
        );
        this.#onTile();
      },
      () => {
        // The means stay; looking again asks again.
        if (this.#tiles.get(key) === 'asked') this.#tiles.delete(key);
      },
    );
    for (const old of this.#tiles.keys()) {
      if (this.#tiles.size <= mostTiles) break;
      this.#tiles.delete(old);
    }
    return undefined;
  }
}

/** Values as a canvas of one pixel each. `diagonal`: how far the left column is behind the top row, where cells are single. */
function painted(
  { range }: HeatScene,
  values: Float32Array,
  width: number,
  height: number,
  diagonal: number | undefined,
  { ramp, self }: HeatColors,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  const data = new Uint32Array(image.data.buffer);
  for (let at = 0; at < values.length; at++) {
    data[at] = ramp[Math.round(shareOf(values[at] ?? 0, range) * 255)] ?? 0;
  }
  if (diagonal !== undefined) {
    for (let row = 0; row < height; row++) {
      const column = row + diagonal;
      if (column >= 0 && column < width) data[row * width + column] = self;
    }
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}
