import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createServerClient } from '../../gateway/client.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { isRecord, parseJson, type Json } from '../../lib/json.ts';
import {
  createTestEnvironment,
  createTestTurn,
  createTestSetup,
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  createTickedParams,
} from '../../testing/builders.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { buildRequest } from '../request/request.ts';
import {
  buildRequestFields,
  defaultParams,
  PARAMS,
  getParamState,
  withSent,
  withText,
  type ParamName,
  type Params,
} from './params.ts';

const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];

/** A value other than the initial one for each row, and the expected request fields. Add an entry for each new row. */
const examples: Record<ParamName, { text: string; fields: Record<string, Json>; baseParams?: Params }> = {
  temperature: { text: '0.3', fields: { temperature: 0.3 } },
  top_p: { text: '0.95', fields: { top_p: 0.95 } },
  max_tokens: { text: '77', fields: { max_tokens: 77 } },
  frequency_penalty: { text: '-1.5', fields: { frequency_penalty: -1.5 } },
  presence_penalty: { text: '0.25', fields: { presence_penalty: 0.25 } },
  stop: { text: 'END\n\\n\\n', fields: { stop: ['END', '\n\n'] } },
  n: { text: '3', fields: { n: 3 } },
  top_k: { text: '12', fields: { top_k: 12 } },
  repetition_penalty: { text: '1.1', fields: { repetition_penalty: 1.1 } },
  seed: { text: '-42', fields: { seed: -42 } },
  logit_bias: { text: '{"50256": -100}', fields: { logit_bias: { '50256': -100 } } },
  enable_thinking: { text: 'false', fields: { enable_thinking: false } },
  thinking_budget: { text: '256', fields: { thinking_budget: 256 } },
  max_completion_tokens: { text: '99', fields: { max_completion_tokens: 99 } },
  reasoning_effort: { text: 'xhigh', fields: { reasoning_effort: 'xhigh' } },
  verbosity: { text: 'low', fields: { verbosity: 'low' } },
  stream: { text: 'false', fields: { stream: false } },
  stream_options: { text: '{"include_usage":true}', fields: { stream_options: { include_usage: true } } },
  response_format: { text: 'text', fields: { response_format: { type: 'text' } } },
  tools: { text: JSON.stringify(tools), fields: { tools } },
  tool_choice: {
    text: 'function:add',
    fields: { tools, tool_choice: { type: 'function', function: { name: 'add' } } },
    baseParams: createTickedParams({ tools: JSON.stringify(tools) }),
  },
  'Extra provider fields': {
    text: '{"min_p": 0.1, "provider": {"order": ["x"]}}',
    fields: { min_p: 0.1, provider: { order: ['x'] } },
  },
};

/** Returns the error shown below the row, or an empty string if it is sent or unset. */
function getProblem(params: Params, name: ParamName): string {
  const state = getParamState(params, name);
  return state.state === 'problem' ? state.problem : '';
}

