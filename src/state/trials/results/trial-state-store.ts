/** Visible state of an open trial. Recomputed shortly after each change, for large trials in slices. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { runToCompletion, waitForIdle, runWhenIdle } from '../../../lib/steps.ts';
import type { Page } from '../../page.ts';
import type { OpenTrialState, TrialNotice } from '../open-trial.ts';
import type { IncrementalTrial } from '../trial-records.ts';
import type { TrialResults, ResultContext, TrialData, ResultTotals } from './trial-results.ts';

export interface TrialStateStore {
  state: StoreApi<OpenTrialState>;
  /** Schedules an update after a change. */
  scheduleUpdate: () => void;
  /** Updates the state immediately, including all totals. */
  updateNow: () => void;
  /** Returns true once all cells are in memory and counted. */
  isComplete: () => boolean;
  /** Reads the cells beyond the first screen, then counts all of them. */
  loadRest: () => Promise<void>;
  addNotice: (text: string, tone?: TrialNotice['tone']) => void;
  dismissNotice: (noticeId: string) => void;
  close: () => void;
}

interface TrialStateStoreDeps {
  incrementalTrial: IncrementalTrial;
  results: TrialResults;
  getData: () => TrialData;
  getContext: () => ResultContext;
  /** Returns the part of the state that is not computed from results. */
  getOtherState: () => Omit<OpenTrialState, keyof ResultTotals | 'loading' | 'changeCount' | 'notices'>;
  page: Pick<Page, 'clock' | 'runInNextFrame' | 'whenIdle'>;
  /** Called after each update. */
  onUpdated: (state: OpenTrialState) => void;
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

export function createTrialStateStore(deps: TrialStateStoreDeps): TrialStateStore {
  const { incrementalTrial, results, getData, getContext, getOtherState, page } = deps;
  const { cells } = incrementalTrial.stored;
  /** Remaining loading phase, before totals are available. */
  let loading: OpenTrialState['loading'] = incrementalTrial.isComplete()
    ? undefined
    : { name: 'reading', answers: cells.size };
  let changeCount = 0;
  let isStale = false;
  let updateCostMs = 0;
  let isCounting = false;
  let isClosed = false;
  let noticeCount = 0;

  /** Totals are never computed from only some of the cells. */
  const computeCurrentTotals = (): ResultTotals =>
    loading
      ? results.computeOutline(getData(), getContext())
      : runToCompletion(results.computeTotals(getData(), getContext()));

  function createSnapshot(totals: ResultTotals): Omit<OpenTrialState, 'notices'> {
    changeCount += 1;
    return { ...totals, ...getOtherState(), loading, changeCount };
  }

  const state = createStore<OpenTrialState>(() => ({
    ...createSnapshot(computeCurrentTotals()),
    notices: [],
  }));

  function publish(totals: ResultTotals): void {
    state.setState(createSnapshot(totals));
    deps.onUpdated(state.getState());
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

  return {
    state,
    scheduleUpdate,
    updateNow,
    isComplete: () => loading === undefined,
    loadRest,
    addNotice: (text, tone = 'note') => {
      noticeCount += 1;
      const notice = { id: String(noticeCount), tone, text };
      state.setState(({ notices }) => ({ notices: [...notices, notice] }));
    },
    dismissNotice: (noticeId) =>
      state.setState(({ notices }) => ({ notices: notices.filter(({ id }) => id !== noticeId) })),
    close: () => {
      isClosed = true;
    },
  };
}
