/** A browser in Node: what its tabs share (database, storage, locks, channels), and the page that each of them gives. */
import 'fake-indexeddb/auto';
import type { Page, PageChannel } from '../state/page.ts';
import { openRecordStore } from '../storage/db.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { ChannelSockets } from './channel-sockets.ts';

export interface TestBrowser {
  /** localStorage of the one origin. */
  stored: Map<string, string>;
  openTab: (options: TabOptions) => TestTab;
  databaseName: string;
  /** A connection to the database that all its tabs use. */
  openRecords: () => Promise<RecordStore>;
}

export interface TabOptions {
  /** Scheme, host and port of the server that this tab's page came from. */
  origin: string;
  path?: string;
  now?: () => number;
  /** What times are measured by, in ms. */
  clock?: () => number;
  newId?: () => string;
  /** WebSockets to the server; without them each request has a connection of its own. */
  sockets?: ChannelSockets;
  /** In place of the network of this machine. */
  fetch?: typeof globalThis.fetch;
}

export interface TestTab {
  page: Page;
  /** Every address the tab has had since it was opened, the current one last. */
  visited: string[];
  /** As Back and Forward do, or a link with a hash. */
  visit: (address: string) => void;
  setOnline: (isOnline: boolean) => void;
  hide: () => void;
  show: () => void;
  /** The tab dies: its requests break, its locks are free, nobody hears it, and it writes no more. */
  kill: () => void;
  isAlive: () => boolean;
}

let browserCount = 0;

/** `hasLocks` and `hasChannels` are false in browsers, or on origins, that have none. */
export function aBrowser({ hasLocks = true, hasChannels = true } = {}): TestBrowser {
  const databaseName = `bench-${(browserCount += 1)}`;
  const stored = new Map<string, string>();
  const locks = lockTable();
  const channels = new Map<string, Set<(message: unknown) => void>>();
  const storageListeners: [tabId: number, hear: () => void][] = [];
  let tabCount = 0;

  function openTab({ origin, path = '/', ...options }: TabOptions): TestTab {
    const tabId = (tabCount += 1);
    const death = new AbortController();
    const isAlive = () => !death.signal.aborted;
    const onDeath: (() => void)[] = [];
    const visited = [path];
    const changed: (() => void)[] = [];
    const hidden: (() => void)[] = [];
    const shown: (() => void)[] = [];
    let isOnline = true;
    let idCount = 0;

    function openChannel(name: string): PageChannel | undefined {
      if (!hasChannels) return undefined;
      const all = channels.get(name) ?? new Set();
      channels.set(name, all);
      const listeners: ((message: unknown) => void)[] = [];
      const hear = (message: unknown) => {
        for (const listener of listeners) listener(message);
      };
      all.add(hear);
      const close = () => void all.delete(hear);
      onDeath.push(close);
      return {
        post: (message) => {
          const copy: unknown = structuredClone(message);
          const others = isAlive() ? [...all].filter((each) => each !== hear) : [];
          // Like a browser's: after what runs now, and only to those that are still there.
          setImmediate(() => others.forEach((other) => all.has(other) && other(copy)));
        },
        onMessage: (listener) => listeners.push(listener),
        close,
      };
    }

    const send = options.fetch ?? globalThis.fetch;
    onDeath.push(() => options.sockets?.cut());
    const page: Page = {
      fetch: async (input, init) => {
        if (!isOnline) throw new TypeError('Failed to fetch');
        const headers = new Headers(init?.headers);
        headers.set('origin', origin);
        headers.set('sec-fetch-site', 'same-origin');
        const signals = [death.signal, ...(init?.signal ? [init.signal] : [])];
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
          const { pathname, hash } = new URL(visited.at(-1) ?? '/', origin);
          return { path: pathname, hash };
        },
        push: (next) => visited.push(next),
        replace: (next) => visited.splice(-1, 1, next),
        onChange: (listener) => changed.push(listener),
      },
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => {
          if (!isAlive() || stored.get(key) === value) return;
          stored.set(key, value);
          for (const [other, hear] of storageListeners) if (other !== tabId) setImmediate(hear);
        },
        onChange: (listener) => {
          storageListeners.push([tabId, () => isAlive() && listener()]);
        },
      },
      locks: hasLocks ? locks.ofTab(onDeath) : undefined,
      openChannel,
      nextFrame: (run) => setImmediate(run),
      whenIdle: (run) => setImmediate(run, 5),
      onHide: (listener) => hidden.push(listener),
      onShow: (listener) => shown.push(listener),
    };
    return {
      page,
      visited,
      visit: (address) => {
        visited.push(address);
        for (const listener of changed) listener();
      },
      setOnline: (next) => (isOnline = next),
      hide: () => hidden.forEach((listener) => listener()),
      show: () => shown.forEach((listener) => listener()),
      kill: () => {
        death.abort(new Error('The tab is gone'));
        for (const each of onDeath.splice(0)) each();
      },
      isAlive,
    };
  }

  return { stored, openTab, databaseName, openRecords: () => openRecordStore({}, databaseName) };
}

/** Records that a tab writes only while it lives. */
export function recordsOf(tab: TestTab, records: RecordStore): RecordStore {
  const never = new Promise<never>(() => undefined);
  return { ...records, write: (writes, options) => (tab.isAlive() ? records.write(writes, options) : never) };
}

interface Wanted {
  name: string;
  give: () => void;
}

/** Web Locks as far as Bench uses them: one holder a name, the others in line; `ifAvailable`, `signal` and `query`. */
function lockTable() {
  const held = new Map<string, object>();
  let line: Wanted[] = [];

  function next(): void {
    const ready = line.find(({ name }) => !held.has(name));
    if (!ready) return;
    line = line.filter((each) => each !== ready);
    ready.give();
    next();
  }

  /** The locks as one tab sees them; `onDeath` collects what frees those that it holds or waits for. */
  function ofTab(onDeath: (() => void)[]): LockManager {
    function request<T>(
      name: string,
      options: LockOptions | LockGrantedCallback<T>,
      given?: LockGrantedCallback<T>,
    ): Promise<Awaited<T>> {
      const { ifAvailable = false, signal } = typeof options === 'function' ? {} : options;
      const grant = typeof options === 'function' ? options : given;
      if (!grant) throw new TypeError('A lock needs a callback');
      return new Promise((resolve, reject) => {
        const hold = async () => {
          const owner = {};
          held.set(name, owner);
          const free = () => {
            if (held.get(name) !== owner) return;
            held.delete(name);
            next();
          };
          onDeath.push(free);
          try {
            resolve(await grant({ name, mode: 'exclusive' }));
          } catch (error) {
            reject(error);
          } finally {
            free();
          }
        };
        // Granted later than asked for, as in a browser.
        setImmediate(() => {
          if (signal?.aborted) return reject(signal.reason);
          if (!held.has(name)) return void hold();
          if (ifAvailable) return void Promise.resolve(grant(null)).then(resolve, reject);
          const wanted = { name, give: () => void hold() };
          const leave = () => {
            line = line.filter((each) => each !== wanted);
          };
          line.push(wanted);
          onDeath.push(leave);
          signal?.addEventListener('abort', () => {
            if (!line.includes(wanted)) return;
            leave();
            reject(signal.reason);
          });
          return undefined;
        });
      });
    }
    return {
      request,
      query: async () => ({
        held: [...held.keys()].map((name) => ({ name, mode: 'exclusive', clientId: '' })),
        pending: line.map(({ name }) => ({ name, mode: 'exclusive', clientId: '' })),
      }),
    };
  }

  return { ofTab };
}
