/** Describes a trace in words and finds its stalls. */
import { formatDuration, pluralize } from '../../lib/format.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { getFinishLabel, isLive } from '../reply/run.ts';
import type { Run } from '../session/types.ts';
import { getStallThresholdMs } from './trace-gaps.ts';
import { splitTracePhases, type TracePhase, type Tick } from './trace.ts';

/** Maximum number of described phases; reasoning and answer may alternate many times. */
const maxPhases = 6;

/** Returns the stalls between ticks, longest first. */
export function findStalls(ticks: readonly Tick[]): TracePhase[] {
  const gaps = new Float64Array(Math.max(0, ticks.length - 1));
  for (let index = 1; index < ticks.length; index += 1)
    gaps[index - 1] = (ticks[index]?.atMs ?? 0) - (ticks[index - 1]?.atMs ?? 0);
  const minStallMs = getStallThresholdMs(gaps.toSorted()[gaps.length >> 1] ?? 0);
  const stalls: TracePhase[] = [];
  gaps.forEach((gap, index) => {
    if (gap >= minStallMs)
      stalls.push({ kind: 'waiting', fromMs: ticks[index]?.atMs ?? 0, toMs: ticks[index + 1]?.atMs ?? 0 });
  });
  return stalls.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs));
}

/**
 * Describes the time to first token: "Headers after 483 ms, first token 475 ms later, no stalls." Returns
 * `undefined` before the first token.
 */
export function describeTimeToFirstToken(
  { firstTokenMs }: Pick<Run, 'firstTokenMs'>,
  headersMs: number | undefined,
  ticks: readonly Tick[],
  stalls = findStalls(ticks),
): string | undefined {
  if (firstTokenMs === undefined) return undefined;
  const formatMs = (ms: number) => Object.values(formatDuration(ms)).join(' ');
  const startTexts =
    headersMs === undefined || headersMs > firstTokenMs
      ? [`First token after ${formatMs(firstTokenMs)}`]
      : [
          `Headers after ${formatMs(headersMs)}`,
          firstTokenMs - headersMs < 1
            ? 'first token right away'
            : `first token ${formatMs(firstTokenMs - headersMs)} later`,
        ];
  const [longestStall] = stalls;
  // A response that arrives in one piece cannot have stalls.
  const stallTexts =
    ticks.length < 2 ? [] : longestStall ? [describeStalls(stalls.length, longestStall)] : ['no stalls'];
  return `${[...startTexts, ...stallTexts].join(', ')}.`;
}

function describeStalls(count: number, { fromMs, toMs }: TracePhase): string {
  return `${pluralize(count, 'stall')}, longest ${Object.values(formatDuration(toMs - fromMs)).join(' ')}`;
}

const phaseLabels = { waiting: 'Waiting', thinking: 'reasoning', answer: 'answer' };

/**
 * Describes the trace up to `endMs` for screen readers: "Waiting 958 ms, reasoning 3.10 s, answer 3.29 s. 1 stall, the
 * longest 320 ms. Ended after 7.42 s: stop."
 */
export function describeTrace(
  run: Run,
  ticks: readonly Tick[],
  endMs: number,
  stalls = findStalls(ticks),
): string {
  const formatMs = (ms: number) => Object.values(formatDuration(ms)).join(' ');
  const phaseTexts = splitTracePhases(ticks, ticks.at(-1)?.atMs ?? endMs)
    .slice(0, maxPhases)
    .map(({ kind, fromMs, toMs }) => `${phaseLabels[kind]} ${formatMs(toMs - fromMs)}`);
  const longestStall = stalls[0];
  return [
    `${phaseTexts.join(', ')}.`,
    ...(longestStall ? [`${describeStalls(stalls.length, longestStall)}.`] : []),
    isLive(run)
      ? 'Still streaming.'
      : `Ended after ${formatMs(endMs)}: ${sanitizeForSentence(getFinishLabel(run) ?? 'no finish reason')}.`,
  ].join(' ');
}
