import { formatError } from '../../lib/format-error.ts';
import { createSharedTask } from '../../lib/shared-task.ts';
import type { MakeKernel } from '../kernel/kernel.ts';
import { createPlainKernel } from '../kernel/plain-kernel.ts';
import { compileWasmKernel } from '../kernel/wasm-kernel.ts';
import { clustersOf, type GroupedRows } from '../maps/clusters.ts';
import { pcaOf, projectOn, type Pca } from '../maps/pca.ts';
import { trustOf } from '../maps/trust.ts';
import { umapOf } from '../maps/umap.ts';
import { comparisonOf } from '../search/compare-models.ts';
import { orderByAxis, orderByGroup, orderByLabel, overviewOf, tileOf } from '../search/matrix-picture.ts';
import { Matrix } from '../search/matrix.ts';
import { neighboursOf, neighboursPartOf } from '../search/nearest-neighbours.ts';
import { allScores, pairScores, rowIn, searchRows } from '../search/row-search.ts';
import { prefixLists, sweepOf } from '../search/sweep.ts';
import {
  EngineError,
  largestSetBytes,
  type EngineFacts,
  type EngineHelper,
  type Neighbours,
  type SetView,
  type Task,
  type VectorEngine,
} from './engine.ts';
import { partOf, turnsOf, type TurnOptions, type Turns } from './time-slices.ts';

/** A set at one length of its vectors, with what was found out about them. */
interface Viewed {
  matrix: Matrix;
  neighbours?: Neighbours;
  pca?: Pca;
  /** By how many and from which seed. */
  groups: Map<string, (signal?: AbortSignal) => Promise<GroupedRows>>;
}

interface HeldSet {
  full: Viewed;
  /** Shorter forms by dimensions, the last used last. */
  shorter: Map<number, Viewed>;
}

/** Shorter forms that are kept beside a set: moving to and fro between two sizes costs nothing. */
const keptForms = 2;
/** Pictures go before what is said about them: these have so many turns for each of its own. */
const turnsOfPictures = 8;

export interface LocalEngineOptions extends TurnOptions {
  /** Engines on other threads, which take a share of the largest work; may grow. */
  helpers?: readonly EngineHelper[];
}

const newView = (matrix: Matrix): Viewed => ({ matrix, groups: new Map() });

