import {
  EngineError,
  type Comparison,
  type CompareSettings,
  type Mover,
  type Neighbours,
} from '../engine/engine.ts';
import { partOf, type Turns } from '../engine/time-slices.ts';
import { sampleOf, seededRandom } from '../maps/seeded-sample.ts';
import { rankOf } from '../maps/trust.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { drawnPairs, nearPairs, sharedCount, type Pairs } from './pairs.ts';
import { estimator, spearmanOf } from './statistics.ts';

/** One model's rows; text i is row i on both sides. */
interface ComparedSide {
  matrix: Matrix;
  neighbours: Neighbours;
}

const mostCkaTexts = 2_000;
const mostMoverTexts = 1_000;
const shownMovers = 50;

/** How far two models agree about the same texts, by ranks and geometry; no cosine of one meets one of the other. */
export async function comparisonOf(
  one: { matrix: Matrix },
  other: { matrix: Matrix },
  { seed, pairing }: CompareSettings,
  allTurns: Turns,
  neighboursOf: (side: { matrix: Matrix }, turns: Turns) => Promise<Neighbours>,
): Promise<Comparison> {
  const [left, right] = pairing
    ? [{ matrix: one.matrix.chosen(pairing.a) }, { matrix: other.matrix.chosen(pairing.b) }]
    : [one, other];
  const { matrix } = left;
  if (matrix.count !== right.matrix.count) {
    throw new EngineError('The two models do not have the same texts. Embed all texts with both.');
  }
  const a = { matrix, neighbours: await neighboursOf(left, partOf(allTurns, 0, 0.3)) };
  const b = { matrix: right.matrix, neighbours: await neighboursOf(right, partOf(allTurns, 0.3, 0.6)) };
  const turns = partOf(allTurns, 0.6, 1);
  const texts = matrix.count;
  const { k } = a.neighbours;
  const overlapByText = Float32Array.from({ length: texts }, (_, text) =>
    k === 0 ? 1 : sharedCount(a.neighbours, b.neighbours, text) / k,
  );
  const all = Int32Array.from({ length: texts }, (_, text) => text);
  const correlationOf = (pairs: Pairs) => spearmanOf(scoresOf(a.matrix, pairs), scoresOf(b.matrix, pairs));
  const near = correlationOf(nearPairs(all, [a.neighbours, b.neighbours]));
  const random = correlationOf(drawnPairs(texts, seededRandom(seed)));
  const sample = sampleOf(texts, mostCkaTexts, seededRandom(seed + 1));
  return {
    k,
    texts,
    overlap: estimator(overlapByText.length, seed)(overlapByText),
    overlapByText,
    rankCorrelation: { near, random },
    cka: await ckaOf(a.matrix, b.matrix, sample, partOf(turns, 0, 0.5)),
    ckaTexts: sample.length,
    movers: await moversOf(
      a,
      b,
      sampleOf(texts, mostMoverTexts, seededRandom(seed + 2)),
      partOf(turns, 0.5, 1),
    ),
  };
}

function scoresOf(matrix: Matrix, { a, b }: Pairs): Float32Array {
  const scores = new Float32Array(a.length);
  matrix.pairDots(a, b, scores);
  return scores;
}

/** Linear CKA of the centred rows, from the two matrices of similarities, which are made block by block and summed. */
async function ckaOf(a: Matrix, b: Matrix, sample: Int32Array, turns: Turns): Promise<number> {
  const count = sample.length;
  const [aSums, bSums] = [new Float64Array(count), new Float64Array(count)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let top = 0; top < count; top += blockRows) {
    const rows = sample.subarray(top, top + blockRows);
    for (let left = 0; left < count; left += blockRows) {
      const columns = sample.subarray(left, left + blockRows);
      const [one, other] = [blockOf(a, rows, columns), blockOf(b, rows, columns)];
      for (let cell = 0; cell < one.length; cell++) {
        const x = one[cell] ?? 0;
        const y = other[cell] ?? 0;
        ab += x * y;
        aa += x * x;
        bb += y * y;
        const row = top + Math.floor(cell / columns.length);
        aSums[row] = (aSums[row] ?? 0) + x;
        bSums[row] = (bSums[row] ?? 0) + y;
      }
      const rest = turns.rest((top + (left / count) * blockRows) / count);
      if (rest) await rest;
    }
  }
  // Centring both sides of a matrix, written as sums over the matrix that is not centred.
  const centred = (product: number, x: Float64Array, y: Float64Array) => {
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
    const rows = x.reduce((total, value, row) => total + value * (y[row] ?? 0), 0);
    return product - (2 * rows) / count + (sum(x) * sum(y)) / (count * count);
  };
  const size = centred(aa, aSums, aSums) * centred(bb, bSums, bSums);
  return size <= 0 ? 1 : Math.max(0, Math.min(1, centred(ab, aSums, bSums) / Math.sqrt(size)));
}

function blockOf(matrix: Matrix, rows: Int32Array, columns: Int32Array): Float32Array {
  matrix.gather(0, rows);
  matrix.gather(1, columns);
  return matrix.product({ slot: 0, count: rows.length }, { slot: 1, count: columns.length });
}

/** Pairs that are near with one model, by how much farther they are with the other, as a ratio of ranks. */
async function moversOf(a: ComparedSide, b: ComparedSide, texts: Int32Array, turns: Turns): Promise<Mover[]> {
  const { count } = a.matrix;
  const [aBlock, bBlock] = [new Float32Array(blockRows * count), new Float32Array(blockRows * count)];
  let movers: Mover[] = [];
  for (let place = 0; place < texts.length; place++) {
    const text = texts[place] ?? 0;
    const inBlock = place % blockRows;
    if (inBlock === 0) {
      a.matrix.scores(texts.subarray(place, place + blockRows), count, aBlock);
      b.matrix.scores(texts.subarray(place, place + blockRows), count, bBlock);
    }
    const aScores = aBlock.subarray(inBlock * count, (inBlock + 1) * count);
    const bScores = bBlock.subarray(inBlock * count, (inBlock + 1) * count);
    const near = [a, b].flatMap(({ neighbours: { k, rows } }) => [
      ...rows.subarray(text * k, (text + 1) * k),
    ]);
    for (const other of new Set(near)) {
      const [rankA, rankB] = [rankOf(aScores, text, other), rankOf(bScores, text, other)];
      if (rankA !== rankB) movers.push({ text, other, rankA, rankB });
    }
    if (movers.length > 20 * shownMovers) movers = largest(movers);
    const rest = turns.rest(place / texts.length);
    if (rest) await rest;
  }
  return largest(movers);
}

function largest(movers: Mover[]): Mover[] {
  const moveOf = ({ rankA, rankB }: Mover) => Math.abs(Math.log(rankA / rankB));
  const seen = new Set<string>();
  return movers
    .toSorted((one, other) => moveOf(other) - moveOf(one) || one.text - other.text || one.other - other.other)
    .filter(({ text, other }) => {
      // The same two texts seen from the other side say nothing new.
      const name = `${Math.min(text, other)} ${Math.max(text, other)}`;
      return seen.has(name) ? false : seen.add(name);
    })
    .slice(0, shownMovers);
}
