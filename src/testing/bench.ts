/** The real app without its views, in Node: the playground of a tab, behind the real proxy, in front of a gateway. */
import { onTestFinished } from 'vitest';

import { syncRoute } from '../app/sync-route.ts';
import { isLive } from '../conversation/reply/run.ts';
import type { Run, SessionData } from '../conversation/session/types.ts';
import { getStringProperty } from '../lib/json.ts';
import { startTestPlayground, type TestPlayground } from '../server/testing/test-playground.ts';
import { createPlayground, type Playground } from '../state/create-playground.ts';
import { createMessageActions } from '../state/sessions/message-actions.ts';
import { getCurrentSession } from '../state/sessions/session-store.ts';
import type { StorageStore } from '../state/storage.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createTestBrowser, readTestRecords, type TestBrowser, type TestTab } from './browser.ts';
import { createTestEnvironment, createTestSetup } from './builders.ts';
import { createChannelSockets } from './channel-sockets.ts';

export interface BenchOptions {
  /** Address of the gateway; without one the embedded demo gateway answers. */
  url?: string;
  /** Further settings of the server. */
  settings?: Readonly<Record<string, string>>;
  /** A server that runs already. */
  server?: TestPlayground;
  /** One that runs elsewhere, of which no more is known. */
  origin?: string;
  /** Two benches of one browser are two tabs. */
  browser?: TestBrowser;
  records?: RecordStore;
  /** How the records are kept, where that changes. */
  storage?: StorageStore;
  environment?: { now: () => number; newId: () => string };
  /** Requests a minute; 0 unless given: no limit. */
  requestsPerMinute?: number;
  fetch?: typeof globalThis.fetch;
  /** Requests to models travel over the channel, not each over a connection of its own. */
  hasChannel?: boolean;
  /** What the page measures times by, in ms. */
  clock?: () => number;
  /** The session that this address names is opened, as the app does it, and every later address too. */
  path?: string;
}

export interface Bench extends Playground {
  browser: TestBrowser;
  tab: TestTab;
  /** Not of a bench that was given an origin alone. */
  server: TestPlayground;
  /** What the tab stores. */
  records: RecordStore;
  /** Runs in the order of their ends. */
  endedRuns: Run[];
  messages: ReturnType<typeof createMessageActions>;
  /** The session on screen. Throws where none is open. */
  getOpenSession: () => SessionData;
  /** Another tab of the same browser on the same server. */
  openAnotherTab: (options?: BenchOptions) => Promise<Bench>;
  /** The tab dies, and another is opened in its place. */
  reopen: (options?: BenchOptions) => Promise<Bench>;
  /** Resolves when all that was done is stored. */
  waitUntilSaved: () => Promise<void>;
}

/** A tab that is open. Its server and its tab end with the test. */
export async function createBench(options: BenchOptions = {}): Promise<Bench> {
  const { browser = createTestBrowser(), environment = createTestEnvironment(), path } = options;
  const server = options.server ?? (options.origin === undefined ? await startOwnServer(options) : undefined);
  const tab = browser.openTab({
    origin: server?.origin ?? options.origin ?? '',
    ...environment,
    ...(path === undefined ? {} : { path }),
    ...(options.fetch ? { fetch: options.fetch } : {}),
    ...(options.hasChannel && server ? { sockets: createChannelSockets(server.origin) } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const records = readTestRecords(tab, options.records ?? (await browser.openRecords()));
  const playground = createPlayground(tab.page, records, options.storage);
  // A gateway that lists no models offers none.
  if (!playground.prefs.getState().lastSetup) playground.prefs.setState({ lastSetup: createTestSetup() });
  playground.setServerStatus({
    requestsPerMinute: options.requestsPerMinute ?? 0,
    id: await readGatewayId(server),
  });
  const endedRuns: Run[] = [];
  playground.session.subscribe((state, previous) => {
    if (state.open === previous.open) return;
    for (const [id, data] of Object.entries(state.open)) {
      const runsBefore = previous.open[id]?.runs;
      if (runsBefore === undefined || runsBefore === data.runs) continue;
      for (const run of Object.values(data.runs)) {
        const runBefore = runsBefore[run.id];
        if (runBefore && isLive(runBefore) && !isLive(run)) endedRuns.push(run);
      }
    }
  });
  onTestFinished(async () => {
    tab.kill();
    records.close();
  });
  if (path !== undefined) {
    syncRoute(playground);
    if (playground.router.state.getState().route.screen === 'playground')
      await waitForStoreState(
        playground.session,
        (state) => (state.currentId ?? state.missingId) !== undefined,
      );
  }
  const openAnotherTab = (moreOptions: BenchOptions = {}) =>
    createBench({
      browser,
      ...(server ? { server } : { origin: tab.page.address.origin }),
      requestsPerMinute: options.requestsPerMinute ?? 0,
      environment,
      ...pickRecords(options),
      ...moreOptions,
    });
  return {
    ...playground,
    browser,
    tab,
    get server() {
      if (!server) throw new Error('Of this server only the origin is known');
      return server;
    },
    records,
    endedRuns,
    messages: createMessageActions(playground.session, playground.environment),
    getOpenSession: () => {
      const data = getCurrentSession(playground.session.getState());
      if (!data) throw new Error('No session is open');
      return data;
    },
    openAnotherTab,
    reopen: (moreOptions) => {
      tab.kill();
      return openAnotherTab(moreOptions);
    },
    waitUntilSaved: () => waitForStoreState(playground.unsaved.state, ({ count }) => count === 0),
  };
}

/** The id that the page would read with the status of its server; empty where that asks for a password. */
async function readGatewayId(server: TestPlayground | undefined): Promise<string> {
  if (!server) return '';
  const status: unknown = await (await fetch(`${server.origin}/playground/status`)).json();
  return getStringProperty(status, 'id') ?? '';
}

/** Ends after the tabs of the test. */
async function startOwnServer({ url, settings }: BenchOptions): Promise<TestPlayground> {
  const server = await startTestPlayground({
    GATEWAY_RPM: '0',
    ...(url === undefined ? {} : { GATEWAY_BASE_URL: url }),
    ...settings,
  });
  onTestFinished(server.close);
  return server;
}

function pickRecords({ records }: BenchOptions): Pick<BenchOptions, 'records'> {
  return records ? { records } : {};
}

interface ObservableStore<T> {
  getState: () => T;
  subscribe: (listener: (state: T) => void) => () => void;
}

/** Resolves when a store's state is so, now or after any change. */
export function waitForStoreState<T>(
  store: ObservableStore<T>,
  predicate: (state: T) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const check = (state: T) => {
      if (!predicate(state)) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = store.subscribe(check);
    check(store.getState());
  });
}
