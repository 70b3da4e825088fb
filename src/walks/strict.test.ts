/** Sessions of three turns with calls on demo/strict, for each of its quirks, through the embedded demo gateway. */
import { expect, it } from 'vitest';

import { quirkNames } from '../demo-gateway/models/quirks.ts';
import { aBench, type Bench } from '../testing/bench.ts';
import { spoken } from '../testing/builders.ts';
import { ask, lastTurnIds, reloaded, runOf, setUp, talkIn } from '../testing/conversation-driver.ts';
import { toolKit } from '../testing/demo-requests.ts';

const question = 'The weather and the time in Paris';

function openBench(): Promise<Bench> {
  return aBench({ path: '/', settings: { DEMO_QUIRKS: '1', DEMO_GATEWAY_TOKENS_PER_SECOND: '0' } });
}

function lastStatus(bench: Bench): string {
  const { phase } = runOf(bench);
  return phase.name === 'failed' ? `failed: ${phase.error?.message}` : phase.name;
}

/** The calls of the last answer: names and arguments. */
function lastCalls(bench: Bench): { name: string; arguments: string }[] {
  return (runOf(bench).choices[0]?.parts ?? []).flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
  );
}

/** Sends a result for each call of the last answer, with the next message. */
async function answerCalls(bench: Bench): Promise<void> {
  const results = lastCalls(bench).map((call, ordinal) => ({
    call: { ...call, ordinal },
    content: '{"temperature": 21}',
  }));
  await bench.actions.sendPrompt({ ...spoken(question), results });
}

const twoCalls = [
  { name: 'get_weather', arguments: '{"city":"Paris"}' },
  { name: 'get_time', arguments: '{"city":"Paris"}' },
];

it.each(quirkNames)('accepts three turns with calls: %s', async (quirk) => {
  const bench = await openBench();
  const fields = {
    tools: JSON.stringify(toolKit),
    'Extra provider fields': JSON.stringify({ demo_quirk: quirk }),
  };
  setUp(bench, { model: 'demo/strict', fields });
  await ask(bench, question);
  for (let turn = 1; turn < 3; turn += 1) {
    expect([lastStatus(bench), lastCalls(bench)]).toEqual(['complete', twoCalls]);
    await answerCalls(bench);
  }
  expect([lastStatus(bench), lastCalls(bench)]).toEqual(['complete', twoCalls]);

  const again = await reloaded(bench);
  setUp(again, { model: 'demo/tools' });
  await answerCalls(again);
  expect([lastStatus(again), lastCalls(again)]).toEqual(['complete', twoCalls]);
  setUp(again, { model: 'demo/strict' });
  await answerCalls(again);
  expect([lastStatus(again), lastCalls(again)]).toEqual(['complete', twoCalls]);
  const [, answer = ''] = talkIn(again).at(-1) ?? [];
  if (quirk === 'reasoning details') expect(answer).toContain('I remember my thoughts.');
});

it('rejects a session without its reasoning as a provider does', async () => {
  const bench = await openBench();
  const fields = {
    tools: JSON.stringify(toolKit),
    'Extra provider fields': '{"demo_quirk": "reasoning required"}',
  };
  setUp(bench, { model: 'demo/strict', sendReasoning: 'never', fields });
  await ask(bench, question);
  await answerCalls(bench);
  expect(lastStatus(bench)).toBe(
    'failed: reasoning_content is missing in assistant tool call message at index 1',
  );
});

it('fixes refused parameters in one press each', async () => {
  const bench = await openBench();
  const fields = {
    max_tokens: '200',
    temperature: '0.3',
    'Extra provider fields': '{"demo_quirk": "newer parameters"}',
  };
  setUp(bench, { model: 'demo/strict', fields });
  await ask(bench, question);
  expect(lastStatus(bench)).toContain("'max_tokens' is not supported");
  await bench.actions.fixFields(lastTurnIds(bench)[0] ?? '');
  expect(lastStatus(bench)).toContain("'temperature' does not support 0.3");
  await bench.actions.fixFields(lastTurnIds(bench)[0] ?? '');
  expect(lastStatus(bench)).toBe('complete');
});
