import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import { parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { createModelRequest, collectOutput, getReplyText, toolKit } from '../../testing/demo-requests.ts';
import { tools } from './tools.ts';

interface ParsedCall {
  name: string;
  arguments: Json;
}

const parseValue = (text: string): Json => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.message}`);
  return parsed.value;
};

const listCalls = (messages: Message[] | string, fields: JsonObject = { tools: toolKit }): ParsedCall[] =>
  collectOutput(tools, createModelRequest(messages, { fields })).flatMap((piece) =>
    'toolCall' in piece
      ? [{ name: piece.toolCall.name, arguments: parseValue(piece.toolCall.arguments) }]
      : [],
  );
const getReply = (
  messages: Message[] | string,
  fields: JsonObject = { tools: toolKit },
  isJsonMode = false,
) => getReplyText(tools, createModelRequest(messages, { fields, isJsonMode }));

/** Lists the calls in a short form: the name and the arguments as JSON. */
const summarizeCalls = (messages: Message[] | string, fields?: JsonObject) =>
  listCalls(messages, fields).map((call) => [call.name, call.arguments]);

describe('demo/tools: choice of tools and arguments', () => {
  it('calls the tool whose name shares a word with the message', () => {
    const rows: [string, string, JsonObject][] = [
      ['What is the weather in Paris?', 'get_weather', { city: 'Paris' }],
      [
        'weather, city: Rio de Janeiro, fahrenheit',
        'get_weather',
        { city: 'Rio de Janeiro', unit: 'fahrenheit' },
      ],
      ['What time is it in the city of Tokyo?', 'get_time', { city: 'Tokyo' }],
      ['get_time for city Oslo', 'get_time', { city: 'Oslo' }],
      ['Where is order 4711?', 'lookup_order', { order_id: 4711 }],
      [
        'Send an email, to: bob@example.com, body: We are late',
        'send_email',
        { to: 'bob@example.com', body: 'We are late' },
      ],
    ];
    for (const [message, name, values] of rows)
      expect(summarizeCalls(message), message).toEqual([[name, values]]);
  });

  it('calls the tool with a matching description if no name matches', () => {
    expect(summarizeCalls('Which packages of a customer are on their way? id 7')).toEqual([
      ['lookup_order', { order_id: 7 }],
    ]);
  });

  it('calls several tools in one answer', () => {
    expect(summarizeCalls('the weather and the time in the city of Vienna')).toEqual([
      ['get_weather', { city: 'Vienna' }],
      ['get_time', { city: 'Vienna' }],
    ]);
    expect(
      listCalls('the weather and the time', { tools: toolKit, parallel_tool_calls: false }),
    ).toHaveLength(1);
  });

  it('calls only one of two tools whose names share the same word with the message', () => {
    expect(summarizeCalls('search the email, text: rain').map(([name]) => name)).toEqual(['search_email']);
  });

  it('reports missing values, their placeholders and how to provide them', () => {
    expect(summarizeCalls('What is the weather?')).toEqual([['get_weather', { city: 'unknown' }]]);
    expect(getReply('What is the weather?')).toBe(
      'Your message has no `city` for `get_weather`, so I use `"unknown"`. Write a value after its name, as in "city: …".',
    );
    expect(getReply('What is the weather?', { tools: toolKit }, true)).toBe('');
  });
});

describe('demo/tools: tool_choice', () => {
  it('does not call a tool if tool_choice is none', () => {
    const fields = { tools: toolKit, tool_choice: 'none' };
    expect(listCalls('weather in Paris', fields)).toEqual([]);
    expect(getReply('weather in Paris', fields)).toBe('`tool_choice` is `none`, so I call no tool.');
  });

  it('lists the tools instead of calling one if none matches', () => {
    expect(listCalls('Tell me a story')).toEqual([]);
    expect(getReply('Tell me a story')).toContain('- `get_time`: The current time in a city.');
    expect(getReply('Tell me a story', {})).toContain('No tools are offered.');
  });

  it('always calls a tool if tool_choice is required', () => {
    const fields = { tools: toolKit, tool_choice: 'required' };
    expect(listCalls('Tell me a story', fields)).toHaveLength(1);
    expect(summarizeCalls('the time, city Oslo', fields)).toEqual([['get_time', { city: 'Oslo' }]]);
  });

  it('calls the function named in tool_choice for any message', () => {
    const fields = { tools: toolKit, tool_choice: { type: 'function', function: { name: 'get_time' } } };
    expect(summarizeCalls('weather, city Oslo', fields)).toEqual([['get_time', { city: 'Oslo' }]]);
  });
});

describe('demo/tools: schema for the answer', () => {
  const schema = {
    type: 'object',
    properties: {
      order: { type: 'integer' },
      mood: { type: 'string', enum: ['calm', 'angry'] },
      note: { type: ['string', 'null'] },
    },
    required: ['order', 'mood', 'note'],
  };
  const fields = { response_format: { type: 'json_schema', json_schema: { name: 'ticket', schema } } };

  it('fills the response schema from the message', () => {
    expect(parseValue(getReply('An angry mail about order 4711', fields, true))).toEqual({
      order: 4711,
      mood: 'angry',
      note: null,
    });
  });

  it('calls matching tools despite a response schema', () => {
    expect(summarizeCalls('weather, city Oslo', { ...fields, tools: toolKit })).toEqual([
      ['get_weather', { city: 'Oslo' }],
    ]);
  });
});

describe('demo/tools: tool results', () => {
  const createResultMessages = (results: [JsonObject, string][]): Message[] => [
    { role: 'user', content: 'weather?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: results.map(([values], index) => ({
        id: `c${index}`,
        type: 'function',
        function: { name: 'get_weather', arguments: JSON.stringify(values) },
      })),
    },
    ...results.map(([, content], index): Message => ({ role: 'tool', tool_call_id: `c${index}`, content })),
  ];

  it('describes the values of a JSON result', () => {
    const text = getReply(
      createResultMessages([[{ city: 'Paris' }, '{"temperature": 17.5, "sky": "sunny", "rain": null}']]),
    );
    expect(text).toBe(
      'For the weather in Paris, the temperature is 17.5, the sky is sunny and the rain is unknown.',
    );
  });

  it('describes several results with their calls, in the order of the calls', () => {
    const text = getReply(
      createResultMessages([
        [{ city: 'Paris' }, '{"celsius":17}'],
        [{ city: 'Rome' }, '{"celsius":24}'],
      ]),
    );
    expect(text).toBe(
      'For the weather in Paris, the celsius is 17.\n\nFor the weather in Rome, the celsius is 24.',
    );
  });

  it('quotes text results and reports failed and missing results', () => {
    expect(getReply(createResultMessages([[{ city: 'Paris' }, 'sunny, 17 degrees']]))).toContain(
      'For the weather in Paris, `get_weather` returned: sunny, 17 degrees',
    );
    expect(getReply(createResultMessages([[{ city: 'Paris' }, '{"error": "no such city"}']]))).toContain(
      'failed for the weather in Paris: no such city',
    );
    expect(getReply(createResultMessages([[{}, '']]))).toContain('is empty');
    expect(
      getReply(
        createResultMessages([
          [{}, 'one'],
          [{}, 'two'],
        ]).slice(0, 3),
      ),
    ).toContain('No result was returned');
  });

  it('shows nested results as JSON', () => {
    const text = getReply(createResultMessages([[{}, '[{"name":"A"},{"name":"B"}]']]));
    expect(text).toContain('```json\n[\n  {\n    "name": "A"\n  },');
  });

  it('answers with results even if a tool call is required, so that the loop ends', () => {
    const fields = { tools: toolKit, tool_choice: 'required' };
    expect(listCalls(createResultMessages([[{ city: 'Paris' }, '17']]), fields)).toEqual([]);
  });

  it('returns the results as one JSON object in JSON mode', () => {
    const value: unknown = JSON.parse(getReply(createResultMessages([[{ city: 'Paris' }, '17']]), {}, true));
    expect(value).toEqual({ results: [{ tool: 'get_weather', arguments: { city: 'Paris' }, result: '17' }] });
  });
});
