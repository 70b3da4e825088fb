/** Sessions as a person keeps them: in the history, at their addresses, in files and links, in presets and in two tabs. */
import fc from 'fast-check';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { describeImportError } from '../conversation/files/import-error.ts';
import { summarizeForHistory } from '../conversation/session/edit-session.ts';
import type { Setup } from '../conversation/session/types.ts';
import { pickSetupParts, withPreset } from '../conversation/setup/presets.ts';
import { encodeShareHash } from '../conversation/setup/share.ts';
import { SessionRow } from '../features/history/session-row.tsx';
import { useSessionActions } from '../features/history/use-session-actions.ts';
import { describeSavedFile } from '../features/playground/files/save-session.ts';
import { MissingSession } from '../features/playground/missing-session.tsx';
import { ShareDialog } from '../features/playground/session-bar/share-dialog.tsx';
import type { Bench } from '../testing/bench.ts';
import { aBrowser } from '../testing/browser.ts';
import { aGate } from '../testing/builders.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { aRandomSession } from '../testing/cases/arbitrary-sessions.ts';
import { ask, aTalk, messagesOf, reloaded, runOf, setUp, talkIn } from '../testing/conversation-driver.ts';
import { markupOf, readHook, wordsIn } from '../testing/render-views.tsx';
import { cases } from '../testing/seeds.ts';
import { eventually, until } from '../testing/wait-until.ts';

const keyed = { settings: { GATEWAY_API_KEY: canaryKey } };

function setupOf(bench: Bench, lane = 0): Setup {
  const data = bench.current();
  const setup = data.lanes[data.session.laneIds[lane] ?? '']?.setup;
  if (!setup) throw new Error(`There is no lane ${lane}`);
  return setup;
}

async function titles(bench: Bench): Promise<string[]> {
  await bench.saved();
  return (await bench.library.list()).map(({ title }) => title);
}

/** The text of the file that Export gives: of the session on screen, or of all. */
async function exported(bench: Bench, id?: string): Promise<string> {
  await bench.saved();
  const file = await bench.sessionFiles.exporter.buildJson(id);
  return (file?.pieces ?? []).join('');
}

function aFile(text: string, name = 'file.json'): File {
  return new File([text], name, { type: 'application/json' });
}

/** The same server as another browser sees it. */
function elsewhere(bench: Bench, path: string): Promise<Bench> {
  return bench.another({ browser: aBrowser(), path });
}

