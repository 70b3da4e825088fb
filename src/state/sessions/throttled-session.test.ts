import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { applyEvents, createRun, markRunSent, type TimedEvent } from '../../conversation/reply/run.ts';
import { setRun } from '../../conversation/session/edit-session.ts';
import type { Run } from '../../conversation/session/types.ts';
import { anEnvironment, aSession } from '../../testing/builders.ts';
import { changeSession, createSessionStore, currentSession } from './session-store.ts';
import { createShownSession } from './throttled-session.ts';

const said = (text: string, atMs = 1): TimedEvent => ({
  atMs,
  event: { type: 'text-delta', choice: 0, text },
});

function opened() {
  const data = aSession(anEnvironment());
  const session = createSessionStore();
  session.setState({ currentId: data.session.id, open: { [data.session.id]: data } });
  const shown = createShownSession(session, () => performance.now());
  const change = (edit: (run: Run) => Run) =>
    changeSession(session, data.session.id, (now) => {
      const run =
        now.runs['run'] ?? createRun('run', data.session.id, { model: 'north/one', system: '', params: {} });
      return setRun(now, edit(run));
    });
  const shownText = () => {
    const part = currentSession(shown.getState())?.runs['run']?.choices[0]?.parts[0];
    return part?.type === 'text' ? part.text : undefined;
  };
  change((run) => markRunSent(run, { sentAt: 0, requestId: 'r', estimatedPromptTokens: 1 }));
  return { session, shown, change, shownText };
}

describe('the session as React is told of it', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows the first words at once, and those that follow together a little later', () => {
    const { shown, change, shownText } = opened();
    change((run) => applyEvents(run, [said('One')]));
    expect(shownText()).toBe('One');
    const told = vi.fn();
    shown.subscribe(told);
    for (const word of [' two', ' three', ' four']) change((run) => applyEvents(run, [said(word)]));
    expect(shownText()).toBe('One');
    vi.advanceTimersByTime(120);
    expect(shownText()).toBe('One two three four');
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('goes on at this pace however many words come', () => {
    const { shown, change } = opened();
    change((run) => applyEvents(run, [said('One')]));
    const told = vi.fn();
    shown.subscribe(told);
    for (let frame = 0; frame < 60; frame += 1) {
      change((run) => applyEvents(run, [said(' more')]));
      vi.advanceTimersByTime(16);
    }
    expect(told.mock.calls.length).toBeGreaterThan(6);
    expect(told.mock.calls.length).toBeLessThan(10);
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
      'the numbers at the end',
      (run) => applyEvents(run, [{ atMs: 2, event: { type: 'usage', usage: { promptTokens: 1 } } }]),
    ],
    ['text that turns out to have been reasoning', (run) => applyEvents(run, [said('</think>', 2)])],
    ['a note', (run) => applyEvents(run, [{ atMs: 2, event: { type: 'note', note: 'after-done' } }])],
  ])('passes on %s in the same call, with all that came before it', (_name, edit) => {
    const { session, shown, change } = opened();
    change((run) => applyEvents(run, [said('One')]));
    change((run) => applyEvents(run, [said(' two')]));
    change(edit);
    expect(shown.getState()).toBe(session.getState());
  });

  it('passes on in the same call that the gateway is still there, as long as nothing has come', () => {
    const { session, shown, change, shownText } = opened();
    const stillThere = (atMs: number) => change((run) => ({ ...run, lastEventMs: atMs }));
    stillThere(10);
    stillThere(20);
    expect(shown.getState()).toBe(session.getState());
    change((run) => applyEvents(run, [said('One', 30)]));
    stillThere(40);
    expect(shown.getState()).not.toBe(session.getState());
    change((run) => applyEvents(run, [said(' two', 50)]));
    expect(shownText()).toBe('One');
    vi.advanceTimersByTime(120);
    expect(shown.getState()).toBe(session.getState());
  });

  it('lets growth wait also where several runs grow, and passes on at once when one of them begins or is gone', () => {
    const { session, shown, change } = opened();
    change((run) => applyEvents(run, [said('One')]));
    const id = session.getState().currentId ?? '';
    const put = (runId: string, edit: (run: Run) => Run) =>
      changeSession(session, id, (now) => {
        const run = now.runs[runId] ?? createRun(runId, id, { model: 'north/two', system: '', params: {} });
        return setRun(now, edit(run));
      });
    put('other', (run) => markRunSent(run, { sentAt: 0, requestId: 'o', estimatedPromptTokens: 1 }));
    put('other', (run) => applyEvents(run, [said('First')]));
    expect(shown.getState()).toBe(session.getState());
    const told = vi.fn();
    shown.subscribe(told);
    change((run) => applyEvents(run, [said(' two')]));
    put('other', (run) => applyEvents(run, [said(' second')]));
    // The same in a copy of all runs, as an import or another tab makes it.
    changeSession(session, id, (now) => ({ ...now, runs: { ...now.runs } }));
    expect(told).not.toHaveBeenCalled();
    changeSession(session, id, (now) => {
      const [run, other] = [now.runs['run'], now.runs['other']];
      if (!run || !other) return now;
      const ended = applyEvents(other, [{ atMs: 2, event: { type: 'end', end: 'aborted' } }]);
      return setRun(setRun(now, applyEvents(run, [said(' three')])), ended);
    });
    expect(told).toHaveBeenCalledTimes(1);
    changeSession(session, id, (now) => {
      const { other: _, ...runs } = now.runs;
      return { ...now, runs };
    });
    expect(told).toHaveBeenCalledTimes(2);
    expect(shown.getState()).toBe(session.getState());
    vi.advanceTimersByTime(1000);
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('passes on in the same call that another session was opened or closed while a run grows', () => {
    const { session, shown, change } = opened();
    change((run) => applyEvents(run, [said('One')]));
    change((run) => applyEvents(run, [said(' two')]));
    const other = {
      ...aSession(anEnvironment()),
      session: { ...aSession(anEnvironment()).session, id: 'b' },
    };
    session.setState(({ open }) => ({ open: { ...open, b: other } }));
    expect(shown.getState()).toBe(session.getState());
    change((run) => applyEvents(run, [said(' three')]));
    session.setState({ open: { b: other } });
    expect(shown.getState()).toBe(session.getState());
    session.setState({ open: {} });
    expect(shown.getState()).toBe(session.getState());
  });

  it('passes on everything beside runs in the same call, also while one grows', () => {
    const { session, shown, change } = opened();
    change((run) => applyEvents(run, [said('One')]));
    change((run) => applyEvents(run, [said(' two')]));
    session.setState({ missingId: 'other' });
    expect(shown.getState()).toBe(session.getState());
    const id = session.getState().currentId ?? '';
    changeSession(session, id, (data) => ({ ...data, session: { ...data.session, title: 'New' } }));
    expect(currentSession(shown.getState())?.session.title).toBe('New');
  });
});
