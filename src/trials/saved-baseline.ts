/** Uses the answers of a column of another trial as the baseline of a trial, without sending a request for it. */
import { isEqual, zip } from 'es-toolkit';

import type { RunId } from '../conversation/session/types.ts';
import { findSentFields, serializeSentValues } from './cases.ts';
import { buildCell } from './cell.ts';
import {
  countComparisons,
  listActiveCases,
  type EditEnvironment,
  type TrialWithCases,
} from './edit-trial.ts';
import type { TrialAnswer } from './files/trial-file.ts';
import {
  getColumnLetter,
  type Case,
  type CaseId,
  type CellKey,
  type Column,
  type ColumnId,
  type Trial,
  type TrialId,
} from './trial.ts';

/** A column whose answers are copied, with its trial. */
export interface SavedBaselineSource extends TrialWithCases {
  columnId: ColumnId;
  /** Answers of this column; those of other columns and of retired cases are ignored. */
  answers: readonly TrialAnswer[];
}

export interface SavedBaseline {
  /** The trial with the new column as its baseline: the first column of a draft, otherwise the last one. */
  trial: Trial;
  /** Answers of the new column, still without scores. */
  answers: TrialAnswer[];
  /** Cases of the trial without a copied answer. They do not count in comparisons with the new column. */
  casesOnlyHere: Case[];
  /** Answered cases of the other trial that this trial does not have. Nothing is copied for them. */
  casesOnlyThere: Case[];
}

/**
 * Adds a column that is already answered: the column of another trial with copies of its answers, as the baseline.
 *
 * Takes a trial with all of its cases, and the other trial with its cases, its answers and the ID of one of its
 * columns. Cases match if that column sends the same for both, whatever their IDs are. Returns the trial with the new
 * column and its answers under new IDs, up to the trial's number of repeats, and the cases that only one of the trials
 * has. Returns `undefined` if there is no answer to copy or the column does not exist. Nothing is stored and the
 * arguments are not changed: the caller adds `answers` to those of the trial, and the scores are computed when the
 * trial is opened. The answers count like any others, with the checks and expected values of the trial; the column
 * sends no requests (`Column.savedAnswers`).
 */
export function addSavedBaseline(
  { trial, cases }: TrialWithCases,
  { columnId, answers, ...source }: SavedBaselineSource,
  { newId }: Pick<EditEnvironment, 'newId'>,
): SavedBaseline | undefined {
  const sourceColumn = source.trial.columns.find(({ id }) => id === columnId);
  if (!sourceColumn) return undefined;
  const messages = sourceColumn.messages ?? source.trial.messages;
  const { targetCases, sourceCases, targetIds } = matchCases({ trial, cases }, source, sourceColumn);
  const newColumnId = newId();
  const sourceAnswers = answers.filter(({ cell }) => cell.columnId === columnId);
  const copies = sourceAnswers.flatMap((answer) => {
    const caseId = targetIds.get(answer.cell.caseId);
    if (caseId === undefined || answer.cell.repeat > trial.repeats) return [];
    const key = { caseId, columnId: newColumnId, repeat: answer.cell.repeat };
    return copyAnswer(answer, newId(), { trialId: trial.id, ...key }) ?? [];
  });
  if (copies.length === 0) return undefined;

  const answeredThere = new Set(sourceAnswers.map(({ cell }) => cell.caseId));
  const answeredHere = new Set(copies.map(({ cell }) => cell.caseId));
  const casesOnlyThere = sourceCases.filter(({ id }) => answeredThere.has(id) && !targetIds.has(id));
  const endTimes = copies.map(({ run }) => (run.sentAt ?? source.trial.updatedAt) + (run.endedMs ?? 0));
  const column: Column = {
    id: newColumnId,
    setup: sourceColumn.setup,
    ...(isEqual(messages, trial.messages) ? {} : { messages }),
    ...(trial.plan?.rules === 2 && trial.columns.length > 0 ? { comparisons: countComparisons(trial) } : {}),
    savedAnswers: {
      title: sourceColumn.savedAnswers?.title ?? source.trial.title,
      letter:
        sourceColumn.savedAnswers?.letter ?? getColumnLetter(source.trial.columns.indexOf(sourceColumn)),
      firstAt: endTimes.reduce((first, time) => Math.min(first, time)),
      lastAt: endTimes.reduce((last, time) => Math.max(last, time)),
      unmatchedCases: casesOnlyThere.length,
    },
  };
  return {
    trial: {
      ...trial,
      columns: trial.plan ? [...trial.columns, column] : [column, ...trial.columns],
      baseline: newColumnId,
    },
    answers: copies,
    casesOnlyHere: targetCases.filter(({ id }) => !answeredHere.has(id)),
    casesOnlyThere,
  };
}

/** Matches the active cases of two trials for which this column of the source sends the same. */
export function matchCases(
  target: TrialWithCases,
  source: TrialWithCases,
  sourceColumn: Column,
): {
  targetCases: Case[];
  sourceCases: Case[];
  /** IDs of the matching cases of the target, by those of the source. */
  targetIds: Map<CaseId, CaseId>;
} {
  const messages = sourceColumn.messages ?? source.trial.messages;
  const sentFields = findSentFields({ messages, columns: [sourceColumn] });
  const targetCases = listActiveCases(target);
  const sourceCases = listActiveCases(source);
  const targetByRequest = new Map(zip(numberRequests(targetCases, sentFields), targetCases));
  const targetIds = new Map<CaseId, CaseId>();
  for (const [request, { id }] of zip(numberRequests(sourceCases, sentFields), sourceCases)) {
    const match = targetByRequest.get(request);
    if (match) targetIds.set(id, match.id);
  }
  return { targetCases, sourceCases, targetIds };
}

/** Returns what is sent for each case, with a number that tells equal cases apart. */
function numberRequests(cases: readonly Case[], sentFields: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return cases.map((testCase) => {
    const request = serializeSentValues(testCase, sentFields);
    const count = (counts.get(request) ?? 0) + 1;
    counts.set(request, count);
    return `${count} ${request}`;
  });
}

/** Returns the answer under new IDs. Its scores belong to the checks of the other trial and are dropped. */
function copyAnswer(
  { cell, run, tape }: TrialAnswer,
  runId: RunId,
  runCell: CellKey & { trialId: TrialId },
): TrialAnswer | undefined {
  const runCopy = { ...run, id: runId, sessionId: runCell.trialId, cell: runCell };
  const cellCopy = buildCell(runCopy, runCell, cell.tries);
  return cellCopy && { cell: cellCopy, run: runCopy, ...(tape ? { tape } : {}) };
}
