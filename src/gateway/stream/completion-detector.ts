import type { StreamEvent } from './stream-events.ts';

export interface CompletionDetector {
  add: (event: StreamEvent) => void;
  /** Every candidate asked for has its finish reason, or the answer has failed. */
  isComplete: () => boolean;
}

/**
 * Whether an answer has said that it is over, by finish reasons alone (§6.2; §6.8 promises no end mark). Not to be
 * relied on where text followed a finish reason: such a gateway puts one into every chunk.
 */
export function createCompletionDetector(candidateCount: number): CompletionDetector {
  const endedChoices = new Set<number>();
  let hasFailed = false;
  let isReliable = true;
  return {
    add(event) {
      if (event.type === 'error') hasFailed = true;
      else if (event.type === 'choice-end') endedChoices.add(event.choice);
      else if ('choice' in event && endedChoices.has(event.choice)) isReliable = false;
    },
    isComplete: () => isReliable && (hasFailed || endedChoices.size >= candidateCount),
  };
}
