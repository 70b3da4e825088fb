/** Compares results with simple, independent implementations of the same definitions. */
import { PCA } from 'ml-pca';
import { UMAP } from 'umap-js';
import { describe, expect, it } from 'vitest';

import { createSeededRandom } from '../lib/random.ts';
import { toBits, createGroupedVectors, testTimeSlices } from '../testing/grouped-vectors.ts';
import { createLocalEngine } from './engine/local-engine.ts';
import { createTimeSlices } from './engine/time-slices.ts';
import { compileWasmKernel } from './kernel/wasm-kernel.ts';
import { alignMap } from './maps/align-map.ts';
import { computePca } from './maps/pca.ts';
import { Matrix } from './search/matrix.ts';

async function loadEngine(
  rows: number,
  dimensions: number,
  vectors = createGroupedVectors(rows, dimensions, 6, 0.9),
) {
  const engine = createLocalEngine(testTimeSlices);
  await engine.create('a', dimensions);
  await engine.append('a', vectors.slice());
  return engine;
}

/** Returns unit rows in float64. */
function toUnitRows(vectors: Float32Array, dimensions: number, usedDimensions = dimensions): number[][] {
  return Array.from({ length: vectors.length / dimensions }, (_, row) => {
    const numbers = [...vectors.subarray(row * dimensions, row * dimensions + usedDimensions)];
    const norm = Math.hypot(...numbers);
    return numbers.map((value) => value / norm);
  });
}

const computeDot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);

