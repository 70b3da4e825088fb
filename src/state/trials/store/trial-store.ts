/**
 * Store of an open trial: its records in memory, the results computed from them, and the state on screen. Every change
 * of the trial goes through it. Large trials are read and counted in slices.
 */
import { isEqual } from 'es-toolkit';
import { createStore, type StoreApi } from 'zustand/vanilla';

import { getPriceLookup } from '../../../conversation/reply/cost.ts';
import type { ModelChoice, Setup } from '../../../conversation/session/types.ts';
import { formatError } from '../../../lib/format-error.ts';
import { runToCompletion, waitForIdle, runWhenIdle } from '../../../lib/steps.ts';
import type { RecordStore, Write } from '../../../storage/record-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { isSent } from '../../../trials/cell.ts';
import type { UsageSum } from '../../../trials/trial-cost.ts';
import type { buildCaseSession, toColumns } from '../../../trials/trial-lanes.ts';
import type { ColumnContext, PastAnswerStats } from '../../../trials/trial-plan.ts';
import type { HeartbeatRecord, TrialTabMessage } from '../../../trials/trial-schemas.ts';
import type { Case, CaseId, Cell, CellKey, ColumnId, LiveCell, Mark, Trial } from '../../../trials/trial.ts';
import { isDecided } from '../../../trials/verdict.ts';
import type { Gateways } from '../../gateways.ts';
import type { Page } from '../../page.ts';
import type { Recorder } from '../../runs/recorder.ts';
import {
  buildAllCaseWrites,
  buildAllCellWrites,
  readStoredTrial,
  type CellData,
  type IncrementalTrial,
  type TrialData,
} from '../repository/trial-records.ts';
import {
  createTrialResults,
  type ResultContext,
  type ResultTotals,
  type TrialResults,
  type TrialCosts,
} from '../results/trial-results.ts';
import type { Scorer } from '../results/trial-scores.ts';
import type { GatewayPace, PaceStatus, TrialRunDeps } from '../runner/cell-runs.ts';

/** Services shared by all trials of a tab. */
export interface TrialServices {
  page: Page;
  records: RecordStore;
  recorder: Recorder;
  /** Returns the pace of a gateway, by default of the first one. */
  getPace: (gatewayName?: string) => GatewayPace;
  gateways: Pick<Gateways, 'resolveName' | 'isUnknown' | 'getStatus' | 'statuses' | 'priceSources'>;
  runs: TrialRunDeps;
  scorer: Scorer;
  readTape: (runId: string) => Promise<CellData['tape']>;
  getPastStats: (choice: ModelChoice) => PastAnswerStats | undefined;
  getPastPairs: ResultContext['getPastPairs'];
  getQuotaBytes: () => number | undefined;
  /** Returns the setup of a new column if there is none to copy. */
  getFirstSetup: () => Setup;
  getLaneColumns: (sessionId: string | undefined) => Promise<ReturnType<typeof toColumns>>;
  /** Stores a session, which can then be opened. */
  storeSession: (caseSession: ReturnType<typeof buildCaseSession>) => Promise<void>;
  /** Stores a draft and resolves with its ID. */
  storeDraft: (trial: Trial, cases: readonly Case[]) => Promise<string>;
  /** Sends a message to the other tabs. */
  send: (message: TrialTabMessage) => void;
  /** Counts pending data as unsaved until the returned function is called. */
  trackUnsaved: () => () => void;
  onListChange: () => void;
}

/**
 * Maps keep their identity while the trial is open and are changed in place. Select values inside them
 * (`state.cells.get(name)`), or select `changeCount` as well, which increases with every change.
 */
