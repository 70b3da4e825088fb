import { createParser } from 'eventsource-parser';

import type { TapeEntry } from './tape.ts';

/** F24: what one event may hold at most, in characters. */
const maxEventLength = 16 * 1024 * 1024;

/** Longer than `data: `, so that the parser's own limit never refuses an event that ours allows. */
const fieldNameAllowance = 16;

interface SseDecoder {
  /** The entries that this text completes; `at` is put on each. */
  push: (text: string, at: number) => TapeEntry[];
  /** What is left when the stream ended: an event without its blank line is delivered, marked `unterminated` (F20). */
  end: (at: number) => TapeEntry[];
  /** An event was larger than allowed; nothing is delivered from then on. */
  isTooLarge: () => boolean;
}

/** Decoded text of an event stream in pieces of any size in, tape entries out (WHATWG event stream, F1 to F24). */
export function createSseDecoder(longest = maxEventLength): SseDecoder {
  let entries: TapeEntry[] = [];
  let at = 0;
  let isEnd = false;
  let isTooLarge = false;
  let endedInCarriageReturn = false;

  const parser = createParser({
    maxBufferSize: longest + fieldNameAllowance,
    onEvent({ data, event, id }) {
      isTooLarge ||= data.length > longest;
      if (isTooLarge) return;
      const entry: TapeEntry = { at, data };
      if (event !== undefined) entry.event = event;
      if (id !== undefined) entry.id = id;
      if (isEnd) entry.unterminated = true;
      entries.push(entry);
    },
    onComment(comment) {
      if (!isTooLarge) entries.push({ at, comment });
    },
    onError({ type, line }) {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
      // JSON on a line of its own, without a field name: the standard drops it, but it may be an error, or the answer.
      if (type === 'unknown-field' && line !== undefined && /^[[{]/.test(line) && !isTooLarge)
        entries.push({ at, data: line });
    },
  });
  // The parser strips the three bytes of a byte order mark from its first chunk, but what it is fed here
  // is decoded text, where those are three letters.
  parser.feed('');

  /**
   * Every line end becomes LF. With CR in it the parser is quadratic in the size of a packet, and it
   * holds back a CR at the end of a packet, which may be the end of the last event.
   */
  function withLineFeeds(text: string): string {
    const rest = endedInCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') endedInCarriageReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }

  function feed(text: string, time: number): TapeEntry[] {
    at = time;
    entries = [];
    if (text !== '' && !isTooLarge) parser.feed(text);
    return entries;
  }

  return {
    push: (text, time) => feed(withLineFeeds(text), time),
    end(time) {
      isEnd = true;
      return feed('\n\n', time);
    },
    isTooLarge: () => isTooLarge,
  };
}
