/**
 * A browser in Node: everything its tabs share (database, storage, locks, channels), and the page interface of each
 * tab.
 */
import 'fake-indexeddb/auto';
import type { Page, PageChannel } from '../state/page.ts';
import { openRecordStore } from '../storage/db.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { ChannelSockets } from './channel-sockets.ts';

export interface TestBrowser {
  /** localStorage of the only origin. */
  storedItems: Map<string, string>;
  openTab: (options: TabOptions) => TestTab;
  databaseName: string;
  /** Opens a connection to the database that all tabs use. */
  openRecords: () => Promise<RecordStore>;
}

export interface TabOptions {
  /** Scheme, host and port of the server that served this tab. */
  origin: string;
  path?: string;
  now?: () => number;
  /** Clock for measurements, in ms. */
  clock?: () => number;
  newId?: () => string;
  /** WebSockets to the server; without them each request uses its own connection. */
  sockets?: ChannelSockets;
  /** Replaces the network of this machine. */
  fetch?: typeof globalThis.fetch;
}

export interface TestTab {
  page: Page;
  /** All paths of the tab since it was opened, the current one last. */
  visitedPaths: string[];
  /** Navigates as Back, Forward or a link with a hash would. */
  visit: (address: string) => void;
  setOnline: (isOnline: boolean) => void;
  hide: () => void;
  show: () => void;
  /**
   * Ends the tab abruptly: its requests break, its locks are released, and it neither receives messages nor writes any
   * more.
   */
  kill: () => void;
  isAlive: () => boolean;
}

let browserCount = 0;

/** `hasLocks` and `hasChannels` are false for browsers or origins without them. */
export function createTestBrowser({ hasLocks = true, hasChannels = true } = {}): TestBrowser {
  const databaseName = `bench-${(browserCount += 1)}`;
  const storedItems = new Map<string, string>();
  const locks = createLockTable();
  const channels = new Map<string, Set<(message: unknown) => void>>();
  const storageListeners: [tabId: number, notify: () => void][] = [];
  let tabCount = 0;

  function openTab({ origin, path = '/', ...options }: TabOptions): TestTab {
    const tabId = (tabCount += 1);
    const killController = new AbortController();
    const isAlive = () => !killController.signal.aborted;
    const cleanups: (() => void)[] = [];
    const visitedPaths = [path];
    const addressListeners: (() => void)[] = [];
    const hideListeners: (() => void)[] = [];
    const showListeners: (() => void)[] = [];
    let isOnline = true;
    let idCount = 0;

    function openChannel(name: string): PageChannel | undefined {
      if (!hasChannels) return undefined;
      const receivers = channels.get(name) ?? new Set();
      channels.set(name, receivers);
      const listeners: ((message: unknown) => void)[] = [];
      const receive = (message: unknown) => {
        for (const listener of listeners) listener(message);
      };
      receivers.add(receive);
      const close = () => void receivers.delete(receive);
      cleanups.push(close);
      return {
        post: (message) => {
          const copy: unknown = structuredClone(message);
          const otherReceivers = isAlive() ? [...receivers].filter((receiver) => receiver !== receive) : [];
          // Delivered after the current task, and only to receivers that still exist, as in a browser.
          setImmediate(() => otherReceivers.forEach((receiver) => receivers.has(receiver) && receiver(copy)));
        },
        onMessage: (listener) => listeners.push(listener),
        close,
      };
    }

    const send = options.fetch ?? globalThis.fetch;
    cleanups.push(() => options.sockets?.breakConnection());
    const page: Page = {
      fetch: async (input, init) => {
        if (!isOnline) throw new TypeError('Failed to fetch');
        const headers = new Headers(init?.headers);
        headers.set('origin', origin);
        headers.set('sec-fetch-site', 'same-origin');
        const signals = [killController.signal, ...(init?.signal ? [init.signal] : [])];
        const url = typeof input === 'string' ? new URL(input, origin) : input;
        return send(url, { ...init, headers, signal: AbortSignal.any(signals) });
      },
      openSocket: options.sockets?.open,
      isOnline: () => isOnline,
      now: options.now ?? (() => Date.now()),
      clock: options.clock ?? (() => performance.now()),
      newId: options.newId ?? (() => `t${tabId}-${String((idCount += 1)).padStart(6, '0')}`),
      address: {
        origin,
        read: () => {
          const { pathname, hash } = new URL(visitedPaths.at(-1) ?? '/', origin);
          return { path: pathname, hash };
        },
        push: (next) => visitedPaths.push(next),
        replace: (next) => visitedPaths.splice(-1, 1, next),
        onChange: (listener) => addressListeners.push(listener),
      },
      storage: {
        getItem: (key) => storedItems.get(key) ?? null,
        setItem: (key, value) => {
          if (!isAlive() || storedItems.get(key) === value) return;
          storedItems.set(key, value);
          for (const [otherTabId, notify] of storageListeners) if (otherTabId !== tabId) setImmediate(notify);
        },
        onChange: (listener) => {
          storageListeners.push([tabId, () => isAlive() && listener()]);
        },
      },
      locks: hasLocks ? locks.createLockManager(cleanups) : undefined,
      openChannel,
      runInNextFrame: (run) => setImmediate(run),
      whenIdle: (run) => setImmediate(run, 5),
      onHide: (listener) => hideListeners.push(listener),
      onShow: (listener) => showListeners.push(listener),
    };
    return {
      page,
      visitedPaths,
      visit: (address) => {
        visitedPaths.push(address);
        for (const listener of addressListeners) listener();
      },
      setOnline: (next) => (isOnline = next),
      hide: () => hideListeners.forEach((listener) => listener()),
      show: () => showListeners.forEach((listener) => listener()),
      kill: () => {
        killController.abort(new Error('The tab is gone'));
        for (const cleanup of cleanups.splice(0)) cleanup();
      },
      isAlive,
    };
  }

  return { storedItems, openTab, databaseName, openRecords: () => openRecordStore({}, databaseName) };
}

