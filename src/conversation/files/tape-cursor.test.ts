import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createTestSetup } from '../../testing/builders.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { foldTape } from '../reply/fold-tape.ts';
import { resetRun, createRun, getAnswerText } from '../reply/run.ts';
import { createTapeCursor } from './tape-cursor.ts';

const run = createRun('r1', 's1', createTestSetup());

const createChunk = (delta: object, index: number, finish?: string) =>
  JSON.stringify({ id: 'c', model: 'm', choices: [{ index, delta, finish_reason: finish ?? null }] });

const createTextChunk = (content: string) => createChunk({ content }, 0);
const createFinishChunk = () => createChunk({}, 0, 'stop');

const arbitraryText = fc.constantFrom(
  'Hello',
  ' world',
  '<think>',
  'why',
  '</think>',
  '<th',
  'ink>',
  '\n\n',
  '',
  'é',
  '👋',
);
const arbitraryData = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(arbitraryText, fc.nat(2)).map(([content, index]) => createChunk({ content }, index)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(arbitraryText, fc.nat(1))
      .map(([reasoning_content, index]) => createChunk({ reasoning_content }, index)),
  },
  fc.constant(createChunk({ role: 'assistant' }, 0)),
  fc.constant(
    createChunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }] }, 0),
  ),
  fc.constant(createChunk({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }, 0)),
  fc.constant(createChunk({}, 0, 'stop')),
  fc.constant('{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}'),
  fc.constant('{"error":{"message":"no","type":"server_error","code":"500"}}'),
  fc.constant('{broken'),
  fc.constant('[DONE]'),
);
const arbitraryEvent = fc.oneof(
  { weight: 8, arbitrary: arbitraryData.map((text) => ({ data: text })) },
  fc.constant({ comment: 'still here' }),
);
const arbitraryTape = fc
  .tuple(
    fc.array(fc.tuple(arbitraryEvent, fc.nat(40)), { maxLength: 700 }),
    fc.constantFrom('closed', 'lost', 'aborted', 'timeout'),
  )
  .map(([events, end]): TapeEntry[] => {
    let at = 0;
    const head: TapeEntry[] = [
      { at: 0, request: { model: 'm', messages: [], stream: true }, requestId: 'q' },
      { at: 0, status: 200, headers: { 'content-type': 'text/event-stream' } },
    ];
    const middle = events.map(([entryFields, waitMs]): TapeEntry => ({ at: (at += waitMs), ...entryFields }));
    return [...head, ...middle, { at, end }];
  });

describe('tape cursor', () => {
  it('matches the fold of the tape at any time, in any order of queries', () => {
    fc.assert(
      fc.property(arbitraryTape, fc.array(fc.nat(30_000), { maxLength: 12 }), (tape, moments) => {
        const cursor = createTapeCursor(run);
        cursor.push(tape);
        const lastMs = tape.at(-1)?.at ?? 0;
        for (const ms of [...moments.map((moment) => moment % (lastMs + 2)), 0, lastMs, -1]) {
          const receivedEntries = tape.filter((entry) => entry.at <= ms);
          expect(cursor.countEntriesAt(ms)).toBe(receivedEntries.length);
          expect(cursor.getRunAt(ms)).toEqual(foldTape(resetRun(run), receivedEntries));
        }
      }),
      { numRuns: getCaseCount(150) },
    );
  });

  it('updates the cursor while the tape of a live run grows', () => {
    const cursor = createTapeCursor(run);
    cursor.push([{ at: 10, data: createTextChunk('one') }]);
    expect(getAnswerText(cursor.getRunAt(15).choices[0])).toBe('one');
    cursor.push([
      { at: 20, data: createTextChunk(' two') },
      { at: 30, data: createFinishChunk() },
    ]);
    expect(getAnswerText(cursor.getRunAt(19).choices[0])).toBe('one');
    expect(getAnswerText(cursor.getRunAt(20).choices[0])).toBe('one two');
    expect(cursor.getRunAt(30).choices[0]?.finishReason).toBe('stop');
  });

  it('returns a tick for each piece of text', () => {
    const cursor = createTapeCursor(run);
    cursor.push([
      { at: 10, data: createTextChunk('one') },
      { at: 12, comment: 'x' },
      { at: 20, data: createTextChunk('three') },
    ]);
    expect(cursor.ticks).toEqual([
      { atMs: 10, kind: 'answer', size: 3 },
      { atMs: 20, kind: 'answer', size: 5 },
    ]);
  });
});