export interface OpenTrialState extends ResultTotals {
  trial: Trial;
  /** All cases by ID, including retired ones. */
  cases: ReadonlyMap<CaseId, Case>;
  /** Cells that have ended by `getCellId`, including those of retired cases and columns. */
  cells: ReadonlyMap<string, Cell>;
  /** Cells in progress in any tab, by `getCellId`. */
  liveCells: ReadonlyMap<string, LiveCell>;
  /** Marks by `getCellId`. */
  marks: ReadonlyMap<string, Mark>;
  changeCount: number;
  /**
   * Set until all answers have been read and counted. Until then, `cells` has only the first rows and new cells, and no
   * totals are shown.
   */
  loading: { name: 'reading' | 'counting'; answers: number } | undefined;
  runnerStatus: RunnerStatus;
  /** Paces of the gateways that the columns use, in column order. */
  paces: readonly ColumnGatewayPace[];
  /** Number of cells waiting to be re-scored. */
  rescoringCount: number;
  /** Notices, newest last, each shown until it is dismissed. */
  notices: readonly TrialNotice[];
}

export interface ColumnGatewayPace extends PaceStatus {
  /** Name of the gateway on screen; empty if the server has only one gateway. */
  label: string;
}

/** `counting down`: this page resumes the trial at that time (epoch milliseconds). */
export type RunnerStatus =
  | { name: 'nobody' | 'here' | 'another tab' }
  | { name: 'counting down'; resumeAt: number };

export interface TrialNotice {
  id: string;
  tone: 'note' | 'problem';
  text: string;
}

export interface TrialStore {
  state: StoreApi<OpenTrialState>;
  getTrial: () => Trial;
  cases: Map<CaseId, Case>;
  /** Cells by `getCellId`. */
  cells: Map<string, Cell>;
  marks: Map<string, Mark>;
  /**
   * Updates the trial on screen, stores it and notifies other tabs. `shouldRecount`: cases, columns, repeats or checks have
   * changed, so all results are updated in the same step.
   */
  setTrial: (nextTrial: Trial, shouldRecount?: boolean) => void;
  /** Like `setTrial`; resolves when the trial is on disk. */
  saveTrial: (nextTrial: Trial) => Promise<void>;
  /** Updates the trial on screen with a version that another tab has stored. */
  receiveTrial: (nextTrial: Trial) => void;
  /** Removes cases that the trial no longer lists, either as active or as retired. */
  removeUnlistedCases: () => void;
  /** Reports cells that have ended, were re-scored or were marked; they are stored or about to be. */
  notifyCells: (keys: readonly CellKey[]) => void;
  /** Reports cells that another tab has stored or marked. */
  receiveCells: (keys: readonly CellKey[]) => void;
  /** Recomputes all results after changes to cases, columns, repeats or checks. */
  recountAll: () => void;
  /** Reports any other change of the state. */
  notify: () => void;
  /** Writes all records in one transaction with those of the same task. They take precedence over earlier puts. */
  write: (writes: readonly Write[]) => void;
  getRunnerStatus: () => RunnerStatus;
  setRunnerStatus: (status: RunnerStatus) => void;
  /** Sets the cells in progress in this tab, or in the tab that runs the trial. */
  setLiveCells: (liveCells: readonly LiveCell[], tab: 'here' | 'another tab') => void;
  /** Returns true if this tab stores cells: it runs the trial, or no tab does and this one edits it. */
  ownsCells: () => boolean;
  setRescoringCount: (count: number) => void;
  /** Returns the tokens of a column's cells and of its requests that are not in a cell. */
  getUsage: (columnId: ColumnId) => UsageSum;
  /** Returns the costs so far, including all cells reported until now. */
  getCosts: () => TrialCosts;
  getColumnContext: (choice: ModelChoice) => ColumnContext;
  /** Calls the listener after updates in which every comparison has a result, if the trial should then stop. */
  onDecided: (listener: () => void) => void;
  /** Returns true if the visible results include this case. */
  isCounted: TrialResults['isCounted'];
  /** Returns true once all cells are in memory and counted; until then, missing cells may be stored. */
  isComplete: () => boolean;
  /** Returns true while the remaining cells are being read, unless that has failed. */
  isLoading: () => boolean;
  /** Reads and counts all remaining cells, then starts the trial. */
  load: (start: () => Promise<void>) => void;
  /** Resolves when all cells have been read and counted and the trial has started; rejects if that fails. */
  whenLoaded: () => Promise<void>;
  /** Reads the trial again after another tab may have changed it. Returns its heartbeat. */
  reload: () => Promise<HeartbeatRecord | undefined>;
  /** Stores everything again after the database was emptied by another tab or the browser. */
  resave: () => void;
  addNotice: (text: string, tone?: TrialNotice['tone']) => void;
  dismissNotice: (noticeId: string) => void;
  close: () => void;
}

