/**
 * Tests browser storage that responds late, never responds or has lost its data: the page stays usable and nothing is
 * lost.
 */
import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { StorageBanners } from '../app/banners.tsx';
import { usePreloadChunks } from '../app/page/use-preload-chunks.ts';
import { HistoryScreen } from '../features/history/history-screen.tsx';
import { openStorage, type BrowserStorage } from '../state/storage.ts';
import { openRecordStore } from '../storage/db.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createBench, waitForStoreState, type Bench } from '../testing/bench.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { createGate } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getTurnRun,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { renderText, readHook } from '../testing/render-with-playground.tsx';
import { createPausedAnswer } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

afterEach(() => {
  vi.useRealTimers();
});

const timeoutMs = 3000;

function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** Returns the text of the storage notices. */
const renderBanners = (bench: Bench) => renderText(bench, <StorageBanners />);
/** Returns the text of an empty history. */
const renderEmptyHistory = (bench: Bench) => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { initialData: [] } } });
  return renderText(bench, <HistoryScreen />, queryClient);
};
const listTitles = async (bench: Bench) => (await bench.library.list()).map(({ title }) => title).toSorted();
const getLastAnswer = (bench: Bench) => getLaneTranscript(bench).at(-1)?.[1];

/** Creates a tab whose database opens only when `finishOpening` is called, in a browser with one stored answer. */
async function createLateBench(change: (records: RecordStore) => RecordStore = (records) => records) {
  const { bench: firstBench, gateway } = await createConversation();
  await sendAndWait(firstBench, 'Stored before');
  await firstBench.waitUntilSaved();
  const storedId = firstBench.getOpenSession().session.id;
  firstBench.tab.kill();
  const gate = createGate();
  const { browser } = firstBench;
  stopTimers();
  const storage = openStorage(async (events) => {
    await gate.opened;
    return change(await openRecordStore(events, browser.databaseName));
  });
  vi.advanceTimersByTime(timeoutMs);
  await storage.whenUsable;
  vi.useRealTimers();
  const bench = await firstBench.openAnotherTab({
    records: storage.records,
    storage: storage.state,
    path: '/',
  });
  return { bench, gateway, storedId, finishOpening: gate.open, waitForOpen: () => waitUntilOpen(storage) };
}

const waitUntilOpen = ({ state }: Pick<BrowserStorage, 'state'>) =>
  waitForStoreState(state, ({ mode }) => mode !== 'opening');

