/** Sessions of three turns with calls, in front of providers that refuse what real ones refuse about their own fields. */
import { describe, expect, it } from 'vitest';

import { isRecord, stringProperty } from '../lib/json.ts';
import { aBench, type Bench } from '../testing/bench.ts';
import { spoken } from '../testing/builders.ts';
import type { ChatScript, ScriptedAnswer, ScriptedGateway } from '../testing/scripted-gateway.ts';
import { ask, aTalk, reloaded, runOf, setUp, talkIn } from '../testing/talk.ts';

/** One chunk of a stream as text, so that its bytes are the test's own. */
function sendRaw(answer: ScriptedAnswer, delta: string): void {
  if (!answer.response.headersSent) answer.open();
  answer.raw(`data: {"choices":[{"index":0,"delta":${delta},"finish_reason":null}]}\n\n`);
}

function listMessages(body: Record<string, unknown>): Record<string, unknown>[] {
  const messages = body['messages'];
  return Array.isArray(messages) ? messages.filter(isRecord) : [];
}

function listCalls(message: Record<string, unknown>): Record<string, unknown>[] {
  const calls = message['tool_calls'];
  return Array.isArray(calls) ? calls.filter(isRecord) : [];
}

interface Provider {
  name: string;
  /** Deltas of each answer that makes calls. */
  deltas: string[];
  /** What is wrong with an assistant message that came back; undefined where nothing is. */
  check: (message: Record<string, unknown>) => string | undefined;
}

const signature = '{"google":{"thought_signature":"CpEF\\u003d\\/=="}}';
const details = [
  '{"reasoning_details":[{"type":"reasoning.text","text":"Let me ","index":0,"format":"v1"}]}',
  '{"reasoning_details":[{"type":"reasoning.text","text":"look.","index":0,"signature":"c2ln"}]}',
  '{"reasoning_details":[{"type":"reasoning.encrypted","data":"QUJD","index":1,"id":"rs_1"}]}',
];
const call = (extra: string, index = 0) =>
  `{"tool_calls":[{"index":${index},"id":"call_${index}_%","type":"function","function":{"name":"look","arguments":"{}"}${extra}}]}`;

const same = (value: unknown, expected: string) =>
  JSON.stringify(value) === JSON.stringify(JSON.parse(expected)) ? undefined : `got ${JSON.stringify(value)}`;

const providers: Provider[] = [
  {
    name: 'a signature on the first of two parallel calls',
    deltas: [call(`,"extra_content":${signature}`), call('', 1)],
    check: (message) => {
      const [first, second] = listCalls(message);
      return (
        same(first?.['extra_content'], signature) ??
        (second && 'extra_content' in second ? 'second' : undefined)
      );
    },
  },
  {
    name: 'extra content on an empty last delta',
    deltas: [call(''), `{"content":"","extra_content":${signature}}`],
    check: (message) => same(message['extra_content'], signature),
  },
  ...['reasoning_content', 'reasoning'].map((field) => ({
    name: `${field} beside calls`,
    deltas: [`{"${field}":"I shall "}`, `{"${field}":"look."}`, call('')],
    check: (message: Record<string, unknown>) => same(message[field], '"I shall look."'),
  })),
  {
    name: 'reasoning details in pieces',
    deltas: [...details, call('')],
    check: (message) =>
      same(
        message['reasoning_details'],
        '[{"type":"reasoning.text","text":"Let me look.","index":0,"format":"v1","signature":"c2ln"},{"type":"reasoning.encrypted","data":"QUJD","index":1,"id":"rs_1"}]',
      ),
  },
  {
    name: 'thinking blocks and fields of the gateway',
    deltas: [
      '{"thinking_blocks":[{"type":"thinking","thinking":"Hm"}],"reasoning_content":"Hm"}',
      '{"thinking_blocks":[{"type":"thinking","signature":"c2ln"}]}',
      call(',"provider_specific_fields":{"a":[1,{"b":null}]}'),
    ],
    check: (message) =>
      same(message['thinking_blocks'], '[{"type":"thinking","thinking":"Hm","signature":"c2ln"}]') ??
      same(listCalls(message)[0]?.['provider_specific_fields'], '{"a":[1,{"b":null}]}'),
  },
];

