import OpenAI from 'openai';
import type { Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import type { ChatScript, ScriptedAnswer } from '../src/testing/scripted-gateway.ts';

function tool(name: string, description: string, properties: Record<string, unknown>): unknown {
  const parameters = { type: 'object', properties, required: Object.keys(properties) };
  return { type: 'function', function: { name, description, parameters } };
}

const city = { type: 'string', description: 'Name of the city' };
const weather = tool('get_weather', 'The weather of a city now.', { city });
const time = tool('get_time', 'The time in a city now.', { city });

async function setTools(bench: BenchPage, tools: unknown): Promise<void> {
  await bench.button(/^Edit tools/).click();
  await bench.page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify(tools));
  await bench.page.keyboard.press('Escape');
}

function reply(page: Page, letter: string, turn = 1) {
  return page.getByRole('article', {
    name: new RegExp(`^Assistant message, lane ${letter}.*, turn ${turn}$`),
  });
}

function result(page: Page, letter: string, name: string) {
  return reply(page, letter).getByRole('textbox', { name: `Result for ${name}` });
}

function sendResults(page: Page) {
  return page.getByRole('button', { name: /^Send (\d+ )?results/ });
}

async function useModelIn(page: Page, letter: string, id: string): Promise<void> {
  const picker = page
    .getByRole('region', { name: `Lane ${letter}` })
    .getByRole('combobox', { name: 'Model' });
  await picker.fill(id);
  await picker.press('Enter');
  await expect(picker).toHaveValue(id);
}

interface SentMessage {
  role: string;
  content: unknown;
  toolCallId: string;
  calls: { id: string; name: string; arguments: string }[];
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function property(value: unknown, key: string): unknown {
  return recordOf(value)[key];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The messages of a recorded body. */
function messagesOf(body: unknown): SentMessage[] {
  return listOf(property(body, 'messages')).map((message) => ({
    role: textOf(property(message, 'role')),
    content: property(message, 'content'),
    toolCallId: textOf(property(message, 'tool_call_id')),
    calls: listOf(property(message, 'tool_calls')).map((call) => ({
      id: textOf(property(call, 'id')),
      name: textOf(property(property(call, 'function'), 'name')),
      arguments: textOf(property(property(call, 'function'), 'arguments')),
    })),
  }));
}

/** Roles in order, with the ids that tool messages answer. */
function rolesOf(body: unknown): string[] {
  return messagesOf(body).map(({ role, toolCallId }) => `${role} ${toolCallId}`.trim());
}

/** Each model makes its calls when it is spoken to, and answers in words when results are there. */
function calling(callsOf: Record<string, (answer: ScriptedAnswer) => void>): ChatScript {
  return (answer, { body }) => {
    const model = String(body['model']);
    if (messagesOf(body).some(({ role }) => role === 'tool')) return answer.whole(`${model} has read them.`);
    callsOf[model]?.(answer);
    answer.finish('tool_calls');
    answer.done();
  };
}

test('two lanes make two parallel calls each, the results are typed once, both finish', async ({
  bench,
  demo,
  gateway,
  page,
}) => {
  const sent: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/chat/completions')) return;
    sent.push(recordOf(request.postDataJSON()));
  });
  await bench.open(demo.url);
  await bench.useModel('demo/tools');
  await setTools(bench, [weather, time]);
  await bench.button('Add lane').click();
  await page.getByRole('radio', { name: 'Lane B' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.2');
  await bench.send('What are the weather and the time in Vienna?');
  for (const letter of ['A', 'B']) {
    await expect(reply(page, letter)).toHaveAttribute('data-status', 'complete');
    await expect(reply(page, letter).getByRole('group', { name: /^Tool call/ })).toHaveCount(2);
    await expect(page.getByRole('region', { name: `Lane ${letter}` })).toContainText('Needs 2 tool results');
  }
  await expect(sendResults(page)).toBeDisabled();
  await result(page, 'A', 'get_weather').fill('{"temperature": 31}');
  await expect(result(page, 'B', 'get_weather')).toHaveValue('{"temperature": 31}');
  await result(page, 'B', 'get_time').fill('{"time": "noon"}');
  await expect(result(page, 'A', 'get_time')).toHaveValue('{"time": "noon"}');
  await expect(page.getByRole('region', { name: 'Lane A' })).toContainText('Results ready');
  await expect(sendResults(page)).toHaveText('Send 2 results');
  await sendResults(page).click();

  for (const letter of ['A', 'B']) {
    await expect(reply(page, letter, 2)).toHaveAttribute('data-status', 'complete');
    await expect(reply(page, letter, 2)).toContainText('31');
    await expect(reply(page, letter, 2)).toContainText('noon');
    await expect(page.getByRole('region', { name: `Lane ${letter}` })).toContainText('Done');
  }
  await expect(page.getByRole('article', { name: 'Tool message' })).toHaveCount(2);
  expect(sent).toHaveLength(4);
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'fk-test', maxRetries: 0 });
  for (const body of sent.slice(2)) {
    const [asked, called, ...results] = messagesOf(body);
    expect(asked).toMatchObject({ role: 'user', content: 'What are the weather and the time in Vienna?' });
    expect(called).toMatchObject({
      role: 'assistant',
      content: '',
      calls: [{ name: 'get_weather' }, { name: 'get_time' }],
    });
    expect(results.map(({ role, toolCallId, content }) => [role, toolCallId, content])).toEqual([
      ['tool', called?.calls[0]?.id, '{"temperature": 31}'],
      ['tool', called?.calls[1]?.id, '{"time": "noon"}'],
    ]);
    // Given these messages in its own types, the official client sends the very same body.
    const messages = messagesOf(body).map(typedMessage);
    const stream = await client.chat.completions.create({
      ...body,
      model: 'demo/tools',
      messages,
      stream: true,
    });
    let said = '';
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
    expect(said).toBe('Hello from the gateway');
    expect(gateway.posts.at(-1)?.body).toEqual(body);
  }
});