describe('database that opens late', () => {
  it('lets the user work after 3 s and stores the new sessions when the database opens', async () => {
    const { bench, storedId, finishOpening, waitForOpen } = await createLateBench();
    expect(renderBanners(bench)).toContain('Still opening your stored sessions.');
    await sendAndWait(bench, 'Made meanwhile');
    expect(getLastAnswer(bench)).toBe('Answer 2');
    const { id } = bench.getOpenSession().session;
    expect(await listTitles(bench)).toEqual(['Made meanwhile']);
    expect(renderEmptyHistory(bench)).toContain('Only new ones are listed so far');
    expect(renderEmptyHistory(bench)).not.toContain('No sessions yet');
    const { count } = bench.library.changes.getState();
    const countScanned = async (maxCount: number) => (await bench.records.scan('sessions', maxCount)).length;
    expect(await countScanned(5)).toBe(1);
    finishOpening();
    await waitForOpen();
    expect([await countScanned(5), await countScanned(1)]).toEqual([2, 1]);
    expect(bench.library.changes.getState().count).toBeGreaterThan(count);
    expect(await listTitles(bench)).toEqual(['Made meanwhile', 'Stored before']);
    expect(bench.getOpenSession().session.id).toBe(id);
    expect(renderBanners(bench)).toBe('');
    expect(renderEmptyHistory(bench)).toContain('No sessions yet');
    await sendAndWait(bench, 'And after');
    const reopenedBench = await bench.reopen({ path: `/s/${id}` });
    expect(getLaneTranscript(reopenedBench)).toEqual([
      ['Made meanwhile', 'Answer 2'],
      ['And after', 'Answer 3'],
    ]);
    expect(await reopenedBench.library.readTape(getTurnRun(reopenedBench).id)).not.toEqual([]);
    expect((await reopenedBench.library.load(storedId))?.data.session.title).toBe('Stored before');
  });

  it('preloads code only while a late database delays the session in the URL', async () => {
    const lateTab = await createLateBench();
    const { bench: onTimeBench } = await createConversation();
    for (const { session } of [lateTab.bench, onTimeBench]) {
      expect(session.getState().missingId).toBeUndefined();
      session.setState({ currentId: undefined });
    }
    expect(readHook(lateTab.bench, usePreloadChunks)).toBe(true);
    expect(readHook(onTimeBench, usePreloadChunks)).toBe(false);
  });

  it('shows the session in the URL when the database opens, unless another was opened meanwhile', async () => {
    const { bench, storedId, finishOpening, waitForOpen } = await createLateBench();
    bench.tab.visit(`/s/${storedId}`);
    await bench.actions.createSession();
    bench.tab.visit('/history');
    bench.tab.visit(`/s/${storedId}`);
    finishOpening();
    await waitForOpen();
    await waitForStoreState(bench.session, ({ currentId }) => currentId === storedId);
    expect(getLaneTranscript(bench)).toEqual([['Stored before', 'Answer 1']]);

    const otherLateTab = await createLateBench();
    otherLateTab.bench.tab.visit(`/s/${otherLateTab.storedId}`);
    await sendAndWait(otherLateTab.bench, 'Not to be replaced');
    const newSessionId = otherLateTab.bench.getOpenSession().session.id;
    otherLateTab.bench.router.navigate({ screen: 'playground', sessionId: newSessionId });
    otherLateTab.finishOpening();
    await otherLateTab.waitForOpen();
    await otherLateTab.bench.library.load(otherLateTab.storedId);
    expect(otherLateTab.bench.getOpenSession().session.id).toBe(newSessionId);
    expect(otherLateTab.bench.session.getState().missingId).toBeUndefined();
  });

  it('navigates between sessions created before the database opens', async () => {
    const { bench } = await createLateBench();
    await sendAndWait(bench, 'One');
    const firstSessionId = bench.getOpenSession().session.id;
    await bench.actions.createSession();
    await sendAndWait(bench, 'Two');
    bench.tab.visit(`/s/${firstSessionId}`);
    await waitForStoreState(bench.session, ({ currentId }) => currentId === firstSessionId);
    expect(getLaneTranscript(bench)).toEqual([['One', 'Answer 2']]);
    expect(await bench.library.readTape(getTurnRun(bench).id)).not.toEqual([]);
    expect(await listTitles(bench)).toEqual(['One', 'Two']);
  });

  it('keeps new sessions in the tab if the database is full, and stores them when there is space', async () => {
    let isFull = true;
    const { bench, finishOpening, waitForOpen } = await createLateBench((records) => ({
      ...records,
      write: (...args) =>
        isFull ? Promise.reject(new DOMException('', 'QuotaExceededError')) : records.write(...args),
    }));
    await sendAndWait(bench, 'Made meanwhile');
    finishOpening();
    await waitForOpen();
    expect(await listTitles(bench)).toEqual(['Made meanwhile', 'Stored before']);
    isFull = false;
    await sendAndWait(bench, 'And after');
    await bench.waitUntilSaved();
    const reopenedBench = await bench.reopen({ path: `/s/${bench.getOpenSession().session.id}` });
    expect(getLaneTranscript(reopenedBench).map(([prompt]) => prompt)).toEqual([
      'Made meanwhile',
      'And after',
    ]);
  });

  it('keeps new sessions in the tab and reports a blocked database', async () => {
    const { bench, finishOpening, waitForOpen } = await createLateBench(() => {
      throw new DOMException('', 'SecurityError');
    });
    await sendAndWait(bench, 'Made meanwhile');
    finishOpening();
    await waitForOpen();
    expect(renderBanners(bench)).toContain('Storage is blocked in this browser.');
    expect(getLaneTranscript(bench)).toEqual([['Made meanwhile', 'Answer 2']]);
    expect(await listTitles(bench)).toEqual(['Made meanwhile']);
  });

  it('reports an older Bench in another tab that blocks the database', async () => {
    const storage = openStorage(async ({ onBlocked }) => {
      onBlocked?.();
      return new Promise<never>(() => undefined);
    });
    const bench = await createBench({ records: storage.records, storage: storage.state, path: '/' });
    expect(renderBanners(bench)).toContain('An older version of Bench is open in another tab.');
    expect(renderBanners(bench)).not.toContain('Still opening');
  });
});

