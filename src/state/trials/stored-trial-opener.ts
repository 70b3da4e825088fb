/** Opens a trial: connects its records, state, runner and edits, and notifies other tabs. */
import { isEqual } from 'es-toolkit';

import type { Setup } from '../../conversation/session/types.ts';
import { formatError } from '../../lib/format-error.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { getCellId } from '../../trials/case-order.ts';
import type { PastAnswerStats } from '../../trials/trial-plan.ts';
import type { HeartbeatRecord } from '../../trials/trial-schemas.ts';
import type { Case, CellKey, Trial } from '../../trials/trial.ts';
import { isDecided } from '../../trials/verdict.ts';
import type { Page } from '../page.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { createTrialLock } from '../tabs/trial-lock.ts';
import { createCellReader } from './cell-reader.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import { isSent, type CellData, type LiveCell, type OpenTrial } from './open-trial.ts';
import { createTrialResults, type ResultContext, type TrialData } from './results/trial-results.ts';
import { createTrialStateStore } from './results/trial-state-store.ts';
import type { GatewayPace } from './running/cell-pacer.ts';
import { createTrialRunner, type TrialRunnerDeps } from './running/trial-runner.ts';
import type { Scorer } from './scoring/scorer.ts';
import { createTrialScores } from './scoring/trial-scores.ts';
import { createTrialActions } from './trial-actions.ts';
import { createTrialEdits, removeUnlistedCases } from './trial-edits.ts';
import type { toColumns, buildCaseSession } from './trial-lanes.ts';
import {
  buildAllCaseWrites,
  buildAllCellWrites,
  readStoredTrial,
  type IncrementalTrial,
} from './trial-records.ts';
import { recoverRuns } from './trial-recovery.ts';
import { applyTrialMessage, type TrialTabMessage } from './trial-tab-messages.ts';

export interface TrialOpenerDeps {
  records: RecordStore;
  recorder: Recorder;
  queue: RunQueue;
  gatewayPace: GatewayPace;
  page: Page;
  runs: TrialRunnerDeps['runs'];
  scorer: Scorer;
  readTape: (runId: string) => Promise<CellData['tape']>;
  getPastStats: (model: string) => PastAnswerStats | undefined;
  getQuotaBytes: () => number | undefined;
  getFirstSetup: () => Setup;
  send: (message: TrialTabMessage) => void;
  /** Stores a session, which can then be opened. */
  storeSession: (caseSession: ReturnType<typeof buildCaseSession>) => Promise<void>;
  getLaneColumns: (sessionId: string | undefined) => Promise<ReturnType<typeof toColumns>>;
  /** Stores a draft based on this trial; resolves when it is stored. */
  storeDraft: (trial: Trial, cases: readonly Case[]) => Promise<void>;
  trackUnsaved: () => () => void;
  onListChange: () => void;
  onRelease: () => void;
}

export interface OpenTrialController extends OpenTrial {
  onTabMessage: (message: TrialTabMessage) => void;
  /** Starts the opened trial: recovers runs of a closed tab, and resumes or pauses a trial that was running. */
  start: () => Promise<void>;
  /** Resolves when all cells have been read and counted and the trial has started; rejects if that fails. */
  whenLoaded: () => Promise<void>;
  /** Stores everything again after the database was emptied by another tab or the browser. */
  resave: () => void;
  close: () => void;
  isBusy: () => boolean;
}

