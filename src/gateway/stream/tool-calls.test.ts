import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { collectOutcome } from '../__fixtures__/outcome.ts';
import type { StreamEvent } from './stream-events.ts';
import { createTapeReader } from './stream-events.ts';

/** Returns the tool call events of these chunks. */
function readChunks(chunks: readonly unknown[][]) {
  const read = createTapeReader();
  const events: StreamEvent[] = chunks.flatMap((choices) =>
    read({ at: 0, data: JSON.stringify({ choices }) }),
  );
  return { tools: [], ...collectOutcome(events) };
}

const createCallChunk = (calls: readonly object[]) => [{ delta: { tool_calls: calls } }];

interface GeneratedCall {
  id: string;
  name: string;
  text: string;
}

const generatedArguments = fc
  .dictionary(
    fc.constantFrom('city', 'q', 'a b', '{}', '__proto__'),
    fc.oneof(fc.string(), fc.nat(), fc.constant({})),
    {
      minKeys: 1,
      maxKeys: 3,
    },
  )
  .map((value) => JSON.stringify(value));

const generatedCalls = fc
  .array(fc.tuple(fc.constantFrom('look', 'find', 'look_up'), generatedArguments), {
    minLength: 2,
    maxLength: 5,
  })
  .map((calls) => calls.map(([name, text], index): GeneratedCall => ({ id: `call_${index}`, name, text })));

/** Splits the text into non-empty pieces. */
function splitAt(text: string, positions: readonly number[]): string[] {
  const cuts = [...new Set(positions.map((position) => position % text.length))].toSorted((a, b) => a - b);
  return [0, ...cuts, text.length]
    .map((start, index, starts) => text.slice(start, starts[index + 1]))
    .filter((piece) => piece !== '');
}

/** Mixes the pieces of several calls, keeping the order within each call. */
function interleave<T>(lists: readonly (readonly T[])[], draws: readonly number[]): T[] {
  const remaining = lists.map((list) => [...list]);
  const mixed: T[] = [];
  for (let step = 0; remaining.some((list) => list.length > 0); step += 1) {
    const unfinished = remaining.filter((list) => list.length > 0);
    const piece = unfinished[(draws[step % draws.length] ?? 0) % unfinished.length]?.shift();
    if (piece !== undefined) mixed.push(piece);
  }
  return mixed;
}

/** Groups adjacent items into lists of one to three. */
function groupInLists<T>(items: readonly T[], draws: readonly number[]): T[][] {
  const lists: T[][] = [];
  for (let offset = 0, step = 0; offset < items.length; step += 1) {
    const length = ((draws[step % draws.length] ?? 0) % 3) + 1;
    lists.push(items.slice(offset, (offset += length)));
  }
  return lists;
}

const draws = fc.array(fc.nat(1000), { minLength: 3, maxLength: 12 });

describe('calls with an omitted index 0', () => {
  it('joins calls without index 0 however their pieces are cut and interleaved', () => {
    fc.assert(
      fc.property(generatedCalls, draws, draws, (calls, cuts, order) => {
        const pieces = calls.map(({ id, name, text }, index) =>
          splitAt(text, cuts).map((piece, pieceIndex) => ({
            ...(index === 0 ? {} : { index }),
            ...(pieceIndex === 0 ? { id, type: 'function' } : {}),
            function: { ...(pieceIndex === 0 ? { name } : {}), arguments: piece },
          })),
        );
        // The first piece of every call comes first, as gateways announce parallel calls.
        const [firstPieces, laterPieces] = [
          pieces.map(([piece]) => [piece]),
          pieces.map((list) => list.slice(1)),
        ];
        const fragments = [...firstPieces.flat(), ...interleave(laterPieces, order)].flatMap(
          (piece) => piece ?? [],
        );
        const { tools } = readChunks(groupInLists(fragments, cuts).map(createCallChunk));
        const expected = calls.map(({ id, name, text }, callIndex) => [`0/${callIndex}`, id, name, text]);
        expect(tools).toEqual(expected);
      }),
    );
  });

  it('joins calls without index 0 if call 1 begins before call 0', () => {
    const { tools } = readChunks([
      createCallChunk([{ index: 1, id: 'B', function: { name: 'g', arguments: '{"r"' } }]),
      createCallChunk([
        { id: 'A', function: { name: 'f', arguments: '{"p"' } },
        { index: 1, function: { arguments: ':' } },
      ]),
      createCallChunk([{ index: 1, function: { arguments: '2}' } }, { function: { arguments: ':1}' } }]),
    ]);
    expect(tools).toEqual([
      ['0/0', 'B', 'g', '{"r":2}'],
      ['0/1', 'A', 'f', '{"p":1}'],
    ]);
  });

  it('separates calls without indexes by ID', () => {
    fc.assert(
      fc.property(generatedCalls, draws, draws, (calls, cuts, order) => {
        const pieces = calls.map(({ id, name, text }) =>
          splitAt(text, cuts).map((piece, pieceIndex) => ({
            id,
            function: { ...(pieceIndex === 0 ? { name } : {}), arguments: piece },
          })),
        );
        const { tools } = readChunks(groupInLists(interleave(pieces, order), cuts).map(createCallChunk));
        const received = new Map(tools.map(([, id, name, text]) => [id, [name, text]]));
        expect(received).toEqual(new Map(calls.map(({ id, name, text }) => [id, [name, text]])));
      }),
    );
  });

  it('continues calls by order if indexes begin at 1 and later pieces have none', () => {
    const { tools } = readChunks([
      createCallChunk([{ index: 1, id: 'A', function: { name: 'f', arguments: '' } }]),
      createCallChunk([{ function: { arguments: '{"p":1}' } }]),
      createCallChunk([{ index: 2, id: 'B', function: { name: 'g', arguments: '' } }]),
      createCallChunk([{ function: { arguments: '{"r":2}' } }]),
    ]);
    expect(tools).toEqual([
      ['0/0', 'A', 'f', '{"p":1}'],
      ['0/1', 'B', 'g', '{"r":2}'],
    ]);
  });
});