function typedMessage({ role, content, toolCallId, calls }: SentMessage): OpenAI.ChatCompletionMessageParam {
  if (role === 'tool') return { role, tool_call_id: toolCallId, content: textOf(content) };
  if (role === 'user') return { role, content: textOf(content) };
  const typed = calls.map(({ id, ...called }) => ({ id, type: 'function' as const, function: called }));
  return { role: 'assistant', content: '', tool_calls: typed };
}

test('a lane that still lacks a result is named, is not sent to, and follows later', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(
    calling({
      'north/one': (answer) => answer.toolCall(0, 'a1', 'get_weather', '{"city":"Oslo","unit":"c"}'),
      'north/two': (answer) => {
        answer.toolCall(0, 'b1', 'lookup_order', '{"order_id":"7"}');
        // The same call: other order of keys, other place.
        answer.toolCall(1, 'b2', 'get_weather', '{ "unit": "c", "city": "Oslo" }');
      },
    }),
  );
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await useModelIn(page, 'B', 'north/two');
  await bench.send('Go');
  await expect(reply(page, 'B').getByRole('group', { name: /^Tool call/ })).toHaveCount(2);
  await expect(reply(page, 'A')).toHaveAttribute('data-status', 'complete');
  await result(page, 'B', 'get_weather').fill('cold');
  await expect(result(page, 'A', 'get_weather')).toHaveValue('cold');
  await expect(reply(page, 'A').getByRole('group', { name: 'Tool call get_weather' })).toContainText(
    'Goes to lanes A and B.',
  );
  await expect(reply(page, 'A')).toContainText('To lane A. Lane B still needs a result for lookup_order.');
  await sendResults(page).click();
  await expect(reply(page, 'A', 2)).toContainText('north/one has read them.');
  expect(gateway.posts.slice(2).map(({ body }) => [body['model'], ...rolesOf(body)])).toEqual([
    ['north/one', 'user', 'assistant', 'tool a1'],
  ]);

  await expect(result(page, 'B', 'get_weather')).toHaveValue('cold');
  await result(page, 'B', 'lookup_order').fill('{"state":"sent"}');
  await sendResults(page).click();
  await expect(reply(page, 'B', 2)).toContainText('north/two has read them.');
  expect(rolesOf(gateway.posts[3]?.body)).toEqual(['user', 'assistant', 'tool b1', 'tool b2']);
  await expect(sendResults(page)).toHaveCount(0);
});

