/** Tests sessions in the history, at their URLs, in files and links, in presets and in two tabs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { describeImportError } from '../conversation/files/import-error.ts';
import { summarizeForHistory } from '../conversation/session/edit-session.ts';
import type { Setup } from '../conversation/session/types.ts';
import { pickPresetParts, withPreset } from '../conversation/setup/presets.ts';
import { encodeShareHash } from '../conversation/setup/share.ts';
import { EntryRow } from '../features/history/entry-row.tsx';
import { useEntryActions } from '../features/history/use-entry-actions.ts';
import { MissingSession } from '../features/playground/missing-session.tsx';
import { describeSavedFile } from '../features/session-files/save-session.ts';
import { ShareDialog } from '../features/session/share-dialog.tsx';
import type { Bench } from '../testing/bench.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { createGate } from '../testing/builders.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { arbitrarySession } from '../testing/cases/arbitrary-sessions.ts';
import {
  sendAndWait,
  createConversation,
  getRequestMessages,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { readHook, renderText } from '../testing/render-with-playground.tsx';
import { createPausedAnswer } from '../testing/scripted-gateway.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { waitForAssertion, waitUntil } from '../testing/wait-until.ts';

const keyOptions = { settings: { GATEWAY_API_KEY: canaryKey } };

function getSetup(bench: Bench, lane = 0): Setup {
  const data = bench.getOpenSession();
  const setup = data.lanes[data.session.laneIds[lane] ?? '']?.setup;
  if (!setup) throw new Error(`Lane ${lane} is missing`);
  return setup;
}

async function listTitles(bench: Bench): Promise<string[]> {
  await bench.waitUntilSaved();
  return (await bench.library.list()).map(({ title }) => title);
}

/** Returns the text of an export file: one session, or all sessions without an ID. */
async function exportJson(bench: Bench, id?: string): Promise<string> {
  await bench.waitUntilSaved();
  const ids = id ?? (await bench.library.list()).map((session) => session.id).toSorted();
  const file = await bench.sessionFiles.exporter.buildJson(ids);
  return (file?.pieces ?? []).join('');
}

function createJsonFile(text: string, name = 'file.json'): File {
  return new File([text], name, { type: 'application/json' });
}

/** Opens the same server in another browser. */
function openInOtherBrowser(bench: Bench, path: string): Promise<Bench> {
  return bench.openAnotherTab({ browser: createTestBrowser(), path });
}

