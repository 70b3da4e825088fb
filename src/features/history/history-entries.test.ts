import { describe, expect, it } from 'vitest';

import type { Session } from '../../conversation/session/types.ts';
import {
  dayHeading,
  extentWords,
  groupedByDay,
  listedEntries,
  modelsIn,
  tokenWords,
  trialEntry,
} from './history-entries.ts';

const now = new Date(2026, 5, 14, 15, 0).getTime();
const daysAgo = (days: number) => new Date(2026, 5, 14 - days, 12, 0).getTime();

function aSession(title: string, days: number, summary: Session['summary']): Session {
  return {
    id: title,
    title,
    createdAt: 0,
    updatedAt: daysAgo(days),
    laneIds: ['a'],
    ...(summary ? { summary } : {}),
  };
}

const sessions = [
  aSession('Talk 10', 1, { models: ['x/one'], prompts: 3, tokens: 900 }),
  aSession('talk 9', 0, { models: ['x/one', 'x/two'], prompts: 12, tokens: 20, marks: ['good'] }),
  aSession('An old one', 70, { models: ['x/two'], prompts: 1 }),
];
const newest = { by: 'when', descending: true } as const;
const titles = (view: Parameters<typeof listedEntries>[1]) =>
  listedEntries(sessions, view, undefined).map(({ title }) => title);

describe('trials between sessions', () => {
  const trial = trialEntry({
    id: 'trial',
    title: 'Tickets',
    createdAt: 0,
    updatedAt: daysAgo(0) - 1,
    state: { name: 'draft' },
    cases: 1,
    columns: 3,
    repeats: 1,
    models: ['x/two'],
  });

  it('stand where their time, title or models put them, and no mark of an answer finds them', () => {
    const all = [...sessions, trial];
    const listed = (view: Parameters<typeof listedEntries>[1]) =>
      listedEntries(all, view, undefined).map(({ title }) => title);
    expect(listed({ sort: newest })).toEqual(['talk 9', 'Tickets', 'Talk 10', 'An old one']);
    expect(listed({ sort: { by: 'title', descending: true } })[0]).toBe('Tickets');
    expect(listed({ sort: newest, model: 'x/two' })).toContain('Tickets');
    expect(listed({ sort: newest, mark: 'any' })).toEqual(['talk 9']);
    expect(extentWords(trial)).toBe('1 case × 3 columns');
  });
});

describe('the list of sessions', () => {
  it('is sorted by any column, numbers in titles as numbers', () => {
    expect(titles({ sort: newest })).toEqual(['talk 9', 'Talk 10', 'An old one']);
    expect(titles({ sort: { by: 'title', descending: false } })).toEqual(['An old one', 'talk 9', 'Talk 10']);
    expect(titles({ sort: { by: 'turns', descending: true } })).toEqual(['talk 9', 'Talk 10', 'An old one']);
    expect(titles({ sort: { by: 'tokens', descending: true } })).toEqual(['Talk 10', 'talk 9', 'An old one']);
  });

  it('shows only sessions with a model or a mark, and only those that were found', () => {
    expect(titles({ sort: newest, model: 'x/two' })).toEqual(['talk 9', 'An old one']);
    expect(titles({ sort: newest, mark: 'any' })).toEqual(['talk 9']);
    expect(titles({ sort: newest, mark: 'bad' })).toEqual([]);
    const found = new Map([['Talk 10', undefined]]);
    expect(listedEntries(sessions, { sort: newest }, found).map(({ title }) => title)).toEqual(['Talk 10']);
    expect(modelsIn(sessions)).toEqual(['x/one', 'x/two']);
  });

  it('has the days above it where it is in the order of time', () => {
    const headings = (by: 'when' | 'title') =>
      groupedByDay(listedEntries(sessions, { sort: newest }, undefined), { by, descending: true }, now).map(
        ({ heading }) => heading,
      );
    expect(headings('when')).toEqual(['Today', 'Yesterday', 'April 2026']);
    expect(headings('title')).toEqual([undefined]);
    expect(dayHeading(daysAgo(6), now)).toBe('Previous 7 days');
    expect(dayHeading(daysAgo(20), now)).toBe('Previous 30 days');
  });

  it('says how much is in a session, and which tokens are counted here', () => {
    expect(sessions.map(extentWords)).toEqual(['3 messages', '12 messages', '1 message']);
    expect(extentWords({ ...aSession('Two', 0, { models: [], prompts: 2 }), laneIds: ['a', 'b'] })).toBe(
      '2 messages, 2 lanes',
    );
    expect(sessions.map(tokenWords)).toEqual(['900', '20', 'not counted']);
    expect(tokenWords(aSession('', 0, { models: [], prompts: 1, tokens: 1240, tokensEstimated: true }))).toBe(
      '~1,240',
    );
  });
});
