import { afterEach, describe, expect, it, vi } from 'vitest';

import { createGroupedVectors, testTimeSlices } from '../../testing/grouped-vectors.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { connectEngine, serveEngine } from './engine-messages.ts';
import { EngineError, type VectorEngine } from './engine.ts';
import { createLocalEngine } from './local-engine.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  cleanups.splice(0).forEach((cleanup) => cleanup());
});

/** Creates an engine behind a real MessageChannel, which copies and transfers data as a worker does. */
function createRemoteEngine(): VectorEngine {
  return connectEngine(async () => {
    const { port1, port2 } = new MessageChannel();
    const closePorts = () => [port1, port2].forEach((port) => port.close());
    cleanups.push(closePorts);
    serveEngine(port2, createLocalEngine(testTimeSlices));
    port1.start();
    port2.start();
    return { port: port1, stop: closePorts };
  });
}

async function loadEngine(engine: VectorEngine, rows = 130, dimensions = 32): Promise<VectorEngine> {
  await engine.create('a', dimensions);
  await engine.append('a', createGroupedVectors(rows, dimensions, 6, 1));
  return engine;
}

const longLayout = { neighbours: 10, minDistance: 0.1, seed: 1, epochs: 1_500 };

describe('lost worker', () => {
  /** Creates an engine whose workers can be lost, and records whether they were stopped. */
  function createLosableEngine() {
    const workers: { lose: (message: string) => void; isStopped: boolean }[] = [];
    const engine = connectEngine(async (onLost) => {
      const { port1, port2 } = new MessageChannel();
      const worker = { lose: onLost, isStopped: false };
      const stop = () => {
        worker.isStopped = true;
        for (const port of [port1, port2]) port.close();
      };
      cleanups.push(stop);
      serveEngine(port2, createLocalEngine(testTimeSlices));
      port1.start();
      port2.start();
      workers.push(worker);
      return { port: port1, stop };
    });
    const lostMessages: string[] = [];
    engine.onLost((message) => lostMessages.push(message));
    return { engine, workers, lostMessages };
  }

  it('stops a lost worker, reports it and rejects its pending calls with the message', async () => {
    const { engine, workers, lostMessages } = createLosableEngine();
    await loadEngine(engine);
    const layoutRequest = engine.computeUmap({ set: 'a' }, longLayout);
    const rejection = expect(layoutRequest).rejects.toThrow(new EngineError('It stopped.'));
    workers[0]?.lose('It stopped.');
    await rejection;
    await waitUntil(() => workers[0]?.isStopped === true);
    expect(lostMessages).toEqual(['It stopped.']);
  });

  it('replaces a lost worker on the next call and ignores its later messages', async () => {
    const { engine, workers, lostMessages } = createLosableEngine();
    await loadEngine(engine);
    workers[0]?.lose('It stopped.');
    await loadEngine(engine);
    workers[0]?.lose('It stopped again.');
    expect((await engine.search({ set: 'a' }, { row: 3 }, 2)).rows).toHaveLength(2);
    expect(workers.map(({ isStopped }) => isStopped)).toEqual([true, false]);
    expect(lostMessages).toEqual(['It stopped.']);
  });

  it('does not report a loss when the engine is closed', async () => {
    const { engine, workers, lostMessages } = createLosableEngine();
    await loadEngine(engine);
    engine.close();
    await waitUntil(() => workers[0]?.isStopped === true);
    expect(lostMessages).toEqual([]);
  });

  it('reports a worker that never started, with advice, and starts another on the next call', async () => {
    let tries = 0;
    const engine = connectEngine(async () => {
      tries += 1;
      throw new Error('Failed to fetch');
    });
    const lostMessages: string[] = [];
    engine.onLost((message) => lostMessages.push(message));
    await expect(engine.getInfo()).rejects.toThrow(/Could not load the vector engine/);
    await expect(engine.getInfo()).rejects.toThrow(/Check your connection and embed again/);
    expect([tries, lostMessages.length]).toEqual([2, 2]);
  });
});

