/** Opens a trial: its store, scores, runner and edits. */
import { isEqual } from 'es-toolkit';
import type { StoreApi } from 'zustand/vanilla';

import type { Message } from '../../../gateway/wire.ts';
import type { Json } from '../../../lib/json.ts';
import { createPreloadableImport } from '../../../lib/lazy-import.ts';
import { getCellId } from '../../../trials/case-order.ts';
import {
  createConfirmation,
  createNextVersion,
  createSameSetupTrial,
  listActiveCases,
} from '../../../trials/edit-trial.ts';
import { buildCaseSession } from '../../../trials/trial-lanes.ts';
import type { TrialTabMessage } from '../../../trials/trial-schemas.ts';
import type { CaseId, CellKey, Check, ColumnId, Score, TrialId } from '../../../trials/trial.ts';
import { readImageDataUrls } from '../../drafts/image-data.ts';
import type { TrialFile, TrialFileInput, VerdictSummary } from '../repository/trial-files.ts';
import {
  readAnswer,
  readTrialRun,
  type CellData,
  type IncrementalTrial,
} from '../repository/trial-records.ts';
import { createTrialScores } from '../results/trial-scores.ts';
import { createTrialRunner, type TrialRunner } from '../runner/trial-runner.ts';
import { createCopiedBaselines, type CopiedBaselines } from './copied-baselines.ts';
import { createTrialEdits, type TrialEdits } from './trial-edits.ts';
import { createTrialStore, type OpenTrialState, type TrialServices } from './trial-store.ts';

/** An open trial, with everything that the screen can do with it. */
export interface OpenTrial
  extends TrialEdits, CopiedBaselines, Pick<TrialRunner, 'run' | 'pause' | 'stop' | 'retry' | 'takeOver'> {
  id: TrialId;
  state: StoreApi<OpenTrialState>;
  /** Returns the scores of a check for existing answers by `getCellId`, without storing or sending anything. */
  previewCheck: (check: Check, signal?: AbortSignal) => Promise<ReadonlyMap<string, Score>>;
  /** Returns a cell in progress or ended; undefined if it was never run. */
  readCell: (key: CellKey) => Promise<CellData | undefined>;
  /**
   * Opens a new session with the case as its prompt. Its lanes are the baseline and up to five other columns: those in
   * `columnIds`, otherwise the first ones. `omittedColumns` lists columns that did not fit.
   */
  openAsLanes: (
    caseId: CaseId,
    columnIds?: readonly ColumnId[],
    repeat?: number,
  ) => Promise<{ sessionId: string; omittedColumns: ColumnId[] }>;
  exportCsv: (escapeFormulas?: boolean) => Promise<TrialFile>;
  /** `summarize` describes the verdict in the sentences that the file contains. */
  exportJsonLines: (
    summarize: (state: Pick<OpenTrialState, 'verdict' | 'verdictContext' | 'columnStats'>) => VerdictSummary,
    includeTapes?: boolean,
    command?: Json,
  ) => Promise<TrialFile>;
  /** Creates a draft with the same cases, columns and checks, and with another prompt if given. */
  createNextVersion: (messages?: Message[]) => Promise<TrialId>;
  /** Creates a draft with only the baseline and the winner, without cases. */
  createConfirmation: (winner: ColumnId) => Promise<TrialId>;
  /** Creates a draft that compares the baseline with a copy of itself on the same cases. */
  createSameSetupTrial: () => Promise<TrialId>;

  dismissNotice: (noticeId: string) => void;
  /** Resolves when all changes are stored. */
  whenSaved: () => Promise<void>;
  /** Called when the trial is no longer visible. A running trial continues. */
  release: () => void;
}

/** An open trial for the list of trials, which opens and closes it. */
export interface OpenTrialController extends OpenTrial {
  onTabMessage: (message: TrialTabMessage) => void;
  /** Starts the opened trial: recovers runs of a closed tab, and resumes or pauses a trial that was running. */
  start: () => Promise<void>;
  /** Resolves when all cells have been read and counted and the trial has started; rejects if that fails. */
  whenLoaded: () => Promise<void>;
  /** Stores everything again after the database was emptied by another tab or the browser. */
  resave: () => void;
  close: () => void;
}

const loadTrialFiles = createPreloadableImport(() => import('../repository/trial-files.ts'));

/** Maximum number of columns opened as lanes, including the baseline. */
const maxCaseLanes = 6;

