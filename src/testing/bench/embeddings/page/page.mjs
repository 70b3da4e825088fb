import { PCA } from 'ml-pca';
import { UMAP } from 'umap-js';

import { compileWasmKernel } from '../../../../embedding/kernel/wasm-kernel.ts';
import { Matrix, blockRows } from '../../../../embedding/search/matrix.ts';
import { splatDensity, splatFlat, splatSmooth } from '../../../../features/embeddings/canvas/splat.ts';
import { createVectorEngine } from '../../../../features/embeddings/vector-engine.ts';
import { readVector } from '../../../../gateway/embeddings/embedding-vector.ts';
import { flopBound } from './flop-bound.mjs';
import {
  exactScores,
  plainMatrixRows,
  plainNeighbours,
  plainScatter,
  plainSearch,
  plainSweep,
} from './plain.mjs';

const vectorEngine = createVectorEngine();

/** A small generator with a seed: the same rows in every run. */
function noise(seed) {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296 - 0.5;
  };
}

/** Rows about forty middles. */
function vectorsOf(rows, dimensions, seed = 1) {
  const random = noise(99);
  const middles = Float32Array.from({ length: 40 * dimensions }, random);
  const own = noise(seed);
  const vectors = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const middle = (row % 40) * dimensions;
    for (let n = 0; n < dimensions; n++) vectors[row * dimensions + n] = middles[middle + n] + 0.8 * own();
  }
  return vectors;
}

/** The same as unit rows of their own, for the counterparts. */
function unitRows(vectors, dimensions) {
  return Array.from({ length: vectors.length / dimensions }, (_, row) => {
    const numbers = vectors.slice(row * dimensions, (row + 1) * dimensions);
    const norm = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
    return numbers.map((value) => value / norm);
  });
}

async function load(set, vectors, dimensions) {
  await vectorEngine.create(set, dimensions);
  const chunk = 5_000 * dimensions;
  for (let from = 0; from < vectors.length; from += chunk) {
    await vectorEngine.append(set, vectors.slice(from, from + chunk));
  }
}