describe('session history', () => {
  it('renders a history row for any session, even with the largest and smallest dates', async () => {
    const { bench } = await createConversation();
    const actions = readHook(bench, useEntryActions);
    const times = fc.constantFrom(0, -8.64e15, 8.64e15, 1_700_000_000_000.5);
    fc.assert(
      fc.property(arbitrarySession, times, times, (data, updatedAt, nowMs) => {
        const session = { ...data.session, updatedAt, summary: summarizeForHistory(data) };
        const state = { index: 0, isSelected: false, onSelect: () => undefined };
        const row = (
          <EntryRow
            entry={session}
            nowMs={nowMs}
            actions={actions}
            matches={undefined}
            snippet={undefined}
            {...state}
          />
        );
        const table = (
          <table>
            <tbody>{row}</tbody>
          </table>
        );
        expect(renderText(bench, table)).not.toBe('');
      }),
      { numRuns: getCaseCount(40) },
    );
  });

  it('keeps the end of an answer that arrives while another tab renames the session', async () => {
    const { script, finish } = createPausedAnswer('One', ' two');
    const { bench } = await createConversation(script);
    const sendPromise = sendAndWait(bench, 'Count');
    await waitUntil(() => getLaneTranscript(bench)[0]?.[1] === 'One');
    await bench.waitUntilSaved();
    const { id } = bench.getOpenSession().session;
    const writeGate = createGate();
    let isWaiting = false;
    const records = await bench.browser.openRecords();
    const slowRecords: typeof records = {
      ...records,
      write: async (...writes) => {
        isWaiting = true;
        await writeGate.opened;
        return records.write(...writes);
      },
    };
    const otherTab = await bench.openAnotherTab({ records: slowRecords, path: '/history' });
    const renamePromise = otherTab.actions.renameSession('Mine', id);
    await waitUntil(() => isWaiting);
    finish();
    await sendPromise;
    await bench.waitUntilSaved();
    const { summary, updatedAt } = bench.getOpenSession().session;
    // No other tab is left that could correct the record.
    bench.tab.kill();
    writeGate.open();
    await renamePromise;
    expect(await bench.records.readRecord('sessions', id)).toMatchObject({
      title: 'Mine',
      titled: true,
      summary,
      updatedAt,
    });
  });

  it('lists a session under its first prompt once it has messages', async () => {
    const { bench } = await createConversation();
    bench.drafts.change(bench.getOpenSession().session.id, (draft) => ({ ...draft, text: 'only a draft' }));
    expect(await listTitles(bench)).toEqual([]);
    await sendAndWait(bench, '## Which *rivers* cross Vienna?\nPlease list them.');
    await sendAndWait(bench, 'Something else');
    expect(await listTitles(bench)).toEqual(['Which *rivers* cross Vienna?']);
    expect((await bench.library.list())[0]?.summary?.models).toEqual(['demo/guide']);
  });

  it('starts an empty session with the same setup on New session and lists both sessions', async () => {
    const { bench, gateway } = await createConversation();
    configureLane(bench, { model: 'north/two', system: 'Only here', fields: { temperature: '0.4' } });
    await sendAndWait(bench, 'First session');
    const [firstAddress = ''] = bench.tab.visitedPaths.slice(-1);
    await bench.actions.createSession();
    expect(bench.tab.visitedPaths.at(-1)).not.toBe(firstAddress);
    await sendAndWait(bench, 'Second session');
    expect(gateway.posts[1]?.body).toEqual({
      model: 'north/two',
      messages: [{ role: 'user', content: 'Second session' }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.4,
    });
    bench.tab.visit(firstAddress);
    await waitUntil(() => getLaneTranscript(bench)[0]?.[0] === 'First session');
    expect(await listTitles(bench), 'newest first').toEqual(['Second session', 'First session']);
  });

  it('opens, renames and duplicates a session without affecting other sessions', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Original');
    const { id } = bench.getOpenSession().session;
    await bench.actions.renameSession('Renamed');
    await bench.waitUntilSaved();
    await bench.actions.duplicateSession('not there');
    expect(bench.session.getState().currentId).toBe(id);
    await bench.actions.duplicateSession(id);
    expect((await listTitles(bench)).toSorted()).toEqual(['Renamed', 'Renamed (copy)']);
    await waitUntil(() => bench.getOpenSession().session.title === 'Renamed (copy)');
    expect(getLaneTranscript(bench)).toEqual([['Original', 'Answer 1']]);
    await sendAndWait(bench, 'Only in the copy');
    bench.router.navigate({ screen: 'playground', sessionId: id });
    await waitUntil(() => bench.session.getState().currentId === id);
    expect(getLaneTranscript(bench)).toEqual([['Original', 'Answer 1']]);
    const reloadedBench = await reloadPage(bench);
    expect(reloadedBench.getOpenSession().session.title).toBe('Renamed');
  });

  it('restores a deleted session completely on Undo, and removes it permanently without Undo', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'To be deleted');
    const { id } = bench.getOpenSession().session;
    await bench.actions.createSession();
    await sendAndWait(bench, 'To be kept');
    const currentId = bench.getOpenSession().session.id;
    await bench.actions.deleteSession(id);
    expect(bench.getOpenSession().session.id, 'another session stays open').toBe(currentId);
    expect(await listTitles(bench)).toEqual(['To be kept']);
    bench.session.getState().undo?.restore();
    expect(await listTitles(bench)).toEqual(['To be kept', 'To be deleted']);
    await bench.actions.openSession(id);
    expect(getLaneTranscript(bench)).toEqual([['To be deleted', 'Answer 1']]);

    await bench.actions.deleteSession(id);
    bench.session.getState().undo?.expire();
    await waitForAssertion(async () => expect(await bench.records.readSession(id)).toBeUndefined());
    const reopenedBench = await bench.reopen({ path: `/s/${id}` });
    expect(reopenedBench.session.getState().missingId).toBe(id);
  });

  it('restores the current session at its URL on Undo', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'On screen');
    const [address = ''] = bench.tab.visitedPaths.slice(-1);
    await bench.actions.deleteSession();
    expect(getLaneTranscript(bench), 'a new session').toEqual([]);
    bench.session.getState().undo?.restore();
    await waitUntil(() => getLaneTranscript(bench)[0]?.[0] === 'On screen');
    expect(bench.tab.visitedPaths.at(-1)).toBe(address);
  });

  it('stays in the history when the deletion of a session there is undone', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'On screen before');
    const { id } = bench.getOpenSession().session;
    bench.router.navigate({ screen: 'page', path: '/history' });
    await bench.actions.deleteSession(id);
    expect(bench.session.getState().currentId, 'no session is open behind the history').toBeUndefined();
    bench.session.getState().undo?.restore();
    expect(await listTitles(bench)).toEqual(['On screen before']);
    expect(bench.tab.visitedPaths.at(-1)).toBe('/history');
  });
});

