import type { KnownFinishReason } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';

/**
 * Addition to the message of a candidate. A tool call starts with its ID and name; its arguments follow in fragments.
 */
export type CandidateDelta =
  | { text: string }
  | { thinking: string; wireFields?: JsonObject }
  | { toolCall: { index: number; id: string; name: string; fields?: JsonObject } }
  | { toolArguments: { index: number; fragment: string } };

/** One token and the deltas released by it. The last step has no token and carries the finish reason. */
export interface CandidateStep {
  token: 'answer' | 'thinking' | 'none';
  deltas: CandidateDelta[];
  finishReason?: KnownFinishReason;
}

interface CandidateLimits {
  maxTokens: number;
  stops: readonly string[];
  createToolCallId: () => string;
}

/**
 * Splits a model's output into steps of one token each, ended by the model, a stop sequence or the token limit (§2.4).
 */
export function* generateSteps(
  pieces: Iterable<ModelOutput>,
  limits: CandidateLimits,
): Generator<CandidateStep> {
  const filter = createStopFilter(limits.stops);
  let count = 0;
  let finishReason: KnownFinishReason = 'stop';
  for (const delta of generateTokenDeltas(pieces, limits.createToolCallId)) {
    if (count === limits.maxTokens) {
      finishReason = 'length';
      break;
    }
    count += 1;
    if ('text' in delta) {
      const { text, stopped } = filter.push(delta.text);
      yield { token: 'answer', deltas: text === '' ? [] : [{ text }] };
      if (stopped) break;
      continue;
    }
    // A stop sequence cannot span reasoning or a tool call, so pending text is yielded first.
    yield {
      token: 'thinking' in delta ? 'thinking' : 'answer',
      deltas: [...toTextDeltas(filter.flush()), ...(isHidden(delta) ? [] : [delta])],
    };
    if (!('thinking' in delta)) finishReason = 'tool_calls';
  }
  yield { token: 'none', deltas: toTextDeltas(filter.flush()), finishReason };
}

function isHidden(delta: CandidateDelta): boolean {
  return 'thinking' in delta && delta.wireFields !== undefined && Object.keys(delta.wireFields).length === 0;
}

function toTextDeltas(text: string): CandidateDelta[] {
  return text === '' ? [] : [{ text }];
}

function* generateTokenDeltas(
  pieces: Iterable<ModelOutput>,
  createToolCallId: () => string,
): Generator<CandidateDelta> {
  let index = 0;
  for (const piece of pieces) {
    if (!('toolCall' in piece)) {
      yield piece;
      continue;
    }
    const { arguments: callArguments, ...callStart } = piece.toolCall;
    yield { toolCall: { index, id: createToolCallId(), ...callStart } };
    for (const fragment of splitTokens(callArguments)) yield { toolArguments: { index, fragment } };
    index += 1;
  }
}

/** Passes text through up to the first stop sequence, holding back text that may be the start of one. */
interface StopFilter {
  /** Returns the text that can be released; `stopped` is true after a stop sequence, when no text may follow. */
  push: (text: string) => { text: string; stopped: boolean };
  /** Returns the text still held back once no stop sequence can follow. */
  flush: () => string;
}

/** Creates a filter whose output never contains a stop sequence, however the text is split into pieces (§2.1 stop). */
export function createStopFilter(stops: readonly string[]): StopFilter {
  let pendingText = '';
  return {
    push(text) {
      pendingText += text;
      const stopStart = findFirstStop(pendingText, stops);
      const certainLength = stopStart ?? pendingText.length - countPartialStopChars(pendingText, stops);
      const released = pendingText.slice(0, certainLength);
      pendingText = stopStart === undefined ? pendingText.slice(certainLength) : '';
      return { text: released, stopped: stopStart !== undefined };
    },
    flush() {
      const released = pendingText;
      pendingText = '';
      return released;
    },
  };
}

/** Returns the start of the stop sequence that ends first; if several end at the same position, the longest. */
function findFirstStop(text: string, stops: readonly string[]): number | undefined {
  let best: { start: number; end: number } | undefined;
  for (const stop of stops) {
    const start = text.indexOf(stop);
    if (start === -1) continue;
    const end = start + stop.length;
    if (best === undefined || end < best.end || (end === best.end && start < best.start))
      best = { start, end };
  }
  return best?.start;
}

/** Returns the number of characters at the end of the text that may start a stop sequence. */
function countPartialStopChars(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