test('a call with other arguments takes the result of its namesake until it gets its own', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(
    calling({
      'north/one': (answer) => answer.toolCall(0, 'a1', 'get_weather', '{"city":"Oslo"}'),
      'north/two': (answer) => answer.toolCall(0, 'b1', 'get_weather', '{"city":"Rome"}'),
    }),
  );
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await useModelIn(page, 'B', 'north/two');
  await bench.send('Go');
  await result(page, 'A', 'get_weather').fill('cold');
  await expect(result(page, 'B', 'get_weather')).toHaveValue('cold');
  await expect(reply(page, 'B')).toContainText('Written for the call with {"city":"Oslo"}');
  await result(page, 'B', 'get_weather').fill('warm');
  await expect(result(page, 'A', 'get_weather')).toHaveValue('cold');
  await sendResults(page).click();
  await expect(reply(page, 'B', 2)).toHaveAttribute('data-status', 'complete');
  const contents = gateway.posts
    .slice(2)
    .map(({ body }) => [body['model'], messagesOf(body).at(-1)?.content]);
  expect(Object.fromEntries(contents)).toEqual({ 'north/one': 'cold', 'north/two': 'warm' });
});

test('what was typed is back after a reload, a sample and an error are one press, and undo takes them back', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(
    calling({ 'north/one': (answer) => answer.toolCall(0, 'a1', 'get_weather', '{"city":"Oslo"}') }),
  );
  await bench.open(server.url);
  await bench.ask('Go');
  const field = result(page, 'A', 'get_weather');
  const card = page.getByRole('group', { name: 'Tool call get_weather' });
  await field.fill('precious words');
  await expect(card).toContainText('Plain text, 14 characters.');
  await bench.button('Insert sample').click();
  await expect(field).toHaveValue(/"city": "Oslo"/);
  await expect(card).toContainText('Valid JSON');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(field).toHaveValue('precious words');
  await bench.button('Return an error').click();
  await expect(card).toContainText('Error ready');
  await bench.reload();
  await expect(field).toHaveValue(/"error"/);
  await expect(card).toContainText('Error ready');
  await field.fill('{"temperature": ');
  await expect(card).toContainText('Not valid JSON (its end is missing)');
  await expect(card, 'an error no more').toContainText('Result ready');
  await field.fill('{"temperature": 3}');
  await field.press('ControlOrMeta+Enter');
  await expect(bench.lastReply).toContainText('north/one has read them.');
  expect(rolesOf(gateway.posts[1]?.body)).toEqual(['user', 'assistant', 'tool a1']);
});

test('a message goes along after the results, and without them the calls are left out', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(
    calling({ 'north/one': (answer) => answer.toolCall(0, 'a1', 'get_weather', '{"city":"Oslo"}') }),
  );
  await bench.open(server.url);
  await bench.ask('Go');
  await bench.message.fill('In Celsius');
  await expect(page.getByText('Without results the calls are left out of the request.')).toBeVisible();
  await result(page, 'A', 'get_weather').fill('cold');
  await page.getByRole('button', { name: 'Send with 1 result' }).click();
  await expect(bench.lastReply).toContainText('north/one has read them.');
  await expect(bench.message).toHaveValue('');
  expect(rolesOf(gateway.posts[1]?.body)).toEqual(['user', 'assistant', 'tool a1', 'user']);

  await bench.newSession();
  await bench.ask('Go');
  await bench.ask('Never mind');
  expect(rolesOf(gateway.posts.at(-1)?.body)).toEqual(['user', 'user']);
});

