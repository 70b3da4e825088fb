import { cssColors, heatRamp, type CssColors } from './css-colors.ts';
import { pointsInside } from './lasso.ts';
import { paintOverlay } from './paint-overlay.ts';
import { pngOf } from './png-of.ts';
import { pointGrid, type PointGrid } from './point-grid.ts';
import {
  emptyOverlay,
  groupColors,
  noGroup,
  type ScatterOverlay,
  type ScatterScene,
} from './scatter-scene.ts';
import { shapes, splatDensity, splatFlat, splatSmooth, type Pixels, type SplatPoints } from './splat.ts';
import { boundsOf, draggedView, fittedView, zoomedView, type ViewBox } from './view-box.ts';
import { watchPointers } from './watch-pointers.ts';

export interface ScatterEvents {
  onHover: (point: number | undefined) => void;
  onPick: (point: number | undefined, isAdded: boolean) => void;
  onLasso: (points: number[]) => void;
}

/** Above this the points of a pixel are counted instead of drawn. */
const mostDrawn = 300_000;
/** Up to this many, smooth edges keep up with every frame. */
const mostSmooth = 5_000;
/** A view that has not moved for so long is drawn with smooth edges. */
const settleMs = 80;
const marginPx = 44;
const hitPx = 12;
const tweenMs = 240;
const mostTweened = 20_000;

/**
 * A map of points on two canvases: pixels below, words, lines and rings above. Plain, no React: `destroy` ends it.
 * A frame of 100,000 points takes about 2 ms without a GPU.
 */
export class Scatter {
  readonly #host: HTMLElement;
  readonly #events: ScatterEvents;
  readonly #below = document.createElement('canvas');
  readonly #above = document.createElement('canvas');
  readonly #stops: (() => void)[] = [];
  #scene: ScatterScene = { xy: new Float32Array() };
  #overlay: ScatterOverlay = emptyOverlay;
  #view: ViewBox = { centerX: 0, centerY: 0, pixelsPerUnit: 1 };
  /** Follows the points until a person moves the view. */
  #isFitted = true;
  #mode: 'pan' | 'lasso' = 'pan';
  #hovered: number | undefined;
  #lasso: number[] = [];
  #grid: PointGrid | undefined;
  #image: ImageData | undefined;
  #pixels: Pixels = { width: 0, height: 0, data: new Uint32Array() };
  #counts = new Uint32Array();
  #colors: CssColors;
  #palettes: { group: Uint32Array; heat: Uint32Array; ink: Uint32Array; paper: number };
  #frame = 0;
  #settle: ReturnType<typeof setTimeout> | undefined;
  #tween: { from: Float32Array; to: Float32Array; shown: Float32Array; startedAt: number } | undefined;
  #widthPx = 0;
  #heightPx = 0;
  #ratio = 1;

  constructor(host: HTMLElement, events: ScatterEvents) {
    this.#host = host;
    this.#events = events;
    this.#colors = cssColors(host);
    this.#palettes = palettesOf(this.#colors);
    this.#below.className = 'points';
    this.#above.className = 'points-above';
    host.append(this.#below, this.#above);
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(host);
    this.#stops.push(() => resized.disconnect(), this.#watch());
    this.#resize();
  }

  /** Shows other points; a view that nobody moved follows them. `tweened`: the same points glide to their new places. */
  setScene(scene: ScatterScene, tweened = false): void {
    const before = this.#shownXy();
    const isSame = before.length === scene.xy.length;
    this.#scene = scene;
    this.#grid = undefined;
    const glides =
      tweened && isSame && scene.xy.length / 2 <= mostTweened && scene.xy !== before && !prefersStill();
    this.#tween = glides
      ? { from: before.slice(), to: scene.xy, shown: before.slice(), startedAt: performance.now() }
      : undefined;
    if (!isSame) this.#isFitted = true;
    if (!isSame) this.#hovered = undefined;
    this.#moved();
  }

  setOverlay(overlay: ScatterOverlay): void {
    const standsOut = overlay.chosen !== this.#overlay.chosen;
    this.#overlay = overlay;
    if (overlay.current !== undefined) this.#keepInView(overlay.current);
    if (standsOut) this.#schedule();
    else this.#paintAbove();
  }

  /** What a drag does; with Shift it draws a lasso in either mode. */
  setMode(mode: 'pan' | 'lasso'): void {
    this.#mode = mode;
    this.#above.style.cursor = mode === 'lasso' ? 'crosshair' : '';
  }

  fit(): void {
    this.#isFitted = true;
    this.#moved();
  }

  /** About the middle of the view. */
  zoom(factor: number): void {
    this.#zoomAbout(factor, this.#widthPx / 2, this.#heightPx / 2);
  }

  /** The theme changed. */
  refresh(): void {
    this.#colors = cssColors(this.#host);
    this.#palettes = palettesOf(this.#colors);
    this.#schedule();
  }

  /** A colour of the theme, for a picture of another kind. */
  readonly css: CssColors['css'] = (name) => this.#colors.css(name);

  /** Draws at once: flat and fast as while the view moves, or with smooth edges. For measuring and for pictures. */
  drawNow(isMoving: boolean): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#draw(isMoving);
  }

