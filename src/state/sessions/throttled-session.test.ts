import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { applyEvents, createRun, markRunSent, type TimedEvent } from '../../conversation/reply/run.ts';
import { setRun } from '../../conversation/session/edit-session.ts';
import type { Run } from '../../conversation/session/types.ts';
import { createTestEnvironment, createTestSession } from '../../testing/builders.ts';
import { updateSession, createSessionStore, getCurrentSession } from './session-store.ts';
import { createThrottledSession } from './throttled-session.ts';

const createTextDelta = (text: string, atMs = 1): TimedEvent => ({
  atMs,
  event: { type: 'text-delta', choice: 0, text },
});

function openTestSession() {
  const data = createTestSession(createTestEnvironment());
  const session = createSessionStore();
  session.setState({ currentId: data.session.id, open: { [data.session.id]: data } });
  const renderedSession = createThrottledSession(session, () => performance.now());
  const change = (edit: (run: Run) => Run) =>
    updateSession(session, data.session.id, (current) => {
      const run =
        current.runs['run'] ??
        createRun('run', data.session.id, { model: 'north/one', system: '', params: {} });
      return setRun(current, edit(run));
    });
  const getRenderedText = () => {
    const part = getCurrentSession(renderedSession.getState())?.runs['run']?.choices[0]?.parts[0];
    return part?.type === 'text' ? part.text : undefined;
  };
  change((run) => markRunSent(run, { sentAt: 0, requestId: 'r', estimatedPromptTokens: 1 }));
  return { session, renderedSession, change, getRenderedText };
}

