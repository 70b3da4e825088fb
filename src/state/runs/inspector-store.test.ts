import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createRun } from '../../conversation/reply/run.ts';
import { addTurn } from '../../conversation/session/edit-session.ts';
import type { SessionData, Turn } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  addTestTurn,
} from '../../testing/builders.ts';
import { closeInspector, inspectTurn } from './inspector-actions.ts';
import { createInspectorStore, getInspectedTurn, getSiblingRuns } from './inspector-store.ts';
import { createTapeFeed } from './tape-feed.ts';

describe('the inspector', () => {
  const environment = createTestEnvironment();
  const firstTurn = addTestTurn(
    createTestSession(environment, [createTestSetup(), createTestSetup()]),
    environment,
    'Hi',
  );
  const { data, turnId } = addTestTurn(firstTurn.data, environment, 'More');
  const [laneA = '', laneB = ''] = data.session.laneIds;
  const getTurn = (id: string) => {
    const turn = data.turns[id];
    if (!turn) throw new Error('The turn is missing');
    return turn;
  };

  it('follows the latest answer of a lane, and stays on an older answer if it is selected', () => {
    const store = createInspectorStore();
    inspectTurn(store, data, getTurn(turnId));
    expect(store.getState()).toMatchObject({ isOpen: true, laneId: laneA, turnId: undefined });
    const later = addTestTurn(data, environment, 'And more');
    expect(getInspectedTurn(later.data, store.getState()).turn?.id).toBe(later.turnId);
    inspectTurn(store, data, getTurn(firstTurn.turnId), 250);
    expect(store.getState()).toMatchObject({
      turnId: firstTurn.turnId,
      tab: 'events',
      selectedEvent: { atMs: 250 },
    });
    expect(getInspectedTurn(later.data, store.getState()).turn?.id).toBe(firstTurn.turnId);
    store.setState({ cursorMs: 5, cursorShowsText: true });
    closeInspector(store);
    expect(store.getState()).toMatchObject({ isOpen: false, cursorMs: undefined, cursorShowsText: false });
    expect(createInspectorStore().getState()).toMatchObject({ isOpen: false, cursorShowsText: false });
  });

  it('lists the answers of other lanes to the same prompt at the same depth', () => {
    const listSiblings = (session: SessionData, turn: Turn) =>
      getSiblingRuns(session, turn).map((sibling) => [sibling.laneId, sibling.turnId]);
    expect(listSiblings(data, getTurn(firstTurn.turnId))).toEqual([[laneA, firstTurn.turnId]]);
    expect(listSiblings(data, getTurn(turnId))).toEqual([[laneA, turnId]]);
    const addAnswer = (promptId: string) => {
      const added = addTurn(data, environment, laneB, { promptId, run: true });
      return { session: added.data, turnId: added.turnId };
    };
    const same = addAnswer(getTurn(firstTurn.turnId).promptId);
    expect(listSiblings(same.session, getTurn(firstTurn.turnId))).toEqual([
      [laneA, firstTurn.turnId],
      [laneB, same.turnId],
    ]);
    expect(listSiblings(addAnswer(getTurn(turnId).promptId).session, getTurn(firstTurn.turnId))).toEqual([
      [laneA, firstTurn.turnId],
    ]);
  });

  it('shows the last tab, or the events if a time is selected', () => {
    const store = createInspectorStore();
    store.setState({ tab: 'response' });
    inspectTurn(store, data, getTurn(turnId));
    expect(store.getState()).toMatchObject({ tab: 'response', selectedEvent: undefined });
    inspectTurn(store, data, getTurn(turnId), 5);
    expect(store.getState()).toMatchObject({ tab: 'events', selectedEvent: { atMs: 5 } });
  });

  it('shows the first lane by default or if the selected lane is gone, and no turn if nothing was run', () => {
    expect(getInspectedTurn(data, {})).toEqual({ laneId: laneA, turn: getTurn(turnId) });
    expect(getInspectedTurn(data, { laneId: 'gone', turnId: 'gone' }).laneId).toBe(laneA);
    expect(getInspectedTurn(data, { laneId: laneB })).toEqual({ laneId: laneB });
    // A turn of another lane is ignored.
    expect(getInspectedTurn(data, { laneId: laneB, turnId })).toEqual({ laneId: laneB });
  });
});

