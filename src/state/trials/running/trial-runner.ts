/**
 * Asks the cells of a trial, in their order and at their pace, while this tab holds the trial's lock: what moves it
 * from state to state, what ends a cell, and what sends it back into the line.
 */
import type { Run } from '../../../conversation/session/types.ts';
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import { formatError } from '../../../lib/format-error.ts';
import type { RecordStore } from '../../../storage/record-store.ts';
import { cellName, cellsToAsk } from '../../../trials/case-order.ts';
import { getCellError, cellLife, cellOf, stoppingReport } from '../../../trials/cell.ts';
import { startedTrial } from '../../../trials/edit-trial.ts';
import { aliveId, type AliveRecord } from '../../../trials/trial-schemas.ts';
import { nextState, type TrialEvent } from '../../../trials/trial-state.ts';
import type { Cell, CellKey, ColumnId, PauseReason } from '../../../trials/trial.ts';
import type { Page } from '../../page.ts';
import type { Recorder } from '../../runs/recorder.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import { passing } from '../../tabs/locks.ts';
import type { TrialLock } from '../../tabs/trial-lock.ts';
import type { TrialDesk } from '../open-trial-store.ts';
import type { Asker, CellReading, LiveCell, PaceFacts } from '../open-trial.ts';
import { createPacing, type GatewayPace } from './cell-pacer.ts';
import { createCellRuns, type CellRunsParts, type EndedCell } from './cell-runs.ts';
import { createCellKeeper } from './cell-writer.ts';
import { createHold } from './trial-lease.ts';

export interface Asking {
  /** Run, Resume, or more of a finished trial, as its state says. */
  start: () => Promise<void>;
  pause: (why: PauseReason, report?: ErrorReport) => Promise<void>;
  stop: () => Promise<void>;
  /** Every comparison has its finding. */
  decided: () => void;
  /** These are asked once more although they have ended. */
  askAgain: (keys: readonly CellKey[]) => void;
  /** The trial, its columns or cases have changed: the next cell may be another. */
  recheck: () => void;
  /** Another tab is to go on: what is under way ends, for ten seconds at most. */
  letGo: () => Promise<void>;
  /** As a page finds it: goes on, counts down, or pauses what was left. */
  opened: (alive: AliveRecord | undefined) => Promise<void>;
  takeOver: () => Promise<void>;
  asker: () => Asker;
  live: () => LiveCell[];
  pace: () => PaceFacts;
  read: (runId: string) => CellReading | undefined;
  flush: () => Promise<void>;
  close: () => void;
}

export interface AskingParts {
  desk: TrialDesk;
  lock: TrialLock;
  records: RecordStore;
  recorder: Recorder;
  queue: RunQueue;
  gatewayPace: GatewayPace;
  page: Pick<Page, 'now' | 'isOnline'>;
  runs: Omit<CellRunsParts, 'recorder' | 'queue' | 'giveUpAfterMs' | 'onChange'>;
  /** Scores of a cell that has just ended, and its head. */
  scored: (cell: Cell, run: Run) => Promise<Cell>;
  /** Cells that a dead tab left alive, as far as their tapes tell; resolves when they are stored. */
  recover: (alive: AliveRecord) => Promise<void>;
  /** What another tab wrote is read again. */
  reload: () => Promise<AliveRecord | undefined>;
  beginWaiting: () => () => void;
  onAsker: () => void;
}

const countdownMs = 3_000;
const letGoMs = 10_000;
const lookForNetworkMs = 1_000;
/** Beyond the places: those that stand in line. */
const ahead = 2;

