/** How strongly two points pull and push at a squared distance: 1 / (1 + a · d^2b), fitted to a minimal distance. */
export interface UmapCurve {
  a: number;
  b: number;
}

/**
 * The curve that is 1 up to the minimal distance and falls like e^−d behind it, least squares over 300 places up to
 * three, by Gauss and Newton with damping.
 */
export function umapCurveOf(minDistance: number): UmapCurve {
  const places = Array.from({ length: 300 }, (_, index) => ((index + 1) * 3) / 300);
  const wanted = places.map((d) => (d < minDistance ? 1 : Math.exp(-(d - minDistance))));
  let [a, b, damping] = [1, 1, 1e-3];
  const errorOf = (curveA: number, curveB: number) =>
    places.reduce((sum, d, index) => {
      const apart = 1 / (1 + curveA * d ** (2 * curveB)) - (wanted[index] ?? 0);
      return sum + apart * apart;
    }, 0);
  for (let round = 0; round < 100; round++) {
    let [aa, ab, bb, ra, rb] = [0, 0, 0, 0, 0];
    for (const [index, d] of places.entries()) {
      const power = d ** (2 * b);
      const value = 1 / (1 + a * power);
      const byA = -power * value * value;
      const byB = -2 * a * power * Math.log(d) * value * value;
      const apart = (wanted[index] ?? 0) - value;
      aa += byA * byA;
      ab += byA * byB;
      bb += byB * byB;
      ra += byA * apart;
      rb += byB * apart;
    }
    const [daa, dbb] = [aa * (1 + damping), bb * (1 + damping)];
    const determinant = daa * dbb - ab * ab;
    const nextA = a + (dbb * ra - ab * rb) / determinant;
    const nextB = b + (daa * rb - ab * ra) / determinant;
    if (nextA > 0 && nextB > 0 && errorOf(nextA, nextB) <= errorOf(a, b)) {
      const moved = Math.abs(nextA - a) + Math.abs(nextB - b);
      [a, b] = [nextA, nextB];
      damping /= 10;
      if (moved < 1e-12) break;
    } else damping *= 10;
  }
  return { a, b };
}

/** Places in an octave of squared distances: the error of a looked-up force is below one percent. */
const tableShift = 17;

/** No point takes a step longer than this, before the rate of an epoch makes it shorter. */
const largestStep = 4;

export interface ForceTables {
  pull: Float32Array;
  push: Float32Array;
  shift: number;
}

/**
 * Forces by the bits of the squared distance as float32: its exponent and the first six bits of its fraction are
 * the place in the table. Powers are what a layout would spend most of its time on.
 */
export function forceTables({ a, b }: UmapCurve): ForceTables {
  const size = 1 << (31 - tableShift);
  const bits = new Uint32Array(1);
  const value = new Float32Array(bits.buffer);
  const pull = new Float32Array(size);
  const push = new Float32Array(size);
  for (let place = 0; place < size; place++) {
    bits[0] = (place << tableShift) | (1 << (tableShift - 1));
    const d2 = value[0] ?? 0;
    if (!Number.isFinite(d2)) continue;
    const power = d2 ** b;
    const fall = 1 + a * power;
    const most = largestStep / Math.sqrt(d2);
    pull[place] = Math.max(-most, (-2 * a * b * (power / d2)) / fall);
    push[place] = Math.min(most, (2 * b) / ((0.001 + d2) * fall));
  }
  return { pull, push, shift: tableShift };
}
