import { parseJson } from '../../lib/json.ts';
import { maxAnswerBytes, maxBodyBytes, maxErrorBytes } from '../http/body-limits.ts';
import { sniff } from '../response-kind.ts';
import { createSseDecoder } from './sse.ts';
import type { TapeEntry } from './tape.ts';

export interface AnswerDecoder {
  push: (bytes: Uint8Array, at: number) => TapeEntry[];
  /** `isWhole`: the other side closed in order. Call it once, last. */
  end: (at: number, isWhole: boolean) => TapeEntry[];
  /** So far it is a whole JSON document: what is left of the answer is its end. */
  isWholeJson: () => boolean;
  /** Set when nothing more should be read, and why. */
  limit: () => 'event-too-large' | 'body-too-large' | 'answer-too-large' | undefined;
}

/** The bytes of one answer in packets of any size in, tape entries out: events as they arrive, or one body at the end. */
export function createAnswerDecoder(options: {
  isError: boolean;
  longestEvent?: number;
  /** Of all events together. */
  mostBytes?: number;
}): AnswerDecoder {
  const { mostBytes = maxAnswerBytes } = options;
  const mostBodyBytes = options.isError ? maxErrorBytes : maxBodyBytes;
  const sse = createSseDecoder(options.longestEvent);
  // Always UTF-8 whatever the charset says; one leading byte order mark is dropped.
  const utf8 = new TextDecoder();
  let kind: 'events' | 'body' | 'undecided' = options.isError ? 'body' : 'undecided';
  let parts: string[] = [];
  let bytesTaken = 0;
  let isCut = false;

  function take(text: string, at: number): TapeEntry[] {
    if (kind === 'events') return sse.push(text, at);
    parts.push(text);
    if (kind === 'body') return [];
    const soFar = parts.join('');
    parts = [soFar];
    kind = sniff(soFar);
    if (kind !== 'events') return [];
    parts = [];
    return sse.push(soFar, at);
  }

  return {
    push(bytes, at) {
      const room = (kind === 'body' ? mostBodyBytes : mostBytes) - bytesTaken;
      bytesTaken += bytes.length;
      if (bytes.length > room) {
        isCut = true;
        return take(utf8.decode(bytes.subarray(0, Math.max(0, room)), { stream: true }), at);
      }
      return take(utf8.decode(bytes, { stream: true }), at);
    },
    end(at, isWhole) {
      // What is left inside the decoder is a character whose last bytes never came.
      const entries = isCut ? [] : take(utf8.decode(), at);
      if (kind === 'events') return [...entries, ...sse.end(at)];
      const body = parts.join('');
      if (isWhole && !isCut) return [{ at, body }];
      return body === '' ? [] : [{ at, body, cut: true }];
    },
    isWholeJson() {
      if (kind === 'events' || !/[}\]]\s*$/.test(parts.at(-1) ?? '')) return false;
      parts = [parts.join('')];
      return parseJson(parts[0] ?? '').ok;
    },
    limit() {
      if (isCut) return kind === 'body' ? 'body-too-large' : 'answer-too-large';
      return sse.isTooLarge() ? 'event-too-large' : undefined;
    },
  };
}
