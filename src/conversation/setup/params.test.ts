import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createGateway } from '../../gateway/client.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { isRecord, parseJson, type Json } from '../../lib/json.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  addTestTurn,
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

/** For every row something that is not its start, and what the gateway has to receive. A new row needs a line here. */
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

/** What is said under the row, or nothing where it is sent or unset. */
function getProblem(params: Params, name: ParamName): string {
  const state = getParamState(params, name);
  return state.state === 'problem' ? state.problem : '';
}

describe('what a gateway receives', () => {
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

  /** The body as the gateway's socket got it. */
  async function getSentBody(params: Params): Promise<Record<string, unknown>> {
    const environment = createTestEnvironment();
    const { data, turnId } = addTestTurn(createTestSession(environment), environment, 'Hello');
    const gateway = createGateway({ gatewayBasePath: server.url, monotonicNow: () => performance.now() });
    receivedBodies = [];
    const body = buildRequest(data, createTestSetup({ params }), turnId);
    for await (const _ of gateway.streamChat(body, { requestId: 'r1' })) continue;
    expect(receivedBodies).toHaveLength(1);
    const parsed = parseJson(receivedBodies[0] ?? '');
    return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  }

  it.each(PARAMS.map((row) => row.name))('gets %s exactly as it was set', async (name) => {
    const example = examples[name];
    const params = withText(example.baseParams ?? {}, name, example.text);
    expect(await getSentBody(params)).toStrictEqual({
      model: 'demo/guide',
      messages: [{ role: 'user', content: 'Hello' }],
      ...example.fields,
    });
  });

  it.each(PARAMS.map((row) => row.name))('gets a value for %s from its first tick on', async (name) => {
    const params = withSent({}, name, true);
    // The extra fields start as an empty object, which adds none.
    const added = name === 'Extra provider fields' ? [] : [name];
    expect(Object.keys(await getSentBody(params))).toEqual(['model', 'messages', ...added]);
  });

  it('gets all rows at once', async () => {
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

  it('gets only model and messages where nothing is ticked', async () => {
    expect(Object.keys(await getSentBody({}))).toEqual(['model', 'messages']);
  });

  it('gets nothing of what was typed and then unticked', async () => {
    const unticked = PARAMS.reduce<Params>(
      (params, { name }) => withSent(withText(params, name, examples[name].text), name, false),
      {},
    );
    expect(Object.keys(await getSentBody(unticked))).toEqual(['model', 'messages']);
  });

  it('gets a field called __proto__ as an ordinary field', async () => {
    await getSentBody(
      createTickedParams({ 'Extra provider fields': '{"__proto__": {"polluted": 1}, "constructor": 2}' }),
    );
    expect(receivedBodies[0]).toContain('"__proto__":{"polluted":1}');
    expect(receivedBodies[0]).toContain('"constructor":2');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('gets a stream with its token counts from a first visit, and nothing else', async () => {
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

  it('gets no options of a stream that nobody asked for where there is no stream', async () => {
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

describe('ranges', () => {
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

  it.each(edges)('of %s include their ends', (name, validTexts) => {
    for (const text of validTexts) {
      expect(getParamState(createTickedParams({ [name]: text }), name)).toMatchObject({
        state: 'sent',
        value: Number(text),
      });
    }
  });

  it.each(edges)('of %s keep what lies outside from being sent, and say so', (name, _, invalidTexts) => {
    for (const text of invalidTexts) {
      const params = createTickedParams({ [name]: text });
      expect(getProblem(params, name)).toContain('Not sent');
      expect(buildRequestFields(params)).toEqual({});
    }
  });

  it('are named in the words of the design', () => {
    expect(getParamState(createTickedParams({ thinking_budget: '100' }), 'thinking_budget')).toEqual({
      state: 'problem',
      problem: 'Must be 128 to 32,768. Not sent.',
    });
  });

  it('leave the other fields alone', () => {
    expect(buildRequestFields(createTickedParams({ temperature: '9', top_p: '0.5' }))).toEqual({
      top_p: 0.5,
    });
  });
});

describe('stop', () => {
  const getSentStop = (text: string) => buildRequestFields(createTickedParams({ stop: text }))['stop'];

  it('takes one sequence per line, with spaces kept and empty lines left out', () => {
    expect(getSentStop('END\n\n  two words \n')).toEqual(['END', '  two words ']);
  });

  it('reads escapes as the characters they stand for', () => {
    expect(getSentStop('\\n\\n\n\\t\n\\\\n\n\\x')).toEqual(['\n\n', '\t', '\\n', '\\x']);
  });

  it('takes four and refuses five', () => {
    expect(getSentStop('a\nb\nc\nd')).toEqual(['a', 'b', 'c', 'd']);
    const five = createTickedParams({ stop: 'a\nb\nc\nd\ne' });
    expect(buildRequestFields(five)).toEqual({});
    expect(getParamState(five, 'stop').state).toBe('problem');
  });

  it('takes a bias from -100 to 100, says which one is none, and sends the other fields', () => {
    const createBiasParams = (text: string) => createTickedParams({ logit_bias: text, seed: '7' });
    expect(buildRequestFields(createBiasParams('{"50256": -100, "7": 99.5}'))).toMatchObject({
      logit_bias: { '7': 99.5, '50256': -100 },
    });
    expect(getProblem(createBiasParams('{"50256": -200}'), 'logit_bias')).toBe(
      'Bias of 50256: Must be -100 to 100. Not sent.',
    );
    expect(buildRequestFields(createBiasParams('{"model": 1}')), 'its keys are tokens').toMatchObject({
      logit_bias: { model: 1 },
    });
    expect(getProblem(createBiasParams('{"7": "1"}'), 'logit_bias')).toContain(
      'Must be a JSON object of token IDs',
    );
    expect(buildRequestFields(createBiasParams('{"7": 101}'))).toEqual({ seed: 7 });
  });

  it('is not sent while it is empty', () => {
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
      'two tools of one name',
      '[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"a"}}]',
    ],
    ['parameters that are not an object', '[{"type":"function","function":{"name":"a","parameters":[]}}]'],
  ])('refuses %s', (_, text) => {
    expect(getParamState(createTickedParams({ tools: text }), 'tools').state).toBe('problem');
    expect(buildRequestFields(createTickedParams({ tools: text }))).toEqual({});
  });

  it('says where the JSON breaks', () => {
    expect(getParamState(createTickedParams({ tools: '[{"type" "function"}]' }), 'tools')).toMatchObject({
      state: 'problem',
      offset: 9,
    });
  });

  it('lets tools of other types through as they are', () => {
    expect(
      buildRequestFields(createTickedParams({ tools: '[{"type":"web_search","limit":3}]' }))['tools'],
    ).toEqual([{ type: 'web_search', limit: 3 }]);
  });

  it('does not send the choice of a tool that is not offered any more', () => {
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

  it('sends the words of tool_choice as they are', () => {
    expect(buildRequestFields(createTickedParams({ tool_choice: 'required' }))).toEqual({
      tool_choice: 'required',
    });
  });
});

describe('response_format', () => {
  it('passes a whole json_schema object through', () => {
    const format = {
      type: 'json_schema',
      json_schema: { name: 'x', strict: true, schema: { type: 'object' } },
    };
    expect(buildRequestFields(createTickedParams({ response_format: JSON.stringify(format) }))).toEqual({
      response_format: format,
    });
  });

  it('is json_object from its first tick on', () => {
    expect(buildRequestFields(withSent({}, 'response_format', true))).toEqual({
      response_format: { type: 'json_object' },
    });
  });

  it('is not sent without a type', () => {
    expect(buildRequestFields(createTickedParams({ response_format: '{"json_schema":{}}' }))).toEqual({});
  });
});

describe('a hint', () => {
  it('says which other row a row needs, while that is not on', () => {
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
  it.each(['model', 'messages', 'temperature'])('may not say again what is set above: %s', (key) => {
    const params = createTickedParams({
      temperature: '1',
      'Extra provider fields': JSON.stringify({ [key]: 1, other: 2 }),
    });
    expect(getProblem(params, 'Extra provider fields')).toContain(key);
    expect(buildRequestFields(params)).toEqual({ temperature: 1 });
  });

  it('may set a field whose row is not sent', () => {
    expect(buildRequestFields(createTickedParams({ 'Extra provider fields': '{"temperature": 5}' }))).toEqual(
      {
        temperature: 5,
      },
    );
  });

  it('may hold the name of a row that is not sent, and say which one is', () => {
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

  it('sends extra fields with the typed digits and nested doubled keys, but no field twice', () => {
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

  it('keeps the digits of tools, a schema and a seed', () => {
    const texts = {
      seed: '9007199254740993',
      tools: '[{"type":"function","function":{"name":"f","parameters":{"minimum":1.0,"maximum":1e400}}}]',
      response_format: '{"type":"json_schema","json_schema":{"schema":{"const":12345678901234567890}}}',
    };
    expect(writeExactJson(buildRequestFields(createTickedParams(texts)))).toBe(
      `{"seed":${texts.seed},"response_format":${texts.response_format},"tools":${texts.tools}}`,
    );
  });

  it('must be an object: nothing else is sent', () => {
    const texts = ['[1]', 'null', '3', '{', ''];
    expect(
      texts.map((text) => buildRequestFields(createTickedParams({ 'Extra provider fields': text }))),
    ).toEqual(texts.map(() => ({})));
  });
});

describe('a row', () => {
  it('remembers its last value while it is unticked', () => {
    const typed = withText({}, 'temperature', '0.2');
    const unticked = withSent(typed, 'temperature', false);
    expect(getParamState(unticked, 'temperature')).toEqual({ state: 'unset' });
    expect(buildRequestFields(withSent(unticked, 'temperature', true))).toEqual({ temperature: 0.2 });
  });

  it('takes the default of the specification at its first tick, where it has one', () => {
    expect(buildRequestFields(withSent(withSent({}, 'top_p', true), 'thinking_budget', true))).toEqual({
      top_p: 0.7,
      thinking_budget: 4096,
    });
  });

  it('is valid with its own start', () => {
    for (const row of PARAMS)
      expect([row.name, getParamState(withSent({}, row.name, true), row.name).state]).toEqual([
        row.name,
        'sent',
      ]);
  });

  it('sends a refused field under its new name or leaves it out, also in the extra fields', () => {
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

  it('is in the table once', () => {
    expect(new Set(PARAMS.map((row) => row.name)).size).toBe(PARAMS.length);
  });
});
