import { formatError } from '../../lib/format-error.ts';
import { createSharedTask } from '../../lib/shared-task.ts';
import type { MakeKernel } from '../kernel/kernel.ts';
import { createPlainKernel } from '../kernel/plain-kernel.ts';
import { compileWasmKernel } from '../kernel/wasm-kernel.ts';
import { computeClusters, type GroupedRows } from '../maps/clusters.ts';
import { computePca, projectVector, type Pca } from '../maps/pca.ts';
import { computeTrust } from '../maps/trust.ts';
import { computeUmap } from '../maps/umap.ts';
import { compareModels } from '../search/compare-models.ts';
import {
  sortRowsByAxis,
  sortRowsByGroup,
  sortRowsByLabel,
  computeOverview,
  computeTile,
} from '../search/matrix-overview.ts';
import { Matrix } from '../search/matrix.ts';
import { computeNeighbours, computeNeighboursPart } from '../search/nearest-neighbours.ts';
import { computeScores, computePairScores, validateRow, searchRows } from '../search/row-search.ts';
import { computePrefixLists, computeSweep } from '../search/sweep.ts';
import {
  EngineError,
  maxSetBytes,
  type EngineInfo,
  type EngineHelper,
  type Neighbours,
  type SetView,
  type Task,
  type VectorEngine,
} from './engine.ts';
import { createSubSlices, createTimeSlices, type TimeSliceOptions, type TimeSlices } from './time-slices.ts';

/** A set at one vector length, with cached results. */
interface CachedView {
  matrix: Matrix;
  neighbours?: Neighbours;
  pca?: Pca;
  /** Clusters by count and seed. */
  groups: Map<string, (signal?: AbortSignal) => Promise<GroupedRows>>;
}

interface VectorSet {
  full: CachedView;
  /** Shorter forms by dimensions, the most recently used last. */
  shorterViews: Map<number, CachedView>;
}

/** Maximum number of cached shorter forms per set, so that switching between two sizes is free. */
const maxShorterViews = 2;
/** Drawing takes precedence over background computations, which yield up to this many times per slice. */
const backgroundYieldsPerSlice = 8;

export interface LocalEngineOptions extends TimeSliceOptions {
  /** Engines on other threads that take over parts of the largest computations; the list may grow. */
  helpers?: readonly EngineHelper[];
}

const createView = (matrix: Matrix): CachedView => ({ matrix, groups: new Map() });

