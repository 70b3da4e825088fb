import { CanvasPair } from './canvas-pair.ts';
import { paintMarks } from './paint-marks.ts';
import { paintOverlay } from './paint-overlay.ts';
import { pointGrid, pointsInside, type PointGrid } from './point-grid.ts';
import { PointPicture, palettesOf, radiusOf, type PointPalettes } from './point-image.ts';
import { emptyOverlay, type ScatterOverlay, type ScatterScene } from './scatter-scene.ts';
import { boundsOf, draggedView, fittedView, zoomedView, type ViewBox } from './view-box.ts';
import { watchPointers } from './watch-pointers.ts';

export interface ScatterEvents {
  onHover: (point: number | undefined) => void;
  onPick: (point: number | undefined, isAdded: boolean) => void;
  onLasso: (points: number[]) => void;
}

/** A view that has not moved for so long is drawn with smooth edges. */
const settleMs = 80;
const marginPx = 44;
const hitPx = 12;

/**
 * A map of points on two canvases: pixels below, words, lines and rings above. Plain, no React: `destroy` ends it.
 * A frame of 100,000 points takes about 2 ms without a GPU.
 */
export class Scatter {
  readonly #events: ScatterEvents;
  readonly #pair: CanvasPair;
  readonly #points = new PointPicture();
  readonly #stopWatching: () => void;
  #palettes: PointPalettes;
  #scene: ScatterScene = { xy: new Float32Array() };
  #overlay: ScatterOverlay = emptyOverlay;
  #view: ViewBox = { centerX: 0, centerY: 0, pixelsPerUnit: 1 };
  /** Follows the points until a person moves the view. */
  #isFitted = true;
  #mode: 'pan' | 'lasso' = 'pan';
  #hovered: number | undefined;
  #lasso: number[] = [];
  #grid: PointGrid | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;
  #glide: Glide | undefined;

