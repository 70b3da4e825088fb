/** Visible part of the data: the data point in the middle of the canvas and the number of pixels per unit. */
export interface ViewBox {
  centerX: number;
  centerY: number;
  /** CSS pixels per data unit; equal on both axes, so that distances are not distorted. */
  pixelsPerUnit: number;
}

export interface Bounds {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Returns the bounding box of all finite points (`x, y` pairs), or `undefined` if there are none. */
export function computeBounds(xy: Float32Array): Bounds | undefined {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let index = 0; index + 1 < xy.length; index += 2) {
    const x = xy[index] ?? Number.NaN;
    const y = xy[index + 1] ?? Number.NaN;
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return minX <= maxX ? { minX, minY, maxX, maxY } : undefined;
}

/** Returns the view that fits the box into an area (CSS pixels) with a margin on each side. */
export function fitView(bounds: Bounds, widthPx: number, heightPx: number, marginPx: number): ViewBox {
  const scaleX = Math.max(1, widthPx - 2 * marginPx) / (bounds.maxX - bounds.minX);
  const scaleY = Math.max(1, heightPx - 2 * marginPx) / (bounds.maxY - bounds.minY);
  const scale = Math.min(scaleX, scaleY);
  return {
    centerX: (bounds.minX + bounds.maxX) / 2,
    centerY: (bounds.minY + bounds.maxY) / 2,
    // Any scale works if all points are at the same position.
    pixelsPerUnit: Number.isFinite(scale) ? scale : 1,
  };
}

/** Returns the view after zooming by a factor about a fixed position, in CSS pixels from the centre, y downwards. */
export function zoomView(view: ViewBox, factor: number, fromCenterX: number, fromCenterY: number): ViewBox {
  const pixelsPerUnit = view.pixelsPerUnit * factor;
  const shift = 1 / view.pixelsPerUnit - 1 / pixelsPerUnit;
  return {
    centerX: view.centerX + fromCenterX * shift,
    centerY: view.centerY - fromCenterY * shift,
    pixelsPerUnit,
  };
}

/** Returns the view after a drag by a number of CSS pixels. */
export function panView(view: ViewBox, byX: number, byY: number): ViewBox {
  return {
    ...view,
    centerX: view.centerX - byX / view.pixelsPerUnit,
    centerY: view.centerY + byY / view.pixelsPerUnit,
  };
}
