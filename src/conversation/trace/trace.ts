import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import { isLive, type TimedEvent } from '../reply/run.ts';
import { getRun } from '../session/turn-tree.ts';
import type { Run, SessionData, TurnId } from '../session/types.ts';

/** Mark on the trace: generated text and its time. `size` is in characters. */
export interface Tick {
  atMs: number;
  kind: 'thinking' | 'answer';
  size: number;
}

/** Returns the ticks of these events, in order. */
export function buildTraceTicks(events: readonly TimedEvent[]): Tick[] {
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

/** Returns the ticks of a stored tape. */
export function buildTapeTicks(entries: readonly TapeEntry[]): Tick[] {
  const readEntry = createTapeReader();
  return entries.flatMap((entry) =>
    buildTraceTicks(readEntry(entry).map((event) => ({ atMs: getEntryTime(entry), event }))),
  );
}

const rangesMs = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000];

/**
 * Returns the shared time range of a turn's lanes: the next of 2, 4, 8, 15, 30, 60 and 120 s, then whole multiples of 2
 * min.
 */
export function getTraceRangeMs(longestMs: number): number {
  return rangesMs.find((range) => longestMs <= range) ?? Math.ceil(longestMs / 120_000) * 120_000;
}

/** Returns the run of each lane's latest turn, in lane order. */
export function getLatestRuns(data: SessionData): Run[] {
  return getTurnRuns(
    data,
    data.session.laneIds.map((laneId) => data.lanes[laneId]?.tip ?? ''),
  );
}

/** Returns the runs of these turns, without turns that have none. */
export function getTurnRuns(data: SessionData, turnIds: readonly TurnId[]): Run[] {
  return turnIds.flatMap((turnId) => getRun(data, data.turns[turnId]) ?? []);
}

/** Returns the duration of a run in ms: up to its end or last event, or up to `nowMs` (epoch ms) while it is live. */
export function getElapsedMs(run: Run, nowMs: number): number {
  if (isLive(run) && run.sentAt !== undefined) return Math.max(0, nowMs - run.sentAt);
  return getRecordedMs(run);
}

/** Returns the recorded duration of a run in ms. */
export function getRecordedMs(run: Run): number {
  return run.endedMs ?? run.lastEventMs ?? 0;
}

/** Returns the outcome of a run for its trace, `undefined` while it is live. */
export function getTraceEnd(run: Run): 'whole' | 'failed' | undefined {
  if (isLive(run)) return undefined;
  return run.phase.name === 'failed' || run.phase.name === 'truncated' ? 'failed' : 'whole';
}

/** Returns the shared time range of these runs in ms. */
export function getSharedRangeMs(runs: readonly Run[], nowMs: number): number {
  return getTraceRangeMs(runs.reduce((longest, run) => Math.max(longest, getElapsedMs(run, nowMs)), 0));
}

/** Period of one activity of the model. */
export interface TracePhase {
  kind: 'waiting' | 'thinking' | 'answer';
  fromMs: number;
  toMs: number;
}

/** Splits a trace up to `endMs` into waiting, reasoning and answer phases, in order of time. */
export function splitTracePhases(ticks: readonly Tick[], endMs: number): TracePhase[] {
  const firstMs = ticks[0]?.atMs;
  const phases: TracePhase[] = [{ kind: 'waiting', fromMs: 0, toMs: firstMs ?? endMs }];
  for (const { atMs, kind } of ticks) {
    const last = phases.at(-1);
    if (last?.kind === kind) continue;
    if (last && last.kind !== 'waiting') last.toMs = atMs;
    phases.push({ kind, fromMs: atMs, toMs: endMs });
  }
  return phases;
}
