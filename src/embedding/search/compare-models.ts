import { createSeededRandom } from '../../lib/random.ts';
import {
  EngineError,
  type ModelComparison,
  type CompareSettings,
  type Mover,
  type Neighbours,
} from '../engine/engine.ts';
import { createSubSlices, type TimeSlices } from '../engine/time-slices.ts';
import { sampleIndexes } from '../maps/sample-indexes.ts';
import { getRank } from '../maps/trust.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { sampleRowPairs, listNearPairs, countSharedNeighbours, type RowPairs } from './pairs.ts';
import { createEstimator, computeSpearman } from './statistics.ts';

/** Rows of one model; text i is row i on both sides. */
interface ComparedSide {
  matrix: Matrix;
  neighbours: Neighbours;
}

const maxCkaTexts = 2_000;
const maxMoverTexts = 1_000;
const maxMovers = 50;

/**
 * Measures how far two models agree on the same texts, by ranks and geometry; cosines of different models are never
 * compared.
 */
export async function compareModels(
  modelA: { matrix: Matrix },
  modelB: { matrix: Matrix },
  { seed, pairing }: CompareSettings,
  allSlices: TimeSlices,
  findNeighbours: (side: { matrix: Matrix }, slices: TimeSlices) => Promise<Neighbours>,
): Promise<ModelComparison> {
  const [sideA, sideB] = pairing
    ? [{ matrix: modelA.matrix.selectRows(pairing.a) }, { matrix: modelB.matrix.selectRows(pairing.b) }]
    : [modelA, modelB];
  const { matrix } = sideA;
  if (matrix.count !== sideB.matrix.count) {
    throw new EngineError('The two models do not have the same texts. Embed all texts with both.');
  }
  const a = { matrix, neighbours: await findNeighbours(sideA, createSubSlices(allSlices, 0, 0.3)) };
  const b = {
    matrix: sideB.matrix,
    neighbours: await findNeighbours(sideB, createSubSlices(allSlices, 0.3, 0.6)),
  };
  const slices = createSubSlices(allSlices, 0.6, 1);
  const textCount = matrix.count;
  const { k } = a.neighbours;
  const overlapByText = Float32Array.from({ length: textCount }, (_, text) =>
    k === 0 ? 1 : countSharedNeighbours(a.neighbours, b.neighbours, text) / k,
  );
  const allTexts = Int32Array.from({ length: textCount }, (_, text) => text);
  const computeCorrelation = (pairs: RowPairs) =>
    computeSpearman(scorePairs(a.matrix, pairs), scorePairs(b.matrix, pairs));
  const near = computeCorrelation(listNearPairs(allTexts, [a.neighbours, b.neighbours]));
  const random = computeCorrelation(sampleRowPairs(textCount, createSeededRandom(seed)));
  const sample = sampleIndexes(textCount, maxCkaTexts, createSeededRandom(seed + 1));
  return {
    k,
    textCount,
    overlap: createEstimator(overlapByText.length, seed)(overlapByText),
    overlapByText,
    rankCorrelation: { near, random },
    cka: await computeCka(a.matrix, b.matrix, sample, createSubSlices(slices, 0, 0.5)),
    ckaTextCount: sample.length,
    movers: await findMovers(
      a,
      b,
      sampleIndexes(textCount, maxMoverTexts, createSeededRandom(seed + 2)),
      createSubSlices(slices, 0.5, 1),
    ),
  };
}

function scorePairs(matrix: Matrix, { a, b }: RowPairs): Float32Array {
  const scores = new Float32Array(a.length);
  matrix.pairDots(a, b, scores);
  return scores;
}

