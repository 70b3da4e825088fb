/** Calls of tools, in one lane and in several: what is shown of them, what is typed for them, and what goes out. */
import OpenAI from 'openai';
import { createElement } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { matchLaneResults } from '../conversation/request/pending-tool-results.ts';
import { withResult } from '../conversation/session/draft.ts';
import { Composer } from '../features/playground/composer/composer.tsx';
import { LaneStatus } from '../features/playground/lane/lane-status.tsx';
import { TurnView } from '../features/playground/reply/turn-view.tsx';
import { usePendingResults, type PendingResults } from '../features/playground/tools/use-pending-results.ts';
import { usePendingRows } from '../features/playground/tools/use-pending-rows.ts';
import { isRecord, getOwnProperty, getStringProperty } from '../lib/json.ts';
import { aBench, type Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import {
  ask,
  aTalk,
  messagesOf,
  reloaded,
  runOf,
  setUp,
  shownTurn,
  talkIn,
} from '../testing/conversation-driver.ts';
import { fill, press, pressKey } from '../testing/react-driver.ts';
import { drawnPrompts, drawnReplies, markupOf, readHook, wordsIn } from '../testing/render-views.tsx';
import type { ChatScript, ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

function tool(name: string, description: string) {
  const properties = { city: { type: 'string', description: 'Name of the city' } };
  const parameters = { type: 'object', properties, required: ['city'] };
  return { type: 'function' as const, function: { name, description, parameters } };
}

const weather = tool('get_weather', 'The current weather in a city.');
const time = tool('get_time', 'The current time in a city.');

/** Types this for a call of a lane; `at` tells calls of one name apart. */
async function type(bench: Bench, lane: number, name: string, text: string, at = 0): Promise<void> {
  const { id, laneIds } = bench.current().session;
  for (const row of readHook(bench, usePendingRows).rows) {
    const answers =
      matchLaneResults(row, {}).find((each) => each.lane.laneId === laneIds[lane])?.results ?? [];
    const answer = answers.filter(({ identity }) => identity.name === name)[at];
    if (answer)
      return bench.drafts.change(id, (draft) => withResult(draft, row.promptId, answer.key, { text }));
  }
  throw new Error(`Lane ${lane} waits for no result of ${name}`);
}

/** What the button under the calls would do, and what it says. */
function pending(bench: Bench): PendingResults | undefined {
  const { laneIds } = bench.current().session;
  return readHook(bench, () => usePendingResults(laneIds));
}

async function sendResults(bench: Bench): Promise<void> {
  await pending(bench)?.send([]);
}

/** Until the end of the test Enter sends, as it does where one points with a mouse. */
function withMouse(): void {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  onTestFinished(() => void vi.unstubAllGlobals());
}

const composerOf = (bench: Bench) => createElement(Composer, { sessionId: bench.current().session.id });

/** The one word for what a lane is doing. */
function statusOf(bench: Bench, lane = 0): string {
  const laneId = bench.current().session.laneIds[lane] ?? '';
  const run = runOf(bench, shownTurn(bench, undefined, lane));
  return wordsIn(markupOf(bench, createElement(LaneStatus, { laneId, run, live: false })));
}

/** The results that are in the fields of a reply. */
function fieldsIn(markup: string): string[] {
  return [...markup.matchAll(/<textarea[^>]*aria-label="Result for[^>]*>([^<]*)/g)].map(([, text = '']) =>
    wordsIn(text),
  );
}

/** Each model makes its calls when it is spoken to, and answers in words when results are there. */
function calling(callsOf: Record<string, (answer: ScriptedAnswer) => void>): ChatScript {
  return (answer, { body }) => {
    const model = getStringProperty(body, 'model') ?? '';
    if (rolesOf(body['messages']).some((role) => role.startsWith('tool')))
      return answer.whole(`${model} has read them.`);
    callsOf[model]?.(answer);
    answer.finish('tool_calls');
    answer.done();
  };
}

/** Roles in order, with the ids that tool messages answer. */
function rolesOf(messages: unknown): string[] {
  return (Array.isArray(messages) ? messages : []).map((message: unknown) =>
    [getStringProperty(message, 'role'), getStringProperty(message, 'tool_call_id')].join(' ').trim(),
  );
}

async function twoLanes(callsOf: Record<string, (answer: ScriptedAnswer) => void>) {
  const talk = await aTalk(calling(callsOf));
  setUp(talk.bench, { model: 'north/one' });
  talk.bench.actions.addLane();
  setUp(talk.bench, { model: 'north/two' }, 1);
  await ask(talk.bench, 'Go');
  return talk;
}

async function oneLane(call: (answer: ScriptedAnswer) => void) {
  const talk = await aTalk(calling({ 'north/one': call }));
  setUp(talk.bench, { model: 'north/one' });
  await ask(talk.bench, 'Go');
  return talk;
}

const oslo = (answer: ScriptedAnswer) => answer.toolCall(0, 'a1', 'get_weather', '{"city":"Oslo"}');

describe('one lane', () => {
  it('sends calls and results in their order, each under its own id, and keeps them in the conversation', async () => {
    const { bench, gateway } = await aTalk((answer) => {
      answer.text('Let me look.');
      answer.toolCall(0, 'call_a', 'get_weather', '{"ci', 'ty":"Vi', 'enna"}');
      answer.toolCall(1, 'call_b', 'get_time', '{"city":"Rome"}');
      answer.finish('tool_calls');
      answer.done();
    });
    setUp(bench, { system: 'Use tools.', fields: { tools: JSON.stringify([weather, time]) } });
    await ask(bench, 'Weather in Vienna, time in Rome?');
    expect(drawnReplies(bench)[0]?.words).toContain('"city": "Vienna"');
    expect(statusOf(bench)).toBe('2 tool results needed');

    // What is typed out of order is still sent in the order of the calls.
    await type(bench, 0, 'get_time', 'noon');
    expect(pending(bench)).toMatchObject({
      canSend: false,
      count: 2,
      missingText: 'Add 1 result first.',
    });
    await type(bench, 0, 'get_weather', '{"sky":"grey"}');
    expect(statusOf(bench)).toBe('Ready to send');
    gateway.onChat((answer) => answer.whole('Grey, and noon.'));
    await sendResults(bench);
    expect(talkIn(bench).at(-1)).toEqual(['', 'Grey, and noon.']);
    expect(statusOf(bench)).toBe('Done');
    const exchange = [
      { role: 'system', content: 'Use tools.' },
      { role: 'user', content: 'Weather in Vienna, time in Rome?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          {
            id: 'call_a',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Vienna"}' },
          },
          { id: 'call_b', type: 'function', function: { name: 'get_time', arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: '{"sky":"grey"}' },
      { role: 'tool', tool_call_id: 'call_b', content: 'noon' },
    ];
    expect(gateway.posts[1]?.body).toMatchObject({ tools: [weather, time], messages: exchange });

    await ask(bench, 'Thanks');
    expect(messagesOf(gateway)).toMatchObject([
      ...exchange,
      { role: 'assistant', content: 'Grey, and noon.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('tells two calls of one function apart', async () => {
    const { bench, gateway } = await oneLane((answer) => {
      answer.toolCall(0, 'call_1', 'get_time', '{"city":"Rome"}');
      answer.toolCall(1, 'call_2', 'get_time', '{"city":"Oslo"}');
    });
    await type(bench, 0, 'get_time', 'in Oslo', 1);
    await type(bench, 0, 'get_time', 'in Rome', 0);
    await sendResults(bench);
    expect(messagesOf(gateway)).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'call_1', content: 'in Rome' },
      { role: 'tool', tool_call_id: 'call_2', content: 'in Oslo' },
    ]);
  });

  it('shows cut arguments raw, not as a finished call, and asks for nothing', async () => {
    const { bench } = await aTalk((answer) => {
      answer.toolCall(0, 'call_1', 'get_weather', '{"city":"Par');
      answer.response.end();
    });
    await ask(bench, 'Weather in Paris?');
    expect(runOf(bench).phase.name).toBe('truncated');
    expect(drawnReplies(bench)[0]?.words).toContain('{"city":"Par');
    expect(fieldsIn(drawnReplies(bench)[0]?.markup ?? '')).toEqual([]);
    expect(pending(bench)).toBeUndefined();
  });

  it('shows the call of an answer that reached its limit raw, and asks for nothing', async () => {
    const { bench } = await aTalk((answer) => {
      answer.toolCall(0, 'a1', 'get_weather', '{"city":"Os');
      answer.finish('length');
      answer.done();
    });
    await ask(bench, 'Go');
    expect(drawnReplies(bench)[0]?.words).toContain('{"city":"Os');
    expect(drawnReplies(bench)[0]?.words).toContain('Incomplete: the answer was cut off during this call.');
    expect(fieldsIn(drawnReplies(bench)[0]?.markup ?? '')).toEqual([]);
    expect(statusOf(bench)).toBe('Cut off');
  });

  it('can still answer a call after a reload, with what was typed before it', async () => {
    const { bench, gateway } = await oneLane(oslo);
    await type(bench, 0, 'get_weather', 'half a th');
    const again = await reloaded(bench);
    expect(fieldsIn(drawnReplies(again)[0]?.markup ?? '')).toEqual(['half a th']);
    expect(drawnReplies(again)[0]?.words).toContain('Plain text, 9 characters.');
    await type(again, 0, 'get_weather', 'cold');
    await sendResults(again);
    expect(talkIn(again).at(-1)).toEqual(['', 'north/one has read them.']);
    expect(rolesOf(messagesOf(gateway))).toEqual(['user', 'assistant', 'tool a1']);
    const after = await reloaded(again);
    expect(drawnPrompts(after)[1]?.words, 'what was sent back').toContain('cold');
    expect(fieldsIn(drawnReplies(after)[0]?.markup ?? ''), 'it was answered already').toEqual([]);
  });

  it('says of a result whether it goes out as JSON or as plain text, and whether it is an error', async () => {
    const { bench } = await oneLane(oslo);
    await type(bench, 0, 'get_weather', '{"temperature": ');
    expect(drawnReplies(bench)[0]?.words).toContain('Not valid JSON (its end is missing)');
    await type(bench, 0, 'get_weather', '{"temperature": 3}');
    expect(drawnReplies(bench)[0]?.words).toContain('Valid JSON, 18 characters.');
    expect(drawnReplies(bench)[0]?.words).toContain('Result ready');
    const reply = createElement(TurnView, { turnId: shownTurn(bench).id, laneIndex: 0, number: 1 });
    press(bench, reply, 'Return an error');
    expect(drawnReplies(bench)[0]?.words).toContain('Error ready');
    const again = await reloaded(bench);
    expect(drawnReplies(again)[0]?.words).toContain('Error ready');
    fill(again, reply, 'Result for get_weather', '{"temperature": ');
    expect(drawnReplies(again)[0]?.words, 'an error no more').toContain('Result ready');
  });

  it('sends a message along after the results, and without them leaves the calls out', async () => {
    const { bench, gateway } = await oneLane(oslo);
    await type(bench, 0, 'get_weather', 'cold');
    fill(bench, composerOf(bench), 'Message', 'In Celsius');
    press(bench, composerOf(bench), 'Send with 1 result Enter');
    expect(bench.drafts.state.getState()[bench.current().session.id]?.text).toBe('');
    await until(() => bench.endedRuns.length === 2);
    expect(talkIn(bench).at(-1)).toEqual(['In Celsius', 'north/one has read them.']);
    expect(rolesOf(messagesOf(gateway))).toEqual(['user', 'assistant', 'tool a1', 'user']);

    await bench.actions.createSession();
    await ask(bench, 'Go');
    await ask(bench, 'Never mind');
    expect(rolesOf(messagesOf(gateway))).toEqual(['user', 'user']);
  });

  it('tells calls without ids and indexes apart, and answers them under ids made for them', async () => {
    const { bench, gateway } = await oneLane((answer) => {
      for (const name of ['Oslo', 'Rome']) {
        answer.delta({
          tool_calls: [{ type: 'function', function: { name: 'get_time', arguments: '{"city":' } }],
        });
        answer.delta({ tool_calls: [{ function: { arguments: `"${name}"}` } }] });
      }
    });
    expect(drawnReplies(bench)[0]?.markup.match(/Tool call get_time/g)).toHaveLength(2);
    expect(drawnReplies(bench)[0]?.words).toContain('no id');
    await type(bench, 0, 'get_time', 'in Rome', 1);
    await type(bench, 0, 'get_time', 'in Oslo', 0);
    withMouse();
    pressKey(bench, composerOf(bench), 'Message', 'Enter');
    await until(() => bench.endedRuns.length === 2);
    const sent = messagesOf(gateway);
    const [, called, ...results] = Array.isArray(sent) ? sent : [];
    const calls: unknown = getOwnProperty(called, 'tool_calls');
    const ids = (Array.isArray(calls) ? calls : []).map((call: unknown) => getStringProperty(call, 'id'));
    expect(new Set(ids).size).toBe(2);
    // Nine letters and digits: the one form that every provider takes.
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(results).toEqual([
      { role: 'tool', tool_call_id: ids[0], content: 'in Oslo', name: 'get_time' },
      { role: 'tool', tool_call_id: ids[1], content: 'in Rome', name: 'get_time' },
    ]);
  });

  it('shows arguments that are not JSON raw, and the model can be told', async () => {
    const { bench, gateway } = await oneLane((answer) =>
      answer.toolCall(0, 'a1', 'get_weather', '{city: "Oslo"}'),
    );
    expect(drawnReplies(bench)[0]?.words).toContain('{city: "Oslo"}');
    expect(drawnReplies(bench)[0]?.words).toContain('Not JSON from line 1, column 2.');
    await type(bench, 0, 'get_weather', '{"error": "not JSON"}');
    await sendResults(bench);
    expect(rolesOf(messagesOf(gateway))).toEqual(['user', 'assistant', 'tool a1']);
    expect(talkIn(bench).at(-1)?.[1]).toBe('north/one has read them.');
  });
});

describe('several lanes', () => {
  it('make parallel calls each, the results are typed once, and all finish', async () => {
    const sent: Record<string, unknown>[] = [];
    const bench = await aBench({
      path: '/',
      settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' },
      fetch: (input, init) => {
        const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
        if (isRecord(body)) sent.push(body);
        return fetch(input, init);
      },
    });
    setUp(bench, { model: 'demo/tools', fields: { tools: JSON.stringify([weather, time]) } });
    bench.actions.addLane();
    setUp(bench, { fields: { temperature: '0.2' } }, 1);
    await ask(bench, 'What are the weather and the time in the city of Vienna?');
    expect([statusOf(bench, 0), statusOf(bench, 1)]).toEqual([
      '2 tool results needed',
      '2 tool results needed',
    ]);
    expect(pending(bench)?.canSend).toBe(false);
    await type(bench, 0, 'get_weather', '{"temperature": 31}');
    await type(bench, 1, 'get_time', '{"time": "noon"}');
    const fields = ['{"temperature": 31}', '{"time": "noon"}'];
    expect(drawnReplies(bench).map(({ markup }) => fieldsIn(markup))).toEqual([fields, fields]);
    expect(statusOf(bench, 0)).toBe('Ready to send');
    expect(pending(bench)).toMatchObject({ canSend: true, count: 2, targetText: 'lanes A and B' });
    await sendResults(bench);
    expect([statusOf(bench, 0), statusOf(bench, 1)]).toEqual(['Done', 'Done']);
    for (const lane of [0, 1]) expect(talkIn(bench, lane).at(-1)?.[1]).toMatch(/31[^]*noon/);
    expect(drawnPrompts(bench)[1]?.markup.match(/aria-label="Tool message"/g)).toHaveLength(2);
    expect(sent).toHaveLength(4);

    // Given these messages in its own types, the official client sends the very same body.
    const { gateway } = await aTalk((answer) => answer.whole('Understood'));
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'fk-test', maxRetries: 0 });
    for (const body of sent.slice(2)) {
      const [, called] = typedMessages(body);
      const [first, second] = called?.role === 'assistant' ? (called.tool_calls ?? []) : [];
      expect(body['messages']).toEqual([
        { role: 'user', content: 'What are the weather and the time in the city of Vienna?' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { ...first, function: { name: 'get_weather', arguments: expect.any(String) } },
            { ...second, function: { name: 'get_time', arguments: expect.any(String) } },
          ],
        },
        { role: 'tool', tool_call_id: first?.id, content: '{"temperature": 31}', name: 'get_weather' },
        { role: 'tool', tool_call_id: second?.id, content: '{"time": "noon"}', name: 'get_time' },
      ]);
      const messages = typedMessages(body);
      const stream = await client.chat.completions.create({
        ...body,
        model: 'demo/tools',
        messages,
        stream: true,
      });
      let said = '';
      for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
      expect(said).toBe('Understood');
      expect(gateway.posts.at(-1)?.body).toEqual(body);
    }
  });

  it('that still lack a result are named, are not sent to, and follow later', async () => {
    const { bench, gateway } = await twoLanes({
      'north/one': (answer) => answer.toolCall(0, 'a1', 'get_weather', '{"city":"Oslo","unit":"c"}'),
      'north/two': (answer) => {
        answer.toolCall(0, 'b1', 'lookup_order', '{"order_id":"7"}');
        // The same call: other order of keys, other place.
        answer.toolCall(1, 'b2', 'get_weather', '{ "unit": "c", "city": "Oslo" }');
      },
    });
    await type(bench, 1, 'get_weather', 'cold');
    const [inA, inB] = drawnReplies(bench);
    expect(fieldsIn(inA?.markup ?? '')).toEqual(['cold']);
    expect(fieldsIn(inB?.markup ?? '')).toEqual(['', 'cold']);
    expect(inA?.words).toContain('Will be sent to lanes A and B.');
    expect(inA?.words).toContain('To lane A. Lane B still needs a result for lookup_order.');
    await sendResults(bench);
    expect(gateway.posts.slice(2).map(({ body }) => [body['model'], ...rolesOf(body['messages'])])).toEqual([
      ['north/one', 'user', 'assistant', 'tool a1'],
    ]);

    expect(fieldsIn(drawnReplies(bench)[1]?.markup ?? '')).toEqual(['', 'cold']);
    await type(bench, 1, 'lookup_order', '{"state":"sent"}');
    await sendResults(bench);
    expect(talkIn(bench, 1).at(-1)?.[1]).toBe('north/two has read them.');
    expect(rolesOf(messagesOf(gateway))).toEqual(['user', 'assistant', 'tool b1', 'tool b2']);
    expect(pending(bench)).toBeUndefined();
  });

  it('whose calls have other arguments take the result of the namesake until they get their own', async () => {
    const { bench, gateway } = await twoLanes({
      'north/one': oslo,
      'north/two': (answer) => answer.toolCall(0, 'b1', 'get_weather', '{"city":"Rome"}'),
    });
    await type(bench, 0, 'get_weather', 'cold');
    expect(fieldsIn(drawnReplies(bench)[1]?.markup ?? '')).toEqual(['cold']);
    expect(drawnReplies(bench)[1]?.words).toContain('Written for the call with {"city":"Oslo"}');
    await type(bench, 1, 'get_weather', 'warm');
    expect(fieldsIn(drawnReplies(bench)[0]?.markup ?? '')).toEqual(['cold']);
    await sendResults(bench);
    const contents = gateway.posts.slice(2).map(({ body }): [unknown, unknown] => {
      const messages = body['messages'];
      return [body['model'], getOwnProperty(Array.isArray(messages) ? messages.at(-1) : {}, 'content')];
    });
    expect(new Map(contents)).toEqual(
      new Map([
        ['north/one', 'cold'],
        ['north/two', 'warm'],
      ]),
    );
  });
});

/** The messages of a body in the types of the official client. */
function typedMessages(body: Record<string, unknown>): OpenAI.ChatCompletionMessageParam[] {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages.map((message: unknown) => {
    const content = getStringProperty(message, 'content') ?? '';
    const answered = getStringProperty(message, 'tool_call_id');
    const name = getStringProperty(message, 'name');
    // The client's types have no name here, which other providers require.
    if (answered !== undefined)
      return { role: 'tool', tool_call_id: answered, content, ...(name === undefined ? {} : { name }) };
    const calls: unknown = getOwnProperty(message, 'tool_calls');
    if (!Array.isArray(calls)) return { role: 'user', content };
    const typed = calls.map((call: unknown) => {
      const called = getOwnProperty(call, 'function');
      const named = {
        name: getStringProperty(called, 'name') ?? '',
        arguments: getStringProperty(called, 'arguments') ?? '',
      };
      return { id: getStringProperty(call, 'id') ?? '', type: 'function' as const, function: named };
    });
    return { role: 'assistant', content, tool_calls: typed };
  });
}

describe('calls that are answered without asking again', () => {
  const calls: ChatScript = (answer) => {
    answer.delta({
      tool_calls: [
        { index: 0, id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
      ],
    });
    answer.finish('tool_calls');
    answer.done();
  };
  const answering = (bench: Bench, isAutomatic: boolean) =>
    bench.drafts.change(bench.current().session.id, (draft) => ({
      ...draft,
      answering: { remembered: { get_weather: { text: '{"celsius": 17}' } }, isAutomatic },
    }));

  it('have the remembered result in their field, also after a reload, and wait for the person', async () => {
    const { bench, gateway } = await aTalk(calls);
    answering(bench, false);
    await ask(bench, 'Weather?');
    await until(() => pending(bench)?.canSend === true);
    expect(gateway.posts).toHaveLength(1);
    const next = await reloaded(bench);
    expect(pending(next)?.canSend).toBe(true);
  });

  it('leave a field alone that was emptied or written before, and one whose tool has no result', async () => {
    const gate = aGate();
    const { bench } = await aTalk(async (answer) => {
      answer.delta({
        tool_calls: ['get_weather', 'get_time', 'get_weather'].map((name, index) => ({
          index,
          id: `c${index}`,
          type: 'function',
          function: { name, arguments: '{}' },
        })),
      });
      await gate.opened;
      answer.finish('tool_calls');
      answer.done();
    });
    answering(bench, false);
    const asking = ask(bench, 'Weather?');
    await until(() => (runOf(bench).choices[0]?.parts.length ?? 0) === 3);
    const { id } = bench.current().session;
    const { promptId } = shownTurn(bench);
    const [first = '', ...others] = ['get_weather', 'get_time', 'get_weather'].map((name, index) =>
      JSON.stringify([name, '{}', Math.floor(index / 2)]),
    );
    bench.drafts.change(id, (draft) => withResult(draft, promptId, first, { text: '' }));
    gate.open();
    await asking;
    expect(bench.drafts.state.getState()[id]?.results).toEqual({
      [promptId]: { [first]: { text: '' }, [others[1] ?? '']: { text: '{"celsius": 17}' } },
    });
  });

  it('stay where they are when another answer was asked for meanwhile', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTalk(async (answer, request) => {
      if (gateway.posts.length > 1) return answer.whole('In words.');
      answer.delta({ content: 'Let me see.' });
      await gate.opened;
      await calls(answer, request);
    });
    answering(bench, true);
    const first = ask(bench, 'Weather?');
    await until(() => talkIn(bench)[0]?.[1] === 'Let me see.');
    const calling = runOf(bench).id;
    await bench.actions.regenerateLastTurns();
    gate.open();
    await first;
    await bench.saved();
    expect(bench.current().runs[calling]?.choices[0]?.finishReason).toBe('tool_calls');
    expect(bench.drafts.state.getState()[bench.current().session.id]?.results).toEqual({});
    expect(gateway.posts).toHaveLength(2);
  });

  it('go out by themselves for five rounds at most', async () => {
    const { bench, gateway } = await aTalk(calls);
    answering(bench, true);
    await ask(bench, 'Weather?');
    await until(() => gateway.posts.length === 6 && pending(bench)?.canSend === true);
    expect(messagesOf(gateway)).toContainEqual(
      expect.objectContaining({ role: 'tool', content: '{"celsius": 17}' }),
    );
    await bench.saved();
    expect(gateway.posts).toHaveLength(6);
  });
});
