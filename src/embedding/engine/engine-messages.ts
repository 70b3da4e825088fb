import { formatError } from '../../lib/format-error.ts';
import {
  EngineError,
  type EngineHelper,
  type UmapFrame,
  type UmapTask,
  type VectorEngine,
} from './engine.ts';

/** What can be asked over a wire: everything but closing it. */
type EngineMethod = Exclude<keyof VectorEngine, 'close'>;

/** From the page to the worker. A task's functions stay behind; its signal becomes `abort`. */
type EngineCall = { id: number; method: EngineMethod; args: unknown[] } | { id: number; abort: true };

/** From the worker to the page. */
type EngineReply =
  | { id: number; done: number }
  | { id: number; frame: UmapFrame }
  | { id: number; result: unknown }
  | { id: number; error: string };

/** The same as it is heard: a result has the type that the call with this id asked for. */
type HeardReply = Exclude<EngineReply, { result: unknown }> | { id: number; result: never };

/** The end of a worker, or of a MessageChannel. */
interface EnginePort<Sent, Heard> {
  postMessage(message: Sent, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { data: Heard }) => void): void;
}

/** Buffers of a result, which its maker needs no more: itself, or what its fields hold. */
function buffersOf(value: unknown): Transferable[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = ArrayBuffer.isView(value) ? [value] : Object.values(value);
  return parts.flatMap((part) =>
    ArrayBuffer.isView(part) && part.buffer instanceof ArrayBuffer ? [part.buffer] : [],
  );
}

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

interface Pending {
  /** Takes what its method answers. */
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
  task: UmapTask | undefined;
}

/** Starts the worker; `onLost` is to be called when it cannot run, with a sentence for people. */
type StartWorker = (
  onLost: (words: string) => void,
) => Promise<{ port: EnginePort<EngineCall, HeardReply>; stop: () => void }>;

interface EngineCalls {
  /** Calls a method at the other end; what `transfer` names is moved there. */
  ask: <Method extends EngineMethod>(
    method: Method,
    args: unknown[],
    task?: UmapTask,
    transfer?: Transferable[],
  ) => Promise<Awaited<ReturnType<VectorEngine[Method]>>>;
  /** Told when the worker is lost, and with it all that it held. The next call starts another, empty one. */
  onLost: (listen: (words: string) => void) => void;
  close: () => void;
}

/** Calls over a wire to a worker, which starts with the first one. */
function connectCalls(start: StartWorker): EngineCalls {
  const pending = new Map<number, Pending>();
  let started: ReturnType<StartWorker> | undefined;
  let lastId = 0;

  const listeners: ((words: string) => void)[] = [];

  const loseAll = (words: string) => {
    void started?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
    started = undefined;
    for (const { reject } of pending.values()) reject(new EngineError(words));
    pending.clear();
  };
  const connected = () => {
    if (started) return started;
    const starting: ReturnType<StartWorker> = start((words) => {
      // One that was given up before says no more of the one that is there now.
      if (started === starting) lose(words);
    }).then((worker) => {
      worker.port.addEventListener('message', ({ data }) => hear(data));
      return worker;
    });
    started = starting;
    return starting;
  };
  const lose = (words: string) => {
    loseAll(words);
    for (const listen of listeners) listen(words);
  };

  const hear = (reply: HeardReply) => {
    const call = pending.get(reply.id);
    if (!call) return;
    if ('done' in reply) return call.task?.onProgress?.(reply.done);
    if ('frame' in reply) return call.task?.onFrame?.(reply.frame);
    pending.delete(reply.id);
    if ('error' in reply) call.reject(new EngineError(reply.error));
    else call.resolve(reply.result);
  };

  const ask = async <Method extends EngineMethod>(
    method: Method,
    args: unknown[],
    task?: UmapTask,
    transfer: Transferable[] = [],
  ): Promise<Awaited<ReturnType<VectorEngine[Method]>>> => {
    const id = ++lastId;
    task?.signal?.throwIfAborted();
    const answered = new Promise<Awaited<ReturnType<VectorEngine[Method]>>>((resolve, reject) =>
      pending.set(id, { resolve, reject, task }),
    );
    const post = (call: EngineCall, moved: Transferable[]) =>
      connected().then(
        ({ port }) => port.postMessage(call, moved),
        () => lose('The vector engine could not be loaded. Check the connection, then embed again.'),
      );
    const abort = () => {
      pending.get(id)?.reject(task?.signal?.reason);
      if (pending.delete(id)) void post({ id, abort: true }, []);
    };
    task?.signal?.addEventListener('abort', abort, { once: true });
    try {
      await post({ id, method, args }, transfer);
      return await answered;
    } finally {
      task?.signal?.removeEventListener('abort', abort);
    }
  };

  return {
    ask,
    onLost: (listen) => void listeners.push(listen),
    close: () => loseAll('The vector engine was closed.'),
  };
}

/** Answers the calls that come over the port with the engine. */
export function serveEngine(port: EnginePort<EngineReply, EngineCall>, engine: VectorEngine): void {
  const running = new Map<number, AbortController>();
  const reply = (message: EngineReply, transfer: Transferable[] = []) => port.postMessage(message, transfer);

  const answer = async (call: Extract<EngineCall, { method: unknown }>) => {
    const { id, method, args } = call;
    const controller = new AbortController();
    running.set(id, controller);
    const task: UmapTask = {
      signal: controller.signal,
      onProgress: (done) => reply({ id, done }),
      onFrame: (frame) => reply({ id, frame }, buffersOf(frame)),
    };
    try {
      // The other end is connectEngine, which sends the arguments of the method and leaves out the task.
      const result: unknown = await Reflect.apply(engine[method], engine, [...args, task]);
      if (!controller.signal.aborted) reply({ id, result }, buffersOf(result));
    } catch (error) {
      if (!controller.signal.aborted) {
        reply({ id, error: formatError(error) });
      }
    } finally {
      running.delete(id);
    }
  };

  port.addEventListener('message', ({ data: call }) => {
    if ('abort' in call) running.get(call.id)?.abort();
    // A worker also hears who its helpers are.
    else if ('method' in call) void answer(call);
  });
}
