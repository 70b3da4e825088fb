import { expect, test } from './fixtures.ts';

function tool(name: string, description: string, properties: Record<string, unknown>): unknown {
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: { type: 'object', properties, required: Object.keys(properties) },
    },
  };
}

const city = { type: 'string', description: 'Name of the city' };
const weather = tool('get_weather', 'The weather of a city now.', { city });
const time = tool('get_time', 'The time in a city now.', { city });

test('a model calls a tool, the person answers for it, and the model uses the answer', async ({
  bench,
  demo,
  page,
}) => {
  await bench.open(demo.url);
  await bench.useModel('demo/tools');
  await bench.button(/^Edit tools/).click();
  await page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify([weather]));
  await page.keyboard.press('Escape');
  const reply = await bench.ask('What is the weather in Vienna?');
  const call = reply.getByRole('group', { name: 'Tool call get_weather' });
  await expect(call).toContainText('"city": "Vienna"');
  await expect(page.getByRole('region', { name: 'Lane A' })).toContainText('Needs 1 tool result');
  const send = reply.getByRole('button', { name: 'Send results' });
  await expect(send).toBeDisabled();
  await call
    .getByRole('textbox', { name: 'Result for get_weather' })
    .fill('{"temperature": 31, "sky": "clear"}');
  await expect(call).toContainText('Valid JSON');
  await send.click();
  await expect(page.getByRole('article', { name: 'Tool message' })).toContainText('"sky": "clear"');
  await expect(bench.replies).toHaveCount(2);
  await bench.ended();
  await expect(bench.lastReply).toContainText('31');
  await expect(bench.lastReply).toContainText('clear');
  await bench.reload();
  await expect(bench.reply(1).getByRole('group', { name: 'Tool call get_weather' })).toContainText(
    '"city": "Vienna"',
  );
  await expect(bench.reply(1).getByRole('textbox'), 'it was answered already').toHaveCount(0);
  await expect(bench.lastReply).toContainText('31');
});

test('calls and results go out in their order, each under its own id', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => {
    answer.text('Let me look.');
    answer.toolCall(0, 'call_a', 'get_weather', '{"ci', 'ty":"Vi', 'enna"}');
    answer.toolCall(1, 'call_b', 'get_time', '{"city":"Rome"}');
    answer.finish('tool_calls');
    answer.done();
  });
  await bench.open(server.url);
  await bench.system.fill('Use tools.');
  await bench.button(/^Edit tools/).click();
  await page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify([weather, time]));
  await page.keyboard.press('Escape');
  const reply = await bench.ask('Weather in Vienna, time in Rome?');
  await expect(reply).toContainText('Let me look.');
  await expect(reply.getByRole('group', { name: 'Tool call get_weather' })).toContainText('"city": "Vienna"');

  // What is typed out of order is still sent in the order of the calls.
  await reply.getByRole('textbox', { name: 'Result for get_time' }).fill('noon');
  await expect(reply.getByRole('button', { name: 'Send 2 results' })).toBeDisabled();
  await expect(reply).toContainText('1 result to write first');
  await reply.getByRole('textbox', { name: 'Result for get_weather' }).fill('{"sky":"grey"}');
  gateway.onChat((answer) => answer.whole('Grey, and noon.'));
  await reply.getByRole('button', { name: 'Send 2 results' }).click();
  await expect(bench.lastReply).toContainText('Grey, and noon.');
  await bench.ended();
  const exchange = [
    { role: 'system', content: 'Use tools.' },
    { role: 'user', content: 'Weather in Vienna, time in Rome?' },
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Vienna"}' } },
        { id: 'call_b', type: 'function', function: { name: 'get_time', arguments: '{"city":"Rome"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: '{"sky":"grey"}' },
    { role: 'tool', tool_call_id: 'call_b', content: 'noon' },
  ];
  expect(gateway.posts[1]?.body).toMatchObject({ tools: [weather, time], messages: exchange });

  await bench.ask('Thanks');
  expect(gateway.posts[2]?.body['messages'], 'and they stay in the conversation').toMatchObject([
    ...exchange,
    { role: 'assistant', content: 'Grey, and noon.' },
    { role: 'user', content: 'Thanks' },
  ]);
});

test('two calls of one function are told apart', async ({ bench, server, gateway }) => {
  gateway.onChat((answer) => {
    answer.toolCall(0, 'call_1', 'get_time', '{"city":"Rome"}');
    answer.toolCall(1, 'call_2', 'get_time', '{"city":"Oslo"}');
    answer.finish('tool_calls');
    answer.done();
  });
  await bench.open(server.url);
  const reply = await bench.ask('Both times?');
  const calls = reply.getByRole('group', { name: 'Tool call get_time' });
  await expect(calls).toHaveCount(2);
  await calls.nth(1).getByRole('textbox').fill('in Oslo');
  await calls.nth(0).getByRole('textbox').fill('in Rome');
  gateway.onChat((answer) => answer.whole('Both known.'));
  await reply.getByRole('button', { name: 'Send 2 results' }).click();
  await expect(bench.lastReply).toContainText('Both known.');
  expect(gateway.posts[1]?.body['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'tool', tool_call_id: 'call_1', content: 'in Rome' },
    { role: 'tool', tool_call_id: 'call_2', content: 'in Oslo' },
  ]);
});

test('arguments that were cut are shown as they came, not as a finished call', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat((answer) => {
    answer.toolCall(0, 'call_1', 'get_weather', '{"city":"Par');
    answer.response.end();
  });
  await bench.open(server.url);
  const reply = await bench.ask('Weather in Paris?');
  await expect(reply).toHaveAttribute('data-status', 'truncated');
  await expect(reply.getByRole('group', { name: 'Tool call get_weather' })).toContainText('{"city":"Par');
});

test('a call can still be answered after a reload', async ({ bench, server, gateway }) => {
  gateway.onChat((answer) => {
    answer.toolCall(0, 'call_1', 'get_time', '{"city":"Rome"}');
    answer.finish('tool_calls');
    answer.done();
  });
  await bench.open(server.url);
  const reply = await bench.ask('Time in Rome?');
  await expect(reply.getByRole('textbox', { name: 'Result for get_time' })).toBeVisible();
  await bench.reload();
  await reply.getByRole('textbox', { name: 'Result for get_time' }).fill('noon');
  gateway.onChat((answer) => answer.whole('It is noon.'));
  await reply.getByRole('button', { name: 'Send results' }).click();
  await expect(bench.lastReply).toContainText('It is noon.');
  expect(gateway.posts[1]?.body['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
  ]);
});
