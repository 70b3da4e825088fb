import { formatError } from '../../lib/format-error.ts';
import {
  EngineError,
  type EngineHelper,
  type UmapFrame,
  type UmapTask,
  type VectorEngine,
} from './engine.ts';

/** Methods that can be called remotely: all except closing. */
type EngineMethod = Exclude<keyof VectorEngine, 'close'>;

/** Messages from the page to the worker. A task's functions are not sent; its signal becomes an `abort` message. */
type EngineCall = { id: number; method: EngineMethod; args: unknown[] } | { id: number; abort: true };

/** Messages from the worker to the page. */
type EngineReply =
  | { id: number; done: number }
  | { id: number; frame: UmapFrame }
  | { id: number; result: unknown }
  | { id: number; error: string };

/** The same reply as received: a result has the type of the call with this ID. */
type ReceivedReply = Exclude<EngineReply, { result: unknown }> | { id: number; result: never };

/** One end of a worker or MessageChannel. */
interface EnginePort<Sent, Received> {
  postMessage(message: Sent, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { data: Received }) => void): void;
}

/** Returns the buffers of a result that its creator no longer needs: the result itself or its fields. */
function listBuffers(value: unknown): Transferable[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = ArrayBuffer.isView(value) ? [value] : Object.values(value);
  return parts.flatMap((part) =>
    ArrayBuffer.isView(part) && part.buffer instanceof ArrayBuffer ? [part.buffer] : [],
  );
}

/** Connects to an engine in a worker that starts with the first call. */
export function connectEngine(start: StartWorker): VectorEngine {
  const calls = connectCalls(start);
  const { call, onLost, close } = calls;
  return {
    getInfo: () => call('getInfo', []),
    create: (set, dimensions) => call('create', [set, dimensions]),
    append: (set, vectors) => call('append', [set, vectors], undefined, listBuffers(vectors)),
    drop: (set) => call('drop', [set]),
    search: (view, query, k) => call('search', [view, query, k]),
    computeScores: (view, query) => call('computeScores', [view, query]),
    computePairScore: (view, row, other) => call('computePairScore', [view, row, other]),
    samplePairScores: (view) => call('samplePairScores', [view]),
    findNeighbours: (view, k, task) => call('findNeighbours', [view, k], task),
    computeOverview: (view, order, blocks) => call('computeOverview', [view, order, blocks]),
    computeTile: (view, order, region) => call('computeTile', [view, order, region]),
    orderRows: (view, by, task) => call('orderRows', [view, by], task),
    computePca: (view, task) => call('computePca', [view], task),
    project: (view, vector) => call('project', [view, vector]),
    computeUmap: (view, settings, task) => call('computeUmap', [view, settings], task),
    computeTrust: (view, points, k, task) => call('computeTrust', [view, points, k], task),
    computeClusters: (view, count, seed, task) => call('computeClusters', [view, count, seed], task),
    sweep: (set, settings, task) => call('sweep', [set, settings], task),
    compare: (a, b, settings, task) => call('compare', [a, b, settings], task),
    ...createHelper(calls),
    onLost,
    close,
  };
}

/** Connects to the engine at the other end of a port, which takes over part of another engine's work. */
export function connectHelper(port: MessagePort): EngineHelper {
  return createHelper(connectCalls(async () => ({ port, stop: () => port.close() })));
}

/** Creates the interface of a helper; the rows sent to it are moved. */
function createHelper({ call }: EngineCalls): EngineHelper {
  return {
    computeNeighboursShare: (rows, dimensions, part, task) =>
      call('computeNeighboursShare', [rows, dimensions, part], task, listBuffers(rows)),
    computeSweepShare: (rows, sizes, queryRows, part, task) =>
      call('computeSweepShare', [rows, sizes, queryRows, part], task, listBuffers(rows)),
  };
}

interface PendingCall {
  /** Called with the result of the method. */
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
  task: UmapTask | undefined;
}

/** Starts the worker; `onLost` must be called with a sentence for users if it cannot run. */
type StartWorker = (
  onLost: (message: string) => void,
) => Promise<{ port: EnginePort<EngineCall, ReceivedReply>; stop: () => void }>;

