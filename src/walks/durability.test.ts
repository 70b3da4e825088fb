/** What is said is kept, whatever happens to the page, its clock and its storage, and in whichever tab it was said. */
import { afterEach, describe, expect, it, vi } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { isRecord } from '../lib/json.ts';
import type { Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, reloaded, runOf, setUp, shownTurn, talkIn } from '../testing/conversation-driver.ts';
import { drawnReplies } from '../testing/render-views.tsx';
import { eventually, until } from '../testing/wait-until.ts';

afterEach(() => vi.restoreAllMocks());

function address(bench: Bench): string {
  return bench.tab.visited.at(-1) ?? '/';
}

function phase(bench: Bench): string {
  return runOf(bench).phase.name;
}

function lastAnswer(bench: Bench): string | undefined {
  return talkIn(bench).at(-1)?.[1];
}

/** Says these words and then holds the stream open until it is let go. */
async function aHeldTalk(...words: string[]) {
  const gate = aGate();
  const talk = await aTalk(async (answer) => {
    for (const word of words) answer.text(word);
    await gate.opened;
    answer.text(', and the rest');
    answer.finish();
    answer.done();
  });
  const asked = ask(talk.bench, 'Count');
  await until(() => lastAnswer(talk.bench) === words.join(''));
  return { ...talk, asked, letGo: gate.open };
}