describe('the history', () => {
  it('draws a row for whatever a session is, also at the ends of time', async () => {
    const { bench } = await aTalk();
    const actions = readHook(bench, useSessionActions);
    const at = fc.constantFrom(0, -8.64e15, 8.64e15, 1_700_000_000_000.5);
    fc.assert(
      fc.property(aRandomSession, at, at, (data, updatedAt, now) => {
        const session = { ...data.session, updatedAt, summary: summarizeForHistory(data) };
        const state = { matches: undefined, isSelected: false, onSelect: () => undefined };
        const row = createElement(SessionRow, { session, nowMs: now, actions, ...state });
        expect(markupOf(bench, row)).toContain('<tr ');
      }),
      { numRuns: cases(40) },
    );
  });

  it('keeps the end of an answer that comes while the session is renamed in another tab', async () => {
    const answerGate = aGate();
    const { bench } = await aTalk(async (answer) => {
      answer.text('One');
      await answerGate.opened;
      answer.whole(' two');
    });
    const asked = ask(bench, 'Count');
    await until(() => talkIn(bench)[0]?.[1] === 'One');
    await bench.saved();
    const { id } = bench.current().session;
    const writeGate = aGate();
    let isWaiting = false;
    const records = await bench.browser.openRecords();
    const slow: typeof records = {
      ...records,
      write: async (...writes) => {
        isWaiting = true;
        await writeGate.opened;
        return records.write(...writes);
      },
    };
    const other = await bench.another({ records: slow, path: '/history' });
    const renaming = other.actions.renameSession('Mine', id);
    await until(() => isWaiting);
    answerGate.open();
    await asked;
    await bench.saved();
    const { summary, updatedAt } = bench.current().session;
    // Nobody is left who could put it right.
    bench.tab.kill();
    writeGate.open();
    await renaming;
    expect(await bench.records.readRecord('sessions', id)).toMatchObject({
      title: 'Mine',
      titled: true,
      summary,
      updatedAt,
    });
  });

  it('lists a session under its first prompt, and only once it has messages', async () => {
    const { bench } = await aTalk();
    bench.drafts.change(bench.current().session.id, (draft) => ({ ...draft, text: 'only a draft' }));
    expect(await titles(bench)).toEqual([]);
    await ask(bench, '## Which *rivers* cross Vienna?\nPlease list them.');
    await ask(bench, 'Something else');
    expect(await titles(bench)).toEqual(['Which *rivers* cross Vienna?']);
    expect((await bench.library.list())[0]?.summary?.models).toEqual(['demo/guide']);
  });

  it('has both sessions after New session, which starts empty with the same setup', async () => {
    const { bench, gateway } = await aTalk();
    setUp(bench, { model: 'north/two', system: 'Only here', fields: { temperature: '0.4' } });
    await ask(bench, 'First session');
    const [first = ''] = bench.tab.visited.slice(-1);
    await bench.actions.createSession();
    expect(bench.tab.visited.at(-1)).not.toBe(first);
    await ask(bench, 'Second session');
    expect(gateway.posts[1]?.body).toEqual({
      model: 'north/two',
      messages: [{ role: 'user', content: 'Second session' }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.4,
    });
    bench.tab.visit(first);
    await until(() => talkIn(bench)[0]?.[0] === 'First session');
    expect(await titles(bench), 'newest first').toEqual(['Second session', 'First session']);
  });

  it('opens, renames and duplicates, each on its own', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Original');
    const { id } = bench.current().session;
    await bench.actions.renameSession('Renamed');
    await bench.saved();
    await bench.actions.duplicateSession('not there');
    expect(bench.session.getState().currentId).toBe(id);
    await bench.actions.duplicateSession(id);
    expect((await titles(bench)).toSorted()).toEqual(['Renamed', 'Renamed (copy)']);
    await until(() => bench.current().session.title === 'Renamed (copy)');
    expect(talkIn(bench)).toEqual([['Original', 'Answer 1']]);
    await ask(bench, 'Only in the copy');
    bench.router.navigate({ screen: 'playground', sessionId: id });
    await until(() => bench.session.getState().currentId === id);
    expect(talkIn(bench)).toEqual([['Original', 'Answer 1']]);
    const again = await reloaded(bench);
    expect(again.current().session.title).toBe('Renamed');
  });

  it('offers Undo for a deletion, with everything in it; without Undo the session is gone', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'To be deleted');
    const { id } = bench.current().session;
    await bench.actions.createSession();
    await ask(bench, 'To be kept');
    const shown = bench.current().session.id;
    await bench.actions.deleteSession(id);
    expect(bench.current().session.id, 'another stays on screen').toBe(shown);
    expect(await titles(bench)).toEqual(['To be kept']);
    bench.session.getState().undo?.restore();
    expect(await titles(bench)).toEqual(['To be kept', 'To be deleted']);
    await bench.actions.openSession(id);
    expect(talkIn(bench)).toEqual([['To be deleted', 'Answer 1']]);

    await bench.actions.deleteSession(id);
    bench.session.getState().undo?.expire();
    await eventually(async () => expect(await bench.records.readSession(id)).toBeUndefined());
    const again = await bench.reopened({ path: `/s/${id}` });
    expect(again.session.getState().missingId).toBe(id);
  });

  it('gives the session that was deleted on screen back by Undo, at its address', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'On screen');
    const [address = ''] = bench.tab.visited.slice(-1);
    await bench.actions.deleteSession();
    expect(talkIn(bench), 'a fresh one').toEqual([]);
    bench.session.getState().undo?.restore();
    await until(() => talkIn(bench)[0]?.[0] === 'On screen');
    expect(bench.tab.visited.at(-1)).toBe(address);
  });

  it('is not left by Undo for a session that was on screen once but was deleted from the history', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'On screen before');
    const { id } = bench.current().session;
    bench.router.navigate({ screen: 'page', path: '/history' });
    await bench.actions.deleteSession(id);
    expect(bench.session.getState().currentId, 'nothing is behind the history any more').toBeUndefined();
    bench.session.getState().undo?.restore();
    expect(await titles(bench)).toEqual(['On screen before']);
    expect(bench.tab.visited.at(-1)).toBe('/history');
  });
});

