/** The living app without its views: one object that holds every store, and how they are put together. */
import type { StoreApi } from 'zustand/vanilla';

import { findImageHashes } from '../conversation/request/message-images.ts';
import type { RequestRules } from '../conversation/request/request.ts';
import type { Environment } from '../conversation/session/edit-session.ts';
import { changeLane, isEmptySession, summarizeForHistory } from '../conversation/session/edit-session.ts';
import type { LaneId, Run, Setup, TurnId } from '../conversation/session/types.ts';
import { isTextOnly } from '../conversation/setup/model-marks.ts';
import { createGateway, type Gateway } from '../gateway/client.ts';
import { findModel, type ModelRecord } from '../gateway/models/model-record.ts';
import type { ChatRequest } from '../gateway/wire.ts';
import { demoGatewayId } from '../lib/channel/frames.ts';
import { preloadableImport } from '../lib/lazy-import.ts';
import { eraseVectorDatabase } from '../storage/db.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createDrafts, keepDrafts, keepView, type Drafts } from './drafts/drafts.ts';
import { removeOrphanedImages } from './drafts/image-cleanup.ts';
import { createImages, type Images } from './drafts/image-store.ts';
import { createUnsaved, type Unsaved } from './drafts/unsaved.ts';
import { createFind, type FindStore } from './find/find-store.ts';
import { createHistoryView, type HistoryViewStore } from './find/history-view.ts';
import { createLazyLab, type LazyLab } from './lab/lazy-lab.ts';
import { createLearnedModels, type LearnedModels } from './learned-models.ts';
import { createNotices, type NoticeStore } from './notices.ts';
import { createOpenShared } from './open-shared.ts';
import type { Page } from './page.ts';
import { createPrefsStore, withAnswerOf, type PrefsStore } from './prefs-store.ts';
import { createPresets, type Presets } from './preset-store.ts';
import { createRouter, type Router } from './route.ts';
import { answerCalls } from './runs/auto-answer-calls.ts';
import { createInspectorStore, type InspectorStore } from './runs/inspector-store.ts';
import { learnFromRun } from './runs/learn-abilities.ts';
import { createRecorder, type Recorder } from './runs/recorder.ts';
import { createChannelSlots } from './runs/request-slots.ts';
import { restoreOpaqueFields } from './runs/restored-fields.ts';
import { createRunDriver, type HeldRuns } from './runs/run-driver.ts';
import { createRunQueue, type RunQueue } from './runs/run-queue.ts';
import { createTraces, type Traces } from './runs/traces.ts';
import { createActions, type Actions } from './sessions/actions.ts';
import { keyOf, startAutosave, writesOfSession } from './sessions/autosave.ts';
import { createLibrary, type Library } from './sessions/library.ts';
import { createSessionFiles, type SessionFiles } from './sessions/session-file-service.ts';
import {
  changeSession,
  createSessionStore,
  currentSession,
  sessionOfRun,
  type SessionState,
  type SessionStore,
} from './sessions/session-store.ts';
import { createShownSession } from './sessions/throttled-session.ts';
import { createViewStore, type ViewStore } from './sessions/view-store.ts';
import { createSignals, type Signals } from './signals.ts';
import { createStorageState, type StorageStore } from './storage.ts';
import { createStoredData, type StoredData } from './stored-data.ts';
import { createTabLocks } from './tabs/locks.ts';
import { createTabLink, toldRecords } from './tabs/tab-channel.ts';
import { startTabs } from './tabs/tab-sync.ts';
import { createLazyTrials, type LazyTrials } from './trials/lazy-trials.ts';

