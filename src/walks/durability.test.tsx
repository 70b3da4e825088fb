/** Tests that messages and answers survive page, clock and storage failures in every tab. */
import { describe, expect, it, vi } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { isRecord } from '../lib/json.ts';
import type { Bench } from '../testing/bench.ts';
import { createGate } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { waitForAssertion, waitUntil } from '../testing/wait-until.ts';

function getAddress(bench: Bench): string {
  return bench.tab.visitedPaths.at(-1) ?? '/';
}

function getPhase(bench: Bench): string {
  return getTurnRun(bench).phase.name;
}

function getLastAnswer(bench: Bench): string | undefined {
  return getLaneTranscript(bench).at(-1)?.[1];
}

/** Streams these texts and keeps the stream open until `finishAnswer` is called. */
async function createPausedConversation(...texts: string[]) {
  const gate = createGate();
  const conversation = await createConversation(async (answer) => {
    for (const word of texts) answer.sendText(word);
    await gate.opened;
    answer.sendText(', and the rest');
    answer.sendFinishReason();
    answer.sendDone();
  });
  const sendPromise = sendAndWait(conversation.bench, 'Count');
  await waitUntil(() => getLastAnswer(conversation.bench) === texts.join(''));
  return { ...conversation, sendPromise, finishAnswer: gate.open };
}

describe('reload', () => {
  it('shows the received text as interrupted after a reload mid-answer and sends nothing again', async () => {
    const { bench, gateway } = await createPausedConversation('One ', 'two ', 'three');
    let tab = bench;
    for (const visit of ['first', 'second']) {
      tab = await reloadPage(tab);
      expect(getLaneTranscript(tab), visit).toEqual([['Count', 'One two three']]);
      expect(getPhase(tab)).toBe('interrupted');
      expect(renderReplies(tab)[0]?.text).toContain('3 tokens were saved');
    }
    await gateway.posts[0]?.disconnection;
    expect(gateway.posts).toHaveLength(1);

    gateway.setChatScript((answer) => answer.sendAnswer('One two three four'));
    await tab.actions.regenerate([getLaneTurn(tab).id]);
    expect(getLastAnswer(tab)).toBe('One two three four');
    tab.actions.stepAnswer(getLaneTurn(tab).id, -1);
    expect(getPhase(tab)).toBe('interrupted');
  });

  it('marks an answer as interrupted if the page reloads before anything is stored', async () => {
    const { bench } = await createPausedConversation('One two three');
    const reopenedBench = await bench.reopen({ path: getAddress(bench) });
    expect(getLaneTranscript(reopenedBench)[0]?.[0]).toBe('Count');
    expect(getPhase(reopenedBench)).toBe('interrupted');
  });

  it('keeps the prompt after a reload before the first byte and reports that nothing was received', async () => {
    const { bench, gateway } = await createConversation(() => undefined);
    void sendAndWait(bench, 'First');
    await waitUntil(() => gateway.posts.length === 1);
    const reloadedBench = await reloadPage(bench);
    expect(getLaneTranscript(reloadedBench)).toEqual([['First', '']]);
    expect(renderReplies(reloadedBench)[0]?.text).toContain('Nothing was received');
  });

  it('keeps parameters, system prompt and model after a reload, including unsent parameters', async () => {
    const { bench, gateway } = await createConversation();
    configureLane(bench, { model: 'north/two', system: 'Answer in verse.', fields: { temperature: '0.3' } });
    const [laneId = ''] = bench.getOpenSession().session.laneIds;
    bench.actions.changeSetups([laneId], (setup) => ({
      ...setup,
      params: { ...setup.params, max_tokens: { sent: false, text: '99' } },
    }));
    const reloadedBench = await reloadPage(bench);
    await sendAndWait(reloadedBench, 'Go');
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
    const secondReload = await reloadPage(reloadedBench);
    expect(secondReload.getOpenSession().lanes[laneId]?.setup.params['max_tokens']).toEqual({
      sent: false,
      text: '99',
    });
  });
});

