import { parseJson } from '../../lib/json.ts';
import { isErrorName, soundsBad } from '../errors/error-value.ts';
import type { TapeEntry } from './tape.ts';

/** Maximum characters of one event. */
const maxEventLength = 16 * 1024 * 1024;

/** Longer than `data: `, so that a line that is not yet whole is never refused where its event would be allowed. */
const fieldNameAllowance = 16;

interface SseDecoder {
  /** The entries that this text completes; `at` is put on each. */
  push: (text: string, at: number) => TapeEntry[];
  /** What is left when the stream ended: an event without its blank line is delivered, marked `unterminated`. */
  end: (at: number) => TapeEntry[];
  /** An event was larger than allowed; nothing is delivered from then on. */
  isTooLarge: () => boolean;
}

/** The lines between two blank ones. */
interface Block {
  data: string | undefined;
  event?: string;
  id?: string;
  /** Lines of the fields beside data, which say nothing where there is no data. */
  fields: string[];
  /** Lines that are not fields of an event stream. */
  others: string[];
  length: number;
}

const newBlock = (): Block => ({ data: undefined, fields: [], others: [], length: 0 });

/**
 * Decoded text of an event stream in pieces of any size in, tape entries out (WHATWG event stream). Unlike
 * the standard it drops no words: lines that are not fields are on the tape, too.
 */
export function createSseDecoder(longest = maxEventLength): SseDecoder {
  let entries: TapeEntry[] = [];
  let at = 0;
  let isEnd = false;
  let isTooLarge = false;
  let endedInCarriageReturn = false;
  /** Of the line that has not ended. */
  let parts: string[] = [];
  let partsLength = 0;
  let block = newBlock();

  /** Every line end becomes LF. A CR at the end of a packet may be the first half of one. */
  function withLineFeeds(text: string): string {
    const rest = endedInCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') endedInCarriageReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }

  function feed(text: string, time: number): TapeEntry[] {
    at = time;
    entries = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1 && !isTooLarge; end = text.indexOf('\n', from)) {
      const line = text.slice(from, end);
      from = end + 1;
      if (parts.length === 0) takeLine(line);
      else {
        const whole = parts.join('') + line;
        parts = [];
        partsLength = 0;
        takeLine(whole);
      }
    }
    if (from < text.length && !isTooLarge) {
      parts.push(text.slice(from));
      partsLength += text.length - from;
    }
    isTooLarge ||= partsLength + block.length > longest + fieldNameAllowance;
    return entries;
  }

  function takeLine(line: string) {
    if (line === '') return endBlock();
    const colon = line.indexOf(':');
    const value = colon === -1 ? '' : line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1);
    if (colon === 0) return void entries.push({ at, comment: value });
    switch (colon === -1 ? line : line.slice(0, colon)) {
      case 'data':
        block.data = block.data === undefined ? value : `${block.data}\n${value}`;
        block.length += value.length + 1;
        isTooLarge ||= block.data.length > longest;
        return;
      case 'event':
        // The last one counts.
        if (block.event !== undefined && block.event !== value) block.others.push(`event: ${block.event}`);
        block.event = value;
        return void block.fields.push(line);
      case 'id':
        if (!value.includes('\0')) block.id = value;
        return void block.fields.push(line);
      case 'retry':
        if (/^\d*$/.test(value)) return void block.fields.push(line);
    }
    if (line.trim() === '') return;
    block.others.push(line);
    block.length += line.length;
  }

  function endBlock() {
    const { data, event, id, fields, others } = block;
    block = newBlock();
    if (isTooLarge) return;
    if (others.length > 0) entries.push(outsideEntry(others, data !== undefined));
    if (data !== undefined || isErrorName(event)) {
      const entry: TapeEntry = { at, data: data ?? '' };
      if (event) entry.event = event;
      if (id !== undefined) entry.id = id;
      if (isEnd) entry.unterminated = true;
      entries.push(entry);
    } else if (fields.length > 0) {
      // The standard drops an event without data: it keeps the connection open, as a comment does.
      entries.push({ at, comment: fields.join('\n') });
    }
  }

  /** JSON without a field name may be an error, or the answer: it is read. Fields of unknown names belong to their event. */
  function outsideEntry(lines: readonly string[], hasData: boolean): TapeEntry {
    const outside = lines.join('\n');
    if (/^\s*[[{]/.test(outside) && (parseJson(outside).ok || lines.every((line) => parseJson(line).ok)))
      return { at, data: outside };
    const isFields = hasData && lines.every((line) => fieldLine.test(line) && !soundsBad(line));
    return isFields ? { at, outside, ofEvent: true } : { at, outside };
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

const fieldLine = /^[a-z][\w.-]{0,60}:/;
