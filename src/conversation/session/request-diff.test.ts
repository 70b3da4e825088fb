import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ChatRequest, Message } from '../../gateway/wire.ts';
import { JsonSource, type JsonObject } from '../../lib/json.ts';
import { createTickedParams } from '../../testing/builders.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { findDifferingParams } from './differing-params.ts';
import { diffRequests } from './request-diff.ts';

const createBody = (changes: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  ...changes,
});

const anyMessage: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('system' as const, 'developer' as const, 'user' as const),
  content: fc.constantFrom('a', 'b', 'a\nb', ''),
});
const anyBody: fc.Arbitrary<ChatRequest> = fc
  .record({
    model: fc.constantFrom('m', 'n'),
    messages: fc.array(anyMessage, { maxLength: 3 }),
    fields: fc.dictionary(
      fc.constantFrom('temperature', 'stop', '__proto__'),
      fc.constantFrom(0, 1, 'x', null),
    ),
  })
  .map(({ fields, ...rest }) => ({ ...rest, ...fields }));

describe('request differences', () => {
  it('returns an empty list if and only if all bodies are equal', () => {
    fc.assert(
      fc.property(fc.array(anyBody, { minLength: 1, maxLength: 4 }), (bodies) => {
        const areEqual =
          new Set(
            bodies.map((body) =>
              JSON.stringify(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))),
            ),
          ).size === 1;
        expect(diffRequests(bodies).length === 0).toBe(areEqual);
      }),
      { numRuns: getCaseCount(500) },
    );
  });

  it('lists each differing field with one value per body, in order', () => {
    const differences = diffRequests([
      createBody({ model: 'a', top_p: 0.5 }),
      createBody({ model: 'b', top_p: 0.5, stop: ['x'] }),
      createBody({ model: 'a', top_p: 0.5 }),
    ]);
    expect(differences).toEqual([
      { field: 'model', values: ['a', 'b', 'a'] },
      { field: 'stop', values: ['not sent', '["x"]', 'not sent'] },
    ]);
  });

  it('names the role of the system prompt if it differs', () => {
    const withRole = (role: 'system' | 'developer') =>
      createBody({ messages: [{ role, content: 'Be brief.' }] });
    expect(diffRequests([withRole('system'), withRole('developer')])).toEqual([
      { field: 'system prompt', values: ['as system', 'as developer'] },
    ]);
  });

  it('distinguishes the system prompt from the history', () => {
    const createSystemMessage = (content: string): Message => ({ role: 'system', content });
    const hi: Message = { role: 'user', content: 'Hi' };
    expect(
      diffRequests([
        createBody({ messages: [createSystemMessage('Be brief.'), hi] }),
        createBody({ messages: [hi] }),
      ]),
    ).toEqual([{ field: 'system prompt', values: ['“Be brief.”', 'not sent'] }]);
    expect(diffRequests([createBody(), createBody({ messages: [hi, hi] })])).toEqual([
      { field: 'histories', values: ['differ from turn 1 on'] },
    ]);
  });

  it('counts the words of a longer system prompt that differ', () => {
    const diffPrompts = (...prompts: string[]) =>
      diffRequests(prompts.map((content) => createBody({ messages: [{ role: 'system', content }] })))[0]
        ?.values;
    const text = 'You are a terse assistant for the Acme company.';
    expect(diffPrompts(text, `${text} Sign each mail.`, text, text.replace(' terse', ''))).toEqual([
      '9 words',
      '+3 words',
      'same text',
      '−1 word',
    ]);
    expect(diffPrompts(text, text.replace('Acme', 'Orbit'), text.replace(' ', '\n'))).toEqual([
      '9 words',
      '+1 −1 words',
      'same words',
    ]);
  });

  it('reports the first turn at which the histories differ', () => {
    const createTurnMessages = (answer: string): Message[] => [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: answer },
    ];
    const diffHistories = (a: Message[], b: Message[]) =>
      diffRequests([createBody({ messages: a }), createBody({ messages: b })]);
    const twoTurns = [...createTurnMessages('a'), ...createTurnMessages('b')];
    expect(diffHistories(twoTurns, [...createTurnMessages('a'), ...createTurnMessages('c')])).toEqual([
      { field: 'histories', values: ['differ from turn 2 on'] },
    ]);
    expect(diffHistories(twoTurns, createTurnMessages('a')), 'lists of different lengths').toEqual([
      { field: 'histories', values: ['differ from turn 2 on'] },
    ]);
  });

  it('ignores the order of keys but not the order of list items', () => {
    const listDifferingFields = (a: JsonObject, b: JsonObject) =>
      diffRequests([createBody(a), createBody(b)]).map(({ field }) => field);
    expect(listDifferingFields({ x: { a: 1, b: [1] } }, { x: { b: [1], a: 1 } })).toEqual([]);
    expect(listDifferingFields({ x: [1, 2] }, { x: [2, 1] })).toEqual(['x']);
  });

  it('compares numbers that a plain value cannot represent by their digits', () => {
    const diffNumbers = (a: string, b: string) =>
      diffRequests([createBody({ x: new JsonSource(a) }), createBody({ x: new JsonSource(b) })]);
    expect(diffNumbers('1e400', '1e400')).toEqual([]);
    expect(diffNumbers('1e400', '1e500')).toEqual([{ field: 'x', values: ['1e400', '1e500'] }]);
  });
});

describe('differing parameters', () => {
  it('lists parameters that are sent differently and ignores unsent text', () => {
    const unsent = { top_p: { sent: false, text: '0.1' } };
    expect(
      findDifferingParams([
        createTickedParams({ temperature: '1', seed: '1' }),
        { ...createTickedParams({ temperature: '1', seed: '2' }), ...unsent },
      ]),
    ).toEqual(['seed']);
    expect(findDifferingParams([createTickedParams({ n: '2' }), {}])).toEqual(['n']);
    expect(findDifferingParams([])).toEqual([]);
  });
});
