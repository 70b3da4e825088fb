import { describe, expect, it } from 'vitest';

import { decoderRows, type DecodedEvent } from '../__fixtures__/decoder-rows.ts';
import { toBytes, generateDeliveries } from '../__fixtures__/segments.ts';
import { createResponseDecoder } from './response-decoder.ts';
import { createSseDecoder } from './sse-decoder.ts';
import type { TapeEntry } from './tape.ts';

function decode(packets: Uint8Array[]): TapeEntry[] {
  const decoder = createResponseDecoder({ isError: false });
  return [...packets.flatMap((packet) => decoder.push(packet, 0)), ...decoder.end(0, true)];
}

function listEvents(entries: TapeEntry[]): DecodedEvent[] {
  return entries.flatMap((entry) => {
    if (!('data' in entry)) return [];
    const { at: _at, ...event } = entry;
    return [event];
  });
}

const listComments = (entries: TapeEntry[]) =>
  entries.flatMap((entry) => ('comment' in entry ? [entry.comment] : []));

describe('event stream decoder', () => {
  it.each(decoderRows.map((row) => [row.name, row] as const))(
    'decodes identically for every split of the bytes: %s',
    (_name, { bytes, events, comments = [] }) => {
      const allBytes = toBytes(bytes);
      const entries = decode([allBytes]);
      expect(listEvents(entries)).toEqual(events);
      expect(listComments(entries)).toEqual(comments);
      expect(entries.some((entry) => 'body' in entry)).toBe(false);
      // Compared as text, since one matcher call for each of thousands of splits would be slow.
      const expected = JSON.stringify(entries);
      const mismatches = [...generateDeliveries(allBytes)].filter(
        (packets) => JSON.stringify(decode(packets)) !== expected,
      );
      expect(mismatches).toEqual([]);
    },
  );

  it('keeps lines that are not fields, and unknown fields together with their event', () => {
    const decodeEntries = (text: string) => {
      const decoder = createSseDecoder();
      return [...decoder.push(text, 0), ...decoder.end(0)].map(({ at: _, ...entry }) => entry);
    };
    expect(decodeEntries('x-note: 1\ndata: a\nretry: soon\n\n')).toEqual([
      { outside: 'x-note: 1\nretry: soon', ofEvent: true },
      { data: 'a' },
    ]);
    expect(decodeEntries('data: a\nserver restarts\n\n')).toEqual([
      { outside: 'server restarts' },
      { data: 'a' },
    ]);
    expect(decodeEntries('x-note: request denied\ndata: a\n\n')[0]).toEqual({
      outside: 'x-note: request denied',
    });
    expect(decodeEntries('<p>one\n\ntwo</p>')).toEqual([{ outside: '<p>one' }, { outside: 'two</p>' }]);
    expect(decodeEntries(' \n\t\n\n')).toEqual([]);
  });

  it('treats an event without data as a comment, unless it is an error', () => {
    const decodeEntries = (text: string) => createSseDecoder().push(text, 0);
    expect(decodeEntries('event: ping\nid: 4\nretry: 5\n\n')).toEqual([
      { at: 0, comment: 'event: ping\nid: 4\nretry: 5' },
    ]);
    expect(decodeEntries('event: error\n\n')).toEqual([{ at: 0, data: '', event: 'error' }]);
    expect(decodeEntries('event: a\nevent: b\ndata: c\n\n')).toEqual([
      { at: 0, outside: 'event: a', ofEvent: true },
      { at: 0, data: 'c', event: 'b' },
    ]);
  });

  it('reads JSON without a field name, on one or several lines, only if it is complete', () => {
    const decodeEntries = (text: string) => createSseDecoder().push(text, 0);
    expect(decodeEntries('{\n "a": 1\n}\n\n')).toEqual([{ at: 0, data: '{\n "a": 1\n}' }]);
    expect(decodeEntries('{"a":1}\n{"b":2}\n\n')).toEqual([{ at: 0, data: '{"a":1}\n{"b":2}' }]);
    expect(decodeEntries('{"a":1}\n{"b":\n\n')).toEqual([{ at: 0, outside: '{"a":1}\n{"b":' }]);
    expect(decodeEntries('{"a":\n\n')).toEqual([{ at: 0, outside: '{"a":' }]);
  });

  it('delivers an event at its last CR without waiting for an LF', () => {
    const decoder = createSseDecoder();
    expect(decoder.push('data: a\r\n\r', 5)).toEqual([{ at: 5, data: 'a' }]);
    expect(decoder.push('\ndata: b\r\r', 6)).toEqual([{ at: 6, data: 'b' }]);
  });

  it.each([
    ['in one packet', ['data: 123456789\n\n']],
    ['in pieces', ['data: 1234', '56789']],
    ['over several lines', ['data: 1234\n', 'data: 56789\n', '\n']],
    ['in a comment', [': 1234567890123456', '789012345678901234567890']],
  ])('rejects an oversized event %s and keeps earlier events', (_how, texts) => {
    const decoder = createSseDecoder(8);
    const entries = ['data: b\n\n', ...texts, '\n\ndata: c\n\n'].flatMap((text) => decoder.push(text, 0));
    expect([...entries, ...decoder.end(0)]).toEqual([{ at: 0, data: 'b' }]);
    expect(decoder.isTooLarge()).toBe(true);
  });

  it('accepts an event of exactly the maximum size, however it is split', () => {
    for (const texts of [['data: 12345678\n\n'], 'data: 12345678\n\n'.split('')]) {
      const decoder = createSseDecoder(8);
      expect(texts.flatMap((text) => decoder.push(text, 0))).toEqual([{ at: 0, data: '12345678' }]);
      expect(decoder.isTooLarge()).toBe(false);
    }
  });
});
