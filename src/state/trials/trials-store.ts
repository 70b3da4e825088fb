/** Trials of this page: list, search, creation, and open trials. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Snippet } from '../../conversation/files/text-search.ts';
import type { ModelChoice, SessionData, Setup } from '../../conversation/session/types.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { runWhenIdle } from '../../lib/steps.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { hashCheckRule } from '../../trials/checks/score-answer.ts';
import { createTrial } from '../../trials/edit-trial.ts';
import type { TrialDraft } from '../../trials/files/promptfoo/parse-promptfoo-config.ts';
import {
  createStarterTrial,
  pickGatewayModels,
  starterModel,
  type TrialStarter,
} from '../../trials/starters/trial-starters.ts';
import { toColumns } from '../../trials/trial-lanes.ts';
import { parseTrialMessage, type TrialTabMessage } from '../../trials/trial-schemas.ts';
import { findUnknownGateways, type UnknownGateway } from '../../trials/trial-state.ts';
import {
  countCases,
  getColumnModels,
  type Case,
  type Column,
  type Trial,
  type TrialId,
  type TrialState,
} from '../../trials/trial.ts';
import type { UnsavedCounter } from '../drafts/unsaved-counter.ts';
import type { Gateways } from '../gateways.ts';
import type { Page, PageChannel } from '../page.ts';
import { createRecorder } from '../runs/recorder.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { buildSessionWrites } from '../sessions/autosave.ts';
import type { Library } from '../sessions/library.ts';
import type { OfferUndo } from '../sessions/session-store.ts';
import type { TabChannel } from '../tabs/tab-channel.ts';
import type { TrialImportResult } from './repository/trial-files.ts';
import {
  buildTrialDraftWrites,
  buildTrialRemovals,
  openIncrementalTrial,
  readStoredTrial,
  readTrials,
} from './repository/trial-records.ts';
import { readPastStats, searchTrials, type PastStats } from './repository/trial-search.ts';
import { createTrialResults, detachedContext } from './results/trial-results.ts';
import { createScorer } from './results/trial-scores.ts';
import { createGatewayPace, type GatewayPace, type TrialRunDeps } from './runner/cell-runs.ts';
import { openStoredTrial, type OpenTrial, type OpenTrialController } from './store/open-trial.ts';
import type { OpenTrialState, TrialServices } from './store/trial-store.ts';

/** Properties of a trial for lists, available without opening it. */
export interface TrialSummary {
  id: TrialId;
  title: string;
  createdAt: number;
  updatedAt: number;
  state: TrialState;
  cases: number;
  columns: number;
  repeats: number;
  models: string[];
}

export interface Trials {
  /** Returns all trials, newest first. */
  list: () => Promise<TrialSummary[]>;
  /** Increases whenever the list may have changed. */
  changes: StoreApi<{ count: number }>;
  /** Returns the verdict of an open or a stored trial; undefined for a draft. */
  getVerdict: (
    id: TrialId,
  ) => Promise<Pick<OpenTrialState, 'verdict' | 'verdictContext' | 'columnStats'> | undefined>;
  /**
   * Returns the trials that contain every search term in title, prompts, models or cases, with the text that matches
   * the most terms.
   */
  search: (query: string, signal?: AbortSignal) => Promise<Map<TrialId, Snippet | undefined>>;

  /** Creates an empty draft with one column. */
  create: () => Promise<TrialId>;
  createFromStarter: (starter: TrialStarter) => Promise<TrialId>;
  /** Creates a draft with this session's lanes as columns and its last prompt. */
  createFromLanes: (sessionId: string) => Promise<TrialId>;
  /** Creates a draft from an imported configuration. */
  createFromDraft: (draft: TrialDraft) => Promise<TrialId>;
  /** Imports a trial file completely, or rejects it with the faulty line. */
  importFile: (
    text: string,
  ) => Promise<
    | Extract<TrialImportResult, { ok: false }>
    | (Extract<TrialImportResult, { ok: true }> & { unknownGateways: readonly UnknownGateway[] })
  >;

