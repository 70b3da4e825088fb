import { connectCalls, type EngineCalls, type StartWorker } from './connect-calls.ts';
import { buffersOf } from './engine-wire.ts';
import type { EngineHelper, VectorEngine } from './engine.ts';

/** The engine in a worker, which starts with the first call. */
export function connectEngine(start: StartWorker): VectorEngine {
  const calls = connectCalls(start);
  const { ask, onLost, close } = calls;
  return {
    facts: () => ask('facts', []),
    create: (set, dimensions) => ask('create', [set, dimensions]),
    append: (set, vectors) => ask('append', [set, vectors], undefined, buffersOf(vectors)),
    drop: (set) => ask('drop', [set]),
    search: (view, query, k) => ask('search', [view, query, k]),
    scores: (view, query) => ask('scores', [view, query]),
    pair: (view, row, other) => ask('pair', [view, row, other]),
    distribution: (view) => ask('distribution', [view]),
    neighbours: (view, k, task) => ask('neighbours', [view, k], task),
    overview: (view, order, blocks) => ask('overview', [view, order, blocks]),
    tile: (view, order, region) => ask('tile', [view, order, region]),
    order: (view, by, task) => ask('order', [view, by], task),
    pca: (view, task) => ask('pca', [view], task),
    project: (view, vector) => ask('project', [view, vector]),
    umap: (view, settings, task) => ask('umap', [view, settings], task),
    trust: (view, points, k, task) => ask('trust', [view, points, k], task),
    clusters: (view, count, seed, task) => ask('clusters', [view, count, seed], task),
    sweep: (set, settings, task) => ask('sweep', [set, settings], task),
    compare: (a, b, settings, task) => ask('compare', [a, b, settings], task),
    ...helperOver(calls),
    onLost,
    close,
  };
}

/** The engine at the other end of a port, for another engine to share its work with. */
export function connectHelper(port: MessagePort): EngineHelper {
  return helperOver(connectCalls(async () => ({ port, stop: () => port.close() })));
}

/** What a helper is asked; the rows that are sent are moved. */
function helperOver({ ask }: EngineCalls): EngineHelper {
  return {
    share: (rows, dimensions, part, task) => ask('share', [rows, dimensions, part], task, buffersOf(rows)),
    shareSweep: (rows, sizes, asked, part, task) =>
      ask('shareSweep', [rows, sizes, asked, part], task, buffersOf(rows)),
  };
}
