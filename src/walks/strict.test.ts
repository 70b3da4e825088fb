/**
 * Tests sessions of three turns with tool calls on demo/strict, for each of its quirks, with the embedded demo gateway.
 */
import { expect, it } from 'vitest';

import { quirkNames } from '../demo-gateway/models/quirks.ts';
import { createBench, type Bench } from '../testing/bench.ts';
import { createUserPrompt } from '../testing/builders.ts';
import {
  sendAndWait,
  getLastTurnIds,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { toolKit } from '../testing/demo-requests.ts';

const question = 'The weather and the time in Paris';

function openBench(): Promise<Bench> {
  return createBench({ path: '/', settings: { DEMO_QUIRKS: '1', DEMO_GATEWAY_TOKENS_PER_SECOND: '0' } });
}

function getLastStatus(bench: Bench): string {
  const { phase } = getTurnRun(bench);
  return phase.name === 'failed' ? `failed: ${phase.error?.message}` : phase.name;
}

/** Returns name and arguments of each tool call in the last answer. */
function listLastCalls(bench: Bench): { name: string; arguments: string }[] {
  return (getTurnRun(bench).choices[0]?.parts ?? []).flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
  );
}

/** Sends a result for every tool call of the last answer together with the next message. */
async function sendCallResults(bench: Bench): Promise<void> {
  const results = listLastCalls(bench).map((call, ordinal) => ({
    call: { ...call, ordinal },
    content: '{"temperature": 21}',
  }));
  await bench.actions.sendPrompt({ ...createUserPrompt(question), results });
}

const twoCalls = [
  { name: 'get_weather', arguments: '{"city":"Paris"}' },
  { name: 'get_time', arguments: '{"city":"Paris"}' },
];

it.each(quirkNames)('accepts three turns with tool calls: %s', async (quirk) => {
  const bench = await openBench();
  const fields = {
    tools: JSON.stringify(toolKit),
    'Extra provider fields': JSON.stringify({ demo_quirk: quirk }),
  };
  configureLane(bench, { model: 'demo/strict', fields });
  await sendAndWait(bench, question);
  for (let turn = 1; turn < 3; turn += 1) {
    expect([getLastStatus(bench), listLastCalls(bench)]).toEqual(['complete', twoCalls]);
    await sendCallResults(bench);
  }
  expect([getLastStatus(bench), listLastCalls(bench)]).toEqual(['complete', twoCalls]);

  const reloadedBench = await reloadPage(bench);
  configureLane(reloadedBench, { model: 'demo/tools' });
  await sendCallResults(reloadedBench);
  expect([getLastStatus(reloadedBench), listLastCalls(reloadedBench)]).toEqual(['complete', twoCalls]);
  configureLane(reloadedBench, { model: 'demo/strict' });
  await sendCallResults(reloadedBench);
  expect([getLastStatus(reloadedBench), listLastCalls(reloadedBench)]).toEqual(['complete', twoCalls]);
  const [, answer = ''] = getLaneTranscript(reloadedBench).at(-1) ?? [];
  if (quirk === 'reasoning details') expect(answer).toContain('I received all of my reasoning.');
});

it('rejects a session without its reasoning, as a real provider does', async () => {
  const bench = await openBench();
  const fields = {
    tools: JSON.stringify(toolKit),
    'Extra provider fields': '{"demo_quirk": "reasoning required"}',
  };
  configureLane(bench, { model: 'demo/strict', sendReasoning: 'never', fields });
  await sendAndWait(bench, question);
  await sendCallResults(bench);
  expect(getLastStatus(bench)).toBe(
    'failed: reasoning_content is missing in assistant tool call message at index 1',
  );
});

it('fixes each rejected parameter with one click', async () => {
  const bench = await openBench();
  const fields = {
    max_tokens: '200',
    temperature: '0.3',
    'Extra provider fields': '{"demo_quirk": "newer parameters"}',
  };
  configureLane(bench, { model: 'demo/strict', fields });
  await sendAndWait(bench, question);
  expect(getLastStatus(bench)).toContain("'max_tokens' is not supported");
  await bench.actions.retryWithFixedFields(getLastTurnIds(bench)[0] ?? '');
  expect(getLastStatus(bench)).toContain("'temperature' does not support 0.3");
  await bench.actions.retryWithFixedFields(getLastTurnIds(bench)[0] ?? '');
  expect(getLastStatus(bench)).toBe('complete');
});
