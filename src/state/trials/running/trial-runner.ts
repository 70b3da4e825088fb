/**
 * Runs the cells of a trial in order and at the trial's pace while this tab holds the lease. Handles the states of the trial,
 * the endings of cells and retries.
 */
import { delay } from 'es-toolkit';

import type { Run } from '../../../conversation/session/types.ts';
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import { formatError } from '../../../lib/format-error.ts';
import type { RecordStore } from '../../../storage/record-store.ts';
import { getCellId, listPendingCells } from '../../../trials/case-order.ts';
import { getCellError, getCellStatus, buildCell, getStopReport } from '../../../trials/cell.ts';
import { startTrial } from '../../../trials/edit-trial.ts';
import { getHeartbeatId, type HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import { getNextState, type TrialEvent } from '../../../trials/trial-state.ts';
import type { Cell, CellKey, ColumnId, PauseReason } from '../../../trials/trial.ts';
import type { Page } from '../../page.ts';
import type { Recorder } from '../../runs/recorder.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import type { TrialLock } from '../../tabs/trial-lock.ts';
import type { OpenTrialStore } from '../open-trial-store.ts';
import type { RunnerStatus, CellData, LiveCell, PaceStatus } from '../open-trial.ts';
import { createCellPacer, type GatewayPace } from './cell-pacer.ts';
import { createCellRuns, type CellRunsDeps, type EndedCell } from './cell-runs.ts';
import { createCellWriter } from './cell-writer.ts';
import { createTrialLease } from './trial-lease.ts';

export interface TrialRunner {
  /** Runs or resumes the trial, or continues a finished one, depending on its state. */
  start: () => Promise<void>;
  pause: (reason: PauseReason, report?: ErrorReport) => Promise<void>;
  stop: () => Promise<void>;
  /** Called when every comparison has a result. */
  onDecided: () => void;
  /** Runs these cells again, although they have ended. */
  retry: (keys: readonly CellKey[]) => void;
  /** Refills the queue after changes to the trial, its columns or cases, since the next cell may have changed. */
  refillQueue: () => void;
  /** Hands the trial over to another tab, after waiting at most ten seconds for cells in progress. */
  handOver: () => Promise<void>;
  /**
   * Handles the stored state when a trial is opened: resumes the trial, starts the countdown, or pauses a trial that a
   * closed page left running.
   */
  resumeStored: (heartbeat: HeartbeatRecord | undefined) => Promise<void>;
  takeOver: () => Promise<void>;
  getStatus: () => RunnerStatus;
  listLiveCells: () => LiveCell[];
  getPace: () => PaceStatus;
  getCellData: (runId: string) => CellData | undefined;
  flush: () => Promise<void>;
  close: () => void;
}

export interface TrialRunnerDeps {
  store: OpenTrialStore;
  lock: TrialLock;
  records: RecordStore;
  recorder: Recorder;
  queue: RunQueue;
  gatewayPace: GatewayPace;
  page: Pick<Page, 'now' | 'isOnline'>;
  runs: Omit<CellRunsDeps, 'recorder' | 'queue' | 'getTimeoutMs' | 'onChange'>;
  /** Returns an ended cell with its scores and its `head`. */
  scoreCell: (cell: Cell, run: Run) => Promise<Cell>;
  /** Recovers the runs of a closed tab from their tapes; resolves when they are stored. */
  recover: (heartbeat: HeartbeatRecord) => Promise<void>;
  /** Reloads records written by another tab. */
  reload: () => Promise<HeartbeatRecord | undefined>;
  trackUnsaved: () => () => void;
  onStatusChange: () => void;
}

const countdownMs = 3_000;
const releaseTimeoutMs = 10_000;
const networkPollMs = 1_000;
/** Number of cells queued in addition to the slots. */
const maxQueuedCells = 2;

export function createTrialRunner(deps: TrialRunnerDeps): TrialRunner {
  const { store, recorder, queue, gatewayPace, page } = deps;
  /** IDs of requested cells that have not ended. */
  const requestedCellIds = new Set<string>();
  const retryCellIds = new Set<string>();
  const errorsByColumn = new Map<ColumnId, (ErrorReport | undefined)[]>();
  let pendingKeys: Iterator<CellKey> | undefined;
  let nextKey: CellKey | undefined;
  /** True while the lease is being released; no cells are sent then, whatever the state. */
  let isReleasing = false;
  let runnerStatus: RunnerStatus = { name: 'nobody' };
  let countdownTimer: ReturnType<typeof setTimeout> | undefined;
  let networkTimer: ReturnType<typeof setInterval> | undefined;

  const lease = createTrialLease({
    lock: deps.lock,
    writeHeartbeat,
    reload: deps.reload,
    recover: deps.recover,
  });
  const runs = createCellRuns({
    ...deps.runs,
    recorder,
    queue: { ...queue, acquire: createCellPacer({ queue, gatewayPace, canSend }) },
    getTimeoutMs: () => store.getTrial().giveUpAfterMs,
    onChange: () => {
      writeHeartbeat();
      store.notify();
    },
  });
  const cellWriter = createCellWriter({
    store,
    records: deps.records,
    recorder,
    now: page.now,
    listUnreleasedRuns: runs.listUnreleasedRuns,
    // While the trial is paused, the cell writer retries failed writes without an event.
    onWriteError: () => void (store.getTrial().state.name === 'running' && pause('storage')),
    trackUnsaved: deps.trackUnsaved,
  });

  const isRunning = (): boolean =>
    store.getTrial().state.name === 'running' &&
    lease.isHeld() &&
    !isReleasing &&
    runnerStatus.name === 'here';

  function writeHeartbeat(): void {
    const id = getHeartbeatId(store.getTrial().id);
    const record: HeartbeatRecord = {
      id,
      at: page.now(),
      runs: [...runs.listUnreleasedRuns(), ...cellWriter.listPendingRuns()],
    };
    recorder.put(`trials ${id}`, { store: 'trials', put: record });
  }

  function setStatus(newStatus: RunnerStatus): void {
    runnerStatus = newStatus;
    deps.onStatusChange();
  }

  function applyEvent(event: TrialEvent): boolean {
    const trial = store.getTrial();
    const state = getNextState(trial.state, event);
    if (state === trial.state) return false;
    store.setTrial({ ...trial, state, updatedAt: event.at });
    return true;
  }

  /** Returns true if cells may be sent. Pauses the trial after a storage error. */
  function canSend(): boolean {
    if (recorder.problem.getState().message !== undefined) void pause('storage');
    return isRunning();
  }

  function getNextKey(): CellKey | undefined {
    pendingKeys ??= listPendingCells(store.getTrial(), (key) => {
      const cellId = getCellId(key);
      return requestedCellIds.has(cellId) || (store.cells.has(cellId) && !retryCellIds.has(cellId));
    });
    while (nextKey === undefined) {
      const step = pendingKeys.next();
      if (step.done === true) return undefined;
      nextKey = step.value;
    }
    return nextKey;
  }

  /**
   * Restarts the search for pending cells from the start, to find cells before the last one sent. Checks every cell of
   * the trial.
   */
  function resetPendingKeys(): void {
    pendingKeys = undefined;
    nextKey = undefined;
  }

  function refillQueue(): void {
    resetPendingKeys();
    fillQueue();
  }

  function fillQueue(): void {
    if (!isRunning()) return;
    const trial = store.getTrial();
    while (requestedCellIds.size < queue.getCapacity('cell') + maxQueuedCells) {
      const key = getNextKey();
      nextKey = undefined;
      if (!key) break;
      const column = trial.columns.find(({ id }) => id === key.columnId);
      const testCase = store.cases.get(key.caseId);
      if (!column || !testCase) continue;
      requestedCellIds.add(getCellId(key));
      void runs.runCell(trial, column, testCase, key.repeat).then(handleCellEnd);
    }
    if (requestedCellIds.size > 0) return;
    if (!hasActiveColumn() && trial.columns.length > 0)
      void pause('columns stopped', trial.columns[0]?.stopped?.report);
    else if (applyEvent({ name: 'all ended', at: page.now() })) void releaseLease();
  }

  async function handleCellEnd(endedCell: EndedCell): Promise<void> {
    const { key, run } = endedCell;
    const cellId = getCellId(key);
    const cellStatus = getCellStatus(run);
    const report = getCellError(run);
    const isKeyRejected = report !== undefined && (report.status === 401 || report.kind === 'login-required');
    if (cellStatus.name !== 'ended' || isKeyRejected) {
      requestedCellIds.delete(cellId);
      // A requeued cell keeps its original position in the order.
      resetPendingKeys();
      requeueCell(run, report, isKeyRejected);
    } else {
      // A content filter affects only one case, not the column.
      const isFiltered = cellStatus.outcome === 'no answer' && cellStatus.reason === 'filtered';
      await storeCell(endedCell, isFiltered ? undefined : report, cellStatus.outcome === 'answered');
    }
    runs.release(run.id);
    fillQueue();
    if (requestedCellIds.size === 0 && !isRunning()) await finishIfIdle();
  }

  function requeueCell(run: Run, report: ErrorReport | undefined, isKeyRejected: boolean): void {
    if (run.sentAt === undefined) {
      recorder.put(`runs ${run.id}`, { store: 'runs', remove: run.id });
      recorder.dropTape(run.id);
    }
    if (isKeyRejected) void pause('key', report);
    else if (report?.kind === 'offline') void pause('offline', report);
    else if (report && gatewayPace.onRejected(report, run.sentAt ?? page.now()))
      void pause('refused', report);
    store.notify();
  }

  async function storeCell(
    endedCell: EndedCell,
    report: ErrorReport | undefined,
    isAnswered: boolean,
  ): Promise<void> {
    const { key, run } = endedCell;
    const cellId = getCellId(key);
    const previousCell = store.cells.get(cellId);
    const newCell = buildCell(run, key, (previousCell?.tries ?? 0) + 1);
    if (!newCell) return;
    const isLateAnswer = previousCell?.outcome === 'no answer' && isAnswered && store.isCounted(key.caseId);
    const cell = await deps.scoreCell(
      isLateAnswer ? { ...newCell, countedAt: getNextCountOrder() } : newCell,
      run,
    );
    store.cells.set(cellId, cell);
    requestedCellIds.delete(cellId);
    retryCellIds.delete(cellId);
    cellWriter.enqueue(endedCell, cell);
    if (isAnswered) gatewayPace.onAnswer();
    const columnErrors = [...getColumnErrors(key.columnId), isAnswered ? undefined : report];
    errorsByColumn.set(
      key.columnId,
      columnErrors.length > 40 ? [undefined, ...columnErrors.slice(-5)] : columnErrors,
    );
    const stopReport = getStopReport(errorsByColumn.get(key.columnId) ?? []);
    if (stopReport) stopColumn(key.columnId, stopReport);
    store.notifyCells([key]);
  }

  /** Returns the recent errors of a column. A column with answers counts as working, even after a reload. */
  function getColumnErrors(columnId: ColumnId): (ErrorReport | undefined)[] {
    const storedErrors = errorsByColumn.get(columnId);
    if (storedErrors) return storedErrors;
    const wasAnswered = [...store.cells.values()].some(
      (cell) => cell.columnId === columnId && cell.outcome === 'answered',
    );
    return wasAnswered ? [undefined] : [];
  }

  function getNextCountOrder(): number {
    return [...store.cells.values()].reduce((max, { countedAt = 0 }) => Math.max(max, countedAt), 0) + 1;
  }

  function stopColumn(columnId: ColumnId, report: ErrorReport): void {
    const trial = store.getTrial();
    errorsByColumn.delete(columnId);
    store.setTrial({
      ...trial,
      columns: trial.columns.map((column) =>
        column.id === columnId && !column.stopped
          ? { ...column, stopped: { at: page.now(), report } }
          : column,
      ),
    });
    resetPendingKeys();
  }

  async function start(): Promise<void> {
    clearTimeout(countdownTimer);
    clearInterval(networkTimer);
    const { state } = store.getTrial();
    if (!lease.isHeld() && !(await acquireLease())) throw new Error('Running in another tab.');
    lease.startHeartbeat();
    isReleasing = false;
    setStatus({ name: 'here' });
    if (state.name === 'draft')
      await store.saveTrial(startTrial(store.getTrial(), page.now())).catch(async (error: unknown) => {
        // If the plan cannot be stored, no cell is sent, and the pause shows the reason.
        await pause('storage');
        throw error;
      });
    else applyEvent({ name: state.name === 'finished' ? 'more to ask' : 'resume', at: page.now() });
    gatewayPace.resetRejections();
    refillQueue();
  }

  async function acquireLease(): Promise<boolean> {
    const isAcquired = await lease.acquire();
    if (!isAcquired) setStatus({ name: 'another tab' });
    return isAcquired;
  }

  /** Finishes the trial if no cells are left, and releases the lease. */
  async function finishIfIdle(): Promise<void> {
    const { state } = store.getTrial();
    // The cells in flight during the pause may have been the last ones.
    if (state.name === 'paused' && getNextKey() === undefined && hasActiveColumn())
      applyEvent({ name: 'all ended', at: page.now() });
    await releaseLease();
  }

  const hasActiveColumn = (): boolean =>
    store.getTrial().columns.some(({ stopped }) => stopped === undefined);

  async function releaseLease(): Promise<void> {
    if (!lease.isHeld()) return;
    await cellWriter.flush();
    writeHeartbeat();
    await recorder.flush();
    // The lease may have been released or the trial resumed in the meantime.
    const canRelease = store.getTrial().state.name !== 'running' || isReleasing;
    if (!lease.isHeld() || requestedCellIds.size > 0 || !canRelease) return;
    lease.release();
    setStatus({ name: isReleasing ? 'another tab' : 'nobody' });
  }

  async function pause(reason: PauseReason, report?: ErrorReport): Promise<void> {
    clearTimeout(countdownTimer);
    const hasPaused = applyEvent({
      name: 'pause',
      at: page.now(),
      why: reason,
      ...(report ? { report } : {}),
    });
    if (hasPaused && reason === 'offline') resumeWhenOnline();
    // Queued cells have not been sent, so they are put back.
    await runs.stop(true);
    if (requestedCellIds.size === 0) await finishIfIdle();
  }

  function resumeWhenOnline(): void {
    clearInterval(networkTimer);
    networkTimer = setInterval(() => {
      const { state } = store.getTrial();
      if (state.name !== 'paused' || state.why !== 'offline') return clearInterval(networkTimer);
      if (page.isOnline()) void start().catch(() => undefined);
      return undefined;
    }, networkPollMs);
  }

  async function handOver(): Promise<void> {
    if (!lease.isHeld()) return;
    clearTimeout(countdownTimer);
    isReleasing = true;
    await runs.stop(true);
    const deadlineMs = page.now() + releaseTimeoutMs;
    while (requestedCellIds.size > 0 && page.now() < deadlineMs) await delay(100);
    await runs.stop();
    while (requestedCellIds.size > 0) await delay(10);
    await releaseLease();
    isReleasing = false;
    watchOwner();
  }

  function watchOwner(): void {
    lease.onFree(() => {
      deps
        .reload()
        .then(resumeStored)
        .catch((error: unknown) =>
          store.addNotice(`Could not reload the trial: ${formatError(error)}`, 'problem'),
        );
    });
  }

  async function resumeStored(heartbeat: HeartbeatRecord | undefined): Promise<void> {
    const { state } = store.getTrial();
    if (state.name !== 'running' && (heartbeat?.runs.length ?? 0) === 0) {
      setStatus({ name: 'nobody' });
      return;
    }
    if (!(await acquireLease())) return watchOwner();
    const recoveredHeartbeat = await lease.reloadAndRecover();
    const nowMs = page.now();
    applyEvent({ name: 'opened', at: nowMs, heartbeatAt: recoveredHeartbeat?.at });
    if (store.getTrial().state.name !== 'running') {
      if (store.getTrial().state.name === 'paused') await finishIfIdle();
      else await releaseLease();
      return;
    }
    setStatus({ name: 'counting down', resumeAt: nowMs + countdownMs });
    countdownTimer = setTimeout(() => {
      setStatus({ name: 'here' });
      refillQueue();
    }, countdownMs);
  }

  return {
    start,
    pause,
    stop: async () => {
      clearTimeout(countdownTimer);
      if (!applyEvent({ name: 'stop', at: page.now() })) return;
      await runs.stop();
      if (requestedCellIds.size === 0) await finishIfIdle();
    },
    onDecided: () => {
      if (!applyEvent({ name: 'decided', at: page.now() })) return;
      void runs.stop(true).then(async () => {
        if (requestedCellIds.size === 0) await finishIfIdle();
      });
    },
    retry: (keys) => {
      for (const key of keys) retryCellIds.add(getCellId(key));
      resetPendingKeys();
    },
    refillQueue,
    handOver,
    resumeStored,
    takeOver: async () => {
      await lease.acquireWhenFree();
      await lease.reloadAndRecover();
      setStatus({ name: 'here' });
      if (store.getTrial().state.name === 'running') refillQueue();
      else await start();
    },
    getStatus: () => runnerStatus,
    listLiveCells: runs.listLiveCells,
    getPace: gatewayPace.getStatus,
    getCellData: runs.getCellData,
    flush: cellWriter.flush,
    close: () => {
      clearTimeout(countdownTimer);
      clearInterval(networkTimer);
      lease.cancelOnFree();
    },
  };
}
