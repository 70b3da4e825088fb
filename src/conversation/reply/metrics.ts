/** Computes the metrics of an answer and whether each is measured, reported or estimated. */
import { formatCount, pluralize } from '../../lib/format.ts';
import { estimateTokens } from '../request/request.ts';
import { listCandidateIndexes } from '../session/candidates.ts';
import type { Choice, Run } from '../session/types.ts';
import { isLive } from './run.ts';

/**
 * Metric value. `exact`: measured or reported. `estimated`: shown with `~`. `not yet`: will be known later. `none`:
 * cannot be known.
 */
export type Metric =
  | { kind: 'exact' | 'estimated'; value: number }
  | { kind: 'not yet' }
  | { kind: 'none'; why: string };

/** Text shown for a metric without a value. */
export const missingMetricLabels = { 'not yet': 'pending', none: 'n/a' } as const;

export interface Metrics {
  /** Time in ms from sending to the first event with text, including reasoning. */
  timeToFirstToken: Metric;
  /** Time in ms to the first text of the answer, if reasoning came first. */
  timeToFirstText?: number;
  /** Output tokens per second between the first token and the end, without hidden reasoning. */
  tokensPerSecond: Metric;
  tokensIn: Metric;
  tokensOut: Metric;
  reasoningTokens?: number;
  /**
   * Reported reasoning tokens that were not streamed. They count towards the time to first token, but not the speed.
   */
  hiddenReasoningTokens?: number;
  cachedTokens?: number;
  /** True if the cached tokens are in addition to `tokensIn`. */
  isCachedExtra?: true;
  /** Cost in US dollars, as reported by the provider. */
  costUsd?: number;
  /** True if the reported counts contradict each other or the received text. */
  isInconsistent?: true;
  /** Time in ms from sending to the end. */
  duration: Metric;
}

export function computeMetrics(run: Run): Metrics {
  const isRunning = isLive(run);
  const createMissing = (reason: string): Metric =>
    isRunning ? { kind: 'not yet' } : { kind: 'none', why: reason };
  const createExact = (value: number): Metric => ({ kind: 'exact', value });
  const { tokensOut, reasoningTokens, isInconsistent } = countOutput(run);
  const hiddenTokens = hasReasoningText(run) ? 0 : (reasoningTokens ?? 0);
  const endMs = run.endedMs ?? run.lastEventMs;
  return {
    timeToFirstToken:
      run.firstTokenMs === undefined ? createMissing('No tokens received.') : createExact(run.firstTokenMs),
    ...(run.firstTextMs === undefined ? {} : { timeToFirstText: run.firstTextMs }),
    tokensPerSecond: computeSpeed(run, tokensOut, hiddenTokens, endMs) ?? createMissing('Not streamed.'),
    tokensIn: getInputTokens(run, createMissing),
    tokensOut: tokensOut ?? createMissing('No tokens received.'),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(hiddenTokens > 0 ? { hiddenReasoningTokens: hiddenTokens } : {}),
    ...(run.usage?.cachedTokens === undefined ? {} : { cachedTokens: run.usage.cachedTokens }),
    ...(isCachedExtra(run) ? { isCachedExtra: true } : {}),
    ...(run.usage?.costUsd === undefined ? {} : { costUsd: run.usage.costUsd }),
    ...(isInconsistent ? { isInconsistent } : {}),
    duration:
      run.endedMs === undefined
        ? createMissing(run.sentAt === undefined ? 'Not sent.' : 'End not received.')
        : createExact(run.endedMs),
  };
}

function getInputTokens(run: Run, createMissing: (reason: string) => Metric): Metric {
  if (run.usage?.promptTokens !== undefined) return { kind: 'exact', value: run.usage.promptTokens };
  if (run.estimatedPromptTokens === undefined) return createMissing('Not sent.');
  return { kind: 'estimated', value: run.estimatedPromptTokens };
}

/**
 * Returns true if the reported prompt tokens omit the cached ones: then there are fewer than the cached ones, or only the
 * total contains both.
 */
function isCachedExtra({ usage }: Run): boolean {
  const { promptTokens, completionTokens = 0, totalTokens, cachedTokens = 0 } = usage ?? {};
  if (promptTokens === undefined || cachedTokens === 0) return false;
  return cachedTokens > promptTokens || totalTokens === promptTokens + completionTokens + cachedTokens;
}

interface OutputCount {
  tokensOut: Metric | undefined;
  reasoningTokens?: number;
  isInconsistent?: true;
}

/**
 * Counts output tokens including reasoning. Reasoning that a provider counts only in `total_tokens`, or separately from
 * `completion_tokens`, is added. A reported 0 is a placeholder if text arrived.
 */
