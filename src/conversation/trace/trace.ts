import { isLive, type TimedEvent } from '../reply/run.ts';
import { runOf } from '../session/turn-tree.ts';
import type { Run, SessionData } from '../session/types.ts';

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
      case 'image':
      case 'sound-delta':
        return [{ atMs, kind: 'answer', size: 1 }];
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

/** The runs whose traces stand beside each other: of the latest turn of each lane, in lane order. */
export function latestRunsOf(data: SessionData): Run[] {
  return data.session.laneIds.flatMap((laneId) => {
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    const run = runOf(data, turn);
    return run ? [run] : [];
  });
}

/** How long a run has taken, ms: to its end, to its last sign of life, or, while it is live, to `now` (epoch ms). */
export function elapsedMsOf(run: Run, now: number): number {
  if (isLive(run) && run.sentAt !== undefined) return Math.max(0, now - run.sentAt);
  return recordedMsOf(run);
}

/** How long what has come of a run took, ms. */
export function recordedMsOf(run: Run): number {
  return run.endedMs ?? run.lastEventMs ?? 0;
}

/** How the trace of a run ends; undefined while it is live. */
export function traceEndOf(run: Run): 'whole' | 'failed' | undefined {
  if (isLive(run)) return undefined;
  return run.phase.name === 'failed' || run.phase.name === 'truncated' ? 'failed' : 'whole';
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
