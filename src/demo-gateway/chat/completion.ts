import { isRecord, parseJson } from '../../lib/json.ts';
import { createStringSeededRandom } from '../../lib/random.ts';
import type { DemoRequest, ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';
import { generateSteps, type CandidateStep } from './candidate.ts';
import type { ParsedChatRequest } from './chat-request.ts';

/** Where no max_tokens is sent: the length at which even an endless model ends. */
const maxAnswerTokens = 131_072;

/** A step of one of the n candidates. */
export interface ChoiceStep extends CandidateStep {
  choice: number;
}

/** The request as the model sees it, with its random numbers from their start. */
export function createDemoRequest(
  { messages, fields, isJsonMode }: ParsedChatRequest,
  candidate: number,
  seed: string,
): DemoRequest {
  return {
    messages,
    fields,
    candidate,
    random: createStringSeededRandom(`${seed}/${candidate}`),
    isJsonMode,
  };
}

/** §2.1 n: the candidates side by side. A tick holds one step of each that is still speaking. */
export function* generateTicks(
  request: ParsedChatRequest,
  { seed, createId }: { seed: string; createId: () => string },
): Generator<ChoiceStep[]> {
  const maxTokens = Math.min(request.maxTokens ?? maxAnswerTokens, maxAnswerTokens);
  const candidates = Array.from({ length: request.candidateCount }, (_, choice) => {
    const pieces = request.model.reply(createDemoRequest(request, choice, seed));
    const steps = generateSteps(request.isJsonMode ? wrapAsJsonObject(pieces, maxTokens) : pieces, {
      maxTokens,
      stops: request.stops,
      createToolCallId: () => `call_${createId()}`,
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
 * `maxBufferedTokens` bounds how much is waited for.
 */
function* wrapAsJsonObject(pieces: Iterable<ModelOutput>, maxBufferedTokens: number): Generator<ModelOutput> {
  const texts: { text: string }[] = [];
  let hasToolCall = false;
  for (const piece of pieces) {
    if ('text' in piece) texts.push(piece);
    else yield piece;
    hasToolCall ||= 'toolCall' in piece;
    if (texts.length > maxBufferedTokens) break;
  }
  if (hasToolCall && texts.length === 0) return;
  const text = texts.map((piece) => piece.text).join('');
  const parsed = parseJson(text);
  if (parsed.ok && isRecord(parsed.value)) yield* texts;
  else for (const token of splitTokens(JSON.stringify({ answer: text }))) yield { text: token };
}