function countOutput(run: Run): OutputCount {
  const { promptTokens, completionTokens, totalTokens, reasoningTokens, cachedTokens } = run.usage ?? {};
  const completion = completionTokens ?? 0;
  const reasoning = reasoningTokens ?? 0;
  const reportedFields = reasoningTokens === undefined ? {} : { reasoningTokens };
  const extraTokens =
    promptTokens === undefined || totalTokens === undefined ? 0 : totalTokens - promptTokens - completion;
  // Some providers count cached prompt tokens only in the total.
  const isExtraOutput =
    extraTokens > 0 && extraTokens !== cachedTokens && (completion === 0 || reasoning <= extraTokens);
  if (isExtraOutput) {
    const isExtraReasoning = reasoning === 0 && completion > 0;
    return {
      tokensOut: { kind: 'exact', value: completion + extraTokens },
      ...(isExtraReasoning ? { reasoningTokens: extraTokens } : reportedFields),
    };
  }
  if (completionTokens === 0 && run.deltas > 0)
    return { tokensOut: estimateOutput(run, reasoning), ...reportedFields, isInconsistent: true };
  if (completionTokens === undefined) return { tokensOut: estimateOutput(run, reasoning), ...reportedFields };
  // Reasoning tokens above the completion count were counted separately; a total that excludes them is inconsistent.
  const isCountedSeparately = reasoning > completion;
  return {
    tokensOut: { kind: 'exact', value: completion + (isCountedSeparately ? reasoning : 0) },
    ...reportedFields,
    ...(isCountedSeparately && totalTokens !== undefined && promptTokens !== undefined
      ? { isInconsistent: true }
      : {}),
  };
}

function hasReasoningText(run: Run): boolean {
  return run.choices.some(({ parts }) => parts.some(({ type }) => type === 'thinking'));
}

/** Estimates output tokens from the received text, plus reported reasoning tokens without text. */
function estimateOutput(run: Run, reasoning: number): Metric | undefined {
  const hiddenTokens = hasReasoningText(run) ? 0 : reasoning;
  if (run.deltas === 0) return hiddenTokens > 0 ? { kind: 'estimated', value: hiddenTokens } : undefined;
  // A streamed delta has about one token; complete responses are estimated by length.
  const textTokens = run.choices.reduce((sum, choice) => sum + estimateTokens(getGeneratedText(choice)), 0);
  return { kind: 'estimated', value: hiddenTokens + (wasStreamed(run) ? run.deltas : textTokens) };
}

/**
 * Returns true if deltas arrived at different times. Complete responses also yield several deltas (reasoning, text,
 * calls), but all at the same time.
 */
function wasStreamed(run: Run): boolean {
  return run.deltas > listCandidateIndexes(run).length && run.firstTokenMs !== run.lastEventMs;
}

/** Returns all generated text; reasoning and tool calls are output tokens too. */
function getGeneratedText(choice: Choice): string {
  return choice.parts
    .map((part) => {
      if (part.type === 'image') return '';
      return part.type === 'tool-call' ? part.name + part.arguments : part.text;
    })
    .join('');
}

/** Computes the speed without hidden reasoning tokens, which were generated before the first visible token. */
function computeSpeed(
  run: Run,
  tokensOut: Metric | undefined,
  hiddenTokens: number,
  endMs: number | undefined,
): Metric | undefined {
  if (!tokensOut || !('value' in tokensOut) || run.firstTokenMs === undefined || endMs === undefined)
    return undefined;
  const seconds = (endMs - run.firstTokenMs) / 1000;
  if (seconds <= 0 || !wasStreamed(run)) return undefined;
  const streamedTokens = tokensOut.value - hiddenTokens;
  if (streamedTokens > 0) return { kind: tokensOut.kind, value: streamedTokens / seconds };
  return { kind: 'estimated', value: run.deltas / seconds };
}

/** Lists remarks on speed and token counts, shown below the metrics. */
export function listMetricRemarks(metrics: Metrics): string[] {
  const { hiddenReasoningTokens } = metrics;
  // Hidden reasoning tokens are already in the remark about the speed.
  const tokenMetrics = hiddenReasoningTokens === undefined ? metrics : { ...metrics, reasoningTokens: 0 };
  return [describeSpeed(metrics), describeTokens(tokenMetrics)].filter((text) => text !== undefined);
}

/** Returns "192 hidden reasoning tokens not counted"; undefined if the speed counts all output. */
export function describeSpeed({ hiddenReasoningTokens }: Metrics): string | undefined {
  if (hiddenReasoningTokens === undefined) return undefined;
  return `${pluralize(hiddenReasoningTokens, 'hidden reasoning token')} not counted`;
}

/** Returns "reasoning included" if the time to first token includes hidden reasoning. */
export function describeFirstToken({ hiddenReasoningTokens }: Metrics): string | undefined {
  return hiddenReasoningTokens === undefined ? undefined : 'reasoning included';
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
