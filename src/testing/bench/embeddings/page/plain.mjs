// What one would write without thinking about speed: the counterparts.

export function plainCosine(a, b) {
  let [dot, one, other] = [0, 0, 0];
  for (let n = 0; n < a.length; n++) {
    dot += a[n] * b[n];
    one += a[n] * a[n];
    other += b[n] * b[n];
  }
  return dot / Math.sqrt(one * other);
}

function plainDot(a, b) {
  let dot = 0;
  for (let n = 0; n < a.length; n++) dot += a[n] * b[n];
  return dot;
}

/** The k most similar of unit rows. */
export function plainSearch(rows, query, k) {
  return rows
    .map((row, index) => ({ index, score: plainDot(row, query) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, k);
}

/** The same in float64, whatever the rows are in: the truth for neighbours. */
export function exactScores(rows, query) {
  return rows.map((row) => plainCosine(row, query));
}

/** Whole rows of the matrix of cosines; answers with milliseconds. */
export function plainMatrixRows(rows, count) {
  const began = performance.now();
  const cells = new Float32Array(count * rows.length);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < rows.length; j++) cells[i * rows.length + j] = plainDot(rows[i], rows[j]);
  }
  return performance.now() - began;
}

/** Neighbours of some rows; answers with milliseconds. */
export function plainNeighbours(rows, count, k) {
  const began = performance.now();
  for (let i = 0; i < count; i++) plainSearch(rows, rows[i], k + 1);
  return performance.now() - began;
}

/** Neighbours of some rows at each size, each prefix by itself; answers with milliseconds. */
export function plainSweep(rows, sizes, count, k) {
  const began = performance.now();
  for (const size of sizes) {
    const cut = rows.map((row) => row.subarray(0, size));
    for (let i = 0; i < count; i++) {
      cut
        .map((row, index) => ({ index, score: plainCosine(row, cut[i]) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, k);
    }
  }
  return performance.now() - began;
}

/** Dots of a map as canvas paths; answers with milliseconds of one frame, its pixels read so that it is drawn. */
export function plainScatter(context, xy, width, height) {
  const began = performance.now();
  context.clearRect(0, 0, width, height);
  for (let at = 0; at < xy.length; at += 2) {
    context.fillStyle = colors[(at / 2) % colors.length];
    context.beginPath();
    context.arc(xy[at], xy[at + 1], 2.5, 0, 2 * Math.PI);
    context.fill();
  }
  context.getImageData(0, 0, 1, 1);
  return performance.now() - began;
}

const colors = ['#1d5bc4', '#00756f', '#94298f', '#5a6b12'];