  /** The map as it stands, as a PNG. Rejects where the browser gives none. */
  async toPng(): Promise<Blob> {
    this.drawNow(false);
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
    clearTimeout(this.#settle);
    for (const stop of this.#stops) stop();
    this.#below.remove();
    this.#above.remove();
  }

  #watch(): () => void {
    return watchPointers(this.#above, {
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
        if (end === 'done') this.#events.onLasso(pointsInside(this.#scene.xy, this.#toData(line)));
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
    this.#above.classList.toggle('over', point !== undefined);
    this.#paintAbove();
    this.#events.onHover(point);
  }

  #pointAt(x: number, y: number): number | undefined {
    this.#grid ??= pointGrid(this.#scene.xy);
    const [dataX = 0, dataY = 0] = this.#toData([x, y]);
    return this.#grid.nearest(dataX, dataY, hitPx / this.#view.pixelsPerUnit);
  }

  #toData(places: readonly number[]): number[] {
    const { centerX, centerY, pixelsPerUnit } = this.#view;
    return places.map((place, at) =>
      at % 2 === 0
        ? (place - this.#widthPx / 2) / pixelsPerUnit + centerX
        : (this.#heightPx / 2 - place) / pixelsPerUnit + centerY,
    );
  }

  #toPlace = (x: number, y: number): { x: number; y: number } => ({
    x: (x - this.#view.centerX) * this.#view.pixelsPerUnit + this.#widthPx / 2,
    y: this.#heightPx / 2 - (y - this.#view.centerY) * this.#view.pixelsPerUnit,
  });

  #zoomAbout(factor: number, x: number, y: number): void {
    this.#isFitted = false;
    this.#view = zoomedView(this.#view, factor, x - this.#widthPx / 2, y - this.#heightPx / 2);
    this.#moved();
  }

