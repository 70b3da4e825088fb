/**
 * Tests two tabs that send in one session at the same time, in many orders: both succeed and end in the same state.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getContentText } from '../conversation/request/request.ts';
import { getRunId } from '../conversation/session/turn-tree.ts';
import type { Bench } from '../testing/bench.ts';
import { createGate } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  getLaneTurn,
} from '../testing/conversation-driver.ts';
import type { ChatScript } from '../testing/scripted-gateway.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { waitForAssertion, waitUntil } from '../testing/wait-until.ts';

const waitTicks = async (count: number) => {
  for (let tick = 0; tick < count; tick += 1)
    await new Promise<void>((resolve) => void setImmediate(resolve));
};

const listPrompts = (bench: Bench) =>
  Object.values(bench.getOpenSession().prompts)
    .flatMap(({ messages }) => messages.map(({ content }) => getContentText(content)))
    .toSorted();

const listPhases = (bench: Bench) =>
  Object.values(bench.getOpenSession().runs).map(({ phase }) => phase.name);

/** Returns the sequence numbers of all prompts and turns, sorted. */
function listOrders(bench: Bench): number[] {
  const { prompts, turns: sessionTurns } = bench.getOpenSession();
  return [...Object.values(prompts), ...Object.values(sessionTurns)]
    .map(({ seq }) => seq)
    .toSorted((a, b) => a - b);
}

const tabActions = {
  sends: (tab: Bench) => sendAndWait(tab, 'One more'),
  'asks again': (tab: Bench) => tab.actions.regenerate(getLastTurnIds(tab)),
  'edits and sends': (tab: Bench) =>
    tab.actions.editPrompt(getLastTurnIds(tab), [{ role: 'user', content: 'Better' }], true),
  'edits for later': (tab: Bench) =>
    tab.actions.editPrompt(getLastTurnIds(tab), [{ role: 'user', content: 'Later' }], false),
  'sends tool results': (tab: Bench) =>
    tab.actions.sendPrompt({
      messages: [],
      results: [{ call: { name: 'weather', ordinal: 0, arguments: '{}' }, content: 'Rain' }],
    }),
  'does nothing': () => Promise.resolve(),
};
type TabAction = keyof typeof tabActions;
const tabActionNames = Object.keys(tabActions).filter((name): name is TabAction => name in tabActions);

/** Returns runs that no turn refers to: received and stored, but never visible. */
function findStrayRuns(bench: Bench): string[] {
  const { runs, turns: sessionTurns } = bench.getOpenSession();
  const reachableIds = new Set(Object.values(sessionTurns).map(getRunId));
  return Object.keys(runs).filter((id) => !reachableIds.has(id));
}

async function createTwoTabs(script?: ChatScript) {
  const conversation = await createConversation(script);
  await sendAndWait(conversation.bench, 'Before');
  await conversation.bench.waitUntilSaved();
  const otherTab = await conversation.bench.openAnotherTab({
    path: conversation.bench.tab.visitedPaths.at(-1) ?? '/',
  });
  return { ...conversation, otherTab };
}

