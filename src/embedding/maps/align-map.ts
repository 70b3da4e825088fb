export interface AlignedMap {
  /** The source map, rotated, scaled, shifted and possibly mirrored onto the reference. */
  points: Float32Array<ArrayBuffer>;
  /** Remaining difference, 0 (same shape) to 1 (nothing in common). */
  disparity: number;
}

/**
 * Aligns two maps of the same texts (x, y, x, y, …) by orthogonal Procrustes analysis, so that both share an
 * orientation.
 */
export function alignMap(reference: Float32Array, source: Float32Array): AlignedMap {
  const count = Math.min(reference.length, source.length) >> 1;
  const [rx, ry] = computeCentre(reference, count);
  const [mx, my] = computeCentre(source, count);
  let [xx, xy, yx, yy, referenceSize, sourceSize] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const ax = (reference[2 * i] ?? 0) - rx;
    const ay = (reference[2 * i + 1] ?? 0) - ry;
    const bx = (source[2 * i] ?? 0) - mx;
    const by = (source[2 * i + 1] ?? 0) - my;
    xx += bx * ax;
    xy += bx * ay;
    yx += by * ax;
    yy += by * ay;
    referenceSize += ax * ax + ay * ay;
    sourceSize += bx * bx + by * by;
  }
  // Closed form in two dimensions: the better of the best rotation and the best reflection.
  const rotationFit = Math.hypot(xx + yy, xy - yx);
  const reflectionFit = Math.hypot(xx - yy, xy + yx);
  const isMirrored = reflectionFit > rotationFit;
  const bestFit = Math.max(rotationFit, reflectionFit);
  const cos = bestFit === 0 ? 1 : (isMirrored ? xx - yy : xx + yy) / bestFit;
  const sin = bestFit === 0 ? 0 : (isMirrored ? xy + yx : xy - yx) / bestFit;
  const scale = sourceSize === 0 ? 1 : bestFit / sourceSize;
  const flip = isMirrored ? -1 : 1;
  const points = new Float32Array(source.length);
  for (let i = 0; i < source.length >> 1; i++) {
    const bx = (source[2 * i] ?? 0) - mx;
    const by = ((source[2 * i + 1] ?? 0) - my) * flip;
    points[2 * i] = rx + scale * (cos * bx - sin * by);
    points[2 * i + 1] = ry + scale * (sin * bx + cos * by);
  }
  const sizeProduct = referenceSize * sourceSize;
  return { points, disparity: sizeProduct === 0 ? 1 : Math.max(0, 1 - (bestFit * bestFit) / sizeProduct) };
}

function computeCentre(points: Float32Array, count: number): [number, number] {
  let [x, y] = [0, 0];
  for (let i = 0; i < count; i++) {
    x += points[2 * i] ?? 0;
    y += points[2 * i + 1] ?? 0;
  }
  return [x / Math.max(1, count), y / Math.max(1, count)];
}
