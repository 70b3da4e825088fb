/** What the list of trials says. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { TrialSummary } from '../../../state/trials/trials-store.ts';
import type { TrialStarter } from '../../../trials/starters/trial-starters.ts';
import { formatLongDuration, estimateTimeLeft } from '../../../trials/trial-pace.ts';

/** "120 × 3", with repeats "100 × 3 × 5". */
export function formatTrialSize({
  cases,
  columns,
  repeats,
}: Pick<TrialSummary, 'cases' | 'columns' | 'repeats'>): string {
  const parts = [cases, columns, ...(repeats > 1 ? [repeats] : [])];
  return parts.map(formatCount).join(' × ');
}

/** "6 trials", or how many of them were found. */
export function formatListCount(matchCount: number, total: number): string {
  return matchCount === total
    ? pluralize(total, 'trial')
    : `${formatCount(matchCount)} of ${pluralize(total, 'trial')}`;
}

/** What a starter is made of, with its requests and how long they take at least at this pace. */
export function describeStarter(
  { description, cases, columns, repeats }: TrialStarter,
  perMinute: number,
): string {
  const requests = cases.length * columns.length * repeats;
  const { ms } = estimateTimeLeft([{ requests, meanMs: undefined }], perMinute, 1);
  const time = perMinute === 0 ? '' : `, ${formatLongDuration(ms)}`;
  return `${description}, ${pluralize(requests, 'request')}${time}`;
}
