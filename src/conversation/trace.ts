import { createTapeReader } from '../gateway/stream-events.ts';
import type { TapeEntry } from '../gateway/tape.ts';
import { formatDuration, plural } from '../lib/format.ts';
import { finishWord } from './ending.ts';
import { isLive, type TimedEvent } from './run.ts';
import { stallFrom } from './trace-gaps.ts';
import type { Run, SessionData } from './types.ts';

/** One mark of the trace: something that a model said, and when. `size` in characters. */
export interface Tick {
  atMs: number;
  kind: 'thinking' | 'answer';
  size: number;
}

/** The ticks of these events, in order. */
export function ticksOf(events: readonly TimedEvent[]): Tick[] {
  return events.flatMap(({ atMs, event }): Tick[] => {
    switch (event.type) {
      case 'thinking-delta':
        return event.text === '' ? [] : [{ atMs, kind: 'thinking', size: event.text.length }];
      case 'text-delta':
      case 'refusal-delta':
        return event.text === '' ? [] : [{ atMs, kind: 'answer', size: event.text.length }];
      case 'tool-call-delta':
        return [{ atMs, kind: 'answer', size: (event.name?.length ?? 0) + (event.arguments?.length ?? 0) }];
      default:
        return [];
    }
  });
}

const rangesMs = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000];

/** The shared clock of a turn's lanes: the next of 2, 4, 8, 15, 30, 60, 120 s, then whole multiples of 2 min. */
export function rangeFor(longestMs: number): number {
  return rangesMs.find((range) => longestMs <= range) ?? Math.ceil(longestMs / 120_000) * 120_000;
}

/** The ticks of a stored tape. */
export function ticksOfTape(entries: readonly TapeEntry[]): Tick[] {
  const read = createTapeReader();
  return entries.flatMap((entry) => ticksOf(read(entry).map((event) => ({ atMs: entry.at, event }))));
}

/** The runs whose traces stand beside each other: of the latest turn of each lane, in lane order. */
export function latestRunsOf(data: SessionData): Run[] {
  return data.session.laneIds.flatMap((laneId) => {
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    const run = turn?.reply && 'runId' in turn.reply ? data.runs[turn.reply.runId] : undefined;
    return run ? [run] : [];
  });
}

/** How long a run has taken, ms: to its end, to its last sign of life, or, while it is live, to `now` (epoch ms). */
export function elapsedMsOf(run: Run, now: number): number {
  if (isLive(run) && run.sentAt !== undefined) return Math.max(0, now - run.sentAt);
  return run.endedMs ?? run.lastEventMs ?? 0;
}

/** The clock that all these runs share, ms. */
export function sharedRangeMs(runs: readonly Run[], now: number): number {
  return rangeFor(runs.reduce((longest, run) => Math.max(longest, elapsedMsOf(run, now)), 0));
}

/** A stretch of one kind: what the model was doing, from when to when. */
export interface Stretch {
  kind: 'waiting' | 'thinking' | 'answer';
  fromMs: number;
  toMs: number;
}

/** Waiting, reasoning, answering: the stretches of a trace up to `endMs`, in order. */
export function stretchesOf(ticks: readonly Tick[], endMs: number): Stretch[] {
  const firstMs = ticks[0]?.atMs;
  const stretches: Stretch[] = [{ kind: 'waiting', fromMs: 0, toMs: firstMs ?? endMs }];
  for (const { atMs, kind } of ticks) {
    const last = stretches.at(-1);
    if (last?.kind === kind) continue;
    if (last && last.kind !== 'waiting') last.toMs = atMs;
    stretches.push({ kind, fromMs: atMs, toMs: endMs });
  }
  return stretches;
}

/** The waits between what was said that stand out, longest first. */
export function stallsOf(ticks: readonly Tick[]): Stretch[] {
  const gaps = ticks.slice(1).map((tick, index): Stretch => ({ kind: 'waiting', fromMs: ticks[index]?.atMs ?? 0, toMs: tick.atMs }));
  const length = ({ fromMs, toMs }: Stretch) => toMs - fromMs;
  const sorted = gaps.toSorted((one, other) => length(other) - length(one));
  const medianMs = sorted[sorted.length >> 1];
  const leastMs = stallFrom(medianMs ? length(medianMs) : 0);
  return sorted.filter((gap) => length(gap) >= leastMs);
}

const stretchWords = { waiting: 'Waiting', thinking: 'reasoning', answer: 'answer' };

/** The trace in words, for those who do not see it: "Waiting 958 ms, reasoning 3.10 s, answer 3.29 s. 1 stall, the longest 320 ms. Ended after 7.42 s: stop." */
export function traceWords(run: Run, ticks: readonly Tick[], now: number): string {
  const endMs = elapsedMsOf(run, now);
  const words = (ms: number) => Object.values(formatDuration(ms)).join(' ');
  const stretches = stretchesOf(ticks, ticks.at(-1)?.atMs ?? endMs)
    .slice(0, mostStretchesSaid)
    .map(({ kind, fromMs, toMs }) => `${stretchWords[kind]} ${words(toMs - fromMs)}`);
  const stalls = stallsOf(ticks);
  const longest = stalls[0];
  return [
    `${stretches.join(', ')}.`,
    ...(longest ? [`${plural(stalls.length, 'stall')}, the longest ${words(longest.toMs - longest.fromMs)}.`] : []),
    isLive(run) ? 'Still live.' : `Ended after ${words(endMs)}: ${finishWord(run) ?? 'no finish reason'}.`,
  ].join(' ');
}

/** Reasoning and answer may take turns; the first ones tell the picture. */
const mostStretchesSaid = 6;