describe('the tape in the inspector', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('reads a finished tape once and follows a live one until its end', async () => {
    const stored: TapeEntry[] = [{ at: 1, comment: 'a' }];
    let live = true;
    let reads = 0;
    const feed = createTapeFeed(createRun('r', 's', createTestSetup()), {
      recorder: { flush: () => Promise.resolve() },
      library: {
        readTapeFrom: (_, from, limit = Infinity) => {
          reads += 1;
          const entries = stored.slice(from, from + limit);
          return Promise.resolve({ entries, nextSeq: from + entries.length, isEnd: entries.length < limit });
        },
      },
      isLive: () => live,
    });
    feed.follow();
    await vi.advanceTimersByTimeAsync(1);
    expect(feed.state.getState()).toEqual({ count: 1, isLoaded: true });
    expect(feed.getTraceList().events).toHaveLength(1);
    const [list, cursor] = [feed.getTraceList(), feed.getCursor()];
    expect(feed.getTraceList()).toBe(list);
    expect(feed.getCursor()).toBe(cursor);
    stored.push({ at: 2, comment: 'b' });
    await vi.advanceTimersByTimeAsync(400);
    expect(feed.getTraceList().events.map(({ text }) => text)).toEqual(['a', 'b']);
    expect(list.events, 'the list returned earlier is updated').toHaveLength(2);
    expect(cursor.arrivalTimes).toEqual([1, 2]);
    expect(feed.getCursor().arrivalTimes).toEqual([1, 2]);
    stored.push({ at: 3, end: 'closed' });
    live = false;
    await vi.advanceTimersByTimeAsync(400);
    expect(feed.state.getState().count).toBe(3);
    expect(feed.getTraceList().end).toEqual({ at: 3, end: 'closed' });
    const readsAtEnd = reads;
    await vi.advanceTimersByTimeAsync(5000);
    expect(reads).toBe(readsAtEnd);
    feed.stop();
  });

  /** Creates a feed of these entries, to which more may be added later. */
  function createTestFeed(stored: TapeEntry[], isLive: () => boolean) {
    return createTapeFeed(createRun('r', 's', createTestSetup()), {
      recorder: { flush: () => Promise.resolve() },
      library: {
        readTapeFrom: (_, from, limit = Infinity) => {
          const entries = stored.slice(from, from + limit);
          return Promise.resolve({ entries, nextSeq: from + entries.length, isEnd: entries.length < limit });
        },
      },
      isLive,
    });
  }
  const createComments = (count: number): TapeEntry[] =>
    Array.from({ length: count }, (_, index) => ({ at: index, comment: String(index) }));

  it('reads all entries of a tape once, even if the tape is empty or follow is called twice', async () => {
    for (const count of [0, 1, 2, 9]) {
      const feed = createTestFeed(createComments(count), () => false);
      feed.follow();
      feed.follow();
      await vi.advanceTimersByTimeAsync(1);
      expect(feed.state.getState()).toEqual({ count, isLoaded: true });
      expect(feed.entries).toEqual(createComments(count));
    }
  });

  it('reports nothing while no entries arrive or after the feed was stopped', async () => {
    const stored = createComments(2);
    const feed = createTestFeed(stored, () => true);
    feed.follow();
    await vi.advanceTimersByTimeAsync(1);
    const listener = vi.fn<() => void>();
    feed.state.subscribe(listener);
    await vi.advanceTimersByTimeAsync(1000);
    expect(listener).not.toHaveBeenCalled();
    feed.stop();
    stored.push({ at: 9, comment: 'late' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(listener).not.toHaveBeenCalled();

    const stoppedFeed = createTestFeed(createComments(3), () => true);
    stoppedFeed.follow();
    stoppedFeed.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(stoppedFeed.state.getState()).toEqual({ count: 0, isLoaded: false });
  });
});