describe('the throttled session', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows the first words immediately and the following words together shortly after', () => {
    const { renderedSession, change, getRenderedText } = openTestSession();
    change((run) => applyEvents(run, [createTextDelta('One')]));
    expect(getRenderedText()).toBe('One');
    const listener = vi.fn();
    renderedSession.subscribe(listener);
    for (const word of [' two', ' three', ' four'])
      change((run) => applyEvents(run, [createTextDelta(word)]));
    expect(getRenderedText()).toBe('One');
    vi.advanceTimersByTime(120);
    expect(getRenderedText()).toBe('One two three four');
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('keeps the update interval however many words arrive', () => {
    const { renderedSession, change } = openTestSession();
    change((run) => applyEvents(run, [createTextDelta('One')]));
    const listener = vi.fn();
    renderedSession.subscribe(listener);
    for (let frame = 0; frame < 60; frame += 1) {
      change((run) => applyEvents(run, [createTextDelta(' more')]));
      vi.advanceTimersByTime(16);
    }
    expect(listener.mock.calls.length).toBeGreaterThan(6);
    expect(listener.mock.calls.length).toBeLessThan(10);
  });

  it.each<[string, (run: Run) => Run]>([
    ['the end', (run) => applyEvents(run, [{ atMs: 2, event: { type: 'end', end: 'aborted' } }])],
    [
      'a finish reason',
      (run) => applyEvents(run, [{ atMs: 2, event: { type: 'choice-end', choice: 0, reason: 'stop' } }]),
    ],
    [
      'the first reasoning',
      (run) => applyEvents(run, [{ atMs: 2, event: { type: 'thinking-delta', choice: 0, text: 'Hm' } }]),
    ],
    [
      'another candidate',
      (run) => applyEvents(run, [{ atMs: 2, event: { type: 'text-delta', choice: 1, text: 'Or' } }]),
    ],
    [
      'the final metrics',
      (run) => applyEvents(run, [{ atMs: 2, event: { type: 'usage', usage: { promptTokens: 1 } } }]),
    ],
    ['text reclassified as reasoning', (run) => applyEvents(run, [createTextDelta('</think>', 2)])],
    ['a note', (run) => applyEvents(run, [{ atMs: 2, event: { type: 'note', note: 'after-done' } }])],
  ])('passes on %s immediately with all earlier changes', (_name, edit) => {
    const { session, renderedSession, change } = openTestSession();
    change((run) => applyEvents(run, [createTextDelta('One')]));
    change((run) => applyEvents(run, [createTextDelta(' two')]));
    change(edit);
    expect(renderedSession.getState()).toBe(session.getState());
  });

  it('passes on keep-alives immediately until the first token', () => {
    const { session, renderedSession, change, getRenderedText } = openTestSession();
    const setLastEvent = (atMs: number) => change((run) => ({ ...run, lastEventMs: atMs }));
    setLastEvent(10);
    setLastEvent(20);
    expect(renderedSession.getState()).toBe(session.getState());
    change((run) => applyEvents(run, [createTextDelta('One', 30)]));
    setLastEvent(40);
    expect(renderedSession.getState()).not.toBe(session.getState());
    change((run) => applyEvents(run, [createTextDelta(' two', 50)]));
    expect(getRenderedText()).toBe('One');
    vi.advanceTimersByTime(120);
    expect(renderedSession.getState()).toBe(session.getState());
  });

  it('throttles growth of several runs, and passes on added and removed runs immediately', () => {
    const { session, renderedSession, change } = openTestSession();
    change((run) => applyEvents(run, [createTextDelta('One')]));
    const id = session.getState().currentId ?? '';
    const changeRun = (runId: string, edit: (run: Run) => Run) =>
      updateSession(session, id, (current) => {
        const run =
          current.runs[runId] ?? createRun(runId, id, { model: 'north/two', system: '', params: {} });
        return setRun(current, edit(run));
      });
    changeRun('other', (run) => markRunSent(run, { sentAt: 0, requestId: 'o', estimatedPromptTokens: 1 }));
    changeRun('other', (run) => applyEvents(run, [createTextDelta('First')]));
    expect(renderedSession.getState()).toBe(session.getState());
    const listener = vi.fn();
    renderedSession.subscribe(listener);
    change((run) => applyEvents(run, [createTextDelta(' two')]));
    changeRun('other', (run) => applyEvents(run, [createTextDelta(' second')]));
    // Also covers a copy of all runs, as made by an import or another tab.
    updateSession(session, id, (current) => ({ ...current, runs: { ...current.runs } }));
    expect(listener).not.toHaveBeenCalled();
    updateSession(session, id, (current) => {
      const [run, other] = [current.runs['run'], current.runs['other']];
      if (!run || !other) return current;
      const ended = applyEvents(other, [{ atMs: 2, event: { type: 'end', end: 'aborted' } }]);
      return setRun(setRun(current, applyEvents(run, [createTextDelta(' three')])), ended);
    });
    expect(listener).toHaveBeenCalledTimes(1);
    updateSession(session, id, (current) => {
      const { other: _, ...runs } = current.runs;
      return { ...current, runs };
    });
    expect(listener).toHaveBeenCalledTimes(2);
    expect(renderedSession.getState()).toBe(session.getState());
    vi.advanceTimersByTime(1000);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('passes on an opened or closed session immediately while a run grows', () => {
    const { session, renderedSession, change } = openTestSession();
    change((run) => applyEvents(run, [createTextDelta('One')]));
    change((run) => applyEvents(run, [createTextDelta(' two')]));
    const other = {
      ...createTestSession(createTestEnvironment()),
      session: { ...createTestSession(createTestEnvironment()).session, id: 'b' },
    };
    session.setState(({ open }) => ({ open: { ...open, b: other } }));
    expect(renderedSession.getState()).toBe(session.getState());
    change((run) => applyEvents(run, [createTextDelta(' three')]));
    session.setState({ open: { b: other } });
    expect(renderedSession.getState()).toBe(session.getState());
    session.setState({ open: {} });
    expect(renderedSession.getState()).toBe(session.getState());
  });

  it('passes on all changes outside of runs immediately, even while a run grows', () => {
    const { session, renderedSession, change } = openTestSession();
    change((run) => applyEvents(run, [createTextDelta('One')]));
    change((run) => applyEvents(run, [createTextDelta(' two')]));
    session.setState({ missingId: 'other' });
    expect(renderedSession.getState()).toBe(session.getState());
    const id = session.getState().currentId ?? '';
    updateSession(session, id, (data) => ({ ...data, session: { ...data.session, title: 'New' } }));
    expect(getCurrentSession(renderedSession.getState())?.session.title).toBe('New');
  });
});
