/** A trace in words, and the waits in it that stand out. */
import { formatDuration, pluralize } from '../../lib/format.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { finishWord, isLive } from '../reply/run.ts';
import type { Run } from '../session/types.ts';
import { stallFrom } from './trace-gaps.ts';
import { stretchesOf, type Stretch, type Tick } from './trace.ts';

/** Reasoning and answer may take turns; the first ones tell the picture. */
const mostStretchesSaid = 6;

/** The waits between what was said that stand out, longest first. */
export function stallsOf(ticks: readonly Tick[]): Stretch[] {
  const gaps = new Float64Array(Math.max(0, ticks.length - 1));
  for (let at = 1; at < ticks.length; at += 1)
    gaps[at - 1] = (ticks[at]?.atMs ?? 0) - (ticks[at - 1]?.atMs ?? 0);
  const leastMs = stallFrom(gaps.toSorted()[gaps.length >> 1] ?? 0);
  const stalls: Stretch[] = [];
  gaps.forEach((gap, at) => {
    if (gap >= leastMs)
      stalls.push({ kind: 'waiting', fromMs: ticks[at]?.atMs ?? 0, toMs: ticks[at + 1]?.atMs ?? 0 });
  });
  return stalls.toSorted((one, other) => other.toMs - other.fromMs - (one.toMs - one.fromMs));
}

/** Where the time went: "483 ms to the headers, 475 ms more to the first token, no stalls." Undefined before that token. */
export function paceWords(
  { firstTokenMs }: Pick<Run, 'firstTokenMs'>,
  headersMs: number | undefined,
  ticks: readonly Tick[],
  stalls = stallsOf(ticks),
): string | undefined {
  if (firstTokenMs === undefined) return undefined;
  const words = (ms: number) => Object.values(formatDuration(ms)).join(' ');
  const start =
    headersMs === undefined || headersMs > firstTokenMs
      ? [`${words(firstTokenMs)} to the first token`]
      : [`${words(headersMs)} to the headers`, `${words(firstTokenMs - headersMs)} more to the first token`];
  const [longest] = stalls;
  // What came in one piece could not stall.
  const rest = ticks.length < 2 ? [] : longest ? [stallWords(stalls.length, longest)] : ['no stalls'];
  return `${[...start, ...rest].join(', ')}.`;
}

function stallWords(count: number, { fromMs, toMs }: Stretch): string {
  return `${pluralize(count, 'stall')}, the longest ${Object.values(formatDuration(toMs - fromMs)).join(' ')}`;
}

const stretchWords = { waiting: 'Waiting', thinking: 'reasoning', answer: 'answer' };

/** The trace in words, up to `endMs`, for those who do not see it: "Waiting 958 ms, reasoning 3.10 s, answer 3.29 s. 1 stall, the longest 320 ms. Ended after 7.42 s: stop." */
export function traceWords(
  run: Run,
  ticks: readonly Tick[],
  endMs: number,
  stalls = stallsOf(ticks),
): string {
  const words = (ms: number) => Object.values(formatDuration(ms)).join(' ');
  const stretches = stretchesOf(ticks, ticks.at(-1)?.atMs ?? endMs)
    .slice(0, mostStretchesSaid)
    .map(({ kind, fromMs, toMs }) => `${stretchWords[kind]} ${words(toMs - fromMs)}`);
  const longest = stalls[0];
  return [
    `${stretches.join(', ')}.`,
    ...(longest ? [`${stallWords(stalls.length, longest)}.`] : []),
    isLive(run)
      ? 'Still live.'
      : `Ended after ${words(endMs)}: ${sanitizeForSentence(finishWord(run) ?? 'no finish reason')}.`,
  ].join(' ');
}
