/** The session as React is told of it: everything at once, except text that only grows. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { isLive } from '../../conversation/reply/run.ts';
import type { Choice, Run, SessionData } from '../../conversation/session/types.ts';
import type { SessionState, SessionStore } from './session-store.ts';

/**
 * Figures and controls around a growing text are drawn this often; the text itself is drawn in every frame, past React.
 * Drawing all in every frame costs 1.7 times the CPU in a session of 2,000 messages, and nobody reads figures faster.
 */
const growthIntervalMs = 120;

/**
 * A store that follows the session store. A change of anything but growth is passed on in the same call; growth of
 * live runs at most every 120 ms, the last of it always.
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

/** True when nothing differs but the length of what has come, and the figures that go with it. */
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
  // A keep-alive before the first token changes what is said; after it nothing.
  if (deltas === 0 && lastEventMs !== after.lastEventMs) return false;
  return (
    haveSameFields(restBefore, restAfter, Object.is) &&
    choices.every((choice, index) => hasChoiceOnlyGrown(choice, choicesAfter[index]))
  );
}

function hasChoiceOnlyGrown(before: Choice, after: Choice | undefined): boolean {
  if (after?.parts.length !== before.parts.length || after.finishReason !== before.finishReason) return false;
  // More sound changes only the size on screen, which updates with the next text and at the end.
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