describe('database that opens but does not respond', () => {
  async function createSilentBench(path: (storedId: string) => string) {
    const { bench: firstBench } = await createConversation();
    await sendAndWait(firstBench, 'Stored before');
    await firstBench.waitUntilSaved();
    const storedId = firstBench.getOpenSession().session.id;
    const [readGate, gate] = [createGate(), createGate()];
    const { records } = firstBench;
    const silentRecords: RecordStore = {
      ...records,
      readSession: async (id) => {
        readGate.open();
        await gate.opened;
        return records.readSession(id);
      },
    };
    stopTimers();
    const openPromise = firstBench.openAnotherTab({ records: silentRecords, path: path(storedId) });
    // The tab reads the session, and thereby starts the timeout, after the first response of its server.
    await readGate.opened;
    await vi.advanceTimersByTimeAsync(timeoutMs);
    vi.useRealTimers();
    return { bench: await openPromise, storedId, resumeReads: gate.open };
  }

  it('opens a new session after 3 s with a notice and ignores a later database response', async () => {
    const { bench, storedId, resumeReads } = await createSilentBench(() => '/');
    const { id } = bench.getOpenSession().session;
    expect(id).not.toBe(storedId);
    await waitForStoreState(bench.notices, ({ notice }) => notice !== undefined);
    expect(bench.notices.getState().notice).toMatchObject({
      severity: 'problem',
      text: expect.stringContaining('Could not open the last session: Browser storage timed out.'),
    });
    resumeReads();
    await bench.library.load(storedId);
    expect(bench.getOpenSession().session.id).toBe(id);
  });

  it('lets the user work after an unreadable link while the database does not respond', async () => {
    const { bench, storedId } = await createSilentBench(() => '/#setup=nothing');
    expect(bench.getOpenSession().session.id).not.toBe(storedId);
    await waitForStoreState(
      bench.notices,
      ({ notice }) => notice?.text.startsWith('This link cannot be read.') ?? false,
    );
  });

  it("reports the delay at a session's URL and shows the session as soon as it loads", async () => {
    const { bench, storedId, resumeReads } = await createSilentBench((id) => `/s/${id}`);
    expect(bench.session.getState()).toMatchObject({
      missingId: storedId,
      loadError: 'Browser storage timed out.',
    });
    resumeReads();
    await waitForStoreState(bench.session, ({ currentId }) => currentId === storedId);
    expect(getLaneTranscript(bench)).toEqual([['Stored before', 'Answer 1']]);
    expect(bench.session.getState().loadError).toBeUndefined();
  });
});

/** Creates a tab whose writes can be paused. */
async function createSlowBench() {
  const browser = createTestBrowser();
  const innerRecords = await browser.openRecords();
  let gate: ReturnType<typeof createGate> | undefined;
  const records: RecordStore = {
    ...innerRecords,
    write: async (...args) => {
      await gate?.opened;
      await innerRecords.write(...args);
    },
  };
  const conversation = await createConversation(undefined, { browser, records });
  await conversation.bench.waitUntilSaved();
  return {
    ...conversation,
    pauseWrites: () => {
      gate = createGate();
      return gate.open;
    },
  };
}

