/** Formats the texts of the trial list. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { TrialSummary } from '../../../state/trials/trials-store.ts';
import type { TrialStarter } from '../../../trials/starters/trial-starters.ts';
import { estimateTimeLeft, type GatewayLimit } from '../../../trials/trial-pace.ts';
import { formatLongDuration } from '../format-duration.ts';

/** Formats a size such as "120 × 3", or "100 × 3 × 5" with repeats. */
export function formatTrialSize({
  cases,
  columns,
  repeats,
}: Pick<TrialSummary, 'cases' | 'columns' | 'repeats'>): string {
  const parts = [cases, columns, ...(repeats > 1 ? [repeats] : [])];
  return parts.map(formatCount).join(' × ');
}

/** Formats the number of trials, such as "6 trials", or the number of matches. */
export function formatListCount(matchCount: number, total: number): string {
  return matchCount === total
    ? pluralize(total, 'trial')
    : `${formatCount(matchCount)} of ${pluralize(total, 'trial')}`;
}

/**
 * Describes a starter with its number of requests and the minimum time at these rate limits, which its columns use in
 * turn.
 */
export function describeStarter(
  { description, cases, columns, repeats }: TrialStarter,
  limits: readonly GatewayLimit[],
): string {
  const requests = cases.length * columns.length * repeats;
  const { ms } = estimateTimeLeft(
    columns.flatMap((_, index) => {
      const limit = limits[index % limits.length];
      return limit ? [{ ...limit, requests: cases.length * repeats, meanMs: undefined }] : [];
    }),
    1,
  );
  const time = ms === 0 ? '' : `, ${formatLongDuration(ms)}`;
  return `${description}, ${pluralize(requests, 'request')}${time}`;
}
