/** Fuzz tests for the decoder, the reader and the fold: random bytes, splits and JSON shapes. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createResponseDecoder } from '../gateway/stream/response-decoder.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { foldTape } from './reply/fold-tape.ts';
import { createRun, getAnswerText } from './reply/run.ts';
import type { Choice, Run } from './session/types.ts';

const utf8 = new TextEncoder();

/** Typical pieces of streams, and pieces that break them. */
const fragment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'data: ',
      'data:',
      ':',
      'event: error\n',
      'id: 1\n',
      'retry: 1\n',
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      '\r\n\r\n',
      '[DONE]',
      '\0',
      '\uFEFF',
      ' ',
    ),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 12, unit: 'binary' }) },
);

const fieldNames = [
  'choices',
  'index',
  'delta',
  'message',
  'content',
  'role',
  'tool_calls',
  'function',
  'function_call',
  'name',
  'arguments',
  'id',
  'model',
  'finish_reason',
  'error',
  'code',
  'type',
  'text',
  'usage',
  'prompt_tokens',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'refusal',
  'detail',
  'object',
  'metadata',
  'raw',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
];
const shape = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      0.5,
      1e9,
      4294967295,
      '',
      'a',
      '<think>',
      '</think>',
      '<th',
      '{"a":',
      '\uD83D',
      '__proto__',
      'stop',
      'error',
    ),
    fc.string({ maxLength: 6 }),
    fc.array(tie('node'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...fieldNames), tie('node')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).node;
/** Chunk with content and arbitrary values in its fields. */
const chunk = fc.record(
  {
    choices: fc.array(
      fc.record(
        {
          index: fc.oneof(fc.constantFrom(0, 1), shape),
          delta: fc.oneof(
            fc.record(
              {
                content: fc.oneof(fc.string({ maxLength: 8 }), shape),
                tool_calls: fc.array(shape, { maxLength: 2 }),
                reasoning_content: shape,
              },
              { requiredKeys: [] },
            ),
            shape,
          ),
          finish_reason: fc.oneof(fc.constantFrom(null, '', 'stop', 'length'), shape),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 2 },
    ),
    error: shape,
    usage: shape,
    __proto__: shape,
  },
  { requiredKeys: ['choices'] },
);
const event = fc.oneof(chunk, shape).map((value) => `data: ${JSON.stringify(value) ?? 'null'}\n\n`);
const stream = fc
  .array(fc.oneof({ weight: 3, arbitrary: event }, { weight: 2, arbitrary: fragment }), { maxLength: 8 })
  .map((pieces) => utf8.encode(pieces.join('')));
const bytes = fc.oneof(
  { weight: 4, arbitrary: stream },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 120 }) },
);
const endEntry = fc.constantFrom<TapeEntry>(
  { at: 0, end: 'closed' },
  { at: 0, end: 'aborted' },
  { at: 0, end: 'lost', error: { source: 'network', kind: 'connection-lost', message: 'gone' } },
  { at: 0, end: 'timeout', error: { source: 'app', kind: 'timeout', message: 'late' } },
);

function createTape(packets: readonly Uint8Array[], status: number, end: TapeEntry): TapeEntry[] {
  const decoder = createResponseDecoder({ isError: status >= 300 });
  return [
    { at: 0, request: { model: 'm/1', messages: [], stream: true }, requestId: 'r' },
    { at: 0, status, headers: {} },
    ...packets.flatMap((packet) => decoder.push(packet, 0)),
    ...decoder.end(0, 'end' in end && end.end === 'closed'),
    end,
  ];
}

const createEmptyRun = () => createRun('run', 'session', { model: 'm/1', system: '', params: {} });
const joinPartTexts = (choice: Choice | undefined): string =>
  (choice?.parts ?? [])
    .map((part) => (part.type === 'text' || part.type === 'thinking' ? part.text : ''))
    .join('');
const endedPhases = ['complete', 'truncated', 'stopped', 'failed'];

function arePrototypesUntouched(): boolean {
  return (
    Object.keys(Object.prototype).length === 0 &&
    Object.keys(Array.prototype).length === 0 &&
    !('polluted' in {})
  );
}

function splitAt(allBytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const cuts = [
    0,
    ...offsets.map((offset) => offset % (allBytes.length + 1)).toSorted((a, b) => a - b),
    allBytes.length,
  ];
  return cuts.slice(1).map((cut, index) => allBytes.subarray(cuts[index], cut));
}

describe('arbitrary gateway data', () => {
  it('ends a run in a known phase without exceptions or polluted prototypes, however the bytes are split', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.constantFrom(200, 200, 200, 400, 500),
        endEntry,
        (allBytes, offsets, status, end) => {
          const wholeRun = foldTape(createEmptyRun(), createTape([allBytes], status, end));
          const splitRun = foldTape(createEmptyRun(), createTape(splitAt(allBytes, offsets), status, end));
          expect(endedPhases).toContain(wholeRun.phase.name);
          expect(splitRun).toEqual(wholeRun);
          expect(arePrototypesUntouched()).toBe(true);
        },
      ),
      { numRuns: getCaseCount(1_000) },
    );
  });

  it('folds every prefix of a tape without exceptions and yields a prefix of the text', () => {
    fc.assert(
      fc.property(stream, endEntry, (allBytes, end) => {
        const tape = createTape([allBytes], 200, end);
        const wholeRun = foldTape(createEmptyRun(), tape);
        // Each prefix is the tape after a crash: it folds without an exception, and its text is a prefix of the
        // complete text. Text may later turn out to be reasoning.
        for (let length = 0; length < tape.length; length += 1) {
          const partialRun: Run = foldTape(createEmptyRun(), tape.slice(0, length));
          for (const [index, choice] of partialRun.choices.entries())
            expect(joinPartTexts(wholeRun.choices[index]).startsWith(joinPartTexts(choice))).toBe(true);
        }
      }),
      { numRuns: getCaseCount(300) },
    );
  });

  it('keeps the text of all valid chunks between invalid data', () => {
    const createChunkEvent = (text: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
    const noise = fc.oneof(
      fc.constantFrom(
        ': still here\n\n',
        'data: {bad\n\n',
        'data: null\n\n',
        'data: []\n\n',
        'event: other\ndata: {"choices":[{"delta":{"content":"evil"}}]}\n\n',
        '\n\n',
        'retry: 1\n\n',
        'data: {"choices":[{"index":-1,"delta":{"content":"evil"}}]}\n\n',
      ),
      fc
        .string({ maxLength: 10 })
        .filter((text) => !/[\r\n]/.test(text))
        .map((text) => `:${text}\n\n`),
    );
    const word = fc
      .string({ minLength: 1, maxLength: 10, unit: 'grapheme' })
      .filter((text) => !text.includes('<'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.array(noise, { maxLength: 2 })), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        (pieces, offsets) => {
          const allBytes = utf8.encode(
            pieces.map(([text, between]) => createChunkEvent(text) + between.join('')).join(''),
          );
          const run = foldTape(
            createEmptyRun(),
            createTape(splitAt(allBytes, offsets), 200, { at: 0, end: 'closed' }),
          );
          expect(getAnswerText(run.choices[0])).toBe(pieces.map(([text]) => text).join(''));
          expect(run.phase.name).toBe('truncated');
        },
      ),
      { numRuns: getCaseCount(500) },
    );
  });
});
