/**
 * Browser features of a page as one object. `app/browser-page.ts` implements it; tests create several pages on one
 * store (`testing/browser.ts`).
 */
import type { OpenSocket } from '../gateway/channel/channel-client.ts';
import type { WhenIdle } from '../lib/steps.ts';
import type { ScoreWorker } from './trials/results/trial-scores.ts';

export interface Page {
  fetch: typeof globalThis.fetch;
  /** Opens a WebSocket to this server; without it, every request uses a separate connection. */
  openSocket?: OpenSocket | undefined;
  /** Returns false if the browser reports that it is offline. */
  isOnline: () => boolean;
  /** Epoch milliseconds. */
  now: () => number;
  /** Monotonic milliseconds. */
  clock: () => number;
  newId: () => string;
  address: PageAddress;
  /** Storage for the next visit. Both functions may throw, as localStorage does if it is full or blocked. */
  storage: {
    getItem: (key: string) => string | null;
    setItem: (key: string, value: string) => void;
    /** Registers a listener for changes by other tabs. */
    onChange?: (listener: () => void) => void;
  };
  /** Locks shared by all tabs; undefined on insecure origins. */
  locks: LockManager | undefined;
  /** Opens a channel with this name to all other tabs; undefined if the browser does not support channels. */
  openChannel: (name: string) => PageChannel | undefined;
  /** Runs once in the next frame, or shortly after if none is drawn. */
  runInNextFrame: (run: () => void) => void;
  /** Runs a callback when the page is idle or after a short timeout, and passes the available time in ms. */
  whenIdle: WhenIdle;
  /** Called when the page is hidden or left; the user may return to it. */
  onHide: (listener: () => void) => void;
  onShow: (listener: () => void) => void;
  /** Starts a worker for large session files (import-worker.ts), if supported. */
  startImportWorker?: () => Promise<Worker>;
  /** Starts a worker for scores (trials/score-worker.ts), if supported. */
  startScoreWorker?: () => Promise<ScoreWorker>;
  /** Number of requests that may be in flight without a channel; 4 if absent, since browsers allow few connections. */
  maxDirectRequests?: number;
  /** Returns the estimated storage quota of this site in bytes. */
  getQuotaBytes?: () => Promise<number | undefined>;
}

/** Address bar and history of the page. */
export interface PageAddress {
  origin: string;
  read: () => { path: string; hash: string };
  /** Adds a history entry. */
  push: (path: string) => void;
  replace: (path: string) => void;
  /** Called after Back, Forward or a change of the hash. */
  onChange: (listener: () => void) => void;
}

/** Subset of BroadcastChannel that Bench uses. Messages reach all other tabs, never this one. */
export interface PageChannel {
  post: (message: unknown) => void;
  onMessage: (listener: (message: unknown) => void) => void;
  close: () => void;
}
