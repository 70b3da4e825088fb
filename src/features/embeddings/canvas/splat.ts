/** Points written straight into pixels: without a GPU this is some forty times faster than a canvas path each. */

export interface Pixels {
  width: number;
  height: number;
  /** One number a pixel, as ImageData holds it on little-endian machines: 0xAABBGGRR. */
  data: Uint32Array;
}

export type Shape = 'circle' | 'square' | 'triangle' | 'diamond';

/** In the order in which groups take them. */
export const shapes: readonly Shape[] = ['circle', 'square', 'triangle', 'diamond'];

/** From data to pixels: x · scale + shiftX, and y · -scale + shiftY. */
export interface Projection {
  scale: number;
  shiftX: number;
  shiftY: number;
}

export interface SplatPoints {
  /** `x, y` pairs in data units; a point that is not finite has no place and is not drawn. */
  xy: Float32Array;
  /** For each point an entry of the palette; absent: the first. */
  colors?: Uint8Array | undefined;
  /** 256 colours as pixels. */
  palette: Uint32Array;
  /** For each point an entry of `shapes`; absent: circles. */
  shapes?: Uint8Array | undefined;
  /** Only the points where this is not 0; absent: all. */
  mask?: Uint8Array | undefined;
  /** Inverts `mask`: only the points where it is 0. */
  isMaskInverted?: boolean;
}

const phasesPerAxis = 4;

/** What a shape covers around its middle, for one place of the middle within its pixel. */
interface Stamp {
  /** Pixels from the middle to the farthest that is covered. */
  reach: number;
  /** Of each covered pixel: how far to the right and down, and how much of it, 1 to 255. */
  right: Int8Array;
  down: Int8Array;
  coverage: Uint8Array;
  /** How far on in the pixels of the picture. */
  offsets: Int32Array;
}

function isInside(shape: Shape, x: number, y: number, radius: number): boolean {
  switch (shape) {
    case 'circle':
      return x * x + y * y <= radius * radius;
    case 'square':
      // As large as the circle to the eye.
      return Math.max(Math.abs(x), Math.abs(y)) <= radius * 0.9;
    case 'triangle':
      return y <= radius * 0.85 && Math.abs(x) * 1.65 <= y + radius * 1.05;
    case 'diamond':
      return Math.abs(x) + Math.abs(y) <= radius * 1.25;
  }
}

const samplesPerAxis = 4;

function createStamp(shape: Shape, radius: number, phaseX: number, phaseY: number, width: number): Stamp {
  const reach = Math.ceil(radius * 1.25) + 1;
  const stampPixels: { right: number; down: number; coverage: number }[] = [];
  for (let down = -reach; down <= reach; down++) {
    for (let right = -reach; right <= reach; right++) {
      let hits = 0;
      for (let sample = 0; sample < samplesPerAxis * samplesPerAxis; sample++) {
        const x = right - 0.5 + ((sample % samplesPerAxis) + 0.5) / samplesPerAxis - phaseX;
        const y = down - 0.5 + (Math.floor(sample / samplesPerAxis) + 0.5) / samplesPerAxis - phaseY;
        if (isInside(shape, x, y, radius)) hits++;
      }
      if (hits > 0)
        stampPixels.push({
          right,
          down,
          coverage: Math.round((hits / (samplesPerAxis * samplesPerAxis)) * 255),
        });
    }
  }
  return {
    reach,
    right: Int8Array.from(stampPixels, (pixel) => pixel.right),
    down: Int8Array.from(stampPixels, (pixel) => pixel.down),
    coverage: Uint8Array.from(stampPixels, (pixel) => pixel.coverage),
    offsets: Int32Array.from(stampPixels, (pixel) => pixel.down * width + pixel.right),
  };
}

/** Stamps of one radius, made as they are needed. */
function createStampCache(radius: number, width: number): (shape: number, phase: number) => Stamp {
  const stamps: (Stamp | undefined)[] = [];
  return (shape, phase) => {
    const key = shape * phasesPerAxis * phasesPerAxis + phase;
    return (stamps[key] ??= createStamp(
      shapes[shape % shapes.length] ?? 'circle',
      radius,
      (phase % phasesPerAxis) / phasesPerAxis - 0.375,
      Math.floor(phase / phasesPerAxis) / phasesPerAxis - 0.375,
      width,
    ));
  };
}

/** `over` upon `under` at an opacity of 0 to 255; the result is opaque. */
function blend(under: number, over: number, alpha: number): number {
  // 0 to 256, so that a shift divides exactly.
  const share = alpha + (alpha >>> 7);
  const inverseShare = 256 - share;
  const redBlue = ((over & 0xff00ff) * share + (under & 0xff00ff) * inverseShare) >>> 8;
  const green = ((over & 0xff00) * share + (under & 0xff00) * inverseShare) >>> 8;
  return (0xff000000 | (redBlue & 0xff00ff) | (green & 0xff00)) >>> 0;
}

