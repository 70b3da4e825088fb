/** Two tabs that send into one session at the same moment, in many orders: both are heard, and both tabs end up alike. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getContentText } from '../conversation/request/request.ts';
import { getRunId } from '../conversation/session/turn-tree.ts';
import type { Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, lastTurnIds, shownTurn } from '../testing/conversation-driver.ts';
import type { ChatScript } from '../testing/scripted-gateway.ts';
import { cases } from '../testing/seeds.ts';
import { eventually, until } from '../testing/wait-until.ts';

const turns = async (count: number) => {
  for (let at = 0; at < count; at += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
};

const saidIn = (bench: Bench) =>
  Object.values(bench.current().prompts)
    .flatMap(({ messages }) => messages.map(({ content }) => getContentText(content)))
    .toSorted();

const phasesIn = (bench: Bench) => Object.values(bench.current().runs).map(({ phase }) => phase.name);

/** The numbers that order prompts, and those that order turns. */
function ordersIn(bench: Bench): number[] {
  const { prompts, turns: answered } = bench.current();
  return [...Object.values(prompts), ...Object.values(answered)]
    .map(({ seq }) => seq)
    .toSorted((one, next) => one - next);
}

const acts = {
  sends: (tab: Bench) => ask(tab, 'One more'),
  'asks again': (tab: Bench) => tab.actions.regenerate(lastTurnIds(tab)),
  'edits and sends': (tab: Bench) =>
    tab.actions.editPrompt(lastTurnIds(tab), [{ role: 'user', content: 'Better' }], true),
  'edits for later': (tab: Bench) =>
    tab.actions.editPrompt(lastTurnIds(tab), [{ role: 'user', content: 'Later' }], false),
  'sends tool results': (tab: Bench) =>
    tab.actions.sendPrompt({
      messages: [],
      results: [{ call: { name: 'weather', ordinal: 0, arguments: '{}' }, content: 'Rain' }],
    }),
  'does nothing': () => Promise.resolve(),
};
type Act = keyof typeof acts;
const actNames = Object.keys(acts).filter((name): name is Act => name in acts);

/** Runs that no turn leads to: received, kept, and to be seen nowhere. */
function strayRunsIn(bench: Bench): string[] {
  const { runs, turns: answered } = bench.current();
  const reached = new Set(Object.values(answered).map(getRunId));
  return Object.keys(runs).filter((id) => !reached.has(id));
}

async function twoTabs(script?: ChatScript) {
  const talk = await aTalk(script);
  await ask(talk.bench, 'Before');
  await talk.bench.saved();
  const other = await talk.bench.another({ path: talk.bench.tab.visited.at(-1) ?? '/' });
  return { ...talk, other };
}