  constructor(host: HTMLElement, events: ScatterEvents) {
    this.#events = events;
    this.#pair = new CanvasPair(host, {
      draw: (isMoving) => this.#draw(isMoving),
      onResize: (width, height) => this.#points.resize(width, height),
    });
    this.#palettes = palettesOf(this.#pair.colors);
    this.#stopWatching = this.#watch();
    this.#pair.start();
  }

  /** Shows other points; a view that nobody moved follows them. `glides`: the same points glide to their new places. */
  setScene(scene: ScatterScene, glides = false): void {
    const before = this.#shownXy();
    this.#scene = scene;
    this.#grid = undefined;
    this.#glide = glides ? glideTo(before, scene.xy) : undefined;
    if (before.length !== scene.xy.length) {
      this.#isFitted = true;
      this.#hovered = undefined;
    }
    this.#moved();
  }

  setOverlay(overlay: ScatterOverlay): void {
    const standsOut = overlay.chosen !== this.#overlay.chosen;
    this.#overlay = overlay;
    if (overlay.current !== undefined) this.#keepInView(overlay.current);
    if (standsOut) this.#pair.schedule();
    else this.#paintAbove();
  }

  /** What a drag does; with Shift it draws a lasso in either mode. */
  setMode(mode: 'pan' | 'lasso'): void {
    this.#mode = mode;
    this.#pair.above.style.cursor = mode === 'lasso' ? 'crosshair' : '';
  }

  fit(): void {
    this.#isFitted = true;
    this.#moved();
  }

  /** About the middle of the view. */
  zoom(factor: number): void {
    this.#zoomAbout(factor, this.#pair.widthPx / 2, this.#pair.heightPx / 2);
  }

  /** The theme changed. */
  refresh(): void {
    this.#pair.refresh();
    this.#palettes = palettesOf(this.#pair.colors);
    this.#pair.schedule();
  }

  /** The map as it stands, as a PNG. Rejects where the browser gives none. */
  async toPng(): Promise<Blob> {
    return await this.#pair.toPng();
  }

  destroy(): void {
    clearTimeout(this.#settle);
    this.#stopWatching();
    this.#pair.destroy();
  }

  #watch(): () => void {
    return watchPointers(this.#pair.above, {
      onPress: (event) => (this.#mode === 'lasso' || event.shiftKey ? 'draw' : 'drag'),
      onDrag: (byX, byY) => {
        this.#isFitted = false;
        this.#view = draggedView(this.#view, byX, byY);
        this.#moved();
      },
      onDraw: (x, y) => {
        this.#lasso.push(x, y);
        this.#paintAbove();
      },
      onDrawn: (end) => {
        const line = this.#lasso;
        this.#lasso = [];
        this.#paintAbove();
        if (end !== 'done') return;
        this.#events.onLasso(pointsInside(this.#scene.xy, this.#toData(line)));
      },
      onZoom: (factor, x, y) => this.#zoomAbout(factor, x, y),
      onHover: (x, y) => this.#hover(this.#pointAt(x, y)),
      onLeave: () => this.#hover(undefined),
      onTap: (x, y, event) => {
        const isAdded = event.shiftKey || event.ctrlKey || event.metaKey;
        this.#events.onPick(this.#pointAt(x, y), isAdded);
      },
    });
  }

  #hover(point: number | undefined): void {
    if (point === this.#hovered) return;
    this.#hovered = point;
    this.#pair.above.classList.toggle('is-over-point', point !== undefined);
    this.#paintAbove();
    this.#events.onHover(point);
  }

  #pointAt(x: number, y: number): number | undefined {
    this.#grid ??= pointGrid(this.#scene.xy);
    const [dataX = 0, dataY = 0] = this.#toData([x, y]);
    return this.#grid.nearest(dataX, dataY, hitPx / this.#view.pixelsPerUnit);
  }

  #toData(places: readonly number[]): number[] {
    const { widthPx, heightPx } = this.#pair;
    const { centerX, centerY, pixelsPerUnit } = this.#view;
    return places.map((place, at) =>
      at % 2 === 0
        ? (place - widthPx / 2) / pixelsPerUnit + centerX
        : (heightPx / 2 - place) / pixelsPerUnit + centerY,
    );
  }

  #toPlace = (x: number, y: number): { x: number; y: number } => ({
    x: (x - this.#view.centerX) * this.#view.pixelsPerUnit + this.#pair.widthPx / 2,
    y: this.#pair.heightPx / 2 - (y - this.#view.centerY) * this.#view.pixelsPerUnit,
  });

  #zoomAbout(factor: number, x: number, y: number): void {
    const { widthPx, heightPx } = this.#pair;
    this.#isFitted = false;
    this.#view = zoomedView(this.#view, factor, x - widthPx / 2, y - heightPx / 2);
    this.#moved();
  }

  /** A point that is reached by keys, or in another view, must be seen. */
  #keepInView(point: number): void {
    const x = this.#scene.xy[point * 2];
    const y = this.#scene.xy[point * 2 + 1];
    if (x === undefined || y === undefined || !Number.isFinite(x + y) || this.#isFitted) return;
    const { widthPx, heightPx } = this.#pair;
    const place = this.#toPlace(x, y);
    if (place.x > 0 && place.y > 0 && place.x < widthPx && place.y < heightPx) return;
    this.#view = { ...this.#view, centerX: x, centerY: y };
    this.#moved();
  }

  #moved(): void {
    this.#pair.schedule(true);
  }

  /** The places as they are drawn now: on their way, while they glide. */
  #shownXy(): Float32Array {
    const onTheWay = this.#glide && placesOf(this.#glide);
    if (onTheWay) this.#moved();
    else this.#glide = undefined;
    return onTheWay ?? this.#scene.xy;
  }

  #draw(isMoving: boolean): void {
    const pair = this.#pair;
    const { widthPx, heightPx, ratio } = pair;
    const context = pair.contextOf(pair.below);
    if (!context) return;
    const xy = this.#shownXy();
    const bounds = this.#isFitted ? boundsOf(xy) : undefined;
    if (bounds) this.#view = fittedView(bounds, widthPx, heightPx, marginPx);
    const { chosen } = this.#overlay;
    const { colors } = this.#scene;
    clearTimeout(this.#settle);
    const picture = { xy, colors, chosen, palettes: this.#palettes, view: this.#view };
    const isFlat = this.#points.paint(context, { ...picture, widthPx, heightPx, ratio }, isMoving);
    if (isFlat) this.#settle = setTimeout(() => pair.schedule(), settleMs);
    this.#paintAbove(xy);
  }

  #paintAbove(xy = this.#shownXy()): void {
    const pair = this.#pair;
    const context = pair.contextOf(pair.above);
    if (!context) return;
    context.clearRect(0, 0, pair.widthPx, pair.heightPx);
    const picture = {
      scene: { ...this.#scene, xy },
      overlay: this.#overlay,
      hovered: this.#hovered,
      lasso: this.#lasso,
      widthPx: pair.widthPx,
      heightPx: pair.heightPx,
      radiusPx: radiusOf(xy.length / 2),
      view: this.#view,
      toPlace: this.#toPlace,
      css: pair.colors.css,
    };
    paintOverlay(context, picture);
    paintMarks(context, picture);
  }
}

const glideMs = 240;
const mostGliding = 20_000;

/** Points on the way from one place to another. */
interface Glide {
  from: Float32Array;
  to: Float32Array;
  shown: Float32Array;
  startedAt: number;
}

/** The way of the same points to new places; undefined where they should be there at once. */
function glideTo(from: Float32Array, to: Float32Array): Glide | undefined {
  const isPossible = from.length === to.length && from !== to && to.length / 2 <= mostGliding;
  if (!isPossible || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
  return { from: from.slice(), to, shown: from.slice(), startedAt: performance.now() };
}

/** Where the points are now; undefined when they have arrived. */
function placesOf({ from, to, shown, startedAt }: Glide): Float32Array | undefined {
  const passed = Math.min(1, (performance.now() - startedAt) / glideMs);
  if (passed === 1) return undefined;
  const share = 1 - (1 - passed) ** 3;
  for (let at = 0; at < to.length; at++) {
    const start = from[at] ?? 0;
    shown[at] = start + ((to[at] ?? 0) - start) * share;
  }
  return shown;
}
