/** What is done with a trial as a whole: it is run, goes on as lanes, becomes a file, or is followed by another. */
import { preloadableImport } from '../../lib/lazy-import.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { cellName } from '../../trials/case-order.ts';
import { confirmTrial, newVersion } from '../../trials/edit-trial.ts';
import type { Case, Trial, TrialId } from '../../trials/trial.ts';
import { imageDataOf } from '../drafts/image-store.ts';
import type { Page } from '../page.ts';
import type { Readings } from './cell-reader.ts';
import type { TrialDesk } from './open-trial-store.ts';
import type { OpenTrial, OpenTrialState } from './open-trial.ts';
import type { Asking } from './running/trial-runner.ts';
import type { FileParts } from './trial-files.ts';
import { sessionOfCase } from './trial-lanes.ts';
import { orderedCases } from './trial-records.ts';

export type TrialActs = Pick<
  OpenTrial,
  'run' | 'askAgain' | 'openAsLanes' | 'csv' | 'jsonLines' | 'newVersion' | 'confirm'
>;

interface TrialActsParts {
  desk: TrialDesk;
  asking: Asking;
  readings: Readings;
  records: RecordStore;
  page: Page;
  state: () => OpenTrialState;
  /** Resolves when all of the trial is here and counted. */
  whole: () => Promise<void>;
  /** A session that is stored and can be opened. */
  storeSession: (made: ReturnType<typeof sessionOfCase>) => Promise<void>;
  /** A draft that goes on from this trial; resolves when it is stored. */
  storeDraft: (trial: Trial, cases: readonly Case[]) => Promise<void>;
}

const loadTrialFiles = preloadableImport(() => import('./trial-files.ts'));

/** The columns of a trial that have room as lanes beside the baseline. */
const mostLanes = 6;

export function createTrialActs(parts: TrialActsParts): TrialActs {
  const { desk, asking, readings, records, page, state } = parts;
  const environment = { now: page.now, newId: page.newId };

  /** Resolves with all that has ended on the disk. */
  async function settled(): Promise<void> {
    await parts.whole();
    await asking.flush();
  }

  const fileParts = (): FileParts => ({
    trial: desk.trial(),
    cases: desk.cases,
    cells: desk.cells,
    marks: desk.marks,
    read: readings.ofCell,
    images: (hashes) => imageDataOf(records, hashes),
  });

  async function run(): Promise<void> {
    await parts.whole();
    const { problems, plan } = state();
    const {
      columns,
      state: { name },
    } = desk.trial();
    if (name === 'running') return;
    const [refused] = problems.refused;
    if (refused !== undefined) throw new Error(refused);
    if (columns.length === 0) throw new Error('There is no column: add one first.');
    if (columns.some(({ setup }) => setup.model === ''))
      throw new Error('A column has no model: choose one first.');
    if (plan.requests === 0) throw new Error('There is no case: add or import some first.');
    if (name === 'draft' && plan.space?.isRefused === true) throw new Error(plan.space.words);
    await asking.start();
  }

  let starting: Promise<void> | undefined;
  /** Shares a start that is pending: the lock of this tab would look like that of another one to a second start. */
  const runOnce = () => (starting ??= run().finally(() => (starting = undefined)));

  const isAsked = (columnId: string): boolean =>
    desk.trial().columns.some(({ id, stopped }) => id === columnId && stopped === undefined);

  async function draftFrom(draft: Trial, own: readonly Case[]): Promise<TrialId> {
    await parts.storeDraft(draft, own);
    return draft.id;
  }

  return {
    run: runOnce,
    askAgain: async (keys) => {
      await parts.whole();
      const missing = [...desk.cells.values()].filter(
        ({ outcome, columnId }) => outcome === 'no answer' && isAsked(columnId),
      );
      const again = keys ?? missing;
      if (again.length === 0) return;
      asking.askAgain(again);
      if (desk.trial().state.name === 'running') asking.recheck();
      else await runOnce();
    },
    openAsLanes: async (caseId, columnIds = [], repeat = 1) => {
      const each = desk.cases.get(caseId);
      if (!each) throw new Error('This case is no longer in the trial.');
      await settled();
      const trial = desk.trial();
      const all = [...trial.columns, ...trial.retired.columns];
      const wanted = columnIds.length > 0 ? all.filter(({ id }) => columnIds.includes(id)) : trial.columns;
      const columns = [
        ...trial.columns.filter(({ id }) => id === trial.baseline),
        ...wanted.filter(({ id }) => id !== trial.baseline),
      ];
      const answered = await Promise.all(
        columns.slice(0, mostLanes).map(async (column) => {
          const cell = desk.cells.get(cellName({ caseId, columnId: column.id, repeat }));
          const answer = cell && (await readings.ofCell(cell));
          return { column, ...(answer ? { answer } : {}) };
        }),
      );
      const made = sessionOfCase(trial, each, answered, environment);
      await parts.storeSession(made);
      return { sessionId: made.data.session.id, left: columns.slice(mostLanes).map(({ id }) => id) };
    },
    csv: async (isGuarded = true) => {
      await settled();
      const { csvFile } = await loadTrialFiles();
      return csvFile(fileParts(), isGuarded);
    },
    jsonLines: async (withTapes = false) => {
      await settled();
      const { jsonLinesFile } = await loadTrialFiles();
      return jsonLinesFile(fileParts(), state(), withTapes);
    },
    newVersion: (messages) => {
      const trial = desk.trial();
      const draft = newVersion(trial, environment);
      const gone = new Set(trial.retired.caseIds);
      const kept = orderedCases(trial, desk.cases).filter(({ id }) => !gone.has(id));
      return draftFrom(messages ? { ...draft, messages } : draft, kept);
    },
    confirm: (winner) => draftFrom(confirmTrial(desk.trial(), winner, environment), []),
  };
}
