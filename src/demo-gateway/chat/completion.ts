import { isRecord, parseJson } from '../../lib/json.ts';
import { createSeededRandom } from '../../lib/random.ts';
import type { DemoRequest, ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';
import { generateSteps, type CandidateStep } from './candidate.ts';
import type { ParsedChatRequest } from './chat-request.ts';

/** Maximum length of an answer in tokens, if max_tokens is absent or larger. */
const maxAnswerTokens = 131_072;

/** A step of one of the n candidates. */
export interface ChoiceStep extends CandidateStep {
  choice: number;
}

/** Returns the request in the form passed to the model, with a fresh sequence of random numbers. */
export function createDemoRequest(
  { messages, fields, isJsonMode }: ParsedChatRequest,
  candidate: number,
  seed: string,
): DemoRequest {
  return {
    messages,
    fields,
    candidate,
    random: createSeededRandom(`${seed}/${candidate}`),
    isJsonMode,
  };
}

/** Runs the n candidates in parallel (§2.1 n). A tick has one step of each candidate that has not finished. */
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
 * Ensures that the text is a JSON object (§2.1 response_format) by wrapping other text as {"answer": text}. The text is
 * buffered to its end, at most `maxBufferedTokens`, since its form is certain only then.
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
