import { describe, expect, it } from 'vitest';

import { anEnvironment, answered, aSession, say } from '../../testing/builders.ts';
import type { Run, SessionData } from '../session/types.ts';
import {
  findHits,
  hitAfter,
  hitSentence,
  hitToShow,
  hitWords,
  matchesIn,
  type FindQuery,
  type Hit,
} from './hits.ts';
import { turnLines } from './turn-lines.ts';

const environment = anEnvironment();

function aTalk(...said: [prompt: string, answer: Partial<Run>][]): SessionData {
  let data = aSession(environment);
  for (const [prompt, answer] of said) data = say(data, environment, prompt, answer).data;
  return data;
}

const withoutMarks = (markdown: string) => markdown.replaceAll('*', '');
const find = (data: SessionData, query: string, more: Partial<FindQuery> = {}) =>
  findHits(data, { query, among: 'all', ...more }, withoutMarks);
const places = (hits: readonly Hit[]) => hits.map(({ turn, kind, nth }) => `${turn} ${kind} ${nth}`);

const talk = aTalk(
  ['The refund period: 14 days?', answered('The **refund** period is 14 days. Refund  period!')],
  ['Nothing about it', answered('No')],
  [
    'Again',
    {
      choices: [
        {
          parts: [
            { type: 'thinking', text: 'Réfund\nperiod, hm', startedMs: 0, endedMs: 1, deltas: 1 },
            { type: 'text', text: 'Period of refund' },
          ],
        },
      ],
    },
  ],
);

describe('finding in a session', () => {
  it('finds every place in reading order, without case, accents and markdown, over any space', () => {
    expect(places(find(talk, ' REFUND period').hits)).toEqual([
      '1 prompt 0',
      '1 answer 0',
      '1 answer 1',
      '3 reasoning 0',
    ]);
  });

  it('looks only in what is asked for', () => {
    const among = (part: FindQuery['among']) => places(find(talk, 'refund period', { among: part }).hits);
    expect(among('prompts')).toEqual(['1 prompt 0']);
    expect(among('answers')).toEqual(['1 answer 0', '1 answer 1']);
    expect(among('reasoning')).toEqual(['3 reasoning 0']);
  });

  it('takes signs as they are, and nothing for a question', () => {
    const signs = aTalk(['What is a.b|c (d)?', answered('a.b|c and axb')]);
    expect(places(find(signs, 'a.b|c').hits)).toEqual(['1 prompt 0', '1 answer 0']);
    expect(places(find(signs, '(d)').hits)).toEqual(['1 prompt 0']);
    expect(find(signs, '  ').hits).toEqual([]);
  });

  it('finds each of the words only where history asked for them and they stand nowhere together', () => {
    expect(find(talk, 'days period').hits).toEqual([]);
    expect(find(talk, 'days period', { eachWord: true }).hits).toHaveLength(7);
    expect(find(talk, 'refund period', { eachWord: true }).hits).toHaveLength(4);
  });

  it('says where a match is in a text whose folding has another length', () => {
    const { pattern } = find(talk, 'zoe');
    expect(pattern && matchesIn('Ångström, Zoë', pattern)).toEqual([{ start: 10, end: 13 }]);
  });

  it('goes on from hit to hit, round at the ends, and says which one it is', () => {
    const { hits } = find(talk, 'refund period');
    const [first, second] = hits;
    expect(hitWords(hits, second, 'refund period')).toBe('2 of 4');
    expect(hitWords(hits, undefined, 'refund period')).toBe('4 hits');
    expect(hitWords([], undefined, 'x')).toBe('No hits');
    expect(hitWords([], undefined, '')).toBe('');
    expect(hitAfter(hits, first, 1)).toBe(second);
    expect(hitAfter(hits, first, -1)).toBe(hits[3]);
    expect(hitAfter(hits, hits[3], 1)).toBe(first);
    expect(first && hitSentence(hits, first)).toBe('Hit 1 of 4, turn 1, your message.');
    expect(second && hitSentence(hits, second)).toBe('Hit 2 of 4, turn 1, answer of lane A.');
  });

  it('stays at a hit while others come, and begins in the record that was asked for, or at the turn in view', () => {
    const { hits } = find(talk, 'refund period');
    const here = hits[1];
    expect(hitToShow(hits, { here: here && { ...here } })).toBe(here);
    expect(hitToShow(hits, { turn: 2 })).toBe(hits[3]);
    expect(hitToShow(hits, { turn: 4 })).toBe(hits[0]);
    expect(hitToShow(hits, { turn: 3, record: here?.message })).toBe(here);
  });
});

describe('the list of turns', () => {
  it('has a line for each turn with its first words and its hits', () => {
    const { hits } = find(talk, 'refund period');
    expect(turnLines(talk, hits).map(({ number, words, hits: count }) => [number, words, count])).toEqual([
      [1, 'The refund period: 14 days?', 3],
      [2, 'Nothing about it', 0],
      [3, 'Again', 1],
    ]);
  });

  it('says of a long text how long it is', () => {
    const long = aTalk([`First line\n${'more\n'.repeat(11_998)}end`, answered('Yes')]);
    expect(turnLines(long, [])[0]?.words).toBe('First line (12,000 lines)');
  });
});