describe('two tabs on one session', () => {
  it('sends all prompts from two tabs at the same time and loses none, stops none and gives each its own sequence number', async () => {
    const conversation = await createTwoTabs();
    const { bench, otherTab, gateway } = conversation;
    const expected = ['Before'];
    const arbitraryWait = fc.nat({ max: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(arbitraryWait, arbitraryWait, fc.nat({ max: 2 }), fc.nat({ max: 2 })),
        async (inputs) => {
          const [wait, otherWait, extra, otherExtra] = inputs;
          const sendPrompts = async (tab: Bench, waits: number, extraCount: number, name: string) => {
            const sent: Promise<void>[] = [];
            for (let index = 0; index <= extraCount; index += 1) {
              await waitTicks(waits);
              const text = `${name} ${expected.length}`;
              expected.push(text);
              sent.push(sendAndWait(tab, text));
            }
            await Promise.all(sent);
          };
          await Promise.all([
            sendPrompts(bench, wait, extra, 'one'),
            sendPrompts(otherTab, otherWait, otherExtra, 'other'),
          ]);
          await Promise.all([bench.waitUntilSaved(), otherTab.waitUntilSaved()]);
          await waitForAssertion(() => {
            for (const tab of [bench, otherTab]) {
              expect(listPrompts(tab)).toEqual(expected.toSorted());
              expect(new Set(listPhases(tab))).toEqual(new Set(['complete']));
            }
          });
          expect(gateway.posts).toHaveLength(expected.length);
          expect(new Set(listOrders(bench)).size).toBe(listOrders(bench).length);
          expect(listOrders(otherTab)).toEqual(listOrders(bench));
        },
      ),
      { numRuns: getCaseCount(12) },
    );
    const thirdTab = await bench.openAnotherTab({ path: bench.tab.visitedPaths.at(-1) ?? '/' });
    expect(listPrompts(thirdTab)).toEqual(expected.toSorted());
    expect(new Set(listOrders(thirdTab)).size).toBe(listOrders(thirdTab).length);
  });

  it('keeps concurrent actions of two tabs: every request has an answer and every answer has a turn', async () => {
    const { bench, otherTab, gateway } = await createTwoTabs((answer) => {
      answer.sendText('Let me see.');
      answer.sendToolCall(0, 'call_1', 'weather', '{}');
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    const arbitraryAction = fc.constantFrom(...tabActionNames);
    const arbitraryWait = fc.nat({ max: 40 });
    await fc.assert(
      fc.asyncProperty(
        arbitraryAction,
        arbitraryAction,
        arbitraryWait,
        arbitraryWait,
        async (firstAction, secondAction, firstWait, secondWait) => {
          const runAfter = async (tab: Bench, wait: number, name: TabAction) => {
            await waitTicks(wait);
            await tabActions[name](tab);
          };
          await Promise.all([
            runAfter(bench, firstWait, firstAction),
            runAfter(otherTab, secondWait, secondAction),
          ]);
          await Promise.all([bench.waitUntilSaved(), otherTab.waitUntilSaved()]);
          await waitForAssertion(() => {
            expect(otherTab.getOpenSession().turns).toEqual(bench.getOpenSession().turns);
            expect(otherTab.getOpenSession().prompts).toEqual(bench.getOpenSession().prompts);
            for (const tab of [bench, otherTab]) {
              expect(new Set(listPhases(tab))).toEqual(new Set(['complete']));
              expect(listPhases(tab)).toHaveLength(gateway.posts.length);
              expect(findStrayRuns(tab)).toEqual([]);
              expect(new Set(listOrders(tab)).size).toBe(listOrders(tab).length);
            }
          });
        },
      ),
      {
        numRuns: getCaseCount(20),
        examples: [
          ['edits for later', 'does nothing', 0, 0],
          ['asks again', 'asks again', 0, 0],
          ['sends tool results', 'sends tool results', 0, 0],
          ['edits for later', 'edits and sends', 0, 0],
        ],
      },
    );
    const thirdTab = await bench.openAnotherTab({ path: bench.tab.visitedPaths.at(-1) ?? '/' });
    expect(thirdTab.getOpenSession().turns).toEqual(bench.getOpenSession().turns);
    expect(listPhases(thirdTab)).toHaveLength(gateway.posts.length);
  });

  it('keeps the prompts of both tabs if an answer in the other tab is still arriving', async () => {
    const gate = createGate();
    const { bench, gateway } = await createConversation(async (answer) => {
      answer.sendText('Half');
      if (gateway.posts.length === 2) await gate.opened;
      answer.sendAnswer(` and ${gateway.posts.length}`);
    });
    await sendAndWait(bench, 'Before');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab({ path: bench.tab.visitedPaths.at(-1) ?? '/' });
    const firstRequest = sendAndWait(bench, 'From the first tab');
    await waitUntil(
      () => getLaneTurn(otherTab).id === getLaneTurn(bench).id && listPhases(otherTab).includes('streaming'),
    );
    await sendAndWait(otherTab, 'From the second tab');
    expect(gateway.posts[2]?.body['messages']).toMatchObject([
      { role: 'user', content: 'Before' },
      { role: 'assistant' },
      { role: 'user', content: 'From the second tab' },
    ]);
    gate.open();
    await firstRequest;
    await waitForAssertion(() => {
      for (const tab of [bench, otherTab]) {
        expect(new Set(listPhases(tab))).toEqual(new Set(['complete']));
        expect(listPrompts(tab)).toEqual(['Before', 'From the first tab', 'From the second tab']);
      }
    });
  });
});

it('closes a session in the tab that has it open when another tab deletes it', async () => {
  const { bench, otherTab } = await createTwoTabs();
  const { id } = bench.getOpenSession().session;
  await otherTab.library.remove(id);
  await waitUntil(() => bench.session.getState().missingId === id);
  await bench.waitUntilSaved();
  expect(await bench.library.list()).toEqual([]);
});