export function openStoredTrial(
  incrementalTrial: IncrementalTrial,
  deps: TrialOpenerDeps,
): OpenTrialController {
  const { records, recorder, page } = deps;
  const { stored: storedTrial } = incrementalTrial;
  let trial = storedTrial.trial;
  const trialId = trial.id;
  const { cases, cells, marks } = storedTrial;
  const liveCells = new Map<string, LiveCell>();
  let remoteLiveCells: LiveCell[] = [];
  const results = createTrialResults();
  const confirmedCache: { cases?: readonly Case[] } = {};
  let loadPromise = Promise.resolve();
  /** True if checks were changed before all answers had been loaded. */
  let isRescorePending = false;
  /** True if some records could not be read. */
  let hasLoadFailed = false;
  let writeCount = 0;
  let changedCells: CellKey[] = [];

  const getData = (): TrialData => ({ trial, cases, cells, marks });

  function put(key: string, write: Write): void {
    recorder.put(key, write);
  }

  const store: OpenTrialStore = {
    getTrial: () => trial,
    cases,
    cells,
    marks,
    setTrial: (next, shouldRecount = false) => {
      const hasNewState = next.state !== trial.state;
      trial = next;
      put(`trials ${trialId}`, { store: 'trials', put: trial });
      deps.send({ trialId, trial });
      if (shouldRecount) results.rebuild(getData());
      if (!hasNewState && !shouldRecount) {
        stateStore.state.setState({ trial });
        stateStore.scheduleUpdate();
        return;
      }
      // Updated immediately with all totals, so that a finished trial is never shown without its last answer.
      stateStore.updateNow();
      if (hasNewState) deps.onListChange();
    },
    saveTrial: async (next) => {
      store.setTrial(next);
      await recorder.flush({ strict: true });
      const { message } = recorder.problem.getState();
      if (message !== undefined)
        throw new Error(`Could not save the trial. The browser reported: ${message}`);
    },
    notifyCells: (keys) => {
      results.updateCells(getData(), keys);
      changedCells.push(...keys);
      stateStore.scheduleUpdate();
    },
    recountAll: () => {
      results.rebuild(getData());
      stateStore.scheduleUpdate();
    },
    notify: () => stateStore.scheduleUpdate(),
    isCounted: results.isCounted,
    isComplete: () => stateStore.isComplete(),
    addNotice: (text, tone) => stateStore.addNotice(text, tone),
  };

  const cellReader = createCellReader({
    store,
    records,
    readTape: deps.readTape,
    liveCells,
    readInFlight: (runId) => runner.getCellData(runId),
  });
  const ownsCells = (): boolean => runner.getStatus().name !== 'another tab';
  const scores = createTrialScores({
    store,
    put,
    ownsCells,
    recorder,
    readRun: cellReader.readRun,
    scorer: deps.scorer,
  });
  const runner = createTrialRunner({
    store,
    lock: createTrialLock(page.locks, trialId),
    records,
    recorder,
    queue: deps.queue,
    gatewayPace: deps.gatewayPace,
    page,
    runs: deps.runs,
    scoreCell: scores.scoreCell,
    recover: (heartbeat) =>
      recoverRuns(
        {
          store,
          put,
          records,
          readRun: cellReader.readRun,
          readTape: deps.readTape,
          scoreCell: scores.scoreCell,
        },
        heartbeat,
      ),
    reload,
    trackUnsaved: deps.trackUnsaved,
    onStatusChange: () => stateStore.updateNow(),
  });

  function updateLiveCells(): void {
    liveCells.clear();
    const currentLiveCells =
      runner.getStatus().name === 'another tab' ? remoteLiveCells : runner.listLiveCells();
    for (const cell of currentLiveCells) liveCells.set(getCellId(cell), cell);
  }

  function getContext(): ResultContext {
    updateLiveCells();
    const { perMinute, slots } = runner.getPace();
    const inFlight = [...liveCells.values()].filter(isSent).length;
    return { perMinute, slots, inFlight, getPastStats: deps.getPastStats, quotaBytes: deps.getQuotaBytes() };
  }

  results.rebuild(getData());
  const stateStore = createTrialStateStore({
    incrementalTrial,
    results,
    getData,
    getContext,
    getOtherState: () => {
      updateLiveCells();
      return {
        ...getData(),
        liveCells,
        runnerStatus: runner.getStatus(),
        pace: runner.getPace(),
        rescoringCount: scores.countRemaining(),
      };
    },
    page,
    onUpdated: ({ verdict }) => {
      broadcastChanges();
      if (trial.stopWhenDecided && trial.state.name === 'running' && verdict && isDecided(verdict))
        runner.onDecided();
    },
  });

  function broadcastChanges(): void {
    if (runner.getStatus().name !== 'here') return;
    const broadcastCells = changedCells.flatMap((key) => cells.get(getCellId(key)) ?? []);
    changedCells = [];
    deps.send({ trialId, cells: broadcastCells, live: runner.listLiveCells() });
  }

  async function reload(): Promise<HeartbeatRecord | undefined> {
    await recorder.flush();
    const latestTrial = await readStoredTrial(records, trialId);
    if (!latestTrial) return undefined;
    trial = latestTrial.trial;
    replaceEntries(cases, latestTrial.cases);
    replaceEntries(cells, latestTrial.cells);
    replaceEntries(marks, latestTrial.marks);
    remoteLiveCells = [];
    store.recountAll();
    return latestTrial.heartbeat;
  }

  /** Writes of the same task share one transaction. They follow earlier puts and take precedence over them. */
  function write(writes: readonly Write[]): void {
    writeCount += 1;
    writes.forEach((entry, index) => put(`${trialId} ${writeCount} ${index}`, entry));
  }

  function rescore(): void {
    store.recountAll();
    if (stateStore.isComplete()) scores.rescore();
    else isRescorePending = true;
  }

  const edits = createTrialEdits({
    store,
    now: page.now,
    newId: page.newId,
    put,
    write,
    ownsCells,
    onCasesChanged: (changed) => deps.send({ trialId, cases: [...changed] }),
    getFirstSetup: deps.getFirstSetup,
    getConfirmedCases: async () => {
      if (trial.follows?.why !== 'confirm') return [];
      confirmedCache.cases ??= [
        ...((await readStoredTrial(records, trial.follows.trialId))?.cases.values() ?? []),
      ];
      return confirmedCache.cases;
    },
    rescore,
    refillQueue: () => runner.refillQueue(),
    onMarkChanged: (cellId) => {
      const mark = marks.get(cellId);
      deps.send({ trialId, marks: [{ name: cellId, ...(mark ? { mark } : {}) }] });
    },
  });

  const actions = createTrialActions({
    store,
    runner,
    cellReader,
    records,
    page,
    getState: () => stateStore.state.getState(),
    whenLoaded: () => loadPromise,
    storeSession: deps.storeSession,
    storeDraft: deps.storeDraft,
  });

  async function startRunner(): Promise<void> {
    await runner.resumeStored(storedTrial.heartbeat);
    if (isRescorePending || scores.hasUnscoredAnswers()) scores.rescore();
  }

  return {
    id: trialId,
    state: stateStore.state,
    ...edits,
    ...actions,
    // These edits store cells in whole blocks, so all cells must be loaded.
    addCases: async (...args) => {
      await loadPromise;
      return edits.addCases(...args);
    },
    editCase: async (...args) => {
      await loadPromise;
      return edits.editCase(...args);
    },
    removeCases: (caseIds) => {
      if (store.isComplete()) edits.removeCases(caseIds);
      else
        loadPromise.then(
          () => edits.removeCases(caseIds),
          () => undefined,
        );
    },
    addLaneColumns: async (sessionId) => {
      const { columns, messages } = await deps.getLaneColumns(sessionId);
      if (trial.messages.every(({ content }) => content === '') && messages.length > 0)
        edits.setMessages(messages);
      return edits.addColumns(columns);
    },
    previewCheck: async (check, signal) => {
      await loadPromise;
      await runner.flush();
      return scores.previewCheck(check, signal);
    },
    pause: async () => {
      await loadPromise;
      await runner.pause('person');
    },
    stop: () => runner.stop(),
    takeOver: async () => {
      await loadPromise;
      deps.send({ trialId, release: true });
      await runner.takeOver();
    },
    readCell: cellReader.readByKey,
    dismissNotice: stateStore.dismissNotice,
    whenSaved: async () => {
      await runner.flush();
      await recorder.flush();
    },
    release: deps.onRelease,
    start: async () => {
      if (stateStore.isComplete()) return startRunner();
      loadPromise = stateStore.loadRest().then(startRunner);
      loadPromise.catch((error: unknown) => {
        hasLoadFailed = true;
        const message = 'Could not load all answers of this trial. Nothing was changed. Reopen the trial.';
        store.addNotice(`${message} ${formatError(error)}`, 'problem');
      });
      return undefined;
    },
    whenLoaded: () => loadPromise,
    resave: () => {
      const writes: Write[] = [
        { store: 'trials', put: trial },
        ...buildAllCaseWrites(trial, cases),
        ...buildAllCellWrites(trial, cells),
        ...[...marks.values()].map((mark): Write => ({ store: 'marks', put: mark })),
      ];
      writes.forEach((write, index) => put(`${trialId} again ${index}`, write));
    },
    close: () => {
      stateStore.close();
      runner.close();
    },
    isBusy: () =>
      (!stateStore.isComplete() && !hasLoadFailed) ||
      runner.getStatus().name === 'here' ||
      runner.getStatus().name === 'counting down',
    onTabMessage: (message) => {
      if (message.live) remoteLiveCells = message.live;
      applyTrialMessage(message, {
        store,
        runner,
        setTrial: (next) => {
          const { batches } = trial;
          trial = next;
          removeUnlistedCases(cases, trial);
          // Cell blocks follow the positions of cases, which have changed.
          if (runner.getStatus().name === 'here' && !isEqual(batches, trial.batches))
            write(buildAllCellWrites(trial, cells));
        },
        updateCells: (keys) => results.updateCells(getData(), keys),
        rescore,
      });
    },
  };
}

/** Replaces the entries of a map and keeps its identity. */
function replaceEntries<K, V>(target: Map<K, V>, source: ReadonlyMap<K, V>): void {
  target.clear();
  for (const [key, value] of source) target.set(key, value);
}

/** Returns the writes for a new draft. */
export function buildTrialDraftWrites(trial: Trial, cases: readonly Case[]): Write[] {
  return [
    { store: 'trials', put: trial },
    ...buildAllCaseWrites(trial, new Map(cases.map((testCase) => [testCase.id, testCase]))),
  ];
}
