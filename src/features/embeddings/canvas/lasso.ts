/** The points (`x, y` pairs) inside a closed line (`x, y` pairs), by the even-odd rule, in ascending order. */
export function pointsInside(xy: Float32Array, line: readonly number[]): number[] {
  const corners = line.length >> 1;
  if (corners < 3) return [];
  const found: number[] = [];
  for (let point = 0; point * 2 + 1 < xy.length; point++) {
    if (isInside(xy[point * 2] ?? Number.NaN, xy[point * 2 + 1] ?? Number.NaN, line)) found.push(point);
  }
  return found;
}

function isInside(x: number, y: number, line: readonly number[]): boolean {
  const corners = line.length >> 1;
  let inside = false;
  for (let corner = 0, before = corners - 1; corner < corners; before = corner++) {
    const x1 = line[corner * 2] ?? 0;
    const y1 = line[corner * 2 + 1] ?? 0;
    const x2 = line[before * 2] ?? 0;
    const y2 = line[before * 2 + 1] ?? 0;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
