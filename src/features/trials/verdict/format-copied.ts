/** Describes columns whose answers were copied from another trial. */
import { isEqual } from 'es-toolkit';

import { formatList, pluralize } from '../../../lib/format.ts';
import { getDisplayTitle } from '../../../lib/text/trim.ts';
import { getColumnLetter, type SavedAnswers, type Trial } from '../../../trials/trial.ts';
import type { Verdict, VerdictContext } from '../../../trials/verdict.ts';
import type { ColumnName } from '../format-columns.ts';
import { toColumnPart, type RichText } from './rich-text.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const dayMs = 86_400_000;
/** More case numbers are not listed. */
const maxListedCases = 8;

/** Formats the age of copied answers with the trial that they come from: "answered 3 days ago in Ticket routing". */
export function formatCopyAge({ lastAt, title }: SavedAnswers, nowMs: number): string {
  const getDayStart = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  const days = Math.round((getDayStart(nowMs) - getDayStart(lastAt)) / dayMs);
  const ageText = days <= 0 ? 'today' : days === 1 ? 'yesterday' : `${pluralize(days, 'day')} ago`;
  return `answered ${ageText} in ${getDisplayTitle(title)}`;
}

/** Formats the days of the answers: "24 November" or "24 November to 2 December", with the year if it is another one. */
function formatCopyDates({ firstAt, lastAt }: SavedAnswers, { createdAt }: Pick<Trial, 'createdAt'>): string {
  const year = new Date(createdAt).getFullYear();
  const isThisYear = [firstAt, lastAt].every((ms) => new Date(ms).getFullYear() === year);
  const days = [firstAt, lastAt].map((ms) => (isThisYear ? dayFormat : dateFormat).format(ms));
  return [...new Set(days)].join(' to ');
}

/** Describes where the answers of columns come from, as part of the method. */
export function describeOrigins(trial: Trial): string[] {
  return trial.columns.flatMap(({ savedAnswers }, index) =>
    savedAnswers
      ? [
          `Column ${getColumnLetter(index)} has the answers of “${getDisplayTitle(savedAnswers.title)}”, column ${savedAnswers.letter}, from ${formatCopyDates(savedAnswers, trial)}.`,
        ]
      : [],
  );
}

/** Describes the cases that a column with copied answers does not have. */
export function describeAbsentCases(
  { absentCases }: Pick<VerdictContext, 'absentCases'>,
  names: readonly ColumnName[],
): RichText[] {
  return absentCases.flatMap((numbers, column): RichText[] => {
    if (numbers.length === 0) return [];
    const omittedCount = numbers.length - maxListedCases;
    const list = [
      ...numbers.slice(0, maxListedCases).map(String),
      ...(omittedCount > 0 ? [`${omittedCount} more`] : []),
    ];
    const casesText =
      numbers.length === 1
        ? ` has no answer to case ${formatList(list)}, which is not compared with it.`
        : ` has no answers to cases ${formatList(list)}, which are not compared with it.`;
    return [[toColumnPart(names, column), casesText]];
  });
}

/** Describes what copied answers leave open: their age, and the cases that only one of the trials has. */
export function describeCopiedColumns(context: VerdictContext, names: readonly ColumnName[]): RichText[] {
  const { trial } = context;
  const copiedColumns = trial.columns.flatMap(({ savedAnswers }, column) =>
    savedAnswers ? [{ column, savedAnswers }] : [],
  );
  return [
    ...copiedColumns.map(({ column, savedAnswers }): RichText => [
      'The answers of ',
      toColumnPart(names, column),
      ` are from ${formatCopyDates(savedAnswers, trial)}; anything else that changed since then counts as a difference, too.`,
    ]),
    ...describeAbsentCases(context, names),
    ...copiedColumns.flatMap(({ savedAnswers: { title, unmatchedCases } }): RichText[] =>
      unmatchedCases > 0
        ? [
            [
              `“${getDisplayTitle(title)}” has answers to ${pluralize(unmatchedCases, 'more case')}, which ${unmatchedCases === 1 ? 'is' : 'are'} not in this trial.`,
            ],
          ]
        : [],
    ),
  ];
}

/** Describes columns that send exactly what the baseline sends. */
export function describeEqualSetups(
  { comparisons, baseline }: Verdict,
  { columns, messages }: Trial,
  names: readonly ColumnName[],
): RichText[] {
  const baselineColumn = columns[baseline];
  return comparisons.flatMap(({ column: index }): RichText[] => {
    const column = columns[index];
    if (!column || !baselineColumn || !isEqual(column.setup, baselineColumn.setup)) return [];
    if (!isEqual(column.messages ?? messages, baselineColumn.messages ?? messages)) return [];
    const isCopied = column.savedAnswers !== undefined || baselineColumn.savedAnswers !== undefined;
    const reason = isCopied ? 'chance, or a change since the earlier answers' : 'chance alone';
    return [
      [
        toColumnPart(names, index),
        ' and ',
        toColumnPart(names, baseline),
        ` have the same setup: any difference is ${reason}.`,
      ],
    ];
  });
}

/** Returns true if the comparison of this column with the baseline is limited to cases that were answered before. */
export function hasCopiedAnswers({ columns }: Trial, { baseline }: Verdict, column: number): boolean {
  return columns[column]?.savedAnswers !== undefined || columns[baseline]?.savedAnswers !== undefined;
}
