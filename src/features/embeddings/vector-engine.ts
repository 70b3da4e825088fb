import { connectEngine } from '../../embedding/engine/engine-messages.ts';
import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { createScriptUrl } from '../../ui/app-script-url.ts';
import type { HelperMessage } from './vector-worker.ts';
import { default as workerAddress } from './vector-worker.ts?worker&url';

/** Maximum number of helper threads; more have little benefit, because they share one memory. */
const maxHelpers = 3;

/** Creates the vector engine; its worker starts with the first call. */
export function createVectorEngine(): VectorEngine {
  return connectEngine(async (onLost) => {
    const startWorker = () => new Worker(createScriptUrl(workerAddress), { type: 'module' });
    const worker = startWorker();
    const helpers = Array.from(
      { length: Math.min(maxHelpers, Math.max(0, navigator.hardwareConcurrency - 1)) },
      startWorker,
    );
    for (const helper of helpers) {
      const { port1, port2 } = new MessageChannel();
      helper.postMessage({ role: 'is-helper', port: port1 } satisfies HelperMessage, [port1]);
      worker.postMessage({ role: 'has-helper', port: port2 } satisfies HelperMessage, [port2]);
    }
    const stop = () => [worker, ...helpers].forEach((thread) => thread.terminate());
    for (const thread of [worker, ...helpers]) {
      thread.addEventListener('error', () => {
        stop();
        onLost(
          'The vector engine has stopped. Your texts and vectors are kept. Embed again to load them. Stored vectors are not requested again.',
        );
      });
    }
    return { port: worker, stop };
  });
}
