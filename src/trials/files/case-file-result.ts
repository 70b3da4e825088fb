/** Cases that parse-cases.ts read from a file, as the reader hands them to the page. */
import { pluralize } from '../../lib/format.ts';
import type { TableChoices, ParsedTable } from '../../lib/table/read-table.ts';
import { limits, type Case } from '../trial.ts';

export interface CaseChoices extends TableChoices {
  /** The column whose messages come before the prompt; empty for none. */
  history?: string;
  /** The last message of the assistant is a value and no part of the history. */
  expectsLast?: boolean;
}

export interface CaseReading extends Pick<ParsedTable, 'kind' | 'lists' | 'notes' | 'odd'> {
  /** The choices as used; absent where they make no difference. */
  choices: CaseChoices & ParsedTable['choices'];
  /** Columns that hold messages. */
  histories: string[];
  fields: string[];
  cases: Omit<Case, 'id'>[];
}

/** A reading as a page shows it: the beginning of its cases. */
export interface ShownReading extends CaseReading {
  /** Counts of all of them. */
  counts: { cases: number; odd: number };
}

const shownCases = 5;

/** Returns the part of a reading that the page shows: a million lines would block it. */
export function shownReading(reading: CaseReading): ShownReading {
  const { cases, odd } = reading;
  return {
    ...reading,
    cases: cases.slice(0, shownCases),
    odd: odd.slice(0, limits.cases),
    counts: { cases: cases.length, odd: odd.length },
  };
}

const partLetters = 500_000;

/** Cases in parts that a page can take one at a time and stay quick: at least one case each, and few letters. */
export function* caseParts(cases: CaseReading['cases']): Generator<CaseReading['cases']> {
  let from = 0;
  let letters = 0;
  for (const [index, { values, history }] of cases.entries()) {
    for (const value of Object.values(values)) letters += value.length;
    if (history) letters += JSON.stringify(history).length;
    if (letters < partLetters) continue;
    yield cases.slice(from, index + 1);
    from = index + 1;
    letters = 0;
  }
  if (from < cases.length) yield cases.slice(from);
}

/** Describes what was read: "118 cases read, 2 lines left out". */
export function readingWords({ counts }: Pick<ShownReading, 'counts'>): string {
  const read = `${pluralize(counts.cases, 'case')} read`;
  return counts.odd === 0 ? read : `${read}, ${pluralize(counts.odd, 'line')} left out`;
}