describe('a reload', () => {
  it('in the middle of an answer shows what had arrived, marked interrupted, and sends nothing again', async () => {
    const { bench, gateway } = await aHeldTalk('One ', 'two ', 'three');
    let tab = bench;
    for (const visit of ['first', 'second']) {
      tab = await reloaded(tab);
      expect(talkIn(tab), visit).toEqual([['Count', 'One two three']]);
      expect(phase(tab)).toBe('interrupted');
      expect(drawnReplies(tab)[0]?.words).toContain('3 tokens received and kept');
    }
    await gateway.posts[0]?.left;
    expect(gateway.posts).toHaveLength(1);

    gateway.onChat((answer) => answer.whole('One two three four'));
    await tab.actions.regenerate([shownTurn(tab).id]);
    expect(lastAnswer(tab)).toBe('One two three four');
    tab.actions.stepAnswer(shownTurn(tab).id, -1);
    expect(phase(tab)).toBe('interrupted');
  });

  it('that comes before anything is stored leaves an interrupted answer, never one that looks ended', async () => {
    const { bench } = await aHeldTalk('One two three');
    const next = await bench.reopened({ path: address(bench) });
    expect(talkIn(next)[0]?.[0]).toBe('Count');
    expect(phase(next)).toBe('interrupted');
  });

  it('while the gateway thinks loses no prompt, and says that nothing had arrived', async () => {
    const { bench, gateway } = await aTalk(() => undefined);
    void ask(bench, 'First');
    await until(() => gateway.posts.length === 1);
    const next = await reloaded(bench);
    expect(talkIn(next)).toEqual([['First', '']]);
    expect(drawnReplies(next)[0]?.words).toContain('Nothing had been received yet');
  });

  it('leaves parameters, system prompt and model as they were, also what is not sent', async () => {
    const { bench, gateway } = await aTalk();
    setUp(bench, { model: 'north/two', system: 'Answer in verse.', fields: { temperature: '0.3' } });
    const [laneId = ''] = bench.current().session.laneIds;
    bench.actions.changeSetups([laneId], (setup) => ({
      ...setup,
      params: { ...setup.params, max_tokens: { sent: false, text: '99' } },
    }));
    const next = await reloaded(bench);
    await ask(next, 'Go');
    expect(gateway.posts[0]?.body).toEqual({
      model: 'north/two',
      messages: [
        { role: 'system', content: 'Answer in verse.' },
        { role: 'user', content: 'Go' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.3,
    });
    const again = await reloaded(next);
    expect(again.current().lanes[laneId]?.setup.params['max_tokens']).toEqual({ sent: false, text: '99' });
  });
});

describe('two tabs', () => {
  it('on one session show the same, and neither loses what it wrote', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'From the first tab');
    await bench.saved();
    const other = await bench.another({ path: address(bench) });
    expect(talkIn(other)).toEqual([['From the first tab', 'Answer 1']]);
    await ask(other, 'From the second tab');
    await until(() => talkIn(bench).length === 2 && lastAnswer(bench) === 'Answer 2');
    await ask(bench, 'And back');
    await until(() => talkIn(other).length === 3);
    const asked = ask(bench, 'At once, said');
    setUp(other, { system: 'At once, set up' });
    await asked;
    const [laneId = ''] = bench.current().session.laneIds;
    await eventually(() => {
      for (const tab of [bench, other]) {
        expect(tab.current().lanes[laneId]?.setup.system).toBe('At once, set up');
        expect(talkIn(tab).map(([said]) => said)).toEqual([
          'From the first tab',
          'From the second tab',
          'And back',
          'At once, said',
        ]);
      }
    });
    await other.saved();
    const again = await reloaded(bench);
    expect(talkIn(again)).toHaveLength(4);
    expect(again.current().lanes[laneId]?.setup.system).toBe('At once, set up');
  });

  it('that say something at the same moment keep both, as versions at one place', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Before');
    await bench.saved();
    const other = await bench.another({ path: address(bench) });
    await Promise.all([ask(bench, 'From the first tab'), ask(other, 'From the second tab')]);
    await Promise.all([bench.saved(), other.saved()]);
    const third = await bench.another({ path: address(bench) });
    const { prompts, runs } = third.current();
    const said = Object.values(prompts).flatMap(({ messages }) => messages.map(({ content }) => content));
    expect(said).toEqual(expect.arrayContaining(['Before', 'From the first tab', 'From the second tab']));
    const answers = Object.values(runs).map((run) => getAnswerText(run.choices[0]));
    expect(answers.toSorted()).toEqual(['Answer 1', 'Answer 2', 'Answer 3']);
  });

  it('show an answer live that one of them streams, and whole once it is', async () => {
    const { bench, asked, letGo } = await aHeldTalk('One two');
    await bench.saved();
    const other = await bench.another({ path: address(bench) });
    expect(phase(other)).toMatch(/queued|waiting|streaming/);
    await until(() => lastAnswer(other) === 'One two');
    letGo();
    await asked;
    await until(() => phase(other) === 'complete');
    expect(lastAnswer(other)).toBe('One two, and the rest');
  });

  it('can each stop an answer that the other streams', async () => {
    const { bench, gateway } = await aHeldTalk('One two');
    await bench.saved();
    const other = await bench.another({ path: address(bench) });
    await until(() => lastAnswer(other) === 'One two');
    await other.actions.stop();
    await gateway.posts[0]?.left;
    await until(() => phase(bench) === 'stopped' && phase(other) === 'stopped');
    expect(lastAnswer(other)).toBe('One two');
  });

  it('know an answer as interrupted once the tab that streams it has died', async () => {
    const { bench } = await aHeldTalk('One two');
    await bench.saved();
    const other = await bench.another({ path: address(bench) });
    expect(phase(other)).toMatch(/queued|waiting|streaming/);
    bench.tab.kill();
    await until(() => phase(other) === 'interrupted');
    expect(lastAnswer(other)).toBe('One two');
  });

  it('hear of a new title in their histories', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Before');
    await bench.saved();
    const other = await bench.another({ path: '/history' });
    const { count } = other.library.changes.getState();
    await bench.actions.renameSession('Seen at once');
    await bench.saved();
    await until(() => other.library.changes.getState().count > count);
    expect((await other.library.list()).map(({ title }) => title)).toEqual(['Seen at once']);
  });
});

