/** Describes what a choice between columns costs besides the rate: time, length, money and missing answers. */
import { formatCount } from '../../../lib/format.ts';
import type { ColumnStats } from '../../../state/trials/results/trial-results.ts';
import type { Ratio } from '../../../trials/latency.ts';
import type { Comparison, Verdict } from '../../../trials/verdict.ts';
import type { ColumnName } from '../format-columns.ts';
import { formatPointsWithUnit, joinRichText, toColumnPart, type RichText } from './rich-text.ts';

/** Larger numbers of columns are listed in the report only. */
const maxColumns = 3;

/**
 * Describes how much longer, wordier and dearer the columns are than the baseline, each with its range by case, and how
 * many answers are missing. A decided comparison also gets the choice in one sentence.
 */
export function describeTradeOffs(
  verdict: Verdict,
  columnStats: readonly ColumnStats[],
  names: readonly ColumnName[],
): RichText[] {
  const comparisons = verdict.comparisons
    .toSorted((a, b) => b.difference - a.difference)
    .slice(0, maxColumns);
  return [
    ...comparisons.flatMap((comparison) => {
      const factors = listFactors(columnStats[comparison.column]);
      return [...describeChoice(comparison, factors, names), ...describeFactors(comparison, factors, names)];
    }),
    ...describeAnswers(columnStats, names),
  ];
}

interface Factor {
  /** Predicate before the factor and after it, such as "takes" and "as long to the first token". */
  verb: string;
  object: string;
  /** Object in a sentence that names no details. */
  shortObject: string;
  ratio: Ratio;
}

/** Lists the ratios whose range leaves no doubt about the direction. */
function listFactors(stats: ColumnStats | undefined): Factor[] {
  const candidates = [
    {
      verb: 'takes',
      object: 'as long to the first token',
      shortObject: '',
      ratio: stats?.firstToken.ratio,
    },
    {
      verb: 'takes',
      object: 'as long for the whole answer',
      shortObject: 'as long',
      ratio: stats?.total.ratio,
    },
    { verb: 'writes', object: 'as many tokens', shortObject: 'as much', ratio: stats?.tokensRatio },
    { verb: 'costs', object: 'as much', shortObject: 'as much', ratio: stats?.costRatio },
  ];
  return candidates.flatMap(({ ratio, ...words }) =>
    ratio && (ratio.interval[0] > 1 || ratio.interval[1] < 1) ? [{ ...words, ratio }] : [],
  );
}

/** Returns, for example, "B is better by 14 points, takes 1.7 times as long and writes 2.3 times as much." */
function describeChoice(
  { column, outcome, difference }: Comparison,
  factors: readonly Factor[],
  names: readonly ColumnName[],
): RichText[] {
  const shortFactors = factors.filter(({ shortObject }) => shortObject !== '');
  if ((outcome !== 'better' && outcome !== 'worse') || shortFactors.length === 0) return [];
  const parts: RichText[] = [
    [`is ${outcome} by `, { points: formatPointsWithUnit(difference) }],
    ...shortFactors.map(({ verb, shortObject, ratio }): RichText => [
      `${verb} ${formatFactor(ratio.factor)} times ${shortObject}`,
    ]),
  ];
  return [[toColumnPart(names, column), ' ', ...joinRichText(parts), '.']];
}

/** Returns, for example, "B takes 1.67 times as long to the first token (1.48 to 1.95)." */
function describeFactors(
  { column }: Comparison,
  factors: readonly Factor[],
  names: readonly ColumnName[],
): RichText[] {
  if (factors.length === 0) return [];
  const parts = factors.map(({ verb, object, ratio }): RichText => {
    const [low, high] = ratio.interval.map(formatFactor);
    const text = `${verb} ${formatFactor(ratio.factor)} times ${object}`;
    return low === high ? [text] : [`${text} `, { range: `(${low} to ${high})` }];
  });
  return [[toColumnPart(names, column), ' ', ...joinRichText(parts), '.']];
}

/** Formats a factor with two decimals below 10, such as "1.67". A range that excludes 1 does not appear to reach it. */
export function formatFactor(factor: number): string {
  if (factor >= 10) return formatCount(Math.round(factor));
  const rounded = Number(factor.toFixed(2));
  return String(rounded === 1 ? Number(factor.toFixed(4)) : rounded);
}

/** Returns, for example, "A gave an answer in 80 of 80 and C in 75 of 80."; nothing if no answer is missing. */
function describeAnswers(columnStats: readonly ColumnStats[], names: readonly ColumnName[]): RichText[] {
  const answeredColumns = columnStats.flatMap((stats, column) =>
    stats.cells > 0 ? [{ stats, column }] : [],
  );
  if (answeredColumns.every(({ stats }) => stats.missing === 0)) return [];
  const parts = answeredColumns.map(({ stats, column }, index): RichText => [
    toColumnPart(names, column),
    `${index === 0 ? ' gave an answer in ' : ' in '}${formatCount(stats.answered)} of ${formatCount(stats.cells)}`,
  ]);
  return [[...joinRichText(parts), '.']];
}
