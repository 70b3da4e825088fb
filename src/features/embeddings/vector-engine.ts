import { connectEngine } from '../../embedding/connect-engine.ts';
import type { VectorEngine } from '../../embedding/engine.ts';
import { appScriptUrl } from '../../markdown/app-script-url.ts';

/** What computes with vectors, in its worker. One for the whole screen; the worker starts with the first call. */
export const vectorEngine: VectorEngine = connectEngine(async (onLost) => {
  const { default: address } = await import('./vector-worker.ts?worker&url');
  const worker = new Worker(appScriptUrl(address), { type: 'module' });
  worker.addEventListener('error', () => {
    worker.terminate();
    onLost('What computes with vectors has stopped. Your texts and vectors are kept. Reload the page.');
  });
  return { port: worker, stop: () => worker.terminate() };
});
