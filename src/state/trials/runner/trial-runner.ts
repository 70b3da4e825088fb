/**
 * Runs the cells of a trial in order and at the trial's pace while this tab holds the lease. Handles the states of the trial,
 * the endings of cells and retries.
 */
import { delay } from 'es-toolkit';

import { computeMetrics } from '../../../conversation/reply/metrics.ts';
import type { Run } from '../../../conversation/session/types.ts';
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import { formatError } from '../../../lib/format-error.ts';
import type { Write } from '../../../storage/record-store.ts';
import { getCellId, listPendingCells } from '../../../trials/case-order.ts';
import { getCellError, getCellStatus, buildCell, getStopReport, pickUsage } from '../../../trials/cell.ts';
import { addUsage, toUsageSum, type AnswerUsage, type CellRequest } from '../../../trials/trial-cost.ts';
import { getHeartbeatId, type HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import {
  findRunBlocker,
  findUnknownGateways,
  getNextState,
  startTrial,
  type RunBlocker,
  type TrialEvent,
} from '../../../trials/trial-state.ts';
import {
  sendsRequests,
  type CaseId,
  type Cell,
  type CellKey,
  type Column,
  type ColumnId,
  type PauseReason,
  type Trial,
} from '../../../trials/trial.ts';
import { createTrialLock, type TrialLock } from '../../tabs/trial-lock.ts';
import { recoverCells, type CellData } from '../repository/trial-records.ts';
import type { TrialScores } from '../results/trial-scores.ts';
import type { TrialServices, TrialStore } from '../store/trial-store.ts';
import { createBudgetGuard } from './budget-guard.ts';
import { createCellRuns, type EndedCell, type SendPermission } from './cell-runs.ts';
import { createCellWriter } from './cell-writer.ts';

/** Limits of one run, and functions called at once when a request is sent or a cell ends. */
export interface RunOptions {
  /** Number of requests after which the trial pauses. */
  maxRequests?: number;
  /** Cases to run; all if absent. */
  caseIds?: ReadonlySet<CaseId>;
  /** Called when the trial has its plan, before the first request. */
  onStart?: () => Promise<void>;
  onSend?: (key: CellKey) => void;
  /** Called when a request ended without a result; its cell is sent again. */
  onRequeue?: (key: CellKey) => void;
  onCellEnd?: (cell: Cell, run: Run) => void;
}

export interface TrialRunner {
  /**
   * Runs or resumes the trial, or continues a finished one. Returns what has to be corrected first, if anything.
   * Rejects if another tab runs it or the plan cannot be stored.
   */
  run: (options?: RunOptions) => Promise<RunBlocker | undefined>;
  /** Pauses the trial. Requests in flight finish and count; no new ones are sent. */
  pause: () => Promise<void>;
  /** Stops the trial. Requests in flight are aborted and retried on Resume. */
  stop: () => Promise<void>;
  /** Retries all cells without an answer, or only these cells, and runs the trial like `run`. */
  retry: (keys?: readonly CellKey[]) => Promise<RunBlocker | undefined>;
  /** Takes the trial over from the tab that is running it. */
  takeOver: () => Promise<void>;
  /** Refills the queue after changes to the trial, its columns or cases, since the next cell may have changed. */
  refillQueue: () => void;
  /** Hands the trial over to another tab, after waiting at most ten seconds for cells in progress. */
  handOver: () => Promise<void>;
  /**
   * Handles the stored state when a trial is opened: resumes the trial, starts the countdown, or pauses a trial that a
   * closed page left running.
   */
  resumeStored: (heartbeat: HeartbeatRecord | undefined) => Promise<void>;
  /** Returns the current run and tape of a cell in progress in this tab. */
  getCellData: (runId: string) => CellData | undefined;
  /** Writes all ended cells now. */
  flush: () => Promise<void>;
  close: () => void;
}

const countdownMs = 3_000;
const heartbeatIntervalMs = 10_000;
const releaseTimeoutMs = 10_000;
const networkPollMs = 1_000;
/** Number of cells queued in addition to the slots. */
const maxQueuedCells = 2;

export function createTrialRunner(
  store: TrialStore,
  scores: Pick<TrialScores, 'scoreCell'>,
  services: TrialServices,
): TrialRunner {
  const { records, recorder, getPace, page } = services;
  const { id: trialId } = store.getTrial();
  const heartbeatId = getHeartbeatId(trialId);
  /** Requested cells that have not ended, by `getCellId`, with the key of their gateway. */
  const requestedCells = new Map<string, string>();
  const retryCellIds = new Set<string>();
  const errorsByColumn = new Map<ColumnId, (ErrorReport | undefined)[]>();
  /** Search for pending cells, by the key of their gateway, so that a slow gateway does not delay the others. */
  const pendingCells = new Map<string, { keys: Iterator<CellKey>; next?: CellKey | undefined }>();
  const budgetGuard = createBudgetGuard(store);
  /** True while the lease is being released; no cells are sent then, whatever the state. */
  let isReleasing = false;
  let runOptions: RunOptions = {};
  /** Number of requests sent since the trial was last started. */
  let sentCount = 0;
  let countdownTimer: ReturnType<typeof setTimeout> | undefined;
  let networkTimer: ReturnType<typeof setInterval> | undefined;

  const lease = createTrialLease({
    lock: createTrialLock(page.locks, trialId),
    writeHeartbeat,
    reload: store.reload,
    recover,
  });
  const runs = createCellRuns(services.runs, {
    recorder,
    getPace,
    canSend,
    onSend: (key, request) => {
      sentCount += 1;
      runOptions.onSend?.(key);
      budgetGuard.reserve(key, request);
    },
    getTimeoutMs: () => store.getTrial().giveUpAfterMs,
    onChange: () => {
      writeHeartbeat();
      store.setLiveCells(runs.listLiveCells(), 'here');
    },
  });
  const cellWriter = createCellWriter({
    store,
    records,
    recorder,
    now: page.now,
    listUnreleasedRuns: runs.listUnreleasedRuns,
    // While the trial is paused, the cell writer retries failed writes without an event.
    onWriteError: () => void (store.getTrial().state.name === 'running' && pauseFor('storage')),
    trackUnsaved: services.trackUnsaved,
  });
  store.onDecided(() => {
    if (applyEvent({ name: 'decided', at: page.now() }))
      void runs.stop({ isQueuedOnly: true }).then(finishIfNoneRequested);
  });

  const isRunning = (): boolean =>
    store.getTrial().state.name === 'running' &&
    lease.isHeld() &&
    !isReleasing &&
    store.getRunnerStatus().name === 'here';

  function writeHeartbeat(): void {
    const record: HeartbeatRecord = {
      id: heartbeatId,
      at: page.now(),
      runs: [...runs.listUnreleasedRuns(), ...cellWriter.listPendingRuns()],
    };
    recorder.put(`trials ${heartbeatId}`, { store: 'trials', put: record });
  }

  /** Recovers the runs of a closed tab; resolves when they are stored. */
  async function recover(heartbeat: HeartbeatRecord): Promise<void> {
    const { recoveredCells, discardedRuns, writes } = await recoverCells(
      services,
      { trial: store.getTrial(), cells: store.cells },
      heartbeat,
      scores.scoreCell,
    );
    const emptyHeartbeat: Write = { store: 'trials', put: { id: heartbeatId, at: heartbeat.at, runs: [] } };
    // If the disk rejects writes, the trial is shown anyway; the recorder retries and reports the problem.
    await records.write([...writes, emptyHeartbeat], { strict: true }).catch(() => store.write(writes));
    store.notifyCells(recoveredCells);
    for (const run of discardedRuns)
      if (run.cell) addDiscardedUsage(run.cell.columnId, pickUsage(computeMetrics(run)));
  }

  /** Adds the tokens of a request that is not in a cell, so that its cost is not lost. */
  function addDiscardedUsage(columnId: ColumnId, answerUsage: AnswerUsage): void {
    const usage = toUsageSum(answerUsage);
    if (!usage) return;
    const trial = store.getTrial();
    addUsage(usage, trial.discardedUsage?.[columnId]);
    store.setTrial({ ...trial, discardedUsage: { ...trial.discardedUsage, [columnId]: usage } });
  }

  /** Returns the key of a column's gateway: its name, empty for the first one. */
  const getGatewayKey = ({ setup }: Column): string => services.gateways.resolveName(setup.gateway) ?? '';

  function applyEvent(event: TrialEvent): boolean {
    const trial = store.getTrial();
    const state = getNextState(trial.state, event);
    if (state === trial.state) return false;
    store.setTrial({ ...trial, state, updatedAt: event.at });
    return true;
  }

  /** Returns whether a cell may be sent. Pauses the trial after a storage error, and if the budget is used up. */
  function canSend(key: CellKey, request: CellRequest): SendPermission {
    if (recorder.problem.getState().message !== undefined) void pauseFor('storage');
    if (!isRunning()) return false;
    if (hasSentAll()) return false;
    const decision = budgetGuard.check(key, request);
    if (decision.name === 'send') return true;
    if (decision.name === 'wait') return decision.changed;
    void pauseFor('budget', undefined, decision.nextCost);
    return false;
  }

  const hasSentAll = (): boolean => sentCount >= (runOptions.maxRequests ?? Number.POSITIVE_INFINITY);

  /** Returns the next pending cell of a gateway's columns. */
  function getNextKey(gateway: string): CellKey | undefined {
    let search = pendingCells.get(gateway);
    if (!search) {
      const columnIds = new Set(listColumns(gateway));
      const keys = listPendingCells(store.getTrial(), (key) => {
        const cellId = getCellId(key);
        const hasEnded = store.cells.has(cellId) && !retryCellIds.has(cellId);
        const isIncluded = columnIds.has(key.columnId) && runOptions.caseIds?.has(key.caseId) !== false;
        return !isIncluded || requestedCells.has(cellId) || hasEnded;
      });
      search = { keys };
      pendingCells.set(gateway, search);
    }
    if (search.next === undefined) {
      const step = search.keys.next();
      search.next = step.done === true ? undefined : step.value;
    }
    return search.next;
  }

  function takeNextKey(gateway: string): CellKey | undefined {
    const key = getNextKey(gateway);
    const search = pendingCells.get(gateway);
    if (search) search.next = undefined;
    return key;
  }

  /** Lists the IDs of the columns that send requests to a gateway. */
  function listColumns(gateway: string): ColumnId[] {
    const activeColumns = store.getTrial().columns.filter(sendsRequests);
    return activeColumns.filter((column) => getGatewayKey(column) === gateway).map(({ id }) => id);
  }

  /** Lists the keys of the gateways to which columns send requests. */
  function listActiveGateways(): string[] {
    return [...new Set(store.getTrial().columns.filter(sendsRequests).map(getGatewayKey))];
  }

  const countRequested = (gateway: string): number =>
    [...requestedCells.values()].filter((requestedGateway) => requestedGateway === gateway).length;

  /**
   * Restarts the search for pending cells from the start, to find cells before the last one sent. Checks every cell of
   * the trial.
   */
  function resetPendingKeys(): void {
    pendingCells.clear();
  }

  function refillQueue(): void {
    resetPendingKeys();
    // The budget may have been changed.
    budgetGuard.notify();
    fillQueue();
  }

  function fillQueue(): void {
    if (!isRunning()) return;
    const stoppedBaseline = findStoppedBaseline(store.getTrial());
    // Answers of the other columns would cost money without being compared.
    if (stoppedBaseline && listActiveGateways().length > 0)
      return void pauseFor('baseline stopped', stoppedBaseline.stopped?.report);
    const gateways = listActiveGateways().filter(
      (gateway) => countRequested(gateway) > 0 || getNextKey(gateway) !== undefined,
    );
    for (const gateway of gateways) requestCells(gateway, gateways.length);
    if (requestedCells.size > 0) return;
    const stoppedColumn = store.getTrial().columns.find(({ stopped }) => stopped);
    if (stoppedColumn && listActiveGateways().length === 0)
      void pauseFor('columns stopped', stoppedColumn.stopped?.report);
    else if (applyEvent({ name: 'all ended', at: page.now() })) void releaseLease();
  }

  /**
   * Requests the next cells of a gateway. Gateways share the slots; with several of them, each leaves a slot to every
   * other one, so that a gateway that does not answer cannot occupy all slots.
   */
  function requestCells(gateway: string, gatewayCount: number): void {
    const trial = store.getTrial();
    const { slots } = getPace(gateway === '' ? undefined : gateway).getStatus();
    const max = gatewayCount === 1 ? slots + maxQueuedCells : Math.max(1, slots - gatewayCount + 1);
    while (countRequested(gateway) < max) {
      const key = takeNextKey(gateway);
      if (!key) break;
      const column = trial.columns.find(({ id }) => id === key.columnId);
      const testCase = store.cases.get(key.caseId);
      if (!column || !testCase) continue;
      requestedCells.set(getCellId(key), gateway);
      void runs.runCell(trial, column, testCase, key.repeat).then(handleCellEnd);
    }
  }

  async function handleCellEnd(endedCell: EndedCell): Promise<void> {
    const { key, run } = endedCell;
    const cellId = getCellId(key);
    const cellStatus = getCellStatus(run);
    const report = getCellError(run);
    if (cellStatus.name !== 'ended' || isGatewayRefusal(report)) {
      requestedCells.delete(cellId);
      // A requeued cell keeps its original position in the order.
      resetPendingKeys();
      runOptions.onRequeue?.(key);
      requeueCell(key.columnId, run, report);
    } else {
      // A content filter affects only one case, not the column.
      const isFiltered = cellStatus.outcome === 'no answer' && cellStatus.reason === 'filtered';
      await storeCell(endedCell, isFiltered ? undefined : report, cellStatus.outcome === 'answered');
    }
    budgetGuard.release(key);
    runs.release(run.id);
    // A pause drops what waits for its slot, so that it comes after the last answer.
    if (hasSentAll() && runs.listLiveCells().every(({ status }) => status === 'in line'))
      await pauseFor('person');
    fillQueue();
    if (!isRunning()) await finishIfNoneRequested();
  }

  function requeueCell(columnId: ColumnId, run: Run, report: ErrorReport | undefined): void {
    if (run.sentAt === undefined) {
      recorder.put(`runs ${run.id}`, { store: 'runs', remove: run.id });
      recorder.dropTape(run.id);
    } else addDiscardedUsage(columnId, pickUsage(computeMetrics(run)));
    const gateway = services.gateways.resolveName(run.setup.gateway) ?? '';
    if (report?.kind === 'login-required') void pauseFor('key', report);
    else if (report?.kind === 'unknown-gateway') stopColumns(listColumns(gateway), report);
    else if (report && isGatewayRefusal(report)) stopGateway(gateway, 'key', report);
    else if (report?.kind === 'offline') void pauseFor('offline', report);
    else if (report && getPace(run.setup.gateway).onRejected(report, run.sentAt ?? page.now()))
      stopGateway(gateway, 'refused', report);
    store.notify();
  }

  /**
   * Stops the columns of a gateway that accepts no requests, so that columns on other gateways continue. If there are
   * none, the trial pauses.
   */
  function stopGateway(gateway: string, reason: PauseReason, report: ErrorReport): void {
    const activeGateways = listActiveGateways();
    // A late rejection by a gateway whose columns have stopped already.
    if (!activeGateways.includes(gateway)) return;
    if (activeGateways.length === 1) void pauseFor(reason, report);
    else stopColumns(listColumns(gateway), report);
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
    const isLateAnswer = previousCell?.outcome === 'no answer' && isAnswered && store.isCounted(key);
    const cell = await scores.scoreCell(
      isLateAnswer ? { ...newCell, countedAt: getNextCountOrder() } : newCell,
      run,
    );
    if (previousCell) addDiscardedUsage(key.columnId, previousCell);
    store.cells.set(cellId, cell);
    runOptions.onCellEnd?.(cell, run);
    requestedCells.delete(cellId);
    retryCellIds.delete(cellId);
    cellWriter.enqueue(endedCell, cell);
    if (isAnswered) getPace(run.setup.gateway).onAnswer();
    const columnErrors = [...getColumnErrors(key.columnId), isAnswered ? undefined : report];
    errorsByColumn.set(
      key.columnId,
      columnErrors.length > 40 ? [undefined, ...columnErrors.slice(-5)] : columnErrors,
    );
    const stopReport = getStopReport(errorsByColumn.get(key.columnId) ?? []);
    if (stopReport) stopColumns([key.columnId], stopReport);
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

  function stopColumns(ids: readonly ColumnId[], report: ErrorReport): void {
    const trial = store.getTrial();
    const columnIds = new Set(ids);
    for (const columnId of columnIds) errorsByColumn.delete(columnId);
    store.setTrial({
      ...trial,
      columns: trial.columns.map((column) =>
        columnIds.has(column.id) && !column.stopped
          ? { ...column, stopped: { at: page.now(), report } }
          : column,
      ),
    });
    resetPendingKeys();
    void runs.stop({ isQueuedOnly: true, columnIds });
  }

  async function start(): Promise<void> {
    clearTimeout(countdownTimer);
    clearInterval(networkTimer);
    const { state } = store.getTrial();
    if (!lease.isHeld() && !(await acquireLease())) throw new Error('Running in another tab.');
    lease.startHeartbeat();
    isReleasing = false;
    store.setRunnerStatus({ name: 'here' });
    if (state.name === 'draft')
      await store
        .saveTrial(startTrial(store.getTrial(), store.cases, page.now()))
        .catch(async (error: unknown) => {
          // If the plan cannot be stored, no cell is sent, and the pause shows the reason.
          await pauseFor('storage');
          throw error;
        });
    else applyEvent({ name: state.name === 'finished' ? 'more to ask' : 'resume', at: page.now() });
    for (const { setup } of store.getTrial().columns) getPace(setup.gateway).resetRejections();
    await runOptions.onStart?.();
    refillQueue();
  }

  async function acquireLease(): Promise<boolean> {
    const isAcquired = await lease.acquire();
    if (!isAcquired) store.setRunnerStatus({ name: 'another tab' });
    return isAcquired;
  }

  async function finishIfNoneRequested(): Promise<void> {
    if (requestedCells.size === 0) await finishIfIdle();
  }

  /** Finishes the trial if no cells are left, and releases the lease. */
  async function finishIfIdle(): Promise<void> {
    const { state } = store.getTrial();
    // The cells in flight during the pause may have been the last ones.
    const gateways = listActiveGateways();
    const hasPending = gateways.some((gateway) => getNextKey(gateway) !== undefined);
    if (state.name === 'paused' && !hasPending && gateways.length > 0)
      applyEvent({ name: 'all ended', at: page.now() });
    await releaseLease();
  }

  async function releaseLease(): Promise<void> {
    if (!lease.isHeld()) return;
    await cellWriter.flush();
    writeHeartbeat();
    await recorder.flush();
    // The lease may have been released or the trial resumed in the meantime.
    const canRelease = store.getTrial().state.name !== 'running' || isReleasing;
    if (!lease.isHeld() || requestedCells.size > 0 || !canRelease) return;
    lease.release();
    store.setRunnerStatus({ name: isReleasing ? 'another tab' : 'nobody' });
  }

  async function pauseFor(reason: PauseReason, report?: ErrorReport, nextCost?: number): Promise<void> {
    clearTimeout(countdownTimer);
    const hasPaused = applyEvent({
      name: 'pause',
      at: page.now(),
      why: reason,
      ...(report ? { report } : {}),
      ...(nextCost === undefined ? {} : { nextCost }),
    });
    if (hasPaused && reason === 'offline') resumeWhenOnline();
    // Queued cells have not been sent, so they are put back.
    await runs.stop({ isQueuedOnly: true });
    await finishIfNoneRequested();
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
    await runs.stop({ isQueuedOnly: true });
    const deadlineMs = page.now() + releaseTimeoutMs;
    while (requestedCells.size > 0 && page.now() < deadlineMs) await delay(100);
    await runs.stop();
    while (requestedCells.size > 0) await delay(10);
    await releaseLease();
    isReleasing = false;
    watchOwner();
  }

  function watchOwner(): void {
    lease.onFree(() => {
      store
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
      store.setRunnerStatus({ name: 'nobody' });
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
    store.setRunnerStatus({ name: 'counting down', resumeAt: nowMs + countdownMs });
    countdownTimer = setTimeout(() => {
      store.setRunnerStatus({ name: 'here' });
      refillQueue();
    }, countdownMs);
  }

  let pendingStart: Promise<RunBlocker | undefined> | undefined;

  /** Shares a pending start, because a second one would mistake this tab's lock for that of another tab. */
  const run = (options?: RunOptions) =>
    (pendingStart ??= startIfReady(options).finally(() => (pendingStart = undefined)));

  async function startIfReady(options: RunOptions = {}): Promise<RunBlocker | undefined> {
    await store.whenLoaded();
    const trial = store.getTrial();
    if (trial.state.name === 'running') return undefined;
    runOptions = options;
    sentCount = 0;
    const { problems, plan } = store.state.getState();
    const unknownGateways = findUnknownGateways(trial.columns, services.gateways.isUnknown);
    const blocker = findRunBlocker(trial, problems, plan, unknownGateways, store.getCosts().budgetProblem);
    if (!blocker) await start();
    return blocker;
  }

  return {
    run,
    pause: async () => {
      await store.whenLoaded();
      await pauseFor('person');
    },
    stop: async () => {
      clearTimeout(countdownTimer);
      if (!applyEvent({ name: 'stop', at: page.now() })) return;
      await runs.stop();
      await finishIfNoneRequested();
    },
    retry: async (keys) => {
      await store.whenLoaded();
      const { columns } = store.getTrial();
      const activeIds = new Set(columns.flatMap((column) => (sendsRequests(column) ? [column.id] : [])));
      const keysToRetry =
        keys ??
        [...store.cells.values()].filter(
          ({ outcome, columnId }) => outcome === 'no answer' && activeIds.has(columnId),
        );
      if (keysToRetry.length === 0) return undefined;
      for (const key of keysToRetry) retryCellIds.add(getCellId(key));
      resetPendingKeys();
      if (store.getTrial().state.name !== 'running') return run();
      fillQueue();
      return undefined;
    },
    takeOver: async () => {
      await store.whenLoaded();
      services.send({ trialId, release: true });
      await lease.acquireWhenFree();
      await lease.reloadAndRecover();
      store.setRunnerStatus({ name: 'here' });
      if (store.getTrial().state.name === 'running') refillQueue();
      else await start();
    },
    refillQueue,
    handOver,
    resumeStored,
    getCellData: runs.getCellData,
    flush: cellWriter.flush,
    close: () => {
      clearTimeout(countdownTimer);
      clearInterval(networkTimer);
      lease.cancelOnFree();
    },
  };
}

/** Returns the baseline if it has stopped and other columns are compared with it. */
function findStoppedBaseline({ columns, baseline }: Trial): Column | undefined {
  return columns.find(({ id, stopped }) => id === baseline && stopped !== undefined);
}

/** Returns true if the gateway of a run accepts no requests at all. None of its cells can then have an outcome. */
function isGatewayRefusal(report: ErrorReport | undefined): boolean {
  return (
    report !== undefined &&
    (report.status === 401 || report.kind === 'login-required' || report.kind === 'unknown-gateway')
  );
}

/** Lease of this tab on a trial: a lock, and a heartbeat record that shows that the tab is alive. */
export interface TrialLease extends Omit<TrialLock, 'onFree'> {
  isHeld: () => boolean;
  /**
   * Reloads the trial, since another tab may have run it until now, and recovers the runs it left before the heartbeat
   * is overwritten. Releases the lease if that fails.
   */
  reloadAndRecover: () => Promise<HeartbeatRecord | undefined>;
  /** Writes the heartbeat now and every ten seconds. */
  startHeartbeat: () => void;
  /** Calls the listener once when no tab holds the lease any more. */
  onFree: (listener: () => void) => void;
}

interface TrialLeaseDeps {
  lock: TrialLock;
  writeHeartbeat: () => void;
  reload: () => Promise<HeartbeatRecord | undefined>;
  recover: (heartbeat: HeartbeatRecord) => Promise<void>;
}

export function createTrialLease({ lock, writeHeartbeat, reload, recover }: TrialLeaseDeps): TrialLease {
  let isHeld = false;
  let heartbeatTimer: ReturnType<typeof setInterval> | undefined;

  function startHeartbeat(): void {
    clearInterval(heartbeatTimer);
    writeHeartbeat();
    heartbeatTimer = setInterval(writeHeartbeat, heartbeatIntervalMs);
  }

  function release(): void {
    clearInterval(heartbeatTimer);
    isHeld = false;
    lock.release();
  }

  return {
    ...lock,
    isHeld: () => isHeld,
    acquire: async () => {
      isHeld = await lock.acquire();
      return isHeld;
    },
    acquireWhenFree: async () => {
      await lock.acquireWhenFree();
      isHeld = true;
    },
    reloadAndRecover: async () => {
      try {
        const heartbeatRecord = await reload();
        if (heartbeatRecord) await recover(heartbeatRecord);
        startHeartbeat();
        return heartbeatRecord;
      } catch (error) {
        release();
        throw error;
      }
    },
    startHeartbeat,
    release,
    onFree: (listener) => void lock.onFree(listener).catch(() => undefined),
  };
}
