/** Retired columns and cases with their answers. */
import type { Setup } from '../../../conversation/session/types.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { describeSetupChanges } from '../../../trials/setup-changes.ts';
import { getColumnLetter, type Cell } from '../../../trials/trial.ts';
import { describeNoAnswer } from '../grid/format-cell.ts';

type RetiredInputs = Pick<OpenTrialState, 'trial' | 'cases' | 'cells'>;

export interface RetiredAnswer {
  name: string;
  preview: string;
}

const getPreview = (cell: Cell): string =>
  cell.outcome === 'answered' ? cell.head : `no answer, ${describeNoAnswer(cell)}`;

function getCaseNumbers({ trial }: Pick<RetiredInputs, 'trial'>): Map<string, number> {
  return new Map(trial.batches.flatMap(({ caseIds }) => caseIds).map((id, index) => [id, index + 1]));
}

/** Lists columns that were replaced or removed, with their answers. */
export function listRetiredColumns(
  state: RetiredInputs,
): { id: string; setup: Setup; changesText: string; answers: RetiredAnswer[] }[] {
  const { trial, cells } = state;
  const numbers = getCaseNumbers(state);
  const baseline = trial.columns.find(({ id }) => id === trial.baseline);
  return trial.retired.columns.map((column) => ({
    id: column.id,
    setup: column.setup,
    changesText: baseline ? describeSetupChanges(column, baseline).join(', ') : '',
    answers: [...cells.values()]
      .filter(({ columnId }) => columnId === column.id)
      .toSorted((a, b) => (numbers.get(a.caseId) ?? 0) - (numbers.get(b.caseId) ?? 0))
      .map((cell) => ({ name: `Case ${numbers.get(cell.caseId) ?? ''}`, preview: getPreview(cell) })),
  }));
}

/** Lists cases that were changed or removed, with their answers. */
export function listRetiredCases(
  state: RetiredInputs,
): { id: string; number: number; text: string; answers: RetiredAnswer[] }[] {
  const { trial, cases, cells } = state;
  const numbers = getCaseNumbers(state);
  const allColumns = [...trial.columns, ...trial.retired.columns];
  return trial.retired.caseIds.map((caseId) => ({
    id: caseId,
    number: numbers.get(caseId) ?? 0,
    text: Object.values(cases.get(caseId)?.values ?? {})[0] ?? '',
    answers: [...cells.values()]
      .filter((cell) => cell.caseId === caseId)
      .map((cell) => {
        const columnIndex = allColumns.findIndex(({ id }) => id === cell.columnId);
        const letter =
          columnIndex >= 0 && columnIndex < trial.columns.length
            ? getColumnLetter(columnIndex)
            : 'retired column';
        return { name: letter, preview: getPreview(cell) };
      }),
  }));
}
