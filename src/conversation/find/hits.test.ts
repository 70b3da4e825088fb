import { describe, expect, it } from 'vitest';

import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  addTestReply,
  addTestTurn,
} from '../../testing/builders.ts';
import { getPromptTexts } from '../files/text-search.ts';
import { addPrompt } from '../session/edit-session.ts';
import type { Run, SessionData } from '../session/types.ts';
import {
  findHits,
  getAdjacentHit,
  describeHit,
  pickInitialHit,
  formatHitPosition,
  findMatches,
  type FindQuery,
  type Hit,
} from './hits.ts';
import { listTurnLines } from './turn-lines.ts';

const environment = createTestEnvironment();

function createConversation(...exchanges: [prompt: string, answer: Partial<Run>][]): SessionData {
  let data = createTestSession(environment);
  for (const [prompt, answer] of exchanges) data = addTestTurn(data, environment, prompt, answer).data;
  return data;
}

const stripMarkdown = (markdown: string) => markdown.replaceAll('*', '');
const find = (data: SessionData, query: string, options: Partial<FindQuery> = {}) =>
  findHits(data, { query, scope: 'all', ...options }, stripMarkdown);
const formatHits = (hits: readonly Hit[]) =>
  hits.map(({ turnNumber, kind, occurrence }) => `${turnNumber} ${kind} ${occurrence}`);

const conversation = createConversation(
  ['The refund period: 14 days?', createTextChoices('The **refund** period is 14 days. Refund  period!')],
  ['Nothing about it', createTextChoices('No')],
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

describe('find in session', () => {
  it('finds all hits in reading order, ignoring case, accents, Markdown and white space', () => {
    expect(formatHits(find(conversation, ' REFUND period').hits)).toEqual([
      '1 prompt 0',
      '1 answer 0',
      '1 answer 1',
      '3 reasoning 0',
    ]);
  });

  it('finds the names of attached files after the text of the message', () => {
    const { data, promptId } = addPrompt(createTestSession(environment), environment, {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See the paper' },
            { type: 'file', file: { filename: 'paper.pdf', file_data: 'data:,' } },
          ],
        },
      ],
    });
    const withTurn = addTestReply(data, environment, promptId, createTextChoices('Yes')).data;
    const prompt = data.prompts[promptId];
    expect(formatHits(find(withTurn, 'paper').hits)).toEqual(['1 prompt 0', '1 prompt 1']);
    expect(prompt && getPromptTexts(prompt)).toEqual([
      { source: 'prompt', text: 'See the paper\npaper.pdf' },
    ]);
  });

  it('searches only the selected scope', () => {
    const findInScope = (scope: FindQuery['scope']) =>
      formatHits(find(conversation, 'refund period', { scope }).hits);
    expect(findInScope('prompts')).toEqual(['1 prompt 0']);
    expect(findInScope('answers')).toEqual(['1 answer 0', '1 answer 1']);
    expect(findInScope('reasoning')).toEqual(['3 reasoning 0']);
  });

  it('treats special characters literally and returns no hits for a blank query', () => {
    const punctuationConversation = createConversation([
      'What is a.b|c (d)?',
      createTextChoices('a.b|c and axb'),
    ]);
    expect(formatHits(find(punctuationConversation, 'a.b|c').hits)).toEqual(['1 prompt 0', '1 answer 0']);
    expect(formatHits(find(punctuationConversation, '(d)').hits)).toEqual(['1 prompt 0']);
    expect(find(punctuationConversation, '  ').hits).toEqual([]);
  });

  it('matches words separately only for history searches without a phrase match', () => {
    expect(find(conversation, 'days period').hits).toEqual([]);
    expect(find(conversation, 'days period', { matchesTermsSeparately: true }).hits).toHaveLength(7);
    expect(find(conversation, 'refund period', { matchesTermsSeparately: true }).hits).toHaveLength(4);
  });

  it('returns original offsets if normalization changes the text length', () => {
    const { pattern } = find(conversation, 'zoe');
    expect(pattern && findMatches('Ångström, Zoë', pattern)).toEqual([{ start: 10, end: 13 }]);
  });

  it('moves between hits, wraps around and formats the position', () => {
    const { hits } = find(conversation, 'refund period');
    const [first, second] = hits;
    expect(formatHitPosition(hits, second, 'refund period')).toBe('2 of 4');
    expect(formatHitPosition(hits, undefined, 'refund period')).toBe('4 hits');
    expect(formatHitPosition([], undefined, 'x')).toBe('No hits');
    expect(formatHitPosition([], undefined, '')).toBe('');
    expect(getAdjacentHit(hits, first, 1)).toBe(second);
    expect(getAdjacentHit(hits, first, -1)).toBe(hits[3]);
    expect(getAdjacentHit(hits, hits[3], 1)).toBe(first);
    expect(first && describeHit(hits, first)).toBe('Hit 1 of 4, turn 1, your message.');
    expect(second && describeHit(hits, second)).toBe('Hit 2 of 4, turn 1, answer of lane A.');
  });

  it('keeps the current hit, or starts at the requested record or the turn in view', () => {
    const { hits } = find(conversation, 'refund period');
    const currentHit = hits[1];
    expect(pickInitialHit(hits, { currentHit: currentHit && { ...currentHit } })).toBe(currentHit);
    expect(pickInitialHit(hits, { minTurnNumber: 2 })).toBe(hits[3]);
    expect(pickInitialHit(hits, { minTurnNumber: 4 })).toBe(hits[0]);
    expect(pickInitialHit(hits, { minTurnNumber: 3, recordId: currentHit?.messageKey })).toBe(currentHit);
  });
});

describe('turn list', () => {
  it('lists each turn with its first line and number of hits', () => {
    const { hits } = find(conversation, 'refund period');
    expect(
      listTurnLines(conversation, hits).map(({ number, text, hitCount }) => [number, text, hitCount]),
    ).toEqual([
      [1, 'The refund period: 14 days?', 3],
      [2, 'Nothing about it', 0],
      [3, 'Again', 1],
    ]);
  });

  it('appends the line count of a long prompt', () => {
    const longConversation = createConversation([
      `First line\n${'more\n'.repeat(11_998)}end`,
      createTextChoices('Yes'),
    ]);
    expect(listTurnLines(longConversation, [])[0]?.text).toBe('First line (12,000 lines)');
  });
});
