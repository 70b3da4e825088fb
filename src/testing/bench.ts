/** The real app without views, in Node: the playground of a tab behind the real proxy and a gateway. */
import { onTestFinished } from 'vitest';

import { syncRoute } from '../app/sync-route.ts';
import { isLive } from '../conversation/reply/run.ts';
import type { Run, SessionData } from '../conversation/session/types.ts';
import { createHttp } from '../gateway/http/http.ts';
import { readStatus, type GatewayStatus } from '../gateway/http/status.ts';
import { startTestPlayground, type TestPlayground } from '../server/testing/test-playground.ts';
import { createPlayground, type Playground } from '../state/create-playground.ts';
import { createMessageActions } from '../state/sessions/message-actions.ts';
import { getCurrentSession } from '../state/sessions/session-store.ts';
import type { StorageStore } from '../state/storage.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createTestBrowser, readTestRecords, type TestBrowser, type TestTab } from './browser.ts';
import { createTestEnvironment, createTestGatewayStatus, createTestSetup } from './builders.ts';
import { createChannelSockets } from './channel-sockets.ts';

export interface BenchOptions {
  /** URL of the gateway; by default the embedded demo gateway is used. */
  url?: string;
  /** Additional server settings. */
  settings?: Readonly<Record<string, string>>;
  /** A server that is already running. */
  server?: TestPlayground;
  /** Origin of a server started elsewhere, for tests that have no handle on the server. */
  origin?: string;
  /** Benches that share a browser are tabs of that browser. */
  browser?: TestBrowser;
  records?: RecordStore;
  /** Storage state of the records, for tests in which it changes. */
  storage?: StorageStore;
  environment?: { now: () => number; newId: () => string };
  /** Requests per minute; 0, the default, means no limit. */
  requestsPerMinute?: number;
  fetch?: typeof globalThis.fetch;
  /** Sends model requests over the channel instead of separate connections. */
  hasChannel?: boolean;
  /** Clock for the page's measurements, in ms. */
  clock?: () => number;
  /** Path whose session is opened, as in the app; sessions of later paths are opened as well. */
  path?: string;
}

export interface Bench extends Playground {
  browser: TestBrowser;
  tab: TestTab;
  /** Missing if the bench was given only an origin. */
  server: TestPlayground;
  /** Records stored by the tab. */
  records: RecordStore;
  /** Runs in the order in which they ended. */
  endedRuns: Run[];
  messages: ReturnType<typeof createMessageActions>;
  /** Returns the visible session. Throws if none is open. */
  getOpenSession: () => SessionData;
  /** Opens another tab of the same browser on the same server. */
  openAnotherTab: (options?: BenchOptions) => Promise<Bench>;
  /** Ends the tab abruptly and opens another in its place. */
  reopen: (options?: BenchOptions) => Promise<Bench>;
  /** Resolves when everything is stored. */
  waitUntilSaved: () => Promise<void>;
}

/** Opens a tab. It ends together with its server after the test. */
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
  // A gateway that lists no models provides no default model, so a setup is preset.
  if (!playground.prefs.getState().lastSetup) playground.prefs.setState({ lastSetup: createTestSetup() });
  const gateways = await readGateways(server);
  playground.setServerStatus(
    gateways.map((gateway) => ({ ...gateway, requestsPerMinute: options.requestsPerMinute ?? 0 })),
  );
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
      if (!server) throw new Error('Only the origin of this server is known');
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

/** Returns the gateways of the server's status; an unknown one if the server requires a password. */
async function readGateways(server: TestPlayground | undefined): Promise<readonly GatewayStatus[]> {
  const http =
    server &&
    createHttp({
      gatewayBasePath: `${server.origin}/gateway`,
      serverBasePath: `${server.origin}/playground`,
      monotonicNow: () => performance.now(),
    });
  const { gateways } = http ? await readStatus(http) : { gateways: [] };
  return gateways.length > 0 ? gateways : [unknownGateway];
}

const unknownGateway = createTestGatewayStatus({
  label: '',
  id: '',
  host: '',
  address: '',
  keyConfigured: false,
});

/** The server stops after the tabs of the test. */
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

/** Resolves when the store's state matches, now or after any change. */
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
