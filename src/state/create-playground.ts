/** The complete app without its views: one object with every store, and the function that connects them. */
import type { StoreApi } from 'zustand/vanilla';

import { findMediaHashes } from '../conversation/request/message-images.ts';
import type { RequestRules } from '../conversation/request/request.ts';
import {
  changeLane,
  isEmptySession,
  summarizeForHistory,
  type Environment,
} from '../conversation/session/edit-session.ts';
import type { LaneId, ModelChoice, Run, Setup, TurnId } from '../conversation/session/types.ts';
import { isSameModel, withModelChoice } from '../conversation/setup/model-key.ts';
import { listRejectedTypes } from '../conversation/setup/model-marks.ts';
import { createServerClient, type ServerClient } from '../gateway/client.ts';
import { defaultRequestsPerMinute, type GatewayStatus } from '../gateway/http/status.ts';
import type { ChatRequest } from '../gateway/wire.ts';
import { pluralize } from '../lib/format.ts';
import { createPreloadableImport } from '../lib/lazy-import.ts';
import { eraseVectorDatabase } from '../storage/db.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { Backup } from './backup/backup.ts';
import { createDrafts, syncDrafts, syncDraftView, type Drafts } from './drafts/drafts.ts';
import { createImageStore, type ImageStore } from './drafts/image-store.ts';
import { createUnsavedCounter, type UnsavedCounter } from './drafts/unsaved-counter.ts';
import { createFindStore, type FindStore } from './find/find-store.ts';
import { createHistoryViewStore, type HistoryViewStore } from './find/history-view.ts';
import { createGatewaySignals } from './gateway-signals.ts';
import { createGateways, type Gateways } from './gateways.ts';
import { createLazyLab, type LazyLab } from './lab/lazy-lab.ts';
import { createLearnedModels, type LearnedModels } from './learned-models.ts';
import { createNoticeStore, type NoticeStore } from './notices.ts';
import type { Page } from './page.ts';
import { createPrefsStore, withAnsweredModel, type PrefsStore } from './prefs-store.ts';
import { createPresetStore, type PresetStore } from './preset-store.ts';
import { createRouter, type Route, type Router } from './route.ts';
import { addRememberedResults } from './runs/add-remembered-results.ts';
import { createInspectorStore, type InspectorStore } from './runs/inspector-store.ts';
import { learnFromRun } from './runs/learn-abilities.ts';
import { createRecorder, type Recorder } from './runs/recorder.ts';
import { createChannelSlots } from './runs/request-slots.ts';
import { restoreOpaqueFields } from './runs/restore-opaque-fields.ts';
import { createRunDriver, type HeldRuns } from './runs/run-driver.ts';
import { createRunQueue } from './runs/run-queue.ts';
import { createTraces, type Traces } from './runs/traces.ts';
import { createActions, type Actions } from './sessions/actions.ts';
import { getWriteKey, startAutosave, buildSessionWrites } from './sessions/autosave.ts';
import { createLibrary, type Library } from './sessions/library.ts';
import { createSessionFiles, type SessionFiles } from './sessions/session-file-service.ts';
import {
  updateSession,
  createSessionStore,
  getCurrentSession,
  findSessionByRun,
  type SessionState,
  type SessionStore,
} from './sessions/session-store.ts';
import { createThrottledSession } from './sessions/throttled-session.ts';
import { createViewStore, type ViewStore } from './sessions/view-store.ts';
import { createStorageState, type StorageStore } from './storage.ts';
import { createStoredData, type StoredData } from './stored-data.ts';
import { createTabChannel, broadcastWrites } from './tabs/tab-channel.ts';
import { createTabLocks } from './tabs/tab-locks.ts';
import { startTabSync } from './tabs/tab-sync.ts';
import { createLazyTrials, type LazyTrials } from './trials/lazy-trials.ts';

