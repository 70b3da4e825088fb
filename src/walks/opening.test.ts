/** Opening what an address names: what cannot be read or written, and people who go elsewhere meanwhile. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { sessionCommands } from '../app/commands/session-commands.ts';
import { createPageState } from '../app/page-state.ts';
import { syncRoute } from '../app/sync-route.ts';
import { getAnswerText } from '../conversation/reply/run.ts';
import { encodeShareHash } from '../conversation/setup/share.ts';
import { HistoryScreen } from '../features/history/history-screen.tsx';
import { importSessions } from '../features/playground/files/import-sessions.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createBench, waitForStoreState, type Bench } from '../testing/bench.ts';
import { createGate, createTestSetup, createUserPrompt } from '../testing/builders.ts';
import { getLaneTranscript } from '../testing/conversation-driver.ts';
import { renderMarkup, getTextContent } from '../testing/render-views.tsx';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** A tab in which one question was answered and stored. */
async function createAnsweredBench(): Promise<Bench> {
  const bench = await createBench({ settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' }, path: '/' });
  await bench.actions.sendPrompt(createUserPrompt('Hello'));
  await bench.waitUntilSaved();
  return bench;
}

const listAnswerTexts = (bench: Bench) =>
  Object.values(bench.getOpenSession().runs).map((run) => getAnswerText(run.choices[0]));

describe('an address', () => {
  it('of a session whose answer was interrupted opens it, also where the disk takes nothing', async () => {
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

  it('whose tape cannot be read shows what else is stored, and is told in full once the tape is read', async () => {
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

  it('of a session whose record is damaged says that, and so does the history', async () => {
    const bench = await createAnsweredBench();
    const damagedSession = Object.assign({ ...bench.getOpenSession().session, id: 'broken' }, { title: 5 });
    await bench.records.write([{ store: 'sessions', put: damagedSession }]);
    const nextTab = await bench.openAnotherTab({ path: '/s/broken' });
    expect(nextTab.session.getState()).toMatchObject({
      missingId: 'broken',
      loadError: 'Its record is damaged.',
    });
    expect(await nextTab.library.list()).toHaveLength(1);
    expect(getTextContent(renderMarkup(nextTab, createElement(HistoryScreen)))).toContain(
      'Could not read 1 damaged session. Nothing was deleted.',
    );
  });

  it('of a link that cannot be opened opens what would be open without it, and says why', async () => {
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

  it('whose session cannot be read says so, is not called missing for good, and can be tried again', async () => {
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

  it('that is left while its session is being opened stays left', async () => {
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

  it('goes on opening others after one of them failed in every way', async () => {
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

describe('a name given to a session', () => {
  it('does not take back the end of an answer that comes in the same moment', async () => {
    const gateway = await startScriptedGateway();
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      answer.sendText('Hello');
      await gate.opened;
      answer.sendFinishReason();
      answer.sendDone();
    });
    const bench = await createBench({ url: gateway.url, path: '/' });
    const sendPromise = bench.actions.sendPrompt(createUserPrompt('Hi'));
    await waitUntil(() => listAnswerTexts(bench).includes('Hello'));
    const renamePromise = bench.actions.renameSession('Mine');
    gate.open();
    await Promise.all([sendPromise, renamePromise]);
    await bench.waitUntilSaved();
    const { id } = bench.getOpenSession().session;
    const reopenedBench = await bench.reopen({ path: `/s/${id}` });
    expect(reopenedBench.getOpenSession().session).toEqual(bench.getOpenSession().session);
    expect(reopenedBench.getOpenSession().session).toMatchObject({ title: 'Mine', titled: true });
    await gateway.close();
  });
});

/** A tab on an answered question, which stores nothing from now on until it is let. */
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

/** The session on screen as a file. */
async function exportFile(bench: Bench): Promise<File> {
  const file = await bench.sessionFiles.exporter.buildJson(bench.getOpenSession().session.id);
  return new File(file?.pieces ?? [], 'file.json', { type: 'application/json' });
}

describe('what takes a while', () => {
  it.each<[string, (bench: Bench, file: File) => unknown]>([
    ['a new session', ({ actions }) => actions.createSession()],
    [
      'a copy',
      (playground) =>
        sessionCommands
          .find(({ id }) => id === 'duplicate-session')
          ?.run({ playground, pageState: createPageState(), announce: () => undefined }),
    ],
    ['an import', (bench, file) => importSessions(bench, file)],
    [
      'a link',
      (bench) => bench.openSharedSetup(encodeShareHash({ setups: [createTestSetup()], draft: 'Hi' })),
    ],
  ])('takes nobody back who has gone elsewhere: %s', async (_, startAction) => {
    const { nextTab, resumeWrites } = await createPausedBench();
    const { id } = nextTab.getOpenSession().session;
    const pendingAction = startAction(nextTab, await exportFile(nextTab));
    nextTab.router.navigate({ screen: 'page', path: '/history' });
    resumeWrites();
    await pendingAction;
    expect(nextTab.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(nextTab.tab.visitedPaths).toEqual([`/s/${id}`, '/history']);
  });

  it('takes nobody to a new session who has opened another, and else has it ready in the playground', async () => {
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

  it('takes nobody back who has gone elsewhere: a branch waits in the history', async () => {
    const { nextTab, resumeWrites } = await createPausedBench();
    const [turnId = ''] = Object.keys(nextTab.getOpenSession().turns);
    const branchPromise = nextTab.actions.branchToSession(turnId);
    nextTab.router.navigate({ screen: 'page', path: '/history' });
    resumeWrites();
    const branchId = await branchPromise;
    expect(nextTab.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect((await nextTab.library.list()).map(({ id }) => id)).toContain(branchId);
  });

  it('and fails in the end is not a secret: a session that could not be removed is in the list again', async () => {
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