/** Returns records that the tab can write only while it is alive. */
export function readTestRecords(tab: TestTab, records: RecordStore): RecordStore {
  const neverSettles = new Promise<never>(() => undefined);
  return {
    ...records,
    write: (writes, options) => (tab.isAlive() ? records.write(writes, options) : neverSettles),
  };
}

interface QueuedLock {
  name: string;
  grant: () => void;
}

/**
 * Implements the part of Web Locks that Bench uses: one holder per name, a queue, `ifAvailable`, `signal` and `query`.
 */
function createLockTable() {
  const heldLocks = new Map<string, object>();
  let queue: QueuedLock[] = [];

  function grantNext(): void {
    const grantable = queue.find(({ name }) => !heldLocks.has(name));
    if (!grantable) return;
    queue = queue.filter((queued) => queued !== grantable);
    grantable.grant();
    grantNext();
  }

  /** Returns the lock manager of one tab; `cleanups` collects functions that release its locks and requests. */
  function createLockManager(cleanups: (() => void)[]): LockManager {
    function request<T>(
      name: string,
      options: LockOptions | LockGrantedCallback<T>,
      callbackArgument?: LockGrantedCallback<T>,
    ): Promise<Awaited<T>> {
      const { ifAvailable = false, signal } = typeof options === 'function' ? {} : options;
      const callback = typeof options === 'function' ? options : callbackArgument;
      if (!callback) throw new TypeError('A lock needs a callback');
      return new Promise((resolve, reject) => {
        const acquire = async () => {
          const owner = {};
          heldLocks.set(name, owner);
          const release = () => {
            if (heldLocks.get(name) !== owner) return;
            heldLocks.delete(name);
            grantNext();
          };
          cleanups.push(release);
          try {
            resolve(await callback({ name, mode: 'exclusive' }));
          } catch (error) {
            reject(error);
          } finally {
            release();
          }
        };
        // Granted asynchronously, as in a browser.
        setImmediate(() => {
          if (signal?.aborted) return reject(signal.reason);
          if (!heldLocks.has(name)) return void acquire();
          if (ifAvailable) return void Promise.resolve(callback(null)).then(resolve, reject);
          const queuedLock = { name, grant: () => void acquire() };
          const dequeue = () => {
            queue = queue.filter((queued) => queued !== queuedLock);
          };
          queue.push(queuedLock);
          cleanups.push(dequeue);
          signal?.addEventListener('abort', () => {
            if (!queue.includes(queuedLock)) return;
            dequeue();
            reject(signal.reason);
          });
          return undefined;
        });
      });
    }
    return {
      request,
      query: async () => ({
        held: [...heldLocks.keys()].map((name) => ({ name, mode: 'exclusive', clientId: '' })),
        pending: queue.map(({ name }) => ({ name, mode: 'exclusive', clientId: '' })),
      }),
    };
  }

  return { createLockManager };
}
