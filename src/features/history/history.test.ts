import { describe, expect, it } from 'vitest';

import type { Session } from '../../conversation/types.ts';
import { searchSessions } from './search-sessions.ts';
import { whenOf } from './when.ts';

function aSession(title: string, ...models: string[]): Session {
  return { id: title, title, createdAt: 0, updatedAt: 0, laneIds: ['a'], summary: { models, prompts: 1 } };
}

describe('searching the history', () => {
  const sessions = [aSession('Crème brûlée', 'demo/guide'), aSession('Missing parcel', 'tallow/kiln-vl-12b')];
  const titles = (query: string) => searchSessions(sessions, query).map(({ title }) => title);

  it('finds words of the title without case and accents', () =>
    expect(titles('CREME brulee')).toEqual(['Crème brûlée']));
  it('finds models', () => expect(titles('kiln')).toEqual(['Missing parcel']));
  it('wants every word, each in the title or a model', () => {
    expect(titles('parcel tallow')).toEqual(['Missing parcel']);
    expect(titles('parcel guide')).toEqual([]);
  });
  it('shows all where nothing is typed', () => expect(titles('  ')).toHaveLength(2));
});

describe('when a session was last used', () => {
  const now = new Date(2026, 5, 14, 15, 0, 0).getTime();
  const minutes = (count: number) => whenOf(now - count * 60_000, now);

  it('counts minutes for an hour, then gives the time of today', () => {
    expect([minutes(0.5), minutes(1), minutes(59), minutes(61)]).toEqual([
      'just now',
      '1 min ago',
      '59 min ago',
      '13:59',
    ]);
  });

  it('gives the day before today, with the year where it is another', () => {
    expect(whenOf(new Date(2026, 5, 13, 23, 59).getTime(), now)).toBe('13 Jun');
    expect(whenOf(new Date(2025, 11, 31).getTime(), now)).toBe('31 Dec 2025');
  });

  it('names no negative age for a clock that was set back', () => {
    expect(whenOf(now + 90 * 60_000, now)).toBe('16:30');
  });
});