function findPlainNeighbours(rows: readonly number[][], k: number): number[][] {
  return rows.map((row, ownIndex) =>
    rows
      .map((other, index) => ({ index, score: computeDot(row, other) }))
      .filter(({ index }) => index !== ownIndex)
      .toSorted((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, k)
      .map(({ index }) => index),
  );
}

const toLists = ({ k, rows }: { k: number; rows: Int32Array }) =>
  Array.from({ length: rows.length / k }, (_, row) => [...rows.subarray(row * k, (row + 1) * k)]);

describe('nearest neighbours', () => {
  const vectors = createGroupedVectors(333, 48, 6, 0.9);
  const rows = toUnitRows(vectors, 48);

  it('finds the same neighbours as float64 arithmetic', async () => {
    const engine = await loadEngine(333, 48, vectors);
    const result = await engine.findNeighbours({ set: 'a' }, 12);
    expect(toLists(result)).toEqual(findPlainNeighbours(rows, 12));
    const differences = result.scores.map(
      (score, index) =>
        score - computeDot(rows[Math.floor(index / 12)] ?? [], rows[result.rows[index] ?? 0] ?? []),
    );
    expect(Math.max(...differences.map(Math.abs))).toBeLessThan(1e-6);
  });

  it('computes neighbours of a shorter view from cut and rescaled vectors', async () => {
    const engine = await loadEngine(333, 48, vectors);
    const result = await engine.findNeighbours({ set: 'a', dimensions: 20 }, 5);
    expect(toLists(result)).toEqual(findPlainNeighbours(toUnitRows(vectors, 48, 20), 5));
  });

  it('returns all neighbours if there are fewer than k, and a smaller k as the beginning of a larger one', async () => {
    const engine = await loadEngine(9, 8);
    const allNeighbours = await engine.findNeighbours({ set: 'a' }, 50);
    expect(allNeighbours.k).toBe(8);
    expect(toLists(await engine.findNeighbours({ set: 'a' }, 3))).toEqual(
      toLists(allNeighbours).map((list) => list.slice(0, 3)),
    );
  });

  it('returns neighbours with equal texts in the order of rows', async () => {
    const engine = await loadEngine(
      70,
      4,
      Float32Array.from({ length: 280 }, () => 1),
    );
    const { rows: neighbourRows } = await engine.findNeighbours({ set: 'a' }, 3);
    expect([...neighbourRows.subarray(0, 3)]).toEqual([1, 2, 3]);
    expect([...neighbourRows.subarray(69 * 3)]).toEqual([0, 1, 2]);
    expect([...(await engine.search({ set: 'a' }, { row: 1 }, 3)).rows]).toEqual([0, 2, 3]);
  });
});

describe('vector search', () => {
  it('ranks every row for a vector of any length', async () => {
    const vectors = createGroupedVectors(150, 32, 6, 0.9);
    const engine = await loadEngine(150, 32, vectors);
    const query = vectors.slice(0, 32).map((value) => value * 7);
    const result = await engine.search({ set: 'a' }, { vector: query }, 4);
    expect([...result.rows]).toEqual([0, ...(findPlainNeighbours(toUnitRows(vectors, 32), 3)[0] ?? [])]);
    expect(result.scores[0]).toBeCloseTo(1, 6);
    const allScores = await engine.computeScores({ set: 'a' }, { vector: query });
    expect(allScores).toHaveLength(150);
    expect(allScores[result.rows[2] ?? 0]).toBe(result.scores[2]);
  });

  it('leaves out the row used as the query', async () => {
    const engine = await loadEngine(20, 8);
    const { rows } = await engine.search({ set: 'a' }, { row: 4 }, 99);
    const allScores = await engine.computeScores({ set: 'a' }, { row: 4 });
    expect(rows).toHaveLength(19);
    expect(rows).not.toContain(4);
    expect(allScores[4]).toBeCloseTo(1, 6);
  });
});

describe('PCA', () => {
  const vectors = createGroupedVectors(120, 30, 6, 0.9);

  it('agrees with ml-pca to 1e-8', async () => {
    const matrix = new Matrix(compileWasmKernel(), 30);
    matrix.append(vectors);
    // Uses the stored rows, so that only the method can differ.
    const rows = Array.from({ length: 120 }, (_, row) => [...matrix.getRow(row)]);
    const { axes, mean, map } = await computePca(matrix, createTimeSlices(testTimeSlices));
    const reference = new PCA(rows);
    const expectedPoints = reference.predict(rows, { nComponents: 2 }).to2DArray();
    const shares = reference.getExplainedVariance();
    for (const [axisIndex, axis] of axes.entries()) {
      const projectedValues = rows.map((row) =>
        row.reduce((sum, value, n) => sum + (value - (mean[n] ?? 0)) * (axis[n] ?? 0), 0),
      );
      const expectedValues = expectedPoints.map((row) => row[axisIndex] ?? 0);
      const sign = Math.sign((projectedValues[0] ?? 0) * (expectedValues[0] ?? 0));
      const differences = projectedValues.map((value, row) =>
        Math.abs(value * sign - (expectedValues[row] ?? 0)),
      );
      expect(Math.max(...differences)).toBeLessThan(1e-8);
      expect(map.points.filter((_, index) => index % 2 === axisIndex)).toEqual(
        Float32Array.from(projectedValues),
      );
      expect(
        Math.abs((axisIndex === 0 ? map.explained.x : map.explained.y) - (shares[axisIndex] ?? 0)),
      ).toBeLessThan(1e-8);
    }
  });

  it("projects a text's vector to the position of that text on the map", async () => {
    const engine = await loadEngine(120, 30, vectors);
    const { points } = await engine.computePca({ set: 'a' });
    for (const row of [0, 50, 119]) {
      const projectedPoint = await engine.project({ set: 'a' }, vectors.subarray(row * 30, (row + 1) * 30));
      expect([projectedPoint.x, projectedPoint.y]).toEqual([
        expect.closeTo(points[2 * row] ?? 0, 6),
        expect.closeTo(points[2 * row + 1] ?? 0, 6),
      ]);
    }
  });

  it.each([
    [1, 0, 0],
    [2, 1, 0],
    [3, 1, 1],
  ])('explains the available variance with %d rows', async (rows, x, sum) => {
    const { explained, points } = await (await loadEngine(rows, 16)).computePca({ set: 'a' });
    expect(points.every(Number.isFinite)).toBe(true);
    if (rows < 3) expect([explained.x, explained.y]).toEqual([expect.closeTo(x, 9), expect.closeTo(0, 9)]);
    else expect(explained.x + explained.y).toBeCloseTo(sum, 9);
  });
});

describe('UMAP', () => {
  const vectors = createGroupedVectors(200, 40, 6, 1.1);
  const settings = { neighbours: 15, minDistance: 0.1, seed: 5, epochs: 200 };

  it('preserves neighbours as well as umap-js', async () => {
    const engine = await loadEngine(200, 40, vectors);
    const rows = toUnitRows(vectors, 40);
    const computeTrustworthiness = async (points: Float32Array) =>
      (await engine.computeTrust({ set: 'a' }, points, 15)).trustworthiness;
    let [ownTrust, referenceTrust] = [0, 0];
    // A single layout depends on luck, so three are averaged.
    for (const seed of [1, 2, 3]) {
      ownTrust +=
        (await computeTrustworthiness(
          (await engine.computeUmap({ set: 'a' }, { ...settings, seed })).points,
        )) / 3;
      const reference = new UMAP({
        nNeighbors: 15,
        minDist: 0.1,
        nEpochs: 200,
        random: createSeededRandom(seed),
        distanceFn: (a: number[], b: number[]) => 1 - computeDot(a, b),
      }).fit(rows);
      referenceTrust += (await computeTrustworthiness(Float32Array.from(reference.flat()))) / 3;
    }
    expect(ownTrust).toBeGreaterThan(referenceTrust - 0.002);
    expect(ownTrust).toBeGreaterThan(0.95);
  });

  it('returns the same map for the same seed and a different map for another seed', async () => {
    const [first, same, another] = await Promise.all(
      [5, 5, 6].map(async (seed) => {
        const engine = await loadEngine(200, 40, vectors);
        return toBits((await engine.computeUmap({ set: 'a' }, { ...settings, seed, epochs: 40 })).points);
      }),
    );
    expect(same).toEqual(first);
    expect(another).not.toEqual(first);
  });

  it.each([1, 2, 3])('returns finite points for %d texts', async (rows) => {
    const { points } = await (
      await loadEngine(rows, 8)
    ).computeUmap({ set: 'a' }, { ...settings, epochs: 20 });
    expect(points).toHaveLength(2 * rows);
    expect(points.every(Number.isFinite)).toBe(true);
  });
});

describe('trustworthiness', () => {
  /** A direct implementation of Venna and Kaski (2001). */
  function computePlainTrust(rows: readonly number[][], map: Float32Array, k: number): number {
    const truth = findPlainNeighbours(rows, rows.length - 1);
    const mapPoints = rows.map((_, row) => [map[2 * row] ?? 0, map[2 * row + 1] ?? 0] as const);
    let penalty = 0;
    for (const [row, [x, y]] of mapPoints.entries()) {
      const near = mapPoints
        .map(([px, py], index) => ({ index, squaredDistance: (px - x) ** 2 + (py - y) ** 2 }))
        .filter(({ index }) => index !== row)
        .toSorted((a, b) => a.squaredDistance - b.squaredDistance)
        .slice(0, k);
      for (const { index } of near) penalty += Math.max(0, (truth[row]?.indexOf(index) ?? 0) + 1 - k);
    }
    return 1 - (2 * penalty) / (rows.length * k * (2 * rows.length - 3 * k - 1));
  }

  it('computes trustworthiness according to its definition', async () => {
    const vectors = createGroupedVectors(90, 24, 5, 1);
    const engine = await loadEngine(90, 24, vectors);
    const random = createSeededRandom(4);
    const noise = Float32Array.from({ length: 180 }, random);
    for (const map of [(await engine.computePca({ set: 'a' })).points, noise]) {
      const { trustworthiness } = await engine.computeTrust({ set: 'a' }, map, 7);
      expect(trustworthiness).toBeCloseTo(computePlainTrust(toUnitRows(vectors, 24), map, 7), 9);
    }
  });

  it('returns a trustworthiness of 1 for an exact map', async () => {
    // Unit vectors in the plane: the map is exact.
    const circle = Float32Array.from({ length: 80 }, (_, index) => {
      const angle = 0.06 * ((index >> 1) + 0.3 * Math.sin((index >> 1) ** 2));
      return index % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
    const engine = await loadEngine(40, 2, circle);
    expect(await engine.computeTrust({ set: 'a' }, circle, 5)).toMatchObject({
      trustworthiness: 1,
      keptShare: 1,
    });
  });
});

describe('shortened vectors', () => {
  it('computes the same loss for shorter vectors as a direct count', async () => {
    const vectors = createGroupedVectors(140, 64, 6, 1);
    const engine = await loadEngine(140, 64, vectors);
    const fullNeighbours = findPlainNeighbours(toUnitRows(vectors, 64), 10);
    const steps = await engine.sweep('a', {
      dimensions: [8, 20, 64],
      k: 10,
      seed: 1,
      labels: Int32Array.from({ length: 140 }, (_, row) => row % 6),
    });
    for (const { dimensions, keptCounts, recall, sameNearestShare, queries } of steps) {
      const shortNeighbours = findPlainNeighbours(toUnitRows(vectors, 64, dimensions), 10);
      const expectedCounts = fullNeighbours.map(
        (list, row) => list.filter((other) => shortNeighbours[row]?.includes(other)).length,
      );
      expect([...keptCounts]).toEqual(expectedCounts);
      expect(recall.mean).toBeCloseTo(expectedCounts.reduce((sum, count) => sum + count, 0) / 1400, 9);
      expect(recall.low).toBeLessThanOrEqual(recall.mean);
      expect(recall.high).toBeGreaterThanOrEqual(recall.mean);
      expect(sameNearestShare.mean).toBeCloseTo(
        fullNeighbours.filter((list, row) => list[0] === shortNeighbours[row]?.[0]).length / 140,
        9,
      );
      expect(queries).toHaveLength(140);
    }
    expect(steps.at(-1)).toMatchObject({
      bytesPerVector: 256,
      recall: { mean: 1, low: 1, high: 1 },
      rankCorrelation: { near: 1, random: 1 },
      sameLabelShare: 1,
    });
    expect(steps[0]?.recall.mean).toBeLessThan(1);
  });

  it('evaluates a large set by comparing sampled queries with every row', async () => {
    const vectors = createGroupedVectors(2100, 16, 9, 1);
    const engine = await loadEngine(2100, 16, vectors);
    const [step] = await engine.sweep('a', { dimensions: [8], k: 4, seed: 1 });
    const { queries = new Int32Array(0), keptCounts = new Uint16Array(0) } = step ?? {};
    expect(queries).toHaveLength(2048);
    const [shortNeighbours, fullNeighbours] = await Promise.all(
      [8, 16].map((dimensions) => engine.findNeighbours({ set: 'a', dimensions }, 4)),
    );
    for (const index of [0, 77, 1999]) {
      const query = queries[index] ?? 0;
      const ownRows = [...(fullNeighbours?.rows.subarray(query * 4, query * 4 + 4) ?? [])];
      const shared = ownRows.filter((row) =>
        shortNeighbours?.rows.subarray(query * 4, query * 4 + 4).includes(row),
      );
      expect(keptCounts[index]).toBe(shared.length);
    }
  });

  it('rejects impossible vector sizes', async () => {
    const engine = await loadEngine(10, 16);
    await expect(engine.sweep('a', { dimensions: [32], k: 3, seed: 1 })).rejects.toThrow('up to 16');
  });
});

describe('comparison of two models', () => {
  const vectors = createGroupedVectors(130, 32, 6, 1);
  const compareWith = async (other: Float32Array<ArrayBuffer>, dimensions: number) => {
    const engine = await loadEngine(130, 32, vectors);
    await engine.create('b', dimensions);
    await engine.append('b', other.slice());
    return engine.compare({ set: 'a' }, { set: 'b' }, { k: 8, seed: 1 });
  };

  it('reports complete agreement with a mirrored and scaled model', async () => {
    const mirroredVectors = vectors.map((value, index) => (index % 32 < 16 ? -3 * value : 3 * value));
    const result = await compareWith(mirroredVectors, 32);
    expect(result).toMatchObject({ overlap: { mean: 1 }, movers: [], textCount: 130 });
    expect(result.cka).toBeCloseTo(1, 9);
    expect(result.rankCorrelation.near).toBeGreaterThan(0.999);
  });

  it('computes CKA according to its definition, and movers with true ranks', async () => {
    const other = createGroupedVectors(130, 20, 6, 2);
    const result = await compareWith(other, 20);
    const [a, b] = [toUnitRows(vectors, 32), toUnitRows(other, 20)];
    const centreRows = (rows: number[][]) => {
      const means = rows[0]?.map((_, n) => rows.reduce((sum, row) => sum + (row[n] ?? 0), 0) / rows.length);
      return rows.map((row) => row.map((value, n) => value - (means?.[n] ?? 0)));
    };
    const sumSquares = (x: number[][], y: number[][]) => {
      let sum = 0;
      for (let i = 0; i < (x[0]?.length ?? 0); i++) {
        for (let j = 0; j < (y[0]?.length ?? 0); j++) {
          sum += x.reduce((total, row, n) => total + (row[i] ?? 0) * (y[n]?.[j] ?? 0), 0) ** 2;
        }
      }
      return sum;
    };
    const [ca, cb] = [centreRows(a), centreRows(b)];
    expect(result.cka).toBeCloseTo(
      sumSquares(ca, cb) / Math.sqrt(sumSquares(ca, ca) * sumSquares(cb, cb)),
      5,
    );
    const [neighboursA, neighboursB] = [findPlainNeighbours(a, 129), findPlainNeighbours(b, 129)];
    expect(result.movers.length).toBeGreaterThan(10);
    for (const { text, other: otherText, rankA, rankB } of result.movers) {
      expect([neighboursA[text]?.indexOf(otherText), neighboursB[text]?.indexOf(otherText)]).toEqual([
        rankA - 1,
        rankB - 1,
      ]);
    }
    const overlap = neighboursA.map(
      (list, text) =>
        list.slice(0, 8).filter((row) => neighboursB[text]?.slice(0, 8).includes(row)).length / 8,
    );
    expect(result.overlap.mean).toBeCloseTo(overlap.reduce((sum, share) => sum + share, 0) / 130, 6);
  });

  it('compares models on the texts that both have', async () => {
    const engine = await loadEngine(130, 32, vectors);
    await engine.create('b', 32);
    await engine.append('b', vectors.slice(32 * 30));
    await expect(engine.compare({ set: 'a' }, { set: 'b' }, { k: 5, seed: 1 })).rejects.toThrow(
      'the same texts',
    );
    const b = Int32Array.from({ length: 100 }, (_, row) => row);
    const pairing = { a: b.map((row) => row + 30), b };
    const result = await engine.compare({ set: 'a' }, { set: 'b' }, { k: 5, seed: 1, pairing });
    expect(result).toMatchObject({ textCount: 100, overlap: { mean: 1 } });
  });

  it('aligns the orientation of two maps', () => {
    const map = createGroupedVectors(30, 2, 3, 1);
    const turnedMap = map.map((_, index) => {
      const [x, y] = [map[index - (index % 2)] ?? 0, -(map[index - (index % 2) + 1] ?? 0)];
      return (
        4 * (index % 2 === 0 ? x * Math.cos(2) - y * Math.sin(2) : x * Math.sin(2) + y * Math.cos(2)) + 9
      );
    });
    const { points, disparity } = alignMap(map, turnedMap);
    expect(disparity).toBeLessThan(1e-6);
    for (const [index, value] of points.entries()) expect(value).toBeCloseTo(map[index] ?? 0, 5);
  });
});

describe('similarity matrix', () => {
  it('returns exact cells of a tile in any order', async () => {
    const engine = await loadEngine(200, 16);
    const order = await engine.orderRows({ set: 'a' }, { by: 'cluster', count: 6, seed: 1 });
    expect([...order].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, row) => row));
    const region = { top: 70, left: 150, height: 90, width: 90 };
    const { width, height, values } = await engine.computeTile({ set: 'a' }, order, region);
    expect([width, height]).toEqual([50, 90]);
    for (const [y, x] of [
      [0, 0],
      [89, 49],
      [64, 13],
    ] as const) {
      const pair = await engine.computePairScore({ set: 'a' }, order[70 + y] ?? 0, order[150 + x] ?? 0);
      expect(values[y * width + x]).toBe(pair);
    }
  });

  it('returns the mean of the cells in each block of an overview', async () => {
    const engine = await loadEngine(100, 16);
    const whole = await engine.computeTile({ set: 'a' }, undefined, {
      top: 0,
      left: 0,
      height: 100,
      width: 100,
    });
    const { size, values } = await engine.computeOverview({ set: 'a' }, undefined, 7);
    expect(size).toBe(7);
    const getStart = (cell: number) => Math.floor((cell * 100) / 7);
    for (let cell = 0; cell < 49; cell++) {
      const [row, column] = [Math.floor(cell / 7), cell % 7];
      let [sum, count] = [0, 0];
      for (let y = getStart(row); y < getStart(row + 1); y++) {
        for (let x = getStart(column); x < getStart(column + 1); x++, count++)
          sum += whole.values[y * 100 + x] ?? 0;
      }
      expect(values[cell]).toBeCloseTo(sum / count, 5);
    }
  });

  it('returns the cells themselves in an overview of a few texts', async () => {
    const engine = await loadEngine(24, 16);
    const { size, values } = await engine.computeOverview({ set: 'a' }, undefined, 512);
    expect(size).toBe(24);
    expect(values[25]).toBe(await engine.computePairScore({ set: 'a' }, 1, 1));
  });
});

describe('clusters and labels', () => {
  it('finds the clusters, the largest first', async () => {
    const vectors = createGroupedVectors(200, 24, 4, 0.2).slice(0, 190 * 24);
    const engine = await loadEngine(190, 24, vectors);
    const { labels, sizes, centralRows } = await engine.computeClusters({ set: 'a' }, 4, 1);
    expect(sizes).toEqual([48, 48, 47, 47]);
    const rows = toUnitRows(vectors, 24);
    const nearestRows = sizes.map((_, cluster) => {
      const members = rows.filter((_row, index) => labels[index] === cluster);
      const centre =
        members[0]?.map((_value, n) => members.reduce((sum, row) => sum + (row[n] ?? 0), 0)) ?? [];
      const best = members.toSorted((a, b) => computeDot(b, centre) - computeDot(a, centre))[0];
      return rows.findIndex((row) => row === best);
    });
    expect(centralRows).toEqual(nearestRows);
    for (let row = 4; row < 190; row++) expect(labels[row]).toBe(labels[row % 4]);
  });

  it('finds clusters of many rows from a sample and assigns every row', async () => {
    const engine = await loadEngine(3_000, 12, createGroupedVectors(3_000, 12, 5, 0.2));
    const { labels, sizes } = await engine.computeClusters({ set: 'a' }, 5, 1);
    expect(sizes).toEqual([600, 600, 600, 600, 600]);
    for (let row = 5; row < 3_000; row++) expect(labels[row]).toBe(labels[row % 5]);
  });

  it('shares one cluster computation between concurrent calls', async () => {
    const engine = await loadEngine(190, 24, createGroupedVectors(190, 24, 4, 0.2));
    const controller = new AbortController();
    const requests = [
      engine.computeClusters({ set: 'a' }, 4, 1, { signal: controller.signal }).catch(() => 'given up'),
      engine.computeClusters({ set: 'a' }, 4, 1),
      engine.orderRows({ set: 'a' }, { by: 'cluster', count: 4, seed: 1 }),
    ] as const;
    controller.abort();
    const [, groups, order] = await Promise.all(requests);
    const labelRuns = Array.from(order, (row) => groups.labels[row]).filter(
      (label, index, all) => label !== all[index - 1],
    );
    expect(labelRuns).toHaveLength(4);
    // A caller may transfer the array to another thread, so each caller gets its own copy.
    groups.labels.fill(9);
    expect((await engine.computeClusters({ set: 'a' }, 4, 1)).labels).not.toContain(9);
  });

  it('sorts texts by label, in input order within a label, with unlabelled texts last', async () => {
    const engine = await loadEngine(6, 8);
    const labels = Int32Array.of(1, -1, 0, 1, 0, -1);
    expect([...(await engine.orderRows({ set: 'a' }, { by: 'label', labels }))]).toEqual([2, 4, 0, 3, 1, 5]);
  });

  it('returns at most as many clusters as texts', async () => {
    const engine = await loadEngine(3, 8);
    expect((await engine.computeClusters({ set: 'a' }, 8, 1)).sizes).toEqual([1, 1, 1]);
  });
});
