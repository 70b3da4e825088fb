import { describe, expect, it } from 'vitest';

import {
  getAt,
  createChatPost,
  demoKey,
  createScriptedModel,
  toTextPieces,
} from '../../testing/demo-requests.ts';
import { createDemoGateway } from '../gateway.ts';

const textOnlyGateway = createDemoGateway({
  key: demoKey,
  models: [createScriptedModel(toTextPieces('Hello'))],
});
const visionGateway = createDemoGateway({
  key: demoKey,
  models: [createScriptedModel(toTextPieces('Hello'), { vision: true })],
});

const tool = {
  type: 'function',
  function: {
    name: 'look',
    description: 'Looks',
    parameters: { type: 'object', properties: {}, required: [] },
  },
};
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } };
const sound = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } };
const createMessageFields = (...list: unknown[]) => ({ messages: list });
const createUserMessageFields = (content: unknown) => createMessageFields({ role: 'user', content });

/** Invalid fields, and the parts of the expected message: field, value and allowed values. */
const rejectedRequests: [Record<string, unknown>, string[]][] = [
  [{ model: undefined }, ['model is missing', 'test/scripted']],
  [{ model: 7 }, ['model is 7']],
  [{ messages: undefined }, ['messages is missing']],
  [{ messages: [] }, ['messages is []']],
  [{ messages: 'hi' }, ['messages is "hi"']],
  [createMessageFields('hi'), ['messages[0] is "hi"']],
  [createMessageFields(null), ['messages[0] is null']],
  [createMessageFields({ content: 'x' }), ['messages[0].role is missing']],
  [
    createMessageFields({ role: 'robot', content: 'x' }),
    ['messages[0].role is "robot"', '"system", "developer", "user", "assistant" or "tool"'],
  ],
  [
    createMessageFields({ role: 'user' }),
    ['messages[0].content is missing', 'a string or an array of content parts'],
  ],
  [createMessageFields({ role: 'user', content: null }), ['messages[0].content is null']],
  [createMessageFields({ role: 'assistant', content: null }), ['messages[0].content is null']],
  [createMessageFields({ role: 'system', content: 5 }), ['messages[0].content is 5']],
  [createMessageFields({ role: 'user', content: 'x', name: 5 }), ['messages[0].name is 5']],
  [createUserMessageFields(['x']), ['messages[0].content[0] is "x"']],
  [
    createUserMessageFields([{ text: 'x' }]),
    ['messages[0].content[0].type is missing', '"text", "image_url", "file" or "input_audio"'],
  ],
  [createUserMessageFields([{ type: 'audio' }]), ['messages[0].content[0].type is "audio"']],
  [createUserMessageFields([{ type: 'text' }]), ['messages[0].content[0].text is missing']],
  [createUserMessageFields([{ type: 'image_url' }]), ['messages[0].content[0].image_url is missing']],
  [
    createUserMessageFields([{ type: 'image_url', image_url: 'u' }]),
    ['messages[0].content[0].image_url is "u"'],
  ],
  [
    createUserMessageFields([{ type: 'image_url', image_url: {} }]),
    ['messages[0].content[0].image_url.url is missing'],
  ],
  [
    createUserMessageFields([{ type: 'image_url', image_url: { url: 'u', detail: 1 } }]),
    ['image_url.detail is 1', '"low", "high", "auto"'],
  ],
  [createUserMessageFields([{ type: 'file' }]), ['content[0].file is missing', 'filename and file_data']],
  [createUserMessageFields([{ type: 'file', file: {} }]), ['content[0].file.filename is missing']],
  [
    createUserMessageFields([{ type: 'file', file: { filename: 'a.pdf', file_data: 'AAAA' } }]),
    ['content[0].file.file_data is "AAAA"', 'a data URL with base64'],
  ],
  [
    createUserMessageFields([{ type: 'input_audio' }]),
    ['content[0].input_audio is missing', 'data and format'],
  ],
  [
    createUserMessageFields([{ type: 'input_audio', input_audio: { data: 'data:,a', format: 'wav' } }]),
    ['content[0].input_audio.data is "data:,a"', 'base64 without a data URL'],
  ],
  [
    createUserMessageFields([{ type: 'input_audio', input_audio: { data: 'AAAA' } }]),
    ['content[0].input_audio.format is missing'],
  ],
  [createUserMessageFields([file]), ['messages[0].content[0] is a file', 'cannot read files', 'demo/vision']],
  [createUserMessageFields([sound]), ['messages[0].content[0] is audio', 'cannot use audio', 'demo/vision']],
  [
    createUserMessageFields([{ type: 'text', text: 'x' }, image]),
    ['messages[0].content[1] is an image', 'cannot see images', 'demo/vision'],
  ],
  [createMessageFields({ role: 'tool', tool_call_id: 'c' }), ['messages[0].content is missing']],
  [
    createMessageFields({ role: 'tool', tool_call_id: 'c', content: [] }),
    ['messages[0].content is []', 'a string'],
  ],
  [createMessageFields({ role: 'tool', content: 'x' }), ['messages[0].tool_call_id is missing']],
  [createMessageFields({ role: 'tool', content: 'x', tool_call_id: '' }), ['messages[0].tool_call_id is ""']],
  [
    createMessageFields({ role: 'assistant', content: null, tool_calls: {} }),
    ['messages[0].tool_calls is {}'],
  ],
  [
    createMessageFields({ role: 'assistant', tool_calls: [{ ...call, id: undefined }] }),
    ['messages[0].tool_calls[0].id is missing'],
  ],
  [
    createMessageFields({ role: 'assistant', tool_calls: [{ ...call, type: 'x' }] }),
    ['tool_calls[0].type is "x"'],
  ],
  [
    createMessageFields({ role: 'assistant', tool_calls: [{ ...call, function: {} }] }),
    ['tool_calls[0].function.name is missing'],
  ],
  [
    createMessageFields({
      role: 'assistant',
      tool_calls: [{ ...call, function: { name: 'look', arguments: {} } }],
    }),
    ['function.arguments is {}'],
  ],
  [{ stream: 'yes' }, ['stream is "yes"', 'true or false']],
  [{ stream_options: true }, ['stream_options is true', 'an object']],
  [{ stream_options: { include_usage: 1 } }, ['stream_options.include_usage is 1', 'true or false']],
  [{ max_tokens: 0 }, ['max_tokens is 0', 'a whole number from 1 up']],
  [{ max_completion_tokens: 0 }, ['max_completion_tokens is 0', 'a whole number from 1 up']],
  [{ reasoning_effort: 3 }, ['reasoning_effort is 3', 'a string']],
  [{ verbosity: true }, ['verbosity is true', 'a string']],
  [{ max_tokens: 1.5 }, ['max_tokens is 1.5']],
  [{ max_tokens: '5' }, ['max_tokens is "5"']],
  [{ temperature: 3 }, ['temperature is 3', 'a number from 0 to 2']],
  [{ temperature: -0.1 }, ['temperature is -0.1']],
  [{ temperature: 'hot' }, ['temperature is "hot"']],
  [{ top_p: 1.01 }, ['top_p is 1.01', 'from 0 to 1']],
  [{ top_p: -1 }, ['top_p is -1']],
  [{ frequency_penalty: 2.5 }, ['frequency_penalty is 2.5', 'from -2 to 2']],
  [{ presence_penalty: -2.5 }, ['presence_penalty is -2.5', 'from -2 to 2']],
  [{ stop: ['a', 'b', 'c', 'd', 'e'] }, ['stop is ["a","b","c","d","e"]', 'up to 4']],
  [{ stop: 5 }, ['stop is 5']],
  [{ stop: ['a', 5] }, ['stop is ["a",5]']],
  [{ stop: '' }, ['stop is ""', 'none of them empty']],
  [{ response_format: 'json' }, ['response_format is "json"', 'an object']],
  [{ response_format: {} }, ['response_format.type is missing', '"text" or "json_object" or "json_schema"']],
  [{ response_format: { type: 'xml' } }, ['response_format.type is "xml"']],
  [{ response_format: { type: 'json_schema' } }, ['response_format.json_schema is missing']],
  [{ n: 0 }, ['n is 0', 'a whole number from 1 to 8', "the demo gateway's own limit"]],
  [{ n: 9 }, ['n is 9']],
  [{ n: 1.5 }, ['n is 1.5']],
  [{ tools: {} }, ['tools is {}', 'an array']],
  [{ tools: ['look'] }, ['tools[0] is "look"']],
  [{ tools: [{ ...tool, type: 'plugin' }] }, ['tools[0].type is "plugin"', '"function"']],
  [{ tools: [{ type: 'function' }] }, ['tools[0].function is missing']],
  [{ tools: [{ type: 'function', function: {} }] }, ['tools[0].function.name is missing']],
  [{ tools: [{ type: 'function', function: { name: 'a', description: 1 } }] }, ['function.description is 1']],
  [{ tools: [{ type: 'function', function: { name: 'a', parameters: [] } }] }, ['function.parameters is []']],
  [
    { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }] },
    ['parameters.type is "string"'],
  ],
  [
    { tools: [{ type: 'function', function: { name: 'a', parameters: { properties: [] } } }] },
    ['parameters.properties is []'],
  ],
  [
    { tools: [{ type: 'function', function: { name: 'a', parameters: { required: 'b' } } }] },
    ['parameters.required is "b"'],
  ],
  [{ tools: [tool], tool_choice: 'maybe' }, ['tool_choice is "maybe"', '"auto", "none", "required"']],
  [{ tools: [tool], tool_choice: { type: 'function' } }, ['tool_choice is {"type":"function"}']],
  [
    { tools: [tool], tool_choice: { type: 'function', function: { name: 'hear' } } },
    ['tool_choice names "hear"', 'the tools are look'],
  ],
  [{ tool_choice: { type: 'function', function: { name: 'hear' } } }, ['there are no tools']],
  [{ enable_thinking: 1 }, ['enable_thinking is 1', 'true or false']],
  [{ thinking_budget: 127 }, ['thinking_budget is 127', 'from 128 to 32768']],
  [{ thinking_budget: 32_769 }, ['thinking_budget is 32769']],
  [{ thinking_budget: 200.5 }, ['thinking_budget is 200.5']],
  [{ top_k: 1.5 }, ['top_k is 1.5']],
  [{ top_k: -2 }, ['top_k is -2']],
  [{ seed: 'x' }, ['seed is "x"', 'a whole number']],
  [{ repetition_penalty: 0 }, ['repetition_penalty is 0', 'a number above 0']],
  [{ logit_bias: [] }, ['logit_bias is []']],
  [{ logit_bias: { 5: 'high' } }, ['logit_bias["5"] is "high"']],
  [{ logit_bias: { 5: 101 } }, ['logit_bias["5"] is 101', 'from -100 to 100']],
  [{ demo_tokens_per_second: -1 }, ['demo_tokens_per_second is -1']],
];