test('calls without ids and indexes are told apart, and answered under ids made for them', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat(
    calling({
      'north/one': (answer) => {
        for (const name of ['Oslo', 'Rome']) {
          answer.delta({
            tool_calls: [{ type: 'function', function: { name: 'get_time', arguments: '{"city":' } }],
          });
          answer.delta({ tool_calls: [{ function: { arguments: `"${name}"}` } }] });
        }
      },
    }),
  );
  await bench.open(server.url);
  const asked = await bench.ask('Both');
  const cards = asked.getByRole('group', { name: 'Tool call get_time' });
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText('no id');
  await cards.nth(1).getByRole('textbox').fill('in Rome');
  await cards.nth(0).getByRole('textbox').fill('in Oslo');
  await bench.message.press('Enter');
  await expect(bench.lastReply).toContainText('has read them');
  const [, called, ...results] = messagesOf(gateway.posts[1]?.body);
  const ids = called?.calls.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(2);
  expect(results.map(({ toolCallId, content }) => [toolCallId, content])).toEqual([
    [ids[0], 'in Oslo'],
    [ids[1], 'in Rome'],
  ]);
});

test('arguments that are not JSON are shown as they came, and the model can be told', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(
    calling({ 'north/one': (answer) => answer.toolCall(0, 'a1', 'get_weather', '{city: "Oslo"}') }),
  );
  await bench.open(server.url);
  const asked = await bench.ask('Go');
  const card = asked.getByRole('group', { name: 'Tool call get_weather' });
  await expect(card).toContainText('{city: "Oslo"}');
  await expect(card).toContainText('Not JSON from line 1, column 2 on.');
  await bench.button('Return an error').click();
  await sendResults(page).click();
  await expect(bench.lastReply).toContainText('has read them');
});

test('the call of an answer that broke off is shown as it came and asks for nothing', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => {
    answer.toolCall(0, 'a1', 'get_weather', '{"city":"Os');
    answer.finish('length');
    answer.done();
  });
  await bench.open(server.url);
  const asked = await bench.ask('Go');
  const card = asked.getByRole('group', { name: 'Tool call get_weather' });
  await expect(card).toContainText('{"city":"Os');
  await expect(card).toContainText('Incomplete: the answer broke off inside this call.');
  await expect(card.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Lane A' })).toContainText('Cut off');
});

