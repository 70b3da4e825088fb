import { parseJson } from '../../lib/json.ts';
import { maxAnswerBytes, maxBodyBytes, maxErrorBytes } from '../http/body-limits.ts';
import { detectResponseKind } from '../response-kind.ts';
import { createSseDecoder } from './sse-decoder.ts';
import type { TapeEntry } from './tape.ts';

export interface ResponseDecoder {
  push: (bytes: Uint8Array, atMs: number) => TapeEntry[];
  /** Ends the stream; `isComplete` means that it was closed properly. Call exactly once, after all data. */
  end: (atMs: number, isComplete: boolean) => TapeEntry[];
  /** Returns true if the text so far is a whole JSON document, so only its end can follow. */
  isCompleteJson: () => boolean;
  /** Returns the exceeded limit once reading must stop. */
  getExceededLimit: () => 'event-too-large' | 'body-too-large' | 'answer-too-large' | undefined;
}

/**
 * Decodes the bytes of one response, in packets of any size, into tape entries: events as they arrive, or one body at
 * the end.
 */
export function createResponseDecoder(options: {
  isError: boolean;
  maxEventChars?: number;
  /** Limit for all events together. */
  maxBytes?: number;
}): ResponseDecoder {
  const { maxBytes = maxAnswerBytes } = options;
  const maxDecodedBytes = options.isError ? maxErrorBytes : maxBodyBytes;
  const sse = createSseDecoder(options.maxEventChars);
  // Always UTF-8 whatever the charset; one leading byte order mark is dropped.
  const utf8 = new TextDecoder();
  let kind: 'events' | 'body' | 'undecided' = options.isError ? 'body' : 'undecided';
  let parts: string[] = [];
  let receivedBytes = 0;
  let isTruncated = false;

  function addText(text: string, atMs: number): TapeEntry[] {
    if (kind === 'events') return sse.push(text, atMs);
    parts.push(text);
    if (kind === 'body') return [];
    const textSoFar = parts.join('');
    parts = [textSoFar];
    kind = detectResponseKind(textSoFar);
    if (kind !== 'events') return [];
    parts = [];
    return sse.push(textSoFar, atMs);
  }

  return {
    push(bytes, atMs) {
      const remainingBytes = (kind === 'body' ? maxDecodedBytes : maxBytes) - receivedBytes;
      receivedBytes += bytes.length;
      if (bytes.length > remainingBytes) {
        isTruncated = true;
        return addText(utf8.decode(bytes.subarray(0, Math.max(0, remainingBytes)), { stream: true }), atMs);
      }
      return addText(utf8.decode(bytes, { stream: true }), atMs);
    },
    end(atMs, isComplete) {
      // The decoder still holds a character whose last bytes have not arrived.
      const entries = isTruncated ? [] : addText(utf8.decode(), atMs);
      if (kind === 'events') return [...entries, ...sse.end(atMs)];
      const body = parts.join('');
      if (isComplete && !isTruncated) return [{ at: atMs, body }];
      return body === '' ? [] : [{ at: atMs, body, cut: true }];
    },
    isCompleteJson() {
      if (kind === 'events' || !/[}\]]\s*$/.test(parts.at(-1) ?? '')) return false;
      parts = [parts.join('')];
      return parseJson(parts[0] ?? '').ok;
    },
    getExceededLimit() {
      if (isTruncated) return kind === 'body' ? 'body-too-large' : 'answer-too-large';
      return sse.isTooLarge() ? 'event-too-large' : undefined;
    },
  };
}