const acceptedRequests: [string, Record<string, unknown>][] = [
  ['only model and messages', {}],
  [
    'every field at its lower bound',
    {
      temperature: 0,
      top_p: 0,
      frequency_penalty: -2,
      presence_penalty: -2,
      max_tokens: 1,
      n: 1,
      thinking_budget: 128,
      top_k: -1,
    },
  ],
  [
    'every field at its upper bound',
    {
      temperature: 2,
      top_p: 1,
      frequency_penalty: 2,
      presence_penalty: 2,
      max_tokens: 1e9,
      n: 8,
      thinking_budget: 32_768,
    },
  ],
  ['one and four stop sequences', { stop: ['a', 'b', 'c', 'd'] }],
  ['an empty list of stop sequences', { stop: [] }],
  [
    'the three response formats',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } },
  ],
  [
    'a tool that has only a name',
    { tools: [{ type: 'function', function: { name: 'a' } }], tool_choice: 'required' },
  ],
  [
    'the tool that tool_choice names',
    { tools: [tool], tool_choice: { type: 'function', function: { name: 'look' } } },
  ],
  [
    'null for unset fields',
    { temperature: null, stop: null, tools: null, stream: null, seed: null, response_format: null },
  ],
  ['unknown fields', { user: 'me', metadata: { a: 1 }, provider: ['x'], __proto__x: 1 }],
  ['an empty text', createUserMessageFields('')],
  [
    'all roles',
    createMessageFields(
      { role: 'system', content: 'x', name: 's' },
      { role: 'user', content: [{ type: 'text', text: 'x' }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', content: 'y', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'z', tool_calls: [] },
    ),
  ],
];

describe('chat request (§2.1 to §2.3)', () => {
  it('rejects invalid chat requests and names the field, its value and the allowed values', async () => {
    for (const [fields, expectedTexts] of rejectedRequests) {
      const response = await textOnlyGateway(createChatPost(fields));
      const body: unknown = await response.json();
      expect(
        [response.status, getAt(body, 'error', 'type'), getAt(body, 'error', 'code')],
        JSON.stringify(fields),
      ).toEqual([400, 'invalid_request', '400']);
      for (const expectedText of expectedTexts)
        expect(getAt(body, 'error', 'message')).toContain(expectedText);
    }
  });

  it.each(acceptedRequests)('accepts a chat request with %s', async (_, fields) => {
    const response = await textOnlyGateway(createChatPost(fields));
    expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
  });

  it('reads a developer message as a system message and applies the lower of two token limits', async () => {
    let receivedRequest: unknown;
    const model = createScriptedModel((request) => {
      receivedRequest = request;
      return toTextPieces('one', 'two', 'three');
    });
    const gateway = createDemoGateway({ key: demoKey, models: [model] });
    const response = await gateway(
      createChatPost({
        ...createMessageFields({ role: 'developer', content: 'Be brief' }, { role: 'user', content: 'x' }),
        max_tokens: 9,
        max_completion_tokens: 2,
        reasoning_effort: 'low',
        verbosity: 'high',
      }),
    );
    expect(getAt(receivedRequest, 'messages')).toEqual([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'x' },
    ]);
    expect(getAt(await response.json(), 'usage', 'completion_tokens')).toBe(2);
  });

  it('accepts images for a model with vision', async () => {
    const response = await visionGateway(
      createChatPost(
        createUserMessageFields([image, { type: 'image_url', image_url: { url: 'https://a.test/b.png' } }]),
      ),
    );
    expect(response.status).toBe(200);
  });

  it('accepts documents and sounds for a model that lists them', async () => {
    const gateway = createDemoGateway({ key: demoKey });
    const body = { ...createUserMessageFields([file, sound]), model: 'demo/vision' };
    expect((await gateway(createChatPost(body))).status).toBe(200);
  });

  it('passes all other fields to the model unchanged, except null fields', async () => {
    let receivedRequest: unknown;
    const model = createScriptedModel((request) => {
      receivedRequest = request;
      return toTextPieces('ok');
    });
    const gateway = createDemoGateway({ key: demoKey, models: [model] });
    await gateway(
      createChatPost({
        ...createUserMessageFields('x'),
        top_k: 3,
        strange: { a: [1] },
        seed: null,
        response_format: { type: 'json_object' },
      }),
    );
    expect(receivedRequest).toMatchObject({
      messages: [{ role: 'user', content: 'x' }],
      candidate: 0,
      isJsonMode: true,
    });
    expect(getAt(receivedRequest, 'fields')).toEqual({
      top_k: 3,
      strange: { a: [1] },
      response_format: { type: 'json_object' },
      demo_tokens_per_second: 0,
    });
  });
});
