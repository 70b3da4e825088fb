/** Measures an image that came as a data URL. */
import { decode } from 'jpeg-js';

import { measurePixels, type PixelFacts } from './dominant-colours.ts';
import { otherFormat, readImageHeader, type ImageHeader } from './image-header.ts';
import { decodePng, type Pixels } from './png-pixels.ts';

/** What could be measured, or the sentence that says why nothing could. */
export type ImageFacts =
  | { header: ImageHeader; bytes: number; declaredType: string; pixels?: PixelFacts; pixelProblem?: string }
  | { problem: string };

/** Larger pictures would hold the whole server up while they are decoded. */
const mostMegapixels = 10;

export function measureImage(url: string): ImageFacts {
  const data = /^data:([^;,]*)((?:;[^;,]*)*),/iu.exec(url);
  if (!data) return { problem: remoteProblem(url) };
  const [prefix, declaredType = '', parameters = ''] = data;
  const bytes = /;base64/iu.test(parameters)
    ? bytesOfBase64(url.slice(prefix.length))
    : new TextEncoder().encode(url.slice(prefix.length));
  if (!bytes) return { problem: 'Its data URL is not valid base64, so there is nothing to measure.' };
  if (bytes.length === 0) return { problem: 'Its data URL is empty: 0 bytes.' };
  const header = readImageHeader(bytes);
  if (!header) {
    const other = otherFormat(bytes);
    const size = `${bytes.length.toLocaleString('en-US')} bytes`;
    if (other !== undefined)
      return { problem: `It is ${other}, ${size}. I measure PNG, JPEG, GIF, WebP and BMP only.` };
    return {
      problem: `Its ${size} are not a PNG, JPEG, GIF, WebP or BMP file, or it is cut within the header.`,
    };
  }
  return { header, bytes: bytes.length, declaredType, ...pixelsOf(header, bytes) };
}

function remoteProblem(url: string): string {
  const shown = url.length > 120 ? `${url.slice(0, 120)}…` : url;
  return /^https?:/iu.test(url)
    ? `It is at \`${shown.replaceAll('`', '')}\`. I do not fetch pictures from the web, so I cannot measure it. Attach the file itself.`
    : 'Its address is neither a data URL nor a web address, so there is nothing to measure.';
}

function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(
      atob(
        text.replace(/%([\da-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      ),
      (character) => character.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}

function pixelsOf(header: ImageHeader, bytes: Uint8Array): { pixels: PixelFacts } | { pixelProblem: string } {
  if (header.format !== 'PNG' && header.format !== 'JPEG') {
    return { pixelProblem: `Of ${header.format} I read the header only, so I did not measure its colours.` };
  }
  const megapixels = (header.width * header.height) / 1e6;
  if (megapixels > mostMegapixels)
    return { pixelProblem: `It has more than ${mostMegapixels} million pixels, so I read the header only.` };
  const pixels = header.format === 'PNG' ? decodePng(bytes) : jpegPixels(bytes);
  return pixels
    ? { pixels: measurePixels(pixels) }
    : { pixelProblem: 'Its header is whole and its pixels are damaged, so I did not measure its colours.' };
}

function jpegPixels(bytes: Uint8Array): Pixels | undefined {
  try {
    return decode(bytes, {
      useTArray: true,
      formatAsRGBA: true,
      tolerantDecoding: true,
      maxResolutionInMP: mostMegapixels,
      maxMemoryUsageInMB: 512,
    });
  } catch {
    return undefined;
  }
}
