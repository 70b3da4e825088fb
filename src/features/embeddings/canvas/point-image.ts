import { heatRamp, type CssColors } from './css-colors.ts';
import { groupColors, noGroup, type ScatterScene } from './scatter-scene.ts';
import { shapes, splatDensity, splatFlat, splatSmooth, type Pixels, type SplatPoints } from './splat.ts';
import type { ViewBox } from './view-box.ts';

/** Above this the points of a pixel are counted instead of drawn. */
const mostDrawn = 300_000;
/** Up to this many, smooth edges keep up with every frame. */
const mostSmooth = 5_000;

interface Picture {
  xy: Float32Array;
  colors: ScatterScene['colors'];
  /** More than one stand out, the others step back. */
  chosen: readonly number[];
  palettes: PointPalettes;
  view: ViewBox;
  widthPx: number;
  heightPx: number;
  ratio: number;
}

/** The pixels of a map's points. */
export class PointPicture {
  #image: ImageData | undefined;
  #pixels: Pixels = { width: 0, height: 0, data: new Uint32Array() };
  #counts = new Uint32Array();

  resize(width: number, height: number): void {
    this.#image = new ImageData(width, height);
    this.#pixels = { width, height, data: new Uint32Array(this.#image.data.buffer) };
    this.#counts = new Uint32Array();
  }

  /** Paints all points; true where they have hard edges, because that is fast and the picture moves. */
  paint(context: CanvasRenderingContext2D, picture: Picture, isMoving: boolean): boolean {
    if (!this.#image) return false;
    const { xy, palettes, view, ratio } = picture;
    const pixels = this.#pixels;
    const projection = {
      scale: view.pixelsPerUnit * ratio,
      shiftX: (picture.widthPx / 2 - view.centerX * view.pixelsPerUnit) * ratio,
      shiftY: (picture.heightPx / 2 + view.centerY * view.pixelsPerUnit) * ratio,
    };
    pixels.data.fill(palettes.paper);
    const count = xy.length / 2;
    const isFlat = isMoving && count > mostSmooth && count <= mostDrawn;
    if (count > mostDrawn) {
      if (this.#counts.length !== pixels.data.length) this.#counts = new Uint32Array(pixels.data.length);
      splatDensity(pixels, xy, projection, palettes.heat, this.#counts);
    } else {
      const radiusPx = radiusOf(count) * ratio;
      const halo = count <= mostSmooth ? { color: palettes.paper, widthPx: 0.75 * ratio } : undefined;
      for (const layer of layersOf(picture)) {
        if (isFlat) splatFlat(pixels, layer, projection, radiusPx);
        else splatSmooth(pixels, layer, projection, radiusPx, halo);
      }
    }
    context.putImageData(this.#image, 0, 0);
    return isFlat;
  }
}

/** All points; or those that are not chosen, faded, and then the chosen ones. */
function layersOf({ xy, colors, chosen, palettes }: Picture): SplatPoints[] {
  const palette = colors ? palettes[colors.by] : palettes.ink;
  const points: SplatPoints = { xy, colors: colors?.of, palette };
  if (colors?.by === 'group') points.shapes = shapesOf(colors.of);
  if (chosen.length < 2) return [points];
  const only = new Uint8Array(xy.length / 2);
  for (const point of chosen) only[point] = 1;
  return [
    { ...points, palette: faded(palette, palettes.paper), only, isInverted: true },
    { ...points, only },
  ];
}

/** 256 colours as pixels for each way of colouring points. */
export interface PointPalettes {
  group: Uint32Array;
  heat: Uint32Array;
  ink: Uint32Array;
  paper: number;
}

export function palettesOf(colors: CssColors): PointPalettes {
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

const shapeCache = new WeakMap<Uint8Array, Uint8Array>();

/** The shape of each point, from its group. */
function shapesOf(groups: Uint8Array): Uint8Array {
  let found = shapeCache.get(groups);
  if (!found) {
    found = groups.map((group) => (group === noGroup ? 0 : group % shapes.length));
    shapeCache.set(groups, found);
  }
  return found;
}

/** CSS pixels: fewer points are larger. */
export function radiusOf(count: number): number {
  if (count <= 60) return 4.4;
  if (count <= 500) return 3.6;
  return count <= 5_000 ? 2.8 : 2.5;
}