export interface Playground {
  page: Page;
  gateway: Gateway;
  /** What models and chat last said about the key, for the health badge. */
  signals: Signals;
  session: SessionStore;
  /** The same as React is told of it. */
  shownSession: StoreApi<SessionState>;
  prefs: PrefsStore;
  learned: LearnedModels;
  router: Router;
  queue: RunQueue;
  recorder: Recorder;
  unsaved: Unsaved;
  traces: Traces;
  view: ViewStore;
  /** What is looked for in the session on screen. */
  find: FindStore;
  /** How the list of sessions is looked at. */
  historyView: HistoryViewStore;
  inspector: InspectorStore;
  library: Library;
  drafts: Drafts;
  actions: Actions;
  presets: Presets;
  files: SessionFiles;
  notices: NoticeStore;
  /** Opens the setup that a link carries in this hash, or answers with why it cannot be read. */
  openShared: (hash: string) => Promise<string | undefined>;
  images: Images;
  stored: StoredData;
  environment: Environment;
  lab: LazyLab;
  trials: LazyTrials;
  storage: StorageStore;
  /** Runs that wait for the browser to store their prompt, and the way to send them all the same. */
  held: HeldRuns;
  /** Of a recording: what has passed in it, by which its times count and not by the clock. */
  playhead?: StoreApi<{ atMs: number }>;
  /** The model gets the words of messages without their images. */
  isTextOnly: (model: string) => boolean;
  /** As the gateway listed it when it was last heard. */
  listedModel: (model: string) => ModelRecord | undefined;
  /** What the gateway lists, as it was last heard. */
  heardModels: (models: readonly ModelRecord[]) => void;
  /** What the server says of itself, once it is known. */
  setServer: (status: { requestsPerMinute: number; host?: string; id?: string }) => void;
  /** Returns the id of the current gateway; empty until the server has reported it. */
  gatewayId: () => string;
  /** Restores the opaque fields of stored answers that do not say which gateway wrote them (restored-fields.ts). */
  restoreOpaqueFields: (turnId: TurnId) => Promise<void>;
  /** Rules of the models and the gateway for what a request may hold, as they are now. */
  requestRules: () => RequestRules;
  /** Gives lanes that have no model yet the first one offered, and those of a session without messages that have a demo's. */
  offerModel: (model: string) => void;
  /** Requests go to the demo gateway until this is taken back or the page is left. Lanes without messages start again. */
  chooseDemo: (isDemo: boolean) => void;
}

const loadTrials = preloadableImport(() => import('./trials/trials-store.ts'));

/** Of an insecure origin, where browsers keep Web Locks to themselves. */
const severalTabsSentence =
  'Bench is open in several tabs. Without HTTPS they cannot share the limit of four requests at a time, so each tab has its own.';