/** `onClose` is called when the trial was released and closed. */
export function openStoredTrial(
  incrementalTrial: IncrementalTrial,
  services: TrialServices,
  onClose: () => void,
): OpenTrialController {
  const { records, recorder, page, readTape } = services;
  const environment = { now: page.now, newId: page.newId };
  const store = createTrialStore(incrementalTrial, services);
  const scores = createTrialScores(store, services);
  const runner = createTrialRunner(store, scores, services);
  const edits = createTrialEdits(store, scores, runner, services);
  const copiedBaselines = createCopiedBaselines(store, scores, runner, edits, services);

  async function start(): Promise<void> {
    await runner.resumeStored(incrementalTrial.stored.heartbeat);
    scores.rescoreLoaded();
  }

  function close(): void {
    store.close();
    runner.close();
  }

  /** Resolves when all ended cells are on disk. */
  async function flushCells(): Promise<void> {
    await store.whenLoaded();
    await runner.flush();
  }

  const getActiveCases = () => listActiveCases({ trial: store.getTrial(), cases: [...store.cases.values()] });

  const getFileInput = (): TrialFileInput => ({
    trial: store.getTrial(),
    cases: store.cases,
    cells: store.cells,
    marks: store.marks,
    readCell: (cell, includesTape) => readAnswer(services, store.getTrial(), cell, includesTape),
    readImages: (hashes) => readImageDataUrls(records, hashes),
    getPrice: (choice) => store.getColumnContext(choice).price,
    costs: store.getCosts(),
    verdict: store.state.getState().verdict,
  });

  async function readCell(key: CellKey): Promise<CellData | undefined> {
    const { liveCells } = store.state.getState();
    const liveCell = liveCells.get(getCellId(key));
    const inFlight = liveCell && runner.getCellData(liveCell.runId);
    if (inFlight) return inFlight;
    const storedRun = liveCell && (await readTrialRun(records, store.getTrial(), liveCell.runId));
    if (storedRun) return { run: storedRun, tape: await readTape(storedRun.id) };
    const cell = store.cells.get(getCellId(key));
    // A run is always stored before its cell.
    return cell && readAnswer(services, store.getTrial(), cell);
  }

  function handleTabMessage({
    release,
    live,
    cases = [],
    title,
    trial,
    cells = [],
    marks = [],
  }: TrialTabMessage): void {
    if (live) store.setLiveCells(live, 'another tab');
    if (release) void runner.handOver();
    for (const testCase of cases) store.cases.set(testCase.id, testCase);
    if (title !== undefined) store.receiveTrial({ ...store.getTrial(), title, titled: true });
    const previousTrial = store.getTrial();
    if (trial) {
      const statusName = store.getRunnerStatus().name;
      // The message may have been sent before the other tab received a local edit; both tabs keep the latest edit.
      const latestTrial = trial.updatedAt < previousTrial.updatedAt ? previousTrial : trial;
      // The tab that runs the trial defines its state; other tabs send edits only.
      const { state, discardedUsage } = statusName === 'here' ? previousTrial : trial;
      store.receiveTrial({ ...latestTrial, state, ...(discardedUsage ? { discardedUsage } : {}) });
      if (trial.state.name === 'running' && statusName === 'nobody' && store.isComplete())
        void runner.resumeStored(undefined);
      store.recountAll();
      runner.refillQueue();
    }
    for (const cell of cells) store.cells.set(getCellId(cell), cell);
    const markedKeys = marks.flatMap(({ name, mark }) => {
      const affectedMark = mark ?? store.marks.get(name);
      if (mark) store.marks.set(name, mark);
      else store.marks.delete(name);
      return affectedMark ? [affectedMark.key] : [];
    });
    store.receiveCells([...cells, ...markedKeys]);
    const { checks, decides } = store.getTrial();
    if (cases.length > 0 || decides !== previousTrial.decides || !isEqual(checks, previousTrial.checks))
      scores.rescore();
  }

  return {
    id: store.getTrial().id,
    state: store.state,
    ...edits,
    ...copiedBaselines,
    run: runner.run,
    pause: runner.pause,
    stop: runner.stop,
    retry: runner.retry,
    takeOver: runner.takeOver,
    previewCheck: async (check, signal) => {
      await flushCells();
      return scores.previewCheck(check, signal);
    },
    readCell,
    openAsLanes: async (caseId, columnIds = [], repeat = 1) => {
      const testCase = store.cases.get(caseId);
      if (!testCase) throw new Error('This case is no longer in the trial.');
      await flushCells();
      const trial = store.getTrial();
      const allColumns = [...trial.columns, ...trial.retired.columns];
      const requestedColumns =
        columnIds.length > 0 ? allColumns.filter(({ id }) => columnIds.includes(id)) : trial.columns;
      const columns = [
        ...trial.columns.filter(({ id }) => id === trial.baseline),
        ...requestedColumns.filter(({ id }) => id !== trial.baseline),
      ];
      const answeredColumns = await Promise.all(
        columns.slice(0, maxCaseLanes).map(async (column) => {
          const cell = store.cells.get(getCellId({ caseId, columnId: column.id, repeat }));
          const answer = cell && (await readAnswer(services, trial, cell));
          return { column, ...(answer ? { answer } : {}) };
        }),
      );
      const caseSession = buildCaseSession(trial, testCase, answeredColumns, environment);
      await services.storeSession(caseSession);
      return {
        sessionId: caseSession.data.session.id,
        omittedColumns: columns.slice(maxCaseLanes).map(({ id }) => id),
      };
    },
    exportCsv: async (escapeFormulas = true) => {
      await flushCells();
      const { buildCsvFile } = await loadTrialFiles();
      return buildCsvFile(getFileInput(), escapeFormulas);
    },
    exportJsonLines: async (summarize, includeTapes = false, command?: Json) => {
      await flushCells();
      const { buildJsonLinesFile } = await loadTrialFiles();
      const state = store.state.getState();
      return buildJsonLinesFile(getFileInput(), state.verdict, summarize(state), includeTapes, command);
    },
    createNextVersion: (messages) => {
      const draft = createNextVersion(store.getTrial(), environment);
      return services.storeDraft(messages ? { ...draft, messages } : draft, getActiveCases());
    },
    createConfirmation: (winner) =>
      services.storeDraft(createConfirmation(store.getTrial(), winner, environment), []),
    createSameSetupTrial: () =>
      services.storeDraft(createSameSetupTrial(store.getTrial(), environment), getActiveCases()),
    dismissNotice: store.dismissNotice,
    whenSaved: async () => {
      await runner.flush();
      await recorder.flush();
    },
    release: () => {
      const { name } = store.getRunnerStatus();
      if (store.isLoading() || name === 'here' || name === 'counting down') return;
      close();
      onClose();
    },
    onTabMessage: handleTabMessage,
    start: async () => {
      if (store.isComplete()) await start();
      else store.load(start);
    },
    whenLoaded: store.whenLoaded,
    resave: store.resave,
    close,
  };
}