describe('URL of a session', () => {
  it('opens a session by its URL in any tab, and offers alternatives for an unknown URL', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Linked');
    const [address = ''] = bench.tab.visitedPaths.slice(-1);
    expect(address).toMatch(/^\/s\/.+/);
    await bench.waitUntilSaved();
    expect(getLaneTranscript(await bench.openAnotherTab({ path: address }))).toEqual([
      ['Linked', 'Answer 1'],
    ]);

    const unknownSessionTab = await bench.openAnotherTab({ path: '/s/never-was' });
    const { missingId = '' } = unknownSessionTab.session.getState();
    const text = renderText(unknownSessionTab, <MissingSession sessionId={missingId} />);
    expect(text).toMatch(/^Session not found in this browser[^]*never-was[^]*New session/);
    await unknownSessionTab.actions.createSession();
    await sendAndWait(unknownSessionTab, 'Goes on');
    await unknownSessionTab.waitUntilSaved();
    expect(
      getLaneTranscript(await unknownSessionTab.reopen({ path: '/' })),
      'the most recent session',
    ).toEqual([['Goes on', 'Answer 2']]);
  });

  it('adds one history entry for the playground, so that Back returns to the previous page', async () => {
    const { bench } = await createConversation(undefined, { path: '/embeddings' });
    bench.router.navigate({ screen: 'playground' });
    await waitUntil(() => bench.session.getState().currentId !== undefined);
    expect(bench.tab.visitedPaths).toEqual(['/embeddings', `/s/${bench.getOpenSession().session.id}`]);
  });
});

