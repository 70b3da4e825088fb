/**
 * Replays recorded answers with their original timing, through the same fold as live ones. Works on a copy of the
 * session in a separate store, so nothing is persisted.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { createTapeCursor, type TapeCursor } from '../../conversation/files/tape-cursor.ts';
import { resetRun } from '../../conversation/reply/run.ts';
import { setRun } from '../../conversation/session/edit-session.ts';
import type { Run, RunId, SessionData } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { updateSession, createSessionStore, type SessionStore } from '../sessions/session-store.ts';

/** Factor relative to real time; `once` shows everything immediately. */
export type ReplaySpeed = 1 | 4 | 16 | 'once';

export interface ReplayState {
  speed: ReplaySpeed;
  isPlaying: boolean;
  /** Position in ms since the POST. */
  atMs: number;
  /** Length of the recording in ms. */
  endMs: number;
  /** Number of events played, out of `totalEvents`. */
  events: number;
  totalEvents: number;
  /** Timing error in ms, set after playing from start to end at one speed. */
  accuracy?: ReplayAccuracy | undefined;
}

export interface ReplayAccuracy {
  medianMs: number;
  /** 95th percentile of the timing error in ms. */
  p95Ms: number;
}

export interface Replay {
  state: StoreApi<ReplayState>;
  /**
   * Copy of the session with runs up to the current position. Its lanes have no current turn, so none appears to be
   * waiting for an answer.
   */
  session: SessionStore;
  cursors: ReadonlyMap<RunId, TapeCursor>;
  play: () => void;
  pause: () => void;
  /** Jumps to a time in ms since the POST. */
  seek: (ms: number) => void;
  setSpeed: (speed: ReplaySpeed) => void;
  /** Stops all timers. */
  stop: () => void;
}

export interface ReplayOptions {
  data: SessionData;
  tapes: readonly { runId: RunId; entries: readonly TapeEntry[] }[];
  /** Returns monotonic milliseconds. */
  now: () => number;
  runInNextFrame: (run: () => void) => void;
  speed?: ReplaySpeed;
}

/** Maximum interval in ms between updates of the progress bar. */
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

  /** Position in the recording and the matching clock time. */
  let anchor = { atMs: 0, now: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFrameRequested = false;
  /** Time at which each event was played; undefined after the user has jumped. */
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
    // A jump to the start includes events at time 0.
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

/** Returns true for everything received except headers and the end of the transport. */
function isEvent(entry: TapeEntry | undefined): boolean {
  return (
    entry !== undefined && ('data' in entry || 'comment' in entry || 'outside' in entry || 'body' in entry)
  );
}

/** Counts the ascending times that are not later than `atMs`. */
function countUpTo(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Computes the differences between played and recorded gaps, separately for each answer. */
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
