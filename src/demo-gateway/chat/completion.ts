import { seededRandom } from '../random.ts';
import { candidateSteps, type CandidateStep } from './candidate.ts';
import type { ChatCall } from './chat-request.ts';
import { jsonPieces } from './json-mode.ts';

/** Where no max_tokens is sent: the length at which even an endless model ends. */
const longestAnswerTokens = 131_072;

/** A step of one of the n candidates. */
export interface ChoiceStep extends CandidateStep {
  choice: number;
}

/** §2.1 n: the candidates side by side. A tick holds one step of each that is still speaking. */
export function* completionTicks(
  call: ChatCall,
  { seed, now, newId }: { seed: string; now: number; newId: () => string },
): Generator<ChoiceStep[]> {
  const maxTokens = Math.min(call.maxTokens ?? longestAnswerTokens, longestAnswerTokens);
  const candidates = Array.from({ length: call.candidates }, (_, choice) => {
    const pieces = call.model.reply({
      messages: call.messages,
      fields: call.fields,
      candidate: choice,
      random: seededRandom(`${seed}/${choice}`),
      now,
      wantsJson: call.wantsJson,
    });
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