describe('candidates with an omitted index 0', () => {
  it('joins candidates without index 0 in any order within a chunk', () => {
    const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(texts, draws, draws, (candidates, cuts, order) => {
        const pieces = candidates.map((text, index) =>
          splitAt(text, cuts).map((content) => ({ ...(index === 0 ? {} : { index }), delta: { content } })),
        );
        const first = [pieces.flatMap(([piece]) => piece ?? [])];
        const laterChunks = groupInLists(
          interleave(
            pieces.map((list) => list.slice(1)),
            order,
          ),
          cuts,
        );
        expect(readChunks([...first, ...laterChunks]).text).toEqual(Object.fromEntries(candidates.entries()));
      }),
    );
  });

  it('joins candidates without index 0 in whole completions', () => {
    const { text } = readChunks([
      [
        { index: 2, message: { content: 'c' } },
        { message: { content: 'a' } },
        { index: 1, message: { content: 'b' } },
      ],
    ]);
    expect(text).toEqual({ 0: 'a', 1: 'b', 2: 'c' });
  });
});

describe('arguments that begin with an empty object', () => {
  const placeholder = fc.constantFrom<unknown>('{}', ' {} ', '{ }\n', {});
  const repeats = fc.constantFrom<('id' | 'name')[]>([], ['id'], ['name'], ['id', 'name']);

  it.each(['an index', 'no index'])(
    'replaces placeholder arguments with later ones in calls with %s',
    (kind) => {
      fc.assert(
        fc.property(
          generatedCalls,
          placeholder,
          repeats,
          draws,
          (calls, placeholderArguments, repeatedKeys, cuts) => {
            const chunks = calls.flatMap(({ id, name, text }, index) => {
              const indexField = kind === 'an index' ? { index } : {};
              const repeatedFields = {
                ...indexField,
                ...(repeatedKeys.includes('id') ? { id } : {}),
              };
              const repeatedName = repeatedKeys.includes('name') ? { name } : {};
              return [
                [
                  {
                    ...indexField,
                    id,
                    type: 'function',
                    function: { name, arguments: placeholderArguments },
                  },
                ],
                ...splitAt(text, cuts).map((piece) => [
                  { ...repeatedFields, function: { ...repeatedName, arguments: piece } },
                ]),
              ];
            });
            const expected = calls.map(({ id, name, text }, callIndex) => [`0/${callIndex}`, id, name, text]);
            expect(readChunks(chunks.map(createCallChunk)).tools).toEqual(expected);
          },
        ),
      );
    },
  );

  it('replaces placeholder arguments with arguments sent as an object', () => {
    const { tools } = readChunks([
      createCallChunk([{ id: 'A', function: { name: 'f', arguments: {} } }]),
      createCallChunk([{ id: 'A', function: { name: 'f', arguments: { p: 1 } } }]),
    ]);
    expect(tools).toEqual([['0/0', 'A', 'f', '{"p":1}']]);
  });

  it('keeps empty arguments if only blanks and repetitions follow', () => {
    const { tools } = readChunks([
      createCallChunk([{ index: 0, id: 'A', function: { name: 'f', arguments: '{}' } }]),
      createCallChunk([{ index: 0, id: 'A', function: { name: 'f', arguments: '{}' } }]),
      createCallChunk([{ index: 1, id: 'B', function: { name: 'f', arguments: '{' } }]),
      createCallChunk([{ index: 1, function: { arguments: '}' } }]),
      createCallChunk([{ index: 1, function: { arguments: ' ' } }]),
    ]);
    expect(tools).toEqual([
      ['0/0', 'A', 'f', '{}'],
      ['0/1', 'B', 'f', '{} '],
    ]);
  });

  it('reads empty arguments sent twice as two calls without IDs', () => {
    const call = createCallChunk([{ function: { name: 'f', arguments: '{}' } }]);
    expect(readChunks([call, call]).tools).toHaveLength(2);
  });
});
