import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createRun } from '../../conversation/reply/run.ts';
import { addTurn } from '../../conversation/session/edit-session.ts';
import type { SessionData, Turn } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { anEnvironment, aSession, aSetup, say } from '../../testing/builders.ts';
import { closeInspector, inspectTurn } from './inspector-actions.ts';
import { createInspectorStore, inspectedIn, runsBeside } from './inspector-store.ts';
import { createTapeFeed } from './tape-feed.ts';

describe('the inspector', () => {
  const environment = anEnvironment();
  const first = say(aSession(environment, [aSetup(), aSetup()]), environment, 'Hi');
  const { data, turnId } = say(first.data, environment, 'More');
  const [laneA = '', laneB = ''] = data.session.laneIds;
  const turnOf = (id: string) => {
    const turn = data.turns[id];
    if (!turn) throw new Error('No such turn');
    return turn;
  };

  it('stays with the latest answer of a lane, and with an older one that was chosen', () => {
    const store = createInspectorStore();
    inspectTurn(store, data, turnOf(turnId));
    expect(store.getState()).toMatchObject({ open: true, laneId: laneA, turnId: undefined });
    const later = say(data, environment, 'And more');
    expect(inspectedIn(later.data, store.getState()).turn?.id).toBe(later.turnId);
    inspectTurn(store, data, turnOf(first.turnId), 250);
    expect(store.getState()).toMatchObject({ turnId: first.turnId, tab: 'events', picked: { atMs: 250 } });
    expect(inspectedIn(later.data, store.getState()).turn?.id).toBe(first.turnId);
    store.setState({ cursorMs: 5, cursorShowsText: true });
    closeInspector(store);
    expect(store.getState()).toMatchObject({ open: false, cursorMs: undefined, cursorShowsText: false });
    expect(createInspectorStore().getState()).toMatchObject({ open: false, cursorShowsText: false });
  });

  it('knows what other lanes answered to the same prompt at the same place', () => {
    const beside = (session: SessionData, turn: Turn) =>
      runsBeside(session, turn).map((each) => [each.laneId, each.turnId]);
    expect(beside(data, turnOf(first.turnId))).toEqual([[laneA, first.turnId]]);
    expect(beside(data, turnOf(turnId))).toEqual([[laneA, turnId]]);
    const answering = (promptId: string) => {
      const added = addTurn(data, environment, laneB, { promptId, run: true });
      return { session: added.data, turnId: added.turnId };
    };
    const same = answering(turnOf(first.turnId).promptId);
    expect(beside(same.session, turnOf(first.turnId))).toEqual([
      [laneA, first.turnId],
      [laneB, same.turnId],
    ]);
    expect(beside(answering(turnOf(turnId).promptId).session, turnOf(first.turnId))).toEqual([
      [laneA, first.turnId],
    ]);
  });

  it('shows the tab that was shown last, unless a moment is picked', () => {
    const store = createInspectorStore();
    store.setState({ tab: 'response' });
    inspectTurn(store, data, turnOf(turnId));
    expect(store.getState()).toMatchObject({ tab: 'response', picked: undefined });
    inspectTurn(store, data, turnOf(turnId), 5);
    expect(store.getState()).toMatchObject({ tab: 'events', picked: { atMs: 5 } });
  });

  it('shows the first lane where none was chosen or the chosen one is gone, and says so where nothing was run', () => {
    expect(inspectedIn(data, {})).toEqual({ laneId: laneA, turn: turnOf(turnId) });
    expect(inspectedIn(data, { laneId: 'gone', turnId: 'gone' }).laneId).toBe(laneA);
    expect(inspectedIn(data, { laneId: laneB })).toEqual({ laneId: laneB });
    // A turn of another lane than the chosen one is not this lane's answer.
    expect(inspectedIn(data, { laneId: laneB, turnId })).toEqual({ laneId: laneB });
  });
});

describe('the tape that is looked at', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is read once where the answer has ended, and follows one that grows until its end', async () => {
    const stored: TapeEntry[] = [{ at: 1, comment: 'a' }];
    let live = true;
    let reads = 0;
    const feed = createTapeFeed(createRun('r', 's', aSetup()), {
      recorder: { flush: () => Promise.resolve() },
      library: {
        tapeFrom: (_, from, most = Infinity) => {
          reads += 1;
          const entries = stored.slice(from, from + most);
          return Promise.resolve({ entries, nextSeq: from + entries.length, isAll: entries.length < most });
        },
      },
      isLive: () => live,
    });
    feed.follow();
    await vi.advanceTimersByTimeAsync(1);
    expect(feed.state.getState()).toEqual({ count: 1, loaded: true });
    expect(feed.list().events).toHaveLength(1);
    const [list, cursor] = [feed.list(), feed.cursor()];
    expect(feed.list()).toBe(list);
    expect(feed.cursor()).toBe(cursor);
    stored.push({ at: 2, comment: 'b' });
    await vi.advanceTimersByTimeAsync(400);
    expect(feed.list().events.map(({ text }) => text)).toEqual(['a', 'b']);
    expect(list.events, 'what was given goes on').toHaveLength(2);
    expect(cursor.arrivalTimes).toEqual([1, 2]);
    expect(feed.cursor().arrivalTimes).toEqual([1, 2]);
    stored.push({ at: 3, end: 'closed' });
    live = false;
    await vi.advanceTimersByTimeAsync(400);
    expect(feed.state.getState().count).toBe(3);
    expect(feed.list().end).toEqual({ at: 3, end: 'closed' });
    const readsAtEnd = reads;
    await vi.advanceTimersByTimeAsync(5000);
    expect(reads).toBe(readsAtEnd);
    feed.stop();
  });

  /** A feed over these entries, of which more may be stored meanwhile. */
  function aFeed(stored: TapeEntry[], isLive: () => boolean) {
    return createTapeFeed(createRun('r', 's', aSetup()), {
      recorder: { flush: () => Promise.resolve() },
      library: {
        tapeFrom: (_, from, most = Infinity) => {
          const entries = stored.slice(from, from + most);
          return Promise.resolve({ entries, nextSeq: from + entries.length, isAll: entries.length < most });
        },
      },
      isLive,
    });
  }
  const comments = (count: number): TapeEntry[] =>
    Array.from({ length: count }, (_, at) => ({ at, comment: String(at) }));

  it('is there with all of its entries, each once, also where it is empty or asked for twice', async () => {
    for (const count of [0, 1, 2, 9]) {
      const feed = aFeed(comments(count), () => false);
      feed.follow();
      feed.follow();
      await vi.advanceTimersByTimeAsync(1);
      expect(feed.state.getState()).toEqual({ count, loaded: true });
      expect(feed.entries).toEqual(comments(count));
    }
  });

  it('tells nothing while nothing comes, nor after it was stopped', async () => {
    const stored = comments(2);
    const feed = aFeed(stored, () => true);
    feed.follow();
    await vi.advanceTimersByTimeAsync(1);
    const told = vi.fn<() => void>();
    feed.state.subscribe(told);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).not.toHaveBeenCalled();
    feed.stop();
    stored.push({ at: 9, comment: 'late' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).not.toHaveBeenCalled();

    const left = aFeed(comments(3), () => true);
    left.follow();
    left.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(left.state.getState()).toEqual({ count: 0, loaded: false });
  });
});