/** Puts the app together on this page, over these records; `storage` tells how they are kept, and changes. */
export function createPlayground(
  page: Page,
  opened: RecordStore,
  storage: StorageStore = createStorageState(opened.mode),
): Playground {
  const link = createTabLink(page.openChannel);
  // Whatever is written, the other tabs on the same store hear of it.
  const records = toldRecords(opened, link);
  const environment: Environment = { now: page.now, newId: page.newId };
  const signals = createSignals(page.now);
  const gateway = createGateway({
    onResponse: signals.heardAnswer,
    fetch: page.fetch,
    openSocket: page.openSocket,
    now: page.clock,
    clock: page.now,
    isOnline: page.isOnline,
  });
  let serverLimit = 50;
  let gatewayHost = '';
  let gatewayId = '';
  const getGatewayId = () => (gateway.isDemoMode() ? demoGatewayId : gatewayId);
  const prefs = createPrefsStore(page.storage);
  const limit = () => {
    const own = prefs.getState().requestsPerMinute;
    if (own === undefined || own === 0) return serverLimit;
    return serverLimit === 0 ? own : Math.min(own, serverLimit);
  };
  const router = createRouter(page.address);
  const session = createSessionStore();
  const shownSession = createShownSession(session, page.clock);
  const view = createViewStore();
  const unsaved = createUnsaved();
  const recorder = createRecorder(records, page.clock, unsaved);
  const notices = createNotices();
  const { slots, hold, owners } = createTabLocks(page, link, () =>
    notices.setState({ notice: { tone: 'note', text: severalTabsSentence } }),
  );
  const library = createLibrary(records, environment, owners.held);
  const queue: RunQueue = createRunQueue({
    now: environment.now,
    limit,
    slots: gateway.channel ? createChannelSlots(gateway.channel, slots) : slots,
    storage: page.storage,
  });
  queue.noteSent(prefs.getState().sentAt ?? []);
  const learned = createLearnedModels(records, recorder, prefs.getState, () => ({
    id: getGatewayId(),
    host: gatewayHost,
  }));
  const traces = createTraces();
  // Once the page has had its first minute for itself. A refusal is met again at the next visit.
  setTimeout(() => {
    removeOrphanedImages(records, environment.now).catch(() => undefined);
  }, 60_000);
  let listed: readonly ModelRecord[] = [];
  const listedModel = (model: string) => findModel(listed, model);
  const isListed = (model: string) => listedModel(model) !== undefined;
  const takesWordsOnly = (model: string) => isTextOnly(model, prefs.getState().modelMarks ?? {}, listed);
  const requestRules = (): RequestRules => {
    const id = getGatewayId();
    return {
      isTextOnly: takesWordsOnly,
      getRefusedFields: learned.refusedFields,
      ...(id === '' ? {} : { gatewayId: id }),
    };
  };
  const images = createImages(records, recorder, environment.now);
  /** What lanes had when the demo gateway was chosen. */
  const modelsBefore = new Map<LaneId, string>();
  const changeEmptyLanes = (modelOf: (setup: Setup, laneId: LaneId) => string | undefined) => {
    const data = currentSession(session.getState());
    if (!data || !isEmptySession(data)) return;
    for (const lane of Object.values(data.lanes)) {
      const model = modelOf(lane.setup, lane.id);
      if (model === undefined) continue;
      changeSession(session, data.session.id, (now) =>
        changeLane(now, lane.id, (known) => ({ ...known, setup: { ...known.setup, model } })),
      );
    }
  };
  let pageIsThere = Promise.resolve();
  let comeBack: () => void = () => undefined;
  page.onHide(() => {
    void recorder.flush();
    gateway.channel?.closeAll();
    pageIsThere = new Promise((resolve) => (comeBack = resolve));
  });
  page.onShow(() => comeBack());
  /** What the runs of sessions and of cells have in common. */
  const sending = {
    gateway,
    environment,
    traces,
    nextFrame: page.nextFrame,
    hold,
    pageIsThere: () => pageIsThere,
    requestRules,
    resolveImages: async (body: ChatRequest) =>
      findImageHashes(body.messages).length === 0 ? body : images.resolve(body),
    storeImage: images.putDataUrl,
  };
  const heardOfModel = (run: Run): void => {
    signals.heardFromRun(run);
    const { model } = run.setup;
    if (run.phase.name !== 'failed' && run.firstTokenMs !== undefined)
      learned.learn(model, { firstTokenMs: run.firstTokenMs });
  };
  const driver = createRunDriver({
    ...sending,
    store: session,
    queue,
    recorder,
    onEnd: (run) => {
      heardOfModel(run);
      void actions.askWithoutUsage(run);
      const { model } = run.setup;
      if (run.phase.name !== 'failed') prefs.setState((state) => withAnswerOf(state, model, isListed(model)));
      // What is learned of a model is told and never needed: a run that cannot be read teaches nothing.
      learnFromRun(run, { library, learned, now: environment.now }).catch(() => undefined);
      const data = sessionOfRun(session.getState(), run.id);
      if (!data) return;
      changeSession(session, data.session.id, (now) => ({
        ...now,
        session: { ...now.session, updatedAt: environment.now(), summary: summarizeForHistory(now) },
      }));
      // Once it is stored as it ended.
      queueMicrotask(() => answerCalls(run.id, { session, drafts, actions }));
    },
  });
  const presets = createPresets(records, environment);
  presets.reload().catch(() => undefined);
  learned.reload().catch(() => undefined);
  const others = startTabs({
    link,
    owners,
    records,
    store: session,
    recorder,
    library,
    driver,
    traces,
    environment,
    onOtherChange: (changes) => {
      if (changes.some((change) => change.store === 'presets')) presets.reload().catch(() => undefined);
      if (changes.some((change) => change.store === 'learned')) learned.reload().catch(() => undefined);
      drafts.heard(
        changes.flatMap(({ store, key }) => (store === 'drafts' ? (key.split(' ')[0] ?? []) : [])),
      );
    },
  });
  startAutosave(session, recorder, others.isTakingIn);
  const anyDriver = { ...driver, stop: others.stop };
  const drafts = createDrafts(records, recorder, unsaved);
  keepDrafts(session, drafts);
  keepView(view, drafts, () => session.getState().currentId);
  session.subscribe((state, before) => {
    // What was said before a session was open is not about another one.
    if (before.currentId !== undefined && state.currentId !== before.currentId)
      notices.setState({ notice: undefined });
  });
  const actions = createActions({
    store: session,
    driver: anyDriver,
    recorder,
    library,
    prefs,
    learned,
    isListed,
    router,
    environment,
    view,
    drafts,
    notices,
    isOpening: () => storage.getState().mode === 'opening',
  });
  storage.subscribe((now, before) => {
    if (before.mode === 'opening' && now.mode !== 'opening') {
      library.refresh();
      trials.getTrials()?.notifyChanged();
      presets.reload().catch(() => undefined);
      learned.reload().catch(() => undefined);
      // What was made meanwhile is in the database now: the lists of other tabs have more to show.
      link.send({
        changes: [
          { store: 'sessions', key: '' },
          { store: 'presets', key: '' },
          { store: 'trials', key: '' },
        ],
      });
    }
    // What is open here is all that is left: it is stored again.
    if (now.deletions > before.deletions)
      for (const data of Object.values(session.getState().open))
        for (const write of writesOfSession(data)) recorder.put(keyOf(write), write);
    if (now.deletions > before.deletions) trials.getTrials()?.resaveOpen();
    if (now.isOutdated && !before.isOutdated)
      storage.setState({ lastWrites: recorder.flush({ strict: true }) });
  });

  const trials = createLazyTrials({
    load: async () => {
      const { createTrials } = await loadTrials();
      return createTrials({
        page,
        records,
        queue,
        link,
        library,
        unsaved,
        runs: { ...sending, learned, onEnd: heardOfModel },
        getOpenSession: (id) => {
          const { open, currentId } = session.getState();
          return open[id ?? currentId ?? ''];
        },
        getLastSetup: () => prefs.getState().lastSetup,
        getListedModels: () => listed.map(({ id }) => id),
        offerUndo: actions.offerUndo,
      });
    },
    link,
    locks: page.locks,
  });

  return {
    page,
    gateway,
    signals,
    session,
    shownSession,
    prefs,
    learned,
    router,
    queue,
    recorder,
    unsaved,
    traces,
    view,
    find: createFind(),
    historyView: createHistoryView(),
    inspector: createInspectorStore(),
    library,
    drafts,
    actions,
    presets,
    files: createSessionFiles({
      records,
      library,
      store: session,
      link,
      newId: environment.newId,
      onTrials: () => trials.getTrials()?.notifyChanged(),
      offerUndo: actions.offerUndo,
      startImportWorker: page.startImportWorker,
    }),
    notices,
    openShared: createOpenShared(actions, notices, router),
    images,
    stored: createStoredData({
      records,
      recorder,
      library,
      presets,
      learned,
      prefs,
      session,
      actions,
      eraseVectors: eraseVectorDatabase,
      stopTrials: trials.stopAll,
    }),
    environment,
    lab: createLazyLab(),
    trials,
    storage,
    held: driver,
    isTextOnly: takesWordsOnly,
    listedModel,
    heardModels: (models) => {
      listed = models;
    },
    setServer: ({ requestsPerMinute, host = '', id = '' }) => {
      serverLimit = requestsPerMinute;
      gatewayHost = host;
      gatewayId = id;
      queue.recheck();
      // Before the first message, which would have to wait for it.
      void gateway.channel?.ensureConnected();
    },
    gatewayId: getGatewayId,
    requestRules,
    restoreOpaqueFields: (turnId) =>
      restoreOpaqueFields({ store: session, library, gatewayId: getGatewayId() }, turnId),
    offerModel: (model) => {
      changeEmptyLanes((setup) =>
        setup.model === '' || (setup.model.startsWith('demo/') && !isListed(setup.model)) ? model : undefined,
      );
    },
    chooseDemo: (isDemo) => {
      gateway.setDemoMode(isDemo);
      signals.forget();
      listed = [];
      changeEmptyLanes((setup, laneId) => {
        if (isDemo) modelsBefore.set(laneId, setup.model);
        return isDemo ? '' : (modelsBefore.get(laneId) ?? '');
      });
    },
  };
}
