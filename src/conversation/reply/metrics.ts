import { formatCount, pluralize } from '../../lib/format.ts';
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
  /** Output tokens per second between first token and end, without hidden reasoning. */
  tokensPerSecond: Figure;
  tokensIn: Figure;
  tokensOut: Figure;
  reasoningTokens?: number;
  /** Reasoning that was reported but not streamed. Included in the time to first token, not in the speed. */
  hiddenReasoningTokens?: number;
  cachedTokens?: number;
  /** US dollars, as the provider reported it. */
  costUsd?: number;
  /** True if the reported counts contradict each other or the received text. */
  isInconsistent?: true;
  /** Milliseconds from send to end. */
  duration: Figure;
}

export function metricsOf(run: Run): Metrics {
  const live = isLive(run);
  const missing = (why: string): Figure => (live ? { kind: 'not yet' } : { kind: 'none', why });
  const exact = (value: number): Figure => ({ kind: 'exact', value });
  const { tokensOut, reasoningTokens, isInconsistent } = countOutput(run);
  const hiddenTokens = hasReasoningText(run) ? 0 : (reasoningTokens ?? 0);
  const end = run.endedMs ?? run.lastEventMs;
  return {
    timeToFirstToken:
      run.firstTokenMs === undefined ? missing('No tokens received.') : exact(run.firstTokenMs),
    ...(run.firstTextMs === undefined ? {} : { timeToFirstText: run.firstTextMs }),
    tokensPerSecond: speed(run, tokensOut, hiddenTokens, end) ?? missing('Not streamed.'),
    tokensIn: inputTokens(run, missing),
    tokensOut: tokensOut ?? missing('No tokens received.'),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(hiddenTokens > 0 ? { hiddenReasoningTokens: hiddenTokens } : {}),
    ...(run.usage?.cachedTokens === undefined ? {} : { cachedTokens: run.usage.cachedTokens }),
    ...(run.usage?.costUsd === undefined ? {} : { costUsd: run.usage.costUsd }),
    ...(isInconsistent ? { isInconsistent } : {}),
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

interface OutputCount {
  tokensOut: Figure | undefined;
  reasoningTokens?: number;
  isInconsistent?: true;
}

/**
 * Output tokens with all reasoning. Some providers count reasoning in `total_tokens` alone, or beside `completion_tokens`:
 * then it is added. A reported 0 is a placeholder where something arrived.
 */
function countOutput(run: Run): OutputCount {
  const { promptTokens, completionTokens, totalTokens, reasoningTokens, cachedTokens } = run.usage ?? {};
  const completion = completionTokens ?? 0;
  const reasoning = reasoningTokens ?? 0;
  const reported = reasoningTokens === undefined ? {} : { reasoningTokens };
  const beside =
    promptTokens === undefined || totalTokens === undefined ? 0 : totalTokens - promptTokens - completion;
  // Some count the cached part of a prompt in the total only.
  const isOutput = beside > 0 && beside !== cachedTokens && (completion === 0 || reasoning <= beside);
  if (isOutput) {
    const isReasoning = reasoning === 0 && completion > 0;
    return {
      tokensOut: { kind: 'exact', value: completion + beside },
      ...(isReasoning ? { reasoningTokens: beside } : reported),
    };
  }
  if (completionTokens === 0 && run.deltas > 0)
    return { tokensOut: estimateOutput(run, reasoning), ...reported, isInconsistent: true };
  if (completionTokens === undefined) return { tokensOut: estimateOutput(run, reasoning), ...reported };
  // A part larger than the whole was counted beside it; a total without it contradicts that.
  const isBeside = reasoning > completion;
  return {
    tokensOut: { kind: 'exact', value: completion + (isBeside ? reasoning : 0) },
    ...reported,
    ...(isBeside && totalTokens !== undefined && promptTokens !== undefined ? { isInconsistent: true } : {}),
  };
}

function hasReasoningText(run: Run): boolean {
  return run.choices.some(({ parts }) => parts.some(({ type }) => type === 'thinking'));
}

/** Estimates from what arrived, plus reported reasoning whose text did not arrive. */
function estimateOutput(run: Run, reasoning: number): Figure | undefined {
  const hidden = hasReasoningText(run) ? 0 : reasoning;
  if (run.deltas === 0) return hidden > 0 ? { kind: 'estimated', value: hidden } : undefined;
  // One delta is about one token when the answer is streamed; a whole answer is counted by its length.
  const whole = run.choices.reduce((sum, choice) => sum + estimateTokens(saidBy(choice)), 0);
  return { kind: 'estimated', value: hidden + (cameInPieces(run) ? run.deltas : whole) };
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

/** Hidden tokens were made before the first visible one, which is where the time begins. */
function speed(
  run: Run,
  tokensOut: Figure | undefined,
  hiddenTokens: number,
  end: number | undefined,
): Figure | undefined {
  if (!tokensOut || !('value' in tokensOut) || run.firstTokenMs === undefined || end === undefined)
    return undefined;
  const seconds = (end - run.firstTokenMs) / 1000;
  if (seconds <= 0 || !cameInPieces(run)) return undefined;
  const streamedTokens = tokensOut.value - hiddenTokens;
  if (streamedTokens > 0) return { kind: tokensOut.kind, value: streamedTokens / seconds };
  return { kind: 'estimated', value: run.deltas / seconds };
}

/** Lists the remarks on speed and token counts, which are shown below the metrics. */
export function listMetricRemarks(metrics: Metrics): string[] {
  return [describeSpeed(metrics), describeTokens(metrics)].filter((text) => text !== undefined);
}

/** Returns "192 hidden reasoning tokens not counted"; undefined if the speed counts all output. */
export function describeSpeed({ hiddenReasoningTokens }: Metrics): string | undefined {
  if (hiddenReasoningTokens === undefined) return undefined;
  return `${pluralize(hiddenReasoningTokens, 'hidden reasoning token')} not counted`;
}

/** Returns "thinking included" if the time to first token includes hidden reasoning. */
export function describeFirstToken({ hiddenReasoningTokens }: Metrics): string | undefined {
  return hiddenReasoningTokens === undefined ? undefined : 'thinking included';
}

/** Returns "192 reasoning, 128 cached, reported inconsistently"; undefined without a remark. */
export function describeTokens({
  reasoningTokens = 0,
  cachedTokens = 0,
  isInconsistent,
}: Metrics): string | undefined {
  const parts = [
    ...(reasoningTokens > 0 ? [`${formatCount(reasoningTokens)} reasoning`] : []),
    ...(cachedTokens > 0 ? [`${formatCount(cachedTokens)} cached`] : []),
    ...(isInconsistent ? ['reported inconsistently'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
