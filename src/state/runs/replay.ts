/**
 * Plays recorded answers again with their own timing, through the same fold as when they came. It works on a copy
 * of the session in a store of its own: nothing that it does is ever stored.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { createTapeCursor, type TapeCursor } from '../../conversation/files/tape-cursor.ts';
import { resetRun } from '../../conversation/reply/run.ts';
import { setRun } from '../../conversation/session/edit-session.ts';
import type { Run, RunId, SessionData } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { updateSession, createSessionStore, type SessionStore } from '../sessions/session-store.ts';

/** How many times as fast as received; `once`: all of it at once. */
export type ReplaySpeed = 1 | 4 | 16 | 'once';

export interface ReplayState {
  speed: ReplaySpeed;
  isPlaying: boolean;
  /** Where the recording is, ms since the POST. */
  atMs: number;
  /** Its length, ms. */
  endMs: number;
  /** Events that have come, of all that were recorded. */
  events: number;
  totalEvents: number;
  /** Once it was played from its start to its end at one speed: how far the gaps were from the recorded ones, ms. */
  accuracy?: ReplayAccuracy | undefined;
}

export interface ReplayAccuracy {
  medianMs: number;
  /** 95 of 100 gaps are at most this far off. */
  p95Ms: number;
}

export interface Replay {
  state: StoreApi<ReplayState>;
  /** The copied session with its runs as far as they have come; its lanes have no latest turn, so nothing waits for an answer. */
  session: SessionStore;
  cursors: ReadonlyMap<RunId, TapeCursor>;
  play: () => void;
  pause: () => void;
  /** Jumps to a moment, ms since the POST. */
  seek: (ms: number) => void;
  setSpeed: (speed: ReplaySpeed) => void;
  /** Ends all timers. */
  stop: () => void;
}

export interface ReplayOptions {
  data: SessionData;
  tapes: readonly { runId: RunId; entries: readonly TapeEntry[] }[];
  /** Monotonic, ms. */
  now: () => number;
  runInNextFrame: (run: () => void) => void;
  speed?: ReplaySpeed;
}

/** The bar moves on at least this often while nothing comes. */
const maxStepMs = 33;

