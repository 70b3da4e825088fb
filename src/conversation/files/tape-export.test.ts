import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  addTestTurn,
} from '../../testing/builders.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import type { SessionData } from '../session/types.ts';
import { extractTurns, buildTapeFile } from './tape-export.ts';
import { isTapeFile, readTapeEntry, readTapeFile } from './tape-import.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('a\nb', '\r\n', '\u2028', '__proto__'),
);
const at = fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const arbitraryEntry: fc.Arbitrary<TapeEntry> = fc.oneof(
  fc.record({ at, data: text }),
  fc.record({ at, data: text, event: text, id: text }),
  fc.record({ at, data: text, unterminated: fc.constant(true as const) }),
  fc.record({ at, comment: text }),
  fc.record({ at, outside: text }),
  fc.record({ at, outside: text, ofEvent: fc.constant(true as const) }),
  fc.record({ at, status: fc.constant(413), headers: fc.constant({}), requestBytes: fc.nat() }),
  fc.record({ at, body: text }),
  fc.record({ at, body: text, cut: fc.constant(true as const) }),
  fc.record({
    at,
    status: fc.nat(599),
    headers: fc.dictionary(fc.constantFrom('content-type', 'x-request-id', 'date'), text),
  }),
  fc.record({
    at,
    end: fc.constantFrom('closed' as const, 'aborted' as const, 'lost' as const, 'timeout' as const),
  }),
  fc.record({
    at,
    request: text.map((model) => ({
      model,
      messages: [{ role: 'user' as const, content: model }],
      stream: true,
    })),
    requestId: text,
  }),
);

function createTwoTurns(): { data: SessionData; turnIds: string[]; runIds: string[] } {
  const environment = createTestEnvironment();
  const first = addTestTurn(
    createTestSession(environment, [createTestSetup({ model: 'north/one' }), createTestSetup()]),
    environment,
    'Hi',
  );
  const second = addTestTurn(first.data, environment, 'And then?');
  return { data: second.data, turnIds: [first.turnId, second.turnId], runIds: Object.keys(second.data.runs) };
}

const image = { ['a'.repeat(64)]: 'data:image/png;base64,AAAA' };

describe('tape file', () => {
  it('restores all entries after a round trip, with one entry per line', () => {
    const { data, runIds } = createTwoTurns();
    const [first = '', second = ''] = runIds;
    fc.assert(
      fc.property(
        fc.array(arbitraryEntry, { maxLength: 20 }),
        fc.array(arbitraryEntry, { maxLength: 5 }),
        (firstEntries, secondEntries) => {
          const lines = buildTapeFile(
            { data, unreadable: [] },
            [
              { runId: first, entries: firstEntries },
              { runId: second, entries: secondEntries },
            ],
            image,
          );
          expect(lines).toHaveLength(2 + firstEntries.length + secondEntries.length);
          for (const line of lines) expect(line.trimEnd().split('\n')).toHaveLength(1);
          const file = lines.join('');
          expect(isTapeFile(file)).toBe(true);
          const result = readTapeFile(file);
          expect(result).toMatchObject({ ok: true, damaged: 0, images: image });
          if (!result.ok) return;
          expect(result.sessions).toEqual([data]);
          const nonEmptyTapes = [
            { runId: first, entries: firstEntries },
            { runId: second, entries: secondEntries },
          ].filter(({ entries }) => entries.length > 0);
          expect(result.tapes).toEqual(nonEmptyTapes);
          // Exporting the imported data gives the same file.
          expect(buildTapeFile({ data, unreadable: [] }, result.tapes, result.images).join('')).toBe(file);
        },
      ),
      { numRuns: getCaseCount(60) },
    );
  });

  it('includes only one answer and its ancestors', () => {
    const { data, turnIds } = createTwoTurns();
    const part = extractTurns(data, [turnIds[0] ?? '']);
    expect(Object.keys(part.turns)).toEqual([turnIds[0]]);
    expect(Object.keys(part.runs)).toHaveLength(1);
    expect(part.session.laneIds).toEqual([data.session.laneIds[0]]);
    expect(Object.values(part.lanes)).toMatchObject([{ tip: turnIds[0] }]);
    const read = readTapeFile(buildTapeFile({ data: part, unreadable: [] }, []).join(''));
    expect(read).toMatchObject({ ok: true });
  });

  it('rejects an invalid file and reports the line of the problem', () => {
    const { data, runIds } = createTwoTurns();
    const [head = '', session = ''] = buildTapeFile({ data, unreadable: [] }, []);
    const formatEvent = (value: object) => `${JSON.stringify(value)}\n`;
    const validLine = formatEvent({ run: runIds[0], at: 1, data: 'x' });
    const cases: [string, number, RegExp][] = [
      ['{"format":"bench-tapes","version":9}\n' + session, 1, /newer version of Bench/],
      ['{"format":"bench-sessions","version":1}\n', 1, /first line/],
      [head, 2, /empty/],
      [`${head}{"format":"bench-sessions"}\n`, 2, /version/],
      [head + session + validLine + '{broken\n', 4, /not valid JSON/],
      [
        head + session + formatEvent({ run: 'nobody', at: 1, data: 'x' }),
        3,
        /not belong to any answer of the session/,
      ],
      [head + session + formatEvent({ run: runIds[0], at: -1, data: 'x' }), 3, /not a recorded event/],
      [head + session + formatEvent({ run: runIds[0], at: 1, surprise: 'x' }), 3, /not a recorded event/],
    ];
    for (const [file, line, reason] of cases) {
      const read = readTapeFile(file);
      expect(read).toMatchObject({ ok: false, line });
      expect(read.ok ? '' : read.reason).toMatch(reason);
    }
    expect(readTapeFile(`\uFEFF${head}${session}${validLine}\n\n`)).toMatchObject({
      ok: true,
      tapes: [{ entries: [{ at: 1, data: 'x' }] }],
    });
  });

  it('drops __proto__ and unknown fields from an entry', () => {
    const read = readTapeEntry(JSON.parse('{"at":1,"data":"x","__proto__":{"polluted":1},"more":2}'));
    expect(read).toEqual({ at: 1, data: 'x' });
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});
