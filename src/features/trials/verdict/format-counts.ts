/** "How this is counted": the figures of a verdict as a table, and what they mean in plain words. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import { evidenceWords, pointsWords } from '../../../trials/describe-verdict.ts';
import { letterAt, type Trial } from '../../../trials/trial.ts';
import type { Comparison, Verdict } from '../../../trials/verdict.ts';

export const countsHeads = [
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

/** One row: the cells of a comparison, in the order of the heads. */
export function countsRow({ counts, noAnswer, evidence, needed, range, plannedLook }: Comparison): string[] {
  const count = (value: number | undefined) => (value === undefined ? 'averaged' : formatCount(value));
  const between = (ends: readonly [number, number] | undefined) =>
    ends ? `${pointsWords(ends[0])} to ${pointsWords(ends[1])}` : 'none';
  return [
    count(counts?.both),
    count(counts?.onlyColumn),
    count(counts?.onlyBaseline),
    count(counts?.neither),
    formatCount(noAnswer),
    evidenceWords(evidence),
    formatCount(needed),
    between(range),
    between(plannedLook),
  ];
}

/** What the table means, as two paragraphs that begin with what matters. */
export function countsMeaning(
  { comparisons, family, threshold }: Verdict,
  { baseline }: { baseline: string },
): { lead: string; rest: string }[] {
  const [first] = comparisons;
  const parted = first?.counts
    ? `: ${formatCount(first.counts.onlyColumn)} and ${formatCount(first.counts.onlyBaseline)} of them in the first row.`
    : '.';
  const several = family > 1;
  return [
    {
      lead: 'Only cases where two columns part say anything',
      rest: `${parted} A bet against “no difference” starts at 1 and stakes on the side that was ahead before. Without a difference it would ever reach 20 in at most 1 of 20 trials, however often you look.`,
    },
    {
      lead: several
        ? `${pluralize(family, 'comparison')}, so the first needs ${formatCount(20 * family)}.`
        : 'One comparison, so it needs 20.',
      rest: ` The watched range holds every difference from ${baseline} that no such bet has ruled out (threshold ${formatCount(threshold)}). One planned look at the end would have been narrower, and wrong more often for whoever watches.${several ? ` The words hold for all comparisons together; each range holds by itself, so with ${family} of them one may miss more often.` : ''} All of it is about cases like these.`,
    },
  ];
}

/** The whole of it as text to copy. */
export function countsText(verdict: Verdict, trial: Pick<Trial, 'seed'>): string {
  const base = letterAt(verdict.baseline);
  const lines = verdict.comparisons.map((each) => {
    const cells = countsRow(each);
    return `${letterAt(each.column)} against ${base}: ${countsHeads.map((head, index) => `${head} ${cells[index] ?? ''}`).join(', ')}`;
  });
  const meaning = countsMeaning(verdict, { baseline: base }).map(({ lead, rest }) => `${lead}${rest}`);
  return [...lines, ...meaning, countsFoot(verdict, trial)].join('\n');
}

export function countsFoot({ counted, cases }: Verdict, { seed }: Pick<Trial, 'seed'>): string {
  return `Counted in drawn order ${seed}, ${formatCount(counted)} of ${formatCount(cases)}. Rates with Wilson’s range, watched ranges by betting, the planned look after Bonett and Price. Statistics 1.`;
}