describe('an address', () => {
  it('names its session in any tab; an unknown one says so and offers a way on', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Linked');
    const [address = ''] = bench.tab.visited.slice(-1);
    expect(address).toMatch(/^\/s\/.+/);
    await bench.saved();
    expect(talkIn(await bench.another({ path: address }))).toEqual([['Linked', 'Answer 1']]);

    const lost = await bench.another({ path: '/s/never-was' });
    const { missingId = '' } = lost.session.getState();
    const words = wordsIn(markupOf(lost, createElement(MissingSession, { sessionId: missingId })));
    expect(words).toMatch(/^Session not found in this browser[^]*never-was[^]*New session/);
    await lost.actions.createSession();
    await ask(lost, 'Goes on');
    await lost.saved();
    expect(talkIn(await lost.reopened({ path: '/' })), 'the last session').toEqual([['Goes on', 'Answer 2']]);
  });

  it('of the playground is one step: Back leads to where one came from', async () => {
    const { bench } = await aTalk(undefined, { path: '/embeddings' });
    bench.router.navigate({ screen: 'playground' });
    await until(() => bench.session.getState().currentId !== undefined);
    expect(bench.tab.visited).toEqual(['/embeddings', `/s/${bench.current().session.id}`]);
  });
});

describe('a file', () => {
  it('of a session is the same to the byte where it was imported, and holds no key and no gateway', async () => {
    const { bench, gateway } = await aTalk(
      (answer) => answer.whole('The answer, with "quotes" and 日本 and <b>tags</b>'),
      keyed,
    );
    setUp(bench, { system: 'Be brief' });
    await ask(bench, 'Which rivers cross Vienna?');
    await ask(bench, 'And Paris?');
    const text = await exported(bench, bench.current().session.id);
    expect(JSON.parse(text)).toMatchObject({
      sessions: [
        {
          title: 'Which rivers cross Vienna?',
          runs: [
            { status: 'complete', text: 'The answer, with "quotes" and 日本 and <b>tags</b>' },
            { status: 'complete' },
          ],
        },
      ],
    });
    expect(text).not.toContain(canaryKey);
    expect(text).not.toContain(gateway.url);

    const other = await elsewhere(bench, '/');
    const outcome = await other.sessionFiles.importFile(aFile(text));
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(await exported(other)).toBe(text);
    await other.actions.openSession(outcome.sessionIds[0]);
    expect(talkIn(other)).toEqual(talkIn(bench));
    expect(setupOf(other).system).toBe('Be brief');
  });

  it('of what is there already leaves it alone, and can be taken back', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Twice');
    const { id } = bench.current().session;
    const text = await exported(bench, id);
    const outcome = await bench.sessionFiles.importFile(aFile(text));
    if (!outcome.ok) throw new Error(outcome.reason);
    await bench.actions.openSession(outcome.sessionIds[0]);
    expect(bench.current().session.id).not.toBe(id);
    await ask(bench, 'Only in the copy');
    await bench.actions.openSession(id);
    expect(talkIn(bench)).toEqual([['Twice', 'Answer 1']]);
    await bench.sessionFiles.importFile(aFile(text));
    expect(await titles(bench)).toEqual(['Twice', 'Twice', 'Twice']);
    expect(bench.session.getState().undo?.text).toBe('Imported 1 session.');
    bench.session.getState().undo?.restore();
    await eventually(async () => expect(await titles(bench)).toHaveLength(2));
  });

  const refusals: [what: string, text: string, words: RegExp][] = [
    [
      'cut off',
      '{"format":"bench-sessions",\n"version":1,\n"sessions":[',
      /not valid JSON.*Line 3\. Nothing was changed/,
    ],
    ['of another program', '{"conversations":[]}', /JSON, but Bench did not export it/],
    [
      'of a newer Bench',
      '{"format":"bench-sessions","version":9,"sessions":[]}',
      /newer version of Bench \(format 9\)/,
    ],
    [
      'nested without end',
      `{"format":"bench-sessions","version":1,"sessions":${'['.repeat(10_000)}`,
      /100 levels/,
    ],
    [
      'that reaches for prototypes',
      '{"format":"bench-sessions","version":1,\n"sessions":[],\n"__proto__":{"polluted":true}}',
      /a field named __proto__.*Line 3/,
    ],
    [
      'with a damaged record',
      '{"format":"bench-sessions","version":1,"sessions":[{"id":"x","title":"Good","createdAt":1,"updatedAt":1,"laneIds":[],\n"lanes":[{"id":7}]}]}',
      /Line 2, at sessions\[0\]\.lanes\[0\]\.id/,
    ],
  ];

  it('that is not an export is refused with its reason and place, and nothing changes', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'To be left alone');
    for (const [what, text, words] of refusals) {
      const outcome = await bench.sessionFiles.importFile(aFile(text));
      expect(outcome.ok ? 'taken in' : describeImportError('file.json', outcome), what).toMatch(words);
    }
    const gone = aFile('[]');
    gone.text = () => Promise.reject(new DOMException('It has changed.', 'NotReadableError'));
    expect(await bench.sessionFiles.importFile(gone)).toEqual({
      ok: false,
      reason: 'It could not be read: It has changed.',
    });
    expect(await titles(bench)).toEqual(['To be left alone']);
    expect('polluted' in {}).toBe(false);
    expect(talkIn(bench)).toEqual([['To be left alone', 'Answer 1']]);
  });

  it('made in the middle of an answer is whole in itself, marked partial, and disturbs nothing', async () => {
    const gate = aGate();
    const { bench } = await aTalk(async (answer) => {
      answer.text('Half');
      await gate.opened;
      answer.whole(' and whole');
    });
    const asked = ask(bench, 'Export me');
    await until(() => talkIn(bench)[0]?.[1] === 'Half');
    const { id } = bench.current().session;
    const file = await bench.sessionFiles.exporter.buildJson(id);
    const text = (file?.pieces ?? []).join('');
    expect(JSON.parse(text)).toMatchObject({
      sessions: [{ partial: true, runs: [{ partial: true, status: 'streaming', text: 'Half' }] }],
    });
    const sentence = describeSavedFile(
      'half.json',
      2048,
      { prompts: 1, answers: 1 },
      file?.isPartial ?? false,
    );
    expect(sentence).toBe(
      'Saved half.json: 1 message and 1 answer, 2 KB. An answer was still streaming and is partial. No key or gateway address is included.',
    );
    expect((await bench.sessionFiles.exporter.readSnapshot(id))?.data).toEqual(bench.current());
    gate.open();
    await asked;
    expect(talkIn(bench)).toEqual([['Export me', 'Half and whole']]);

    const outcome = await bench.sessionFiles.importFile(aFile(text));
    if (!outcome.ok) throw new Error(outcome.reason);
    await bench.actions.openSession(outcome.sessionIds[0]);
    expect(runOf(bench).phase.name).toBe('interrupted');
    expect(talkIn(bench)).toEqual([['Export me', 'Half']]);
  });
});

