import { buildHeatRamp, type CssColors } from './css-colors.ts';
import { groupColors, noGroup, type ScatterScene } from './scatter-scene.ts';
import { shapes, splatDensity, splatFlat, splatSmooth, type Pixels, type SplatPoints } from './splat.ts';
import type { ViewBox } from './view-box.ts';

/** Maximum number of points drawn one by one; above it, points are counted per pixel. */
const maxDrawnPoints = 300_000;
/** Maximum number of points drawn with smooth edges in every frame. */
const maxSmoothPoints = 5_000;

interface PointFrame {
  xy: Float32Array;
  colors: ScatterScene['colors'];
  /** Selected points; if there are several, the others are faded. */
  chosen: readonly number[];
  palettes: PointPalettes;
  view: ViewBox;
  widthPx: number;
  heightPx: number;
  pixelRatio: number;
}

/** Renders the points of a map into pixels. */
export class PointImage {
  #image: ImageData | undefined;
  #pixels: Pixels = { width: 0, height: 0, data: new Uint32Array() };
  #counts = new Uint32Array();

  resize(width: number, height: number): void {
    this.#image = new ImageData(width, height);
    this.#pixels = { width, height, data: new Uint32Array(this.#image.data.buffer) };
    this.#counts = new Uint32Array();
  }

  /** Paints all points. Returns true if they have hard edges, which are faster and used while the view moves. */
  paint(context: CanvasRenderingContext2D, frame: PointFrame, isMoving: boolean): boolean {
    if (!this.#image) return false;
    const { xy, palettes, view, pixelRatio } = frame;
    const pixels = this.#pixels;
    const projection = {
      scale: view.pixelsPerUnit * pixelRatio,
      shiftX: (frame.widthPx / 2 - view.centerX * view.pixelsPerUnit) * pixelRatio,
      shiftY: (frame.heightPx / 2 + view.centerY * view.pixelsPerUnit) * pixelRatio,
    };
    pixels.data.fill(palettes.paper);
    const count = xy.length / 2;
    const isFlat = isMoving && count > maxSmoothPoints && count <= maxDrawnPoints;
    if (count > maxDrawnPoints) {
      if (this.#counts.length !== pixels.data.length) this.#counts = new Uint32Array(pixels.data.length);
      splatDensity(pixels, xy, projection, palettes.heat, this.#counts);
    } else {
      const radiusPx = getPointRadius(count) * pixelRatio;
      const halo =
        count <= maxSmoothPoints ? { color: palettes.paper, widthPx: 0.75 * pixelRatio } : undefined;
      for (const layer of buildLayers(frame)) {
        if (isFlat) splatFlat(pixels, layer, projection, radiusPx);
        else splatSmooth(pixels, layer, projection, radiusPx, halo);
      }
    }
    context.putImageData(this.#image, 0, 0);
    return isFlat;
  }
}

/** Returns all points as one layer, or the unselected points (faded) and the selected points above them. */
function buildLayers({ xy, colors, chosen, palettes }: PointFrame): SplatPoints[] {
  const palette = colors ? palettes[colors.by] : palettes.ink;
  const points: SplatPoints = { xy, colors: colors?.values, palette };
  if (colors?.by === 'group') points.shapes = getGroupShapes(colors.values);
  if (chosen.length < 2) return [points];
  const mask = new Uint8Array(xy.length / 2);
  for (const point of chosen) mask[point] = 1;
  return [
    { ...points, palette: fadePalette(palette, palettes.paper), mask, isMaskInverted: true },
    { ...points, mask },
  ];
}

/** Palettes of 256 pixel colours, one for each way of colouring points. */
export interface PointPalettes {
  group: Uint32Array;
  heat: Uint32Array;
  ink: Uint32Array;
  paper: number;
}

export function buildPalettes(colors: CssColors): PointPalettes {
  const group = new Uint32Array(256).fill(colors.getPixelColor('--edge'));
  const lanes = groupColors.map((name) => colors.getPixelColor(name));
  for (let index = 0; index < noGroup; index++) group[index] = lanes[index % lanes.length] ?? 0;
  return {
    group,
    heat: buildHeatRamp(colors),
    ink: new Uint32Array(256).fill(colors.getPixelColor('--ink-2')),
    paper: colors.getPixelColor('--paper'),
  };
}

/** Blends the palette with the background so that about a fifth of each colour remains. */
function fadePalette(palette: Uint32Array, paper: number): Uint32Array {
  const fadeChannel = (color: number, shift: number) =>
    Math.round(((color >>> shift) & 255) * 0.22 + ((paper >>> shift) & 255) * 0.78) << shift;
  return palette.map(
    (color) => (0xff000000 | fadeChannel(color, 16) | fadeChannel(color, 8) | fadeChannel(color, 0)) >>> 0,
  );
}

const shapeCache = new WeakMap<Uint8Array, Uint8Array>();

/** Returns the shape of each point according to its group. */
function getGroupShapes(groups: Uint8Array): Uint8Array {
  let groupShapes = shapeCache.get(groups);
  if (!groupShapes) {
    groupShapes = groups.map((group) => (group === noGroup ? 0 : group % shapes.length));
    shapeCache.set(groups, groupShapes);
  }
  return groupShapes;
}

/** Returns the point radius in CSS pixels; fewer points are drawn larger. */
export function getPointRadius(count: number): number {
  if (count <= 60) return 4.4;
  if (count <= 500) return 3.6;
  return count <= 5_000 ? 2.8 : 2.5;
}
