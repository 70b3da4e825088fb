import type { KnownFinishReason } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';

/** What a candidate adds to its message. A tool call opens with its id and name; its arguments follow in fragments. */
export type CandidateDelta =
  | { text: string }
  | { thinking: string; wireFields?: JsonObject }
  | { toolCall: { index: number; id: string; name: string; fields?: JsonObject } }
  | { toolArguments: { index: number; fragment: string } };

/** One token, and what can be said since it; the last step counts as none and brings the finish reason. */
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

/** §2.4: a model's pieces as steps of one token each, ended by the model, a stop sequence or the token limit. */
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
    // A stop sequence does not reach across thinking or a tool call, so pending text is yielded first.
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

/** Lets text through up to the first stop sequence. Text that may be the beginning of one is held back. */
interface StopFilter {
  /** The text that is now certain, and whether a stop sequence has been met: then nothing may follow. */
  push: (text: string) => { text: string; stopped: boolean };
  /** The text still held back, once it is certain that no stop sequence will follow. */
  flush: () => string;
}

/** §2.1 stop: the returned text never contains any of the sequences, however it was cut into pieces. */
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

/** Where the sequence starts that is complete first; of those complete at the same place, the longest. */
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

/** How many characters at the end of the text are the beginning of a stop sequence. */
function countPartialStopChars(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
