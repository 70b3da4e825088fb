import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../lib/json.ts';
import { createModelRequest, collectOutput, getReplyText } from '../../testing/demo-requests.ts';
import { thinker } from './thinker.ts';

const getReply = (question: string) => getReplyText(thinker, createModelRequest(question));
const getReasoning = (question: string, fields: JsonObject) =>
  collectOutput(thinker, createModelRequest(question, { fields })).flatMap((piece) =>
    'thinking' in piece ? [piece.thinking] : [],
  );

const arithmetic: [string, string][] = [
  ['What is 2 + 2?', '4'],
  ['2+3*4', '14'],
  ['(2 + 3) × 4', '20'],
  ['10 - 4 - 3', '3'],
  ['10 / 4', '2.5'],
  ['10 ÷ 3', '3.33333333333'],
  ['0.1 + 0.2', '0.3'],
  ['1,234,567 × 89', '109,876,463'],
  ['how much is 17 times 23', '391'],
  ['7 x 8', '56'],
  ['7 plus 3 minus 4', '6'],
  ['20 divided by 5', '4'],
  ['5 − −3', '8'],
  ['-2 * (3 - 5)', '4'],
  ['$19.99 * 3', '59.97'],
  ['2+2=?', '4'],
  ['((1+2)*(3+4))/(5-2)', '7'],
  ['((5)) + (1)', '6'],
];

describe('demo/thinker', () => {
  it('solves arithmetic problems', () => {
    expect(arithmetic.map(([question]) => [question, /\*\*(.*)\*\*/.exec(getReply(question))?.[1]])).toEqual(
      arithmetic,
    );
  });

  it('solves several calculations in one message', () => {
    expect(getReply('What is 2+2 and 3*3?')).toBe('2 + 2 = **4**\n\n3 × 3 = **9**');
  });

  it('reports calculations that it cannot solve', () => {
    expect(getReply('1/0')).toBe('Division by zero has no result.');
    expect(getReply(`${'9'.repeat(200)} × ${'9'.repeat(200)}`)).toBe('These numbers are too large for me.');
    const questions = [
      'Who wrote Hamlet?',
      '',
      '5 apples',
      '2026-03-14',
      '2^3 + 1',
      '2 + 10%',
      '5! - 1',
      '(1 + 2',
      '3 +',
      '10**3',
    ];
    for (const question of questions)
      expect(getReply(question), question).toMatch(/^I found no calculation in your message/);
  });

  it('sends reasoning only if enable_thinking is true', () => {
    expect(getReasoning('(3 + 4) × 2', {})).toEqual([]);
    expect(getReasoning('(3 + 4) × 2', { enable_thinking: false })).toEqual([]);
    expect(getReasoning('(3 + 4) × 2 - 10 / 4', { enable_thinking: true }).join('')).toBe(
      [
        'I read this as (3 + 4) × 2 - 10 ÷ 4. Parentheses come first, then × and ÷, then + and -.',
        '1. 3 + 4 = 7, which leaves 7 × 2 - 10 ÷ 4',
        '2. 7 × 2 = 14, which leaves 14 - 10 ÷ 4',
        '3. 10 ÷ 4 = 2.5, which leaves 14 - 2.5',
        '4. 14 - 2.5 = 11.5\n',
      ].join('\n'),
    );
  });

  it('gives the same answers with and without reasoning', () => {
    for (const question of [...arithmetic.map(([text]) => text), 'Who wrote Hamlet?']) {
      const request = createModelRequest(question, { fields: { enable_thinking: true } });
      expect(getReasoning(question, { enable_thinking: true }).length, question).toBeGreaterThan(0);
      expect(getReplyText(thinker, request)).toBe(getReply(question));
    }
  });

  it.each([128, 129, 140, 200, 500])(
    'limits reasoning to a budget of %i tokens and reports when it is used up',
    (budget) => {
      const longCalculation = Array.from({ length: 60 }, (_, index) => `${index + 11} × ${index + 23}`).join(
        ' + ',
      );
      const pieces = getReasoning(longCalculation, { enable_thinking: true, thinking_budget: budget });
      expect(pieces.length).toBeLessThanOrEqual(budget);
      expect(pieces.join('')).toMatch(/\nThe thinking budget is used up\.$/);
      const fullReasoning = getReasoning(longCalculation, { enable_thinking: true, thinking_budget: 32_768 });
      expect(fullReasoning.length).toBeGreaterThan(500);
    },
  );

  it('respects budgets below the permitted minimum', () => {
    for (const budget of [0, 1, 5, 20]) {
      const fields = { enable_thinking: true, thinking_budget: budget };
      expect(getReasoning('1+2+3+4+5+6+7', fields).length).toBeLessThanOrEqual(budget);
    }
  });

  it('returns question and answer as one JSON object in JSON mode', () => {
    const value: unknown = JSON.parse(
      getReplyText(thinker, createModelRequest('2 + 2', { isJsonMode: true })),
    );
    expect(value).toEqual({ question: '2 + 2', answer: '2 + 2 = 4' });
  });
});
