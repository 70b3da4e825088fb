/** Cases read from a file by parse-cases.ts, in the form the worker sends to the page. */
import { pluralize } from '../../lib/format.ts';
import type { TableChoices, ParsedTable } from '../../lib/table/read-table.ts';
import { trialLimits, type Case } from '../trial.ts';

export interface CaseChoices extends TableChoices {
  /** Column whose messages precede the prompt; empty for none. */
  history?: string;
  /** True if the last assistant message becomes a value and is removed from the history. */
  expectsLast?: boolean;
}

export interface CaseFileResult extends Pick<ParsedTable, 'kind' | 'lists' | 'notes' | 'invalidLines'> {
  /** The choices that were applied; absent if they make no difference. */
  choices: CaseChoices & ParsedTable['choices'];
  /** Names of the columns that contain messages. */
  historyColumns: string[];
  fields: string[];
  cases: Omit<Case, 'id'>[];
}

/** A case file for display, with its first cases only. */
export interface CaseFileSummary extends CaseFileResult {
  /** Counts for the whole file. */
  counts: { cases: number; invalidLines: number };
}

const maxPreviewCases = 5;

/** Returns the part of a case file that the page shows. A million lines would block it. */
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

/**
 * Splits cases into parts small enough to keep the page responsive: at least one case each, about `maxPartChars`
 * characters.
 */
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