export function createReplay({ data, tapes, now, runInNextFrame, speed = 1 }: ReplayOptions): Replay {
  const runs: Run[] = [];
  const cursors = new Map<RunId, TapeCursor>();
  const arrivalTimesByRun = new Map<RunId, number[]>();
  for (const { runId, entries } of tapes) {
    const run = data.runs[runId];
    if (!run) continue;
    runs.push(run);
    const cursor = createTapeCursor(run);
    cursor.push(entries);
    cursors.set(runId, cursor);
    arrivalTimesByRun.set(
      runId,
      cursor.arrivalTimes.filter((_, index) => isEvent(entries[index])),
    );
  }
  const getLastTime = (times: readonly number[]) => times.at(-1) ?? 0;
  const endMs = Math.max(0, ...[...cursors.values()].map(({ arrivalTimes }) => getLastTime(arrivalTimes)));
  const moments = [...new Set([...cursors.values()].flatMap(({ arrivalTimes }) => arrivalTimes))].toSorted(
    (a, b) => a - b,
  );
  const totalEvents = [...arrivalTimesByRun.values()].reduce((sum, times) => sum + times.length, 0);

  const state = createStore<ReplayState>(() => ({
    speed,
    isPlaying: false,
    atMs: 0,
    endMs,
    events: 0,
    totalEvents,
  }));
  const session = createSessionStore();
  const lanes = Object.fromEntries(Object.entries(data.lanes).map(([id, { tip: _, ...lane }]) => [id, lane]));
  session.setState({ currentId: data.session.id, open: { [data.session.id]: { ...data, lanes } } });

  /** Where the recording was, and when that was here. */
  let anchor = { atMs: 0, now: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFrameRequested = false;
  /** When each moment was reached, as long as it plays through without a jump. */
  let reachedAt: Map<number, number> | undefined = new Map();
  let nextMoment = 0;

  function getPositionMs(): number {
    const { isPlaying, speed: currentSpeed, atMs } = state.getState();
    if (!isPlaying) return atMs;
    return currentSpeed === 'once'
      ? endMs
      : Math.min(endMs, anchor.atMs + (now() - anchor.now) * currentSpeed);
  }

  function updateReplayedSession(): void {
    isFrameRequested = false;
    const { atMs } = state.getState();
    updateSession(session, data.session.id, (copy) =>
      runs.reduce((next, run) => setRun(next, cursors.get(run.id)?.getRunAt(atMs) ?? resetRun(run)), copy),
    );
  }

  function moveTo(atMs: number): void {
    let events = 0;
    for (const times of arrivalTimesByRun.values()) events += countUpTo(times, atMs);
    state.setState({ atMs, events });
    if (isFrameRequested) return;
    isFrameRequested = true;
    runInNextFrame(updateReplayedSession);
  }

  function step(): void {
    const atMs = getPositionMs();
    for (
      let moment = moments[nextMoment];
      moment !== undefined && moment <= atMs;
      moment = moments[nextMoment]
    ) {
      reachedAt?.set(moment, now());
      nextMoment += 1;
    }
    moveTo(atMs);
    if (atMs >= endMs) return finish();
    const { speed: currentSpeed } = state.getState();
    const untilNextMs =
      ((moments[nextMoment] ?? endMs) - atMs) / (currentSpeed === 'once' ? 1 : currentSpeed);
    timer = setTimeout(step, Math.min(maxStepMs, untilNextMs));
  }

  function finish(): void {
    const { speed: currentSpeed } = state.getState();
    const accuracy =
      reachedAt && currentSpeed !== 'once'
        ? computeAccuracy([...arrivalTimesByRun.values()], reachedAt, currentSpeed)
        : undefined;
    state.setState({ isPlaying: false, ...(accuracy ? { accuracy } : {}) });
  }

  function jumpTo(atMs: number): void {
    // From the very start everything will have been seen to come, also what came in the first instant.
    const isStart = atMs === 0;
    nextMoment = isStart ? 0 : countUpTo(moments, atMs);
    reachedAt = isStart ? new Map() : undefined;
    anchor = { atMs, now: now() };
    moveTo(atMs);
  }

  const pause = () => {
    clearTimeout(timer);
    const atMs = getPositionMs();
    state.setState({ isPlaying: false });
    moveTo(atMs);
  };

  const play = () => {
    clearTimeout(timer);
    const { atMs } = state.getState();
    state.setState({ isPlaying: true, accuracy: undefined });
    if (atMs >= endMs || atMs === 0) jumpTo(0);
    else {
      anchor = { atMs, now: now() };
      reachedAt = undefined;
    }
    step();
  };

  updateReplayedSession();
  return {
    state,
    session,
    cursors,
    play,
    pause,
    seek: (ms) => {
      const { isPlaying } = state.getState();
      clearTimeout(timer);
      state.setState({ accuracy: undefined });
      jumpTo(Math.max(0, Math.min(endMs, ms)));
      if (isPlaying) step();
    },
    setSpeed: (newSpeed) => {
      const atMs = getPositionMs();
      const { isPlaying } = state.getState();
      clearTimeout(timer);
      if (atMs > 0) reachedAt = undefined;
      anchor = { atMs, now: now() };
      state.setState({ speed: newSpeed, atMs });
      if (isPlaying) step();
    },
    stop: () => clearTimeout(timer),
  };
}

/** What counts as an event: everything received but the headers and the transport's end. */
function isEvent(entry: TapeEntry | undefined): boolean {
  return (
    entry !== undefined && ('data' in entry || 'comment' in entry || 'outside' in entry || 'body' in entry)
  );
}

/** How many of these ascending times are not later than this one. */
function countUpTo(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How far the gaps between the events were from the recorded ones, each answer for itself. */
function computeAccuracy(
  tapes: readonly (readonly number[])[],
  reachedAt: ReadonlyMap<number, number>,
  speed: number,
): ReplayAccuracy | undefined {
  const deviations: number[] = [];
  for (const arrivals of tapes) {
    arrivals.slice(1).forEach((arrival, index) => {
      const previousArrival = arrivals[index] ?? 0;
      const playedGap = (reachedAt.get(arrival) ?? 0) - (reachedAt.get(previousArrival) ?? 0);
      deviations.push(Math.abs(playedGap - (arrival - previousArrival) / speed));
    });
  }
  if (deviations.length === 0) return undefined;
  const sorted = deviations.toSorted((a, b) => a - b);
  const getQuantile = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
  return { medianMs: getQuantile(0.5), p95Ms: getQuantile(0.95) };
}
