/**
 * What only a page can give, as one object. `app/browser-page.ts` takes it from the browser; tests make pages of
 * their own, several of them on one store (`testing/browser.ts`).
 */
import type { OpenSocket } from '../gateway/channel/channel-client.ts';
import type { WhenIdle } from '../lib/steps.ts';
import type { ScoreWorker } from './trials/scoring/scorer.ts';

export interface Page {
  fetch: typeof globalThis.fetch;
  /** A WebSocket to this server; without it each request has a connection of its own. */
  openSocket?: OpenSocket | undefined;
  /** False where the browser knows that it has no network. */
  isOnline: () => boolean;
  /** Epoch milliseconds. */
  now: () => number;
  /** Monotonic milliseconds. */
  clock: () => number;
  newId: () => string;
  address: PageAddress;
  /** What is kept for the next visit. Both may throw, as localStorage does where it is full or forbidden. */
  storage: {
    getItem: (key: string) => string | null;
    setItem: (key: string, value: string) => void;
    /** Told when another tab changed something. */
    onChange?: (listener: () => void) => void;
  };
  /** Locks that all tabs share; undefined on insecure origins. */
  locks: LockManager | undefined;
  /** A channel of this name to all other tabs; undefined where the browser has none. */
  openChannel: (name: string) => PageChannel | undefined;
  /** Runs once, in the next frame that is drawn or a moment later where none is. */
  runInNextFrame: (run: () => void) => void;
  /** Runs when nothing more pressing waits, and soon in any case, with the milliseconds that may be taken then. */
  whenIdle: WhenIdle;
  /** The page is being left; it may come back. */
  onHide: (listener: () => void) => void;
  onShow: (listener: () => void) => void;
  /** A worker for large files of sessions (import-worker.ts), where the page can start one. */
  startImportWorker?: () => Promise<Worker>;
  /** A worker for scores (trials/score-worker.ts), where the page can start one. */
  startScoreWorker?: () => Promise<ScoreWorker>;
  /** What the browser lets this site keep, as it estimates it. */
  getQuotaBytes?: () => Promise<number | undefined>;
}

/** The address bar and its history. */
export interface PageAddress {
  origin: string;
  read: () => { path: string; hash: string };
  /** A step that Back leads away from. */
  push: (path: string) => void;
  replace: (path: string) => void;
  /** Told when the person goes back, forward, or to another hash. */
  onChange: (listener: () => void) => void;
}

/** The part of BroadcastChannel that is used: to all other tabs, never to this one. */
export interface PageChannel {
  post: (message: unknown) => void;
  onMessage: (listener: (message: unknown) => void) => void;
  close: () => void;
}
