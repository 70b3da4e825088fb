import { connectEngine } from '../../embedding/engine/engine-messages.ts';
import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { appScriptUrl } from '../../ui/app-script-url.ts';
import type { HelperMessage } from './vector-worker.ts';
import { default as workerAddress } from './vector-worker.ts?worker&url';

/** More threads than this gain little: they share one memory. */
const mostHelpers = 3;

/** What computes with vectors, in its worker; the worker starts with the first call. */
export function createVectorEngine(): VectorEngine {
  return connectEngine(async (onLost) => {
    const start = () => new Worker(appScriptUrl(workerAddress), { type: 'module' });
    const worker = start();
    const helpers = Array.from(
      { length: Math.min(mostHelpers, Math.max(0, navigator.hardwareConcurrency - 1)) },
      start,
    );
    for (const helper of helpers) {
      const { port1, port2 } = new MessageChannel();
      helper.postMessage({ role: 'is-helper', port: port1 } satisfies HelperMessage, [port1]);
      worker.postMessage({ role: 'has-helper', port: port2 } satisfies HelperMessage, [port2]);
    }
    const stop = () => [worker, ...helpers].forEach((one) => one.terminate());
    for (const one of [worker, ...helpers]) {
      one.addEventListener('error', () => {
        stop();
        onLost(
          'The vector engine has stopped. Your texts and vectors are kept. Embed again to load them; stored vectors are not requested again.',
        );
      });
    }
    return { port: worker, stop };
  });
}