it('computes in JavaScript and reports the reason if WebAssembly is not allowed', async () => {
  const expected = await (
    await loadEngine(createLocalEngine(testTimeSlices))
  ).findNeighbours({ set: 'a' }, 5);
  vi.stubGlobal('WebAssembly', {
    Module: function refuse() {
      throw new Error('refused by policy');
    },
  });
  const engine = await loadEngine(createLocalEngine(testTimeSlices));
  expect(await engine.getInfo()).toEqual({
    kernel: 'javascript',
    reason: expect.stringContaining('refused by policy'),
  });
  expect((await engine.findNeighbours({ set: 'a' }, 5)).rows).toEqual(expected.rows);
});

describe('engine in a worker', () => {
  it('returns the same results as the engine in the page', async () => {
    const [localEngine, remoteEngine] = await Promise.all([
      loadEngine(createLocalEngine(testTimeSlices)),
      loadEngine(createRemoteEngine()),
    ]);
    const requests: ((engine: VectorEngine) => Promise<unknown>)[] = [
      (engine) => engine.getInfo(),
      (engine) => engine.search({ set: 'a' }, { row: 3 }, 5),
      (engine) => engine.computePairScore({ set: 'a' }, 1, 2),
      (engine) => engine.samplePairScores({ set: 'a' }),
      (engine) => engine.findNeighbours({ set: 'a', dimensions: 16 }, 4),
      (engine) => engine.computeOverview({ set: 'a' }, undefined, 9),
      (engine) => engine.computeTile({ set: 'a' }, undefined, { top: 1, left: 2, height: 3, width: 4 }),
      (engine) => engine.orderRows({ set: 'a' }, { by: 'pc1' }),
      (engine) => engine.computePca({ set: 'a' }),
      (engine) => engine.project({ set: 'a' }, new Float32Array(32).fill(1)),
      (engine) => engine.computeUmap({ set: 'a' }, { ...longLayout, epochs: 30 }),
      (engine) => engine.computeTrust({ set: 'a' }, new Float32Array(260), 5),
      (engine) => engine.computeClusters({ set: 'a' }, 6, 1),
      (engine) => engine.sweep('a', { dimensions: [16, 32], k: 5, seed: 1 }),
      (engine) => engine.compare({ set: 'a' }, { set: 'a', dimensions: 8 }, { k: 5, seed: 1 }),
    ];
    for (const sendRequest of requests)
      expect(await sendRequest(remoteEngine)).toEqual(await sendRequest(localEngine));
  });

  it('transfers vectors instead of copying them', async () => {
    const engine = createRemoteEngine();
    await engine.create('a', 2);
    const vectors = Float32Array.of(3, 4, 0, 2);
    const { rowCount, norms } = await engine.append('a', vectors);
    expect([rowCount, [...norms], vectors.length]).toEqual([2, [5, 2], 0]);
  });

  it('answers a search during a layout and delivers intermediate frames', async () => {
    const engine = await loadEngine(createRemoteEngine());
    const [epochs, progress]: [number[], number[]] = [[], []];
    const finishOrder: string[] = [];
    let search: Promise<unknown> | undefined;
    await engine.computeUmap({ set: 'a' }, longLayout, {
      onFrame: ({ epoch, points }) => {
        epochs.push(points.every(Number.isFinite) ? epoch : -1);
        search ??= engine.search({ set: 'a' }, { row: 1 }, 3).then(() => finishOrder.push('search'));
      },
      onProgress: (done) => progress.push(done),
    });
    finishOrder.push('map');
    await search;
    expect(finishOrder).toEqual(['search', 'map']);
    expect(epochs).toEqual(Array.from({ length: longLayout.epochs }, (_, index) => index + 1));
    expect(progress.every((done) => done >= 0 && done <= 1)).toBe(true);
  });

  it('shares the pairs of many rows with helpers without affecting the result', async () => {
    const helpers = [createRemoteEngine(), createRemoteEngine()];
    const vectors = createGroupedVectors(3_010, 8, 9, 1);
    const [aloneEngine, helpedEngine] = [
      createLocalEngine(testTimeSlices),
      createLocalEngine({ ...testTimeSlices, helpers }),
    ];
    for (const engine of [aloneEngine, helpedEngine]) {
      await engine.create('a', 8);
      await engine.append('a', vectors.slice());
    }
    const result = await helpedEngine.findNeighbours({ set: 'a' }, 7);
    expect(result).toEqual(await aloneEngine.findNeighbours({ set: 'a' }, 7));
    for (const engine of [aloneEngine, helpedEngine]) {
      await engine.create('b', 1_024);
      await engine.append('b', createGroupedVectors(1_000, 1_024, 9, 1));
    }
    const sweepOptions = { dimensions: [64, 256], k: 5, seed: 1 };
    expect(await helpedEngine.sweep('b', sweepOptions)).toEqual(await aloneEngine.sweep('b', sweepOptions));
    helpers[1]?.close();
  });

  it('stops a call immediately when it is aborted and continues other calls', async () => {
    const engine = await loadEngine(createRemoteEngine());
    const controller = new AbortController();
    const layoutRequest = engine.computeUmap({ set: 'a' }, longLayout, {
      signal: controller.signal,
      onFrame: () => controller.abort(new Error('enough')),
    });
    await expect(layoutRequest).rejects.toThrow('enough');
    await expect(engine.computePca({ set: 'a' }, { signal: controller.signal })).rejects.toThrow('enough');
    expect(await engine.computePairScore({ set: 'a' }, 5, 5)).toBeCloseTo(1, 6);
  });

  it.each<[string, (engine: VectorEngine) => Promise<unknown>]>([
    ['not loaded', (engine) => engine.computePca({ set: 'b' })],
    ['no text 131', (engine) => engine.search({ set: 'a' }, { row: 130 }, 1)],
    ['the texts have 32', (engine) => engine.search({ set: 'a' }, { vector: new Float32Array(8) }, 1)],
    ['cannot be truncated to 64', (engine) => engine.computePca({ set: 'a', dimensions: 64 })],
    ['cannot be split into vectors', (engine) => engine.append('a', new Float32Array(33))],
    ['not a finite number', (engine) => engine.append('a', new Float32Array(32).fill(NaN))],
    ['belongs to other texts', (engine) => engine.computeTrust({ set: 'a' }, new Float32Array(4), 3)],
  ])('rejects an impossible call with the message "%s"', async (message, sendRequest) => {
    for (const engine of [
      await loadEngine(createRemoteEngine()),
      await loadEngine(createLocalEngine(testTimeSlices)),
    ]) {
      await expect(sendRequest(engine)).rejects.toThrow(message);
      await expect(sendRequest(engine)).rejects.toBeInstanceOf(EngineError);
      expect((await engine.search({ set: 'a' }, { row: 0 }, 1)).rows).toHaveLength(1);
    }
  });

  it('reports a failed start and tries again with the next call', async () => {
    let starts = 0;
    const engine = connectEngine(async () => {
      starts++;
      throw new Error('offline');
    });
    await expect(engine.getInfo()).rejects.toThrow('Could not load the vector engine');
    await expect(engine.getInfo()).rejects.toThrow('Could not load the vector engine');
    expect(starts).toBe(2);
  });

  it('rejects pending calls when the worker is lost or closed', async () => {
    let lose = (_message: string) => {};
    const silentEngine = connectEngine(async (onLost) => {
      lose = onLost;
      return { port: { postMessage: () => {}, addEventListener: () => {} }, stop: () => {} };
    });
    const firstCall = silentEngine.getInfo();
    await Promise.resolve();
    lose('It stopped.');
    await expect(firstCall).rejects.toThrow('It stopped.');
    const secondCall = silentEngine.getInfo();
    silentEngine.close();
    await expect(secondCall).rejects.toThrow('closed');
  });

  it('recomputes cached results after rows have been appended', async () => {
    const engine = await loadEngine(createRemoteEngine());
    const before = await engine.computePca({ set: 'a' });
    await engine.append('a', createGroupedVectors(10, 32, 2, 3));
    const after = await engine.computePca({ set: 'a' });
    expect([before.points.length, after.points.length]).toEqual([260, 280]);
    expect((await engine.findNeighbours({ set: 'a' }, 3)).rows).toHaveLength(420);
    await engine.create('a', 8);
    expect((await engine.append('a', new Float32Array(8))).rowCount).toBe(1);
  });
});
