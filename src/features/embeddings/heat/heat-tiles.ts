import { paintedCells, type HeatColors } from './heat-cells.ts';
import { cornerOf, seenStretches, type HeatFrame } from './heat-frame.ts';
import type { HeatScene } from './heat-scene.ts';

/** Cells a side of one tile, and how many tiles are kept: 24 take 6 MB. */
const tileSide = 256;
const mostTiles = 24;

/**
 * The exact cells of a matrix whose overview shows means, as small canvases of one pixel a cell: those that were looked
 * at last.
 */
export class HeatTiles {
  readonly #tiles = new Map<string, HTMLCanvasElement | 'asked'>();
  readonly #scene: HeatScene;
  readonly #colors: HeatColors;
  readonly #onTile: () => void;

  /** `onTile`: one that was asked for has come. */
  constructor(scene: HeatScene, colors: HeatColors, onTile: () => void) {
    this.#scene = scene;
    this.#colors = colors;
    this.#onTile = onTile;
  }

  /** Draws the tiles in view that are here, and asks for the others. */
  draw(context: CanvasRenderingContext2D, frame: HeatFrame): void {
    const cellPx = frame.view.pixelsPerUnit;
    const corner = cornerOf(frame, 0, 0);
    const last = Math.ceil(this.#scene.side / tileSide) - 1;
    const down = seenStretches(corner.y, frame.heightPx, cellPx * tileSide, last);
    const across = seenStretches(corner.x, frame.widthPx, cellPx * tileSide, last);
    context.imageSmoothingEnabled = false;
    for (let row = down.first; row <= down.last; row++) {
      for (let column = across.first; column <= across.last; column++) {
        const tile = this.#at(row, column);
        if (!tile) continue;
        const at = cornerOf(frame, row * tileSide, column * tileSide);
        context.drawImage(tile, at.x, at.y, tile.width * cellPx, tile.height * cellPx);
      }
    }
  }

  /** A tile by its place; undefined while it is on its way. */
  #at(row: number, column: number): HTMLCanvasElement | undefined {
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
    this.#scene.tile(region).then(
      ({ values, width, height, top, left }) => {
        if (this.#tiles.get(key) !== 'asked') return;
        this.#tiles.set(key, paintedCells(this.#scene, values, width, height, top - left, this.#colors));
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
