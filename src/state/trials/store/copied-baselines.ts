/** Finds stored trials whose answers can be the baseline of an open trial, and copies these answers into it. */
import { chunk, partition } from 'es-toolkit';

import type { Write } from '../../../storage/record-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { listActiveCases } from '../../../trials/edit-trial.ts';
import type { TrialAnswer } from '../../../trials/files/trial-file.ts';
import { addSavedBaseline, matchCases } from '../../../trials/saved-baseline.ts';
import { describeSetupChanges } from '../../../trials/setup-changes.ts';
import { countCases, getColumnLetter, type ColumnId, type TrialId } from '../../../trials/trial.ts';
import {
  buildCellBlockWrites,
  buildPackedTapeWrites,
  getCaseIndexes,
  openIncrementalTrial,
  readAnswer,
  readStoredTrial,
  toStoredCellRun,
  type StoredTrial,
} from '../repository/trial-records.ts';
import type { TrialScores } from '../results/trial-scores.ts';
import type { TrialRunner } from '../runner/trial-runner.ts';
import type { TrialEdits } from './trial-edits.ts';
import type { TrialServices, TrialStore } from './trial-store.ts';

/** A stored trial whose answers can be copied. */
export interface BaselineOffer {
  trialId: TrialId;
  title: string;
  cases: number;
  /** Columns with answers. A case is shared if the column sends the same for a case of the open trial. */
  columns: CopyableColumn[];
}

export interface CopyableColumn {
  id: ColumnId;
  letter: string;
  model: string;
  /** Differences from the setup of the baseline there. */
  changes: string[];
  sharedCases: number;
}

export interface CopiedBaselines {
  /**
   * Returns what these trials offer, in their order: those that share a case with this trial, or all if it has no cases
   * yet.
   */
  listBaselineOffers: (trialIds: readonly TrialId[]) => Promise<BaselineOffer[]>;
  /**
   * Adds a column of another trial with its answers, as the baseline. A trial without cases receives the cases of the
   * other one, and its prompt and checks unless it has its own.
   */
  copyBaseline: (trialId: TrialId, columnId: ColumnId) => Promise<void>;
}

/** Number of answers that are read and scored at a time. */
const batchSize = 64;

