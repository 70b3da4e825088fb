/** What the list of trials says. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { TrialSummary } from '../../../state/trials/trials-store.ts';
import type { Starter } from '../../../trials/starters/trial-starters.ts';
import { durationWords, timeLeft } from '../../../trials/trial-pace.ts';

/** "120 × 3", with repeats "100 × 3 × 5". */
export function sizeWords({
  cases,
  columns,
  repeats,
}: Pick<TrialSummary, 'cases' | 'columns' | 'repeats'>): string {
  const parts = [cases, columns, ...(repeats > 1 ? [repeats] : [])];
  return parts.map(formatCount).join(' × ');
}

/** "6 trials", or how many of them were found. */
export function listWords(found: number, total: number): string {
  return found === total
    ? pluralize(total, 'trial')
    : `${formatCount(found)} of ${pluralize(total, 'trial')}`;
}

/** What a starter is made of, with its requests and how long they take at least at this pace. */
export function starterWords({ about, cases, columns, repeats }: Starter, perMinute: number): string {
  const requests = cases.length * columns.length * repeats;
  const { ms } = timeLeft([{ requests, meanMs: undefined }], perMinute, 1);
  const time = perMinute === 0 ? '' : `, ${durationWords(ms)}`;
  return `${about}, ${pluralize(requests, 'request')}${time}`;
}
