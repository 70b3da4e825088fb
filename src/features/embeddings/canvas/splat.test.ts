import { describe, expect, it } from 'vitest';

import { splatDensity, splatFlat, splatSmooth, type Pixels, type SplatPoints } from './splat.ts';

const paper = 0xffffffff;
const red = 0xff0000ff;
const blue = 0xffff0000;

const blank = (width: number, height: number): Pixels => ({
  width,
  height,
  data: new Uint32Array(width * height).fill(paper),
});
const points = (xy: number[], more: Partial<SplatPoints> = {}): SplatPoints => ({
  xy: Float32Array.from(xy),
  palette: new Uint32Array(256).fill(red),
  ...more,
});
const asIs = { scale: 1, shiftX: 0, shiftY: 0 };
/** y upwards in the data, downwards in pixels. */
const at = (x: number, y: number): number[] => [x, -y];
const painted = ({ data }: Pixels) => data.reduce((count, color) => count + (color === paper ? 0 : 1), 0);

describe('points as pixels', () => {
  it('fills 21 pixels for a flat point of radius 2.5', () => {
    const pixels = blank(20, 20);
    splatFlat(pixels, points(at(10, 10)), asIs, 2.5);
    expect(painted(pixels)).toBe(21);
    expect(pixels.data[10 * 20 + 10]).toBe(red);
  });

  it('never writes beyond the edges, and draws what is left of a point there', () => {
    const pixels = blank(10, 10);
    splatSmooth(pixels, points([...at(0, 0), ...at(9.5, 9.5), ...at(-30, 5)]), asIs, 3);
    expect(pixels.data[0]).toBe(red);
    expect(pixels.data[99]).toBe(red);
    // The other two corners and the middle stay as they were.
    expect([pixels.data[9], pixels.data[90], pixels.data[55]]).toEqual([paper, paper, paper]);
  });

  it('leaves points without a place out', () => {
    const pixels = blank(10, 10);
    splatSmooth(pixels, points([Number.NaN, 5, Infinity, 5]), asIs, 3);
    splatFlat(pixels, points([Number.NaN, 5, Infinity, 5]), asIs, 2.5);
    splatDensity(pixels, Float32Array.of(Number.NaN, 5), asIs, new Uint32Array(256), new Uint32Array(100));
    expect(painted(pixels)).toBe(0);
  });

  it('blends the edge of a smooth point with what lies under it', () => {
    const pixels = blank(20, 20);
    splatSmooth(pixels, points(at(10.5, 10.5)), asIs, 3);
    const edge = [...new Set(pixels.data)].filter((color) => color !== paper && color !== red);
    expect(edge.length).toBeGreaterThan(0);
    // Red over white keeps its red, and is opaque.
    for (const color of edge) expect([color & 255, color >>> 24]).toEqual([255, 255]);
  });

  it('tells groups apart by shape as well as by colour', () => {
    const shapeOf = (shape: number) => {
      const pixels = blank(20, 20);
      splatSmooth(pixels, points(at(10.5, 10.5), { shapes: Uint8Array.of(shape) }), asIs, 5);
      return pixels.data.join();
    };
    expect(new Set([0, 1, 2, 3].map(shapeOf)).size).toBe(4);
  });

  it('draws only the chosen points, or only the others', () => {
    const both = [...at(5, 5), ...at(15, 5)];
    const only = Uint8Array.of(1, 0);
    const chosen = blank(20, 10);
    splatFlat(chosen, points(both, { only }), asIs, 2.5);
    const others = blank(20, 10);
    splatFlat(others, points(both, { only, isInverted: true }), asIs, 2.5);
    expect([chosen.data[105], chosen.data[115]]).toEqual([red, paper]);
    expect([others.data[105], others.data[115]]).toEqual([paper, red]);
  });

  it('puts later points over earlier ones', () => {
    const pixels = blank(10, 10);
    const palette = new Uint32Array(256).fill(red);
    palette[1] = blue;
    splatFlat(
      pixels,
      points([...at(5, 5), ...at(5, 5)], { palette, colors: Uint8Array.of(0, 1) }),
      asIs,
      2.5,
    );
    expect(pixels.data[55]).toBe(blue);
  });

  it('shows a pixel the further along the ramp the more points lie on it, one alone visibly', () => {
    const ramp = Uint32Array.from({ length: 256 }, (_, step) => 0xff000000 + step);
    const pixels = blank(10, 1);
    const many = Array.from({ length: 100 }, () => at(2, 0)).flat();
    splatDensity(pixels, Float32Array.from([...many, ...at(5, 0)]), asIs, ramp, new Uint32Array(10));
    expect(pixels.data[2]).toBe(0xff0000ff);
    expect(pixels.data[5]).toBe(0xff000055);
    expect(pixels.data[7]).toBe(paper);
  });

  it('counts more points on one pixel than 16 bits hold', () => {
    const ramp = Uint32Array.from({ length: 256 }, (_, step) => 0xff000000 + step);
    const pixels = blank(10, 1);
    const xy = Float32Array.from({ length: 142_000 }, (_, at) => (at % 2 === 1 ? 0 : at < 140_000 ? 2 : 6));
    splatDensity(pixels, xy, asIs, ramp, new Uint32Array(10));
    const shown = (count: number) => 0xff000000 + Math.round(85 + (170 * Math.log(count)) / Math.log(70_000));
    expect(pixels.data[2]).toBe(shown(65_535));
    expect(pixels.data[6]).toBe(shown(1_000));
    expect(painted(pixels)).toBe(2);
  });
});
