import { CanvasPair } from '../canvas/canvas-pair.ts';
import { buildHeatRamp } from '../canvas/css-colors.ts';
import { panView, zoomView, type ViewBox } from '../canvas/view-box.ts';
import { watchPointers } from '../canvas/watch-pointers.ts';
import {
  findCellAt,
  getCellCorner,
  getLabelGutter,
  getVisibleRange,
  fitMatrix,
  type HeatFrame,
  type LabelGutter,
} from './heat-frame.ts';
import { toRangeShare, type HeatCell, type HeatScene } from './heat-scene.ts';
import { paintHeatMarks } from './paint-heat-marks.ts';

export interface HeatEvents {
  onHover: (cell: HeatCell | undefined) => void;
  onPick: (cell: HeatCell) => void;
}

/** Maximum number of visible cells per side that are drawn one by one; above it, means are drawn. */
const maxExactCells = 768;
const maxCellPx = 64;
/** Minimum cell size for hairlines between cells, in px. */
const minGapCellPx = 7;
const edgePx = 6;

/**
 * Matrix of any size on two canvases: block means when zoomed out, exact cells when zoomed in. Independent of React;
 * `destroy` disposes of it. Keeps only the overview and a few tiles in memory.
 */
export class Heat {
  readonly #events: HeatEvents;
  readonly #canvases: CanvasPair;
  readonly #stopWatching: () => void;
  #scene: HeatScene | undefined;
  #overview: HTMLCanvasElement | undefined;
  /** Tiles of the current scene in the current colours. */
  #tiles: HeatTiles | undefined;
  #view: ViewBox = { centerX: 0, centerY: 0, pixelsPerUnit: 1 };
  #isFitted = true;
  #cursor: HeatCell | undefined;
  #hovered: HeatCell | undefined;

  constructor(host: HTMLElement, events: HeatEvents) {
    this.#events = events;
    this.#canvases = new CanvasPair(host, { draw: () => this.#draw() });
    this.#stopWatching = this.#watchPointers();
    this.#canvases.start();
  }

  setScene(scene: HeatScene): void {
    const sideChanged = this.#scene?.side !== scene.side;
    this.#scene = scene;
    if (sideChanged) this.#isFitted = true;
    this.#rebuildOverview();
  }

  /** Marks a cell selected by key or in another view, and brings it into view. */
  setCursor(cell: HeatCell | undefined): void {
    this.#cursor = cell;
    if (cell && !this.#isFitted) {
      const { widthPx, heightPx } = this.#canvases;
      const { x, y } = this.#getCellCenter(cell);
      const { leftPx, topPx } = this.#getGutter();
      if (x < leftPx || y < topPx || x > widthPx - edgePx || y > heightPx - edgePx) {
        this.#view = { ...this.#view, centerX: cell.column + 0.5, centerY: -(cell.row + 0.5) };
      }
    }
    this.#canvases.schedule();
  }

  /** Shows the whole matrix. */
  fit(): void {
    this.#isFitted = true;
    this.#canvases.schedule();
  }

