import { CanvasPair } from './canvas-pair.ts';
import { paintMarks } from './paint-marks.ts';
import { paintOverlay } from './paint-overlay.ts';
import { createPointGrid, findPointsInside, type PointGrid } from './point-grid.ts';
import { PointImage, buildPalettes, getPointRadius, type PointPalettes } from './point-image.ts';
import { emptyOverlay, type ScatterOverlay, type ScatterScene } from './scatter-scene.ts';
import { computeBounds, panView, fitView, zoomView, type ViewBox } from './view-box.ts';
import { watchPointers } from './watch-pointers.ts';

export interface ScatterEvents {
  onHover: (point: number | undefined) => void;
  onPick: (point: number | undefined, isAdditive: boolean) => void;
  onLasso: (points: number[]) => void;
}

/** Milliseconds without movement after which the view is drawn with smooth edges. */
const settleMs = 80;
const marginPx = 44;
const hitRadiusPx = 12;

/**
 * Map of points on two canvases: pixels below; text, lines and rings above. Independent of React; `destroy` disposes of
 * it. A frame of 100,000 points takes about 2 ms without a GPU.
 */
export class Scatter {
  readonly #events: ScatterEvents;
  readonly #canvases: CanvasPair;
  readonly #pointImage = new PointImage();
  readonly #stopWatching: () => void;
  #palettes: PointPalettes;
  #scene: ScatterScene = { xy: new Float32Array() };
  #overlay: ScatterOverlay = emptyOverlay;
  #view: ViewBox = { centerX: 0, centerY: 0, pixelsPerUnit: 1 };
  /** True until the user moves the view; the view then no longer follows the points. */
  #isFitted = true;
  #mode: 'pan' | 'lasso' = 'pan';
  #hovered: number | undefined;
  #lasso: number[] = [];
  #grid: PointGrid | undefined;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #animation: PointAnimation | undefined;