interface EngineCalls {
  /** Calls a method at the other end; buffers in `transfer` are moved. */
  call: <Method extends EngineMethod>(
    method: Method,
    args: unknown[],
    task?: UmapTask,
    transfer?: Transferable[],
  ) => Promise<Awaited<ReturnType<VectorEngine[Method]>>>;
  /** Registers a listener for the loss of the worker and all its data. The next call starts an empty worker. */
  onLost: (listener: (message: string) => void) => void;
  close: () => void;
}

/** Sends calls to a worker that starts with the first call. */
function connectCalls(start: StartWorker): EngineCalls {
  const pending = new Map<number, PendingCall>();
  let workerPromise: ReturnType<StartWorker> | undefined;
  let lastId = 0;

  const listeners: ((message: string) => void)[] = [];

  const discardWorker = (message: string) => {
    void workerPromise?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
    workerPromise = undefined;
    for (const { reject } of pending.values()) reject(new EngineError(message));
    pending.clear();
  };
  const getWorker = () => {
    if (workerPromise) return workerPromise;
    const newWorker: ReturnType<StartWorker> = start((message) => {
      // Ignores the loss of a worker that has already been replaced.
      if (workerPromise === newWorker) handleLoss(message);
    }).then((worker) => {
      worker.port.addEventListener('message', ({ data }) => handleReply(data));
      return worker;
    });
    workerPromise = newWorker;
    return newWorker;
  };
  const handleLoss = (message: string) => {
    discardWorker(message);
    for (const listener of listeners) listener(message);
  };

  const handleReply = (reply: ReceivedReply) => {
    const call = pending.get(reply.id);
    if (!call) return;
    if ('done' in reply) return call.task?.onProgress?.(reply.done);
    if ('frame' in reply) return call.task?.onFrame?.(reply.frame);
    pending.delete(reply.id);
    if ('error' in reply) call.reject(new EngineError(reply.error));
    else call.resolve(reply.result);
  };

  const callEngine = async <Method extends EngineMethod>(
    method: Method,
    args: unknown[],
    task?: UmapTask,
    transfer: Transferable[] = [],
  ): Promise<Awaited<ReturnType<VectorEngine[Method]>>> => {
    const id = ++lastId;
    task?.signal?.throwIfAborted();
    const response = new Promise<Awaited<ReturnType<VectorEngine[Method]>>>((resolve, reject) =>
      pending.set(id, { resolve, reject, task }),
    );
    const post = (call: EngineCall, buffers: Transferable[]) =>
      getWorker().then(
        ({ port }) => port.postMessage(call, buffers),
        () => handleLoss('Could not load the vector engine. Check your connection and embed again.'),
      );
    const abort = () => {
      pending.get(id)?.reject(task?.signal?.reason);
      if (pending.delete(id)) void post({ id, abort: true }, []);
    };
    task?.signal?.addEventListener('abort', abort, { once: true });
    try {
      await post({ id, method, args }, transfer);
      return await response;
    } finally {
      task?.signal?.removeEventListener('abort', abort);
    }
  };

  return {
    call: callEngine,
    onLost: (listener) => void listeners.push(listener),
    close: () => discardWorker('The vector engine was closed.'),
  };
}

/** Uses the engine to answer calls that arrive on the port. */
export function serveEngine(port: EnginePort<EngineReply, EngineCall>, engine: VectorEngine): void {
  const controllers = new Map<number, AbortController>();
  const sendReply = (message: EngineReply, transfer: Transferable[] = []) =>
    port.postMessage(message, transfer);

  const handleCall = async (call: Extract<EngineCall, { method: unknown }>) => {
    const { id, method, args } = call;
    const controller = new AbortController();
    controllers.set(id, controller);
    const task: UmapTask = {
      signal: controller.signal,
      onProgress: (done) => sendReply({ id, done }),
      onFrame: (frame) => sendReply({ id, frame }, listBuffers(frame)),
    };
    try {
      // The other end is connectEngine, which sends the method's arguments without the task.
      const result: unknown = await Reflect.apply(engine[method], engine, [...args, task]);
      if (!controller.signal.aborted) sendReply({ id, result }, listBuffers(result));
    } catch (error) {
      if (!controller.signal.aborted) {
        sendReply({ id, error: formatError(error) });
      }
    } finally {
      controllers.delete(id);
    }
  };

  port.addEventListener('message', ({ data: call }) => {
    if ('abort' in call) controllers.get(call.id)?.abort();
    // A worker also receives the ports of its helpers.
    else if ('method' in call) void handleCall(call);
  });
}
