import { cssColors, heatRamp, type CssColors } from './css-colors.ts';
import { shareOf, type Cell, type HeatScene } from './heat-scene.ts';
import { pngOf } from './png-of.ts';
import { draggedView, fittedView, zoomedView, type ViewBox } from './view-box.ts';
import { watchPointers } from './watch-pointers.ts';

export interface HeatEvents {
  onHover: (cell: Cell | undefined) => void;
  onPick: (cell: Cell) => void;
}

/** Cells a side of one tile, and how many tiles are kept: 24 take 6 MB. */
const tileSide = 256;
const mostTiles = 24;
/** From so few cells a side in view on, single cells are drawn instead of means. */
const mostExactCells = 768;
const largestCellPx = 64;
/** Room for the names of groups at the left and at the top. */
const bandPx = 24;
const edgePx = 6;

type Tile = HTMLCanvasElement | 'asked';

/**
 * A matrix of any size on two canvases: means of blocks from afar, exact cells from near. Plain, no React: `destroy`
 * ends it. Never holds more than its overview and a few tiles.
 */
export class Heat {
  readonly #host: HTMLElement;
  readonly #events: HeatEvents;
  readonly #below = document.createElement('canvas');
  readonly #above = document.createElement('canvas');
  readonly #stops: (() => void)[] = [];
  readonly #tiles = new Map<string, Tile>();
  #scene: HeatScene | undefined;
  #overview: HTMLCanvasElement | undefined;
  /** In cells; rows grow downwards, so that y is the negative row. */
  #view: ViewBox = { centerX: 0, centerY: 0, pixelsPerUnit: 1 };
  #isFitted = true;
  #cursor: Cell | undefined;
  #hovered: Cell | undefined;
  #colors: CssColors;
  #ramp: Uint32Array;
  #selfColor: number;
  #frame = 0;
  #widthPx = 0;
  #heightPx = 0;
  #ratio = 1;

  constructor(host: HTMLElement, events: HeatEvents) {
    this.#host = host;
    this.#events = events;
    this.#colors = cssColors(host);
    this.#ramp = heatRamp(this.#colors);
    this.#selfColor = this.#colors.token('--line');
    this.#above.className = 'points-above';
    host.append(this.#below, this.#above);
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(host);
    this.#stops.push(() => resized.disconnect(), this.#watch());
    this.#resize();
  }

  setScene(scene: HeatScene): void {
    const isOther = this.#scene?.side !== scene.side;
    this.#scene = scene;
    this.#repaint();
    if (isOther) this.#isFitted = true;
    this.#schedule();
  }

  /** The cell that is pointed at, by keys or elsewhere; it is brought into view. */
  setCursor(cell: Cell | undefined): void {
    this.#cursor = cell;
    if (cell && !this.#isFitted) {
      const { x, y } = this.#placeOf(cell);
      if (x < bandPx || y < bandPx || x > this.#widthPx - edgePx || y > this.#heightPx - edgePx) {
        this.#view = { ...this.#view, centerX: cell.column + 0.5, centerY: -(cell.row + 0.5) };
      }
    }
    this.#schedule();
  }

  /** All of the matrix. */
  fit(): void {
    this.#isFitted = true;
    this.#schedule();
  }

  /** About the cell that is pointed at, else the middle. */
  zoom(factor: number): void {
    const at = this.#cursor && this.#placeOf(this.#cursor);
    this.#zoomAbout(factor, at?.x ?? this.#widthPx / 2, at?.y ?? this.#heightPx / 2);
  }

  /** The theme changed. */
  refresh(): void {
    this.#colors = cssColors(this.#host);
    this.#ramp = heatRamp(this.#colors);
    this.#selfColor = this.#colors.token('--line');
    this.#repaint();
    this.#schedule();
  }

  /** Draws at once; for measuring and for pictures. */
  drawNow(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#draw();
  }

  /** The matrix as it stands, as a PNG. Rejects where the browser gives none. */
  async toPng(): Promise<Blob> {
    this.drawNow();
    const whole = document.createElement('canvas');
    whole.width = this.#below.width;
    whole.height = this.#below.height;
    const context = whole.getContext('2d');
    context?.drawImage(this.#below, 0, 0);
    context?.drawImage(this.#above, 0, 0);
    return await pngOf(whole);
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops) stop();
    this.#tiles.clear();
    this.#scene = undefined;
    this.#below.remove();
    this.#above.remove();
  }

  #watch(): () => void {
    return watchPointers(this.#above, {
      onPress: () => 'drag',
      onDrag: (byX, byY) => {
        this.#isFitted = false;
        this.#view = draggedView(this.#view, byX, byY);
        this.#schedule();
      },
      onZoom: (factor, x, y) => this.#zoomAbout(factor, x, y),
      onHover: (x, y) => this.#hover(this.#cellAt(x, y)),
      onLeave: () => this.#hover(undefined),
      onTap: (x, y) => {
        const cell = this.#cellAt(x, y);
        if (cell) this.#events.onPick(cell);
      },
    });
  }

