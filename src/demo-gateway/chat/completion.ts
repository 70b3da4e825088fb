import { isRecord, parseJson } from '../../lib/json.ts';
import { createStringSeededRandom } from '../../lib/random.ts';
import type { DemoRequest, Piece } from '../model.ts';
import { splitTokens } from '../tokens.ts';
import { candidateSteps, type CandidateStep } from './candidate.ts';
import type { ChatCall } from './chat-request.ts';

/** Where no max_tokens is sent: the length at which even an endless model ends. */
const longestAnswerTokens = 131_072;

/** A step of one of the n candidates. */
export interface ChoiceStep extends CandidateStep {
  choice: number;
}

/** The request as the model sees it, with its random numbers from their start. */
export function demoRequest(
  { messages, fields, wantsJson }: ChatCall,
  candidate: number,
  seed: string,
): DemoRequest {
  return { messages, fields, candidate, random: createStringSeededRandom(`${seed}/${candidate}`), wantsJson };
}

/** §2.1 n: the candidates side by side. A tick holds one step of each that is still speaking. */
export function* completionTicks(
  call: ChatCall,
  { seed, newId }: { seed: string; newId: () => string },
): Generator<ChoiceStep[]> {
  const maxTokens = Math.min(call.maxTokens ?? longestAnswerTokens, longestAnswerTokens);
  const candidates = Array.from({ length: call.candidates }, (_, choice) => {
    const pieces = call.model.reply(demoRequest(call, choice, seed));
    const steps = candidateSteps(call.wantsJson ? jsonPieces(pieces, maxTokens) : pieces, {
      maxTokens,
      stops: call.stops,
      newToolCallId: () => `call_${newId()}`,
    });
    return { choice, steps };
  });
  try {
    for (;;) {
      const tick: ChoiceStep[] = [];
      for (const { choice, steps } of candidates) {
        const next = steps.next();
        if (!next.done) tick.push({ choice, ...next.value });
      }
      if (tick.length === 0) return;
      yield tick;
    }
  } finally {
    for (const { steps } of candidates) steps.return(undefined);
  }
}

/**
 * §2.1 response_format: pieces whose text is one JSON object. A model's text that is not one is wrapped
 * as {"answer": text}; whether it is one is known at its end only, so text waits until then.
 * `longestTokens` bounds how much is waited for.
 */
function* jsonPieces(pieces: Iterable<Piece>, longestTokens: number): Generator<Piece> {
  const texts: { text: string }[] = [];
  let callsTools = false;
  for (const piece of pieces) {
    if ('text' in piece) texts.push(piece);
    else yield piece;
    callsTools ||= 'toolCall' in piece;
    if (texts.length > longestTokens) break;
  }
  if (callsTools && texts.length === 0) return;
  const text = texts.map((piece) => piece.text).join('');
  const reading = parseJson(text);
  if (reading.ok && isRecord(reading.value)) yield* texts;
  else for (const token of splitTokens(JSON.stringify({ answer: text }))) yield { text: token };
}