/** Creates the engine on this thread, as run by the worker and by tests. */
export function createLocalEngine(options: LocalEngineOptions): VectorEngine {
  const kernel = chooseKernel();
  const sets = new Map<string, VectorSet>();

  const getSet = (name: string): VectorSet => {
    const loadedSet = sets.get(name);
    if (!loadedSet) throw new EngineError('These texts are not loaded. Embed them first.');
    return loadedSet;
  };
  const getView = ({ set, dimensions }: SetView): CachedView => {
    const loadedSet = getSet(set);
    const fullDimensions = loadedSet.full.matrix.dimensions;
    if (dimensions === undefined || dimensions === fullDimensions) return loadedSet.full;
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > fullDimensions) {
      throw new EngineError(
        `These vectors have ${fullDimensions} dimensions and cannot be truncated to ${dimensions}.`,
      );
    }
    const cachedView =
      loadedSet.shorterViews.get(dimensions) ?? createView(loadedSet.full.matrix.truncateRows(dimensions));
    loadedSet.shorterViews.delete(dimensions);
    loadedSet.shorterViews.set(dimensions, cachedView);
    for (const oldest of [...loadedSet.shorterViews.keys()].slice(0, -maxShorterViews))
      loadedSet.shorterViews.delete(oldest);
    return cachedView;
  };
  const createSlices = (task?: Task): TimeSlices => createTimeSlices(options, task);

  const findNeighbours = async (
    view: Pick<CachedView, 'matrix' | 'neighbours'>,
    k: number,
    slices: TimeSlices,
    signal?: AbortSignal,
  ): Promise<Neighbours> => {
    const effectiveK = Math.max(0, Math.min(k, view.matrix.count - 1));
    if (!view.neighbours || view.neighbours.k < effectiveK) {
      view.neighbours = await computeNeighbours(view.matrix, effectiveK, slices, {
        helpers: options.helpers,
        signal,
      });
    }
    return truncateNeighbours(view.neighbours, view.matrix.count, effectiveK);
  };
  /** The map, the matrix and its bands request the same clusters at the same time, so they share one computation. */
  const groupRows = (
    view: CachedView,
    count: number,
    seed: number,
    signal?: AbortSignal,
  ): Promise<GroupedRows> => {
    const key = `${count} ${seed}`;
    const computeGroups =
      view.groups.get(key) ??
      createSharedTask((sharedSignal) =>
        computeClusters(view.matrix, count, seed, createSlices({ signal: sharedSignal })),
      );
    view.groups.set(key, computeGroups);
    return computeGroups(signal);
  };
  const getPca = async (view: CachedView, slices: TimeSlices): Promise<Pca> =>
    (view.pca ??= await computePca(view.matrix, slices));

  return {
    getInfo: async () => kernel.info,

    create: async (set, dimensions) => {
      if (!Number.isInteger(dimensions) || dimensions < 1) {
        throw new EngineError(`A vector cannot have ${dimensions} dimensions.`);
      }
      sets.set(set, { full: createView(new Matrix(kernel.makeKernel, dimensions)), shorterViews: new Map() });
    },
    append: async (set, vectors) => {
      const loadedSet = getSet(set);
      const { matrix } = loadedSet.full;
      const bytes = (matrix.count * matrix.dimensions + vectors.length) * 4;
      if (bytes > maxSetBytes) {
        const maxTexts = Math.floor(maxSetBytes / 4 / matrix.dimensions).toLocaleString('en');
        throw new EngineError(
          `At most ${maxTexts} texts fit at ${matrix.dimensions} dimensions. Use fewer texts or fewer dimensions.`,
        );
      }
      const norms = matrix.append(vectors);
      // Cached results refer to fewer rows.
      sets.set(set, { full: createView(matrix), shorterViews: new Map() });
      return { rowCount: matrix.count, dimensions: matrix.dimensions, norms };
    },
    drop: async (set) => {
      sets.delete(set);
    },

    search: async (view, query, k) => searchRows(getView(view).matrix, query, k),
    computeScores: async (view, query) => computeScores(getView(view).matrix, query),
    computePairScore: async (view, row, other) => {
      const { matrix } = getView(view);
      return matrix.dot(validateRow(matrix, row), validateRow(matrix, other));
    },
    samplePairScores: async (view) => computePairScores(getView(view).matrix),
    findNeighbours: async (view, k, task) =>
      findNeighbours(getView(view), k, createSlices(task), task?.signal),

    computeOverview: async (view, order, blocks) => computeOverview(getView(view).matrix, order, blocks),
    computeTile: async (view, order, region) => computeTile(getView(view).matrix, order, region),
    orderRows: async (view, by, task) => {
      const cachedView = getView(view);
      const { matrix } = cachedView;
      if (by.by === 'input') return Int32Array.from({ length: matrix.count }, (_, row) => row);
      if (by.by === 'label') return sortRowsByLabel(by.labels, matrix.count);
      const slices = createSlices(task);
      if (by.by === 'pc1') return sortRowsByAxis((await getPca(cachedView, slices)).map.points);
      const groups = await groupRows(cachedView, by.count, by.seed, task?.signal);
      return sortRowsByGroup(matrix, groups, (await getPca(cachedView, slices)).map.points);
    },

    computePca: async (view, task) => {
      const { map } = await getPca(getView(view), createSlices(task));
      return { ...map, points: map.points.slice() };
    },
    project: async (view, vector) => projectVector(await getPca(getView(view), createSlices()), vector),
    computeUmap: async (view, settings, task) => {
      const cachedView = getView(view);
      const slices = createSlices(task);
      const nearest = await findNeighbours(
        cachedView,
        settings.neighbours,
        createSubSlices(slices, 0, 0.4),
        task?.signal,
      );
      const start = await getPca(cachedView, createSubSlices(slices, 0.4, 0.5));
      return computeUmap(nearest, start.map.points, settings, createSubSlices(slices, 0.5, 1), task?.onFrame);
    },
    computeTrust: async (view, points, k, task) => {
      const { matrix } = getView(view);
      if (points.length !== 2 * matrix.count) throw new EngineError('The map belongs to other texts.');
      return computeTrust(matrix, points, k, createTimeSlices(options, task, backgroundYieldsPerSlice));
    },
    computeClusters: async (view, count, seed, task) => {
      const { labels, sizes, centralRows } = await groupRows(getView(view), count, seed, task?.signal);
      return { labels: labels.slice(), sizes: [...sizes], centralRows: [...centralRows] };
    },
    sweep: async (set, settings, task) => {
      const { matrix } = getSet(set).full;
      return computeSweep(
        matrix,
        settings,
        createTimeSlices(options, task, backgroundYieldsPerSlice),
        options.helpers,
        task?.signal,
      );
    },
    compare: async (a, b, settings, task) =>
      compareModels(getView(a), getView(b), settings, createSlices(task), (side, slices) =>
        findNeighbours(side, settings.k, slices, task?.signal),
      ),

    computeNeighboursShare: async (rows, dimensions, part, task) => {
      const matrix = new Matrix(kernel.makeKernel, dimensions);
      matrix.append(rows, true);
      const {
        k,
        rows: neighbourRows,
        scores,
      } = await computeNeighboursPart(matrix, part, createSlices(task));
      return { k, rows: neighbourRows, scores };
    },

    computeSweepShare: async (rows, sizes, queryRows, part, task) => {
      const matrix = new Matrix(kernel.makeKernel, sizes.at(-1) ?? 1);
      matrix.append(rows, true);
      const lists = await computePrefixLists(matrix, sizes, queryRows, part, createSlices(task));
      return lists.map(({ k, rows: neighbourRows, scores }) => ({ k, rows: neighbourRows, scores }));
    },

    onLost: () => undefined,
    close: () => sets.clear(),
  };
}

interface KernelChoice {
  makeKernel: MakeKernel;
  info: EngineInfo;
}

/** Compiles WebAssembly once, or falls back to JavaScript if it is not allowed. */
function chooseKernel(): KernelChoice {
  try {
    return { makeKernel: compileWasmKernel(), info: { kernel: 'webassembly' } };
  } catch (error) {
    const reason = `This browser blocked WebAssembly (${formatError(error)}). Results can differ in the last digits and take up to 17 times longer.`;
    return { makeKernel: createPlainKernel, info: { kernel: 'javascript', reason } };
  }
}

/** Returns a copy with the first k entries of each list. */
function truncateNeighbours(neighbours: Neighbours, count: number, k: number): Neighbours {
  if (k === neighbours.k) return { k, rows: neighbours.rows.slice(), scores: neighbours.scores.slice() };
  const rows = new Int32Array(count * k);
  const scores = new Float32Array(count * k);
  for (let row = 0; row < count; row++) {
    const start = row * neighbours.k;
    rows.set(neighbours.rows.subarray(start, start + k), row * k);
    scores.set(neighbours.scores.subarray(start, start + k), row * k);
  }
  return { k, rows, scores };
}
