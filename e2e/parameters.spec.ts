import { expect, test } from './fixtures.ts';

test(
  'a walk with parameters: each kind of control reaches the wire, what is out of range does not, and a reset is undone',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
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
      await number('frequency_penalty').fill('0.25');
      await number('repetition_penalty').fill('1.1');
      await number('top_p').fill('0.9');
      await number('top_k').fill('12');
      await side.getByRole('textbox', { name: 'stop', exact: true }).fill('END\n\\n\\nUser:');
      await side.getByRole('switch', { name: 'enable_thinking' }).click();
      await bench.sendParameter('stream_options');
      await side.getByRole('combobox', { name: 'response_format' }).click();
      await page.getByRole('option', { name: /^json_object/ }).click();
      await side.getByRole('textbox', { name: 'logit_bias' }).fill('{"50256": -100}');
      await side
        .getByRole('textbox', { name: 'Extra provider fields' })
        .fill('{"min_p": 0.05, "user": "me"}');
      await side.getByRole('button', { name: 'Edit tools' }).click();
      await page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify(tools));
      await page.keyboard.press('Escape');
      await side.getByRole('combobox', { name: 'tool_choice' }).click();
      await page.getByRole('option', { name: /^required/ }).click();
      await number('thinking_budget').fill('64');
      await expect(side).toContainText('Must be 128 to 32,768. Not sent.');
      await expect(number('thinking_budget')).toHaveAttribute('aria-invalid', 'true');
      await bench.ask('Go');
      const body = gateway.posts[0]?.body ?? {};
      expect(body).toMatchObject({
        temperature: 0.3,
        presence_penalty: -0.5,
        frequency_penalty: 0.25,
        repetition_penalty: 1.1,
        top_p: 0.9,
        top_k: 12,
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
  },
);

test('a walk with lanes that differ: nothing levels them unseen, and what does is undone', async ({
  bench,
  server,
  page,
}) => {
  const side = bench.parameters;
  const number = (name: string) => side.getByRole('spinbutton', { name, exact: true });
  const inLane = (letter: string, name = 'temperature') => number(`Lane ${letter} ${name}`);
  const slider = (letter: string) => side.getByRole('slider', { name: `Lane ${letter} temperature` });
  const scope = (name: string) => side.getByRole('radio', { name, exact: true }).click();
  const offer = side.getByRole('status');
  const isApart = async (a: string, b: string) => {
    await expect(inLane('A')).toHaveValue(a);
    await expect(inLane('B')).toHaveValue(b);
    await expect(number('temperature')).toHaveValue('');
  };
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await scope('Lane A');
  await number('temperature').fill('0.2');
  await number('seed').fill('7');
  await scope('Lane B');
  await number('temperature').fill('1.6');
  await side.getByRole('switch', { name: 'enable_thinking' }).click();
  await scope('All lanes');

  await test.step('keys change nothing, and there is no line to pull', async () => {
    await expect(number('temperature')).toHaveAttribute('placeholder', 'mixed 0.2 / 1.6');
    await number('temperature').focus();
    for (const key of ['ArrowUp', 'ArrowDown', 'PageUp', 'Shift+ArrowUp', 'Backspace'])
      await page.keyboard.press(key);
    await page.mouse.wheel(0, 100);
    await isApart('0.2', '1.6');
    await expect(side.getByRole('slider', { name: 'temperature', exact: true })).toHaveCount(0);
    await expect(bench.undo).toHaveCount(0);
  });

  await test.step('a number that is typed goes to both, and Undo and its keys bring both back', async () => {
    await number('temperature').pressSequentially('0.3');
    await expect(offer).toContainText('temperature is 0.3 in 2 lanes. It was A 0.2, B 1.6.');
    await expect(number('temperature')).toHaveValue('0.3');
    await expect(inLane('A')).toHaveCount(0);
    await bench.undo.click();
    await isApart('0.2', '1.6');
    await expect(bench.undo).toHaveCount(0);
    await number('temperature').fill('0.3');
    await number('temperature').press('Enter');
    await expect(offer).toContainText('0.3');
    await bench.message.focus();
    await page.keyboard.press('Control+z');
    await expect(number('temperature'), 'a field keeps its own keys').toHaveValue('0.3');
    await side.getByRole('heading', { name: 'Parameters' }).click();
    await page.keyboard.press('Control+z');
    await isApart('0.2', '1.6');
    await expect(bench.undo).toHaveCount(0);
    await expect(bench.said('Undone: temperature.')).toHaveCount(1);
  });

  await test.step('a tick, a switch and the other kinds say so too, or leave each lane its own', async () => {
    const lamp = side.getByRole('checkbox', { name: 'Send temperature' });
    await lamp.uncheck();
    await expect(offer).toContainText('temperature is not sent in 2 lanes. It was A 0.2, B 1.6.');
    await lamp.check();
    await isApart('0.2', '1.6');
    const thinking = side.getByRole('switch', { name: 'enable_thinking', exact: true });
    await thinking.click();
    await expect(offer).toContainText('enable_thinking is true in 2 lanes. It was A not sent, B true.');
    await page.keyboard.press('Control+z');
    await expect(side.getByRole('switch', { name: 'Lane A enable_thinking' })).not.toBeChecked();
    await expect(side.getByRole('switch', { name: 'Lane B enable_thinking' })).toBeChecked();
    await expect(side.getByRole('checkbox', { name: 'Send seed' })).toHaveJSProperty('indeterminate', true);
  });

  await test.step('the box of a lane edits that lane, also past the value of the other', async () => {
    await inLane('A').fill('1.5');
    await inLane('A').press('ArrowUp');
    await expect(number('temperature'), 'both').toHaveValue('1.6');
    await expect(inLane('A')).toBeFocused();
    await inLane('A').press('ArrowUp');
    await isApart('1.7', '1.6');
    await inLane('B', 'seed').fill('8');
    await expect(number('seed')).toHaveAttribute('placeholder', 'mixed 7 / 8');
    await expect(bench.undo).toHaveCount(0);
  });

  await test.step('the tile of a lane is stepped and dragged, and Escape puts it back', async () => {
    await slider('B').press('ArrowLeft');
    await slider('B').press('Shift+ArrowLeft');
    await isApart('1.7', '0.5');
    await slider('B').press('Escape');
    await isApart('1.7', '1.6');
    const [from, over] = [await slider('A').boundingBox(), await slider('B').boundingBox()];
    if (!from || !over) throw new Error('There are no tiles');
    const y = from.y + 7;
    await page.mouse.move(from.x + 7, y);
    await page.mouse.down();
    await page.mouse.move(over.x + 7, y, { steps: 3 });
    await expect(number('temperature'), 'both').toHaveValue('1.6');
    await page.mouse.move(over.x - 150, y, { steps: 3 });
    await expect(inLane('A')).not.toHaveValue('1.6');
    await page.keyboard.press('Escape');
    await isApart('1.7', '1.6');
    await page.mouse.up();
    await isApart('1.7', '1.6');
  });

  await test.step('only what differs is listed', async () => {
    await side.getByRole('button', { name: 'Fields shown: every field' }).click();
    await page.getByRole('menuitem', { name: 'Differs' }).click();
    await expect(side.getByRole('checkbox', { name: /^Send / })).toHaveCount(3);
  });
});