  #hover(cell: Cell | undefined): void {
    if (cell?.row === this.#hovered?.row && cell?.column === this.#hovered?.column) return;
    this.#hovered = cell;
    this.#paintAbove();
    this.#events.onHover(cell);
  }

  #cellAt(x: number, y: number): Cell | undefined {
    const { centerX, centerY, pixelsPerUnit } = this.#view;
    const column = Math.floor((x - this.#widthPx / 2) / pixelsPerUnit + centerX);
    const row = Math.floor((y - this.#heightPx / 2) / pixelsPerUnit - centerY);
    const side = this.#scene?.side ?? 0;
    return row >= 0 && column >= 0 && row < side && column < side ? { row, column } : undefined;
  }

  /** The middle of a cell. */
  #placeOf({ row, column }: Cell): { x: number; y: number } {
    return this.#cornerOf(row + 0.5, column + 0.5);
  }

  #cornerOf(row: number, column: number): { x: number; y: number } {
    const { centerX, centerY, pixelsPerUnit } = this.#view;
    return {
      x: (column - centerX) * pixelsPerUnit + this.#widthPx / 2,
      y: (row + centerY) * pixelsPerUnit + this.#heightPx / 2,
    };
  }

  #zoomAbout(factor: number, x: number, y: number): void {
    const now = this.#view.pixelsPerUnit;
    const least = this.#fitted()?.pixelsPerUnit ?? now;
    const wanted = Math.max(least, Math.min(Math.max(largestCellPx, least), now * factor));
    this.#isFitted = wanted <= least;
    this.#view = zoomedView(this.#view, wanted / now, x - this.#widthPx / 2, y - this.#heightPx / 2);
    this.#schedule();
  }

  #fitted(): ViewBox | undefined {
    const scene = this.#scene;
    if (!scene || this.#widthPx === 0) return undefined;
    const band = scene.bands.length > 0 ? bandPx : 0;
    const box = { minX: 0, minY: -scene.side, maxX: scene.side, maxY: 0 };
    const view = fittedView(box, this.#widthPx - band, this.#heightPx - band, edgePx);
    // The names stand left and above: the matrix moves right and down by half of their room.
    return draggedView(view, band / 2, band / 2);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#host;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#ratio = Math.min(2, devicePixelRatio || 1);
    this.#widthPx = clientWidth;
    this.#heightPx = clientHeight;
    for (const canvas of [this.#below, this.#above]) {
      canvas.width = Math.round(clientWidth * this.#ratio);
      canvas.height = Math.round(clientHeight * this.#ratio);
      canvas.style.width = `${clientWidth}px`;
      canvas.style.height = `${clientHeight}px`;
    }
    this.drawNow();
  }

  #schedule(): void {
    if (this.#frame === 0)
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#draw();
      });
  }

  /** Colours anew what is kept as colours. */
  #repaint(): void {
    const scene = this.#scene;
    this.#tiles.clear();
    if (!scene) return;
    const { size, values } = scene.overview;
    this.#overview = this.#painted(scene, values, size, size, size === scene.side ? 0 : undefined);
  }

  /** Values as a canvas of one pixel each. `diagonal`: how far the left column is behind the top row, where cells are single. */
  #painted(
    scene: HeatScene,
    values: Float32Array,
    width: number,
    height: number,
    diagonal: number | undefined,
  ) {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const image = new ImageData(width, height);
    const data = new Uint32Array(image.data.buffer);
    for (let at = 0; at < values.length; at++) {
      data[at] = this.#ramp[Math.round(shareOf(values[at] ?? 0, scene.range) * 255)] ?? 0;
    }
    if (diagonal !== undefined) {
      for (let row = 0; row < height; row++) {
        const column = row + diagonal;
        if (column >= 0 && column < width) data[row * width + column] = this.#selfColor;
      }
    }
    canvas.getContext('2d')?.putImageData(image, 0, 0);
    return canvas;
  }

