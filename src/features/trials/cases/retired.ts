/** Retired columns and cases with the answers that they had. */
import type { OpenTrialState } from '../../../state/trials/open-trial.ts';
import { changedFrom } from '../../../trials/describe-verdict.ts';
import { letterAt, type Cell } from '../../../trials/trial.ts';
import { describeNoAnswer } from '../grid/format-cell.ts';

type RetiredFacts = Pick<OpenTrialState, 'trial' | 'cases' | 'cells'>;

export interface RetiredAnswer {
  name: string;
  head: string;
}

const headOf = (cell: Cell): string =>
  cell.outcome === 'answered' ? cell.head : `no answer, ${describeNoAnswer(cell)}`;

function numbersOf({ trial }: Pick<RetiredFacts, 'trial'>): Map<string, number> {
  return new Map(trial.batches.flatMap(({ caseIds }) => caseIds).map((id, index) => [id, index + 1]));
}

/** Columns that were replaced or removed, each with its answers. */
export function retiredColumns(
  facts: RetiredFacts,
): { id: string; model: string; changed: string; answers: RetiredAnswer[] }[] {
  const { trial, cells } = facts;
  const numbers = numbersOf(facts);
  const baseline = trial.columns.find(({ id }) => id === trial.baseline);
  return trial.retired.columns.map((column) => ({
    id: column.id,
    model: column.setup.model,
    changed: baseline ? changedFrom(column, baseline).join(', ') : '',
    answers: [...cells.values()]
      .filter(({ columnId }) => columnId === column.id)
      .toSorted((one, other) => (numbers.get(one.caseId) ?? 0) - (numbers.get(other.caseId) ?? 0))
      .map((cell) => ({ name: `Case ${numbers.get(cell.caseId) ?? ''}`, head: headOf(cell) })),
  }));
}

/** Cases that were changed or taken out, each with its answers. */
export function retiredCases(
  facts: RetiredFacts,
): { id: string; number: number; text: string; answers: RetiredAnswer[] }[] {
  const { trial, cases, cells } = facts;
  const numbers = numbersOf(facts);
  const all = [...trial.columns, ...trial.retired.columns];
  return trial.retired.caseIds.map((caseId) => ({
    id: caseId,
    number: numbers.get(caseId) ?? 0,
    text: Object.values(cases.get(caseId)?.values ?? {})[0] ?? '',
    answers: [...cells.values()]
      .filter((cell) => cell.caseId === caseId)
      .map((cell) => {
        const place = all.findIndex(({ id }) => id === cell.columnId);
        const letter = place >= 0 && place < trial.columns.length ? letterAt(place) : 'retired column';
        return { name: letter, head: headOf(cell) };
      }),
  }));
}