/** The session on screen and everything that edits it. */
export interface SessionServices {
  session: SessionStore;
  /** Copy of `session` that React subscribes to. */
  renderedSession: StoreApi<SessionState>;
  actions: Actions;
  drafts: Drafts;
  /** Images of messages and drafts. */
  images: ImageStore;
  view: ViewStore;
  /** State of Find in session. */
  find: FindStore;
  /** Restores the opaque fields of stored answers without a recorded gateway (restore-opaque-fields.ts). */
  restoreOpaqueFields: (turnId: TurnId) => Promise<void>;
}

/** Requests in progress and what they have recorded. */
export interface RunServices {
  /** Returns the queue of a gateway. */
  getQueue: Gateways['getQueue'];
  recorder: Recorder;
  /** Runs waiting for the browser to store their prompt, with an action to send them anyway. */
  heldRuns: HeldRuns;
  traces: Traces;
  inspector: InspectorStore;
  /** Position in a replayed recording in ms, used instead of the clock. */
  playhead?: StoreApi<{ atMs: number }>;
}

/** Sessions, presets and other data stored in this browser. */
export interface LibraryServices {
  library: Library;
  sessionFiles: SessionFiles;
  presets: PresetStore;
  /** Sorting and filters of the list of sessions. */
  historyView: HistoryViewStore;
  storage: StorageStore;
  storedData: StoredData;
  loadBackup: () => Promise<Backup>;
}

/** Page, preferences, models and gateway. */
export interface AppServices {
  page: Page;
  environment: Environment;
  prefs: PrefsStore;
  router: Router;
  notices: NoticeStore;
  unsaved: UnsavedCounter;
  /** Network functions of the server. */
  serverClient: ServerClient;
  gateways: Gateways;
  learnedModels: LearnedModels;
  /** Applies the gateways that the server reported. */
  setServerStatus: (gateways: readonly GatewayStatus[]) => void;
  requestRules: RequestRules;
  /**
   * If the session has no messages, sets this model of the first gateway in lanes without a model, in lanes with an
   * unlisted demo model, and in lanes whose gateway of the last visit no longer exists.
   */
  setDefaultModel: (model: string) => void;
  /**
   * Sends requests to the demo gateway until switched off or the page is closed. Updates the models of lanes without
   * messages.
   */
  setDemoMode: (isDemo: boolean) => void;
}

/** All services of the app. Views get one group of them from its context (contexts.tsx). */
export interface Playground extends SessionServices, RunServices, LibraryServices, AppServices {
  lazyLab: LazyLab;
  lazyTrials: LazyTrials;
  /** Opens the setup contained in the hash of a link. Returns the reason if it cannot be read. */
  openSharedSetup: (hash: string) => Promise<string | undefined>;
}

const loadTrials = createPreloadableImport(() => import('./trials/trials-store.ts'));
const loadBackup = createPreloadableImport(() => import('./backup/backup.ts'));
const loadImageCleanup = createPreloadableImport(() => import('./drafts/image-cleanup.ts'));
const loadShare = createPreloadableImport(() => import('../conversation/setup/share.ts'));
const loadSavedSets = createPreloadableImport(() => import('./lab/saved-sets.ts'));

/** Shown on insecure origins, where browsers provide no Web Locks. */
const unsharedLimitNotice =
  'Bench is open in several tabs. Without HTTPS, each tab can run four requests at a time.';

