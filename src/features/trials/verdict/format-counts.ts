/** Formats the numbers of a verdict as a table, with an explanation in plain language. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import { laterThreshold, watchThresholds } from '../../../trials/statistics/planned-end.ts';
import { getColumnLetter, type Trial } from '../../../trials/trial.ts';
import type { Comparison, Verdict } from '../../../trials/verdict.ts';
import { formatEvidence } from './format-method.ts';
import { formatPoints, rangeExplanation } from './rich-text.ts';

export const countsHeaders = [
  'both',
  'only it',
  'only the baseline',
  'neither',
  'no answer',
  'evidence',
  'needed',
  'range',
  'one planned look',
] as const;

/** Formats the row of a comparison, with the cells in the order of the headings. */
export function formatCountsRow({
  counts,
  signs,
  missingCount,
  evidence,
  requiredEvidence,
  interval,
  fixedSampleInterval,
}: Comparison): string[] {
  const formatInterval = (interval: readonly [number, number] | undefined) =>
    interval ? `${formatPoints(interval[0])} to ${formatPoints(interval[1])}` : 'none';
  const countCells = counts
    ? [counts.both, counts.onlyColumn, counts.onlyBaseline, counts.neither].map(formatCount)
    : [
        `equal in ${formatCount(signs.equal)}`,
        `better in ${formatCount(signs.better)}`,
        `worse in ${formatCount(signs.worse)}`,
        '',
      ];
  return [
    ...countCells,
    formatCount(missingCount),
    formatEvidence(evidence),
    formatCount(requiredEvidence),
    formatInterval(interval),
    formatInterval(fixedSampleInterval),
  ];
}

/** Explains the table in two paragraphs, each with the most important fact first. */
export function describeCounts(
  { comparisons, family, rules }: Verdict,
  { baseline }: { baseline: string },
): { lead: string; body: string }[] {
  const [first] = comparisons;
  const threshold = watchThresholds[rules];
  const column = first ? getColumnLetter(first.column) : '';
  const disagreementText = first?.counts
    ? `: ${column} alone was right in ${formatCount(first.counts.onlyColumn)}, ${baseline} alone in ${formatCount(first.counts.onlyBaseline)}.`
    : '.';
  const betText = `A bet against “no difference” starts at 1 and stakes on the side that was ahead before. If there were no difference, such a bet would reach ${threshold} in at most 1 of ${threshold} trials, however often you look.`;
  const plannedEndText =
    rules === 2
      ? ' Once all planned cases are counted, one look at all of them may decide as well. 4\u00a0% of the 5\u00a0% for false alarms are for the planned end and the way there, 1\u00a0% for what comes later.'
      : '';
  const laterText =
    rules === 2 ? `, or ${formatCount(laterThreshold * Math.max(1, family))} after the planned end` : '';
  return [
    {
      lead: 'Only cases on which the two disagree matter',
      body: `${disagreementText} ${betText}${plannedEndText}`,
    },
    {
      lead:
        family > 1
          ? `${pluralize(family, 'comparison')} on these cases, so the first needs ${formatCount(threshold * family)}${laterText}.`
          : `One comparison, so it needs ${threshold}${laterText}.`,
      body: ` The range holds every difference from ${baseline} that no such bet has ruled out. ${rangeExplanation}${family > 1 ? ` The verdict holds for all comparisons together; each range holds by itself, so with ${family} of them one may miss more often.` : ''} All of it is about cases like these.`,
    },
  ];
}

/** Formats the whole table as text to copy. */
export function formatCountsAsText(verdict: Verdict, trial: Pick<Trial, 'seed'>): string {
  const baselineLetter = getColumnLetter(verdict.baseline);
  const lines = verdict.comparisons.map((comparison) => {
    const cells = formatCountsRow(comparison);
    return `${getColumnLetter(comparison.column)} against ${baselineLetter}: ${countsHeaders.map((header, index) => `${header} ${cells[index] ?? ''}`).join(', ')}`;
  });
  const meaning = describeCounts(verdict, { baseline: baselineLetter }).map(
    ({ lead, body }) => `${lead}${body}`,
  );
  return [...lines, ...meaning, describeCountsSource(verdict, trial)].join('\n');
}

export function describeCountsSource(
  { counted, cases, rules }: Verdict,
  { seed }: Pick<Trial, 'seed'>,
): string {
  return `Counted in random order no. ${seed}, ${formatCount(counted)} of ${formatCount(cases)}. Rates with Wilson’s range, ranges by betting, the planned look after Bonett and Price. Statistics ${rules}.`;
}