/** Number of cells from which a trial is counted in slices, so that the page stays responsive. */
const minCellsForSlicing = 4096;
/**
 * Maximum update duration in ms at which each update runs immediately; slower updates run less often to keep typing
 * responsive.
 */
const maxCheapUpdateMs = 8;
/** Interval in ms of progress updates while reading. */
const progressIntervalMs = 1000;

export function createTrialStore(incrementalTrial: IncrementalTrial, services: TrialServices): TrialStore {
  const { records, recorder, page, getPace, gateways } = services;
  const { cases, cells, marks } = incrementalTrial.stored;
  let { trial } = incrementalTrial.stored;
  const trialId = trial.id;
  const results = createTrialResults();
  const liveCells = new Map<string, LiveCell>();
  const liveCellsByTab: Record<'here' | 'another tab', readonly LiveCell[]> = { here: [], 'another tab': [] };
  let runnerStatus: RunnerStatus = { name: 'nobody' };
  let rescoringCount = 0;
  let handleDecided: () => void = () => undefined;
  let changedCells: CellKey[] = [];
  let writeCount = 0;
  /** Remaining loading phase, before totals are available. */
  let loading: OpenTrialState['loading'] = incrementalTrial.isComplete()
    ? undefined
    : { name: 'reading', answers: cells.size };
  let loadPromise = Promise.resolve();
  /** True if some records could not be read. */
  let hasLoadFailed = false;
  let changeCount = 0;
  let isStale = false;
  let updateCostMs = 0;
  let isCounting = false;
  let isClosed = false;
  let noticeCount = 0;

  const getData = (): TrialData => ({ trial, cases, cells, marks });
  const isComplete = (): boolean => loading === undefined;

  function getContext(): ResultContext {
    return {
      slots: getPace().getStatus().slots,
      inFlight: [...liveCells.values()].filter(isSent).length,
      getColumnContext,
      isUnknownGateway: gateways.isUnknown,
      quotaBytes: services.getQuotaBytes(),
      getPastPairs: services.getPastPairs,
    };
  }

  function getColumnContext({ model, gateway }: ModelChoice): ColumnContext {
    const name = gateways.resolveName(gateway);
    const choice = name === undefined ? { model } : { model, gateway: name };
    return {
      gateway: gateways.getStatus(name)?.name ?? name ?? '',
      perMinute: getPace(name).getStatus().perMinute,
      pastStats: services.getPastStats(choice),
      price: getPriceLookup(gateways.priceSources.getState())(choice),
    };
  }

  function getPaces(): ColumnGatewayPace[] {
    const names = new Set(trial.columns.map(({ setup }) => gateways.resolveName(setup.gateway)));
    const hasSeveralGateways = gateways.statuses.getState().length > 1;
    return [...names].map((name) => ({
      ...getPace(name).getStatus(),
      label: hasSeveralGateways ? (gateways.getStatus(name)?.label ?? name ?? '') : '',
    }));
  }

  function refreshLiveCells(): void {
    liveCells.clear();
    for (const cell of liveCellsByTab[runnerStatus.name === 'another tab' ? 'another tab' : 'here'])
      liveCells.set(getCellId(cell), cell);
  }

  /** Totals are never computed from only some of the cells. */
  const computeCurrentTotals = (): ResultTotals =>
    loading
      ? results.computeOutline(getData(), getContext())
      : runToCompletion(results.computeTotals(getData(), getContext()));

  function createSnapshot(totals: ResultTotals): Omit<OpenTrialState, 'notices'> {
    changeCount += 1;
    const paces = getPaces();
    return { ...totals, ...getData(), liveCells, runnerStatus, paces, rescoringCount, loading, changeCount };
  }

  results.rebuild(getData());
  const state = createStore<OpenTrialState>(() => ({
    ...createSnapshot(computeCurrentTotals()),
    notices: [],
  }));

  // Prices, limits and names arrive after the trial has been opened.
  const unsubscribes = [
    gateways.priceSources.subscribe(scheduleUpdate),
    gateways.statuses.subscribe(scheduleUpdate),
  ];

  function publish(totals: ResultTotals): void {
    state.setState(createSnapshot(totals));
    broadcastChanges();
    const { verdict } = state.getState();
    if (trial.stopWhenDecided && trial.state.name === 'running' && verdict && isDecided(verdict))
      handleDecided();
  }

  function broadcastChanges(): void {
    if (runnerStatus.name !== 'here') return;
    const broadcastCells = changedCells.flatMap((key) => cells.get(getCellId(key)) ?? []);
    changedCells = [];
    services.send({ trialId, cells: broadcastCells, live: [...liveCellsByTab.here] });
  }

  function updateNow(): void {
    isStale = false;
    const startMs = page.clock();
    publish(computeCurrentTotals());
    updateCostMs = page.clock() - startMs;
  }

  function scheduleUpdate(): void {
    if (isStale) return;
    isStale = true;
    const updateIfStale = () => {
      if (!isStale) return;
      if (loading === undefined && cells.size >= minCellsForSlicing) void updateInSlices();
      else updateNow();
    };
    if (updateCostMs > maxCheapUpdateMs) setTimeout(updateIfStale, 8 * updateCostMs);
    else page.runInNextFrame(updateIfStale);
  }

  async function updateInSlices(): Promise<void> {
    // Changes in the meantime are shown afterwards.
    if (isCounting) return;
    isCounting = true;
    isStale = false;
    const startMs = page.clock();
    const changeCountBefore = changeCount;
    const totals = await countInSlices();
    isCounting = false;
    // About half of the time was spent waiting.
    updateCostMs = (page.clock() - startMs) / 2;
    const wasStale = isStale;
    isStale = false;
    // If another state was published in the meantime, that state is newer.
    if (changeCount === changeCountBefore && !isClosed) publish(totals);
    if (wasStale) scheduleUpdate();
  }

  /** Counts in slices and starts again if the trial changes in the meantime. */
  async function countInSlices(): Promise<ResultTotals> {
    for (;;) {
      const { trial } = getData();
      const totals = await runWhenIdle(results.computeTotals(getData(), getContext()), page);
      if (getData().trial === trial || isClosed) return totals;
    }
  }

  async function loadRest(): Promise<void> {
    let lastProgressMs = page.clock();
    let sliceEndMs = 0;
    for (;;) {
      if (page.clock() >= sliceEndMs) sliceEndMs = page.clock() + (await waitForIdle(page.whenIdle));
      const receivedKeys = await incrementalTrial.loadMore();
      if (!receivedKeys || isClosed) break;
      results.updateCells(getData(), receivedKeys);
      loading = { name: 'reading', answers: cells.size };
      if (page.clock() - lastProgressMs < progressIntervalMs) continue;
      lastProgressMs = page.clock();
      updateNow();
    }
    loading = { name: 'counting', answers: cells.size };
    updateNow();
    const totals = await countInSlices();
    loading = undefined;
    if (!isClosed) publish(totals);
  }

  function setTrial(next: Trial, shouldRecount = false): void {
    const hasNewState = next.state !== trial.state;
    trial = next;
    recorder.put(`trials ${trialId}`, { store: 'trials', put: trial });
    services.send({ trialId, trial });
    if (shouldRecount) results.rebuild(getData());
    if (!hasNewState && !shouldRecount) {
      state.setState({ trial });
      scheduleUpdate();
      return;
    }
    // Updated immediately with all totals, so that a finished trial is never shown without its last answer.
    updateNow();
    if (hasNewState) services.onListChange();
  }

  function receiveCells(keys: readonly CellKey[]): void {
    results.updateCells(getData(), keys);
    scheduleUpdate();
  }

  function recountAll(): void {
    results.rebuild(getData());
    scheduleUpdate();
  }

  function removeUnlistedCases(): void {
    const listedIds = new Set(trial.batches.flatMap(({ caseIds }) => caseIds));
    for (const caseId of cases.keys()) if (!listedIds.has(caseId)) cases.delete(caseId);
  }

  function write(writes: readonly Write[]): void {
    writeCount += 1;
    writes.forEach((entry, index) => recorder.put(`${trialId} ${writeCount} ${index}`, entry));
  }

  function addNotice(text: string, tone: TrialNotice['tone'] = 'note'): void {
    noticeCount += 1;
    const notice = { id: String(noticeCount), tone, text };
    state.setState(({ notices }) => ({ notices: [...notices, notice] }));
  }

  return {
    state,
    getTrial: () => trial,
    cases,
    cells,
    marks,
    setTrial,
    saveTrial: async (next) => {
      // The first run fixes the groups, whose cases are then next to each other in the order.
      setTrial(next, next.batches !== trial.batches);
      await recorder.flush({ strict: true });
      const { message } = recorder.problem.getState();
      if (message !== undefined)
        throw new Error(`Could not save the trial. The browser reported: ${message}`);
    },
    removeUnlistedCases,
    receiveTrial: (next) => {
      const { batches } = trial;
      trial = next;
      removeUnlistedCases();
      // Cell blocks follow the positions of cases, which have changed.
      if (runnerStatus.name === 'here' && !isEqual(batches, trial.batches))
        write(buildAllCellWrites(trial, cells));
    },
    notifyCells: (keys) => {
      changedCells.push(...keys);
      receiveCells(keys);
    },
    receiveCells,
    recountAll,
    notify: scheduleUpdate,
    write,
    getRunnerStatus: () => runnerStatus,
    setRunnerStatus: (status) => {
      runnerStatus = status;
      refreshLiveCells();
      updateNow();
    },
    setLiveCells: (nextCells, tab) => {
      liveCellsByTab[tab] = nextCells;
      refreshLiveCells();
      scheduleUpdate();
    },
    ownsCells: () => runnerStatus.name !== 'another tab',
    getUsage: (columnId) => results.getUsage(trial, columnId),
    getCosts: () => results.computeCosts(trial, getColumnContext),
    getColumnContext,
    setRescoringCount: (count) => (rescoringCount = count),
    onDecided: (listener) => (handleDecided = listener),
    isCounted: results.isCounted,
    isComplete,
    isLoading: () => !isComplete() && !hasLoadFailed,
    load: (start) => {
      loadPromise = loadRest().then(start);
      loadPromise.catch((error: unknown) => {
        hasLoadFailed = true;
        const message = 'Could not load all answers of this trial. Nothing was changed. Reopen the trial.';
        addNotice(`${message} ${formatError(error)}`, 'problem');
      });
    },
    whenLoaded: () => loadPromise,
    reload: async () => {
      await recorder.flush();
      const latestTrial = await readStoredTrial(records, trialId);
      if (!latestTrial) return undefined;
      trial = latestTrial.trial;
      replaceEntries(cases, latestTrial.cases);
      replaceEntries(cells, latestTrial.cells);
      replaceEntries(marks, latestTrial.marks);
      liveCellsByTab['another tab'] = [];
      refreshLiveCells();
      recountAll();
      return latestTrial.heartbeat;
    },
    resave: () =>
      write([
        { store: 'trials', put: trial },
        ...buildAllCaseWrites(trial, cases),
        ...buildAllCellWrites(trial, cells),
        ...[...marks.values()].map((mark): Write => ({ store: 'marks', put: mark })),
      ]),
    addNotice,
    dismissNotice: (noticeId) =>
      state.setState(({ notices }) => ({ notices: notices.filter(({ id }) => id !== noticeId) })),
    close: () => {
      isClosed = true;
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

/** Replaces the entries of a map and keeps its identity. */
function replaceEntries<K, V>(target: Map<K, V>, source: ReadonlyMap<K, V>): void {
  target.clear();
  for (const [key, value] of source) target.set(key, value);
}