export function createAsking(parts: AskingParts): Asking {
  const { desk, recorder, queue, gatewayPace, page } = parts;
  /** Handed to the driver, and not ended. */
  const asked = new Set<string>();
  const again = new Set<string>();
  const endings = new Map<ColumnId, (ErrorReport | undefined)[]>();
  let order: Iterator<CellKey> | undefined;
  let next: CellKey | undefined;
  /** Nothing new is asked, whatever the state says: the lock is about to go. */
  let isLettingGo = false;
  let asker: Asker = { name: 'nobody' };
  let countdown: ReturnType<typeof setTimeout> | undefined;
  let network: ReturnType<typeof setInterval> | undefined;

  const hold = createHold({ lock: parts.lock, putAlive, reload: parts.reload, recover: parts.recover });
  const runs = createCellRuns({
    ...parts.runs,
    recorder,
    queue: { ...queue, enter: createPacing({ queue, gateway: gatewayPace, mayLeave }) },
    giveUpAfterMs: () => desk.trial().giveUpAfterMs,
    onChange: () => {
      putAlive();
      desk.changed();
    },
  });
  const keeper = createCellKeeper({
    desk,
    records: parts.records,
    recorder,
    now: page.now,
    live: runs.alive,
    // What is refused when it is paused is tried again by the keeper itself.
    onRefused: () => void (desk.trial().state.name === 'running' && pause('storage')),
    beginWaiting: parts.beginWaiting,
  });

  const isRunning = (): boolean =>
    desk.trial().state.name === 'running' && hold.isHeld() && !isLettingGo && asker.name === 'here';

  function putAlive(): void {
    const id = aliveId(desk.trial().id);
    const put: AliveRecord = { id, at: page.now(), runs: [...runs.alive(), ...keeper.waiting()] };
    recorder.put(`trials ${id}`, { store: 'trials', put });
  }

  function setAsker(to: Asker): void {
    asker = to;
    parts.onAsker();
  }

  function move(event: TrialEvent): boolean {
    const trial = desk.trial();
    const state = nextState(trial.state, event);
    if (state === trial.state) return false;
    desk.setTrial({ ...trial, state, updatedAt: event.at });
    return true;
  }

  /** A disk that takes nothing pauses the trial. */
  function mayLeave(): boolean {
    if (recorder.problem.getState().message !== undefined) void pause('storage');
    return isRunning();
  }

  function nextKey(): CellKey | undefined {
    order ??= cellsToAsk(desk.trial(), (key) => {
      const name = cellName(key);
      return asked.has(name) || (desk.cells.has(name) && !again.has(name));
    });
    while (next === undefined) {
      const step = order.next();
      if (step.done === true) return undefined;
      next = step.value;
    }
    return next;
  }

  /** From the first again, for what comes before the last that was asked: it looks at every cell of the trial. */
  function fromTheFirst(): void {
    order = undefined;
    next = undefined;
  }

  function recheck(): void {
    fromTheFirst();
    pump();
  }

  function pump(): void {
    if (!isRunning()) return;
    const trial = desk.trial();
    while (asked.size < queue.most('cell') + ahead) {
      const key = nextKey();
      next = undefined;
      if (!key) break;
      const column = trial.columns.find(({ id }) => id === key.columnId);
      const of = desk.cases.get(key.caseId);
      if (!column || !of) continue;
      asked.add(cellName(key));
      void runs.ask(trial, column, of, key.repeat).then(settle);
    }
    if (asked.size > 0) return;
    if (!isAnyColumnLeft() && trial.columns.length > 0)
      void pause('columns stopped', trial.columns[0]?.stopped?.report);
    else if (move({ name: 'all ended', at: page.now() })) void release();
  }

  async function settle(ended: EndedCell): Promise<void> {
    const { key, run } = ended;
    const name = cellName(key);
    const life = cellLife(run);
    const report = getCellError(run);
    const isKey = report !== undefined && (report.status === 401 || report.kind === 'login-required');
    if (life.name !== 'ended' || isKey) {
      asked.delete(name);
      // A new one at its place in the order comes before those that follow it.
      fromTheFirst();
      wentBack(run, report, isKey);
    } else {
      // A filter acts on one case and tells nothing about the column.
      const isFiltered = life.outcome === 'no answer' && life.why === 'filtered';
      await take(ended, isFiltered ? undefined : report, life.outcome === 'answered');
    }
    runs.letGo(run.id);
    pump();
    if (asked.size === 0 && !isRunning()) await rest();
  }

  function wentBack(run: Run, report: ErrorReport | undefined, isKey: boolean): void {
    if (run.sentAt === undefined) {
      recorder.put(`runs ${run.id}`, { store: 'runs', remove: run.id });
      recorder.dropTape(run.id);
    }
    if (isKey) void pause('key', report);
    else if (report?.kind === 'offline') void pause('offline', report);
    else if (report && gatewayPace.refused(report, run.sentAt ?? page.now())) void pause('refused', report);
    desk.changed();
  }

  async function take(ended: EndedCell, report: ErrorReport | undefined, isAnswered: boolean): Promise<void> {
    const { key, run } = ended;
    const name = cellName(key);
    const before = desk.cells.get(name);
    const made = cellOf(run, key, (before?.tries ?? 0) + 1);
    if (!made) return;
    const isLate = before?.outcome === 'no answer' && isAnswered && desk.isCounted(key.caseId);
    const cell = await parts.scored(isLate ? { ...made, countedAt: nextCount() } : made, run);
    desk.cells.set(name, cell);
    asked.delete(name);
    again.delete(name);
    keeper.keep(ended, cell);
    if (isAnswered) gatewayPace.answered();
    const list = [...endingsOf(key.columnId), isAnswered ? undefined : report];
    endings.set(key.columnId, list.length > 40 ? [undefined, ...list.slice(-5)] : list);
    const stopping = stoppingReport(endings.get(key.columnId) ?? []);
    if (stopping) stopColumn(key.columnId, stopping);
    desk.cellsChanged([key]);
  }

  /** A column that has been answered before does not begin again. */
  function endingsOf(columnId: ColumnId): (ErrorReport | undefined)[] {
    const known = endings.get(columnId);
    if (known) return known;
    const wasAnswered = [...desk.cells.values()].some(
      (cell) => cell.columnId === columnId && cell.outcome === 'answered',
    );
    return wasAnswered ? [undefined] : [];
  }

  function nextCount(): number {
    return [...desk.cells.values()].reduce((most, { countedAt = 0 }) => Math.max(most, countedAt), 0) + 1;
  }

  function stopColumn(columnId: ColumnId, report: ErrorReport): void {
    const trial = desk.trial();
    endings.delete(columnId);
    desk.setTrial({
      ...trial,
      columns: trial.columns.map((column) =>
        column.id === columnId && !column.stopped
          ? { ...column, stopped: { at: page.now(), report } }
          : column,
      ),
    });
    fromTheFirst();
  }

  async function start(): Promise<void> {
    clearTimeout(countdown);
    clearInterval(network);
    const { state } = desk.trial();
    if (!hold.isHeld() && !(await takeHold())) throw new Error('Running in another tab.');
    hold.beat();
    isLettingGo = false;
    setAsker({ name: 'here' });
    if (state.name === 'draft')
      await desk.storeTrial(startedTrial(desk.trial(), page.now())).catch(async (error: unknown) => {
        // Nothing is asked before its plan is stored, and nothing would say why.
        await pause('storage');
        throw error;
      });
    else move({ name: state.name === 'finished' ? 'more to ask' : 'resume', at: page.now() });
    gatewayPace.forgive();
    recheck();
  }

  async function takeHold(): Promise<boolean> {
    const isHere = await hold.take();
    if (!isHere) setAsker({ name: 'another tab' });
    return isHere;
  }

  /** What is under way is over, and so is this tab's turn. */
  async function rest(): Promise<void> {
    const { state } = desk.trial();
    // What was under way when it was paused may have been the last.
    if (state.name === 'paused' && nextKey() === undefined && isAnyColumnLeft())
      move({ name: 'all ended', at: page.now() });
    await release();
  }

  const isAnyColumnLeft = (): boolean => desk.trial().columns.some(({ stopped }) => stopped === undefined);

  async function release(): Promise<void> {
    if (!hold.isHeld()) return;
    await keeper.flush();
    putAlive();
    await recorder.flush();
    // Gone already, or resumed meanwhile.
    const isOver = desk.trial().state.name !== 'running' || isLettingGo;
    if (!hold.isHeld() || asked.size > 0 || !isOver) return;
    hold.letGo();
    setAsker({ name: isLettingGo ? 'another tab' : 'nobody' });
  }

  async function pause(why: PauseReason, report?: ErrorReport): Promise<void> {
    clearTimeout(countdown);
    const isMoved = move({ name: 'pause', at: page.now(), why, ...(report ? { report } : {}) });
    if (isMoved && why === 'offline') goOnWhenOnline();
    // What is in line has not left: it goes back.
    await runs.stop(true);
    if (asked.size === 0) await rest();
  }

  function goOnWhenOnline(): void {
    clearInterval(network);
    network = setInterval(() => {
      const { state } = desk.trial();
      if (state.name !== 'paused' || state.why !== 'offline') return clearInterval(network);
      if (page.isOnline()) void start().catch(() => undefined);
      return undefined;
    }, lookForNetworkMs);
  }

  async function letGo(): Promise<void> {
    if (!hold.isHeld()) return;
    clearTimeout(countdown);
    isLettingGo = true;
    await runs.stop(true);
    const until = page.now() + letGoMs;
    while (asked.size > 0 && page.now() < until) await passing(100);
    await runs.stop();
    while (asked.size > 0) await passing(10);
    await release();
    isLettingGo = false;
    watchOwner();
  }

  function watchOwner(): void {
    hold.whenFree(() => {
      parts
        .reload()
        .then(opened)
        .catch((error: unknown) =>
          desk.tell(`The trial could not be read again: ${formatError(error)}`, 'problem'),
        );
    });
  }

  async function opened(alive: AliveRecord | undefined): Promise<void> {
    const { state } = desk.trial();
    if (state.name !== 'running' && (alive?.runs.length ?? 0) === 0) {
      setAsker({ name: 'nobody' });
      return;
    }
    if (!(await takeHold())) return watchOwner();
    const left = await hold.takeIn();
    const at = page.now();
    move({ name: 'opened', at, aliveAt: left?.at });
    if (desk.trial().state.name !== 'running') {
      if (desk.trial().state.name === 'paused') await rest();
      else await release();
      return;
    }
    setAsker({ name: 'counting down', at: at + countdownMs });
    countdown = setTimeout(() => {
      setAsker({ name: 'here' });
      recheck();
    }, countdownMs);
  }

  return {
    start,
    pause,
    stop: async () => {
      clearTimeout(countdown);
      if (!move({ name: 'stop', at: page.now() })) return;
      await runs.stop();
      if (asked.size === 0) await rest();
    },
    decided: () => {
      if (!move({ name: 'decided', at: page.now() })) return;
      void runs.stop(true).then(async () => {
        if (asked.size === 0) await rest();
      });
    },
    askAgain: (keys) => {
      for (const key of keys) again.add(cellName(key));
      fromTheFirst();
    },
    recheck,
    letGo,
    opened,
    takeOver: async () => {
      await hold.wait();
      await hold.takeIn();
      setAsker({ name: 'here' });
      if (desk.trial().state.name === 'running') recheck();
      else await start();
    },
    asker: () => asker,
    live: runs.live,
    pace: gatewayPace.facts,
    read: runs.read,
    flush: keeper.flush,
    close: () => {
      clearTimeout(countdown);
      clearInterval(network);
      hold.forget();
    },
  };
}
