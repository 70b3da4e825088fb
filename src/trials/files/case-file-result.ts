/** Cases that parse-cases.ts read from a file, as the reader hands them to the page. */
import { pluralize } from '../../lib/format.ts';
import type { TableChoices, ParsedTable } from '../../lib/table/read-table.ts';
import { trialLimits, type Case } from '../trial.ts';

export interface CaseChoices extends TableChoices {
  /** The column whose messages come before the prompt; empty for none. */
  history?: string;
  /** The last message of the assistant is a value and no part of the history. */
  expectsLast?: boolean;
}

export interface CaseFileResult extends Pick<ParsedTable, 'kind' | 'lists' | 'notes' | 'invalidLines'> {
  /** The choices as used; absent where they make no difference. */
  choices: CaseChoices & ParsedTable['choices'];
  /** Columns that hold messages. */
  historyColumns: string[];
  fields: string[];
  cases: Omit<Case, 'id'>[];
}

/** A case file as the page shows it: the beginning of its cases. */
export interface CaseFileSummary extends CaseFileResult {
  /** Counts of all of them. */
  counts: { cases: number; invalidLines: number };
}

const maxPreviewCases = 5;

/** Returns the part of a case file that the page shows: a million lines would block it. */
export function summarizeCaseFile(result: CaseFileResult): CaseFileSummary {
  const { cases, invalidLines } = result;
  return {
    ...result,
    cases: cases.slice(0, maxPreviewCases),
    invalidLines: invalidLines.slice(0, trialLimits.cases),
    counts: { cases: cases.length, invalidLines: invalidLines.length },
  };
}

const maxPartChars = 500_000;

/** Cases in parts that a page can take one at a time and stay quick: at least one case each, and few letters. */
export function* splitCases(cases: CaseFileResult['cases']): Generator<CaseFileResult['cases']> {
  let startIndex = 0;
  let charCount = 0;
  for (const [index, { values, history }] of cases.entries()) {
    for (const value of Object.values(values)) charCount += value.length;
    if (history) charCount += JSON.stringify(history).length;
    if (charCount < maxPartChars) continue;
    yield cases.slice(startIndex, index + 1);
    startIndex = index + 1;
    charCount = 0;
  }
  if (startIndex < cases.length) yield cases.slice(startIndex);
}

/** Describes what was read: "118 cases found, 2 lines skipped". */
export function describeCaseFile({ counts }: Pick<CaseFileSummary, 'counts'>): string {
  const foundText = `${pluralize(counts.cases, 'case')} found`;
  return counts.invalidLines === 0
    ? foundText
    : `${foundText}, ${pluralize(counts.invalidLines, 'line')} skipped`;
}
