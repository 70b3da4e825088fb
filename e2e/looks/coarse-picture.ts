import { readPng } from './read-png.ts';

/** Each block of this many pixels, both ways, counts as one colour: letters blur, panels do not. */
export const blockPx = 10;

export interface CoarsePicture {
  width: number;
  height: number;
  /** Red, green and blue of one block after the other, row by row. */
  colours: readonly number[];
}

/** A PNG file as the mean colours of its blocks; `block` 1 reads it as it is. */
export function coarsePicture(png: Buffer, block = blockPx): CoarsePicture {
  const { data, channels, ...size } = readPng(png);
  const width = Math.floor(size.width / block);
  const height = Math.floor(size.height / block);
  const sums = new Uint32Array(width * height * 3);
  for (let y = 0; y < height * block; y += 1) {
    const row = Math.floor(y / block) * width;
    for (let x = 0; x < width * block; x += 1) {
      const from = (y * size.width + x) * channels;
      const to = (row + Math.floor(x / block)) * 3;
      for (let channel = 0; channel < 3; channel += 1)
        sums[to + channel] = (sums[to + channel] ?? 0) + (data[from + channel] ?? 0);
    }
  }
  return { width, height, colours: Array.from(sums, (sum) => Math.round(sum / (block * block))) };
}

/** Which share of the blocks, 0 to 1, differs in some colour by more than `tolerance` of 255. */
export function differingShare(one: CoarsePicture, other: CoarsePicture, tolerance: number): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  for (let at = 0; at < one.colours.length; at += 3) {
    const isOther = [0, 1, 2].some(
      (channel) =>
        Math.abs((one.colours[at + channel] ?? 0) - (other.colours[at + channel] ?? 0)) > tolerance,
    );
    if (isOther) differing += 1;
  }
  return differing / (one.width * one.height);
}