/** Computes linear CKA of the centred rows from both similarity matrices, built block by block. */
async function computeCka(a: Matrix, b: Matrix, sample: Int32Array, slices: TimeSlices): Promise<number> {
  const count = sample.length;
  const [aSums, bSums] = [new Float64Array(count), new Float64Array(count)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let top = 0; top < count; top += blockRows) {
    const rows = sample.subarray(top, top + blockRows);
    for (let left = 0; left < count; left += blockRows) {
      const columns = sample.subarray(left, left + blockRows);
      const [blockA, blockB] = [computeBlock(a, rows, columns), computeBlock(b, rows, columns)];
      for (let cell = 0; cell < blockA.length; cell++) {
        const x = blockA[cell] ?? 0;
        const y = blockB[cell] ?? 0;
        ab += x * y;
        aa += x * x;
        bb += y * y;
        const row = top + Math.floor(cell / columns.length);
        aSums[row] = (aSums[row] ?? 0) + x;
        bSums[row] = (bSums[row] ?? 0) + y;
      }
      const pause = slices.yieldIfDue((top + (left / count) * blockRows) / count);
      if (pause) await pause;
    }
  }
  // Centres both sides of a matrix, using only sums over the uncentred matrix.
  const centreProduct = (product: number, x: Float64Array, y: Float64Array) => {
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
    const rows = x.reduce((total, value, row) => total + value * (y[row] ?? 0), 0);
    return product - (2 * rows) / count + (sum(x) * sum(y)) / (count * count);
  };
  const size = centreProduct(aa, aSums, aSums) * centreProduct(bb, bSums, bSums);
  return size <= 0 ? 1 : Math.max(0, Math.min(1, centreProduct(ab, aSums, bSums) / Math.sqrt(size)));
}

function computeBlock(matrix: Matrix, rows: Int32Array, columns: Int32Array): Float32Array {
  matrix.gather(0, rows);
  matrix.gather(1, columns);
  return matrix.product({ slot: 0, count: rows.length }, { slot: 1, count: columns.length });
}

/** Finds pairs that are near with one model and ranks them by how much farther apart they are with the other. */
async function findMovers(
  a: ComparedSide,
  b: ComparedSide,
  texts: Int32Array,
  slices: TimeSlices,
): Promise<Mover[]> {
  const { count } = a.matrix;
  const [aBlock, bBlock] = [new Float32Array(blockRows * count), new Float32Array(blockRows * count)];
  let movers: Mover[] = [];
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index] ?? 0;
    const blockIndex = index % blockRows;
    if (blockIndex === 0) {
      a.matrix.scores(texts.subarray(index, index + blockRows), count, aBlock);
      b.matrix.scores(texts.subarray(index, index + blockRows), count, bBlock);
    }
    const aScores = aBlock.subarray(blockIndex * count, (blockIndex + 1) * count);
    const bScores = bBlock.subarray(blockIndex * count, (blockIndex + 1) * count);
    const nearTexts = [a, b].flatMap(({ neighbours: { k, rows } }) => [
      ...rows.subarray(text * k, (text + 1) * k),
    ]);
    for (const other of new Set(nearTexts)) {
      const [rankA, rankB] = [getRank(aScores, text, other), getRank(bScores, text, other)];
      if (rankA !== rankB) movers.push({ text, other, rankA, rankB });
    }
    if (movers.length > 20 * maxMovers) movers = selectLargestMovers(movers);
    const pause = slices.yieldIfDue(index / texts.length);
    if (pause) await pause;
  }
  return selectLargestMovers(movers);
}

function selectLargestMovers(movers: Mover[]): Mover[] {
  const measureMove = ({ rankA, rankB }: Mover) => Math.abs(Math.log(rankA / rankB));
  const seen = new Set<string>();
  return movers
    .toSorted((a, b) => measureMove(b) - measureMove(a) || a.text - b.text || a.other - b.other)
    .filter(({ text, other }) => {
      // Skips a pair that was already found from its other text.
      const pairKey = `${Math.min(text, other)} ${Math.max(text, other)}`;
      return seen.has(pairKey) ? false : seen.add(pairKey);
    })
    .slice(0, maxMovers);
}
