import { describe, expect, it } from 'vitest';

import { formatRelativeTime } from '../../lib/relative-time.ts';

describe('when a session was last used', () => {
  const now = new Date(2026, 5, 14, 15, 0, 0).getTime();
  const formatMinutesAgo = (count: number) => formatRelativeTime(now - count * 60_000, now);

  it('counts minutes for an hour, then gives the time of today', () => {
    expect([formatMinutesAgo(0.5), formatMinutesAgo(1), formatMinutesAgo(59), formatMinutesAgo(61)]).toEqual([
      'just now',
      '1 min ago',
      '59 min ago',
      '13:59',
    ]);
  });

  it('gives the day before today, with the year where it is another', () => {
    expect(formatRelativeTime(new Date(2026, 5, 13, 23, 59).getTime(), now)).toBe('13 Jun');
    expect(formatRelativeTime(new Date(2025, 11, 31).getTime(), now)).toBe('31 Dec 2025');
  });

  it('names no negative age for a clock that was set back', () => {
    expect(formatRelativeTime(now + 90 * 60_000, now)).toBe('16:30');
  });
});
