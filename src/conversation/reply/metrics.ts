import { estimateTokens } from '../request/request.ts';
/** The numbers beside an answer, each with how it was made. */
import { candidatesOf } from '../session/candidates.ts';
import type { Choice, Run } from '../session/types.ts';
import { isLive } from './run.ts';

/** measured here or reported by the provider; estimated (`~`); not yet (will exist); none (cannot exist). */
export type Figure =
  | { kind: 'exact' | 'estimated'; value: number }
  | { kind: 'not yet' }
  | { kind: 'none'; why: string };

export interface Metrics {
  /** Milliseconds from send to the first event with text; reasoning counts. */
  timeToFirstToken: Figure;
  /** Milliseconds to the first text of the answer itself, where reasoning came first. */
  timeToFirstText?: number;
  /** Output tokens per second between first token and end. */
  tokensPerSecond: Figure;
  tokensIn: Figure;
  tokensOut: Figure;
  reasoningTokens?: number;
  /** Milliseconds from send to end. */
  duration: Figure;
}

export function metricsOf(run: Run): Metrics {
  const live = isLive(run);
  const missing = (why: string): Figure => (live ? { kind: 'not yet' } : { kind: 'none', why });
  const exact = (value: number): Figure => ({ kind: 'exact', value });
  const tokensOut = outputTokens(run);
  const end = run.endedMs ?? run.lastEventMs;
  return {
    timeToFirstToken:
      run.firstTokenMs === undefined ? missing('No tokens received.') : exact(run.firstTokenMs),
    ...(run.firstTextMs === undefined ? {} : { timeToFirstText: run.firstTextMs }),
    tokensPerSecond: speed(run, tokensOut, end) ?? missing('Not streamed.'),
    tokensIn: inputTokens(run, missing),
    tokensOut: tokensOut ?? missing('No tokens received.'),
    ...(run.usage?.reasoningTokens === undefined ? {} : { reasoningTokens: run.usage.reasoningTokens }),
    duration:
      run.endedMs === undefined
        ? missing(run.sentAt === undefined ? 'Not sent.' : 'End not received.')
        : exact(run.endedMs),
  };
}

function inputTokens(run: Run, missing: (why: string) => Figure): Figure {
  if (run.usage?.promptTokens !== undefined) return { kind: 'exact', value: run.usage.promptTokens };
  if (run.estimatedPromptTokens === undefined) return missing('Not sent.');
  return { kind: 'estimated', value: run.estimatedPromptTokens };
}

function outputTokens(run: Run): Figure | undefined {
  const reported = run.usage?.completionTokens;
  if (reported !== undefined) return { kind: 'exact', value: reported };
  if (run.deltas === 0) return undefined;
  // One delta is about one token when the answer is streamed; a whole answer is counted by its length.
  const whole = run.choices.reduce((sum, choice) => sum + estimateTokens(saidBy(choice)), 0);
  return { kind: 'estimated', value: cameInPieces(run) ? run.deltas : whole };
}

/** A whole answer gives several deltas too (reasoning, text, calls), but all at the same moment. */
function cameInPieces(run: Run): boolean {
  return run.deltas > candidatesOf(run).length && run.firstTokenMs !== run.lastEventMs;
}

/** All that was generated: reasoning and calls are output tokens too. */
function saidBy(choice: Choice): string {
  return choice.parts
    .map((part) => {
      if (part.type === 'image') return '';
      return part.type === 'tool-call' ? part.name + part.arguments : part.text;
    })
    .join('');
}

function speed(run: Run, tokensOut: Figure | undefined, end: number | undefined): Figure | undefined {
  if (!tokensOut || !('value' in tokensOut) || run.firstTokenMs === undefined || end === undefined)
    return undefined;
  const seconds = (end - run.firstTokenMs) / 1000;
  if (seconds <= 0 || !cameInPieces(run)) return undefined;
  return { kind: tokensOut.kind, value: tokensOut.value / seconds };
}
