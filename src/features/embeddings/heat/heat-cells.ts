import { shareOf, type HeatScene } from './heat-scene.ts';

export interface HeatColors {
  /** 256 steps, as pixels. */
  ramp: Uint32Array;
  /** Of a text with itself. */
  self: number;
}

/** Values as a canvas of one pixel each. `diagonal`: how far the left column is behind the top row, where cells are single. */
export function paintedCells(
  { range }: HeatScene,
  values: Float32Array,
  width: number,
  height: number,
  diagonal: number | undefined,
  { ramp, self }: HeatColors,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  const data = new Uint32Array(image.data.buffer);
  for (let at = 0; at < values.length; at++) {
    data[at] = ramp[Math.round(shareOf(values[at] ?? 0, range) * 255)] ?? 0;
  }
  if (diagonal !== undefined) {
    for (let row = 0; row < height; row++) {
      const column = row + diagonal;
      if (column >= 0 && column < width) data[row * width + column] = self;
    }
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}
