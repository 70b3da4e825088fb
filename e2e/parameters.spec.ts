import { expect, test } from './fixtures.ts';

test('a walk with parameters: each kind of control reaches the wire, what is out of range does not, and a reset is undone', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const side = bench.parameters;
  const number = (name: string) => side.getByRole('spinbutton', { name, exact: true });
  const isSent = (name: string) => side.getByRole('checkbox', { name: `Send ${name}`, exact: true });
  const tools = [
    {
      type: 'function',
      function: { name: 'clock', description: 'The time', parameters: { type: 'object', properties: {} } },
    },
  ];
  await bench.open(server.url);

  await test.step('numbers, switches, lists, choices, tools and JSON are sent as they are set', async () => {
    await number('temperature').fill('0.3');
    await expect(isSent('temperature')).toBeChecked();
    await number('presence_penalty').fill('-0.5');
    await side.getByRole('textbox', { name: 'stop', exact: true }).fill('END\n\\n\\nUser:');
    await side.getByRole('switch', { name: 'enable_thinking' }).click();
    await bench.sendParameter('stream_options');
    await side.getByRole('combobox', { name: 'response_format' }).click();
    await page.getByRole('option', { name: /^json_object/ }).click();
    await side.getByRole('textbox', { name: 'logit_bias' }).fill('{"50256": -100}');
    await side.getByRole('textbox', { name: 'Extra provider fields' }).fill('{"min_p": 0.05, "user": "me"}');
    await side.getByRole('button', { name: 'Edit tools' }).click();
    await page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify(tools));
    await page.keyboard.press('Escape');
    await side.getByRole('combobox', { name: 'tool_choice' }).click();
    await page.getByRole('option', { name: /^required/ }).click();
    await number('thinking_budget').fill('64');
    await expect(side).toContainText('Use 128 to 32,768. Not sent until it is in range.');
    await expect(number('thinking_budget')).toHaveAttribute('aria-invalid', 'true');
    await bench.ask('Go');
    const body = gateway.posts[0]?.body ?? {};
    expect(body).toMatchObject({
      temperature: 0.3,
      presence_penalty: -0.5,
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
    expect(body).not.toHaveProperty('thinking_budget');
  });

  await test.step('all are reset at once, which can be undone', async () => {
    await side.getByRole('button', { name: 'Reset all' }).click();
    await expect(isSent('temperature')).not.toBeChecked();
    await bench.undo.click();
    await expect(isSent('temperature')).toBeChecked();
    await expect(number('temperature')).toHaveValue('0.3');
    await expect(number('thinking_budget')).toHaveValue('64');
  });
});
