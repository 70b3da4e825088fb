import type { KnownFinishReason } from '../../gateway/wire.ts';
import type { Piece } from '../model.ts';
import { splitTokens } from '../tokens.ts';
import { createStopFilter } from './stop-filter.ts';

/** What a candidate adds to its message. A tool call opens with its id and name; its arguments follow in fragments. */
export type CandidateDelta =
  | { text: string }
  | { thinking: string }
  | { toolCall: { index: number; id: string; name: string } }
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
      deltas: [...textDeltas(filter.flush()), delta],
    };
    if (!('thinking' in delta)) finishReason = 'tool_calls';
  }
  yield { token: 'none', deltas: textDeltas(filter.flush()), finishReason };
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
    yield { toolCall: { index, id: newToolCallId(), name: piece.toolCall.name } };
    for (const fragment of splitTokens(piece.toolCall.arguments))
      yield { toolArguments: { index, fragment } };
    index += 1;
  }
}
