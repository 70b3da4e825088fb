import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import { createChunkTemplate } from './chunk-template.ts';
import { createTapeReader, type StreamEvent } from './stream-events.ts';

const texts = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '',
    ' word',
    'steady',
    'steady',
    '"',
    '\\',
    '\n',
    '","x":"',
    '\\"',
    '{"content":"a"}',
    '日本',
    '\ud83d',
    '[DONE]',
  ),
);

/** Chunks of one stream: mostly text in the same frame, sometimes other chunks, including lookalikes. */
const chunks = fc.oneof(
  { weight: 8, arbitrary: texts.map((content) => createChunk({ content })) },
  texts.map((content) => createChunk({ content }, { index: 1 })),
  texts.map((content) => createChunk({ content }, {}, { usage: { total_tokens: content.length } })),
  texts.map((content) => createChunk({ content }, { finish_reason: 'stop' })),
  texts.map((content) => createChunk({ content, refusal: content })),
  texts.map((reasoning) => createChunk({ reasoning_content: reasoning })),
  texts.map((content) => ({ note: { content }, ...createChunk({ content }) })),
  texts.map((content) => ({ content, ...createChunk({ content: 'steady' }) })),
  texts.map((id) => ({ ...createChunk({ content: 'a' }), id })),
  fc.constant({ error: { message: 'overloaded' } }),
  fc.constant({ choices: [] }),
);

function createChunk(delta: object, choice: object = {}, chunk: object = {}): object {
  return {
    id: 'c1',
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...chunk,
  };
}

function readEvents(dataTexts: readonly string[]): StreamEvent[] {
  const read = createTapeReader();
  return dataTexts.flatMap((data) => read({ at: 0, data }));
}

it('yields the same events for uniform chunks and for chunks with varying layout', () => {
  fc.assert(
    fc.property(fc.array(chunks, { maxLength: 30 }), (stream) => {
      const uniform = stream.map((chunk) => JSON.stringify(chunk));
      // No two neighbours have the same layout, so each is parsed in full.
      const varied = stream.map((chunk, index) => JSON.stringify(chunk, undefined, (index % 3) + 1));
      const stripDetails = (events: StreamEvent[]) =>
        events.map((event) => ({ ...event, detail: '', report: '' }));
      expect(stripDetails(readEvents(uniform))).toEqual(stripDetails(readEvents(varied)));
    }),
    { numRuns: getCaseCount(500) },
  );
});

it('reads a learned frame without parsing until another is learned', () => {
  const template = createChunkTemplate();
  const learn = (chunk: object, text: string, choice = 0) =>
    template.learn(JSON.stringify(chunk), chunk, [{ type: 'text-delta', choice, text }]);
  const read = (chunk: object) => template.read(JSON.stringify(chunk));
  expect(read(createChunk({ content: 'two' }))).toBeUndefined();

  learn(createChunk({ content: 'one' }, { index: 3 }), 'one', 3);
  expect(read(createChunk({ content: 'a "b"\n' }, { index: 3 }))).toEqual({
    type: 'text-delta',
    choice: 3,
    text: 'a "b"\n',
  });
  expect(read(createChunk({ content: '' }, { index: 3 }))).toBeUndefined();
  expect(read(createChunk({ content: 'two' }, { index: 4 }))).toBeUndefined();
  expect(read(createChunk({ content: 'two' }, { index: 3, more: 1 }))).toBeUndefined();

  const twoChoices = {
    ...createChunk({ content: 'x' }),
    choices: [{ delta: { content: 'x' } }, { delta: {} }],
  };
  learn(twoChoices, 'x');
  expect(read(twoChoices)).toBeUndefined();
});

it('stops learning after sixteen useless frames in a row', () => {
  const template = createChunkTemplate();
  const learn = (id: number) => {
    const chunk = { ...createChunk({ content: 'a' }), id: `c${id}` };
    const data = JSON.stringify(chunk);
    template.learn(data, chunk, [{ type: 'text-delta', choice: 0, text: 'a' }]);
    return data;
  };
  for (let id = 0; id < 15; id += 1) learn(id);
  expect(template.read(learn(15))).toBeDefined();
  for (let id = 0; id < 16; id += 1) learn(id);
  expect(template.read(learn(16))).toBeUndefined();
});

it.each([
  ['a raw line feed', 'a\nb'],
  ['a quote that ends the string early', 'a","x":"b'],
  ['an invalid escape', 'a\\qb'],
  ['an incomplete escape', 'a\\'],
])('reads %s in a templated chunk as JSON.parse does', (_name, escapedText) => {
  const createFrame = (text: string) => `{"choices":[{"index":0,"delta":{"content":"${text}"}}]}`;
  expect(readEvents([createFrame('one'), createFrame(escapedText)])).toEqual([
    ...readEvents([createFrame('one')]),
    ...readEvents([createFrame(escapedText)]).filter(({ type }) => type !== 'identity'),
  ]);
});

it('ignores text after the end marker even in a templated chunk', () => {
  const data = JSON.stringify(createChunk({ content: 'more' }));
  const deltas = readEvents([data, data, '[DONE]', data]).filter(({ type }) => type === 'text-delta');
  expect(deltas).toHaveLength(2);
});

it('reads the right field if a chunk repeats its text elsewhere', () => {
  const createData = (otherText: string) =>
    JSON.stringify({ content: otherText, ...createChunk({ content: 'steady' }) });
  const deltas = readEvents([createData('first'), createData('steady'), createData('longer')]);
  expect(deltas.filter(({ type }) => type === 'text-delta')).toEqual(
    Array.from({ length: 3 }, () => ({ type: 'text-delta', choice: 0, text: 'steady' })),
  );
});
