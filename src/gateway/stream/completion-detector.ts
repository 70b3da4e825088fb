import type { StreamEvent } from './stream-events.ts';

export interface CompletionDetector {
  add: (event: StreamEvent) => void;
  /** Returns true once every requested candidate has a finish reason, or the answer has failed. */
  isComplete: () => boolean;
}

/**
 * Detects the end of an answer by finish reasons alone (§6.2; §6.8 does not guarantee an end marker). Unreliable if
 * text followed a finish reason, since some gateways put one into every chunk.
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
