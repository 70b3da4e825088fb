/** Formats the numbers of a verdict as a table, with an explanation in plain language. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import { getColumnLetter, type Trial } from '../../../trials/trial.ts';
import type { Comparison, Verdict } from '../../../trials/verdict.ts';
import { formatEvidence } from './format-method.ts';
import { formatPoints } from './rich-text.ts';

export const countsHeaders = [
  'both',
  'only it',
  'only the baseline',
  'neither',
  'no answer',
  'evidence',
  'needed',
  'watched range',
  'one planned look',
] as const;

/** Formats the row of a comparison, with the cells in the order of the headings. */
export function formatCountsRow({
  counts,
  missingCount,
  evidence,
  requiredEvidence,
  interval,
  fixedSampleInterval,
}: Comparison): string[] {
  const formatOptionalCount = (value: number | undefined) =>
    value === undefined ? 'averaged' : formatCount(value);
  const formatInterval = (interval: readonly [number, number] | undefined) =>
    interval ? `${formatPoints(interval[0])} to ${formatPoints(interval[1])}` : 'none';
  return [
    formatOptionalCount(counts?.both),
    formatOptionalCount(counts?.onlyColumn),
    formatOptionalCount(counts?.onlyBaseline),
    formatOptionalCount(counts?.neither),
    formatCount(missingCount),
    formatEvidence(evidence),
    formatCount(requiredEvidence),
    formatInterval(interval),
    formatInterval(fixedSampleInterval),
  ];
}

/** Explains the table in two paragraphs, each with the most important fact first. */
export function describeCounts(
  { comparisons, family }: Verdict,
  { baseline }: { baseline: string },
): { lead: string; body: string }[] {
  const [first] = comparisons;
  const discordantText = first?.counts
    ? `: ${formatCount(first.counts.onlyColumn)} and ${formatCount(first.counts.onlyBaseline)} of them in the first row.`
    : '.';
  const hasSeveralComparisons = family > 1;
  return [
    {
      lead: 'Only cases where two columns part say anything',
      body: `${discordantText} A bet against “no difference” starts at 1 and stakes on the side that was ahead before. Without a difference it would ever reach 20 in at most 1 of 20 trials, however often you look.`,
    },
    {
      lead: hasSeveralComparisons
        ? `${pluralize(family, 'comparison')}, so the first needs ${formatCount(20 * family)}.`
        : 'One comparison, so it needs 20.',
      body: ` The watched range holds every difference from ${baseline} that no such bet has ruled out (threshold ${formatCount(comparisons[0]?.requiredEvidence ?? 0)}). One planned look at the end would have been narrower, and wrong more often for whoever watches.${hasSeveralComparisons ? ` The words hold for all comparisons together; each range holds by itself, so with ${family} of them one may miss more often.` : ''} All of it is about cases like these.`,
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

export function describeCountsSource({ counted, cases }: Verdict, { seed }: Pick<Trial, 'seed'>): string {
  return `Counted in drawn order ${seed}, ${formatCount(counted)} of ${formatCount(cases)}. Rates with Wilson’s range, watched ranges by betting, the planned look after Bonett and Price. Statistics 1.`;
}
