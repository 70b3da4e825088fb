/** A browser whose storage answers late, never, or without what was in it: the page goes on, and nothing made is lost. */
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { StorageBanners } from '../app/banners.tsx';
import { usePreloadChunks } from '../app/page/use-preload-chunks.ts';
import { HistoryScreen } from '../features/history/history-screen.tsx';
import { openStorage, type Storage } from '../state/storage.ts';
import { openRecordStore } from '../storage/db.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { aBench, whenTrue, type Bench } from '../testing/bench.ts';
import { aBrowser } from '../testing/browser.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, runOf, talkIn } from '../testing/conversation-driver.ts';
import { drawnReplies, markupOf, readHook, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const patienceMs = 3000;

function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** What the strips about the storage say. */
const bannerOf = (bench: Bench) => wordsIn(markupOf(bench, createElement(StorageBanners)));
/** What the history says where nothing is listed. */
const emptyHistoryOf = (bench: Bench) => {
  const queries = new QueryClient({ defaultOptions: { queries: { initialData: [] } } });
  return wordsIn(markupOf(bench, createElement(HistoryScreen), queries));
};
const titlesOf = async (bench: Bench) => (await bench.library.list()).map(({ title }) => title).toSorted();
const answerOf = (bench: Bench) => talkIn(bench).at(-1)?.[1];

/** A tab whose database opens when it is let, in a browser in which one question was stored before. */
async function aLateBench(change: (records: RecordStore) => RecordStore = (records) => records) {
  const { bench: before, gateway } = await aTalk();
  await ask(before, 'Stored before');
  await before.saved();
  const stored = before.current().session.id;
  before.tab.kill();
  const gate = aGate();
  const { browser } = before;
  stopTimers();
  const storage = openStorage(async (events) => {
    await gate.opened;
    return change(await openRecordStore(events, browser.databaseName));
  });
  vi.advanceTimersByTime(patienceMs);
  await storage.whenUsable;
  vi.useRealTimers();
  const bench = await before.another({ records: storage.records, storage: storage.state, path: '/' });
  return { bench, gateway, stored, letOpen: gate.open, isOpen: () => opened(storage) };
}

const opened = ({ state }: Pick<Storage, 'state'>) => whenTrue(state, ({ mode }) => mode !== 'opening');

describe('a database that opens late', () => {
  it('keeps nobody from working after three seconds, and gets what was made meanwhile', async () => {
    const { bench, stored, letOpen, isOpen } = await aLateBench();
    expect(bannerOf(bench)).toContain('Still opening your stored sessions.');
    await ask(bench, 'Made meanwhile');
    expect(answerOf(bench)).toBe('Answer 2');
    const { id } = bench.current().session;
    expect(await titlesOf(bench)).toEqual(['Made meanwhile']);
    expect(emptyHistoryOf(bench)).toContain('Only new sessions are listed');
    expect(emptyHistoryOf(bench)).not.toContain('No sessions yet');
    const { count } = bench.library.changes.getState();
    const scanned = async (most: number) => (await bench.records.scan('sessions', most)).length;
    expect(await scanned(5)).toBe(1);
    letOpen();
    await isOpen();
    expect([await scanned(5), await scanned(1)]).toEqual([2, 1]);
    expect(bench.library.changes.getState().count).toBeGreaterThan(count);
    expect(await titlesOf(bench)).toEqual(['Made meanwhile', 'Stored before']);
    expect(bench.current().session.id).toBe(id);
    expect(bannerOf(bench)).toBe('');
    expect(emptyHistoryOf(bench)).toContain('No sessions yet');
    await ask(bench, 'And after');
    const next = await bench.reopened({ path: `/s/${id}` });
    expect(talkIn(next)).toEqual([
      ['Made meanwhile', 'Answer 2'],
      ['And after', 'Answer 3'],
    ]);
    expect(await next.library.readTape(runOf(next).id)).not.toEqual([]);
    expect((await next.library.load(stored))?.data.session.title).toBe('Stored before');
  });

  it('is told also where it keeps the session of the address back, which nothing else waits for', async () => {
    const late = await aLateBench();
    const { bench: inTime } = await aTalk();
    for (const { session } of [late.bench, inTime]) {
      expect(session.getState().missingId).toBeUndefined();
      session.setState({ currentId: undefined });
    }
    expect(readHook(late.bench, usePreloadChunks)).toBe(true);
    expect(readHook(inTime, usePreloadChunks)).toBe(false);
  });

  it('shows the session that the address names once it is there, unless another was opened meanwhile', async () => {
    const { bench, stored, letOpen, isOpen } = await aLateBench();
    bench.tab.visit(`/s/${stored}`);
    await bench.actions.createSession();
    bench.tab.visit('/history');
    bench.tab.visit(`/s/${stored}`);
    letOpen();
    await isOpen();
    await whenTrue(bench.session, ({ currentId }) => currentId === stored);
    expect(talkIn(bench)).toEqual([['Stored before', 'Answer 1']]);

    const other = await aLateBench();
    other.bench.tab.visit(`/s/${other.stored}`);
    await ask(other.bench, 'Not to be replaced');
    const made = other.bench.current().session.id;
    other.bench.router.navigate({ screen: 'playground', sessionId: made });
    other.letOpen();
    await other.isOpen();
    await other.bench.library.load(other.stored);
    expect(other.bench.current().session.id).toBe(made);
    expect(other.bench.session.getState().missingId).toBeUndefined();
  });

  it('goes back and forth between sessions that were made meanwhile', async () => {
    const { bench } = await aLateBench();
    await ask(bench, 'One');
    const one = bench.current().session.id;
    await bench.actions.createSession();
    await ask(bench, 'Two');
    bench.tab.visit(`/s/${one}`);
    await whenTrue(bench.session, ({ currentId }) => currentId === one);
    expect(talkIn(bench)).toEqual([['One', 'Answer 2']]);
    expect(await bench.library.readTape(runOf(bench).id)).not.toEqual([]);
    expect(await titlesOf(bench)).toEqual(['One', 'Two']);
  });

  it('that is full when it opens keeps what was made in the tab, and takes it when it can', async () => {
    let isFull = true;
    const { bench, letOpen, isOpen } = await aLateBench((records) => ({
      ...records,
      write: (...asked) =>
        isFull ? Promise.reject(new DOMException('', 'QuotaExceededError')) : records.write(...asked),
    }));
    await ask(bench, 'Made meanwhile');
    letOpen();
    await isOpen();
    expect(await titlesOf(bench)).toEqual(['Made meanwhile', 'Stored before']);
    isFull = false;
    await ask(bench, 'And after');
    await bench.saved();
    const next = await bench.reopened({ path: `/s/${bench.current().session.id}` });
    expect(talkIn(next).map(([said]) => said)).toEqual(['Made meanwhile', 'And after']);
  });

  it('that is refused in the end leaves what was made in the tab, and says so', async () => {
    const { bench, letOpen, isOpen } = await aLateBench(() => {
      throw new DOMException('', 'SecurityError');
    });
    await ask(bench, 'Made meanwhile');
    letOpen();
    await isOpen();
    expect(bannerOf(bench)).toContain('Storage is blocked in this browser.');
    expect(talkIn(bench)).toEqual([['Made meanwhile', 'Answer 2']]);
    expect(await titlesOf(bench)).toEqual(['Made meanwhile']);
  });

  it('because an older Bench holds it in another tab is told as that', async () => {
    const storage = openStorage(async ({ onBlocked }) => {
      onBlocked?.();
      return new Promise<never>(() => undefined);
    });
    const bench = await aBench({ records: storage.records, storage: storage.state, path: '/' });
    expect(bannerOf(bench)).toContain('An older version of Bench is open in another tab.');
    expect(bannerOf(bench)).not.toContain('Still opening');
  });
});

describe('a database that opens and then does not answer', () => {
  async function aSilentBench(path: (stored: string) => string) {
    const { bench: before } = await aTalk();
    await ask(before, 'Stored before');
    await before.saved();
    const stored = before.current().session.id;
    const gate = aGate();
    const { records } = before;
    const silent: RecordStore = {
      ...records,
      readSession: async (id) => {
        await gate.opened;
        return records.readSession(id);
      },
    };
    stopTimers();
    const opening = before.another({ records: silent, path: path(stored) });
    await vi.advanceTimersByTimeAsync(patienceMs);
    vi.useRealTimers();
    return { bench: await opening, stored, letAnswer: gate.open };
  }

  it('opens a new session after three seconds and says so; an answer that comes later changes nothing', async () => {
    const { bench, stored, letAnswer } = await aSilentBench(() => '/');
    const { id } = bench.current().session;
    expect(id).not.toBe(stored);
    await whenTrue(bench.notices, ({ notice }) => notice !== undefined);
    expect(bench.notices.getState().notice).toMatchObject({
      severity: 'problem',
      text: expect.stringContaining('Could not open the last session: It has not answered yet.'),
    });
    letAnswer();
    await bench.library.load(stored);
    expect(bench.current().session.id).toBe(id);
  });

  it('keeps nobody from working who came by a link that cannot be read', async () => {
    const { bench, stored } = await aSilentBench(() => '/#setup=nothing');
    expect(bench.current().session.id).not.toBe(stored);
    await whenTrue(
      bench.notices,
      ({ notice }) => notice?.text.startsWith('This link cannot be read.') ?? false,
    );
  });

  it('is told at the address of a session, which is shown once it is there', async () => {
    const { bench, stored, letAnswer } = await aSilentBench((id) => `/s/${id}`);
    expect(bench.session.getState()).toMatchObject({
      missingId: stored,
      loadError: 'It has not answered yet.',
    });
    letAnswer();
    await whenTrue(bench.session, ({ currentId }) => currentId === stored);
    expect(talkIn(bench)).toEqual([['Stored before', 'Answer 1']]);
    expect(bench.session.getState().loadError).toBeUndefined();
  });
});

/** A tab whose writes stand still while they are held. */
async function aSlowBench() {
  const browser = aBrowser();
  const inner = await browser.openRecords();
  let gate: ReturnType<typeof aGate> | undefined;
  const records: RecordStore = {
    ...inner,
    write: async (...asked) => {
      await gate?.opened;
      await inner.write(...asked);
    },
  };
  const talk = await aTalk(undefined, { browser, records });
  await talk.bench.saved();
  return {
    ...talk,
    hold: () => {
      gate = aGate();
      return gate.open;
    },
  };
}

/** Says something, and lets the browser take too long to store it. */
async function slowly(bench: Bench, text: string): Promise<{ asked: Promise<void> }> {
  stopTimers();
  const asked = ask(bench, text);
  await vi.advanceTimersByTimeAsync(patienceMs - 1);
  expect(bench.heldRuns.heldRunIds.getState()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await whenTrue(bench.heldRuns.heldRunIds, (held) => held.length === bench.current().session.laneIds.length);
  return { asked };
}

describe('a prompt that the browser does not get stored', () => {
  const heldWords = 'Waiting for this browser to save your message';

  it('holds its request back, in view, until it is stored', async () => {
    const { bench, gateway, hold } = await aSlowBench();
    const letGo = hold();
    const { asked } = await slowly(bench, 'Hello');
    expect(drawnReplies(bench)[0]?.words).toContain(heldWords);
    expect(drawnReplies(bench)[0]?.words).toContain('Send without saving');
    expect(gateway.posts).toHaveLength(0);
    letGo();
    await asked;
    expect(answerOf(bench)).toBe('Answer 1');
    expect(bench.heldRuns.heldRunIds.getState()).toEqual([]);
    expect(bannerOf(bench)).toBe('');
  });

  it('goes out without being stored when asked to, in every lane, and is stored later', async () => {
    const { bench, gateway, hold } = await aSlowBench();
    bench.actions.addLane();
    await bench.saved();
    const letGo = hold();
    const { asked } = await slowly(bench, 'Hello');
    expect(gateway.posts).toHaveLength(0);
    expect(bench.heldRuns.heldRunIds.getState()).toHaveLength(2);
    bench.heldRuns.sendWithoutSaving();
    await asked;
    expect(gateway.posts).toHaveLength(2);
    expect(answerOf(bench)).toMatch(/Answer/);
    expect(bannerOf(bench)).toContain('This browser is slow to save changes.');
    letGo();
    await bench.saved();
    const next = await bench.reopened({ path: `/s/${bench.current().session.id}` });
    expect(talkIn(next)).toEqual(talkIn(bench));
  });

  it('can be stopped without having been sent', async () => {
    const { bench, gateway, hold } = await aSlowBench();
    hold();
    const { asked } = await slowly(bench, 'Hello');
    await bench.actions.stop();
    await asked;
    expect(runOf(bench).phase.name).toBe('stopped');
    expect(gateway.posts).toHaveLength(0);
    expect(bench.heldRuns.heldRunIds.getState()).toEqual([]);
  });

  it('keeps nobody from opening another session and coming back', async () => {
    const { bench, hold } = await aSlowBench();
    const { id } = bench.current().session;
    hold();
    const { asked } = await slowly(bench, 'Hello');
    await bench.actions.createSession();
    expect(bench.current().session.id).not.toBe(id);
    bench.heldRuns.sendWithoutSaving();
    await asked;
    bench.tab.visit(`/s/${id}`);
    await whenTrue(bench.session, ({ currentId }) => currentId === id);
    expect(talkIn(bench)).toEqual([['Hello', 'Answer 1']]);
  });
});

/** A tab in the middle of an answer, with storage of which it is told what happens to it. */
async function aStreamingBench() {
  const browser = aBrowser();
  const storage = openStorage((events) => openRecordStore(events, browser.databaseName));
  await storage.whenUsable;
  const gate = aGate();
  const { bench } = await aTalk(
    async (answer) => {
      answer.text('One two');
      await gate.opened;
      answer.whole(' three');
    },
    { browser, records: storage.records, storage: storage.state },
  );
  const asked = ask(bench, 'Count');
  await until(() => answerOf(bench) === 'One two');
  await bench.saved();
  return { bench, asked, letGo: gate.open };
}

function deleteDatabase(bench: Bench): Promise<void> {
  return new Promise((resolve) => {
    const deleting = indexedDB.deleteDatabase(bench.browser.databaseName);
    deleting.addEventListener('success', () => resolve());
  });
}

describe('a database that is deleted while it is used', () => {
  it('is told as deleted; what is on screen stays, goes on and is stored again', async () => {
    const { bench, asked, letGo } = await aStreamingBench();
    await deleteDatabase(bench);
    expect(bannerOf(bench)).toContain('data in this browser was deleted.');
    expect(bannerOf(bench)).toContain('Save this session as a file');
    expect(bannerOf(bench)).not.toContain('newer Bench');
    expect(answerOf(bench)).toBe('One two');
    letGo();
    await asked;
    await bench.saved();
    const next = await bench.reopened({ path: `/s/${bench.current().session.id}` });
    expect(talkIn(next)).toEqual([['Count', 'One two three']]);
  });

  it('is noticed also where the browser only closed the connection', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const { bench, asked, letGo } = await aStreamingBench();
    for (const connection of transaction.mock.contexts)
      if (connection instanceof IDBDatabase && connection.name === bench.browser.databaseName)
        connection.close();
    await deleteDatabase(bench);
    expect(bannerOf(bench)).toBe('');
    letGo();
    await asked;
    await bench.saved();
    expect(bannerOf(bench)).toContain('data in this browser was deleted.');
    const next = await bench.reopened({ path: `/s/${bench.current().session.id}` });
    expect(talkIn(next)).toEqual([['Count', 'One two three']]);
  });

  it('twice is told twice, and the session can be saved as a file in between', async () => {
    const { bench, asked, letGo } = await aStreamingBench();
    letGo();
    await asked;
    for (const round of [1, 2]) {
      await deleteDatabase(bench);
      await bench.saved();
      expect(bench.storage.getState().deletionCount).toBe(round);
    }
    const exporter = bench.sessionFiles.exporter;
    const file = await exporter.buildJson(bench.current().session.id);
    expect(file?.pieces.join('')).toContain('One two three');
  });

  it('is not what a newer Bench in another tab does', async () => {
    const { bench, letGo, asked } = await aStreamingBench();
    const newer = indexedDB.open(bench.browser.databaseName, 99);
    await new Promise<void>((resolve) => newer.addEventListener('success', () => resolve()));
    expect(bannerOf(bench)).toContain('A newer version of Bench is open in another tab.');
    expect(bannerOf(bench)).not.toContain('deleted');
    letGo();
    await asked;
    expect(answerOf(bench)).toBe('One two three');
    newer.result.close();
  });
});