/** The engine on this thread: what the worker runs, and what tests ask directly. */
export function createLocalEngine(options: LocalEngineOptions): VectorEngine {
  const kernel = chooseKernel();
  const sets = new Map<string, HeldSet>();

  const setOf = (name: string): HeldSet => {
    const held = sets.get(name);
    if (!held) throw new EngineError('These texts are not loaded. Embed them first.');
    return held;
  };
  const viewed = ({ set, dimensions }: SetView): Viewed => {
    const held = setOf(set);
    const own = held.full.matrix.dimensions;
    if (dimensions === undefined || dimensions === own) return held.full;
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > own) {
      throw new EngineError(`These vectors have ${own} dimensions and cannot be cut to ${dimensions}.`);
    }
    const kept = held.shorter.get(dimensions) ?? newView(held.full.matrix.truncated(dimensions));
    held.shorter.delete(dimensions);
    held.shorter.set(dimensions, kept);
    for (const oldest of [...held.shorter.keys()].slice(0, -keptForms)) held.shorter.delete(oldest);
    return kept;
  };
  const turns = (task?: Task): Turns => turnsOf(options, task);

  const neighbours = async (
    view: Pick<Viewed, 'matrix' | 'neighbours'>,
    k: number,
    own: Turns,
    signal?: AbortSignal,
  ): Promise<Neighbours> => {
    const wanted = Math.max(0, Math.min(k, view.matrix.count - 1));
    if (!view.neighbours || view.neighbours.k < wanted) {
      view.neighbours = await neighboursOf(view.matrix, wanted, own, { helpers: options.helpers, signal });
    }
    return firstOf(view.neighbours, view.matrix.count, wanted);
  };
  /** The map, the matrix and its bands ask for the same groups at the same time. */
  const grouped = (view: Viewed, count: number, seed: number, signal?: AbortSignal): Promise<GroupedRows> => {
    const name = `${count} ${seed}`;
    const ask =
      view.groups.get(name) ??
      createSharedTask((own) => clustersOf(view.matrix, count, seed, turns({ signal: own })));
    view.groups.set(name, ask);
    return ask(signal);
  };
  const pca = async (view: Viewed, own: Turns): Promise<Pca> => (view.pca ??= await pcaOf(view.matrix, own));

  return {
    facts: async () => kernel.facts,

    create: async (set, dimensions) => {
      if (!Number.isInteger(dimensions) || dimensions < 1) {
        throw new EngineError(`A vector cannot have ${dimensions} dimensions.`);
      }
      sets.set(set, { full: newView(new Matrix(kernel.makeKernel, dimensions)), shorter: new Map() });
    },
    append: async (set, vectors) => {
      const held = setOf(set);
      const { matrix } = held.full;
      const bytes = (matrix.count * matrix.dimensions + vectors.length) * 4;
      if (bytes > largestSetBytes) {
        const most = Math.floor(largestSetBytes / 4 / matrix.dimensions).toLocaleString('en');
        throw new EngineError(
          `At most ${most} texts fit at ${matrix.dimensions} dimensions. Use fewer texts or fewer dimensions.`,
        );
      }
      const norms = matrix.append(vectors);
      // What was known is about fewer rows.
      sets.set(set, { full: newView(matrix), shorter: new Map() });
      return { rows: matrix.count, dimensions: matrix.dimensions, norms };
    },
    drop: async (set) => {
      sets.delete(set);
    },

    search: async (view, query, k) => searchRows(viewed(view).matrix, query, k),
    scores: async (view, query) => allScores(viewed(view).matrix, query),
    pair: async (view, row, other) => {
      const { matrix } = viewed(view);
      return matrix.dot(rowIn(matrix, row), rowIn(matrix, other));
    },
    distribution: async (view) => pairScores(viewed(view).matrix),
    neighbours: async (view, k, task) => neighbours(viewed(view), k, turns(task), task?.signal),

    overview: async (view, order, blocks) => overviewOf(viewed(view).matrix, order, blocks),
    tile: async (view, order, region) => tileOf(viewed(view).matrix, order, region),
    order: async (view, by, task) => {
      const own = viewed(view);
      const { matrix } = own;
      if (by.by === 'input') return Int32Array.from({ length: matrix.count }, (_, row) => row);
      if (by.by === 'label') return orderByLabel(by.labels, matrix.count);
      const all = turns(task);
      if (by.by === 'pc1') return orderByAxis((await pca(own, all)).map.points);
      const groups = await grouped(own, by.count, by.seed, task?.signal);
      return orderByGroup(matrix, groups, (await pca(own, all)).map.points);
    },

    pca: async (view, task) => {
      const { map } = await pca(viewed(view), turns(task));
      return { ...map, points: map.points.slice() };
    },
    project: async (view, vector) => projectOn(await pca(viewed(view), turns()), vector),
    umap: async (view, settings, task) => {
      const own = viewed(view);
      const all = turns(task);
      const near = await neighbours(own, settings.neighbours, partOf(all, 0, 0.4), task?.signal);
      const start = await pca(own, partOf(all, 0.4, 0.5));
      return umapOf(near, start.map.points, settings, partOf(all, 0.5, 1), task?.onFrame);
    },
    trust: async (view, points, k, task) => {
      const { matrix } = viewed(view);
      if (points.length !== 2 * matrix.count) throw new EngineError('The map is not of these texts.');
      return trustOf(matrix, points, k, turnsOf(options, task, turnsOfPictures));
    },
    clusters: async (view, count, seed, task) => {
      const { labels, sizes } = await grouped(viewed(view), count, seed, task?.signal);
      return { labels: labels.slice(), sizes: [...sizes] };
    },
    sweep: async (set, settings, task) => {
      const { matrix } = setOf(set).full;
      return sweepOf(
        matrix,
        settings,
        turnsOf(options, task, turnsOfPictures),
        options.helpers,
        task?.signal,
      );
    },
    compare: async (a, b, settings, task) =>
      comparisonOf(viewed(a), viewed(b), settings, turns(task), (side, own) =>
        neighbours(side, settings.k, own, task?.signal),
      ),

    share: async (rows, dimensions, part, task) => {
      const matrix = new Matrix(kernel.makeKernel, dimensions);
      matrix.append(rows, true);
      const { k, rows: named, scores } = await neighboursPartOf(matrix, part, turns(task));
      return { k, rows: named, scores };
    },

    shareSweep: async (rows, sizes, asked, part, task) => {
      const matrix = new Matrix(kernel.makeKernel, sizes.at(-1) ?? 1);
      matrix.append(rows, true);
      const lists = await prefixLists(matrix, sizes, asked, part, turns(task));
      return lists.map(({ k, rows: named, scores }) => ({ k, rows: named, scores }));
    },

    onLost: () => undefined,
    close: () => sets.clear(),
  };
}

interface ChosenKernel {
  makeKernel: MakeKernel;
  facts: EngineFacts;
}

/** WebAssembly is compiled once; where it is refused, JavaScript stands in for it. */
function chooseKernel(): ChosenKernel {
  try {
    return { makeKernel: compileWasmKernel(), facts: { kernel: 'webassembly' } };
  } catch (error) {
    const reason = `This browser refused WebAssembly (${formatError(error)}). Results can differ in the last digits and take up to 17 times as long.`;
    return { makeKernel: createPlainKernel, facts: { kernel: 'javascript', reason } };
  }
}

/** A copy with the first k of each list. */
function firstOf(neighbours: Neighbours, count: number, k: number): Neighbours {
  if (k === neighbours.k) return { k, rows: neighbours.rows.slice(), scores: neighbours.scores.slice() };
  const rows = new Int32Array(count * k);
  const scores = new Float32Array(count * k);
  for (let row = 0; row < count; row++) {
    const from = row * neighbours.k;
    rows.set(neighbours.rows.subarray(from, from + k), row * k);
    scores.set(neighbours.scores.subarray(from, from + k), row * k);
  }
  return { k, rows, scores };
}
