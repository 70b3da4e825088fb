import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import { parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { aRequest, replyOf, textOfReply } from '../filling/testing-requests.ts';
import { kit } from '../filling/testing-tools.ts';
import { tools } from './tools.ts';

interface Call {
  name: string;
  arguments: Json;
}

const valueOf = (text: string): Json => {
  const reading = parseJson(text);
  if (!reading.ok) throw new Error(`${text}: ${reading.message}`);
  return reading.value;
};

const callsOf = (messages: Message[] | string, fields: JsonObject = { tools: kit }): Call[] =>
  replyOf(tools, aRequest(messages, { fields })).flatMap((piece) =>
    'toolCall' in piece ? [{ name: piece.toolCall.name, arguments: valueOf(piece.toolCall.arguments) }] : [],
  );
const say = (messages: Message[] | string, fields: JsonObject = { tools: kit }, wantsJson = false) =>
  textOfReply(tools, aRequest(messages, { fields, wantsJson }));

/** The calls in a short spelling: name, then the arguments as JSON. */
const spelled = (messages: Message[] | string, fields?: JsonObject) =>
  callsOf(messages, fields).map((call) => [call.name, call.arguments]);

const single: [string, string, JsonObject][] = [
  ['What is the weather in Paris?', 'get_weather', { city: 'Paris' }],
  ['weather in paris', 'get_weather', { city: 'paris' }],
  [
    'Is it raining in New York City, in Fahrenheit?',
    'get_weather',
    { city: 'New York City', unit: 'fahrenheit' },
  ],
  ['Hi, I am in Berlin. What is the weather here?', 'get_weather', { city: 'Berlin' }],
  ['get_weather city: Rio de Janeiro', 'get_weather', { city: 'Rio de Janeiro' }],
  ['What time is it in Tokyo?', 'get_time', { city: 'Tokyo' }],
  [
    'Send an email to bob@example.com saying that we are late',
    'send_email',
    { to: 'bob@example.com', body: 'we are late' },
  ],
  [
    'Email bob@example.com with subject "Lunch" and tell him that I am late',
    'send_email',
    { to: 'bob@example.com', subject: 'Lunch', body: 'I am late' },
  ],
  ['Convert 100 USD to EUR', 'convert_currency', { amount: 100, from_currency: 'USD', to_currency: 'EUR' }],
  [
    'convert 5,000.50 yen into dollars',
    'convert_currency',
    { amount: 5000.5, from_currency: 'JPY', to_currency: 'USD' },
  ],
  ['What is 15 * (23 + 2)?', 'calculate', { expression: '15 * (23 + 2)' }],
  ['Search the web for cats and dogs', 'web_search', { query: 'cats and dogs' }],
  [
    'Book a flight from Paris to Rome on 3 May 2027 for 2 passengers',
    'search_flights',
    { origin: 'Paris', destination: 'Rome', date: '2027-05-03', passengers: 2 },
  ],
  [
    'Add milk, eggs and bread to my shopping list',
    'add_to_shopping_list',
    { items: ['milk', 'eggs', 'bread'] },
  ],
  [
    'Remind me tomorrow at 5pm to call mum',
    'create_reminder',
    { date: '2026-11-22', time: '17:00', text: 'call mum' },
  ],
  [
    "book a table for four people at Luigi's on Friday at 19:30 without outdoor seating",
    'reserve_table',
    { restaurant: "Luigi's", party_size: 4, date: '2026-11-27', time: '19:30', outdoor: false },
  ],
  [
    'translate "good morning" into French',
    'translate_text',
    { text: 'good morning', target_language: 'French' },
  ],
  ['turn the lights in the living room off', 'set_lights', { room: 'living room', state: 'off' }],
];

describe('demo/tools chooses and fills', () => {
  it('the tool that a message asks for', () => {
    for (const [message, name, values] of single) expect(spelled(message), message).toEqual([[name, values]]);
  });

  it('calls once for each name where a tool takes one', () => {
    expect(spelled('What is the weather in Paris and Rome?')).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_weather', { city: 'Rome' }],
    ]);
    expect(spelled('weather in Paris, Rome and Berlin in celsius').map(([, values]) => values)).toEqual(
      ['Paris', 'Rome', 'Berlin'].map((city) => ({ city, unit: 'celsius' })),
    );
    expect(spelled('the stock price of AAPL and MSFT').map(([, values]) => values)).toEqual([
      { symbol: 'AAPL' },
      { symbol: 'MSFT' },
    ]);
  });

  it('calls different tools in one answer', () => {
    expect(spelled('What is the weather in Paris and what time is it in Tokyo?')).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_time', { city: 'Tokyo' }],
    ]);
  });

  it('lends a name to a part that lacks one', () => {
    expect(spelled('the weather and the time in Paris')).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_time', { city: 'Paris' }],
    ]);
  });

  it('makes one call only where parallel calls are off', () => {
    expect(callsOf('weather in Paris and Rome', { tools: kit, parallel_tool_calls: false })).toHaveLength(1);
  });

  it('says which values are not in the message and what it filled in', () => {
    const text = say('What is the weather?');
    expect(spelled('What is the weather?')).toEqual([['get_weather', { city: 'unknown' }]]);
    expect(text).toBe('The message gives no `city` for `get_weather`, so I fill in `"unknown"`.');
  });

  it('understands a short follow-up to its last call', () => {
    const messages: Message[] = [
      { role: 'user', content: 'weather in Paris' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      { role: 'assistant', content: 'It is sunny.' },
      { role: 'user', content: 'And in Rome?' },
    ];
    expect(spelled(messages)).toEqual([['get_weather', { city: 'Rome' }]]);
  });
});