describe('storage', () => {
  it('that the browser closes in the middle is opened again, without a gap', async () => {
    const opened = new Set<IDBDatabase>();
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const gates = [aGate(), aGate(), aGate()];
    const { bench } = await aTalk(async (answer) => {
      for (const [index, gate] of gates.entries()) {
        answer.text(`${index} `);
        await gate.opened;
      }
      answer.whole('3');
    });
    const asked = ask(bench, 'Count');
    for (const [index, gate] of gates.entries()) {
      await until(() => lastAnswer(bench)?.endsWith(`${index} `) === true);
      for (const connection of transaction.mock.contexts)
        if (connection instanceof IDBDatabase) opened.add(connection);
      for (const connection of opened) connection.close();
      gate.open();
    }
    await asked;
    expect(bench.recorder.problem.getState().message).toBeUndefined();
    const again = await reloaded(bench);
    expect(lastAnswer(again)).toBe('0 1 2 3');
    let next = 0;
    for (const segment of await again.records.readTape(runOf(again).id)) {
      if (!isRecord(segment)) throw new Error('A segment is a record');
      expect(segment['firstSeq'], 'the tape has no gap and no overlap').toBe(next);
      next += Array.isArray(segment['entries']) ? segment['entries'].length : 0;
    }
    expect(next).toBeGreaterThan(3);
  });

  it('with one damaged record keeps all the others, and the damaged one as it is', async () => {
    const { bench } = await aTalk();
    for (const text of ['One', 'Two', 'Three']) await ask(bench, text);
    await bench.saved();
    const { id } = runOf(bench, shownTurn(bench, 2));
    const damaged = { ...runOf(bench, shownTurn(bench, 2)), choices: 'not a list', phase: 7 };
    await putRaw(bench, { runs: damaged, sessions: { id: 'broken', title: 5, laneIds: 'x' } });
    const next = await bench.reopened({ path: address(bench) });
    expect(talkIn(next).map(([said]) => said)).toEqual(['One', 'Two', 'Three']);
    expect(JSON.stringify(talkIn(next))).toMatch(/Answer 1.*Answer 3/);
    await ask(next, 'Four');
    expect(lastAnswer(next)).toBe('Answer 4');
    await next.saved();
    expect(await next.library.list()).toHaveLength(1);
    expect(await next.records.readRecord('runs', id)).toEqual(damaged);
    expect(next.notices.getState().notice?.text).toBe(
      '1 part of this session could not be read and is not shown. Nothing was deleted: save the session as a file to have the raw data.',
    );
  });
});

it('a clock that jumps leaves the order as it was, and no time negative', async () => {
  let now = 1_700_000_000_000;
  let ids = 0;
  const environment = { now: () => (now += 1), newId: () => `id${(ids += 1)}` };
  const gate = aGate();
  const { bench, gateway } = await aTalk(
    async (answer) => {
      answer.text('Some ');
      await gate.opened;
      answer.whole(`words ${gateway.posts.length}`);
    },
    { environment },
  );
  const asked = ask(bench, 'First');
  await until(() => lastAnswer(bench) === 'Some ');
  now -= 3_600_000;
  gate.open();
  await asked;
  await ask(bench, 'Second');
  now += 86_400_000;
  await ask(bench, 'Third');
  now -= 43_200_000;
  for (const tab of [bench, await reloaded(bench)]) {
    expect(talkIn(tab)).toEqual([
      ['First', 'Some words 1'],
      ['Second', 'Some words 2'],
      ['Third', 'Some words 3'],
    ]);
    for (const { words } of drawnReplies(tab)) expect(words).not.toMatch(/[-−]\d+(?:\.\d+)? ?(?:ms|s)\b/);
    for (const run of Object.values(tab.current().runs)) {
      for (const ms of [run.firstTokenMs, run.firstTextMs, run.lastEventMs, run.endedMs])
        expect(ms).toBeGreaterThanOrEqual(0);
    }
  }
});

/** Puts records past the app, as damage to the disk would. */
function putRaw({ browser }: Bench, records: Record<string, object>): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(browser.databaseName);
    opening.addEventListener('error', () => reject(new Error('The database did not open')));
    opening.addEventListener('success', () => {
      const change = opening.result.transaction(Object.keys(records), 'readwrite');
      for (const [store, record] of Object.entries(records)) change.objectStore(store).put(record);
      change.addEventListener('complete', () => {
        opening.result.close();
        resolve();
      });
    });
  });
}
