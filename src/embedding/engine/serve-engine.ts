import { wordsOf } from '../../lib/error-words.ts';
import { buffersOf, type EngineCall, type EnginePort, type EngineReply } from './engine-wire.ts';
import type { UmapTask, VectorEngine } from './engine.ts';

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
        reply({ id, error: wordsOf(error) });
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