  /**
   * Opens a trial; undefined if it is not stored. Returns the same object while it is open. Rejects if it cannot be
   * read.
   */
  open: (id: TrialId) => Promise<OpenTrial | undefined>;
  rename: (id: TrialId, title: string) => Promise<void>;
  /** Stores a copy with all answers and recordings. */
  duplicate: (id: TrialId) => Promise<void>;
  /** Stops a trial and removes it with its cases, answers, tapes and marks. Can be undone for a while. */
  remove: (id: TrialId) => Promise<void>;
  /** Reports that other code may have changed the list. */
  notifyChanged: () => void;
  /** Stores all open trials again after the database was emptied by another tab or the browser. */
  resaveOpenTrials: () => void;
  /** Stops and closes all trials of this tab before everything is deleted. */
  stopAll: () => Promise<void>;
  /**
   * Closes trials that are neither running nor paused, before their records are replaced while none is on screen.
   * Returns the others.
   */
  releaseIdle: () => Promise<TrialId[]>;
}

export interface TrialsDeps {
  page: Page;
  records: RecordStore;
  gateways: Gateways;
  tabChannel: TabChannel;
  library: Library;
  unsaved: UnsavedCounter;
  runs: TrialRunDeps;
  /** Returns an open session, by default the current one, in its current state in memory. */
  getOpenSession: (id: string | undefined) => SessionData | undefined;
  /** Returns the setup for new sessions. */
  getLastSetup: () => Setup | undefined;
  offerUndo: OfferUndo;
}

const loadPromptfoo = createPreloadableImport(
  () => import('../../trials/files/promptfoo/parse-promptfoo-config.ts'),
);
const loadTrialFiles = createPreloadableImport(() => import('./repository/trial-files.ts'));

const maxSeed = 10_000;
const emptyPrompt: Trial['messages'] = [{ role: 'user', content: '' }];

