import type { StreamEvent } from './stream-events.ts';

export interface AnsweredMark {
  see: (event: StreamEvent) => void;
  /** Every candidate asked for has its finish reason, or the answer has failed. */
  isAnswered: () => boolean;
}

/**
 * Whether an answer has said that it is over, by finish reasons alone (§6.2; §6.8 promises no end mark). Not to be
 * relied on where text followed a finish reason: such a gateway puts one into every chunk.
 */
export function createAnsweredMark(asked: number): AnsweredMark {
  const ended = new Set<number>();
  let hasFailed = false;
  let isReliable = true;
  return {
    see(event) {
      if (event.type === 'error') hasFailed = true;
      else if (event.type === 'choice-end') ended.add(event.choice);
      else if ('choice' in event && ended.has(event.choice)) isReliable = false;
    },
    isAnswered: () => isReliable && (hasFailed || ended.size >= asked),
  };
}