  constructor(host: HTMLElement, events: ScatterEvents) {
    this.#events = events;
    this.#canvases = new CanvasPair(host, {
      draw: (isMoving) => this.#draw(isMoving),
      onResize: (width, height) => this.#pointImage.resize(width, height),
    });
    this.#palettes = buildPalettes(this.#canvases.colors);
    this.#stopWatching = this.#watchPointers();
    this.#canvases.start();
  }

  /**
   * Sets the points and fits the view to them, unless the user has moved it. `isAnimated` means that the points are the
   * same and move smoothly to their new positions.
   */
  setScene(scene: ScatterScene, isAnimated = false): void {
    const previousXy = this.#getCurrentXy();
    this.#scene = scene;
    this.#grid = undefined;
    this.#animation = isAnimated ? createPointAnimation(previousXy, scene.xy) : undefined;
    if (previousXy.length !== scene.xy.length) {
      this.#isFitted = true;
      this.#hovered = undefined;
    }
    this.#scheduleMovingFrame();
  }

  setOverlay(overlay: ScatterOverlay): void {
    const selectionChanged = overlay.chosen !== this.#overlay.chosen;
    this.#overlay = overlay;
    if (overlay.current !== undefined) this.#keepInView(overlay.current);
    if (selectionChanged) this.#canvases.schedule();
    else this.#paintOverlay();
  }

  /** Sets the effect of a drag; with Shift, a drag draws a lasso in either mode. */
  setMode(mode: 'pan' | 'lasso'): void {
    this.#mode = mode;
    this.#canvases.overlayCanvas.style.cursor = mode === 'lasso' ? 'crosshair' : '';
  }

  fit(): void {
    this.#isFitted = true;
    this.#scheduleMovingFrame();
  }

  /** Zooms about the middle of the view. */
  zoom(factor: number): void {
    this.#zoomAbout(factor, this.#canvases.widthPx / 2, this.#canvases.heightPx / 2);
  }

  /** Redraws in the colours of a new theme. */
  refresh(): void {
    this.#canvases.refresh();
    this.#palettes = buildPalettes(this.#canvases.colors);
    this.#canvases.schedule();
  }

  /** Returns the current map as a PNG. Rejects if the browser cannot create it. */
  async toPng(): Promise<Blob> {
    return await this.#canvases.toPng();
  }

  destroy(): void {
    clearTimeout(this.#settleTimer);
    this.#stopWatching();
    this.#canvases.destroy();
  }

  #watchPointers(): () => void {
    return watchPointers(this.#canvases.overlayCanvas, {
      onPress: (event) => (this.#mode === 'lasso' || event.shiftKey ? 'draw' : 'drag'),
      onDrag: (byX, byY) => {
        this.#isFitted = false;
        this.#view = panView(this.#view, byX, byY);
        this.#scheduleMovingFrame();
      },
      onDraw: (x, y) => {
        this.#lasso.push(x, y);
        this.#paintOverlay();
      },
      onDrawEnd: (end) => {
        const line = this.#lasso;
        this.#lasso = [];
        this.#paintOverlay();
        if (end !== 'done') return;
        this.#events.onLasso(findPointsInside(this.#scene.xy, this.#toDataCoordinates(line)));
      },
      onZoom: (factor, x, y) => this.#zoomAbout(factor, x, y),
      onHover: (x, y) => this.#setHovered(this.#findPointAt(x, y)),
      onLeave: () => this.#setHovered(undefined),
      onTap: (x, y, event) => {
        const isAdditive = event.shiftKey || event.ctrlKey || event.metaKey;
        this.#events.onPick(this.#findPointAt(x, y), isAdditive);
      },
    });
  }

  #setHovered(point: number | undefined): void {
    if (point === this.#hovered) return;
    this.#hovered = point;
    this.#canvases.overlayCanvas.classList.toggle('is-over-point', point !== undefined);
    this.#paintOverlay();
    this.#events.onHover(point);
  }

  #findPointAt(x: number, y: number): number | undefined {
    this.#grid ??= createPointGrid(this.#scene.xy);
    const [dataX = 0, dataY = 0] = this.#toDataCoordinates([x, y]);
    return this.#grid.findNearest(dataX, dataY, hitRadiusPx / this.#view.pixelsPerUnit);
  }

  #toDataCoordinates(coordinates: readonly number[]): number[] {
    const { widthPx, heightPx } = this.#canvases;
    const { centerX, centerY, pixelsPerUnit } = this.#view;
    return coordinates.map((coordinate, index) =>
      index % 2 === 0
        ? (coordinate - widthPx / 2) / pixelsPerUnit + centerX
        : (heightPx / 2 - coordinate) / pixelsPerUnit + centerY,
    );
  }

  #toCanvasPoint = (x: number, y: number): { x: number; y: number } => ({
    x: (x - this.#view.centerX) * this.#view.pixelsPerUnit + this.#canvases.widthPx / 2,
    y: this.#canvases.heightPx / 2 - (y - this.#view.centerY) * this.#view.pixelsPerUnit,
  });

  #zoomAbout(factor: number, x: number, y: number): void {
    const { widthPx, heightPx } = this.#canvases;
    this.#isFitted = false;
    this.#view = zoomView(this.#view, factor, x - widthPx / 2, y - heightPx / 2);
    this.#scheduleMovingFrame();
  }

  /** Moves the view if needed so that a point selected by key or in another view is visible. */
  #keepInView(point: number): void {
    const x = this.#scene.xy[point * 2];
    const y = this.#scene.xy[point * 2 + 1];
    if (x === undefined || y === undefined || !Number.isFinite(x + y) || this.#isFitted) return;
    const { widthPx, heightPx } = this.#canvases;
    const position = this.#toCanvasPoint(x, y);
    if (position.x > 0 && position.y > 0 && position.x < widthPx && position.y < heightPx) return;
    this.#view = { ...this.#view, centerX: x, centerY: y };
    this.#scheduleMovingFrame();
  }

  #scheduleMovingFrame(): void {
    this.#canvases.schedule(true);
  }

  /** Returns the positions as drawn now, interpolated during an animation. */
  #getCurrentXy(): Float32Array {
    const animatedXy = this.#animation && computeAnimatedXy(this.#animation);
    if (animatedXy) this.#scheduleMovingFrame();
    else this.#animation = undefined;
    return animatedXy ?? this.#scene.xy;
  }

  #draw(isMoving: boolean): void {
    const pair = this.#canvases;
    const { widthPx, heightPx, pixelRatio } = pair;
    const context = pair.getContext(pair.baseCanvas);
    if (!context) return;
    const xy = this.#getCurrentXy();
    const bounds = this.#isFitted ? computeBounds(xy) : undefined;
    if (bounds) this.#view = fitView(bounds, widthPx, heightPx, marginPx);
    const { chosen } = this.#overlay;
    const { colors } = this.#scene;
    clearTimeout(this.#settleTimer);
    const frame = { xy, colors, chosen, palettes: this.#palettes, view: this.#view };
    const isFlat = this.#pointImage.paint(context, { ...frame, widthPx, heightPx, pixelRatio }, isMoving);
    if (isFlat) this.#settleTimer = setTimeout(() => pair.schedule(), settleMs);
    this.#paintOverlay(xy);
  }

  #paintOverlay(xy = this.#getCurrentXy()): void {
    const pair = this.#canvases;
    const context = pair.getContext(pair.overlayCanvas);
    if (!context) return;
    context.clearRect(0, 0, pair.widthPx, pair.heightPx);
    const frame = {
      scene: { ...this.#scene, xy },
      overlay: this.#overlay,
      hovered: this.#hovered,
      lasso: this.#lasso,
      widthPx: pair.widthPx,
      heightPx: pair.heightPx,
      radiusPx: getPointRadius(xy.length / 2),
      view: this.#view,
      toCanvasPoint: this.#toCanvasPoint,
      getCssValue: pair.colors.getCssValue,
    };
    paintOverlay(context, frame);
    paintMarks(context, frame);
  }
}

const animationMs = 240;
const maxAnimatedPoints = 20_000;

/** Points moving from old to new positions. */
interface PointAnimation {
  from: Float32Array;
  to: Float32Array;
  current: Float32Array;
  startedAt: number;
}

/** Starts an animation of the same points to new positions, or returns `undefined` if they should jump. */
function createPointAnimation(from: Float32Array, to: Float32Array): PointAnimation | undefined {
  const canAnimate = from.length === to.length && from !== to && to.length / 2 <= maxAnimatedPoints;
  if (!canAnimate || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
  return { from: from.slice(), to, current: from.slice(), startedAt: performance.now() };
}

/** Returns the current positions, or `undefined` when the animation has ended. */
function computeAnimatedXy({ from, to, current, startedAt }: PointAnimation): Float32Array | undefined {
  const elapsedShare = Math.min(1, (performance.now() - startedAt) / animationMs);
  if (elapsedShare === 1) return undefined;
  const easedShare = 1 - (1 - elapsedShare) ** 3;
  for (let index = 0; index < to.length; index++) {
    const start = from[index] ?? 0;
    current[index] = start + ((to[index] ?? 0) - start) * easedShare;
  }
  return current;
}