/** Refuses as the provider does; a request of another model must hold nothing that is unknown. */
function strict({ deltas, check }: Provider): ChatScript {
  let number = 0;
  return (answer, { body }) => {
    const isOwn = stringProperty(body, 'model') === 'north/one';
    for (const message of listMessages(body)) {
      const refuse = (text: string) =>
        answer.json(400, { error: { message: text, type: 'invalid_request_error' } });
      if (message['role'] === 'tool' && stringProperty(message, 'name') !== 'look')
        return refuse('name is missing');
      if (message['role'] !== 'assistant') continue;
      if (!isOwn) {
        const unknown = Object.keys(message).filter(
          (key) => !['role', 'content', 'tool_calls'].includes(key),
        );
        const inCalls = listCalls(message).flatMap((each) => Object.keys(each));
        if (unknown.length > 0 || inCalls.some((key) => !['id', 'type', 'function'].includes(key)))
          return refuse(`Extra inputs are not permitted: ${unknown.join()}`);
        if (listCalls(message).some(({ id }) => !/^[A-Za-z0-9]{9}$/.test(String(id))))
          return refuse('Bad id');
        continue;
      }
      const fault = listCalls(message).length > 0 ? check(message) : undefined;
      if (fault !== undefined) return refuse(`A field must be passed back: ${fault}`);
    }
    if (!isOwn) return answer.whole('Understood.');
    number += 1;
    for (const delta of deltas) sendRaw(answer, delta.replaceAll('%', String(number)));
    answer.finish('tool_calls');
    answer.done();
  };
}

/** Sends these results for all calls of the last answer, with the next message. */
async function answerCalls(bench: Bench, text: string): Promise<void> {
  const calls = (runOf(bench).choices[0]?.parts ?? []).filter(({ type }) => type === 'tool-call');
  await bench.actions.sendPrompt({
    ...spoken(text),
    results: calls.map((_, ordinal) => ({
      call: { name: 'look', ordinal, arguments: '{}' },
      content: 'seen',
    })),
  });
}

function lastStatus(bench: Bench): string {
  const { phase } = runOf(bench);
  return phase.name === 'failed' ? `failed: ${phase.error?.message}` : phase.name;
}

async function threeTurns(provider: Provider): Promise<{ bench: Bench; gateway: ScriptedGateway }> {
  const talk = await aTalk(strict(provider));
  setUp(talk.bench, { model: 'north/one' });
  await ask(talk.bench, 'Go');
  await answerCalls(talk.bench, 'And?');
  expect(lastStatus(talk.bench)).toBe('complete');
  await answerCalls(talk.bench, 'More?');
  expect(lastStatus(talk.bench)).toBe('complete');
  return talk;
}

describe.each(providers)('$name', (provider) => {
  it('goes back to the model that wrote it over three turns, a reload, Run again and a change of the model', async () => {
    const { bench } = await threeTurns(provider);
    const again = await reloaded(bench);
    await answerCalls(again, 'After the reload?');
    expect(lastStatus(again)).toBe('complete');
    await again.actions.runAgain();
    expect(lastStatus(again)).toBe('complete');
    setUp(again, { model: 'south/two' });
    await answerCalls(again, 'Another model?');
    expect(lastStatus(again)).toBe('complete');
    expect(talkIn(again).at(-1)?.[1]).toBe('Understood.');
    setUp(again, { model: 'north/one' });
    await ask(again, 'Back?');
    expect(lastStatus(again)).toBe('complete');
  });

  it('survives an export and an import into another profile', async () => {
    const { bench, gateway } = await threeTurns(provider);
    await bench.saved();
    const file = await bench.files.exporter.json(bench.current().session.id);
    const text = (file?.pieces ?? []).join('');
    const other = await aBench({ url: gateway.url, path: '/' });
    const outcome = await other.files.importFile(new File([text], 'session.json'));
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(outcome.droppedFields).toBe(0);
    const opened = await other.reopened({ path: `/s/${outcome.sessionIds[0]}` });
    await answerCalls(opened, 'Elsewhere?');
    expect(lastStatus(opened)).toBe('complete');
  });
});
