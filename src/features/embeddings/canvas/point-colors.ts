import { heatRamp, type CssColors } from './css-colors.ts';
import { groupColors, noGroup } from './scatter-scene.ts';
import { shapes } from './splat.ts';

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
export function faded(palette: Uint32Array, paper: number): Uint32Array {
  const channel = (color: number, shift: number) =>
    Math.round(((color >>> shift) & 255) * 0.22 + ((paper >>> shift) & 255) * 0.78) << shift;
  return palette.map(
    (color) => (0xff000000 | channel(color, 16) | channel(color, 8) | channel(color, 0)) >>> 0,
  );
}

const shapeCache = new WeakMap<Uint8Array, Uint8Array>();

/** The shape of each point, from its group. */
export function shapesOf(groups: Uint8Array): Uint8Array {
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