describe('two tabs', () => {
  it('shows the same session in two tabs and keeps the changes from both', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'From the first tab');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: getAddress(bench) });
    expect(getLaneTranscript(otherTab)).toEqual([['From the first tab', 'Answer 1']]);
    await sendAndWait(otherTab, 'From the second tab');
    await waitUntil(() => getLaneTranscript(bench).length === 2 && getLastAnswer(bench) === 'Answer 2');
    await sendAndWait(bench, 'And back');
    await waitUntil(() => getLaneTranscript(otherTab).length === 3);
    const sendPromise = sendAndWait(bench, 'At once, said');
    configureLane(otherTab, { system: 'At once, set up' });
    await sendPromise;
    const [laneId = ''] = bench.getOpenSession().session.laneIds;
    await waitForAssertion(() => {
      for (const tab of [bench, otherTab]) {
        expect(tab.getOpenSession().lanes[laneId]?.setup.system).toBe('At once, set up');
        expect(getLaneTranscript(tab).map(([prompt]) => prompt)).toEqual([
          'From the first tab',
          'From the second tab',
          'And back',
          'At once, said',
        ]);
      }
    });
    await otherTab.waitUntilSaved();
    const reloadedBench = await reloadPage(bench);
    expect(getLaneTranscript(reloadedBench)).toHaveLength(4);
    expect(reloadedBench.getOpenSession().lanes[laneId]?.setup.system).toBe('At once, set up');
  });

  it('keeps prompts sent by two tabs at the same time as sibling versions', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Before');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: getAddress(bench) });
    await Promise.all([
      sendAndWait(bench, 'From the first tab'),
      sendAndWait(otherTab, 'From the second tab'),
    ]);
    await Promise.all([bench.waitUntilSaved(), otherTab.waitUntilSaved()]);
    const thirdTab = await bench.openAnotherTab({ path: getAddress(bench) });
    const { prompts, runs } = thirdTab.getOpenSession();
    const contents = Object.values(prompts).flatMap(({ messages }) => messages.map(({ content }) => content));
    expect(contents).toEqual(expect.arrayContaining(['Before', 'From the first tab', 'From the second tab']));
    const answers = Object.values(runs).map((run) => getAnswerText(run.choices[0]));
    expect(answers.toSorted()).toEqual(['Answer 1', 'Answer 2', 'Answer 3']);
  });

  it('shows an answer live in a second tab, and the complete answer when it ends', async () => {
    const { bench, sendPromise, finishAnswer } = await createPausedConversation('One two');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: getAddress(bench) });
    expect(getPhase(otherTab)).toMatch(/queued|waiting|streaming/);
    await waitUntil(() => getLastAnswer(otherTab) === 'One two');
    finishAnswer();
    await sendPromise;
    await waitUntil(() => getPhase(otherTab) === 'complete');
    expect(getLastAnswer(otherTab)).toBe('One two, and the rest');
  });

  it('stops an answer that another tab streams', async () => {
    const { bench, gateway } = await createPausedConversation('One two');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: getAddress(bench) });
    await waitUntil(() => getLastAnswer(otherTab) === 'One two');
    await otherTab.actions.stop();
    await gateway.posts[0]?.disconnection;
    await waitUntil(() => getPhase(bench) === 'stopped' && getPhase(otherTab) === 'stopped');
    expect(getLastAnswer(otherTab)).toBe('One two');
  });

  it('marks an answer as interrupted when the tab that streams it crashes', async () => {
    const { bench } = await createPausedConversation('One two');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: getAddress(bench) });
    expect(getPhase(otherTab)).toMatch(/queued|waiting|streaming/);
    bench.tab.kill();
    await waitUntil(() => getPhase(otherTab) === 'interrupted');
    expect(getLastAnswer(otherTab)).toBe('One two');
  });

  it('announces a new title to the history in other tabs', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Before');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: '/history' });
    const { count } = otherTab.library.changes.getState();
    await bench.actions.renameSession('Seen at once');
    await bench.waitUntilSaved();
    await waitUntil(() => otherTab.library.changes.getState().count > count);
    expect((await otherTab.library.list()).map(({ title }) => title)).toEqual(['Seen at once']);
  });
});

