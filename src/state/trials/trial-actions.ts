/** Actions on a whole trial: run it, open it as lanes, export it, or create a follow-up. */
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { getCellId } from '../../trials/case-order.ts';
import { createConfirmation, createNextVersion } from '../../trials/edit-trial.ts';
import { findRunBlocker, type RunBlocker } from '../../trials/trial-plan.ts';
import type { Case, Trial, TrialId } from '../../trials/trial.ts';
import { readImageDataUrls } from '../drafts/image-store.ts';
import type { Page } from '../page.ts';
import type { CellReader } from './cell-reader.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import type { OpenTrial, OpenTrialState } from './open-trial.ts';
import type { TrialRunner } from './running/trial-runner.ts';
import type { TrialFileInput } from './trial-files.ts';
import { buildCaseSession } from './trial-lanes.ts';
import { sortCases } from './trial-records.ts';

export type TrialActions = Pick<
  OpenTrial,
  | 'run'
  | 'retry'
  | 'openAsLanes'
  | 'exportCsv'
  | 'exportJsonLines'
  | 'createNextVersion'
  | 'createConfirmation'
>;

interface TrialActionsDeps {
  store: OpenTrialStore;
  runner: TrialRunner;
  cellReader: CellReader;
  records: RecordStore;
  page: Page;
  getState: () => OpenTrialState;
  /** Resolves when the whole trial has been loaded and counted. */
  whenLoaded: () => Promise<void>;
  /** Stores a session, which can then be opened. */
  storeSession: (caseSession: ReturnType<typeof buildCaseSession>) => Promise<void>;
  /** Stores a draft based on this trial; resolves when it is stored. */
  storeDraft: (trial: Trial, cases: readonly Case[]) => Promise<void>;
}

const loadTrialFiles = createPreloadableImport(() => import('./trial-files.ts'));

/** Maximum number of columns opened as lanes, including the baseline. */
const maxCaseLanes = 6;

export function createTrialActions(deps: TrialActionsDeps): TrialActions {
  const { store, runner, cellReader, records, page, getState } = deps;
  const environment = { now: page.now, newId: page.newId };

  /** Resolves when all ended cells are on disk. */
  async function flushCells(): Promise<void> {
    await deps.whenLoaded();
    await runner.flush();
  }

  const getFileInput = (): TrialFileInput => ({
    trial: store.getTrial(),
    cases: store.cases,
    cells: store.cells,
    marks: store.marks,
    readCell: cellReader.readCell,
    readImages: (hashes) => readImageDataUrls(records, hashes),
  });

  async function run(): Promise<RunBlocker | undefined> {
    await deps.whenLoaded();
    const { problems, plan } = getState();
    const trial = store.getTrial();
    if (trial.state.name === 'running') return undefined;
    const blocker = findRunBlocker(trial, problems, plan);
    if (!blocker) await runner.start();
    return blocker;
  }

  let pendingStart: Promise<RunBlocker | undefined> | undefined;
  /** Shares a pending start, because a second one would mistake this tab's lock for that of another tab. */
  const runOnce = () => (pendingStart ??= run().finally(() => (pendingStart = undefined)));

  const isColumnActive = (columnId: string): boolean =>
    store.getTrial().columns.some(({ id, stopped }) => id === columnId && stopped === undefined);

  async function saveDraft(draft: Trial, cases: readonly Case[]): Promise<TrialId> {
    await deps.storeDraft(draft, cases);
    return draft.id;
  }

  return {
    run: runOnce,
    retry: async (keys) => {
      await deps.whenLoaded();
      const missingCells = [...store.cells.values()].filter(
        ({ outcome, columnId }) => outcome === 'no answer' && isColumnActive(columnId),
      );
      const keysToRetry = keys ?? missingCells;
      if (keysToRetry.length === 0) return undefined;
      runner.retry(keysToRetry);
      if (store.getTrial().state.name !== 'running') return runOnce();
      runner.refillQueue();
      return undefined;
    },
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
          const answer = cell && (await cellReader.readCell(cell));
          return { column, ...(answer ? { answer } : {}) };
        }),
      );
      const caseSession = buildCaseSession(trial, testCase, answeredColumns, environment);
      await deps.storeSession(caseSession);
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
    exportJsonLines: async (summarize, includeTapes = false) => {
      await flushCells();
      const { buildJsonLinesFile } = await loadTrialFiles();
      const state = getState();
      return buildJsonLinesFile(getFileInput(), state.verdict, summarize(state), includeTapes);
    },
    createNextVersion: (messages) => {
      const trial = store.getTrial();
      const draft = createNextVersion(trial, environment);
      const retiredIds = new Set(trial.retired.caseIds);
      const activeCases = sortCases(trial, store.cases).filter(({ id }) => !retiredIds.has(id));
      return saveDraft(messages ? { ...draft, messages } : draft, activeCases);
    },
    createConfirmation: (winner) => saveDraft(createConfirmation(store.getTrial(), winner, environment), []),
  };
}