/** Sends a prompt; storing it takes longer than the timeout. */
async function sendSlowly(bench: Bench, text: string): Promise<{ sendPromise: Promise<void> }> {
  stopTimers();
  const sendPromise = sendAndWait(bench, text);
  await vi.advanceTimersByTimeAsync(timeoutMs - 1);
  expect(bench.heldRuns.heldRunIds.getState()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await waitForStoreState(
    bench.heldRuns.heldRunIds,
    (pending) => pending.length === bench.getOpenSession().session.laneIds.length,
  );
  return { sendPromise };
}

describe('prompt that the browser stores slowly', () => {
  const pendingMessage = 'Saving your message';

  it('delays the request visibly until the prompt is stored', async () => {
    const { bench, gateway, pauseWrites } = await createSlowBench();
    const resumeWrites = pauseWrites();
    const { sendPromise } = await sendSlowly(bench, 'Hello');
    expect(renderReplies(bench)[0]?.text).toContain(pendingMessage);
    expect(renderReplies(bench)[0]?.text).toContain('Send without saving');
    expect(gateway.posts).toHaveLength(0);
    resumeWrites();
    await sendPromise;
    expect(getLastAnswer(bench)).toBe('Answer 1');
    expect(bench.heldRuns.heldRunIds.getState()).toEqual([]);
    expect(renderBanners(bench)).toBe('');
  });

  it('sends unsaved prompts of all lanes on request and stores them later', async () => {
    const { bench, gateway, pauseWrites } = await createSlowBench();
    bench.actions.addLane();
    await bench.waitUntilSaved();
    const resumeWrites = pauseWrites();
    const { sendPromise } = await sendSlowly(bench, 'Hello');
    expect(gateway.posts).toHaveLength(0);
    expect(bench.heldRuns.heldRunIds.getState()).toHaveLength(2);
    bench.heldRuns.sendWithoutSaving();
    await sendPromise;
    expect(gateway.posts).toHaveLength(2);
    expect(getLastAnswer(bench)).toMatch(/Answer/);
    expect(renderBanners(bench)).toContain('Saving is slow in this browser.');
    resumeWrites();
    await bench.waitUntilSaved();
    const reopenedBench = await bench.reopen({ path: `/s/${bench.getOpenSession().session.id}` });
    expect(getLaneTranscript(reopenedBench)).toEqual(getLaneTranscript(bench));
  });

  it('stops a delayed prompt without sending it', async () => {
    const { bench, gateway, pauseWrites } = await createSlowBench();
    pauseWrites();
    const { sendPromise } = await sendSlowly(bench, 'Hello');
    await bench.actions.stop();
    await sendPromise;
    expect(getTurnRun(bench).phase.name).toBe('stopped');
    expect(gateway.posts).toHaveLength(0);
    expect(bench.heldRuns.heldRunIds.getState()).toEqual([]);
  });

  it('opens another session and returns while a prompt is waiting for storage', async () => {
    const { bench, pauseWrites } = await createSlowBench();
    const { id } = bench.getOpenSession().session;
    pauseWrites();
    const { sendPromise } = await sendSlowly(bench, 'Hello');
    await bench.actions.createSession();
    expect(bench.getOpenSession().session.id).not.toBe(id);
    bench.heldRuns.sendWithoutSaving();
    await sendPromise;
    bench.tab.visit(`/s/${id}`);
    await waitForStoreState(bench.session, ({ currentId }) => currentId === id);
    expect(getLaneTranscript(bench)).toEqual([['Hello', 'Answer 1']]);
  });
});

/** Creates a tab in the middle of an answer, with storage that reports database events. */
async function createStreamingBench() {
  const browser = createTestBrowser();
  const storage = openStorage((events) => openRecordStore(events, browser.databaseName));
  await storage.whenUsable;
  const { script, finish } = createPausedAnswer('One two', ' three');
  const { bench } = await createConversation(script, {
    browser,
    records: storage.records,
    storage: storage.state,
  });
  const sendPromise = sendAndWait(bench, 'Count');
  await waitUntil(() => getLastAnswer(bench) === 'One two');
  await bench.waitUntilSaved();
  return { bench, sendPromise, finishAnswer: finish };
}

function deleteDatabase(bench: Bench): Promise<void> {
  return new Promise((resolve) => {
    const deleteRequest = indexedDB.deleteDatabase(bench.browser.databaseName);
    deleteRequest.addEventListener('success', () => resolve());
  });
}

describe('database deleted while in use', () => {
  it('reports a deleted database, keeps the current session running and stores it again', async () => {
    const { bench, sendPromise, finishAnswer } = await createStreamingBench();
    await deleteDatabase(bench);
    expect(renderBanners(bench)).toContain('data in this browser was deleted.');
    expect(renderBanners(bench)).toContain('Save this session as a file');
    expect(renderBanners(bench)).not.toContain('newer Bench');
    expect(getLastAnswer(bench)).toBe('One two');
    finishAnswer();
    await sendPromise;
    await bench.waitUntilSaved();
    const reopenedBench = await bench.reopen({ path: `/s/${bench.getOpenSession().session.id}` });
    expect(getLaneTranscript(reopenedBench)).toEqual([['Count', 'One two three']]);
  });

  it('detects a deleted database even if the browser only closed the connection', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const { bench, sendPromise, finishAnswer } = await createStreamingBench();
    for (const connection of transaction.mock.contexts)
      if (connection instanceof IDBDatabase && connection.name === bench.browser.databaseName)
        connection.close();
    await deleteDatabase(bench);
    expect(renderBanners(bench)).toBe('');
    finishAnswer();
    await sendPromise;
    await bench.waitUntilSaved();
    expect(renderBanners(bench)).toContain('data in this browser was deleted.');
    const reopenedBench = await bench.reopen({ path: `/s/${bench.getOpenSession().session.id}` });
    expect(getLaneTranscript(reopenedBench)).toEqual([['Count', 'One two three']]);
  });

  it('reports a second database deletion and can export the session in between', async () => {
    const { bench, sendPromise, finishAnswer } = await createStreamingBench();
    finishAnswer();
    await sendPromise;
    for (const round of [1, 2]) {
      await deleteDatabase(bench);
      await bench.waitUntilSaved();
      expect(bench.storage.getState().deletionCount).toBe(round);
    }
    const exporter = bench.sessionFiles.exporter;
    const file = await exporter.buildJson(bench.getOpenSession().session.id);
    expect(file?.pieces.join('')).toContain('One two three');
  });

  it('distinguishes a deleted database from a newer Bench in another tab', async () => {
    const { bench, finishAnswer, sendPromise } = await createStreamingBench();
    const newerRequest = indexedDB.open(bench.browser.databaseName, 99);
    await new Promise<void>((resolve) => newerRequest.addEventListener('success', () => resolve()));
    expect(renderBanners(bench)).toContain('A newer version of Bench is open in another tab.');
    expect(renderBanners(bench)).not.toContain('deleted');
    finishAnswer();
    await sendPromise;
    expect(getLastAnswer(bench)).toBe('One two three');
    newerRequest.result.close();
  });
});
