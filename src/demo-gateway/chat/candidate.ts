import type { KnownFinishReason } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Piece } from '../model.ts';
import { splitTokens } from '../tokens.ts';

/** What a candidate adds to its message. A tool call opens with its id and name; its arguments follow in fragments. */
export type CandidateDelta =
  | { text: string }
  | { thinking: string; sentAs?: JsonObject }
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
  newToolCallId: () => string;
}

/** §2.4: a model's pieces as steps of one token each, ended by the model, a stop sequence or the token limit. */
export function* candidateSteps(pieces: Iterable<Piece>, limits: CandidateLimits): Generator<CandidateStep> {
  const filter = createStopFilter(limits.stops);
  let count = 0;
  let finishReason: KnownFinishReason = 'stop';
  for (const delta of tokenDeltas(pieces, limits.newToolCallId)) {
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
    // A stop sequence does not reach across thinking or a tool call, so what was held back is said first.
    yield {
      token: 'thinking' in delta ? 'thinking' : 'answer',
      deltas: [...textDeltas(filter.flush()), ...(isHidden(delta) ? [] : [delta])],
    };
    if (!('thinking' in delta)) finishReason = 'tool_calls';
  }
  yield { token: 'none', deltas: textDeltas(filter.flush()), finishReason };
}

function isHidden(delta: CandidateDelta): boolean {
  return 'thinking' in delta && delta.sentAs !== undefined && Object.keys(delta.sentAs).length === 0;
}

function textDeltas(text: string): CandidateDelta[] {
  return text === '' ? [] : [{ text }];
}

function* tokenDeltas(pieces: Iterable<Piece>, newToolCallId: () => string): Generator<CandidateDelta> {
  let index = 0;
  for (const piece of pieces) {
    if (!('toolCall' in piece)) {
      yield piece;
      continue;
    }
    const { arguments: callArguments, ...opening } = piece.toolCall;
    yield { toolCall: { index, id: newToolCallId(), ...opening } };
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
  let held = '';
  return {
    push(text) {
      held += text;
      const match = firstCompleted(held, stops);
      const certain = match ?? held.length - heldBack(held, stops);
      const released = held.slice(0, certain);
      held = match === undefined ? held.slice(certain) : '';
      return { text: released, stopped: match !== undefined };
    },
    flush() {
      const released = held;
      held = '';
      return released;
    },
  };
}

/** Where the sequence starts that is complete first; of those complete at the same place, the longest. */
function firstCompleted(text: string, stops: readonly string[]): number | undefined {
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
function heldBack(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
