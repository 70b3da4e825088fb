/** Tests tool calls in one and several lanes: what is shown, typed and sent. */
import { screen, within } from '@testing-library/react';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';

import { matchLaneResults } from '../conversation/request/pending-tool-results.ts';
import { withResult } from '../conversation/session/draft.ts';
import { Composer } from '../features/composer/composer.tsx';
import { PromptBand } from '../features/conversation/message/prompt-band.tsx';
import { TurnView } from '../features/conversation/reply/turn-view.tsx';
import { LaneStatus } from '../features/lanes/lane-status.tsx';
import { usePendingResults, type PendingResults } from '../features/tools/use-pending-results.ts';
import { usePendingRows } from '../features/tools/use-pending-rows.ts';
import { isRecord, getOwnProperty, getStringProperty } from '../lib/json.ts';
import { createBench, type Bench } from '../testing/bench.ts';
import { createGate } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getRequestMessages,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderPrompts, renderReplies, renderReply, type RenderedMessage } from '../testing/render-turns.tsx';
import { readHook, renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';
import type { ChatScript, ScriptedResponse } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

function createTool(name: string, description: string) {
  const properties = { city: { type: 'string', description: 'Name of the city' } };
  const parameters = { type: 'object', properties, required: ['city'] };
  return { type: 'function' as const, function: { name, description, parameters } };
}

const weatherTool = createTool('get_weather', 'The current weather in a city.');
const timeTool = createTool('get_time', 'The current time in a city.');

/** Types a result for a tool call of a lane; `index` distinguishes calls with the same name. */
async function typeResult(bench: Bench, lane: number, name: string, text: string, index = 0): Promise<void> {
  const { id, laneIds } = bench.getOpenSession().session;
  for (const row of readHook(bench, usePendingRows).rows) {
    const results =
      matchLaneResults(row, {}).find((entry) => entry.lane.laneId === laneIds[lane])?.results ?? [];
    const result = results.filter(({ identity }) => identity.name === name)[index];
    if (result)
      return bench.drafts.change(id, (draft) => withResult(draft, row.promptId, result.key, { text }));
  }
  throw new Error(`Lane ${lane} has no pending call of ${name}`);
}

/** Returns the state of the button below the calls: what it sends, to which lanes, and its text. */
function getPendingResults(bench: Bench): PendingResults | undefined {
  const { laneIds } = bench.getOpenSession().session;
  return readHook(bench, () => usePendingResults(laneIds));
}

async function sendResults(bench: Bench): Promise<void> {
  await getPendingResults(bench)?.send([]);
}

const createComposer = (bench: Bench) => <Composer sessionId={bench.getOpenSession().session.id} />;

/** Returns the one-word status of a lane. */
function getLaneStatus(bench: Bench, lane = 0): string {
  const laneId = bench.getOpenSession().session.laneIds[lane] ?? '';
  const run = getTurnRun(bench, getLaneTurn(bench, undefined, lane));
  return renderText(bench, <LaneStatus laneId={laneId} run={run} live={false} />);
}

/** Returns the values of the result fields in a reply. */
function listResultFields({ element }: RenderedMessage): string[] {
  return within(element)
    .queryAllByRole<HTMLTextAreaElement>('textbox', { name: /^Result for/ })
    .map(({ value }) => value);
}

/** Makes each model call its tools on the first request and answer in text when it has results. */
function createCallScript(callsByModel: Record<string, (answer: ScriptedResponse) => void>): ChatScript {
  return (answer, { body }) => {
    const model = getStringProperty(body, 'model') ?? '';
    if (listRoles(body['messages']).some((role) => role.startsWith('tool')))
      return answer.sendAnswer(`${model} has read them.`);
    callsByModel[model]?.(answer);
    answer.sendFinishReason('tool_calls');
    answer.sendDone();
  };
}

/** Returns the roles in order, with the call IDs of tool messages. */
function listRoles(messages: unknown): string[] {
  return (Array.isArray(messages) ? messages : []).map((message: unknown) =>
    [getStringProperty(message, 'role'), getStringProperty(message, 'tool_call_id')].join(' ').trim(),
  );
}

async function createTwoLanes(callsByModel: Record<string, (answer: ScriptedResponse) => void>) {
  const conversation = await createConversation(createCallScript(callsByModel));
  configureLane(conversation.bench, { model: 'north/one' });
  conversation.bench.actions.addLane();
  configureLane(conversation.bench, { model: 'north/two' }, 1);
  await sendAndWait(conversation.bench, 'Go');
  return conversation;
}

async function createOneLane(sendCall: (answer: ScriptedResponse) => void) {
  const conversation = await createConversation(createCallScript({ 'north/one': sendCall }));
  configureLane(conversation.bench, { model: 'north/one' });
  await sendAndWait(conversation.bench, 'Go');
  return conversation;
}

const sendOsloCall = (answer: ScriptedResponse) =>
  answer.sendToolCall(0, 'a1', 'get_weather', '{"city":"Oslo"}');

describe('one lane', () => {
  it('sends results in the order of the calls with their IDs and keeps both in the conversation', async () => {
    const { bench, gateway } = await createConversation((answer) => {
      answer.sendText('Let me look.');
      answer.sendToolCall(0, 'call_a', 'get_weather', '{"ci', 'ty":"Vi', 'enna"}');
      answer.sendToolCall(1, 'call_b', 'get_time', '{"city":"Rome"}');
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    configureLane(bench, {
      system: 'Use tools.',
      fields: { tools: JSON.stringify([weatherTool, timeTool]) },
    });
    await sendAndWait(bench, 'Weather in Vienna, time in Rome?');
    expect(renderReplies(bench)[0]?.text).toContain('"city": "Vienna"');
    expect(getLaneStatus(bench)).toBe('2 tool results needed');

    // Results are sent in the order of the calls, whatever order they were typed in.
    await typeResult(bench, 0, 'get_time', 'noon');
    expect(getPendingResults(bench)).toMatchObject({
      canSend: false,
      count: 2,
      missingText: 'Add 1 result first.',
    });
    await typeResult(bench, 0, 'get_weather', '{"sky":"grey"}');
    expect(getLaneStatus(bench)).toBe('Ready to send');
    gateway.setChatScript((answer) => answer.sendAnswer('Grey, and noon.'));
    await sendResults(bench);
    expect(getLaneTranscript(bench).at(-1)).toEqual(['', 'Grey, and noon.']);
    expect(getLaneStatus(bench)).toBe('Done');
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
    expect(gateway.posts[1]?.body).toMatchObject({ tools: [weatherTool, timeTool], messages: exchange });

    await sendAndWait(bench, 'Thanks');
    expect(getRequestMessages(gateway)).toMatchObject([
      ...exchange,
      { role: 'assistant', content: 'Grey, and noon.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('sends an edited result as a new version of the results', async () => {
    const { bench, gateway } = await createOneLane(sendOsloCall);
    await typeResult(bench, 0, 'get_weather', 'snow');
    await sendResults(bench);
    const { turns, prompts } = bench.getOpenSession();
    const turn = Object.values(turns).find(({ promptId }) => prompts[promptId]?.results);
    if (!turn) throw new Error('No results were sent');
    const band = <PromptBand promptId={turn.promptId} turnIds={[turn.id]} isLatest />;
    const { user, container } = renderWithPlayground(band, { playground: bench });
    const getBand = within(container);
    await user.click(getBand.getByRole('button', { name: 'Edit result for get_weather' }));
    const field = getBand.getByRole('textbox', { name: 'Result for get_weather' });
    await user.clear(field);
    await user.type(field, 'sun');
    await user.click(getBand.getByRole('button', { name: 'Save and run' }));
    await waitUntil(() => gateway.posts.length === 3);
    expect(gateway.posts.at(-1)?.body['messages']).toMatchObject([{}, {}, { role: 'tool', content: 'sun' }]);
    const versions = Object.values(bench.getOpenSession().prompts).filter(({ results }) => results);
    expect(versions.map(({ results }) => results?.[0]?.content)).toEqual(['snow', 'sun']);
  });

  it('distinguishes two tool calls of the same function', async () => {
    const { bench, gateway } = await createOneLane((answer) => {
      answer.sendToolCall(0, 'call_1', 'get_time', '{"city":"Rome"}');
      answer.sendToolCall(1, 'call_2', 'get_time', '{"city":"Oslo"}');
    });
    await typeResult(bench, 0, 'get_time', 'in Oslo', 1);
    await typeResult(bench, 0, 'get_time', 'in Rome', 0);
    await sendResults(bench);
    expect(getRequestMessages(gateway)).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'call_1', content: 'in Rome' },
      { role: 'tool', tool_call_id: 'call_2', content: 'in Oslo' },
    ]);
  });

  it('shows truncated arguments of a tool call raw and requests no result', async () => {
    const { bench } = await createConversation((answer) => {
      answer.sendToolCall(0, 'call_1', 'get_weather', '{"city":"Par');
      answer.response.end();
    });
    await sendAndWait(bench, 'Weather in Paris?');
    expect(getTurnRun(bench).phase.name).toBe('truncated');
    expect(renderReplies(bench)[0]?.text).toContain('{"city":"Par');
    expect(listResultFields(renderReply(bench, 0))).toEqual([]);
    expect(getPendingResults(bench)).toBeUndefined();
  });

  it('shows a tool call cut off by the token limit raw and requests no result', async () => {
    const { bench } = await createConversation((answer) => {
      answer.sendToolCall(0, 'a1', 'get_weather', '{"city":"Os');
      answer.sendFinishReason('length');
      answer.sendDone();
    });
    await sendAndWait(bench, 'Go');
    expect(renderReplies(bench)[0]?.text).toContain('{"city":"Os');
    expect(renderReplies(bench)[0]?.text).toContain('Incomplete: the answer was cut off during this call.');
    expect(listResultFields(renderReply(bench, 0))).toEqual([]);
    expect(getLaneStatus(bench)).toBe('Cut off');
  });

  it('restores a typed result after a reload and sends it', async () => {
    const { bench, gateway } = await createOneLane(sendOsloCall);
    await typeResult(bench, 0, 'get_weather', 'half a th');
    const reloadedBench = await reloadPage(bench);
    expect(listResultFields(renderReply(reloadedBench, 0))).toEqual(['half a th']);
    expect(renderReplies(reloadedBench)[0]?.text).toContain('Plain text, 9 characters.');
    await typeResult(reloadedBench, 0, 'get_weather', 'cold');
    await sendResults(reloadedBench);
    expect(getLaneTranscript(reloadedBench).at(-1)).toEqual(['', 'north/one has read them.']);
    expect(listRoles(getRequestMessages(gateway))).toEqual(['user', 'assistant', 'tool a1']);
    const secondReload = await reloadPage(reloadedBench);
    expect(renderPrompts(secondReload)[1]?.text, 'the submitted results').toContain('cold');
    expect(listResultFields(renderReply(secondReload, 0)), 'the call already has a result').toEqual([]);
  });

  it('shows whether a result is sent as JSON or plain text, and whether it reports an error', async () => {
    const { bench } = await createOneLane(sendOsloCall);
    await typeResult(bench, 0, 'get_weather', '{"temperature": ');
    expect(renderReplies(bench)[0]?.text).toContain('Not valid JSON (the end is missing)');
    await typeResult(bench, 0, 'get_weather', '{"temperature": 3}');
    expect(renderReplies(bench)[0]?.text).toContain('Valid JSON, 18 characters.');
    expect(renderReplies(bench)[0]?.text).toContain('Result ready');
    const reply = <TurnView turnId={getLaneTurn(bench).id} laneIndex={0} turnNumber={1} />;
    const firstTab = renderWithPlayground(reply, { playground: bench });
    await firstTab.user.click(screen.getByRole('button', { name: 'Return an error' }));
    firstTab.unmount();
    expect(renderReplies(bench)[0]?.text).toContain('Error ready');
    const reloadedBench = await reloadPage(bench);
    expect(renderReplies(reloadedBench)[0]?.text).toContain('Error ready');
    const { user } = renderWithPlayground(reply, { playground: reloadedBench });
    const field = screen.getByRole('textbox', { name: 'Result for get_weather' });
    await user.clear(field);
    await user.type(field, 'cold');
    expect(renderReplies(reloadedBench)[0]?.text, 'no longer an error').toContain('Result ready');
  });

  it('sends a message after the typed results, or without the calls if there are no results', async () => {
    const { bench, gateway } = await createOneLane(sendOsloCall);
    await typeResult(bench, 0, 'get_weather', 'cold');
    const { user } = renderWithPlayground(createComposer(bench), { playground: bench });
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'In Celsius');
    await user.click(screen.getByRole('button', { name: /^Send with 1 result/ }));
    expect(bench.drafts.state.getState()[bench.getOpenSession().session.id]?.text).toBe('');
    await waitUntil(() => bench.endedRuns.length === 2);
    expect(getLaneTranscript(bench).at(-1)).toEqual(['In Celsius', 'north/one has read them.']);
    expect(listRoles(getRequestMessages(gateway))).toEqual(['user', 'assistant', 'tool a1', 'user']);

    await bench.actions.createSession();
    await sendAndWait(bench, 'Go');
    await sendAndWait(bench, 'Never mind');
    expect(listRoles(getRequestMessages(gateway))).toEqual(['user', 'user']);
  });

  it('distinguishes tool calls without IDs and indexes, and generates IDs for them', async () => {
    const { bench, gateway } = await createOneLane((answer) => {
      for (const name of ['Oslo', 'Rome']) {
        answer.sendDelta({
          tool_calls: [{ type: 'function', function: { name: 'get_time', arguments: '{"city":' } }],
        });
        answer.sendDelta({ tool_calls: [{ function: { arguments: `"${name}"}` } }] });
      }
    });
    expect(
      within(renderReply(bench).element).getAllByRole('group', { name: /^Tool call get_time/ }),
    ).toHaveLength(2);
    expect(renderReplies(bench)[0]?.text).toContain('no ID');
    await typeResult(bench, 0, 'get_time', 'in Rome', 1);
    await typeResult(bench, 0, 'get_time', 'in Oslo', 0);
    const { user } = renderWithPlayground(createComposer(bench), { playground: bench });
    await user.type(screen.getByRole('textbox', { name: 'Message' }), '{Enter}');
    await waitUntil(() => bench.endedRuns.length === 2);
    const sentMessages = getRequestMessages(gateway);
    const [, callMessage, ...results] = Array.isArray(sentMessages) ? sentMessages : [];
    const calls: unknown = getOwnProperty(callMessage, 'tool_calls');
    const ids = (Array.isArray(calls) ? calls : []).map((call: unknown) => getStringProperty(call, 'id'));
    expect(new Set(ids).size).toBe(2);
    // Nine letters and digits are the only ID format that every provider accepts.
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(results).toEqual([
      { role: 'tool', tool_call_id: ids[0], content: 'in Oslo', name: 'get_time' },
      { role: 'tool', tool_call_id: ids[1], content: 'in Rome', name: 'get_time' },
    ]);
  });

  it('shows arguments that are not JSON raw and sends the model a result about the error', async () => {
    const { bench, gateway } = await createOneLane((answer) =>
      answer.sendToolCall(0, 'a1', 'get_weather', '{city: "Oslo"}'),
    );
    expect(renderReplies(bench)[0]?.text).toContain('{city: "Oslo"}');
    expect(renderReplies(bench)[0]?.text).toContain('Invalid JSON at line 1, column 2.');
    await typeResult(bench, 0, 'get_weather', '{"error": "not JSON"}');
    await sendResults(bench);
    expect(listRoles(getRequestMessages(gateway))).toEqual(['user', 'assistant', 'tool a1']);
    expect(getLaneTranscript(bench).at(-1)?.[1]).toBe('north/one has read them.');
  });
});

describe('several lanes', () => {
  it('sends results typed once to all lanes with equal parallel calls and completes every lane', async () => {
    const sentBodies: Record<string, unknown>[] = [];
    const bench = await createBench({
      path: '/',
      settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' },
      fetch: (input, init) => {
        const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
        if (isRecord(body)) sentBodies.push(body);
        return fetch(input, init);
      },
    });
    configureLane(bench, { model: 'demo/tools', fields: { tools: JSON.stringify([weatherTool, timeTool]) } });
    bench.actions.addLane();
    configureLane(bench, { fields: { temperature: '0.2' } }, 1);
    await sendAndWait(bench, 'What are the weather and the time in the city of Vienna?');
    expect([getLaneStatus(bench, 0), getLaneStatus(bench, 1)]).toEqual([
      '2 tool results needed',
      '2 tool results needed',
    ]);
    expect(getPendingResults(bench)?.canSend).toBe(false);
    await typeResult(bench, 0, 'get_weather', '{"temperature": 31}');
    await typeResult(bench, 1, 'get_time', '{"time": "noon"}');
    const fields = ['{"temperature": 31}', '{"time": "noon"}'];
    expect(renderReplies(bench).map(listResultFields)).toEqual([fields, fields]);
    expect(getLaneStatus(bench, 0)).toBe('Ready to send');
    expect(getPendingResults(bench)).toMatchObject({ canSend: true, count: 2, targetText: 'lanes A and B' });
    await sendResults(bench);
    expect([getLaneStatus(bench, 0), getLaneStatus(bench, 1)]).toEqual(['Done', 'Done']);
    for (const lane of [0, 1]) expect(getLaneTranscript(bench, lane).at(-1)?.[1]).toMatch(/31[^]*noon/);
    const resultNames = renderPrompts(bench)[1]?.element.querySelectorAll('[aria-label="Tool message"]');
    expect(resultNames).toHaveLength(2);
    expect(sentBodies).toHaveLength(4);

    // The official client sends exactly the same body when given these messages in its own types.
    const { gateway } = await createConversation((answer) => answer.sendAnswer('Understood'));
    const client = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: 'fk-test',
      maxRetries: 0,
      dangerouslyAllowBrowser: true,
    });
    for (const body of sentBodies.slice(2)) {
      const [, callMessage] = toTypedMessages(body);
      const [first, second] = callMessage?.role === 'assistant' ? (callMessage.tool_calls ?? []) : [];
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
      const messages = toTypedMessages(body);
      const stream = await client.chat.completions.create({
        ...body,
        model: 'demo/tools',
        messages,
        stream: true,
      });
      let text = '';
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      expect(text).toBe('Understood');
      expect(gateway.posts.at(-1)?.body).toEqual(body);
    }
  });

  it('names lanes that still lack a result, sends to the other lanes first and to the named ones later', async () => {
    const { bench, gateway } = await createTwoLanes({
      'north/one': (answer) => answer.sendToolCall(0, 'a1', 'get_weather', '{"city":"Oslo","unit":"c"}'),
      'north/two': (answer) => {
        answer.sendToolCall(0, 'b1', 'lookup_order', '{"order_id":"7"}');
        // Repeats the same call with another key order and at another index.
        answer.sendToolCall(1, 'b2', 'get_weather', '{ "unit": "c", "city": "Oslo" }');
      },
    });
    await typeResult(bench, 1, 'get_weather', 'cold');
    const [replyA, replyB] = renderReplies(bench);
    expect(replyA && listResultFields(replyA)).toEqual(['cold']);
    expect(replyB && listResultFields(replyB)).toEqual(['', 'cold']);
    expect(replyA?.text).toContain('Will be sent to lanes A and B.');
    expect(replyA?.text).toContain('To lane A. Lane B still needs a result for lookup_order.');
    await sendResults(bench);
    expect(gateway.posts.slice(2).map(({ body }) => [body['model'], ...listRoles(body['messages'])])).toEqual(
      [['north/one', 'user', 'assistant', 'tool a1']],
    );

    expect(listResultFields(renderReply(bench, 1))).toEqual(['', 'cold']);
    await typeResult(bench, 1, 'lookup_order', '{"state":"sent"}');
    await sendResults(bench);
    expect(getLaneTranscript(bench, 1).at(-1)?.[1]).toBe('north/two has read them.');
    expect(listRoles(getRequestMessages(gateway))).toEqual(['user', 'assistant', 'tool b1', 'tool b2']);
    expect(getPendingResults(bench)).toBeUndefined();
  });

  it('uses the result of a same-named call with other arguments until a separate result is typed', async () => {
    const { bench, gateway } = await createTwoLanes({
      'north/one': sendOsloCall,
      'north/two': (answer) => answer.sendToolCall(0, 'b1', 'get_weather', '{"city":"Rome"}'),
    });
    await typeResult(bench, 0, 'get_weather', 'cold');
    expect(listResultFields(renderReply(bench, 1))).toEqual(['cold']);
    expect(renderReplies(bench)[1]?.text).toContain('Copied from the call with {"city":"Oslo"}');
    await typeResult(bench, 1, 'get_weather', 'warm');
    expect(listResultFields(renderReply(bench, 0))).toEqual(['cold']);
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

/** Converts the messages of a body to the types of the official client. */
function toTypedMessages(body: Record<string, unknown>): OpenAI.ChatCompletionMessageParam[] {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages.map((message: unknown) => {
    const content = getStringProperty(message, 'content') ?? '';
    const answeredCallId = getStringProperty(message, 'tool_call_id');
    const name = getStringProperty(message, 'name');
    // The client's types lack the `name` field, which other providers require.
    if (answeredCallId !== undefined)
      return { role: 'tool', tool_call_id: answeredCallId, content, ...(name === undefined ? {} : { name }) };
    const calls: unknown = getOwnProperty(message, 'tool_calls');
    if (!Array.isArray(calls)) return { role: 'user', content };
    const typedCalls = calls.map((call: unknown) => {
      const calledFunction = getOwnProperty(call, 'function');
      const typedFunction = {
        name: getStringProperty(calledFunction, 'name') ?? '',
        arguments: getStringProperty(calledFunction, 'arguments') ?? '',
      };
      return { id: getStringProperty(call, 'id') ?? '', type: 'function' as const, function: typedFunction };
    });
    return { role: 'assistant', content, tool_calls: typedCalls };
  });
}

describe('remembered results', () => {
  const sendCalls: ChatScript = (answer) => {
    answer.sendDelta({
      tool_calls: [
        { index: 0, id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
      ],
    });
    answer.sendFinishReason('tool_calls');
    answer.sendDone();
  };
  const rememberResult = (bench: Bench, isAutomatic: boolean) =>
    bench.drafts.change(bench.getOpenSession().session.id, (draft) => ({
      ...draft,
      answering: { remembered: { get_weather: { text: '{"celsius": 17}' } }, isAutomatic },
    }));

  it('fills in the remembered result, also after a reload, and sends it only when the user does', async () => {
    const { bench, gateway } = await createConversation(sendCalls);
    rememberResult(bench, false);
    await sendAndWait(bench, 'Weather?');
    await waitUntil(() => getPendingResults(bench)?.canSend === true);
    expect(gateway.posts).toHaveLength(1);
    const reloadedBench = await reloadPage(bench);
    expect(getPendingResults(reloadedBench)?.canSend).toBe(true);
  });

  it('leaves result fields unchanged if they were edited earlier or their tool has no remembered result', async () => {
    const gate = createGate();
    const { bench } = await createConversation(async (answer) => {
      answer.sendDelta({
        tool_calls: ['get_weather', 'get_time', 'get_weather'].map((name, index) => ({
          index,
          id: `c${index}`,
          type: 'function',
          function: { name, arguments: '{}' },
        })),
      });
      await gate.opened;
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    rememberResult(bench, false);
    const sendPromise = sendAndWait(bench, 'Weather?');
    await waitUntil(() => (getTurnRun(bench).choices[0]?.parts.length ?? 0) === 3);
    const { id } = bench.getOpenSession().session;
    const { promptId } = getLaneTurn(bench);
    const [firstKey = '', ...remainingKeys] = ['get_weather', 'get_time', 'get_weather'].map((name, index) =>
      JSON.stringify([name, '{}', Math.floor(index / 2)]),
    );
    bench.drafts.change(id, (draft) => withResult(draft, promptId, firstKey, { text: '' }));
    gate.open();
    await sendPromise;
    expect(bench.drafts.state.getState()[id]?.results).toEqual({
      [promptId]: { [firstKey]: { text: '' }, [remainingKeys[1] ?? '']: { text: '{"celsius": 17}' } },
    });
  });

  it('sends no remembered result if the user has requested another answer', async () => {
    const gate = createGate();
    const { bench, gateway } = await createConversation(async (answer, request) => {
      if (gateway.posts.length > 1) return answer.sendAnswer('In words.');
      answer.sendDelta({ content: 'Let me see.' });
      await gate.opened;
      await sendCalls(answer, request);
    });
    rememberResult(bench, true);
    const firstRequest = sendAndWait(bench, 'Weather?');
    await waitUntil(() => getLaneTranscript(bench)[0]?.[1] === 'Let me see.');
    const callingRunId = getTurnRun(bench).id;
    await bench.actions.regenerateLastTurns();
    gate.open();
    await firstRequest;
    await bench.waitUntilSaved();
    expect(bench.getOpenSession().runs[callingRunId]?.choices[0]?.finishReason).toBe('tool_calls');
    expect(bench.drafts.state.getState()[bench.getOpenSession().session.id]?.results).toEqual({});
    expect(gateway.posts).toHaveLength(2);
  });

  it('sends remembered results automatically for at most five rounds', async () => {
    const { bench, gateway } = await createConversation(sendCalls);
    rememberResult(bench, true);
    await sendAndWait(bench, 'Weather?');
    await waitUntil(() => gateway.posts.length === 6 && getPendingResults(bench)?.canSend === true);
    expect(getRequestMessages(gateway)).toContainEqual(
      expect.objectContaining({ role: 'tool', content: '{"celsius": 17}' }),
    );
    await bench.waitUntilSaved();
    expect(gateway.posts).toHaveLength(6);
  });
});
