export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The point that lies next in a direction on the map (y upwards): near, and not far off the way. Undefined where there
 * is none within 60° of the direction, or `from` has no place.
 */
export function nextPoint(xy: Float32Array, from: number, direction: Direction): number | undefined {
  const fromX = xy[from * 2] ?? Number.NaN;
  const fromY = xy[from * 2 + 1] ?? Number.NaN;
  let best: number | undefined;
  let least = Infinity;
  for (let point = 0; point * 2 + 1 < xy.length; point++) {
    const x = (xy[point * 2] ?? Number.NaN) - fromX;
    const y = (xy[point * 2 + 1] ?? Number.NaN) - fromY;
    const ahead = { left: -x, right: x, up: y, down: -y }[direction];
    const aside = Math.abs(direction === 'left' || direction === 'right' ? y : x);
    // A place that is not a number is nowhere ahead.
    if (!(ahead > 0) || aside > ahead * 1.75) continue;
    const cost = ahead * ahead + 4 * aside * aside;
    if (cost < least) {
      least = cost;
      best = point;
    }
  }
  return best;
}
