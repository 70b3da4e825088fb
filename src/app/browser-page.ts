import type { OpenSocket } from '../gateway/channel/channel-client.ts';
import { createRandomId } from '../lib/ids.ts';
import type { Page, PageChannel } from '../state/page.ts';
import type { ScoreJob, ScoreWorker } from '../state/trials/results/trial-scores.ts';
import type { Score } from '../trials/trial.ts';
import { createScriptUrl } from '../ui/app-script-url.ts';
import type { WorkerHost } from './foreign-worker.ts';

/** Returns the page interface that the playground needs. The only module that touches history and localStorage. */
export function createBrowserPage(): Page {
  const now = () => Date.now();
  return {
    fetch: (input, init) => globalThis.fetch(input, init),
    openSocket: 'WebSocket' in globalThis ? openSocket : undefined,
    isOnline: () => navigator.onLine,
    now,
    clock: () => performance.now(),
    newId: () => createRandomId(now()),
    address: {
      origin: location.origin,
      read: () => ({ path: location.pathname, hash: location.hash }),
      push: (path) => history.pushState(null, '', path),
      replace: (path) => history.replaceState(null, '', path),
      // Also fires when a link with another hash is opened in this tab.
      onChange: (listener) => window.addEventListener('popstate', listener),
    },
    storage: {
      getItem: (key) => localStorage.getItem(key),
      setItem: (key, value) => localStorage.setItem(key, value),
      onChange: (listener) => window.addEventListener('storage', listener),
    },
    locks: 'locks' in navigator ? navigator.locks : undefined,
    openChannel: 'BroadcastChannel' in globalThis ? openBroadcastChannel : () => undefined,
    runInNextFrame: runOnFrameOrTimer,
    whenIdle: requestIdle,
    onHide: (listener) => window.addEventListener('pagehide', listener),
    onShow: (listener) => window.addEventListener('pageshow', listener),
    startImportWorker,
    startScoreWorker,
    getQuotaBytes: readStorageQuota,
  };
}

const reloadFlagKey = 'bench-left-worker';

/** Returns the browser functions that removing service workers needs (foreign-worker.ts). */
export function createWorkerHost(): WorkerHost {
  return {
    workers: 'serviceWorker' in navigator ? navigator.serviceWorker : undefined,
    reload: () => location.reload(),
    setReloadFlag: () => {
      try {
        sessionStorage.setItem(reloadFlagKey, 'true');
        return true;
      } catch {
        return false;
      }
    },
    consumeReloadFlag: () => {
      try {
        const isFlagSet = sessionStorage.getItem(reloadFlagKey) !== null;
        sessionStorage.removeItem(reloadFlagKey);
        return isFlagSet;
      } catch {
        return false;
      }
    },
  };
}

const openSocket: OpenSocket = (path, protocol, { onOpen, onMessage, onClose }) => {
  const socket = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')), protocol);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', onOpen);
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data));
  socket.addEventListener('close', ({ code }) => onClose(code));
  return { send: (frame) => socket.send(frame), close: () => socket.close() };
};

function openBroadcastChannel(name: string): PageChannel {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    onMessage: (listener) =>
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data)),
    close: () => channel.close(),
  };
}

// Time in ms after a key press in which the next frame draws only the typed text. Received data is drawn in the frame
// after it.
const keyPriorityMs = 50;
let lastKeyPressMs: number | undefined;

function recordKeyPress(): void {
  lastKeyPressMs = performance.now();
}

/** Returns true once per key press; while a key is held, every other frame is left for received data. */
function consumeRecentKeyPress(): boolean {
  const isRecent = lastKeyPressMs !== undefined && performance.now() - lastKeyPressMs < keyPriorityMs;
  lastKeyPressMs = undefined;
  return isRecent;
}

/**
 * Runs the callback on the next frame that does not follow a key press. Hidden pages get no frames, so a timer runs it
 * there.
 */
function runOnFrameOrTimer(callback: () => void): void {
  let hasRun = false;
  const runOnce = () => {
    if (hasRun) return;
    hasRun = true;
    callback();
  };
  const onFrame = () => {
    if (consumeRecentKeyPress()) requestAnimationFrame(runOnce);
    else runOnce();
  };
  // The same function every time, so it is registered only once.
  addEventListener('keydown', recordKeyPress, { capture: true, passive: true });
  if (document.visibilityState === 'visible') requestAnimationFrame(onFrame);
  setTimeout(runOnce, 250);
}

/** Background work runs at least this often and this long, in ms, whatever else the page does. */
const maxIdleDelayMs = 50;
const minIdleMs = 4;
/** A hidden page draws no frames, and its timers fire rarely, so each slice may be long. */
const hiddenSliceMs = 100;

function requestIdle(callback: (ms: number) => void): void {
  if (document.visibilityState === 'hidden') setTimeout(callback, 0, hiddenSliceMs);
  else if ('requestIdleCallback' in window)
    // Runs until the next frame is due, and never long enough for a key press to lag.
    requestIdleCallback((deadline) => callback(Math.max(minIdleMs, deadline.timeRemaining())), {
      timeout: maxIdleDelayMs,
    });
  else setTimeout(callback, minIdleMs, minIdleMs);
}

/** Returns the storage quota of this site in bytes; `undefined` if the browser does not report one. */
async function readStorageQuota(): Promise<number | undefined> {
  try {
    return (await navigator.storage.estimate()).quota;
  } catch {
    // Insecure origins have no storage manager.
    return undefined;
  }
}

/** Starts the worker that scores trial answers. Its code loads on first use. */
async function startScoreWorker(): Promise<ScoreWorker> {
  const { default: workerUrl } = await import('../state/trials/results/score-worker.ts?worker&url');
  const worker = new Worker(createScriptUrl(workerUrl), { type: 'module' });
  return {
    postMessage: (jobs: readonly ScoreJob[]) => worker.postMessage(jobs, []),
    onScore: (listener) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Score>) => listener(data));
    },
    onError: (listener) => {
      worker.addEventListener('error', listener);
    },
    terminate: () => worker.terminate(),
  };
}

/** Starts the worker that reads large session files. Its code loads on first use. */
async function startImportWorker(): Promise<Worker> {
  const { default: workerUrl } = await import('../state/import-worker.ts?worker&url');
  return new Worker(createScriptUrl(workerUrl), { type: 'module' });
}
