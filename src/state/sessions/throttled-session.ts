/** The session for React: growing text is throttled, all other changes arrive immediately. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { isLive } from '../../conversation/reply/run.ts';
import type { Choice, Run, SessionData } from '../../conversation/session/types.ts';
import type { SessionState, SessionStore } from './session-store.ts';

/**
 * Update interval in ms of metrics and controls around streaming text; the text itself is drawn in every frame outside
 * React. Updating everything in every frame costs 1.7 times the CPU in a session of 2,000 messages.
 */
const growthIntervalMs = 120;

/**
 * Creates a store that follows the session store. Growth of live runs, including the final state, is passed on at most
 * every 120 ms; any other change is passed on immediately.
 */
export function createThrottledSession(session: SessionStore, now: () => number): StoreApi<SessionState> {
  const throttled = createStore<SessionState>(() => session.getState());
  let lastUpdateAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function publish(): void {
    clearTimeout(timer);
    timer = undefined;
    lastUpdateAt = now();
    throttled.setState(session.getState(), true);
  }

  session.subscribe((state) => {
    const waitMs = hasStateOnlyGrown(throttled.getState(), state)
      ? lastUpdateAt + growthIntervalMs - now()
      : 0;
    if (waitMs <= 0) publish();
    else timer ??= setTimeout(publish, waitMs);
  });
  return throttled;
}

function hasStateOnlyGrown(before: SessionState, after: SessionState): boolean {
  const { open: openBefore, ...restBefore } = before;
  const { open: openAfter, ...restAfter } = after;
  return (
    haveSameFields(restBefore, restAfter, Object.is) &&
    haveSameFields(openBefore, openAfter, haveOnlyRunsGrown)
  );
}

function haveOnlyRunsGrown(before: SessionData, after: SessionData): boolean {
  const { runs: runsBefore, ...restBefore } = before;
  const { runs: runsAfter, ...restAfter } = after;
  return (
    haveSameFields(restBefore, restAfter, Object.is) && haveSameFields(runsBefore, runsAfter, hasRunOnlyGrown)
  );
}

/** Returns true if only the received content and its metrics differ. */
export function hasRunOnlyGrown(before: Run, after: Run): boolean {
  if (before === after) return true;
  if (!isLive(after)) return false;
  const { choices, deltas, lastEventMs, notes, ...restBefore } = before;
  const {
    choices: choicesAfter,
    deltas: _deltas,
    lastEventMs: _lastEventMs,
    notes: notesAfter,
    ...restAfter
  } = after;
  if (choices.length !== choicesAfter.length || notes.length !== notesAfter.length) return false;
  // Before the first token, keep-alives change the status text; later they change nothing.
  if (deltas === 0 && lastEventMs !== after.lastEventMs) return false;
  return (
    haveSameFields(restBefore, restAfter, Object.is) &&
    choices.every((choice, index) => hasChoiceOnlyGrown(choice, choicesAfter[index]))
  );
}

function hasChoiceOnlyGrown(before: Choice, after: Choice | undefined): boolean {
  if (after?.parts.length !== before.parts.length || after.finishReason !== before.finishReason) return false;
  // More audio data changes only the displayed size, which is updated with the next text and at the end.
  if (after.sources !== before.sources || (after.sound === undefined) !== (before.sound === undefined))
    return false;
  return before.parts.every((part, index) => part.type === after.parts[index]?.type);
}

function haveSameFields<Field>(
  before: Readonly<Record<string, Field>>,
  after: Readonly<Record<string, Field>>,
  isSame: (a: Field, b: Field) => boolean,
): boolean {
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => {
      const [a, b] = [before[name], after[name]];
      return a === b || (a !== undefined && b !== undefined && isSame(a, b));
    })
  );
}