describe('demo/tools and tool_choice', () => {
  it('calls nothing with none, and says what it would have called', () => {
    const fields = { tools: kit, tool_choice: 'none' };
    expect(callsOf('weather in Paris', fields)).toEqual([]);
    expect(say('weather in Paris', fields)).toBe(
      '`tool_choice` is `none`, so I call no tool. Otherwise I would have called `get_weather` with `{"city":"Paris"}`.',
    );
  });

  it('calls nothing with auto when nothing fits, and lists what there is', () => {
    expect(callsOf('Tell me a story')).toEqual([]);
    expect(say('Tell me a story')).toContain('- `get_time`: The current time in a city.');
  });

  it('always calls with required', () => {
    expect(callsOf('Tell me a story', { tools: kit, tool_choice: 'required' })).toHaveLength(1);
    expect(callsOf('weather in Oslo', { tools: kit, tool_choice: 'required' })).toEqual([
      { name: 'get_weather', arguments: { city: 'Oslo' } },
    ]);
  });

  it('calls the function that is named, whatever the message is about', () => {
    const fields = { tools: kit, tool_choice: { type: 'function', function: { name: 'get_time' } } };
    expect(callsOf('weather in Oslo', fields)).toEqual([{ name: 'get_time', arguments: { city: 'Oslo' } }]);
  });

  it.each([
    ['What is the weather in Paris?', 'get_weather'],
    ['Email my boss', 'send_email'],
    ['water the plants', 'water_plants'],
  ])('without tools says which one it would need: %s', (message, name) => {
    const text = say(message, {});
    expect(text).toContain(`I would need a tool such as \`${name}\``);
    const definition = valueOf(/```json\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '');
    expect(definition).toMatchObject([{ type: 'function', function: { name } }]);
    expect(callsOf(message, { tools: definition, tool_choice: 'required' })[0]?.name).toBe(name);
  });
});

describe('demo/tools and results', () => {
  const withResults = (results: [JsonObject, string][]): Message[] => [
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

  it('states the values of a JSON result', () => {
    const text = say(
      withResults([[{ city: 'Paris' }, '{"temperature": 17.5, "sky": {"cover": "sunny"}, "alerts": []}']]),
    );
    expect(text).toBe(
      'The tool answered.\n\n**get_weather**, city Paris: temperature is 17.5 and sky cover is sunny.\n\nalerts: nothing, the list is empty.',
    );
  });

  it('states each of several results beside its call, in the order of the calls', () => {
    const text = say(
      withResults([
        [{ city: 'Paris' }, '{"celsius":17}'],
        [{ city: 'Rome' }, '{"celsius":24}'],
      ]),
    );
    expect(text).toMatch(
      /2 calls were made\.\n\n\*\*get_weather\*\*, city Paris: celsius is 17\.\n\n\*\*get_weather\*\*, city Rome: celsius is 24\./,
    );
  });

  it('quotes text, and says what failed and what is missing', () => {
    expect(say(withResults([[{ city: 'Paris' }, 'sunny, 17 degrees']]))).toContain(
      'city Paris: sunny, 17 degrees',
    );
    expect(say(withResults([[{ city: 'Paris' }, '{"error": "no such city"}']]))).toContain(
      'city Paris failed: no such city',
    );
    expect(say(withResults([[{}, '']]))).toContain('the result is empty');
    expect(
      say(
        withResults([
          [{}, 'one'],
          [{}, 'two'],
        ]).slice(0, 3),
      ),
    ).toContain('no result received');
  });

  it('shows a list of records as a table', () => {
    const text = say(withResults([[{}, '[{"name":"A|B","price":10},{"name":"C","stock":0}]']]));
    expect(text).toContain('| name | price | stock |\n| --- | --- | --- |\n| A\\|B | 10 |  |\n| C |  | 0 |');
  });

  it('answers with results even where a tool call is required, so that a loop ends', () => {
    const fields = { tools: kit, tool_choice: 'required' };
    expect(callsOf(withResults([[{ city: 'Paris' }, '17']]), fields)).toEqual([]);
  });

  it('gives the results as one JSON object when JSON is wanted', () => {
    const value: unknown = JSON.parse(say(withResults([[{ city: 'Paris' }, '17']]), {}, true));
    expect(value).toEqual({ results: [{ tool: 'get_weather', arguments: { city: 'Paris' }, result: '17' }] });
  });
});