describe('failing storage', () => {
  it('reopens a database that the browser closed mid-answer and stores the answer without gaps', async () => {
    const openConnections = new Set<IDBDatabase>();
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const gates = [createGate(), createGate(), createGate()];
    const { bench } = await createConversation(async (answer) => {
      for (const [index, gate] of gates.entries()) {
        answer.sendText(`${index} `);
        await gate.opened;
      }
      answer.sendAnswer('3');
    });
    const sendPromise = sendAndWait(bench, 'Count');
    for (const [index, gate] of gates.entries()) {
      await waitUntil(() => getLastAnswer(bench)?.endsWith(`${index} `) === true);
      for (const connection of transaction.mock.contexts)
        if (connection instanceof IDBDatabase) openConnections.add(connection);
      for (const connection of openConnections) connection.close();
      gate.open();
    }
    await sendPromise;
    expect(bench.recorder.problem.getState().message).toBeUndefined();
    const reloadedBench = await reloadPage(bench);
    expect(getLastAnswer(reloadedBench)).toBe('0 1 2 3');
    let expectedSeq = 0;
    for (const segment of await reloadedBench.records.readTape(getTurnRun(reloadedBench).id)) {
      if (!isRecord(segment)) throw new Error('A segment must be a record');
      expect(segment['firstSeq'], 'the tape has no gap and no overlap').toBe(expectedSeq);
      expectedSeq += Array.isArray(segment['entries']) ? segment['entries'].length : 0;
    }
    expect(expectedSeq).toBeGreaterThan(3);
  });

  it('leaves a damaged record unchanged and keeps all other records', async () => {
    const { bench } = await createConversation();
    for (const text of ['One', 'Two', 'Three']) await sendAndWait(bench, text);
    await bench.waitUntilSaved();
    const { id } = getTurnRun(bench, getLaneTurn(bench, 2));
    const damagedRun = { ...getTurnRun(bench, getLaneTurn(bench, 2)), choices: 'not a list', phase: 7 };
    await writeRawRecords(bench, { runs: damagedRun, sessions: { id: 'broken', title: 5, laneIds: 'x' } });
    const reopenedBench = await bench.reopen({ path: getAddress(bench) });
    expect(getLaneTranscript(reopenedBench).map(([prompt]) => prompt)).toEqual(['One', 'Two', 'Three']);
    expect(JSON.stringify(getLaneTranscript(reopenedBench))).toMatch(/Answer 1.*Answer 3/);
    await sendAndWait(reopenedBench, 'Four');
    expect(getLastAnswer(reopenedBench)).toBe('Answer 4');
    await reopenedBench.waitUntilSaved();
    expect(await reopenedBench.library.list()).toHaveLength(1);
    expect(await reopenedBench.records.readRecord('runs', id)).toEqual(damagedRun);
    expect(reopenedBench.notices.getState().notice?.text).toBe(
      '1 part of this session could not be read and is not shown. Nothing was deleted. Export the session to get the raw data.',
    );
  });
});

it('keeps the order of messages and shows no negative durations if the clock jumps', async () => {
  let nowMs = 1_700_000_000_000;
  let idCount = 0;
  const environment = { now: () => (nowMs += 1), newId: () => `id${(idCount += 1)}` };
  const gate = createGate();
  const { bench, gateway } = await createConversation(
    async (answer) => {
      answer.sendText('Some ');
      await gate.opened;
      answer.sendAnswer(`words ${gateway.posts.length}`);
    },
    { environment },
  );
  const sendPromise = sendAndWait(bench, 'First');
  await waitUntil(() => getLastAnswer(bench) === 'Some ');
  nowMs -= 3_600_000;
  gate.open();
  await sendPromise;
  await sendAndWait(bench, 'Second');
  nowMs += 86_400_000;
  await sendAndWait(bench, 'Third');
  nowMs -= 43_200_000;
  for (const tab of [bench, await reloadPage(bench)]) {
    expect(getLaneTranscript(tab)).toEqual([
      ['First', 'Some words 1'],
      ['Second', 'Some words 2'],
      ['Third', 'Some words 3'],
    ]);
    for (const { text } of renderReplies(tab)) expect(text).not.toMatch(/[-−]\d+(?:\.\d+)? ?(?:ms|s)\b/);
    for (const run of Object.values(tab.getOpenSession().runs)) {
      for (const ms of [run.firstTokenMs, run.firstTextMs, run.lastEventMs, run.endedMs])
        expect(ms).toBeGreaterThanOrEqual(0);
    }
  }
});

/** Writes records without the app, to simulate damaged storage. */
function writeRawRecords({ browser }: Bench, records: Record<string, object>): Promise<void> {
  return new Promise((resolve, reject) => {
    const openRequest = indexedDB.open(browser.databaseName);
    openRequest.addEventListener('error', () => reject(new Error('The database did not open')));
    openRequest.addEventListener('success', () => {
      const transaction = openRequest.result.transaction(Object.keys(records), 'readwrite');
      for (const [store, record] of Object.entries(records)) transaction.objectStore(store).put(record);
      transaction.addEventListener('complete', () => {
        openRequest.result.close();
        resolve();
      });
    });
  });
}