export function createTrials(deps: TrialsDeps): Trials {
  const { page, records, gateways, library } = deps;
  const recorder = createRecorder(records, page.clock, deps.unsaved);
  const changes = createStore(() => ({ count: 0 }));
  const openTrials = new Map<TrialId, Promise<OpenTrialController | undefined>>();
  const hiddenIds = new Set<TrialId>();
  let pastStats: PastStats = { byModel: new Map(), pairsByCheck: new Map() };
  let quotaBytes: number | undefined;
  const channel: PageChannel | undefined = page.openChannel('bench-trials');
  const notifyChanged = () => changes.setState(({ count }) => ({ count: count + 1 }));

  page
    .getQuotaBytes?.()
    .then((bytes) => (quotaBytes = bytes))
    .catch(() => undefined);
  const pastStatsPromise = readPastStats(records, library, gateways.getModelKey).then(
    (stats) => (pastStats = stats),
    () => undefined,
  );
  page.onHide(() => {
    void recorder.flush();
  });
  channel?.onMessage((data) => {
    const message = parseTrialMessage(data);
    if (message) void openTrials.get(message.trialId)?.then((trial) => trial?.onTabMessage(message));
  });
  deps.tabChannel.onMessage((message) => {
    if ('asks' in message && message.asks === 'stop trials') void stopAll();
    if ('changes' in message && message.changes.some(({ store }) => store === 'trials')) notifyChanged();
  });

  const createSeed = (): number => {
    // Derived from a random ID, so no other source of randomness is needed.
    const id = page.newId();
    return Array.from(id).reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % maxSeed, 7);
  };

  const getEnvironment = () => ({ now: page.now, newId: page.newId, seed: createSeed() });
  const createColumn = (setup: Setup): Column => ({ id: page.newId(), setup });

  const getListedModels = () => gateways.getServices().models.map(({ id }) => id);
  const getFirstSetup = (): Setup => ({
    model: getListedModels()[0] ?? '',
    params: defaultParams,
    ...deps.getLastSetup(),
    system: '',
  });

  function listStarterModels(): ModelChoice[] {
    const models = getListedModels();
    const isDemo = models.length === 0 || models.includes(starterModel);
    return (isDemo ? [starterModel] : models).map((model) => ({ model }));
  }

  /** Returns a model of each of the first two gateways. A list that cannot be loaded counts as empty. */
  async function listGatewayModels(): Promise<ModelChoice[]> {
    const names = gateways.statuses
      .getState()
      .slice(0, 2)
      .map(({ name }) => gateways.resolveName(name));
    const lists = await Promise.all(
      names.map(async (name) => {
        const { models } = gateways.getServices(name);
        if (models.length > 0) return { name, models };
        const list = await gateways
          .getClient(name)
          .listModels()
          .catch(() => undefined);
        if (list) gateways.setListedModels(list.models, name);
        return { name, models: list?.models ?? [] };
      }),
    );
    return pickGatewayModels(lists);
  }

  async function storeDraft(trial: Trial, cases: readonly Case[]): Promise<TrialId> {
    await records.write(buildTrialDraftWrites(trial, cases), { strict: true });
    notifyChanged();
    return trial.id;
  }

  async function getLaneColumns(id: string | undefined): Promise<ReturnType<typeof toColumns>> {
    const data = deps.getOpenSession(id) ?? (id === undefined ? undefined : (await library.load(id))?.data);
    if (!data) throw new Error('This session is not stored in this browser.');
    return toColumns(data);
  }

  const paces = new Map<RunQueue, GatewayPace>();
  const getPace = (gatewayName?: string): GatewayPace => {
    const queue = gateways.getQueue(gatewayName);
    const pace = paces.get(queue) ?? createGatewayPace({ queue, now: page.now });
    paces.set(queue, pace);
    return pace;
  };

  const services: TrialServices = {
    page,
    records,
    recorder,
    getPace,
    runs: deps.runs,
    scorer: createScorer(page.startScoreWorker),
    readTape: library.readTape,
    gateways,
    getPastStats: (choice) => pastStats.byModel.get(gateways.getModelKey(choice)),
    getPastPairs: (check) => pastStats.pairsByCheck.get(hashCheckRule(check)),
    getQuotaBytes: () => quotaBytes,
    getFirstSetup,
    getLaneColumns,
    storeSession: async ({ data, tapes }) => {
      const tapeWrites = [...tapes]
        .filter(([, entries]) => entries.length > 0)
        .map(([runId, entries]): Write => ({ store: 'tapes', put: { runId, firstSeq: 0, entries } }));
      await records.write([...buildSessionWrites(data), ...tapeWrites], { strict: true });
      library.notifyChanged();
    },
    storeDraft,
    send: (message) => channel?.post(message),
    trackUnsaved: deps.unsaved.trackWrite,
    onListChange: notifyChanged,
  };

  async function openTrial(id: TrialId): Promise<OpenTrialController | undefined> {
    const [incrementalTrial] = await Promise.all([openIncrementalTrial(records, id), pastStatsPromise]);
    // Opening the trial again creates another object; a closed one must not resume the trial when the tab that runs it
    // closes.
    const trial =
      incrementalTrial && openStoredTrial(incrementalTrial, services, () => openTrials.delete(id));
    await trial?.start();
    return trial;
  }

  async function stopAll(): Promise<void> {
    const pendingTrials = [...openTrials.values()];
    openTrials.clear();
    for (const trial of await Promise.all(pendingTrials)) {
      await trial?.stop();
      trial?.close();
    }
    await recorder.flush();
    notifyChanged();
  }

  return {
    list: async () => {
      await recorder.flush();
      return (await readTrials(records))
        .filter(({ id }) => !hiddenIds.has(id))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .map(summarizeTrial);
    },
    changes,
    notifyChanged,
    resaveOpenTrials: () => {
      for (const pendingTrial of openTrials.values())
        pendingTrial.then(
          (trial) => trial?.resave(),
          () => undefined,
        );
      notifyChanged();
    },
    getVerdict: async (id) => {
      const loadedTrial = await openTrials.get(id);
      if (loadedTrial) {
        await loadedTrial.whenLoaded();
        const state = loadedTrial.state.getState();
        return state.trial.plan && state;
      }
      const incrementalTrial = await openIncrementalTrial(records, id);
      if (!incrementalTrial?.stored.trial.plan) return undefined;
      const { stored: storedTrial } = incrementalTrial;
      const results = createTrialResults();
      results.rebuild(storedTrial);
      for (
        let newCells = await incrementalTrial.loadMore();
        newCells;
        newCells = await incrementalTrial.loadMore()
      )
        results.updateCells(storedTrial, newCells);
      return runWhenIdle(results.computeTotals(storedTrial, detachedContext), page);
    },
    search: async (query, signal) => {
      await recorder.flush();
      const visibleTrials = (await readTrials(records)).filter(({ id }) => !hiddenIds.has(id));
      return searchTrials(records, visibleTrials, query, signal);
    },
    create: () => storeDraft(createTrial([createColumn(getFirstSetup())], emptyPrompt, getEnvironment()), []),
    createFromStarter: async (starter) => {
      const models = starter.isAcrossGateways ? await listGatewayModels() : listStarterModels();
      const { trial, cases } = await createStarterTrial(starter, models, getEnvironment());
      return storeDraft(trial, cases);
    },
    createFromLanes: async (sessionId) => {
      const { columns, messages } = await getLaneColumns(sessionId);
      const prompt = messages.length > 0 ? messages : emptyPrompt;
      return storeDraft(
        createTrial(
          columns.map(({ setup }) => createColumn(setup)),
          prompt,
          getEnvironment(),
        ),
        [],
      );
    },
    createFromDraft: async (draft) => {
      const { createTrialFromDraft } = await loadPromptfoo();
      const { trial, cases } = await createTrialFromDraft(draft, getEnvironment());
      return storeDraft(trial, cases);
    },
    importFile: async (text) => {
      const { importTrialFile } = await loadTrialFiles();
      const result = await importTrialFile(records, text.split('\n'), page.newId);
      if (!result.ok) return result;
      notifyChanged();
      return { ...result, unknownGateways: findUnknownGateways(result.columns, gateways.isUnknown) };
    },
    open: async (id) => {
      const existing = openTrials.get(id);
      if (existing) return existing;
      const pendingTrial = openTrial(id);
      openTrials.set(id, pendingTrial);
      pendingTrial.then(
        (trial) => trial || openTrials.delete(id),
        () => openTrials.delete(id),
      );
      return pendingTrial;
    },
    rename: async (id, title) => {
      const loadedTrial = await openTrials.get(id);
      if (loadedTrial) loadedTrial.edit({ title });
      else {
        await records.write([{ store: 'trials', change: { id, title, titled: true } }]);
        // A tab that has the trial open will store its own copy again, so it must receive the new title.
        channel?.post({ trialId: id, title } satisfies TrialTabMessage);
      }
      notifyChanged();
    },
    duplicate: async (id) => {
      await (await openTrials.get(id))?.whenSaved();
      await recorder.flush();
      const { duplicateTrial } = await loadTrialFiles();
      await duplicateTrial({ records, readTape: library.readTape }, id, page.newId);
      notifyChanged();
    },
    remove: async (id) => {
      const loadedTrial = await openTrials.get(id);
      await loadedTrial?.stop();
      await loadedTrial?.whenSaved();
      const title =
        loadedTrial?.state.getState().trial.title ?? (await readStoredTrial(records, id))?.trial.title;
      openTrials.delete(id);
      hiddenIds.add(id);
      notifyChanged();
      deps.offerUndo(
        `Deleted “${getDisplayTitle(title ?? 'the trial')}”.`,
        () => {
          hiddenIds.delete(id);
          notifyChanged();
        },
        () => {
          if (!hiddenIds.has(id)) return;
          // A trial that could not be removed appears in the list again.
          void buildTrialRemovals(records, id)
            .then((writes) => records.write(writes, { strict: true }))
            .catch(() => undefined)
            .then(() => {
              hiddenIds.delete(id);
              notifyChanged();
            });
        },
      );
    },
    stopAll,
    releaseIdle: async () => {
      const busyIds: TrialId[] = [];
      for (const [id, pendingTrial] of openTrials) {
        const trial = await pendingTrial.catch(() => undefined);
        const name = trial?.state.getState().trial.state.name;
        if (name === 'running' || name === 'paused') busyIds.push(id);
        else {
          await trial?.whenSaved();
          trial?.close();
          openTrials.delete(id);
        }
      }
      return busyIds;
    },
  };
}

function summarizeTrial(trial: Trial): TrialSummary {
  const { id, title, createdAt, updatedAt, state, columns, repeats } = trial;
  return {
    id,
    title,
    createdAt,
    updatedAt,
    state,
    cases: countCases(trial),
    columns: columns.length,
    repeats,
    models: getColumnModels(trial),
  };
}
