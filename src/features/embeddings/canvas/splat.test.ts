import { describe, expect, it } from 'vitest';

import { splatDensity, splatFlat, splatSmooth, type Pixels, type SplatPoints } from './splat.ts';

const paper = 0xffffffff;
const red = 0xff0000ff;
const blue = 0xffff0000;

const createBlankPixels = (width: number, height: number): Pixels => ({
  width,
  height,
  data: new Uint32Array(width * height).fill(paper),
});
const createPoints = (xy: number[], overrides: Partial<SplatPoints> = {}): SplatPoints => ({
  xy: Float32Array.from(xy),
  palette: new Uint32Array(256).fill(red),
  ...overrides,
});
const identity = { scale: 1, shiftX: 0, shiftY: 0 };
/** Converts coordinates: y points upwards in the data, downwards in pixels. */
const toXy = (x: number, y: number): number[] => [x, -y];
const countPainted = ({ data }: Pixels) =>
  data.reduce((count, color) => count + (color === paper ? 0 : 1), 0);

describe('drawing points into pixels', () => {
  it('fills 21 pixels for a flat point of radius 2.5', () => {
    const pixels = createBlankPixels(20, 20);
    splatFlat(pixels, createPoints(toXy(10, 10)), identity, 2.5);
    expect(countPainted(pixels)).toBe(21);
    expect(pixels.data[10 * 20 + 10]).toBe(red);
  });

  it('clips points at the edges of an image and never writes beyond them', () => {
    const pixels = createBlankPixels(10, 10);
    splatSmooth(pixels, createPoints([...toXy(0, 0), ...toXy(9.5, 9.5), ...toXy(-30, 5)]), identity, 3);
    expect(pixels.data[0]).toBe(red);
    expect(pixels.data[99]).toBe(red);
    // The other two corners and the middle are unchanged.
    expect([pixels.data[9], pixels.data[90], pixels.data[55]]).toEqual([paper, paper, paper]);
  });

  it('does not draw points without a position', () => {
    const pixels = createBlankPixels(10, 10);
    splatSmooth(pixels, createPoints([Number.NaN, 5, Infinity, 5]), identity, 3);
    splatFlat(pixels, createPoints([Number.NaN, 5, Infinity, 5]), identity, 2.5);
    splatDensity(
      pixels,
      Float32Array.of(Number.NaN, 5),
      identity,
      new Uint32Array(256),
      new Uint32Array(100),
    );
    expect(countPainted(pixels)).toBe(0);
  });

  it('blends the edge of a smooth point with the pixels below it', () => {
    const pixels = createBlankPixels(20, 20);
    splatSmooth(pixels, createPoints(toXy(10.5, 10.5)), identity, 3);
    const edge = [...new Set(pixels.data)].filter((color) => color !== paper && color !== red);
    expect(edge.length).toBeGreaterThan(0);
    // Red over white keeps its red channel and is opaque.
    for (const color of edge) expect([color & 255, color >>> 24]).toEqual([255, 255]);
  });

  it('draws a different shape for each group', () => {
    const renderShape = (shape: number) => {
      const pixels = createBlankPixels(20, 20);
      splatSmooth(pixels, createPoints(toXy(10.5, 10.5), { shapes: Uint8Array.of(shape) }), identity, 5);
      return pixels.data.join();
    };
    expect(new Set([0, 1, 2, 3].map(renderShape)).size).toBe(4);
  });

  it('draws only the points in a mask, or only the other points if the mask is inverted', () => {
    const both = [...toXy(5, 5), ...toXy(15, 5)];
    const mask = Uint8Array.of(1, 0);
    const chosen = createBlankPixels(20, 10);
    splatFlat(chosen, createPoints(both, { mask }), identity, 2.5);
    const others = createBlankPixels(20, 10);
    splatFlat(others, createPoints(both, { mask, isMaskInverted: true }), identity, 2.5);
    expect([chosen.data[105], chosen.data[115]]).toEqual([red, paper]);
    expect([others.data[105], others.data[115]]).toEqual([paper, red]);
  });

  it('draws later points over earlier ones', () => {
    const pixels = createBlankPixels(10, 10);
    const palette = new Uint32Array(256).fill(red);
    palette[1] = blue;
    splatFlat(
      pixels,
      createPoints([...toXy(5, 5), ...toXy(5, 5)], { palette, colors: Uint8Array.of(0, 1) }),
      identity,
      2.5,
    );
    expect(pixels.data[55]).toBe(blue);
  });

  it('colours pixels along a ramp by their number of points, so that a single point is visible', () => {
    const ramp = Uint32Array.from({ length: 256 }, (_, step) => 0xff000000 + step);
    const pixels = createBlankPixels(10, 1);
    const many = Array.from({ length: 100 }, () => toXy(2, 0)).flat();
    splatDensity(pixels, Float32Array.from([...many, ...toXy(5, 0)]), identity, ramp, new Uint32Array(10));
    expect(pixels.data[2]).toBe(0xff0000ff);
    expect(pixels.data[5]).toBe(0xff000055);
    expect(pixels.data[7]).toBe(paper);
  });

  it('counts more points per pixel than fit into 16 bits', () => {
    const ramp = Uint32Array.from({ length: 256 }, (_, step) => 0xff000000 + step);
    const pixels = createBlankPixels(10, 1);
    const xy = Float32Array.from({ length: 142_000 }, (_, index) =>
      index % 2 === 1 ? 0 : index < 140_000 ? 2 : 6,
    );
    splatDensity(pixels, xy, identity, ramp, new Uint32Array(10));
    const getExpectedColor = (count: number) =>
      0xff000000 + Math.round(85 + (170 * Math.log(count)) / Math.log(70_000));
    expect(pixels.data[2]).toBe(getExpectedColor(65_535));
    expect(pixels.data[6]).toBe(getExpectedColor(1_000));
    expect(countPainted(pixels)).toBe(2);
  });
});