/** Creates the app on this page with these records. `storage` holds the storage mode, which can change. */
export function createPlayground(
  page: Page,
  openedRecords: RecordStore,
  storage: StorageStore = createStorageState(openedRecords.mode),
): Playground {
  const tabChannel = createTabChannel(page.openChannel);
  // Every write is announced to other tabs on the same store.
  const records = broadcastWrites(openedRecords, tabChannel);
  const environment: Environment = { now: page.now, newId: page.newId };
  const serverClient = createServerClient({
    onResponse: (headers, status, gatewayName) =>
      gateways.getServices(gatewayName).signals.onResponse(headers, status),
    fetch: page.fetch,
    openSocket: page.openSocket,
    monotonicNow: page.clock,
    epochNow: page.now,
    isOnline: page.isOnline,
  });
  const prefs = createPrefsStore(page.storage);
  const getRequestLimit = (gatewayName: string | undefined) => {
    const serverLimit = gateways.getStatus(gatewayName)?.requestsPerMinute ?? defaultRequestsPerMinute;
    const userLimit = prefs.getState().requestsPerMinute;
    if (userLimit === undefined || userLimit === 0) return serverLimit;
    return serverLimit === 0 ? userLimit : Math.min(userLimit, serverLimit);
  };
  const router = createRouter(page.address);
  const session = createSessionStore();
  const renderedSession = createThrottledSession(session, page.clock);
  const view = createViewStore();
  const unsaved = createUnsavedCounter();
  const recorder = createRecorder(records, page.clock, unsaved);
  const notices = createNoticeStore();
  const { slots, claimRun, owners } = createTabLocks(page, tabChannel, () =>
    notices.setState({ notice: { severity: 'note', text: unsharedLimitNotice } }),
  );
  const library = createLibrary(records, environment, owners.findClaimedRuns);
  const requestSlots = serverClient.channel ? createChannelSlots(serverClient.channel, slots) : slots;
  const gateways = createGateways(serverClient, (name) => ({
    signals: createGatewaySignals(page.now),
    models: [],
    queue: createRunQueue({
      now: environment.now,
      getLimit: () => getRequestLimit(name),
      slots: requestSlots,
      storage: page.storage,
      ...(name === undefined ? {} : { gatewayName: name }),
    }),
  }));
  gateways.getQueue().recordSent(prefs.getState().sentAt ?? []);
  prefs.subscribe((current, previous) => {
    if (current.requestsPerMinute !== previous.requestsPerMinute) gateways.recheckQueues();
  });
  const learnedModels = createLearnedModels(records, recorder, prefs.getState, gateways);
  const traces = createTraces();
  // Delayed by one minute so that startup is not slowed down. A failure is retried on the next visit.
  setTimeout(() => {
    loadImageCleanup()
      .then(({ removeOrphanedImages }) => removeOrphanedImages(records, environment.now))
      .catch(() => undefined);
  }, 60_000);
  const { getModelKey, getListedModel } = gateways;
  const isListed = (choice: ModelChoice) => getListedModel(choice) !== undefined;
  const findGateway = ({ gateway }: ModelChoice) => {
    const status = gateways.getStatus(gateway);
    return status?.id ? status : undefined;
  };
  const requestRules: RequestRules = {
    listRejectedTypes: (choice) =>
      listRejectedTypes(getModelKey(choice), prefs.getState().modelMarks ?? {}, getListedModel(choice)),
    getRefusedFields: learnedModels.getRefusedFields,
    findGateway,
  };
  const images = createImageStore(records, recorder, environment.now);
  /** Models of the lanes before the demo gateway was chosen. */
  const previousModels = new Map<LaneId, ModelChoice>();
  const updateEmptyLanes = (chooseModel: (setup: Setup, laneId: LaneId) => ModelChoice | undefined) => {
    const data = getCurrentSession(session.getState());
    if (!data || !isEmptySession(data)) return;
    for (const lane of Object.values(data.lanes)) {
      const choice = chooseModel(lane.setup, lane.id);
      if (choice === undefined) continue;
      updateSession(session, data.session.id, (current) =>
        changeLane(current, lane.id, (existing) => ({
          ...existing,
          setup: withModelChoice(existing.setup, choice),
        })),
      );
    }
  };
  let pageVisible = Promise.resolve();
  let resolvePageVisible: () => void = () => undefined;
  page.onHide(() => {
    void recorder.flush();
    serverClient.channel?.closeAll();
    pageVisible = new Promise((resolve) => (resolvePageVisible = resolve));
  });
  page.onShow(() => resolvePageVisible());
  /** Dependencies shared by the runs of sessions and of cells. */
  const runDriverDeps = {
    gateways,
    environment,
    traces,
    runInNextFrame: page.runInNextFrame,
    claimRun,
    waitUntilPageVisible: () => pageVisible,
    requestRules,
    resolveImages: async (body: ChatRequest) =>
      findMediaHashes(body.messages).length === 0 ? body : images.resolveRequest(body),
    storeImage: images.addDataUrl,
  };
  const recordModelResult = (run: Run): void => {
    gateways.getServices(run.setup.gateway).signals.onRunEnd(run);
    if (run.phase.name !== 'failed' && run.firstTokenMs !== undefined)
      learnedModels.update(run.setup, { firstTokenMs: run.firstTokenMs });
  };
  const driver = createRunDriver({
    ...runDriverDeps,
    store: session,
    recorder,
    onEnd: (run) => {
      recordModelResult(run);
      void actions.retryWithoutUsage(run);
      if (run.phase.name !== 'failed')
        prefs.setState((state) => withAnsweredModel(state, getModelKey(run.setup), isListed(run.setup)));
      // Learned abilities are optional, so a run that cannot be read is ignored.
      learnFromRun(run, { library, learnedModels, now: environment.now }).catch(() => undefined);
      const data = findSessionByRun(session.getState(), run.id);
      if (!data) return;
      updateSession(session, data.session.id, (current) => ({
        ...current,
        session: { ...current.session, updatedAt: environment.now(), summary: summarizeForHistory(current) },
      }));
      // Runs after the final state of the run has been stored.
      queueMicrotask(() => addRememberedResults(run.id, { session, drafts, actions }));
    },
  });
  const presets = createPresetStore(records, environment);
  presets.reload().catch(() => undefined);
  learnedModels.reload().catch(() => undefined);
  const tabSync = startTabSync({
    tabChannel,
    owners,
    records,
    store: session,
    recorder,
    library,
    driver,
    traces,
    environment,
    onOtherStoresChanged: (changes) => {
      if (changes.some((change) => change.store === 'presets')) presets.reload().catch(() => undefined);
      if (changes.some((change) => change.store === 'learned')) learnedModels.reload().catch(() => undefined);
      drafts.onRemoteChange(
        changes.flatMap(({ store, key }) => (store === 'drafts' ? (key.split(' ')[0] ?? []) : [])),
      );
    },
  });
  startAutosave(session, recorder, tabSync.isApplyingRemoteChange);
  const crossTabDriver = { ...driver, stop: tabSync.stop };
  const drafts = createDrafts(records, recorder, unsaved);
  syncDrafts(session, drafts);
  syncDraftView(view, drafts, () => session.getState().currentId);
  session.subscribe((state, previous) => {
    // Notices shown before a session was open are kept; others belong to the previous session.
    if (previous.currentId !== undefined && state.currentId !== previous.currentId)
      notices.setState({ notice: undefined });
  });
  const getPagePath = (route: Route) => (route.screen === 'page' ? route.path : undefined);
  router.state.subscribe(({ route }, previous) => {
    if (getPagePath(route) !== getPagePath(previous.route)) notices.setState({ notice: undefined });
  });
  const actions = createActions({
    store: session,
    driver: crossTabDriver,
    recorder,
    library,
    prefs,
    learnedModels,
    isListed,
    router,
    environment,
    view,
    drafts,
    notices,
    isStorageOpening: () => storage.getState().mode === 'opening',
  });
  storage.subscribe((current, previous) => {
    if (previous.mode === 'opening' && current.mode !== 'opening') {
      library.notifyChanged();
      lazyTrials.getTrials()?.notifyChanged();
      presets.reload().catch(() => undefined);
      learnedModels.reload().catch(() => undefined);
      // Records created in memory are in the database now, so other tabs have to reload their lists.
      tabChannel.send({
        changes: [
          { store: 'sessions', key: '' },
          { store: 'presets', key: '' },
          { store: 'trials', key: '' },
        ],
      });
    }
    // After all stored data was deleted, only the open sessions remain; they are stored again.
    if (current.deletionCount > previous.deletionCount)
      for (const data of Object.values(session.getState().open))
        for (const write of buildSessionWrites(data)) recorder.put(getWriteKey(write), write);
    if (current.deletionCount > previous.deletionCount) lazyTrials.getTrials()?.resaveOpenTrials();
    if (current.isOutdated && !previous.isOutdated)
      storage.setState({ lastWrites: recorder.flush({ strict: true }) });
  });

  const lazyTrials = createLazyTrials({
    load: async () => {
      const { createTrials } = await loadTrials();
      return createTrials({
        page,
        records,
        gateways,
        tabChannel,
        library,
        unsaved,
        runs: { ...runDriverDeps, learnedModels, onEnd: recordModelResult },
        getOpenSession: (id) => {
          const { open, currentId } = session.getState();
          return open[id ?? currentId ?? ''];
        },
        getLastSetup: () => prefs.getState().lastSetup,
        offerUndo: actions.offerUndo,
      });
    },
    tabChannel,
    locks: page.locks,
  });

  const lazyLab = createLazyLab();

  return {
    page,
    serverClient,
    gateways,
    session,
    renderedSession,
    prefs,
    learnedModels,
    router,
    getQueue: gateways.getQueue,
    recorder,
    unsaved,
    traces,
    view,
    find: createFindStore(),
    historyView: createHistoryViewStore(),
    inspector: createInspectorStore(),
    library,
    drafts,
    actions,
    presets,
    sessionFiles: createSessionFiles({
      records,
      library,
      store: session,
      tabChannel,
      gateways,
      newId: environment.newId,
      openSets: async () => (await loadSavedSets()).openSavedSets({ lazyLab, storage, page, actions }),
      onTrialsChanged: () => lazyTrials.getTrials()?.notifyChanged(),
      offerUndo: actions.offerUndo,
      startImportWorker: page.startImportWorker,
    }),
    notices,
    openSharedSetup: createSharedSetupOpener(actions, notices, router),
    images,
    storedData: createStoredData({
      records,
      recorder,
      library,
      presets,
      learnedModels,
      prefs,
      session,
      actions,
      eraseVectors: eraseVectorDatabase,
      stopTrials: lazyTrials.stopAll,
    }),
    environment,
    lazyLab,
    loadBackup: async () =>
      (await loadBackup()).createBackup({
        records,
        tabChannel,
        page,
        library,
        session,
        prefs,
        presets,
        learnedModels,
        recorder,
        storage,
        actions,
        lazyLab,
        lazyTrials,
      }),
    lazyTrials,
    storage,
    heldRuns: driver,
    setServerStatus: (statuses) => {
      gateways.setStatuses(statuses);
      // Connects early so that the first message is not delayed.
      void serverClient.channel?.ensureConnected();
    },
    requestRules,
    restoreOpaqueFields: (turnId) => restoreOpaqueFields({ store: session, library, findGateway }, turnId),
    setDefaultModel: (model) => {
      const isUnusable = (setup: Setup) =>
        setup.model === '' ||
        (setup.model.startsWith('demo/') && !isListed(setup)) ||
        (gateways.isUnknown(setup.gateway) && isSameModel(setup, prefs.getState().lastSetup));
      updateEmptyLanes((setup) => (isUnusable(setup) ? { model } : undefined));
    },
    setDemoMode: (isDemo) => {
      gateways.setDemoMode(isDemo);
      updateEmptyLanes((setup, laneId) => {
        if (isDemo) previousModels.set(laneId, setup);
        return isDemo ? { model: '' } : (previousModels.get(laneId) ?? { model: '' });
      });
    },
  };
}

/**
 * Opens a new session with the setup from a link and shows its origin; nothing is sent. If the link cannot be read,
 * returns the reason and opens nothing.
 */
function createSharedSetupOpener(
  actions: Actions,
  notices: NoticeStore,
  router: Router,
): (hash: string) => Promise<string | undefined> {
  return async (hash) => {
    const hasNavigated = router.trackNavigation();
    const { decodeShareHash } = await loadShare();
    const reading = decodeShareHash(hash);
    if (!reading.ok) return reading.problem;
    const { setups, draft, variables } = reading.sharedSetup;
    const options = { replace: true, hasNavigated, ...(variables ? { variables } : {}) };
    if (!(await actions.openNewSession(setups, draft, options))) return undefined;
    const prompt = draft === undefined ? '' : ' The draft message is below.';
    notices.setState({
      notice: {
        severity: 'note',
        text: `Opened ${pluralize(setups.length, 'setup')} from a shared link.${prompt} Nothing is sent until you press Send.`,
      },
    });
    return undefined;
  };
}
