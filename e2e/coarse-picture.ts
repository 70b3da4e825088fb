import type { Page } from 'playwright/test';

/** Each block of this many pixels, both ways, counts as one colour: letters blur, panels do not. */
export const blockPx = 10;

export interface CoarsePicture {
  width: number;
  height: number;
  /** Red, green and blue of one block after the other, row by row. */
  colours: readonly number[];
}

/** A PNG file as the mean colours of its blocks; `block` 1 reads it as it is. The page only lends its decoder. */
export function coarsePicture(page: Page, png: Buffer, block = blockPx): Promise<CoarsePicture> {
  return page.evaluate(meanColours, { base64: png.toString('base64'), block });
}

/** Runs in the page. */
async function meanColours({ base64, block }: { base64: string; block: number }): Promise<CoarsePicture> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The page draws no pictures');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const width = Math.floor(bitmap.width / block);
  const height = Math.floor(bitmap.height / block);
  const colours: number[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const sums = [0, 0, 0];
      for (let y = row * block; y < (row + 1) * block; y += 1) {
        for (let x = column * block; x < (column + 1) * block; x += 1) {
          const at = (y * bitmap.width + x) * 4;
          for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0);
        }
      }
      colours.push(...sums.map((sum) => Math.round(sum / (block * block))));
    }
  }
  return { width, height, colours };
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
