import { describe, expect, it } from 'vitest';

import { isRecord } from '../../lib/json.ts';
import {
  getAt,
  createChatPost,
  demoKey,
  parseEvents,
  getTextAt,
  toolKit,
} from '../../testing/demo-requests.ts';
import { createDemoGateway } from '../gateway.ts';
import { quirkNames } from './quirks.ts';

const gateway = createDemoGateway({ key: demoKey, hasQuirks: true });
const user = { role: 'user', content: 'The weather in Paris, order 4711' };

function post(fields: Record<string, unknown>): Promise<Response> {
  return gateway(createChatPost({ model: 'demo/strict', messages: [user], tools: toolKit, ...fields }));
}

/** Fetches the message of a non-streaming response. */
async function fetchMessage(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const body: unknown = await (await post(fields)).json();
  const message = getAt(body, 'choices', 0, 'message');
  if (!isRecord(message)) throw new Error(JSON.stringify(body));
  return message;
}

/** Fetches the deltas of a streaming response. */
async function fetchDeltas(fields: Record<string, unknown>): Promise<unknown[]> {
  return (await parseEvents(await post({ stream: true, ...fields }))).map((event) =>
    getAt(event, 'choices', 0, 'delta'),
  );
}

/** Continues the conversation after this answer, with a result for each of its calls. */
function createFollowUp(message: Record<string, unknown>): Record<string, unknown>[] {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const results = calls.map((call: unknown) => ({
    role: 'tool',
    tool_call_id: getAt(call, 'id'),
    name: getAt(call, 'function', 'name'),
    content: '{"temperature": 21}',
  }));
  return [user, message, ...results];
}

async function fetchRejection(fields: Record<string, unknown>): Promise<[status: number, body: unknown]> {
  const response = await post(fields);
  return [response.status, await response.json()];
}

