import { parseJson } from '../../lib/json.ts';
import { isErrorEventName, isErrorText } from '../errors/error-value.ts';
import type { TapeEntry } from './tape.ts';

/** Maximum number of characters in one event. */
const maxEventChars = 16 * 1024 * 1024;

/** Allowance beyond `data: `, so that an unfinished line is never rejected if its event would be allowed. */
const fieldNameAllowance = 16;

interface SseDecoder {
  /** Returns the entries completed by this text, timestamped with `atMs`. */
  push: (text: string, atMs: number) => TapeEntry[];
  /** Returns the rest at the end of the stream: an event without its blank line is delivered, marked `unterminated`. */
  end: (atMs: number) => TapeEntry[];
  /** Returns true once an event has exceeded the limit; nothing is delivered after that. */
  isTooLarge: () => boolean;
}

/** Lines between two blank ones. */
interface Block {
  data: string | undefined;
  event?: string;
  id?: string;
  /** Lines of fields other than data, which have no meaning without data. */
  fields: string[];
  /** Lines that are not fields of an event stream. */
  otherLines: string[];
  length: number;
}

const createBlock = (): Block => ({ data: undefined, fields: [], otherLines: [], length: 0 });

/**
 * Decodes event stream text (WHATWG), in pieces of any size, into tape entries. Unlike the standard, it drops no text:
 * lines that are not fields are also kept.
 */
export function createSseDecoder(maxChars = maxEventChars): SseDecoder {
  let entries: TapeEntry[] = [];
  let entryAtMs = 0;
  let hasEnded = false;
  let isTooLarge = false;
  let endedInCarriageReturn = false;
  /** Pieces of the unfinished line. */
  let lineParts: string[] = [];
  let linePartsLength = 0;
  let block = createBlock();

  /** Converts every line ending to LF. A CR at the end of a packet may be the first half of a CRLF. */
  function normalizeLineEnds(text: string): string {
    const newText = endedInCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') endedInCarriageReturn = text.endsWith('\r');
    return newText.includes('\r') ? newText.replace(/\r\n?/g, '\n') : newText;
  }

  function consumeText(text: string, atMs: number): TapeEntry[] {
    entryAtMs = atMs;
    entries = [];
    let lineStart = 0;
    for (let end = text.indexOf('\n'); end !== -1 && !isTooLarge; end = text.indexOf('\n', lineStart)) {
      const line = text.slice(lineStart, end);
      lineStart = end + 1;
      if (lineParts.length === 0) readLine(line);
      else {
        const fullLine = lineParts.join('') + line;
        lineParts = [];
        linePartsLength = 0;
        readLine(fullLine);
      }
    }
    if (lineStart < text.length && !isTooLarge) {
      lineParts.push(text.slice(lineStart));
      linePartsLength += text.length - lineStart;
    }
    isTooLarge ||= linePartsLength + block.length > maxChars + fieldNameAllowance;
    return entries;
  }

  function readLine(line: string) {
    if (line === '') return endBlock();
    const colonIndex = line.indexOf(':');
    const value =
      colonIndex === -1
        ? ''
        : line.slice(line.charAt(colonIndex + 1) === ' ' ? colonIndex + 2 : colonIndex + 1);
    if (colonIndex === 0) return void entries.push({ at: entryAtMs, comment: value });
    switch (colonIndex === -1 ? line : line.slice(0, colonIndex)) {
      case 'data':
        block.data = block.data === undefined ? value : `${block.data}\n${value}`;
        block.length += value.length + 1;
        isTooLarge ||= block.data.length > maxChars;
        return;
      case 'event':
        // The last value counts.
        if (block.event !== undefined && block.event !== value)
          block.otherLines.push(`event: ${block.event}`);
        block.event = value;
        return void block.fields.push(line);
      case 'id':
        if (!value.includes('\0')) block.id = value;
        return void block.fields.push(line);
      case 'retry':
        if (/^\d*$/.test(value)) return void block.fields.push(line);
    }
    if (line.trim() === '') return;
    block.otherLines.push(line);
    block.length += line.length;
  }

  function endBlock() {
    const { data, event, id, fields, otherLines } = block;
    block = createBlock();
    if (isTooLarge) return;
    if (otherLines.length > 0) entries.push(createOutsideEntry(otherLines, data !== undefined));
    if (data !== undefined || isErrorEventName(event)) {
      const entry: TapeEntry = { at: entryAtMs, data: data ?? '' };
      if (event) entry.event = event;
      if (id !== undefined) entry.id = id;
      if (hasEnded) entry.unterminated = true;
      entries.push(entry);
    } else if (fields.length > 0) {
      // The standard drops events without data; like a comment, they keep the connection open.
      entries.push({ at: entryAtMs, comment: fields.join('\n') });
    }
  }

  /** JSON without a field name may be an error or the answer, so it is read. Unknown fields belong to their event. */
  function createOutsideEntry(lines: readonly string[], hasData: boolean): TapeEntry {
    const outside = lines.join('\n');
    if (/^\s*[[{]/.test(outside) && (parseJson(outside).ok || lines.every((line) => parseJson(line).ok)))
      return { at: entryAtMs, data: outside };
    const areFields = hasData && lines.every((line) => fieldLinePattern.test(line) && !isErrorText(line));
    return areFields ? { at: entryAtMs, outside, ofEvent: true } : { at: entryAtMs, outside };
  }

  return {
    push: (text, atMs) => consumeText(normalizeLineEnds(text), atMs),
    end(atMs) {
      hasEnded = true;
      return consumeText('\n\n', atMs);
    },
    isTooLarge: () => isTooLarge,
  };
}

const fieldLinePattern = /^[a-z][\w.-]{0,60}:/;