  /** A point that is reached by keys, or in another view, must be seen. */
  #keepInView(point: number): void {
    const x = this.#scene.xy[point * 2];
    const y = this.#scene.xy[point * 2 + 1];
    if (x === undefined || y === undefined || !Number.isFinite(x + y) || this.#isFitted) return;
    const place = this.#toPlace(x, y);
    const isSeen = place.x > 0 && place.y > 0 && place.x < this.#widthPx && place.y < this.#heightPx;
    if (isSeen) return;
    this.#view = { ...this.#view, centerX: x, centerY: y };
    this.#moved();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#host;
    this.#ratio = Math.min(2, devicePixelRatio || 1);
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#widthPx = clientWidth;
    this.#heightPx = clientHeight;
    const width = Math.round(clientWidth * this.#ratio);
    const height = Math.round(clientHeight * this.#ratio);
    for (const canvas of [this.#below, this.#above]) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${clientWidth}px`;
      canvas.style.height = `${clientHeight}px`;
    }
    this.#image = new ImageData(width, height);
    this.#pixels = { width, height, data: new Uint32Array(this.#image.data.buffer) };
    this.#counts = new Uint32Array();
    // A cleared canvas is seen until the next frame.
    this.drawNow(false);
  }

  #moved(): void {
    this.#schedule(true);
  }

  #schedule(isMoving = false): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw(isMoving);
    });
  }

  /** The places as they are drawn now: on their way, while they glide. */
  #shownXy(): Float32Array {
    const tween = this.#tween;
    if (!tween) return this.#scene.xy;
    const passed = Math.min(1, (performance.now() - tween.startedAt) / tweenMs);
    const share = 1 - (1 - passed) ** 3;
    for (let at = 0; at < tween.to.length; at++) {
      const from = tween.from[at] ?? 0;
      tween.shown[at] = from + ((tween.to[at] ?? 0) - from) * share;
    }
    if (passed < 1) this.#schedule(true);
    else this.#tween = undefined;
    return passed < 1 ? tween.shown : tween.to;
  }

  #draw(isMoving: boolean): void {
    const context = this.#below.getContext('2d');
    if (!context || !this.#image) return;
    const xy = this.#shownXy();
    const bounds = this.#isFitted ? boundsOf(xy) : undefined;
    if (bounds) this.#view = fittedView(bounds, this.#widthPx, this.#heightPx, marginPx);
    const pixels = this.#pixels;
    const projection = {
      scale: this.#view.pixelsPerUnit * this.#ratio,
      shiftX: (this.#widthPx / 2 - this.#view.centerX * this.#view.pixelsPerUnit) * this.#ratio,
      shiftY: (this.#heightPx / 2 + this.#view.centerY * this.#view.pixelsPerUnit) * this.#ratio,
    };
    pixels.data.fill(this.#palettes.paper);
    const count = xy.length / 2;
    if (count > mostDrawn) {
      if (this.#counts.length !== pixels.data.length) this.#counts = new Uint32Array(pixels.data.length);
      splatDensity(pixels, xy, projection, this.#palettes.heat, this.#counts);
    } else {
      const radiusPx = radiusOf(count) * this.#ratio;
      const isFlat = isMoving && count > mostSmooth;
      clearTimeout(this.#settle);
      if (isFlat) this.#settle = setTimeout(() => this.#schedule(), settleMs);
      const halo =
        count <= mostSmooth ? { color: this.#palettes.paper, widthPx: 0.75 * this.#ratio } : undefined;
      for (const layer of this.#layers(xy)) {
        if (isFlat) splatFlat(pixels, layer, projection, radiusPx);
        else splatSmooth(pixels, layer, projection, radiusPx, halo);
      }
    }
    context.putImageData(this.#image, 0, 0);
    this.#paintAbove(xy);
  }

  /** All points; or those that are not chosen, faded, and then the chosen ones. */
  #layers(xy: Float32Array): SplatPoints[] {
    const { colors } = this.#scene;
    const palette = colors ? this.#palettes[colors.by] : this.#palettes.ink;
    const points: SplatPoints = { xy, colors: colors?.of, palette };
    if (colors?.by === 'group') points.shapes = shapesOf(colors.of);
    const { chosen } = this.#overlay;
    if (chosen.length < 2) return [points];
    const only = new Uint8Array(xy.length / 2);
    for (const point of chosen) only[point] = 1;
    return [
      { ...points, palette: faded(palette, this.#palettes.paper), only, isInverted: true },
      { ...points, only },
    ];
  }

  #paintAbove(xy = this.#shownXy()): void {
    const context = this.#above.getContext('2d');
    if (!context || this.#widthPx === 0) return;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.clearRect(0, 0, this.#widthPx, this.#heightPx);
    paintOverlay(context, {
      scene: { ...this.#scene, xy },
      overlay: this.#overlay,
      hovered: this.#hovered,
      lasso: this.#lasso,
      widthPx: this.#widthPx,
      heightPx: this.#heightPx,
      radiusPx: radiusOf(xy.length / 2),
      view: this.#view,
      toPlace: this.#toPlace,
      css: this.#colors.css,
    });
  }
}

function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function radiusOf(count: number): number {
  if (count <= 60) return 4.4;
  if (count <= 500) return 3.6;
  return count <= 5_000 ? 2.8 : 2.5;
}

const shapeCache = new WeakMap<Uint8Array, Uint8Array>();

function shapesOf(groups: Uint8Array): Uint8Array {
  let found = shapeCache.get(groups);
  if (!found) {
    found = groups.map((group) => (group === noGroup ? 0 : group % shapes.length));
    shapeCache.set(groups, found);
  }
  return found;
}

function palettesOf(colors: CssColors) {
  const group = new Uint32Array(256).fill(colors.token('--edge'));
  const lanes = groupColors.map((name) => colors.token(name));
  for (let at = 0; at < noGroup; at++) group[at] = lanes[at % lanes.length] ?? 0;
  return {
    group,
    heat: heatRamp(colors),
    ink: new Uint32Array(256).fill(colors.token('--ink-2')),
    paper: colors.token('--paper'),
  };
}

/** A fifth of each colour is left. */
function faded(palette: Uint32Array, paper: number): Uint32Array {
  const channel = (color: number, shift: number) =>
    Math.round(((color >>> shift) & 255) * 0.22 + ((paper >>> shift) & 255) * 0.78) << shift;
  return palette.map(
    (color) => (0xff000000 | channel(color, 16) | channel(color, 8) | channel(color, 0)) >>> 0,
  );
}