  /** Zooms about the marked cell, or about the middle if no cell is marked. */
  zoom(factor: number): void {
    const center = this.#cursor && this.#getCellCenter(this.#cursor);
    this.#zoomAbout(
      factor,
      center?.x ?? this.#canvases.widthPx / 2,
      center?.y ?? this.#canvases.heightPx / 2,
    );
  }

  /** Redraws in the colours of a new theme. */
  refresh(): void {
    this.#canvases.refresh();
    this.#rebuildOverview();
  }

  /** Returns the current matrix as a PNG. Rejects if the browser cannot create it. */
  async toPng(): Promise<Blob> {
    return await this.#canvases.toPng();
  }

  destroy(): void {
    this.#stopWatching();
    this.#canvases.destroy();
    this.#scene = undefined;
    this.#overview = undefined;
    this.#tiles = undefined;
  }

  /** Repaints everything after a change of matrix or colours. */
  #rebuildOverview(): void {
    const scene = this.#scene;
    this.#tiles = undefined;
    if (scene) {
      const { size, values } = scene.overview;
      const diagonal = size === scene.side ? 0 : undefined;
      this.#overview = renderCells(scene, values, size, size, diagonal, this.#readColors());
    }
    this.#canvases.schedule();
  }

  #watchPointers(): () => void {
    return watchPointers(this.#canvases.overlayCanvas, {
      onPress: () => 'drag',
      onDrag: (byX, byY) => {
        this.#isFitted = false;
        this.#view = panView(this.#view, byX, byY);
        this.#canvases.schedule();
      },
      onZoom: (factor, x, y) => this.#zoomAbout(factor, x, y),
      onHover: (x, y) => this.#setHovered(this.#findCellAt(x, y)),
      onLeave: () => this.#setHovered(undefined),
      onTap: (x, y) => {
        const cell = this.#findCellAt(x, y);
        if (cell) this.#events.onPick(cell);
      },
    });
  }

  #setHovered(cell: HeatCell | undefined): void {
    if (cell?.row === this.#hovered?.row && cell?.column === this.#hovered?.column) return;
    this.#hovered = cell;
    this.#paintMarks();
    this.#events.onHover(cell);
  }

  #readColors(): HeatColors {
    const { colors } = this.#canvases;
    return { ramp: buildHeatRamp(colors), selfColor: colors.getPixelColor('--line') };
  }

  #getFrame(): HeatFrame {
    return { view: this.#view, widthPx: this.#canvases.widthPx, heightPx: this.#canvases.heightPx };
  }

  #getGutter(): LabelGutter {
    return getLabelGutter(this.#view.pixelsPerUnit, (this.#scene?.bands.length ?? 0) > 0);
  }

  #findCellAt(x: number, y: number): HeatCell | undefined {
    return findCellAt(this.#getFrame(), this.#getGutter(), this.#scene?.side ?? 0, x, y);
  }

  #getCellCenter({ row, column }: HeatCell): { x: number; y: number } {
    return getCellCorner(this.#getFrame(), row + 0.5, column + 0.5);
  }

  #zoomAbout(factor: number, x: number, y: number): void {
    const { widthPx, heightPx } = this.#canvases;
    const cellPx = this.#view.pixelsPerUnit;
    const minCellPx = this.#computeFittedView()?.pixelsPerUnit ?? cellPx;
    const targetCellPx = Math.max(minCellPx, Math.min(Math.max(maxCellPx, minCellPx), cellPx * factor));
    this.#isFitted = targetCellPx <= minCellPx;
    this.#view = zoomView(this.#view, targetCellPx / cellPx, x - widthPx / 2, y - heightPx / 2);
    this.#canvases.schedule();
  }

  #computeFittedView(): ViewBox | undefined {
    const scene = this.#scene;
    const { widthPx, heightPx } = this.#canvases;
    if (!scene || widthPx === 0) return undefined;
    return fitMatrix(scene.side, scene.bands.length > 0, widthPx, heightPx);
  }

  #draw(): void {
    const pair = this.#canvases;
    const context = pair.getContext(pair.baseCanvas);
    const scene = this.#scene;
    if (!context) return;
    context.fillStyle = pair.colors.getCssValue('--paper');
    context.fillRect(0, 0, pair.widthPx, pair.heightPx);
    if (scene && this.#overview) {
      if (this.#isFitted) this.#view = this.#computeFittedView() ?? this.#view;
      const { x, y } = getCellCorner(this.#getFrame(), 0, 0);
      const sidePx = scene.side * this.#view.pixelsPerUnit;
      // Scaling down may blur means, but scaling up must not blur cells.
      context.imageSmoothingEnabled = sidePx * pair.pixelRatio < scene.overview.size;
      context.drawImage(this.#overview, x, y, sidePx, sidePx);
      this.#drawTiles(context, scene);
      this.#drawGaps(context, scene);
    }
    this.#paintMarks();
  }

  /** Draws single cells where the overview shows means. */
  #drawTiles(context: CanvasRenderingContext2D, scene: HeatScene): void {
    const frame = this.#getFrame();
    const isOverviewExact = scene.overview.size === scene.side;
    const visibleCells = Math.max(frame.widthPx, frame.heightPx) / frame.view.pixelsPerUnit;
    if (isOverviewExact || visibleCells > maxExactCells) return;
    this.#tiles ??= new HeatTiles(scene, this.#readColors(), () => this.#canvases.schedule());
    this.#tiles.draw(context, frame);
  }

  /** Draws hairlines between cells that are large enough. */
  #drawGaps(context: CanvasRenderingContext2D, { side }: HeatScene): void {
    const frame = this.#getFrame();
    const { widthPx, heightPx } = frame;
    const cellPx = frame.view.pixelsPerUnit;
    if (cellPx < minGapCellPx) return;
    const corner = getCellCorner(frame, 0, 0);
    const end = getCellCorner(frame, side, side);
    const [left, top] = [Math.max(0, corner.x), Math.max(0, corner.y)];
    const columns = getVisibleRange(corner.x, widthPx, cellPx, side);
    const rows = getVisibleRange(corner.y, heightPx, cellPx, side);
    for (let column = columns.first; column <= columns.last; column++)
      context.fillRect(corner.x + column * cellPx - 0.5, top, 1, Math.min(heightPx, end.y) - top);
    for (let row = rows.first; row <= rows.last; row++)
      context.fillRect(left, corner.y + row * cellPx - 0.5, Math.min(widthPx, end.x) - left, 1);
  }

  #paintMarks(): void {
    const pair = this.#canvases;
    const scene = this.#scene;
    const context = scene && pair.getContext(pair.overlayCanvas);
    if (!context) return;
    context.clearRect(0, 0, pair.widthPx, pair.heightPx);
    const { getCssValue } = pair.colors;
    paintHeatMarks(context, {
      frame: this.#getFrame(),
      scene,
      hovered: this.#hovered,
      cursor: this.#cursor,
      getCssValue,
    });
  }
}