describe('a link', () => {
  it('carries the setup of all lanes and the message, and neither key, gateway nor conversation', async () => {
    const { bench, gateway } = await aTalk(undefined, keyed);
    setUp(bench, { model: 'north/two', system: 'Answer in verse', fields: { temperature: '0.4' } });
    await ask(bench, 'A secret of the conversation');
    bench.actions.addLane();
    const draft = 'What waits in the composer';
    const lanes = bench.current().session.laneIds.flatMap((id) => bench.current().lanes[id] ?? []);
    const dialog = markupOf(bench, createElement(ShareDialog, { lanes, draft, onClose: () => undefined }));
    expect(wordsIn(dialog)).toContain(
      'Lane B north/two, system prompt of 1 line, temperature 0.4, stream true',
    );
    const hash = encodeShareHash({ setups: lanes.map(({ setup }) => setup), draft });
    expect(bench.router.buildLink(hash)).toBe(`${bench.server.origin}/${hash}`);
    const inside = Buffer.from(hash.slice('#setup='.length), 'base64url').toString();
    for (const secret of [canaryKey, gateway.url, 'A secret of the conversation'])
      expect(inside).not.toContain(secret);

    const other = await elsewhere(bench, `/${hash}`);
    await until(() => other.notices.getState().notice !== undefined);
    expect(other.notices.getState().notice).toEqual({
      severity: 'note',
      text: 'These setups of 2 lanes are from a link. A draft message is below. Nothing is sent until you send it.',
    });
    expect([setupOf(other, 0).model, setupOf(other, 1).model]).toEqual(['north/two', 'north/two']);
    expect(setupOf(other).params['temperature']?.text).toBe('0.4');
    const { id } = other.current().session;
    expect((await other.drafts.load(id)).text).toBe(draft);
    expect(talkIn(other)).toEqual([]);
    expect(other.tab.visited).toEqual([`/s/${id}`]);
    expect(gateway.posts).toHaveLength(1);
    const again = await reloaded(other);
    expect((await again.drafts.load(again.current().session.id)).text).toBe(draft);
  });

  it('that was cut off says so and opens what was there', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Still here');
    await bench.saved();
    const other = await bench.another({ path: '/#setup=eyJ2ZXJzaW9u' });
    await until(() => other.notices.getState().notice !== undefined);
    expect(other.notices.getState().notice).toMatchObject({
      severity: 'problem',
      text: expect.stringContaining('This link cannot be read.') as unknown,
    });
    expect(talkIn(other)).toEqual([['Still here', 'Answer 1']]);
    expect(other.tab.visited).toEqual([`/s/${other.current().session.id}`]);
  });

  it('opened in a tab where Bench runs already opens there, one step from what was there', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Before');
    const [address = ''] = bench.tab.visited.slice(-1);
    bench.tab.visit(`/${encodeShareHash({ setups: [{ ...setupOf(bench), model: 'north/two' }] })}`);
    await until(() => bench.session.getState().currentId !== address.slice('/s/'.length));
    expect(talkIn(bench)).toEqual([]);
    expect(setupOf(bench).model).toBe('north/two');
    await until(() => bench.notices.getState().notice !== undefined);
    expect(bench.notices.getState().notice?.text).toBe(
      'This setup is from a link. Nothing is sent until you send it.',
    );
    bench.tab.visit(address);
    await until(() => talkIn(bench)[0]?.[0] === 'Before');
    expect(bench.notices.getState().notice).toBeUndefined();
  });
});

