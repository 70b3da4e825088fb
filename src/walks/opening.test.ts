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
import { aBench, whenTrue, type Bench } from '../testing/bench.ts';
import { aGate, aSetup, spoken } from '../testing/builders.ts';
import { talkIn } from '../testing/conversation-driver.ts';
import { markupOf, wordsIn } from '../testing/render-views.tsx';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

/** A tab in which one question was answered and stored. */
async function anAnsweredBench(): Promise<Bench> {
  const bench = await aBench({ settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' }, path: '/' });
  await bench.actions.sendPrompt(spoken('Hello'));
  await bench.saved();
  return bench;
}

const shownText = (bench: Bench) =>
  Object.values(bench.current().runs).map((run) => getAnswerText(run.choices[0]));

describe('an address', () => {
  it('of a session whose answer was interrupted opens it, also where the disk takes nothing', async () => {
    const gateway = await startScriptedGateway();
    gateway.onChat((answer) => answer.text('Half an'));
    const bench = await aBench({ url: gateway.url, path: '/' });
    void bench.actions.sendPrompt(spoken('Hello'));
    await until(() => shownText(bench).includes('Half an'));
    await bench.saved();
    const full = {
      ...bench.records,
      write: () => Promise.reject(new DOMException('', 'QuotaExceededError')),
    };
    const next = await bench.reopened({ records: full, path: `/s/${bench.current().session.id}` });
    expect(next.session.getState().missingId).toBeUndefined();
    expect(shownText(next)).toEqual(['Half an']);
    await gateway.close();
  });

  it('whose tape cannot be read shows what else is stored, and is told in full once the tape is read', async () => {
    const gateway = await startScriptedGateway();
    const gate = aGate();
    gateway.onChat(async (answer) => {
      if (gateway.posts.length === 1) return answer.whole('All of it');
      answer.text('Half an');
      return gate.opened;
    });
    const bench = await aBench({ url: gateway.url, path: '/' });
    await bench.actions.sendPrompt(spoken('Hello'));
    void bench.actions.sendPrompt(spoken('And?'));
    await until(() => shownText(bench).includes('Half an'));
    await bench.saved();
    const path = `/s/${bench.current().session.id}`;
    const records = await bench.browser.openRecords();
    const tapeless = { ...records, readTape: () => Promise.reject(new Error('The disk does not answer.')) };
    const next = await bench.reopened({ records: tapeless, path });
    expect(talkIn(next)).toEqual([
      ['Hello', 'All of it'],
      ['And?', ''],
    ]);
    expect(next.notices.getState().notice).toEqual({
      severity: 'problem',
      text: 'The recording of 1 interrupted answer could not be read. Reload the page to try again.',
    });
    const third = await next.reopened({ records, path });
    expect(talkIn(third).at(-1)).toEqual(['And?', 'Half an']);
    gate.open();
    await gateway.close();
  });

  it('of a session whose record is damaged says that, and so does the history', async () => {
    const bench = await anAnsweredBench();
    const broken = Object.assign({ ...bench.current().session, id: 'broken' }, { title: 5 });
    await bench.records.write([{ store: 'sessions', put: broken }]);
    const next = await bench.another({ path: '/s/broken' });
    expect(next.session.getState()).toMatchObject({
      missingId: 'broken',
      loadError: 'Its record is damaged.',
    });
    expect(await next.library.list()).toHaveLength(1);
    expect(wordsIn(markupOf(next, createElement(HistoryScreen)))).toContain(
      'Could not read 1 session: damaged. Nothing was deleted.',
    );
  });

  it('of a link that cannot be opened opens what would be open without it, and says why', async () => {
    const bench = await anAnsweredBench();
    const next = await bench.another();
    let refuse: (error: Error) => void = () => undefined;
    const openShared = () => new Promise<undefined>((_, reject) => (refuse = reject));
    syncRoute({ ...next, openShared });
    await whenTrue(next.session, (state) => state.currentId !== undefined);
    const isTold = () => whenTrue(next.notices, ({ notice }) => notice !== undefined);
    next.tab.visit('/#setup=one');
    refuse(new Error('It broke.'));
    await isTold();
    expect(next.notices.getState().notice).toEqual({
      severity: 'problem',
      text: 'Could not open the setup in the link: It broke.',
    });
    expect(next.current().session.id).toBe(bench.current().session.id);

    next.notices.setState({ notice: undefined });
    next.tab.visit('/#setup=two');
    next.router.navigate({ screen: 'page', path: '/history' });
    refuse(new Error('It broke again.'));
    await isTold();
    expect(next.router.route.getState().route).toEqual({ screen: 'page', path: '/history' });
  });

  it('whose session cannot be read says so, is not called missing for good, and can be tried again', async () => {
    const bench = await anAnsweredBench();
    const { id } = bench.current().session;
    let isBroken = true;
    const { records } = bench;
    const broken = {
      ...records,
      readSession: (asked: string) =>
        isBroken ? Promise.reject(new Error('The disk does not answer.')) : records.readSession(asked),
    };
    const next = await bench.another({ records: broken, path: `/s/${id}` });
    expect(next.session.getState()).toMatchObject({
      missingId: id,
      loadError: 'The disk does not answer.',
    });
    isBroken = false;
    await next.actions.openSession(id);
    expect(next.session.getState().loadError).toBeUndefined();
    expect(shownText(next)).toEqual(shownText(bench));
  });

  it('that is left while its session is being opened stays left', async () => {
    const bench = await anAnsweredBench();
    const gate = aGate();
    const { records } = bench;
    let asked = 0;
    const slow = {
      ...records,
      readSession: async (id: string) => {
        asked += 1;
        await gate.opened;
        return records.readSession(id);
      },
    };
    const next = await bench.another({ records: slow });
    next.prefs.setState({ lastSessionId: bench.current().session.id });
    const opening = next.actions.openSession();
    await until(() => asked > 0);
    next.router.navigate({ screen: 'page', path: '/history' });
    gate.open();
    await opening;
    expect(next.router.route.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(next.tab.visited.at(-1)).toBe('/history');
  });

  it('goes on opening others after one of them failed in every way', async () => {
    const bench = await anAnsweredBench();
    const { id } = bench.current().session;
    const { records } = bench;
    let isBroken = false;
    const failing = {
      ...records,
      readSession: (asked: string) =>
        isBroken ? Promise.reject(new Error('gone')) : records.readSession(asked),
      listSessions: () => (isBroken ? Promise.reject(new Error('gone')) : records.listSessions()),
    };
    const next = await bench.another({ records: failing, path: `/s/${id}` });
    isBroken = true;
    next.tab.visit('/s/another');
    await whenTrue(next.session, (state) => state.missingId === 'another');
    isBroken = false;
    next.tab.visit(`/s/${id}`);
    await whenTrue(next.session, (state) => state.currentId === id);
    expect(shownText(next)).toEqual(shownText(bench));
  });
});

describe('a name given to a session', () => {
  it('does not take back the end of an answer that comes in the same moment', async () => {
    const gateway = await startScriptedGateway();
    const gate = aGate();
    gateway.onChat(async (answer) => {
      answer.text('Hello');
      await gate.opened;
      answer.finish();
      answer.done();
    });
    const bench = await aBench({ url: gateway.url, path: '/' });
    const sending = bench.actions.sendPrompt(spoken('Hi'));
    await until(() => shownText(bench).includes('Hello'));
    const naming = bench.actions.renameSession('Mine');
    gate.open();
    await Promise.all([sending, naming]);
    await bench.saved();
    const { id } = bench.current().session;
    const next = await bench.reopened({ path: `/s/${id}` });
    expect(next.current().session).toEqual(bench.current().session);
    expect(next.current().session).toMatchObject({ title: 'Mine', titled: true });
    await gateway.close();
  });
});

/** A tab on an answered question, which stores nothing from now on until it is let. */
async function aHeldBench(): Promise<{ next: Bench; letGo: () => void }> {
  const bench = await anAnsweredBench();
  const gate = aGate();
  const { records } = bench;
  let isHeld = false;
  const slow: RecordStore = {
    ...records,
    write: async (...asked) => {
      if (isHeld) await gate.opened;
      return records.write(...asked);
    },
  };
  const next = await bench.another({ records: slow, path: `/s/${bench.current().session.id}` });
  await next.saved();
  isHeld = true;
  return { next, letGo: gate.open };
}

/** The session on screen as a file. */
async function fileOf(bench: Bench): Promise<File> {
  const file = await bench.sessionFiles.exporter.buildJson(bench.current().session.id);
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
    ['a link', (bench) => bench.openShared(encodeShareHash({ setups: [aSetup()], draft: 'Hi' }))],
  ])('takes nobody back who has gone elsewhere: %s', async (_, begin) => {
    const { next, letGo } = await aHeldBench();
    const { id } = next.current().session;
    const beginning = begin(next, await fileOf(next));
    next.router.navigate({ screen: 'page', path: '/history' });
    letGo();
    await beginning;
    expect(next.router.route.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(next.tab.visited).toEqual([`/s/${id}`, '/history']);
  });

  it('takes nobody to a new session who has opened another, and else has it ready in the playground', async () => {
    const { next, letGo } = await aHeldBench();
    const { id } = next.current().session;
    const making = next.actions.createSession();
    next.router.navigate({ screen: 'playground', sessionId: id });
    letGo();
    await making;
    expect(next.current().session.id).toBe(id);
    const making2 = next.actions.createSession();
    next.router.navigate({ screen: 'page', path: '/history' });
    await making2;
    expect(next.current().session.id).not.toBe(id);
  });

  it('takes nobody back who has gone elsewhere: a branch waits in the history', async () => {
    const { next, letGo } = await aHeldBench();
    const [turnId = ''] = Object.keys(next.current().turns);
    const branching = next.actions.branchToSession(turnId);
    next.router.navigate({ screen: 'page', path: '/history' });
    letGo();
    const branchId = await branching;
    expect(next.router.route.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect((await next.library.list()).map(({ id }) => id)).toContain(branchId);
  });

  it('and fails in the end is not a secret: a session that could not be removed is in the list again', async () => {
    const bench = await anAnsweredBench();
    const { id } = bench.current().session;
    const { records } = bench;
    let isBroken = false;
    const failing: typeof records = {
      ...records,
      readSession: (asked) => (isBroken ? Promise.reject(new Error('gone')) : records.readSession(asked)),
    };
    const next = await bench.reopened({ records: failing, path: `/s/${id}` });
    await next.actions.deleteSession(id);
    expect(await next.library.list()).toEqual([]);
    isBroken = true;
    const { count } = next.library.changes.getState();
    next.session.getState().undo?.expire();
    await whenTrue(next.library.changes, (state) => state.count > count);
    expect((await next.library.list()).map((session) => session.id)).toEqual([id]);
  });
});