const exportSizePx = 900;

/** Renders a matrix that is not on screen as a PNG in the colours of the page. */
export async function renderHeatPng(scene: HeatScene): Promise<Blob> {
  const host = document.createElement('div');
  host.className = 'lab-view fixed top-0 -left-1000';
  host.style.width = `${exportSizePx}px`;
  host.style.height = `${exportSizePx}px`;
  document.body.append(host);
  const heat = new Heat(host, { onHover: () => {}, onPick: () => {} });
  try {
    heat.setScene(scene);
    return await heat.toPng();
  } finally {
    heat.destroy();
    host.remove();
  }
}

/** Cells per side of one tile; the cache keeps at most 24 tiles, which take 6 MB. */
const tileSide = 256;
const maxTiles = 24;

/**
 * Cache of exact cells where the overview shows means: the most recently used tiles, as small canvases with one pixel
 * per cell.
 */
class HeatTiles {
  readonly #tiles = new Map<string, HTMLCanvasElement | 'loading'>();
  readonly #scene: HeatScene;
  readonly #colors: HeatColors;
  readonly #onTileLoaded: () => void;

  /** `onTileLoaded` is called when a requested tile has loaded. */
  constructor(scene: HeatScene, colors: HeatColors, onTileLoaded: () => void) {
    this.#scene = scene;
    this.#colors = colors;
    this.#onTileLoaded = onTileLoaded;
  }

  /** Draws the loaded tiles in view and requests the others. */
  draw(context: CanvasRenderingContext2D, frame: HeatFrame): void {
    const cellPx = frame.view.pixelsPerUnit;
    const corner = getCellCorner(frame, 0, 0);
    const last = Math.ceil(this.#scene.side / tileSide) - 1;
    const rows = getVisibleRange(corner.y, frame.heightPx, cellPx * tileSide, last);
    const columns = getVisibleRange(corner.x, frame.widthPx, cellPx * tileSide, last);
    context.imageSmoothingEnabled = false;
    for (let row = rows.first; row <= rows.last; row++) {
      for (let column = columns.first; column <= columns.last; column++) {
        const tile = this.#getTile(row, column);
        if (!tile) continue;
        const tileCorner = getCellCorner(frame, row * tileSide, column * tileSide);
        context.drawImage(tile, tileCorner.x, tileCorner.y, tile.width * cellPx, tile.height * cellPx);
      }
    }
  }

  /** Returns a tile by its position; `undefined` while it loads. */
  #getTile(row: number, column: number): HTMLCanvasElement | undefined {
    const key = `${row} ${column}`;
    const cachedTile = this.#tiles.get(key);
    if (cachedTile) {
      // Re-inserted as the newest entry; the oldest entry is evicted first.
      this.#tiles.delete(key);
      this.#tiles.set(key, cachedTile);
      return cachedTile === 'loading' ? undefined : cachedTile;
    }
    this.#tiles.set(key, 'loading');
    const region = { top: row * tileSide, left: column * tileSide, height: tileSide, width: tileSide };
    this.#scene.loadTile(region).then(
      ({ values, width, height, top, left }) => {
        if (this.#tiles.get(key) !== 'loading') return;
        this.#tiles.set(key, renderCells(this.#scene, values, width, height, top - left, this.#colors));
        this.#onTileLoaded();
      },
      () => {
        // The means stay visible; the tile is requested again when it is next in view.
        if (this.#tiles.get(key) === 'loading') this.#tiles.delete(key);
      },
    );
    for (const oldestKey of this.#tiles.keys()) {
      if (this.#tiles.size <= maxTiles) break;
      this.#tiles.delete(oldestKey);
    }
    return undefined;
  }
}

interface HeatColors {
  /** Ramp of 256 pixel colours. */
  ramp: Uint32Array;
  /** Colour of a text compared with itself. */
  selfColor: number;
}

/**
 * Renders values to a canvas with one pixel each. `diagonal` is the offset of the left column from the top row, if the
 * cells are exact.
 */
function renderCells(
  { range }: HeatScene,
  values: Float32Array,
  width: number,
  height: number,
  diagonal: number | undefined,
  { ramp, selfColor }: HeatColors,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  const data = new Uint32Array(image.data.buffer);
  for (let index = 0; index < values.length; index++) {
    data[index] = ramp[Math.round(toRangeShare(values[index] ?? 0, range) * 255)] ?? 0;
  }
  if (diagonal !== undefined) {
    for (let row = 0; row < height; row++) {
      const column = row + diagonal;
      if (column >= 0 && column < width) data[row * width + column] = selfColor;
    }
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}