describe('request received by the gateway', () => {
  let server: TestServer;
  let receivedBodies: string[] = [];

  beforeAll(async () => {
    server = await startTestServer(async (request) => {
      receivedBodies.push(await request.text());
      return createStreamResponse(
        (async function* () {
          yield formatFinishChunk() + doneEvent;
        })(),
      );
    });
  });
  afterAll(() => server.close());

  /** Returns the body that the gateway receives. */
  async function getSentBody(params: Params): Promise<Record<string, unknown>> {
    const environment = createTestEnvironment();
    const { data, turnId } = createTestTurn(environment, 'Hello');
    const gateway = createServerClient({
      gatewayBasePath: server.url,
      monotonicNow: () => performance.now(),
    });
    receivedBodies = [];
    const body = buildRequest(data, createTestSetup({ params }), turnId);
    for await (const _ of gateway.streamChat(body, { requestId: 'r1' })) continue;
    expect(receivedBodies).toHaveLength(1);
    const parsed = parseJson(receivedBodies[0] ?? '');
    return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  }

  it.each(PARAMS.map((row) => row.name))('sends %s exactly as it was set', async (name) => {
    const example = examples[name];
    const params = withText(example.baseParams ?? {}, name, example.text);
    expect(await getSentBody(params)).toStrictEqual({
      model: 'demo/guide',
      messages: [{ role: 'user', content: 'Hello' }],
      ...example.fields,
    });
  });

  it.each(PARAMS.map((row) => row.name))('sends a value for %s as soon as it is ticked', async (name) => {
    const params = withSent({}, name, true);
    // The extra fields start as an empty object, which adds no field.
    const added = name === 'Extra provider fields' ? [] : [name];
    expect(Object.keys(await getSentBody(params))).toEqual(['model', 'messages', ...added]);
  });

  it('sends all parameters together', async () => {
    const allParams = PARAMS.reduce<Params>(
      (params, { name }) => withText(params, name, examples[name].text),
      {},
    );
    const fields = Object.fromEntries(PARAMS.flatMap((row) => Object.entries(examples[row.name].fields)));
    expect(await getSentBody(allParams)).toStrictEqual({
      model: 'demo/guide',
      messages: [{ role: 'user', content: 'Hello' }],
      ...fields,
    });
  });

  it('sends only model and messages if nothing is ticked', async () => {
    expect(Object.keys(await getSentBody({}))).toEqual(['model', 'messages']);
  });

  it('omits values that were typed and then unticked', async () => {
    const unticked = PARAMS.reduce<Params>(
      (params, { name }) => withSent(withText(params, name, examples[name].text), name, false),
      {},
    );
    expect(Object.keys(await getSentBody(unticked))).toEqual(['model', 'messages']);
  });

  it('sends an extra field called __proto__ as an ordinary field', async () => {
    await getSentBody(
      createTickedParams({ 'Extra provider fields': '{"__proto__": {"polluted": 1}, "constructor": 2}' }),
    );
    expect(receivedBodies[0]).toContain('"__proto__":{"polluted":1}');
    expect(receivedBodies[0]).toContain('"constructor":2');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('sends only stream and stream_options by default', async () => {
    expect(await getSentBody(defaultParams)).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(Object.keys(await getSentBody(defaultParams))).toEqual([
      'model',
      'messages',
      'stream',
      'stream_options',
    ]);
  });

  it('omits the default stream_options without streaming', async () => {
    for (const stream of [undefined, { sent: false, text: 'true' }, { sent: true, text: 'false' }])
      expect(
        await getSentBody({
          ...defaultParams,
          ...(stream ? { stream } : { stream: { sent: false, text: '' } }),
        }),
      ).not.toHaveProperty('stream_options');
    const byHand = withSent({ stream: { sent: true, text: 'false' } }, 'stream_options', true);
    expect(await getSentBody(byHand)).toHaveProperty('stream_options');
  });
});

describe('parameter ranges', () => {
  const edges: [ParamName, string[], string[]][] = [
    [
      'temperature',
      ['0', '2', '0.0', '1e-3', ' 1 '],
      ['-0.01', '2.01', '', 'warm', 'NaN', 'Infinity', '1,5'],
    ],
    ['top_p', ['0', '1'], ['-0.1', '1.0001']],
    ['max_tokens', ['1', '1000000'], ['0', '-1', '1.5', '-9007199254740993']],
    ['frequency_penalty', ['-2', '2'], ['-2.1', '2.1']],
    ['presence_penalty', ['-2', '2'], ['-2.1', '2.1']],
    ['n', ['1', '128'], ['0', '129', '2.5']],
    ['top_k', ['-1', '0', '100'], ['-2', '0.5']],
    ['repetition_penalty', ['0', '2'], ['-0.1', '2.1']],
    ['seed', ['0', '-1', '9007199254740991'], ['0.5', '1e16']],
    ['thinking_budget', ['128', '32768'], ['127', '32769', '128.5', '']],
  ];

  it.each(edges)('accepts both ends of the range of %s', (name, validTexts) => {
    for (const text of validTexts) {
      expect(getParamState(createTickedParams({ [name]: text }), name)).toMatchObject({
        state: 'sent',
        value: Number(text),
      });
    }
  });

  it.each(edges)('rejects values outside the range of %s with a message', (name, _, invalidTexts) => {
    for (const text of invalidTexts) {
      const params = createTickedParams({ [name]: text });
      expect(getProblem(params, name)).toContain('Not sent');
      expect(buildRequestFields(params)).toEqual({});
    }
  });

  it('formats the range with thousands separators', () => {
    expect(getParamState(createTickedParams({ thinking_budget: '100' }), 'thinking_budget')).toEqual({
      state: 'problem',
      problem: 'Must be between 128 and 32,768. Not sent.',
    });
  });

  it('sends the other fields if one is out of range', () => {
    expect(buildRequestFields(createTickedParams({ temperature: '9', top_p: '0.5' }))).toEqual({
      top_p: 0.5,
    });
  });
});

describe('stop and logit_bias', () => {
  const getSentStop = (text: string) => buildRequestFields(createTickedParams({ stop: text }))['stop'];

  it('sends one stop sequence per line, keeping spaces and skipping empty lines', () => {
    expect(getSentStop('END\n\n  two words \n')).toEqual(['END', '  two words ']);
  });

  it('replaces escapes in stop sequences', () => {
    expect(getSentStop('\\n\\n\n\\t\n\\\\n\n\\x')).toEqual(['\n\n', '\t', '\\n', '\\x']);
  });

  it('accepts four stop sequences and rejects five', () => {
    expect(getSentStop('a\nb\nc\nd')).toEqual(['a', 'b', 'c', 'd']);
    const five = createTickedParams({ stop: 'a\nb\nc\nd\ne' });
    expect(buildRequestFields(five)).toEqual({});
    expect(getParamState(five, 'stop').state).toBe('problem');
  });

  it('accepts biases from -100 to 100, reports an invalid bias and sends the other fields', () => {
    const createBiasParams = (text: string) => createTickedParams({ logit_bias: text, seed: '7' });
    expect(buildRequestFields(createBiasParams('{"50256": -100, "7": 99.5}'))).toMatchObject({
      logit_bias: { '7': 99.5, '50256': -100 },
    });
    expect(getProblem(createBiasParams('{"50256": -200}'), 'logit_bias')).toBe(
      'Bias of 50256: Must be between -100 and 100. Not sent.',
    );
    expect(buildRequestFields(createBiasParams('{"model": 1}')), 'keys are token IDs').toMatchObject({
      logit_bias: { model: 1 },
    });
    expect(getProblem(createBiasParams('{"7": "1"}'), 'logit_bias')).toContain(
      'Must be a JSON object of token IDs',
    );
    expect(buildRequestFields(createBiasParams('{"7": 101}'))).toEqual({ seed: 7 });
  });

  it('omits stop while it is empty', () => {
    expect(buildRequestFields(createTickedParams({ stop: '\n\n' }))).toEqual({});
  });
});

describe('tools and tool_choice', () => {
  it.each([
    ['no array', '{}'],
    ['an empty array', '[]'],
    ['no name', '[{"type":"function","function":{}}]'],
    ['an item that is not an object', '[1]'],
    [
      'two tools with the same name',
      '[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"a"}}]',
    ],
    ['parameters that are not an object', '[{"type":"function","function":{"name":"a","parameters":[]}}]'],
  ])('rejects tools with %s', (_, text) => {
    expect(getParamState(createTickedParams({ tools: text }), 'tools').state).toBe('problem');
    expect(buildRequestFields(createTickedParams({ tools: text }))).toEqual({});
  });

  it('reports the offset of a JSON error in tools', () => {
    expect(getParamState(createTickedParams({ tools: '[{"type" "function"}]' }), 'tools')).toMatchObject({
      state: 'problem',
      offset: 9,
    });
  });

  it('sends tools of other types unchanged', () => {
    expect(
      buildRequestFields(createTickedParams({ tools: '[{"type":"web_search","limit":3}]' }))['tools'],
    ).toEqual([{ type: 'web_search', limit: 3 }]);
  });

  it('omits tool_choice if its tool is missing or tools are not sent', () => {
    const chosen = createTickedParams({ tools: JSON.stringify(tools), tool_choice: 'function:gone' });
    expect(getProblem(chosen, 'tool_choice')).toContain('gone');
    expect(Object.keys(buildRequestFields(chosen))).toEqual(['tools']);
    const untickedTools = withSent(
      createTickedParams({ tools: JSON.stringify(tools), tool_choice: 'function:add' }),
      'tools',
      false,
    );
    expect(buildRequestFields(untickedTools)).toEqual({});
  });

  it('sends the keywords of tool_choice unchanged', () => {
    expect(buildRequestFields(createTickedParams({ tool_choice: 'required' }))).toEqual({
      tool_choice: 'required',
    });
  });
});

describe('response_format', () => {
  it('sends a complete json_schema object unchanged', () => {
    const format = {
      type: 'json_schema',
      json_schema: { name: 'x', strict: true, schema: { type: 'object' } },
    };
    expect(buildRequestFields(createTickedParams({ response_format: JSON.stringify(format) }))).toEqual({
      response_format: format,
    });
  });

  it('sends json_object as response_format when it is first ticked', () => {
    expect(buildRequestFields(withSent({}, 'response_format', true))).toEqual({
      response_format: { type: 'json_object' },
    });
  });

  it('omits response_format without a type', () => {
    expect(buildRequestFields(createTickedParams({ response_format: '{"json_schema":{}}' }))).toEqual({});
  });
});

describe('parameter hints', () => {
  it('shows which other row a parameter requires until that row is on', () => {
    const getHint = (name: ParamName, texts: Parameters<typeof createTickedParams>[0]) => {
      const state = getParamState(createTickedParams(texts), name);
      return state.state === 'sent' ? state.hint : state.state;
    };
    const usage = { stream_options: '{"include_usage":true}' };
    expect(getHint('stream_options', usage)).toBe('Only applies with stream.');
    expect(getHint('stream_options', { ...usage, stream: 'false' })).toBe('Only applies with stream.');
    expect(getHint('stream_options', { ...usage, stream: 'true' })).toBeUndefined();
    const budget = { thinking_budget: '2048' };
    expect(getHint('thinking_budget', budget)).toBe('Applies when enable_thinking is on.');
    expect(getHint('thinking_budget', { ...budget, enable_thinking: 'true' })).toBeUndefined();
    const choice = { tool_choice: 'auto' };
    expect(getHint('tool_choice', choice)).toBe('Only applies with tools.');
    expect(getHint('tool_choice', { ...choice, tools: JSON.stringify(tools) })).toBeUndefined();
    expect(getParamState(createTickedParams({ seed: '1' }), 'seed')).toStrictEqual({
      state: 'sent',
      value: 1,
    });
  });
});

describe('extra provider fields', () => {
  it.each(['model', 'messages', 'temperature'])('rejects an extra field that is already set: %s', (key) => {
    const params = createTickedParams({
      temperature: '1',
      'Extra provider fields': JSON.stringify({ [key]: 1, other: 2 }),
    });
    expect(getProblem(params, 'Extra provider fields')).toContain(key);
    expect(buildRequestFields(params)).toEqual({ temperature: 1 });
  });

  it('sends an extra field whose row is not sent', () => {
    expect(buildRequestFields(createTickedParams({ 'Extra provider fields': '{"temperature": 5}' }))).toEqual(
      {
        temperature: 5,
      },
    );
  });

  it('accepts extra fields of unsent rows and reports conflicting fields', () => {
    const createExtraParam = (text: string) => ({ 'Extra provider fields': { sent: true, text } });
    const getExtraProblem = (params: Params) => getProblem(params, 'Extra provider fields');
    expect(getParamState(createExtraParam('{"seed": 1}'), 'Extra provider fields').state).toBe('sent');
    expect(
      getParamState(
        { ...createExtraParam('{"seed": 1}'), seed: { sent: false, text: '7' } },
        'Extra provider fields',
      ).state,
    ).toBe('sent');
    expect(
      getExtraProblem({ ...createExtraParam('{"a": 1, "seed": 1}'), seed: { sent: true, text: '7' } }),
    ).toBe('seed is already set above. Not sent.');
  });

  it('sends extra fields with the typed digits and nested duplicate keys, but rejects duplicate fields', () => {
    const formatSentFields = (text: string) =>
      writeExactJson(buildRequestFields(createTickedParams({ 'Extra provider fields': text })));
    for (const text of [
      '{"a":9007199254740993,"b":[1.0,1e400,-0],"c":{"d":1,"d":2}}',
      '{"deep":{"a":12345678901234567890},"metadata":{"price":0.10}}',
    ])
      expect(formatSentFields(text)).toBe(text);
    expect(
      getProblem(
        createTickedParams({ 'Extra provider fields': '{"a":1,"b":2,"a":3}' }),
        'Extra provider fields',
      ),
    ).toBe('a is set twice. Not sent.');
    expect(
      getProblem(
        createTickedParams({ 'Extra provider fields': '{"model":1,"model":2}' }),
        'Extra provider fields',
      ),
    ).toBe('model is already set above. Not sent.');
  });

  it('keeps the digits of tools, schemas and seed', () => {
    const texts = {
      seed: '9007199254740993',
      tools: '[{"type":"function","function":{"name":"f","parameters":{"minimum":1.0,"maximum":1e400}}}]',
      response_format: '{"type":"json_schema","json_schema":{"schema":{"const":12345678901234567890}}}',
    };
    expect(writeExactJson(buildRequestFields(createTickedParams(texts)))).toBe(
      `{"seed":${texts.seed},"response_format":${texts.response_format},"tools":${texts.tools}}`,
    );
  });

  it('omits extra fields that are not a JSON object', () => {
    const texts = ['[1]', 'null', '3', '{', ''];
    expect(
      texts.map((text) => buildRequestFields(createTickedParams({ 'Extra provider fields': text }))),
    ).toEqual(texts.map(() => ({})));
  });
});

describe('parameter row', () => {
  it('keeps the last value of a parameter while it is unticked', () => {
    const typed = withText({}, 'temperature', '0.2');
    const unticked = withSent(typed, 'temperature', false);
    expect(getParamState(unticked, 'temperature')).toEqual({ state: 'unset' });
    expect(buildRequestFields(withSent(unticked, 'temperature', true))).toEqual({ temperature: 0.2 });
  });

  it('sends the specified default when first ticked', () => {
    expect(buildRequestFields(withSent(withSent({}, 'top_p', true), 'thinking_budget', true))).toEqual({
      top_p: 0.7,
      thinking_budget: 4096,
    });
  });

  it('has a valid initial value for every row', () => {
    for (const row of PARAMS)
      expect([row.name, getParamState(withSent({}, row.name, true), row.name).state]).toEqual([
        row.name,
        'sent',
      ]);
  });

  it('renames or omits fields that the model rejected, including extra fields', () => {
    const params: Params = {
      max_tokens: { sent: true, text: '5', refused: { max_tokens: 'max_completion_tokens' } },
      temperature: { sent: true, text: '0.3', refused: { temperature: null } },
      'Extra provider fields': {
        sent: true,
        text: '{"min_p": 0.1, "kept": 1, "old": 2}',
        refused: { min_p: null, old: 'new' },
      },
    };
    expect(buildRequestFields(params)).toEqual({ max_completion_tokens: 5, kept: 1, new: 2 });
    expect(getParamState(params, 'temperature')).toEqual({ state: 'unset' });
    expect(buildRequestFields(withText(params, 'max_completion_tokens', '9'))).toMatchObject({
      max_completion_tokens: 9,
    });
    const forged = { sent: true, text: '5', refused: { max_tokens: 'messages' } };
    expect(buildRequestFields({ max_tokens: forged })).toEqual({});
  });

  it('lists every parameter once', () => {
    expect(new Set(PARAMS.map((row) => row.name)).size).toBe(PARAMS.length);
  });
});