test.describe('the editor of tools', () => {
  const editor = (page: Page) => page.getByRole('dialog', { name: 'Tools' });
  const json = (page: Page) => page.getByRole('textbox', { name: 'tools', exact: true });

  async function add(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Add a tool' }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
  }

  test('form and JSON are one value, and what is in them is sent', async ({
    bench,
    server,
    gateway,
    page,
  }) => {
    await bench.open(server.url);
    await bench.button(/^Edit tools/).click();
    await add(page, 'get_weather');
    await expect(json(page)).toContainText('"name": "get_weather"');
    const card = editor(page).getByRole('listitem', { name: 'Tool get_weather' });
    await card.getByRole('textbox', { name: 'Name', exact: true }).fill('weather_now');
    const renamed = editor(page).getByRole('listitem', { name: 'Tool weather_now' });
    await renamed.getByRole('textbox', { name: 'Name of unit' }).fill('city');
    await expect(renamed).toContainText('There is a city already.');
    await renamed.getByRole('textbox', { name: 'Name of unit' }).fill('scale');
    await renamed.getByRole('textbox', { name: 'Allowed values of scale' }).fill('kelvin, celsius');
    await renamed
      .getByRole('group', { name: 'Parameter city' })
      .getByRole('checkbox', { name: 'list' })
      .check();
    await renamed.getByRole('combobox', { name: 'Type of scale' }).click();
    await expect(page.getByRole('option', { name: 'object' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(editor(page)).toBeVisible();
    await expect(json(page)).toContainText('"scale"');
    await page.getByRole('button', { name: 'Done' }).click();
    await bench.ask('Go');
    expect(gateway.posts[0]?.body['tools']).toEqual([
      {
        type: 'function',
        function: {
          name: 'weather_now',
          description: 'The weather of a city now.',
          parameters: {
            type: 'object',
            properties: {
              city: { type: 'array', items: { type: 'string' }, description: 'Name of the city' },
              scale: { type: 'string', enum: ['kelvin', 'celsius'], description: 'Unit of the temperature' },
            },
            required: ['city'],
            additionalProperties: false,
          },
        },
      },
    ]);
  });

  test('copies, removes with undo, and says at the card what is wrong', async ({ bench, server, page }) => {
    await bench.open(server.url);
    await bench.button(/^Edit tools/).click();
    await add(page, 'calculate');
    await page.getByRole('button', { name: 'Duplicate calculate' }).click();
    const copy = editor(page).getByRole('listitem', { name: 'Tool calculate_2' });
    await copy.getByRole('textbox', { name: 'Name', exact: true }).fill('calculate');
    await expect(editor(page).getByText('Another tool is named calculate, too.').first()).toBeVisible();
    await editor(page)
      .getByRole('listitem')
      .last()
      .getByRole('textbox', { name: 'Name', exact: true })
      .fill('cal culate');
    await expect(editor(page)).toContainText('Many providers take only letters');
    await page.getByRole('button', { name: 'Remove cal culate' }).click();
    await expect(editor(page).getByRole('listitem')).toHaveCount(1);
    await editor(page).getByRole('button', { name: 'Undo' }).click();
    await expect(editor(page).getByRole('listitem', { name: 'Tool cal culate' })).toBeVisible();
    await json(page).fill('[{"type":"function","function":{"name":"x"}},');
    await expect(editor(page)).toContainText('The cards come back when the JSON is an array again.');
    await json(page).fill('[{"type":"function","function":{"name":"x"}}]');
    await page.getByRole('button', { name: 'Format' }).click();
    await expect(json(page)).toContainText('    "name": "x"');
  });

  test('takes in an OpenAPI description and refuses YAML', async ({ bench, server, gateway, page }) => {
    await bench.open(server.url);
    await bench.button(/^Edit tools/).click();
    await page.getByRole('button', { name: 'Import' }).click();
    const field = page.getByRole('textbox', { name: 'Tools or an OpenAPI 3 description, as JSON' });
    await field.fill('openapi: 3.1.0\npaths: {}');
    await expect(editor(page)).toContainText(
      'This looks like YAML. Bench reads JSON here: convert it first.',
    );
    const operation = {
      operationId: 'getPet',
      summary: 'One pet',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    };
    await field.fill(
      JSON.stringify({
        openapi: '3.1.0',
        paths: { '/pets/{id}': { get: operation }, '/pets': { post: {} } },
      }),
    );
    await expect(editor(page)).toContainText('2 tools: getPet, post_pets.');
    await page.getByRole('button', { name: 'Add 2 tools' }).click();
    await expect(editor(page).getByRole('listitem', { name: 'Tool getPet' })).toContainText('1 parameter');
    await page.getByRole('button', { name: 'Done' }).click();
    await bench.ask('Go');
    expect(gateway.posts[0]?.body['tools']).toMatchObject([
      { function: { name: 'getPet' } },
      { function: { name: 'post_pets' } },
    ]);
  });

  test('keeps tool_choice valid: it follows a new name and falls back to auto, and says so', async ({
    bench,
    server,
    gateway,
    page,
  }) => {
    await bench.open(server.url);
    await setTools(bench, [weather, time]);
    await bench.parameters.getByRole('combobox', { name: 'tool_choice' }).click();
    await page.getByRole('option', { name: /^get_time/ }).click();
    await bench.button(/^Edit tools/).click();
    await editor(page).getByRole('button', { name: 'get_time', exact: true }).click();
    await editor(page).getByRole('textbox', { name: 'Name', exact: true }).fill('clock');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(bench.parameters.getByRole('combobox', { name: 'tool_choice' })).toHaveText('clock');
    await bench.ask('Go');
    expect(gateway.posts[0]?.body['tool_choice']).toEqual({ type: 'function', function: { name: 'clock' } });
    await bench.button(/^Edit tools/).click();
    await page.getByRole('button', { name: 'Remove clock' }).click();
    await expect(editor(page)).toContainText('tool_choice is auto again, since clock is gone.');
    await page.keyboard.press('Escape');
    await expect(bench.parameters).toContainText('tool_choice is auto again, since clock is gone.');
    await bench.ask('Again');
    expect(gateway.posts[1]?.body['tool_choice']).toBe('auto');
  });
});
