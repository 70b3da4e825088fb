import { describe, expect, it } from 'vitest';

import type { Session } from '../../conversation/session/types.ts';
import {
  formatDayHeading,
  describeExtent,
  groupByDay,
  filterEntries,
  listEntryModels,
  formatTokenCount,
  toTrialEntry,
} from './history-entries.ts';

const now = new Date(2026, 5, 14, 15, 0).getTime();
const getTimeDaysAgo = (days: number) => new Date(2026, 5, 14 - days, 12, 0).getTime();

function createListedSession(title: string, days: number, summary: Session['summary']): Session {
  return {
    id: title,
    title,
    createdAt: 0,
    updatedAt: getTimeDaysAgo(days),
    laneIds: ['a'],
    ...(summary ? { summary } : {}),
  };
}

const sessions = [
  createListedSession('Talk 10', 1, { models: ['x/one'], prompts: 3, tokens: 900 }),
  createListedSession('talk 9', 0, { models: ['x/one', 'x/two'], prompts: 12, tokens: 20, marks: ['good'] }),
  createListedSession('An old one', 70, { models: ['x/two'], prompts: 1 }),
];
const newest = { by: 'when', descending: true } as const;
const listTitles = (view: Parameters<typeof filterEntries>[1]) =>
  filterEntries(sessions, view, undefined).map(({ title }) => title);

describe('trials among sessions', () => {
  const trial = toTrialEntry({
    id: 'trial',
    title: 'Tickets',
    createdAt: 0,
    updatedAt: getTimeDaysAgo(0) - 1,
    state: { name: 'draft' },
    cases: 1,
    columns: 3,
    repeats: 1,
    models: ['x/two'],
  });

  it('sorts trials by time and title, finds them by model and excludes them when filtering by mark', () => {
    const all = [...sessions, trial];
    const listAllTitles = (view: Parameters<typeof filterEntries>[1]) =>
      filterEntries(all, view, undefined).map(({ title }) => title);
    expect(listAllTitles({ sort: newest })).toEqual(['talk 9', 'Tickets', 'Talk 10', 'An old one']);
    expect(listAllTitles({ sort: { by: 'title', descending: true } })[0]).toBe('Tickets');
    expect(listAllTitles({ sort: newest, model: 'x/two' })).toContain('Tickets');
    expect(listAllTitles({ sort: newest, mark: 'any' })).toEqual(['talk 9']);
    expect(describeExtent(trial)).toBe('1 case × 3 columns');
  });
});

describe('list of sessions', () => {
  it('sorts sessions by any column, with numbers in titles in numerical order', () => {
    expect(listTitles({ sort: newest })).toEqual(['talk 9', 'Talk 10', 'An old one']);
    expect(listTitles({ sort: { by: 'title', descending: false } })).toEqual([
      'An old one',
      'talk 9',
      'Talk 10',
    ]);
    expect(listTitles({ sort: { by: 'turns', descending: true } })).toEqual([
      'talk 9',
      'Talk 10',
      'An old one',
    ]);
    expect(listTitles({ sort: { by: 'tokens', descending: true } })).toEqual([
      'Talk 10',
      'talk 9',
      'An old one',
    ]);
  });

  it('filters sessions by model, mark and search matches', () => {
    expect(listTitles({ sort: newest, model: 'x/two' })).toEqual(['talk 9', 'An old one']);
    expect(listTitles({ sort: newest, mark: 'any' })).toEqual(['talk 9']);
    expect(listTitles({ sort: newest, mark: 'bad' })).toEqual([]);
    const matches = new Map([['Talk 10', undefined]]);
    expect(filterEntries(sessions, { sort: newest }, matches).map(({ title }) => title)).toEqual(['Talk 10']);
    expect(listEntryModels(sessions)).toEqual(['x/one', 'x/two']);
  });

  it('groups sessions by day only if they are in date order', () => {
    const listHeadings = (by: 'when' | 'title') =>
      groupByDay(filterEntries(sessions, { sort: newest }, undefined), { by, descending: true }, now).map(
        ({ heading }) => heading,
      );
    expect(listHeadings('when')).toEqual(['Today', 'Yesterday', 'April 2026']);
    expect(listHeadings('title')).toEqual([undefined]);
    expect(formatDayHeading(getTimeDaysAgo(6), now)).toBe('Previous 7 days');
    expect(formatDayHeading(getTimeDaysAgo(20), now)).toBe('Previous 30 days');
  });

  it('describes the size of a session and marks estimated tokens', () => {
    expect(sessions.map(describeExtent)).toEqual(['3 messages', '12 messages', '1 message']);
    expect(
      describeExtent({ ...createListedSession('Two', 0, { models: [], prompts: 2 }), laneIds: ['a', 'b'] }),
    ).toBe('2 messages, 2 lanes');
    expect(sessions.map(formatTokenCount)).toEqual(['900', '20', '–']);
    expect(
      formatTokenCount(
        createListedSession('', 0, { models: [], prompts: 1, tokens: 1240, tokensEstimated: true }),
      ),
    ).toBe('~1,240');
  });
});