async function timed(work) {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

async function times(count, work) {
  const all = [];
  for (let run = 0; run < count; run++) all.push((await timed(() => work(run))).ms);
  return all.toSorted((one, other) => one - other);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

window.bench = {
  facts: () => vectorEngine.facts(),

  async search({ rows, dimensions, runs }) {
    await vectorEngine.create('s', dimensions);
    for (let from = 0; from < rows; from += 5_000) {
      await vectorEngine.append('s', vectorsOf(Math.min(5_000, rows - from), dimensions, from + 1));
    }
    const query = vectorsOf(1, dimensions, 7);
    const ours = await times(runs, () => vectorEngine.search({ set: 's' }, { vector: query }, 10));
    await vectorEngine.drop('s');
    const few = Math.min(rows, 10_000);
    const plainRows = unitRows(vectorsOf(few, dimensions), dimensions);
    const plain = await times(5, () => plainSearch(plainRows, query, 10));
    return {
      medianMs: at(ours, 0.5),
      p95Ms: at(ours, 0.95),
      plainMs: (at(plain, 0.5) * rows) / few,
      isExtrapolated: few < rows,
    };
  },

  async neighbours({ rows, dimensions, k }) {
    const vectors = vectorsOf(rows, dimensions);
    await load('n', vectors, dimensions);
    const { ms, result } = await timed(() => vectorEngine.neighbours({ set: 'n' }, k));
    const plainRows = unitRows(vectors, dimensions);
    const asked = 40;
    const plainMs = (plainNeighbours(plainRows, asked, k) * rows) / asked;
    // Against float64: every place in the lists of some rows.
    let [right, error] = [0, 0];
    for (let place = 0; place < asked; place++) {
      const row = Math.floor((place * rows) / asked);
      const scores = exactScores(plainRows, plainRows[row]);
      const truth = new Set(
        scores
          .map((score, index) => ({ score, index }))
          .filter(({ index }) => index !== row)
          .sort((one, other) => other.score - one.score)
          .slice(0, k)
          .map(({ index }) => index),
      );
      for (let near = row * k; near < (row + 1) * k; near++) {
        if (truth.has(result.rows[near])) right++;
        error = Math.max(error, Math.abs(result.scores[near] - scores[result.rows[near]]));
      }
    }
    return { ms, plainMs, recall: right / (asked * k), error, threads: navigator.hardwareConcurrency };
  },

  matrix({ rows, dimensions, runs }) {
    const vectors = vectorsOf(rows, dimensions);
    const matrix = new Matrix(compileWasmKernel(), dimensions);
    matrix.append(vectors);
    let best = Infinity;
    let bound = 0;
    for (let run = 0; run < runs; run++) {
      // The bound beside each run: a processor does not always run at one speed.
      bound = Math.max(bound, flopBound(2));
      const began = performance.now();
      for (let y = 0; y < rows; y += blockRows) {
        for (let x = y; x < rows; x += blockRows) {
          matrix.product(
            { from: y, count: Math.min(blockRows, rows - y) },
            { from: x, count: Math.min(blockRows, rows - x) },
          );
        }
      }
      best = Math.min(best, performance.now() - began);
    }
    const blocks = Math.ceil(rows / blockRows);
    const flops = ((blocks * (blocks + 1)) / 2) * blockRows * blockRows * dimensions * 2;
    const asked = 50;
    const plainMs = (plainMatrixRows(unitRows(vectors, dimensions), asked) * rows) / asked;
    return { ms: best, gflops: flops / best / 1e6, bound, plainMs };
  },

  async pca({ rows, dimensions, libraryRows }) {
    const vectors = vectorsOf(rows, dimensions);
    await load('p', vectors, dimensions);
    const { ms } = await timed(() => vectorEngine.pca({ set: 'p' }));
    const few = vectors.slice(0, libraryRows * dimensions);
    await load('q', few, dimensions);
    const own = await timed(() => vectorEngine.pca({ set: 'q' }));
    const data = unitRows(few, dimensions).map((row) => [...row]);
    const library = await timed(() => {
      const pca = new PCA(data, { method: 'NIPALS', nCompNIPALS: 2 });
      return pca.predict(data, { nComponents: 2 }).to2DArray();
    });
    let apart = 0;
    for (const axis of [0, 1]) {
      const sign = Math.sign(own.result.points[axis] * library.result[0][axis]);
      for (let row = 0; row < libraryRows; row++) {
        const difference = own.result.points[2 * row + axis] * sign - library.result[row][axis];
        apart = Math.max(apart, Math.abs(difference));
      }
    }
    return { ms, fewMs: own.ms, libraryMs: library.ms, apart };
  },

  async umap({ rows, dimensions }) {
    const vectors = vectorsOf(rows, dimensions);
    const settings = { neighbours: 15, minDistance: 0.1, seed: 1, epochs: 500 };
    await load('u', vectors, dimensions);
    let frames = 0;
    const own = await timed(() =>
      vectorEngine.umap({ set: 'u' }, settings, { onFrame: () => (frames += 1) }),
    );
    await load('v', vectors, dimensions);
    const again = await vectorEngine.umap({ set: 'v' }, settings);
    const data = unitRows(vectors, dimensions);
    const random = noise(5);
    const library = await timed(() =>
      new UMAP({
        nNeighbors: 15,
        minDist: 0.1,
        nEpochs: 500,
        random: () => random() + 0.5,
        distanceFn: (one, other) => 1 - one.reduce((sum, value, n) => sum + value * other[n], 0),
      }).fit(data),
    );
    const trustOf = async (points) => (await vectorEngine.trust({ set: 'u' }, points, 15)).trustworthiness;
    return {
      ms: own.ms,
      frames,
      isSame: again.points.every((value, index) => value === own.result.points[index]),
      trust: await trustOf(own.result.points),
      libraryMs: library.ms,
      libraryTrust: await trustOf(Float32Array.from(library.result.flat())),
    };
  },

  async scatter({ points, density, runs }) {
    const [width, height] = [900, 700];
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    document.body.append(canvas);
    const context = canvas.getContext('2d');
    const image = context.createImageData(width, height);
    const data = new Uint32Array(image.data.buffer);
    const pixels = { width, height, data };
    const random = noise(3);
    const placesOf = (count) =>
      Float32Array.from({ length: 2 * count }, () => (random() + random() + random()) / 1.5);
    const xy = placesOf(points);
    const palette = new Uint32Array(256).map((_, index) => 0xff000000 | (index * 40_503));
    const colors = new Uint8Array(points).map((_, index) => index % 6);
    const scene = { xy, colors, palette };
    const projectionOf = (run) => ({ scale: 350, shiftX: 450 + (run % 50), shiftY: 350 });
    const paint = (draw) => {
      data.fill(0);
      draw();
      context.putImageData(image, 0, 0);
    };
    const flat = await times(runs, (run) => paint(() => splatFlat(pixels, scene, projectionOf(run), 2.5)));
    const smooth = await times(5, (run) => paint(() => splatSmooth(pixels, scene, projectionOf(run), 2.5)));
    const many = placesOf(density);
    const counts = new Uint32Array(width * height);
    const crowd = await times(runs, (run) =>
      paint(() => splatDensity(pixels, many, projectionOf(run), palette, counts)),
    );
    const placed = xy.map((value, index) => value * 350 + (index % 2 === 0 ? 450 : 350));
    const plain = Math.min(...[0, 1].map(() => plainScatter(context, placed, width, height)));
    // Frames that the browser shows while the view moves.
    let frames = 0;
    const began = performance.now();
    while (performance.now() - began < 1_000) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      paint(() => splatFlat(pixels, scene, projectionOf(frames), 2.5));
      frames += 1;
    }
    const fps = (frames * 1_000) / (performance.now() - began);
    canvas.remove();
    return {
      flatMs: at(flat, 0.5),
      smoothMs: at(smooth, 0.5),
      densityMs: at(crowd, 0.5),
      plainMs: plain,
      fps,
    };
  },

  async heat({ rows, dimensions, blocks, tile, runs }) {
    const vectors = vectorsOf(rows, dimensions);
    await load('h', vectors, dimensions);
    const order = Int32Array.from({ length: rows }, (_, index) => (index * 7_919) % rows);
    const overview = await times(runs, () => vectorEngine.overview({ set: 'h' }, order, blocks));
    const region = { top: rows >> 1, left: rows >> 2, height: tile, width: tile };
    const tiles = await times(runs, () => vectorEngine.tile({ set: 'h' }, order, region));
    await vectorEngine.drop('h');
    const asked = 20;
    const plainMs = (plainMatrixRows(unitRows(vectors, dimensions), asked) * rows) / asked;
    const extraBytes = (blocks * blocks + tile * tile) * 4 + blocks * dimensions * 4;
    return { overviewMs: at(overview, 0.5), tileMs: at(tiles, 0.5), plainMs, extraBytes };
  },

  async sweep({ rows, dimensions, sizes, k }) {
    const vectors = vectorsOf(rows, dimensions);
    await load('w', vectors, dimensions);
    const runs = await times(3, () => vectorEngine.sweep('w', { dimensions: sizes, k, seed: 1 }));
    await vectorEngine.drop('w');
    const asked = 5;
    const plainMs = (plainSweep(unitRows(vectors, dimensions), sizes, asked, k) * rows) / asked;
    return { ms: at(runs, 0.5), plainMs };
  },

  async decode({ items, dimensions, runs }) {
    const vectors = vectorsOf(items, dimensions);
    const texts = Array.from({ length: items }, (_, row) => {
      const bytes = new Uint8Array(vectors.slice(row * dimensions, (row + 1) * dimensions).buffer);
      let binary = '';
      for (let from = 0; from < bytes.length; from += 8_192) {
        binary += String.fromCharCode(...bytes.subarray(from, from + 8_192));
      }
      return btoa(binary);
    });
    const ours = await times(runs, () => {
      for (const text of texts) if (!readVector(text, dimensions).ok) throw new Error('not read');
    });
    const plainBase64 = await times(3, () => {
      for (const text of texts) {
        const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        new Float32Array(bytes.buffer);
      }
    });
    const json = JSON.stringify(
      Array.from({ length: items }, (_, row) => [
        ...vectors.subarray(row * dimensions, (row + 1) * dimensions),
      ]),
    );
    const plainJson = await times(3, () => {
      for (const row of JSON.parse(json)) Float32Array.from(row);
    });
    return { ms: at(ours, 0.5), plainBase64Ms: at(plainBase64, 0.5), plainJsonMs: at(plainJson, 0.5) };
  },
};