/** Points with smooth edges at a quarter of a pixel, in their order; with a halo, each is parted from what lies under it. */
export function splatSmooth(
  pixels: Pixels,
  points: SplatPoints,
  projection: Projection,
  radiusPx: number,
  halo?: { color: number; widthPx: number },
): void {
  const getStamp = createStampCache(radiusPx, pixels.width);
  const getHaloStamp = halo && createStampCache(radiusPx + halo.widthPx, pixels.width);
  const { xy, colors, palette, shapes: pointShapes, mask, isMaskInverted = false } = points;
  const { scale, shiftX, shiftY } = projection;
  for (let point = 0; point * 2 + 1 < xy.length; point++) {
    if (mask && (mask[point] !== 0) === isMaskInverted) continue;
    const x = (xy[point * 2] ?? 0) * scale + shiftX;
    const y = (xy[point * 2 + 1] ?? 0) * -scale + shiftY;
    // Also false where a coordinate is not a number.
    if (!(x > -64 && y > -64 && x < pixels.width + 64 && y < pixels.height + 64)) continue;
    const column = Math.floor(x);
    const row = Math.floor(y);
    const phase =
      Math.floor((y - row) * phasesPerAxis) * phasesPerAxis + Math.floor((x - column) * phasesPerAxis);
    const shape = pointShapes?.[point] ?? 0;
    if (halo && getHaloStamp) drawStamp(pixels, getHaloStamp(shape, phase), column, row, halo.color);
    drawStamp(pixels, getStamp(shape, phase), column, row, palette[colors?.[point] ?? 0] ?? 0);
  }
}

function drawStamp(pixels: Pixels, stamp: Stamp, column: number, row: number, color: number): void {
  const { width, height, data } = pixels;
  const { reach, right, down, coverage, offsets } = stamp;
  const centerIndex = row * width + column;
  const isFullyInside = column >= reach && row >= reach && column < width - reach && row < height - reach;
  for (let index = 0; index < coverage.length; index++) {
    if (!isFullyInside) {
      const x = column + (right[index] ?? 0);
      const y = row + (down[index] ?? 0);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
    }
    const alpha = coverage[index] ?? 0;
    const pixelIndex = centerIndex + (offsets[index] ?? 0);
    data[pixelIndex] = alpha === 255 ? color : blend(data[pixelIndex] ?? 0, color, alpha);
  }
}

/** Round points without smooth edges: what a view shows while it moves. */
export function splatFlat(
  pixels: Pixels,
  points: SplatPoints,
  projection: Projection,
  radiusPx: number,
): void {
  const { width, height, data } = pixels;
  const { xy, colors, palette, mask, isMaskInverted = false } = points;
  const { scale, shiftX, shiftY } = projection;
  const reach = Math.floor(radiusPx);
  const offsets: number[] = [];
  for (let y = -reach; y <= reach; y++)
    for (let x = -reach; x <= reach; x++)
      if (x * x + y * y <= radiusPx * radiusPx) offsets.push(y * width + x);
  const disc = Int32Array.from(offsets);
  for (let point = 0; point * 2 + 1 < xy.length; point++) {
    if (mask && (mask[point] !== 0) === isMaskInverted) continue;
    const x = (xy[point * 2] ?? 0) * scale + shiftX;
    const y = (xy[point * 2 + 1] ?? 0) * -scale + shiftY;
    // Points at the very edge are left out while the view moves; a place that is not a number fails as well.
    if (!(x >= reach && y >= reach && x < width - reach && y < height - reach)) continue;
    const centerIndex = (y | 0) * width + (x | 0);
    const color = palette[colors === undefined ? 0 : (colors[point] ?? 0)] ?? 0;
    for (let index = 0; index < disc.length; index++) data[centerIndex + (disc[index] ?? 0)] = color;
  }
}

/** Larger counts are all shown alike. */
const maxDistinctCount = 65_535;

/**
 * How many points lie on each pixel, as colours of a ramp of 256: for more points than there is room for. Takes
 * `counts` of as many entries as there are pixels, to work in.
 */
export function splatDensity(
  pixels: Pixels,
  xy: Float32Array,
  projection: Projection,
  ramp: Uint32Array,
  counts: Uint32Array,
): void {
  const { data } = pixels;
  // In half as many bytes the counts stay nearer to the processor; only a pixel with too many for that needs more.
  let tally: Uint16Array | Uint32Array = new Uint16Array(counts.buffer, counts.byteOffset, counts.length);
  let maxCount = countPoints(tally, pixels, xy, projection);
  if (maxCount > maxDistinctCount) maxCount = countPoints((tally = counts), pixels, xy, projection);
  // One point must be seen: the ramp begins at a third. Logarithmic, or one crowded spot would dim the rest.
  const colorByCount = new Uint32Array(Math.min(maxCount, maxDistinctCount) + 1);
  for (let count = 1; count < colorByCount.length; count++) {
    const share = maxCount === 1 ? 0 : Math.log(count) / Math.log(maxCount);
    colorByCount[count] = ramp[Math.round(85 + 170 * Math.min(1, share))] ?? 0;
  }
  const last = colorByCount.length - 1;
  for (let pixel = 0; pixel < data.length; pixel++) {
    const count = tally[pixel] ?? 0;
    if (count > 0) data[pixel] = colorByCount[count < last ? count : last] ?? 0;
  }
}

/** Counts the points on each pixel and returns the largest count, or what exceeds 16 bits where the entries have no more. */
function countPoints(
  tally: Uint16Array | Uint32Array,
  { width, height }: Pixels,
  xy: Float32Array,
  { scale, shiftX, shiftY }: Projection,
): number {
  tally.fill(0);
  let maxCount = 0;
  for (let index = 0; index + 1 < xy.length; index += 2) {
    const x = (xy[index] ?? 0) * scale + shiftX;
    const y = (xy[index + 1] ?? 0) * -scale + shiftY;
    if (!(x >= 0 && y >= 0 && x < width && y < height)) continue;
    const pixel = (y | 0) * width + (x | 0);
    const count = (tally[pixel] ?? 0) + 1;
    tally[pixel] = count;
    if (count > maxCount) maxCount = count;
  }
  return maxCount;
}
