/** A page without a browser, for trials that run by command. */
import { Worker } from 'node:worker_threads';

import { createRandomId } from '../../lib/ids.ts';
import type { Page } from '../../state/page.ts';
import type { ScoreWorker } from '../../state/trials/results/trial-scores.ts';
import type { Score } from '../../trials/trial.ts';

/** Requests never leave the process under this origin; the handler of the server answers them. */
const origin = 'http://127.0.0.1';
/** The same number as over the channel of a page. */
const maxRequestsInFlight = 24;
/** Time in ms that background work may take between two events. */
const idleMs = 20;

/** Creates a page whose requests are answered by `handle`. `scoreThread` is the module that scores answers. */
export function createNodePage(
  handle: (request: Request) => Promise<Response | undefined>,
  scoreThread: URL | undefined,
): Page {
  return {
    fetch: async (input, init) => {
      const request = new Request(typeof input === 'string' ? new URL(input, origin) : input, init);
      return (await handle(request)) ?? new Response(null, { status: 404 });
    },
    isOnline: () => true,
    now: () => Date.now(),
    clock: () => performance.now(),
    newId: () => createRandomId(Date.now()),
    address: {
      origin,
      read: () => ({ path: '/', hash: '' }),
      push: () => undefined,
      replace: () => undefined,
      onChange: () => undefined,
    },
    storage: { getItem: () => null, setItem: () => undefined },
    locks: undefined,
    openChannel: () => undefined,
    runInNextFrame: (run) => void setImmediate(run),
    whenIdle: (run) => void setImmediate(run, idleMs),
    onHide: () => undefined,
    onShow: () => undefined,
    maxDirectRequests: maxRequestsInFlight + 1,
    ...(scoreThread ? { startScoreWorker: async () => startScoreThread(scoreThread) } : {}),
  };
}

function startScoreThread(module: URL): ScoreWorker {
  const worker = new Worker(module);
  worker.unref();
  let onScore: (score: Score) => void = () => undefined;
  worker.on('message', (score: Score) => onScore(score));
  return {
    postMessage: (jobs) => worker.postMessage(jobs),
    onScore: (listener) => (onScore = listener),
    onError: (listener) => worker.on('error', listener),
    terminate: () => void worker.terminate(),
  };
}
