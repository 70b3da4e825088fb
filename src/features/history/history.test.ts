import { describe, expect, it } from 'vitest';

import { formatRelativeTime } from '../../lib/relative-time.ts';

describe('time of last use', () => {
  const now = new Date(2026, 5, 14, 15, 0, 0).getTime();
  const formatMinutesAgo = (count: number) => formatRelativeTime(now - count * 60_000, now);

  it('shows the minutes since the last use for one hour, then the time of day', () => {
    expect([formatMinutesAgo(0.5), formatMinutesAgo(1), formatMinutesAgo(59), formatMinutesAgo(61)]).toEqual([
      'just now',
      '1 min ago',
      '59 min ago',
      '13:59',
    ]);
  });

  it('shows the date of last use before today, with the year if it is not the current one', () => {
    expect(formatRelativeTime(new Date(2026, 5, 13, 23, 59).getTime(), now)).toBe('13 Jun');
    expect(formatRelativeTime(new Date(2025, 11, 31).getTime(), now)).toBe('31 Dec 2025');
  });

  it('shows the time of last use instead of a negative age if the clock was set back', () => {
    expect(formatRelativeTime(now + 90 * 60_000, now)).toBe('16:30');
  });
});