describe('two tabs on one session', () => {
  it('both send whatever they do at the same moment; nothing is stopped, nothing lost, nothing ties', async () => {
    const talk = await twoTabs();
    const { bench, other, gateway } = talk;
    const expected = ['Before'];
    const pause = fc.nat({ max: 40 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(pause, pause, fc.nat({ max: 2 }), fc.nat({ max: 2 })), async (asked) => {
        const [wait, otherWait, extra, otherExtra] = asked;
        const speak = async (tab: Bench, waits: number, more: number, name: string) => {
          const sent: Promise<void>[] = [];
          for (let at = 0; at <= more; at += 1) {
            await turns(waits);
            const text = `${name} ${expected.length}`;
            expected.push(text);
            sent.push(ask(tab, text));
          }
          await Promise.all(sent);
        };
        await Promise.all([speak(bench, wait, extra, 'one'), speak(other, otherWait, otherExtra, 'other')]);
        await Promise.all([bench.saved(), other.saved()]);
        await eventually(() => {
          for (const tab of [bench, other]) {
            expect(saidIn(tab)).toEqual(expected.toSorted());
            expect(new Set(phasesIn(tab))).toEqual(new Set(['complete']));
          }
        });
        expect(gateway.posts).toHaveLength(expected.length);
        expect(new Set(ordersIn(bench)).size).toBe(ordersIn(bench).length);
        expect(ordersIn(other)).toEqual(ordersIn(bench));
      }),
      { numRuns: cases(12) },
    );
    const third = await bench.another({ path: bench.tab.visited.at(-1) ?? '/' });
    expect(saidIn(third)).toEqual(expected.toSorted());
    expect(new Set(ordersIn(third)).size).toBe(ordersIn(third).length);
  });

  it('keep whatever is done in both at the same moment: every request has its answer, and every answer a place', async () => {
    const { bench, other, gateway } = await twoTabs((answer) => {
      answer.text('Let me see.');
      answer.toolCall(0, 'call_1', 'weather', '{}');
      answer.finish('tool_calls');
      answer.done();
    });
    const act = fc.constantFrom(...actNames);
    const wait = fc.nat({ max: 40 });
    await fc.assert(
      fc.asyncProperty(act, act, wait, wait, async (mine, theirs, myWait, theirWait) => {
        const after = async (tab: Bench, wait: number, name: Act) => {
          await turns(wait);
          await acts[name](tab);
        };
        await Promise.all([after(bench, myWait, mine), after(other, theirWait, theirs)]);
        await Promise.all([bench.saved(), other.saved()]);
        await eventually(() => {
          expect(other.current().turns).toEqual(bench.current().turns);
          expect(other.current().prompts).toEqual(bench.current().prompts);
          for (const tab of [bench, other]) {
            expect(new Set(phasesIn(tab))).toEqual(new Set(['complete']));
            expect(phasesIn(tab)).toHaveLength(gateway.posts.length);
            expect(strayRunsIn(tab)).toEqual([]);
            expect(new Set(ordersIn(tab)).size).toBe(ordersIn(tab).length);
          }
        });
      }),
      {
        numRuns: cases(20),
        examples: [
          ['edits for later', 'does nothing', 0, 0],
          ['asks again', 'asks again', 0, 0],
          ['sends tool results', 'sends tool results', 0, 0],
          ['edits for later', 'edits and sends', 0, 0],
        ],
      },
    );
    const third = await bench.another({ path: bench.tab.visited.at(-1) ?? '/' });
    expect(third.current().turns).toEqual(bench.current().turns);
    expect(phasesIn(third)).toHaveLength(gateway.posts.length);
  });

  it('stand beside each other where the answer of one is still arriving in the other', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTalk(async (answer) => {
      answer.text('Half');
      if (gateway.posts.length === 2) await gate.opened;
      answer.whole(` and ${gateway.posts.length}`);
    });
    await ask(bench, 'Before');
    await bench.saved();
    const other = await bench.another({ path: bench.tab.visited.at(-1) ?? '/' });
    const first = ask(bench, 'From the first tab');
    await until(() => shownTurn(other).id === shownTurn(bench).id && phasesIn(other).includes('streaming'));
    await ask(other, 'From the second tab');
    expect(gateway.posts[2]?.body['messages']).toMatchObject([
      { role: 'user', content: 'Before' },
      { role: 'assistant' },
      { role: 'user', content: 'From the second tab' },
    ]);
    gate.open();
    await first;
    await eventually(() => {
      for (const tab of [bench, other]) {
        expect(new Set(phasesIn(tab))).toEqual(new Set(['complete']));
        expect(saidIn(tab)).toEqual(['Before', 'From the first tab', 'From the second tab']);
      }
    });
  });
});

it('a session that is deleted in another tab is gone where it was answered, and stays so', async () => {
  const { bench, other } = await twoTabs();
  const { id } = bench.current().session;
  await other.library.remove(id);
  await until(() => bench.session.getState().missingId === id);
  await bench.saved();
  expect(await bench.library.list()).toEqual([]);
});
