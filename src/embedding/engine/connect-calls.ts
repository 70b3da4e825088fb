import type { EngineCall, EngineMethod, EnginePort, HeardReply } from './engine-wire.ts';
import { EngineError, type UmapTask, type VectorEngine } from './engine.ts';

interface Pending {
  /** Takes what its method answers. */
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
  task: UmapTask | undefined;
}

/** Starts the worker; `onLost` is to be called when it cannot run, with a sentence for people. */
export type StartWorker = (
  onLost: (words: string) => void,
) => Promise<{ port: EnginePort<EngineCall, HeardReply>; stop: () => void }>;

export interface EngineCalls {
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
export function connectCalls(start: StartWorker): EngineCalls {
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