describe('exported file', () => {
  it('exports the same bytes after an import, without key or gateway', async () => {
    const { bench, gateway } = await createConversation(
      (answer) => answer.sendAnswer('The answer, with "quotes" and 日本 and <b>tags</b>'),
      keyOptions,
    );
    configureLane(bench, { system: 'Be brief' });
    await sendAndWait(bench, 'Which rivers cross Vienna?');
    await sendAndWait(bench, 'And Paris?');
    const text = await exportJson(bench, bench.getOpenSession().session.id);
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

    const otherBench = await openInOtherBrowser(bench, '/');
    const outcome = await otherBench.sessionFiles.importFile(createJsonFile(text));
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(await exportJson(otherBench)).toBe(text);
    await otherBench.actions.openSession(outcome.sessionIds[0]);
    expect(getLaneTranscript(otherBench)).toEqual(getLaneTranscript(bench));
    expect(getSetup(otherBench).system).toBe('Be brief');
  });

  it('imports a session that already exists as a copy, and undoes the import', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Twice');
    const { id } = bench.getOpenSession().session;
    const text = await exportJson(bench, id);
    const outcome = await bench.sessionFiles.importFile(createJsonFile(text));
    if (!outcome.ok) throw new Error(outcome.reason);
    await bench.actions.openSession(outcome.sessionIds[0]);
    expect(bench.getOpenSession().session.id).not.toBe(id);
    await sendAndWait(bench, 'Only in the copy');
    await bench.actions.openSession(id);
    expect(getLaneTranscript(bench)).toEqual([['Twice', 'Answer 1']]);
    await bench.sessionFiles.importFile(createJsonFile(text));
    expect(await listTitles(bench)).toEqual(['Twice', 'Twice', 'Twice']);
    expect(bench.session.getState().undo?.text).toBe('Imported 1 session.');
    bench.session.getState().undo?.restore();
    await waitForAssertion(async () => expect(await listTitles(bench)).toHaveLength(2));
  });

  const refusals: [what: string, text: string, words: RegExp][] = [
    [
      'cut off',
      '{"format":"bench-sessions",\n"version":1,\n"sessions":[',
      /not valid JSON.*Line 3\. Nothing was changed/,
    ],
    ['of another program', '{"conversations":[]}', /JSON, but not a Bench export/],
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

  it('rejects a file that is not an export with the reason and position, and changes nothing', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'To be left alone');
    for (const [title, text, pattern] of refusals) {
      const outcome = await bench.sessionFiles.importFile(createJsonFile(text));
      expect(outcome.ok ? 'taken in' : describeImportError('file.json', outcome), title).toMatch(pattern);
    }
    const unreadableFile = createJsonFile('[]');
    unreadableFile.text = () => Promise.reject(new DOMException('It has changed.', 'NotReadableError'));
    expect(await bench.sessionFiles.importFile(unreadableFile)).toEqual({
      ok: false,
      reason: 'It could not be read: It has changed.',
    });
    expect(await listTitles(bench)).toEqual(['To be left alone']);
    expect('polluted' in {}).toBe(false);
    expect(getLaneTranscript(bench)).toEqual([['To be left alone', 'Answer 1']]);
  });

  it('exports a valid file mid-answer, marked as partial, without disturbing the answer', async () => {
    const { script, finish } = createPausedAnswer('Half', ' and whole');
    const { bench } = await createConversation(script);
    const sendPromise = sendAndWait(bench, 'Export me');
    await waitUntil(() => getLaneTranscript(bench)[0]?.[1] === 'Half');
    const { id } = bench.getOpenSession().session;
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
      'Saved half.json: 1 message and 1 answer, 2 KB. An answer was still streaming, so it is incomplete. No key is included.',
    );
    expect((await bench.sessionFiles.exporter.readSnapshot(id))?.data).toEqual(bench.getOpenSession());
    finish();
    await sendPromise;
    expect(getLaneTranscript(bench)).toEqual([['Export me', 'Half and whole']]);

    const outcome = await bench.sessionFiles.importFile(createJsonFile(text));
    if (!outcome.ok) throw new Error(outcome.reason);
    await bench.actions.openSession(outcome.sessionIds[0]);
    expect(getTurnRun(bench).phase.name).toBe('interrupted');
    expect(getLaneTranscript(bench)).toEqual([['Export me', 'Half']]);
  });
});

