import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ChatRequest, Message } from '../../gateway/wire.ts';
import { ticked } from '../../testing/builders.ts';
import { cases } from '../../testing/seeds.ts';
import { differencesOf, isSame } from './differences.ts';
import { differingParams } from './differing-params.ts';

const body = (changes: Partial<ChatRequest> = {}): ChatRequest => ({
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

describe('what differs between the bodies', () => {
  it('is nothing exactly where all are equal', () => {
    fc.assert(
      fc.property(fc.array(anyBody, { minLength: 1, maxLength: 4 }), (bodies) => {
        const equal =
          new Set(
            bodies.map((each) =>
              JSON.stringify(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))),
            ),
          ).size === 1;
        expect(differencesOf(bodies).length === 0).toBe(equal);
      }),
      { numRuns: cases(500) },
    );
  });

  it('is named with a value for each, in order', () => {
    const found = differencesOf([
      body({ model: 'a', top_p: 0.5 }),
      body({ model: 'b', top_p: 0.5, stop: ['x'] }),
      body({ model: 'a', top_p: 0.5 }),
    ]);
    expect(found).toEqual([
      { what: 'model', values: ['a', 'b', 'a'] },
      { what: 'stop', values: ['not sent', '["x"]', 'not sent'] },
    ]);
  });

  it('names the role of the system prompt where it differs', () => {
    const withRole = (role: 'system' | 'developer') => body({ messages: [{ role, content: 'Be brief.' }] });
    expect(differencesOf([withRole('system'), withRole('developer')])).toEqual([
      { what: 'system prompt', values: ['as system', 'as developer'] },
    ]);
  });

  it('tells the system prompt from the history', () => {
    const system = (content: string): Message => ({ role: 'system', content });
    const hi: Message = { role: 'user', content: 'Hi' };
    expect(differencesOf([body({ messages: [system('Be brief.'), hi] }), body({ messages: [hi] })])).toEqual([
      { what: 'system prompt', values: ['“Be brief.”', 'not sent'] },
    ]);
    expect(differencesOf([body(), body({ messages: [hi, hi] })])).toEqual([
      { what: 'histories', values: ['differ from turn 1 on'] },
    ]);
  });

  it('tells once from which turn on the histories differ', () => {
    const turn = (answer: string): Message[] => [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: answer },
    ];
    const differences = (one: Message[], other: Message[]) =>
      differencesOf([body({ messages: one }), body({ messages: other })]);
    const later = [...turn('a'), ...turn('b')];
    expect(differences(later, [...turn('a'), ...turn('c')])).toEqual([
      { what: 'histories', values: ['differ from turn 2 on'] },
    ]);
    expect(differences(later, turn('a')), 'one is shorter').toEqual([
      { what: 'histories', values: ['differ from turn 2 on'] },
    ]);
  });

  it('is not the order of keys', () => {
    expect(isSame({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toBe(true);
    expect(isSame([1, 2], [2, 1])).toBe(false);
    expect(isSame({ a: undefined }, { b: undefined })).toBe(false);
  });
});

describe('rows that differ between lanes', () => {
  it('are those that are not sent alike; what is typed and not sent is not a difference', () => {
    const unsent = { top_p: { sent: false, text: '0.1' } };
    expect(
      differingParams([
        ticked({ temperature: '1', seed: '1' }),
        { ...ticked({ temperature: '1', seed: '2' }), ...unsent },
      ]),
    ).toEqual(['seed']);
    expect(differingParams([ticked({ n: '2' }), {}])).toEqual(['n']);
    expect(differingParams([])).toEqual([]);
  });
});