/** Returns the message with its first call changed. */
function withFirstCall(
  message: Record<string, unknown>,
  change: (call: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  const [first, ...others] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  return { ...message, tool_calls: [change(isRecord(first) ? first : {}), ...others] };
}

describe('demo/strict', () => {
  it('lists demo/strict only with quirks enabled', async () => {
    const plainGateway = createDemoGateway({ key: demoKey });
    const response = await plainGateway(createChatPost({ model: 'demo/strict', demo_quirk: 'signed calls' }));
    const otherResponse = await plainGateway(createChatPost({ model: 'demo/strictly' }));
    expect(response.status).toBe(404);
    expect(await response.text()).toBe((await otherResponse.text()).replace('demo/strictly', 'demo/strict'));
  });

  it('lists its quirks, calls the first two tools and reports their results if no quirk is set', async () => {
    const message = await fetchMessage({});
    for (const name of quirkNames) expect(message['content']).toContain(`"${name}"`);
    const calls = message['tool_calls'];
    expect([0, 1].map((index) => getAt(calls, index, 'function', 'name'))).toEqual([
      'get_weather',
      'get_time',
    ]);
    expect(getAt(calls, 0, 'function', 'arguments')).toBe('{"city":"Paris"}');
    expect(getAt(calls, 0, 'id')).not.toBe(getAt(calls, 1, 'id'));
    expect((await fetchMessage({ messages: createFollowUp(message) }))['content']).toContain(
      'temperature is 21',
    );
    expect((await fetchMessage({ tools: [], demo_quirk: null }))['content']).toContain('demo_quirk');
  });

  it('calls the only tool twice and respects tool_choice and parallel_tool_calls', async () => {
    const [first] = toolKit;
    const listCalledTools = async (fields: Record<string, unknown>) => {
      const calls = (await fetchMessage(fields))['tool_calls'];
      return Array.isArray(calls) ? calls.map((call: unknown) => getAt(call, 'function', 'name')) : [];
    };
    expect(await listCalledTools({ tools: [first] })).toEqual(['get_weather', 'get_weather']);
    expect(await listCalledTools({ tool_choice: 'none' })).toEqual([]);
    expect(await listCalledTools({ parallel_tool_calls: false })).toEqual(['get_weather']);
    expect(
      await listCalledTools({ tool_choice: { type: 'function', function: { name: 'lookup_order' } } }),
    ).toEqual(['lookup_order', 'lookup_order']);
  });

  it('creates different call IDs in each turn of a seeded conversation', async () => {
    const message = await fetchMessage({ seed: 1 });
    const next = await fetchMessage({ seed: 1, messages: [...createFollowUp(message), user] });
    expect(getAt(next['tool_calls'], 0, 'id')).not.toBe(getAt(message['tool_calls'], 0, 'id'));
  });

  it.each([
    ['an unknown string', 'signed'],
    ['a boolean', true],
    ['an empty string', ''],
    ['a list', ['signed calls']],
  ])('rejects %s as a quirk', async (_, demo_quirk) => {
    const [status, body] = await fetchRejection({ demo_quirk });
    expect([status, getAt(body, 'error', 'type')]).toEqual([400, 'invalid_request']);
    expect(getTextAt(body, 'error', 'message')).toMatch(/^demo_quirk is .+"signed calls" or /);
  });

  it('validates requests like the other demo models', async () => {
    const [status, body] = await fetchRejection({ demo_quirk: 'newer parameters', temperature: 3 });
    expect([status, getTextAt(body, 'error', 'message')]).toEqual([
      400,
      'temperature is 3; it must be a number from 0 to 2.',
    ]);
  });
});

describe('signed calls', () => {
  const demo_quirk = 'signed calls';

  it('accepts its calls with the signature of the first call only', async () => {
    const message = await fetchMessage({ demo_quirk });
    expect(getTextAt(message['tool_calls'], 0, 'extra_content', 'google', 'thought_signature')).toMatch(/=$/);
    expect(getAt(message['tool_calls'], 1, 'extra_content')).toBeUndefined();
    expect((await post({ demo_quirk, messages: createFollowUp(message) })).status).toBe(200);
    const deltas = await fetchDeltas({ demo_quirk, seed: 4 });
    const firstCallDelta = deltas.find((delta) => getAt(delta, 'tool_calls', 0, 'id') !== undefined);
    expect(
      getTextAt(firstCallDelta, 'tool_calls', 0, 'extra_content', 'google', 'thought_signature'),
    ).toMatch(/=$/);
  });

  it('rejects calls with a missing, changed or foreign signature with an error list', async () => {
    const message = await fetchMessage({ demo_quirk });
    const signature = getTextAt(message['tool_calls'], 0, 'extra_content', 'google', 'thought_signature');
    const createSignature = (text: unknown) => ({ extra_content: { google: { thought_signature: text } } });
    const invalidMessages = [
      withFirstCall(message, ({ extra_content: _, ...call }) => call),
      withFirstCall(message, (call) => ({ ...call, extra_content: {} })),
      withFirstCall(message, (call) => ({ ...call, ...createSignature(`${signature} `) })),
      withFirstCall(message, (call) => ({ ...call, ...createSignature('') })),
      withFirstCall(message, (call) => ({ ...call, id: 'call_other' })),
    ];
    for (const invalidMessage of invalidMessages) {
      const [status, body] = await fetchRejection({ demo_quirk, messages: createFollowUp(invalidMessage) });
      expect(status).toBe(400);
      expect(body).toEqual([
        { error: { code: 400, message: expect.any(String), status: 'INVALID_ARGUMENT' } },
      ]);
      expect(getTextAt(body, 0, 'error', 'message')).toMatch(
        /thought_signature.*messages\[1\]|messages\[1\].*thought_signature/,
      );
    }
  });

  it('rejects a tool result without the name of its function', async () => {
    const messages = createFollowUp(await fetchMessage({ demo_quirk }));
    const unnamed = messages.map(({ name: _, ...message }) => message);
    const [status, body] = await fetchRejection({ demo_quirk, messages: unnamed });
    expect(status).toBe(400);
    expect(getTextAt(body, 0, 'error', 'message')).toContain('messages[2].name');
  });

  it('does not require a signature for calls from another model', async () => {
    const message = await fetchMessage({});
    const foreign = withFirstCall(message, (call) => ({ ...call, id: 'Ab3Ab3Ab3' }));
    expect((await post({ demo_quirk, messages: createFollowUp(foreign) })).status).toBe(200);
  });
});

describe('reasoning required', () => {
  const demo_quirk = 'reasoning required';

  it('streams reasoning before calls and accepts both in the next request', async () => {
    const deltas = await fetchDeltas({ demo_quirk });
    const findFirstIndex = (key: string) => deltas.findIndex((delta) => getAt(delta, key) !== undefined);
    expect(findFirstIndex('reasoning_content')).toBeGreaterThan(0);
    expect(findFirstIndex('tool_calls')).toBeGreaterThan(findFirstIndex('reasoning_content'));
    const message = await fetchMessage({ demo_quirk });
    expect(message['reasoning_content']).toBe('I need to call get_weather and get_time.');
    expect((await post({ demo_quirk, messages: createFollowUp(message) })).status).toBe(200);
  });

  it.each([undefined, null, ''])(
    'rejects calls sent back with reasoning_content %j',
    async (reasoning_content) => {
      const messages = createFollowUp({ ...(await fetchMessage({ demo_quirk })), reasoning_content });
      const [status, body] = await fetchRejection({ demo_quirk, messages });
      expect([status, getTextAt(body, 'error', 'message')]).toEqual([
        400,
        'reasoning_content is missing in assistant tool call message at index 1',
      ]);
    },
  );
});

describe('reasoning details', () => {
  const demo_quirk = 'reasoning details';

  it('accepts merged reasoning details and reports missing ones', async () => {
    const message = await fetchMessage({ demo_quirk });
    const details = message['reasoning_details'];
    const deltas = await fetchDeltas({ demo_quirk });
    const pieces = deltas.flatMap((delta) => getAt(delta, 'reasoning_details') ?? []);
    expect(
      pieces
        .filter((piece) => getAt(piece, 'index') === 0)
        .map((piece) => getTextAt(piece, 'text'))
        .join(''),
    ).toBe(getTextAt(details, 0, 'text'));
    expect(pieces.slice(-2)).toEqual([
      { type: 'reasoning.text', index: 0, signature: getAt(details, 0, 'signature') },
      getAt(details, 1),
    ]);
    const getReplyTo = async (change: unknown) =>
      (
        await fetchMessage({
          demo_quirk,
          messages: createFollowUp({ ...message, reasoning_details: change }),
        })
      )['content'];
    const reversed = Array.isArray(details) ? details.toReversed() : [];
    expect(await getReplyTo(details)).toContain('I received all of my reasoning.');
    for (const change of [undefined, [], [getAt(details, 0)], reversed, [{ text: 'x' }, getAt(details, 1)]])
      expect(await getReplyTo(change)).toContain('reasoning is missing: 1 of 1');
  });
});

describe('extra fields refused', () => {
  const demo_quirk = 'extra fields refused';

  it('accepts its own calls without extra fields and answers in text', async () => {
    const message = await fetchMessage({ demo_quirk });
    expect(getTextAt(message['tool_calls'], 0, 'id')).toMatch(/^[A-Za-z0-9]{9}$/);
    const answer = await fetchMessage({
      demo_quirk,
      seed: 3,
      stream: false,
      messages: createFollowUp(message),
    });
    expect(Object.keys(answer)).toEqual(['role', 'content']);
  });

  it('rejects extra fields and reports the path of each', async () => {
    const message = await fetchMessage({ demo_quirk });
    const extraMessage = {
      ...withFirstCall(message, (call) => ({ ...call, extra_content: {} })),
      reasoning_content: null,
    };
    const [status, body] = await fetchRejection({
      demo_quirk,
      messages: createFollowUp(extraMessage),
      min_p: 0.1,
    });
    const createDetail = (...loc: unknown[]) => ({
      type: 'extra_forbidden',
      loc: ['body', ...loc],
      msg: 'Extra inputs are not permitted',
    });
    expect([status, body]).toEqual([
      422,
      {
        detail: [
          createDetail('min_p'),
          createDetail('messages', 1, 'assistant', 'reasoning_content'),
          createDetail('messages', 1, 'assistant', 'tool_calls', 0, 'extra_content'),
        ],
      },
    ]);
  });

  it.each(['call_1', 'abcdefghi1', 'abc_efghi'])('rejects the call ID %s', async (id) => {
    const message = withFirstCall(await fetchMessage({ demo_quirk }), (call) => ({ ...call, id }));
    const [status, body] = await fetchRejection({ demo_quirk, messages: createFollowUp(message) });
    expect(status).toBe(400);
    expect(getTextAt(body, 'error', 'message')).toContain(`Tool call id was "${id}"`);
  });
});

describe('newer parameters', () => {
  const demo_quirk = 'newer parameters';

  it('counts hidden reasoning in its usage', async () => {
    const body: unknown = await (
      await post({ demo_quirk, temperature: 1, max_completion_tokens: 500 })
    ).json();
    expect(getAt(body, 'usage', 'completion_tokens_details', 'reasoning_tokens')).toBeGreaterThan(3);
    expect(Object.keys(await fetchMessage({ demo_quirk }))).toEqual(['role', 'content', 'tool_calls']);
    const keys = (await fetchDeltas({ demo_quirk })).flatMap((delta) =>
      isRecord(delta) ? Object.keys(delta) : [],
    );
    expect(new Set(keys)).toEqual(new Set(['role', 'content', 'tool_calls']));
  });

  it.each([
    [
      'max_tokens',
      20,
      'unsupported_parameter',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    [
      'temperature',
      0.5,
      'unsupported_value',
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
    ],
  ])('rejects %s under the quirk newer parameters', async (param, value, code, message) => {
    expect(await fetchRejection({ demo_quirk, [param]: value })).toEqual([
      400,
      { error: { message, type: 'invalid_request_error', param, code } },
    ]);
  });
});

describe('missing indexes', () => {
  const demo_quirk = 'missing indexes';

  it('omits every index of 0 and sends a placeholder before the arguments', async () => {
    const response = await post({ demo_quirk, stream: true, n: 2 });
    const text = await response.clone().text();
    expect(text).not.toContain('"index":0');
    const events = await parseEvents(response);
    const pieces = events.flatMap((event) =>
      getAt(event, 'choices', 0, 'index') === undefined
        ? (getAt(event, 'choices', 0, 'delta', 'tool_calls', 0) ?? [])
        : [],
    );
    const callStarts = pieces.filter((piece) => getAt(piece, 'id') !== undefined);
    expect(callStarts.map((piece) => [getAt(piece, 'index'), getAt(piece, 'function', 'arguments')])).toEqual(
      [
        [undefined, '{}'],
        [1, '{}'],
      ],
    );
    expect(pieces.length).toBeGreaterThan(callStarts.length + 4);
    const completion: unknown = await (await post({ demo_quirk, n: 2 })).json();
    expect([0, 1].map((index) => getAt(completion, 'choices', index, 'index'))).toEqual([undefined, 1]);
  });
});