  #draw(): void {
    const context = this.#below.getContext('2d');
    const scene = this.#scene;
    if (!context || this.#widthPx === 0) return;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.fillStyle = this.#colors.css('--paper');
    context.fillRect(0, 0, this.#widthPx, this.#heightPx);
    if (scene && this.#overview) {
      if (this.#isFitted) this.#view = this.#fitted() ?? this.#view;
      const { x, y } = this.#cornerOf(0, 0);
      const sidePx = scene.side * this.#view.pixelsPerUnit;
      // Means may be blurred by scaling down, cells may not be by scaling up.
      context.imageSmoothingEnabled = sidePx * this.#ratio < scene.overview.size;
      context.drawImage(this.#overview, x, y, sidePx, sidePx);
      this.#drawTiles(context, scene);
      this.#drawGaps(context, scene);
    }
    this.#paintAbove();
  }

  #drawTiles(context: CanvasRenderingContext2D, scene: HeatScene): void {
    const cellPx = this.#view.pixelsPerUnit;
    const isExactAlready = scene.overview.size === scene.side;
    if (isExactAlready || Math.max(this.#widthPx, this.#heightPx) / cellPx > mostExactCells) return;
    const corner = this.#cornerOf(0, 0);
    const last = Math.ceil(scene.side / tileSide) - 1;
    const firstOf = (startPx: number) => Math.max(0, Math.floor(-startPx / cellPx / tileSide));
    const lastOf = (startPx: number, lengthPx: number) =>
      Math.min(last, Math.floor((lengthPx - startPx) / cellPx / tileSide));
    context.imageSmoothingEnabled = false;
    for (let row = firstOf(corner.y); row <= lastOf(corner.y, this.#heightPx); row++) {
      for (let column = firstOf(corner.x); column <= lastOf(corner.x, this.#widthPx); column++) {
        const tile = this.#tileAt(scene, row, column);
        if (!(tile instanceof HTMLCanvasElement)) continue;
        const at = this.#cornerOf(row * tileSide, column * tileSide);
        context.drawImage(tile, at.x, at.y, tile.width * cellPx, tile.height * cellPx);
      }
    }
  }

  #tileAt(scene: HeatScene, row: number, column: number): Tile {
    const key = `${row} ${column}`;
    const kept = this.#tiles.get(key);
    if (kept) {
      // The newest stand last: the first is given up for a new one.
      this.#tiles.delete(key);
      this.#tiles.set(key, kept);
      return kept;
    }
    this.#tiles.set(key, 'asked');
    const region = { top: row * tileSide, left: column * tileSide, height: tileSide, width: tileSide };
    scene.tile(region).then(
      (tile) => {
        // Meanwhile other colours, another order or another matrix may be shown.
        if (this.#scene !== scene || this.#tiles.get(key) !== 'asked') return;
        this.#tiles.set(
          key,
          this.#painted(scene, tile.values, tile.width, tile.height, tile.top - tile.left),
        );
        this.#schedule();
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
    return 'asked';
  }

  /** Hairlines between cells that are large enough to be told apart. */
  #drawGaps(context: CanvasRenderingContext2D, { side }: HeatScene): void {
    const cellPx = this.#view.pixelsPerUnit;
    if (cellPx < 7) return;
    const corner = this.#cornerOf(0, 0);
    const end = this.#cornerOf(side, side);
    context.fillStyle = this.#colors.css('--paper');
    const first = (startPx: number) => Math.max(0, Math.floor(-startPx / cellPx));
    for (let at = first(corner.x); at <= side; at++) {
      const x = corner.x + at * cellPx;
      if (x > this.#widthPx) break;
      context.fillRect(
        x - 0.5,
        Math.max(0, corner.y),
        1,
        Math.min(this.#heightPx, end.y) - Math.max(0, corner.y),
      );
    }
    for (let at = first(corner.y); at <= side; at++) {
      const y = corner.y + at * cellPx;
      if (y > this.#heightPx) break;
      context.fillRect(
        Math.max(0, corner.x),
        y - 0.5,
        Math.min(this.#widthPx, end.x) - Math.max(0, corner.x),
        1,
      );
    }
  }

  #paintAbove(): void {
    const context = this.#above.getContext('2d');
    const scene = this.#scene;
    if (!context || !scene || this.#widthPx === 0) return;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.clearRect(0, 0, this.#widthPx, this.#heightPx);
    this.#paintBands(context, scene);
    const cellPx = this.#view.pixelsPerUnit;
    const corner = this.#cornerOf(0, 0);
    const end = this.#cornerOf(scene.side, scene.side);
    const mark = (cell: Cell | undefined, color: `--${string}`, widthPx: number) => {
      if (!cell) return;
      const { x, y } = this.#cornerOf(cell.row, cell.column);
      context.strokeStyle = this.#colors.css(color);
      context.lineWidth = 1;
      if (cellPx < 24) {
        // A crosshair, or the cell would not be found.
        context.globalAlpha = 0.55;
        context.beginPath();
        context.moveTo(Math.max(0, corner.x), y + cellPx / 2);
        context.lineTo(Math.min(this.#widthPx, end.x), y + cellPx / 2);
        context.moveTo(x + cellPx / 2, Math.max(0, corner.y));
        context.lineTo(x + cellPx / 2, Math.min(this.#heightPx, end.y));
        context.stroke();
        context.globalAlpha = 1;
      }
      context.lineWidth = widthPx;
      const grow = cellPx < 5 ? 3 : 1;
      context.strokeRect(x - grow, y - grow, cellPx + 2 * grow, cellPx + 2 * grow);
    };
    mark(this.#hovered, '--ink', 1);
    mark(this.#cursor, '--needle', 2);
  }

  #paintBands(context: CanvasRenderingContext2D, { bands }: HeatScene): void {
    context.strokeStyle = this.#colors.css('--line-2');
    context.font = `450 11px ${this.#colors.css('--sans')}`;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.lineWidth = 1;
    const corner = this.#cornerOf(0, 0);
    // Along the edge while the matrix reaches beyond it.
    const top = Math.max(bandPx, corner.y) - 5;
    const left = Math.max(bandPx, corner.x) - 5;
    context.fillStyle = this.#colors.css('--paper');
    if (corner.y < bandPx && bands.length > 0) context.fillRect(0, 0, this.#widthPx, bandPx);
    if (corner.x < bandPx && bands.length > 0) context.fillRect(0, 0, bandPx, this.#heightPx);
    context.fillStyle = this.#colors.css('--ink-3');
    for (const { name, from, to } of bands) {
      const start = this.#cornerOf(from, from);
      const end = this.#cornerOf(to, to);
      context.beginPath();
      context.moveTo(start.x + 1, top + 3);
      context.lineTo(start.x + 1, top);
      context.lineTo(end.x - 1, top);
      context.lineTo(end.x - 1, top + 3);
      context.moveTo(left + 3, start.y + 1);
      context.lineTo(left, start.y + 1);
      context.lineTo(left, end.y - 1);
      context.lineTo(left + 3, end.y - 1);
      context.stroke();
      // In the middle of what is seen of the band, where that is long enough.
      const needed = context.measureText(name).width + 4;
      const [across, alongX] = middleOf(start.x, end.x, bandPx, this.#widthPx);
      if (alongX >= needed) context.fillText(name, across, top - 6);
      const [down, alongY] = middleOf(start.y, end.y, bandPx, this.#heightPx);
      if (alongY < needed) continue;
      context.save();
      context.translate(left - 6, down);
      context.rotate(-Math.PI / 2);
      context.fillText(name, 0, 0);
      context.restore();
    }
  }
}

/** The middle and the length of the part of a stretch that lies between two places. */
function middleOf(from: number, to: number, least: number, most: number): [number, number] {
  const start = Math.max(from, least);
  const end = Math.min(to, most);
  return [(start + end) / 2, end - start];
}
