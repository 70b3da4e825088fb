/** Tests opening URLs when records cannot be read or written, and navigating while they load. */
import { describe, expect, it } from 'vitest';

import { sessionCommands } from '../app/commands/session-commands.ts';
import { createPageState } from '../app/page-state.ts';
import { syncRoute } from '../app/sync-route.ts';
import { getAnswerText } from '../conversation/reply/run.ts';
import { encodeShareHash } from '../conversation/setup/share.ts';
import { HistoryScreen } from '../features/history/history-screen.tsx';
import { importSessions } from '../features/session-files/import-sessions.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createBench, waitForStoreState, type Bench } from '../testing/bench.ts';
import { createGate, createTestSetup, createUserPrompt } from '../testing/builders.ts';
import { getLaneTranscript } from '../testing/conversation-driver.ts';
import { renderText } from '../testing/render-with-playground.tsx';
import { createPausedAnswer, startScriptedGateway } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** Creates a tab with one answered and stored prompt. */
async function createAnsweredBench(): Promise<Bench> {
  const bench = await createBench({ settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' }, path: '/' });
  await bench.actions.sendPrompt(createUserPrompt('Hello'));
  await bench.waitUntilSaved();
  return bench;
}

const listAnswerTexts = (bench: Bench) =>
  Object.values(bench.getOpenSession().runs).map((run) => getAnswerText(run.choices[0]));

describe('URL of a session', () => {
  it('opens a session with an interrupted answer even if storage is full', async () => {
    const gateway = await startScriptedGateway();
    gateway.setChatScript((answer) => answer.sendText('Half an'));
    const bench = await createBench({ url: gateway.url, path: '/' });
    void bench.actions.sendPrompt(createUserPrompt('Hello'));
    await waitUntil(() => listAnswerTexts(bench).includes('Half an'));
    await bench.waitUntilSaved();
    const fullRecords = {
      ...bench.records,
      write: () => Promise.reject(new DOMException('', 'QuotaExceededError')),
    };
    const reopenedBench = await bench.reopen({
      records: fullRecords,
      path: `/s/${bench.getOpenSession().session.id}`,
    });
    expect(reopenedBench.session.getState().missingId).toBeUndefined();
    expect(listAnswerTexts(reopenedBench)).toEqual(['Half an']);
    await gateway.close();
  });

  it('opens a session whose tape is unreadable, and shows its text once the tape can be read', async () => {
    const gateway = await startScriptedGateway();
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      if (gateway.posts.length === 1) return answer.sendAnswer('All of it');
      answer.sendText('Half an');
      return gate.opened;
    });
    const bench = await createBench({ url: gateway.url, path: '/' });
    await bench.actions.sendPrompt(createUserPrompt('Hello'));
    void bench.actions.sendPrompt(createUserPrompt('And?'));
    await waitUntil(() => listAnswerTexts(bench).includes('Half an'));
    await bench.waitUntilSaved();
    const path = `/s/${bench.getOpenSession().session.id}`;
    const records = await bench.browser.openRecords();
    const tapelessRecords = {
      ...records,
      readTape: () => Promise.reject(new Error('The disk does not answer.')),
    };
    const reopenedBench = await bench.reopen({ records: tapelessRecords, path });
    expect(getLaneTranscript(reopenedBench)).toEqual([
      ['Hello', 'All of it'],
      ['And?', ''],
    ]);
    expect(reopenedBench.notices.getState().notice).toEqual({
      severity: 'problem',
      text: 'The recording of 1 interrupted answer could not be read. Reload the page to try again.',
    });
    const recoveredBench = await reopenedBench.reopen({ records, path });
    expect(getLaneTranscript(recoveredBench).at(-1)).toEqual(['And?', 'Half an']);
    gate.open();
    await gateway.close();
  });

  it('reports a damaged session record at its URL and in the history', async () => {
    const bench = await createAnsweredBench();
    const damagedSession = Object.assign({ ...bench.getOpenSession().session, id: 'broken' }, { title: 5 });
    await bench.records.write([{ store: 'sessions', put: damagedSession }]);
    const nextTab = await bench.openAnotherTab({ path: '/s/broken' });
    expect(nextTab.session.getState()).toMatchObject({
      missingId: 'broken',
      loadError: 'Its record is damaged.',
    });
    expect(await nextTab.library.list()).toHaveLength(1);
    expect(renderText(nextTab, <HistoryScreen />)).toContain(
      'Could not read 1 damaged session. Nothing was deleted.',
    );
  });

  it('keeps the current session or screen and explains why a link cannot be opened', async () => {
    const bench = await createAnsweredBench();
    const nextTab = await bench.openAnotherTab();
    let rejectShared: (error: Error) => void = () => undefined;
    const openSharedSetup = () => new Promise<undefined>((_, reject) => (rejectShared = reject));
    syncRoute({ ...nextTab, openSharedSetup });
    await waitForStoreState(nextTab.session, (state) => state.currentId !== undefined);
    const waitForNotice = () => waitForStoreState(nextTab.notices, ({ notice }) => notice !== undefined);
    nextTab.tab.visit('/#setup=one');
    rejectShared(new Error('It broke.'));
    await waitForNotice();
    expect(nextTab.notices.getState().notice).toEqual({
      severity: 'problem',
      text: 'Could not open the setup in the link: It broke.',
    });
    expect(nextTab.getOpenSession().session.id).toBe(bench.getOpenSession().session.id);

    nextTab.notices.setState({ notice: undefined });
    nextTab.tab.visit('/#setup=two');
    nextTab.router.navigate({ screen: 'page', path: '/history' });
    rejectShared(new Error('It broke again.'));
    await waitForNotice();
    expect(nextTab.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
  });

  it('reports an unreadable session with a retry and not as missing', async () => {
    const bench = await createAnsweredBench();
    const { id } = bench.getOpenSession().session;
    let isBroken = true;
    const { records } = bench;
    const brokenRecords = {
      ...records,
      readSession: (sessionId: string) =>
        isBroken ? Promise.reject(new Error('The disk does not answer.')) : records.readSession(sessionId),
    };
    const nextTab = await bench.openAnotherTab({ records: brokenRecords, path: `/s/${id}` });
    expect(nextTab.session.getState()).toMatchObject({
      missingId: id,
      loadError: 'The disk does not answer.',
    });
    isBroken = false;
    await nextTab.actions.openSession(id);
    expect(nextTab.session.getState().loadError).toBeUndefined();
    expect(listAnswerTexts(nextTab)).toEqual(listAnswerTexts(bench));
  });

  it('stays on the history if the user opens the history while a session is loading', async () => {
    const bench = await createAnsweredBench();
    const gate = createGate();
    const { records } = bench;
    let readCount = 0;
    const slowRecords = {
      ...records,
      readSession: async (id: string) => {
        readCount += 1;
        await gate.opened;
        return records.readSession(id);
      },
    };
    const nextTab = await bench.openAnotherTab({ records: slowRecords });
    nextTab.prefs.setState({ lastSessionId: bench.getOpenSession().session.id });
    const openPromise = nextTab.actions.openSession();
    await waitUntil(() => readCount > 0);
    nextTab.router.navigate({ screen: 'page', path: '/history' });
    gate.open();
    await openPromise;
    expect(nextTab.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(nextTab.tab.visitedPaths.at(-1)).toBe('/history');
  });

  it('opens sessions again after every read failed for one of them', async () => {
    const bench = await createAnsweredBench();
    const { id } = bench.getOpenSession().session;
    const { records } = bench;
    let isBroken = false;
    const failingRecords = {
      ...records,
      readSession: (sessionId: string) =>
        isBroken ? Promise.reject(new Error('gone')) : records.readSession(sessionId),
      listSessions: () => (isBroken ? Promise.reject(new Error('gone')) : records.listSessions()),
    };
    const nextTab = await bench.openAnotherTab({ records: failingRecords, path: `/s/${id}` });
    isBroken = true;
    nextTab.tab.visit('/s/another');
    await waitForStoreState(nextTab.session, (state) => state.missingId === 'another');
    isBroken = false;
    nextTab.tab.visit(`/s/${id}`);
    await waitForStoreState(nextTab.session, (state) => state.currentId === id);
    expect(listAnswerTexts(nextTab)).toEqual(listAnswerTexts(bench));
  });
});

describe('renamed session', () => {
  it('keeps the end of an answer that arrives while the session is renamed', async () => {
    const gateway = await startScriptedGateway();
    const { script, finish } = createPausedAnswer('Hello');
    gateway.setChatScript(script);
    const bench = await createBench({ url: gateway.url, path: '/' });
    const sendPromise = bench.actions.sendPrompt(createUserPrompt('Hi'));
    await waitUntil(() => listAnswerTexts(bench).includes('Hello'));
    const renamePromise = bench.actions.renameSession('Mine');
    finish();
    await Promise.all([sendPromise, renamePromise]);
    await bench.waitUntilSaved();
    const { id } = bench.getOpenSession().session;
    const reopenedBench = await bench.reopen({ path: `/s/${id}` });
    expect(reopenedBench.getOpenSession().session).toEqual(bench.getOpenSession().session);
    expect(reopenedBench.getOpenSession().session).toMatchObject({ title: 'Mine', titled: true });
    await gateway.close();
  });
});

/** Creates a tab with an answered prompt whose writes are blocked until `resumeWrites` is called. */
async function createPausedBench(): Promise<{ nextTab: Bench; resumeWrites: () => void }> {
  const bench = await createAnsweredBench();
  const gate = createGate();
  const { records } = bench;
  let isPaused = false;
  const pausedRecords: RecordStore = {
    ...records,
    write: async (...args) => {
      if (isPaused) await gate.opened;
      return records.write(...args);
    },
  };
  const nextTab = await bench.openAnotherTab({
    records: pausedRecords,
    path: `/s/${bench.getOpenSession().session.id}`,
  });
  await nextTab.waitUntilSaved();
  isPaused = true;
  return { nextTab, resumeWrites: gate.open };
}

/** Exports the current session as a file. */
async function exportFile(bench: Bench): Promise<File> {
  const file = await bench.sessionFiles.exporter.buildJson(bench.getOpenSession().session.id);
  return new File(file?.pieces ?? [], 'file.json', { type: 'application/json' });
}

describe('slow action', () => {
  it.each<[string, (bench: Bench, file: File) => unknown]>([
    ['creating a session', ({ actions }) => actions.createSession()],
    [
      'duplicating a session',
      (bench) =>
        sessionCommands
          .find(({ id }) => id === 'duplicate-session')
          ?.run({ ...bench, pageState: createPageState(), announce: () => undefined }),
    ],
    ['importing a file', (bench, file) => importSessions(bench, file)],
    [
      'opening a share link',
      (bench) => bench.openSharedSetup(encodeShareHash({ setups: [createTestSetup()], draft: 'Hi' })),
    ],
  ])('does not navigate back after a slow action if the user has left: %s', async (_, startAction) => {
    const { nextTab, resumeWrites } = await createPausedBench();
    const { id } = nextTab.getOpenSession().session;
    const pendingAction = startAction(nextTab, await exportFile(nextTab));
    nextTab.router.navigate({ screen: 'page', path: '/history' });
    resumeWrites();
    await pendingAction;
    expect(nextTab.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(nextTab.tab.visitedPaths).toEqual([`/s/${id}`, '/history']);
  });

  it('opens a slowly created session only if the user has not opened another one', async () => {
    const { nextTab, resumeWrites } = await createPausedBench();
    const { id } = nextTab.getOpenSession().session;
    const createPromise = nextTab.actions.createSession();
    nextTab.router.navigate({ screen: 'playground', sessionId: id });
    resumeWrites();
    await createPromise;
    expect(nextTab.getOpenSession().session.id).toBe(id);
    const secondCreatePromise = nextTab.actions.createSession();
    nextTab.router.navigate({ screen: 'page', path: '/history' });
    await secondCreatePromise;
    expect(nextTab.getOpenSession().session.id).not.toBe(id);
  });

  it('stores a slow branch in the history without navigating back', async () => {
    const { nextTab, resumeWrites } = await createPausedBench();
    const [turnId = ''] = Object.keys(nextTab.getOpenSession().turns);
    const branchPromise = nextTab.actions.branchToSession(turnId);
    nextTab.router.navigate({ screen: 'page', path: '/history' });
    resumeWrites();
    const branchId = await branchPromise;
    expect(nextTab.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect((await nextTab.library.list()).map(({ id }) => id)).toContain(branchId);
  });

  it('lists a session again if its removal fails', async () => {
    const bench = await createAnsweredBench();
    const { id } = bench.getOpenSession().session;
    const { records } = bench;
    let isBroken = false;
    const failingRecords: typeof records = {
      ...records,
      readSession: (sessionId) =>
        isBroken ? Promise.reject(new Error('gone')) : records.readSession(sessionId),
    };
    const reopenedBench = await bench.reopen({ records: failingRecords, path: `/s/${id}` });
    await reopenedBench.actions.deleteSession(id);
    expect(await reopenedBench.library.list()).toEqual([]);
    isBroken = true;
    const { count } = reopenedBench.library.changes.getState();
    reopenedBench.session.getState().undo?.expire();
    await waitForStoreState(reopenedBench.library.changes, (state) => state.count > count);
    expect((await reopenedBench.library.list()).map((session) => session.id)).toEqual([id]);
  });
});
