/** Eigenvalues, descending, of a symmetric tridiagonal matrix, each with its unit eigenvector. */
export interface EigenPairs {
  values: Float64Array;
  /** vectors[i] belongs to values[i]. */
  vectors: Float64Array[];
}

/**
 * Implicit QL (the tql2 of EISPACK) on a diagonal of n numbers and the n − 1 beside it. Where `lastOnly`, each vector
 * is only its last number, which takes n² steps instead of n³.
 */
export function tridiagonalEigen(
  diagonal: ArrayLike<number>,
  beside: ArrayLike<number>,
  lastOnly = false,
): EigenPairs {
  const size = diagonal.length;
  const d = Float64Array.from(diagonal);
  const e = Float64Array.from({ length: size }, (_, index) => beside[index] ?? 0);
  e[size - 1] = 0;
  // columns[j][i]: row i of eigenvector j.
  const columns = Array.from({ length: size }, (_, index) => {
    const column = new Float64Array(size);
    column[index] = 1;
    return lastOnly ? column.subarray(-1) : column;
  });
  for (let l = 0; l < size; l++) {
    for (let round = 0; round < 60; round++) {
      let m = l;
      while (m < size - 1) {
        const near = Math.abs(d[m] ?? 0) + Math.abs(d[m + 1] ?? 0);
        if (Math.abs(e[m] ?? 0) <= Number.EPSILON * near) break;
        m++;
      }
      if (m === l) break;
      rotate(d, e, columns, l, m);
    }
  }
  const ranking = Array.from(d, (_, index) => index).toSorted((a, b) => (d[b] ?? 0) - (d[a] ?? 0));
  return {
    values: Float64Array.from(ranking, (index) => d[index] ?? 0),
    vectors: ranking.map((index) => columns[index] ?? new Float64Array(size)),
  };
}

/** One implicit QL step with Wilkinson's shift on the unreduced part from l to m. */
function rotate(d: Float64Array, e: Float64Array, columns: Float64Array[], l: number, m: number): void {
  const el = e[l] ?? 0;
  const dl = d[l] ?? 0;
  let g = ((d[l + 1] ?? 0) - dl) / (2 * el);
  let r = Math.hypot(g, 1);
  g = (d[m] ?? 0) - dl + el / (g + (g >= 0 ? r : -r));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = s * (e[i] ?? 0);
    const b = c * (e[i] ?? 0);
    r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] = (d[i + 1] ?? 0) - p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = (d[i + 1] ?? 0) - p;
    r = ((d[i] ?? 0) - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    const [one, other] = [columns[i], columns[i + 1]];
    if (!one || !other) continue;
    for (let k = 0; k < one.length; k++) {
      const [x, y] = [one[k] ?? 0, other[k] ?? 0];
      other[k] = s * x + c * y;
      one[k] = c * x - s * y;
    }
  }
  d[l] = (d[l] ?? 0) - p;
  e[l] = g;
  e[m] = 0;
}