it('a preset keeps a setup under a name, for any session and after a reload', async () => {
  const { bench, gateway } = await aTalk();
  setUp(bench, { model: 'north/two', system: 'Be calm', fields: { temperature: '0.2' } });
  await bench.presets.save('Calm', pickSetupParts(setupOf(bench), ['model', 'system', 'params']));
  await bench.presets.save('Only cool', pickSetupParts(setupOf(bench), ['params']));

  const again = await reloaded(bench);
  await until(() => again.presets.state.getState().presets.length === 2);
  const apply = (name: string) => {
    const preset = again.presets.state.getState().presets.find((each) => each.name === name);
    if (!preset) throw new Error(`There is no preset ${name}`);
    const { laneIds } = again.current().session;
    again.actions.replaceSetups(laneIds, (setup) => withPreset(setup, preset), `Applied ${name}.`);
  };
  setUp(again, { model: 'north/one', fields: { temperature: '1.5' } });
  apply('Only cool');
  expect(setupOf(again)).toMatchObject({ model: 'north/one', params: { temperature: { text: '0.2' } } });
  again.session.getState().undo?.restore();
  expect(setupOf(again).params['temperature']?.text).toBe('1.5');
  apply('Calm');
  await ask(again, 'With the preset');
  expect(gateway.posts.at(-1)?.body).toMatchObject({ model: 'north/two', temperature: 0.2 });
  expect(messagesOf(gateway)).toEqual([
    { role: 'system', content: 'Be calm' },
    { role: 'user', content: 'With the preset' },
  ]);
});
