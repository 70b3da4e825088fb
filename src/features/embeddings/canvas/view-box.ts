/** Which part of the data a canvas shows: the point of the data in its middle, and how many pixels a unit takes. */
export interface ViewBox {
  centerX: number;
  centerY: number;
  /** CSS pixels for one unit of the data; the same for both axes, so that distances are what they seem. */
  pixelsPerUnit: number;
}

export interface Bounds {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** The box around all points that have a place (`x, y` pairs; others are not finite), or undefined where there is none. */
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

/** The view that shows all of the box in an area of that many CSS pixels, with a margin on each side. */
export function fitView(bounds: Bounds, widthPx: number, heightPx: number, marginPx: number): ViewBox {
  const scaleX = Math.max(1, widthPx - 2 * marginPx) / (bounds.maxX - bounds.minX);
  const scaleY = Math.max(1, heightPx - 2 * marginPx) / (bounds.maxY - bounds.minY);
  const scale = Math.min(scaleX, scaleY);
  return {
    centerX: (bounds.minX + bounds.maxX) / 2,
    centerY: (bounds.minY + bounds.maxY) / 2,
    // All points in one place: any scale shows them.
    pixelsPerUnit: Number.isFinite(scale) ? scale : 1,
  };
}

/** The view after zooming by a factor about a place that keeps its data, in CSS pixels from the area's middle, y downwards. */
export function zoomView(view: ViewBox, factor: number, fromCenterX: number, fromCenterY: number): ViewBox {
  const pixelsPerUnit = view.pixelsPerUnit * factor;
  const shift = 1 / view.pixelsPerUnit - 1 / pixelsPerUnit;
  return {
    centerX: view.centerX + fromCenterX * shift,
    centerY: view.centerY - fromCenterY * shift,
    pixelsPerUnit,
  };
}

/** The view after the picture was dragged by that many CSS pixels. */
export function panView(view: ViewBox, byX: number, byY: number): ViewBox {
  return {
    ...view,
    centerX: view.centerX - byX / view.pixelsPerUnit,
    centerY: view.centerY + byY / view.pixelsPerUnit,
  };
}