describe('shared link', () => {
  it('shares all setups and the draft in a link, but no key, gateway or conversation', async () => {
    const { bench, gateway } = await createConversation(undefined, keyOptions);
    configureLane(bench, {
      model: 'north/two',
      system: 'Answer in {{form}}',
      fields: { temperature: '0.4' },
    });
    bench.messages.setVariable('form', 'verse');
    await sendAndWait(bench, 'A secret of the conversation');
    bench.actions.addLane();
    const draft = 'What waits in the composer';
    const lanes = bench
      .getOpenSession()
      .session.laneIds.flatMap((id) => bench.getOpenSession().lanes[id] ?? []);
    const variables = { form: 'verse' };
    const dialog = (
      <ShareDialog
        lanes={lanes}
        draft={draft}
        variables={{ ...variables, unused: 'A secret value' }}
        onClose={() => undefined}
      />
    );
    const dialogText = renderText(bench, dialog);
    expect(dialogText).toContain('Lane B north/two, system prompt of 1 line, temperature 0.4, stream true');
    expect(dialogText).toContain('{{form}} verse');
    expect(dialogText).not.toContain('A secret value');
    const hash = encodeShareHash({ setups: lanes.map(({ setup }) => setup), draft, variables });
    expect(bench.router.buildLink(hash)).toBe(`${bench.server.origin}/${hash}`);
    const payload = Buffer.from(hash.slice('#setup='.length), 'base64url').toString();
    for (const secret of [canaryKey, gateway.url, 'A secret of the conversation'])
      expect(payload).not.toContain(secret);

    const otherBench = await openInOtherBrowser(bench, `/${hash}`);
    await waitUntil(() => otherBench.notices.getState().notice !== undefined);
    expect(otherBench.notices.getState().notice).toEqual({
      severity: 'note',
      text: 'Opened 2 setups from a shared link. The draft message is below. Nothing is sent until you press Send.',
    });
    expect([getSetup(otherBench, 0).model, getSetup(otherBench, 1).model]).toEqual([
      'north/two',
      'north/two',
    ]);
    expect(getSetup(otherBench).params['temperature']?.text).toBe('0.4');
    expect(otherBench.getOpenSession().session.variables).toEqual(variables);
    const { id } = otherBench.getOpenSession().session;
    expect((await otherBench.drafts.load(id)).text).toBe(draft);
    expect(getLaneTranscript(otherBench)).toEqual([]);
    expect(otherBench.tab.visitedPaths).toEqual([`/s/${id}`]);
    expect(gateway.posts).toHaveLength(1);
    const reloadedBench = await reloadPage(otherBench);
    expect((await reloadedBench.drafts.load(reloadedBench.getOpenSession().session.id)).text).toBe(draft);
  });

  it('reports a truncated link and opens the last session', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Still here');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: '/#setup=eyJ2ZXJzaW9u' });
    await waitUntil(() => otherTab.notices.getState().notice !== undefined);
    expect(otherTab.notices.getState().notice).toMatchObject({
      severity: 'problem',
      text: expect.stringContaining('This link cannot be read.') as unknown,
    });
    expect(getLaneTranscript(otherTab)).toEqual([['Still here', 'Answer 1']]);
    expect(otherTab.tab.visitedPaths).toEqual([`/s/${otherTab.getOpenSession().session.id}`]);
  });

  it('opens a link in a running tab and adds one history entry', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Before');
    const [address = ''] = bench.tab.visitedPaths.slice(-1);
    bench.tab.visit(`/${encodeShareHash({ setups: [{ ...getSetup(bench), model: 'north/two' }] })}`);
    await waitUntil(() => bench.session.getState().currentId !== address.slice('/s/'.length));
    expect(getLaneTranscript(bench)).toEqual([]);
    expect(getSetup(bench).model).toBe('north/two');
    await waitUntil(() => bench.notices.getState().notice !== undefined);
    expect(bench.notices.getState().notice?.text).toBe(
      'Opened 1 setup from a shared link. Nothing is sent until you press Send.',
    );
    bench.tab.visit(address);
    await waitUntil(() => getLaneTranscript(bench)[0]?.[0] === 'Before');
    expect(bench.notices.getState().notice).toBeUndefined();
  });
});

it('saves a setup as a named preset for any session, also after a reload', async () => {
  const { bench, gateway } = await createConversation();
  configureLane(bench, { model: 'north/two', system: 'Be calm', fields: { temperature: '0.2' } });
  await bench.presets.save('Calm', pickPresetParts(getSetup(bench), ['model', 'system', 'params']));
  await bench.presets.save('Only cool', pickPresetParts(getSetup(bench), ['params']));

  const reloadedBench = await reloadPage(bench);
  await waitUntil(() => reloadedBench.presets.state.getState().presets.length === 2);
  const applyNamedPreset = (name: string) => {
    const preset = reloadedBench.presets.state.getState().presets.find((item) => item.name === name);
    if (!preset) throw new Error(`There is no preset ${name}`);
    const { laneIds } = reloadedBench.getOpenSession().session;
    reloadedBench.actions.replaceSetups(laneIds, (setup) => withPreset(setup, preset), `Applied ${name}.`);
  };
  configureLane(reloadedBench, { model: 'north/one', fields: { temperature: '1.5' } });
  applyNamedPreset('Only cool');
  expect(getSetup(reloadedBench)).toMatchObject({
    model: 'north/one',
    params: { temperature: { text: '0.2' } },
  });
  reloadedBench.session.getState().undo?.restore();
  expect(getSetup(reloadedBench).params['temperature']?.text).toBe('1.5');
  applyNamedPreset('Calm');
  await sendAndWait(reloadedBench, 'With the preset');
  expect(gateway.posts.at(-1)?.body).toMatchObject({ model: 'north/two', temperature: 0.2 });
  expect(getRequestMessages(gateway)).toEqual([
    { role: 'system', content: 'Be calm' },
    { role: 'user', content: 'With the preset' },
  ]);
});