export function createCopiedBaselines(
  store: TrialStore,
  scores: Pick<TrialScores, 'scoreCell'>,
  runner: Pick<TrialRunner, 'refillQueue'>,
  edits: Pick<TrialEdits, 'addCases' | 'addCheck' | 'setMessages'>,
  services: TrialServices,
): CopiedBaselines {
  const { records, recorder, page } = services;
  const { id: openTrialId } = store.getTrial();
  const getTarget = () => ({ trial: store.getTrial(), cases: [...store.cases.values()] });

  async function readOffer(trialId: TrialId): Promise<BaselineOffer | undefined> {
    // A trial that cannot be read offers nothing.
    const source = (await openIncrementalTrial(records, trialId).catch(() => undefined))?.stored;
    if (!source) return undefined;
    const target = getTarget();
    const sourceWithCases = { trial: source.trial, cases: [...source.cases.values()] };
    const answeredIds = new Set([...source.cells.values()].map(({ columnId }) => columnId));
    const baseline = source.trial.columns.find(({ id }) => id === source.trial.baseline);
    const columns = source.trial.columns.flatMap((column, index): CopyableColumn[] => {
      if (!answeredIds.has(column.id)) return [];
      const sharedCases = matchCases(target, sourceWithCases, column).targetIds.size;
      return sharedCases > 0 || countCases(target.trial) === 0
        ? [
            {
              id: column.id,
              letter: getColumnLetter(index),
              model: column.setup.model,
              changes: baseline ? describeSetupChanges(column, baseline) : [],
              sharedCases,
            },
          ]
        : [];
    });
    return { trialId, title: source.trial.title, cases: countCases(source.trial), columns };
  }

  /** Gives a trial without cases those of the other trial. */
  async function copyCases({ trial, cases }: StoredTrial, columnId: ColumnId): Promise<void> {
    const { messages, checks } = store.getTrial();
    const column = trial.columns.find(({ id }) => id === columnId);
    if (messages.every(({ content }) => content === ''))
      edits.setMessages(column?.messages ?? trial.messages);
    if (checks.length === 0) {
      const [deciding, others] = partition(trial.checks, ({ id }) => id === trial.decides);
      for (const { id: _, ...check } of [...deciding, ...others]) edits.addCheck(check);
    }
    const sourceCases = listActiveCases({ trial, cases: [...cases.values()] });
    const { reason } = await edits.addCases(
      sourceCases.map(({ id: _, ...testCase }) => testCase),
      trial.fields,
    );
    if (reason !== undefined) throw new Error(reason);
  }

  async function readAnswers({ trial, cells }: StoredTrial, columnId: ColumnId): Promise<TrialAnswer[]> {
    const answers: TrialAnswer[] = [];
    const columnCells = [...cells.values()].filter((cell) => cell.columnId === columnId);
    for (const slice of chunk(columnCells, batchSize)) {
      const loadedAnswers = await Promise.all(
        slice.map(async (cell) => {
          const cellData = await readAnswer(services, trial, cell);
          return cellData ? [{ cell, ...cellData }] : [];
        }),
      );
      answers.push(...loadedAnswers.flat());
    }
    return answers;
  }

  /** Scores the answers with the checks of this trial and returns them with the writes of their tapes. */
  async function prepareAnswers(
    answers: readonly TrialAnswer[],
  ): Promise<{ scoredAnswers: TrialAnswer[]; tapeWrites: Write[] }> {
    const scoredAnswers: TrialAnswer[] = [];
    const tapeWrites: Write[] = [];
    for (const slice of chunk(answers, batchSize)) {
      const preparedAnswers = await Promise.all(
        slice.map(async ({ cell, run, tape = [] }) => {
          const [scoredCell, writes] = await Promise.all([
            scores.scoreCell(cell, run),
            buildPackedTapeWrites(run.id, tape),
          ]);
          tapeWrites.push(...writes);
          return { cell: scoredCell, run };
        }),
      );
      scoredAnswers.push(...preparedAnswers);
    }
    return { scoredAnswers, tapeWrites };
  }

  async function copyBaseline(trialId: TrialId, columnId: ColumnId): Promise<void> {
    await store.whenLoaded();
    await recorder.flush();
    const source = await readStoredTrial(records, trialId);
    if (!source) throw new Error('This trial is no longer stored in this browser.');
    if (countCases(store.getTrial()) === 0) await copyCases(source, columnId);
    const answers = await readAnswers(source, columnId);
    for (;;) {
      const target = getTarget();
      const baseline = addSavedBaseline(
        target,
        { trial: source.trial, cases: [...source.cases.values()], answers, columnId },
        page,
      );
      if (!baseline) throw new Error('These trials share no answered case.');
      const { scoredAnswers, tapeWrites } = await prepareAnswers(baseline.answers);
      // Edits in the meantime may have changed the cases, the checks or the number of repeats.
      if (store.getTrial() !== target.trial) continue;
      const cells = scoredAnswers.map(({ cell }) => cell);
      for (const cell of cells) store.cells.set(getCellId(cell), cell);
      // Other tabs need the cells before the trial that lists their column.
      services.send({ trialId: openTrialId, cells });
      store.setTrial({ ...baseline.trial, updatedAt: page.now() }, true);
      store.write([
        ...scoredAnswers.map(({ cell, run }): Write => ({
          store: 'runs',
          put: toStoredCellRun(run, cell.columnId),
        })),
        ...tapeWrites,
        ...buildCellBlockWrites(baseline.trial, cells, store.cells, getCaseIndexes(baseline.trial)),
      ]);
      runner.refillQueue();
      return;
    }
  }

  return {
    listBaselineOffers: async (trialIds) => {
      await store.whenLoaded();
      await recorder.flush();
      const offers: BaselineOffer[] = [];
      for (const trialId of trialIds) {
        const offer = trialId === openTrialId ? undefined : await readOffer(trialId);
        if (offer && offer.columns.length > 0) offers.push(offer);
      }
      return offers;
    },
    copyBaseline,
  };
}
