import { expect, test } from './fixtures.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';

/** What a person types into the control named NAME, and what must then be in the body. */
const numbers: [name: string, typed: string, sent: number][] = [
  ['temperature', '0.3', 0.3],
  ['top_p', '0.55', 0.55],
  ['max_tokens', '77', 77],
  ['frequency_penalty', '-0.5', -0.5],
  ['presence_penalty', '1.5', 1.5],
  ['n', '1', 1],
  ['top_k', '12', 12],
  ['repetition_penalty', '1.1', 1.1],
  ['seed', '42', 42],
  ['thinking_budget', '512', 512],
];

function lastBody(gateway: ScriptedGateway): Record<string, unknown> {
  return gateway.posts.at(-1)?.body ?? {};
}

test('every number that is typed is sent, and unticked it is not', async ({ bench, server, gateway }) => {
  await bench.open(server.url);
  for (const [name, typed] of numbers) {
    await bench.parameters.getByRole('spinbutton', { name, exact: true }).fill(typed);
    await expect(bench.parameters.getByRole('checkbox', { name: `Send ${name}`, exact: true })).toBeChecked();
  }
  await bench.ask('Go');
  expect(lastBody(gateway)).toMatchObject(Object.fromEntries(numbers.map(([name, , sent]) => [name, sent])));

  for (const [name] of numbers) await bench.sendParameter(name, false);
  await bench.button('Run again').click();
  await expect.poll(() => gateway.posts.length).toBe(2);
  for (const [name] of numbers) expect(lastBody(gateway)).not.toHaveProperty(name);

  await bench.ended();
  await bench.sendParameter('temperature');
  await bench.button('Run again').click();
  await expect.poll(() => gateway.posts.length).toBe(3);
  expect(lastBody(gateway), 'the last value is remembered').toMatchObject({ temperature: 0.3 });
});

test('switches, lists, choices, tools and JSON reach the wire', async ({ bench, server, gateway, page }) => {
  await bench.open(server.url);
  const side = bench.parameters;
  await side.getByRole('textbox', { name: 'stop', exact: true }).fill('END\n\\n\\nUser:');
  await side.getByRole('switch', { name: 'enable_thinking' }).click();
  await bench.sendParameter('stream_options');
  await side.getByRole('combobox', { name: 'response_format' }).click();
  await page.getByRole('option', { name: /^json_object/ }).click();
  await side.getByRole('textbox', { name: 'logit_bias' }).fill('{"50256": -100}');
  await side.getByRole('textbox', { name: 'Extra provider fields' }).fill('{"min_p": 0.05, "user": "me"}');
  await side.getByRole('button', { name: 'Edit tools' }).click();
  const tools = [
    {
      type: 'function',
      function: { name: 'clock', description: 'The time', parameters: { type: 'object', properties: {} } },
    },
  ];
  await page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify(tools));
  await page.keyboard.press('Escape');
  await side.getByRole('combobox', { name: 'tool_choice' }).click();
  await page.getByRole('option', { name: /^required/ }).click();
  await bench.ask('Go');
  const body = lastBody(gateway);
  expect(body).toMatchObject({
    stop: ['END', '\n\nUser:'],
    enable_thinking: true,
    stream: true,
    stream_options: { include_usage: true },
    response_format: { type: 'json_object' },
    logit_bias: { '50256': -100 },
    tools,
    tool_choice: 'required',
    min_p: 0.05,
    user: 'me',
  });
});

test('all parameters are reset at once, which can be undone', async ({ bench, server }) => {
  await bench.open(server.url);
  const topK = bench.parameters.getByRole('spinbutton', { name: 'top_k' });
  await topK.fill('12');
  await bench.parameters.getByRole('button', { name: 'Reset all' }).click();
  const isSent = bench.parameters.getByRole('checkbox', { name: 'Send top_k', exact: true });
  await expect(isSent).not.toBeChecked();
  await bench.undo.click();
  await expect(isSent).toBeChecked();
  await expect(topK).toHaveValue('12');
});

test('a value out of range is flagged at its place and not sent', async ({ bench, server, gateway }) => {
  await bench.open(server.url);
  const budget = bench.parameters.getByRole('spinbutton', { name: 'thinking_budget' });
  await budget.fill('64');
  await expect(bench.parameters).toContainText('Use 128 to 32,768. Not sent until it is in range.');
  await expect(budget).toHaveAttribute('aria-invalid', 'true');
  await expect(budget).toHaveValue('64');
  await bench.ask('Go');
  expect(lastBody(gateway)).not.toHaveProperty('thinking_budget');
});

test('without stream the whole answer takes the same road', async ({ bench, server, gateway }) => {
  gateway.onChat((answer) =>
    answer.json(200, {
      id: 'whole-1',
      object: 'chat.completion',
      created: 1,
      model: 'north/one',
      choices: [{ index: 0, message: { role: 'assistant', content: 'In one piece' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
    }),
  );
  await bench.open(server.url);
  await bench.sendParameter('stream', false);
  const reply = await bench.ask('Go');
  await expect(reply).toContainText('In one piece');
  await expect(reply).toHaveAttribute('data-status', 'complete');
  expect(lastBody(gateway)).not.toHaveProperty('stream');
});

test('where a stream brought no usage, the metrics offer to ask for it', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer, request) => {
    answer.text('Counted');
    answer.finish();
    if (request.body['stream_options']) answer.usage(21, 1);
    answer.done();
  });
  await bench.open(server.url);
  await bench.ask('Go');
  const metrics = page.getByRole('group', { name: 'Metrics, lane A, turn 1' });
  await expect(metrics).toContainText('~');
  await bench.button('Ask for them from now on').click();
  await bench.button('Run again').click();
  await expect.poll(() => gateway.posts.length).toBe(2);
  await bench.ended();
  expect(lastBody(gateway)).toMatchObject({ stream_options: { include_usage: true } });
  await expect(metrics).toContainText('21 / 1');
});
