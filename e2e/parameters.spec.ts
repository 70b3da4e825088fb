import { expect, test } from './fixtures.ts';

test(
  'sends every kind of parameter, omits out-of-range values and undoes a reset',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const sidebar = bench.parameters;
    const getNumberField = (name: string) => sidebar.getByRole('spinbutton', { name, exact: true });
    const getSentCheckbox = (name: string) =>
      sidebar.getByRole('checkbox', { name: `Send ${name}`, exact: true });
    const tools = [
      {
        type: 'function',
        function: { name: 'clock', description: 'The time', parameters: { type: 'object', properties: {} } },
      },
    ];
    await bench.open(server.url);

    await test.step('sends numbers, switches, lists, choices, tools and JSON as set', async () => {
      await getNumberField('temperature').fill('0.3');
      await expect(getSentCheckbox('temperature')).toBeChecked();
      await getNumberField('presence_penalty').fill('-0.5');
      await getNumberField('frequency_penalty').fill('0.25');
      await getNumberField('repetition_penalty').fill('1.1');
      await getNumberField('top_p').fill('0.9');
      await getNumberField('top_k').fill('12');
      await sidebar.getByRole('textbox', { name: 'stop', exact: true }).fill('END\n\\n\\nUser:');
      await sidebar.getByRole('switch', { name: 'enable_thinking' }).click();
      await bench.setParameterSent('stream_options');
      await sidebar.getByRole('combobox', { name: 'response_format' }).click();
      await page.getByRole('option', { name: /^json_object/ }).click();
      await sidebar.getByRole('textbox', { name: 'logit_bias' }).fill('{"50256": -100}');
      await sidebar
        .getByRole('textbox', { name: 'Extra provider fields' })
        .fill('{"min_p": 0.05, "user": "me"}');
      await sidebar.getByRole('button', { name: 'Edit tools' }).click();
      await page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify(tools));
      await page.keyboard.press('Escape');
      await sidebar.getByRole('combobox', { name: 'tool_choice' }).click();
      await page.getByRole('option', { name: /^required/ }).click();
      await getNumberField('thinking_budget').fill('64');
      await expect(sidebar).toContainText('Must be between 128 and 32,768. Not sent.');
      await expect(getNumberField('thinking_budget')).toHaveAttribute('aria-invalid', 'true');
      await bench.sendAndWait('Go');
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

    await test.step('resets all parameters together and undoes the reset', async () => {
      await sidebar.getByRole('button', { name: 'Reset all' }).click();
      await expect(getSentCheckbox('temperature')).not.toBeChecked();
      await bench.undo.click();
      await expect(getSentCheckbox('temperature')).toBeChecked();
      await expect(getNumberField('temperature')).toHaveValue('0.3');
      await expect(getNumberField('thinking_budget')).toHaveValue('64');
    });
  },
);

test("undoes a change in two lanes with the shortcut outside fields, and drags a lane's slider", async ({
  bench,
  server,
  page,
}) => {
  const sidebar = bench.parameters;
  const getNumberField = (name: string) => sidebar.getByRole('spinbutton', { name, exact: true });
  const getLaneField = (letter: string) => getNumberField(`Lane ${letter} temperature`);
  const measureTile = async (letter: string) => {
    const box = await sidebar.getByRole('slider', { name: `Lane ${letter} temperature` }).boundingBox();
    if (!box) throw new Error(`The tile of lane ${letter} is missing`);
    return { x: box.x + 7, y: box.y + 7 };
  };
  const selectScope = (name: string) => sidebar.getByRole('radio', { name, exact: true }).click();
  const expectLaneValues = async (a: string, b: string) => {
    await expect(getLaneField('A')).toHaveValue(a);
    await expect(getLaneField('B')).toHaveValue(b);
    await expect(getNumberField('temperature')).toHaveValue('');
  };
  await bench.open(server.url);
  await bench.getButton('Add lane').click();
  await selectScope('Lane A');
  await getNumberField('temperature').fill('1.7');
  await selectScope('Lane B');
  await getNumberField('temperature').fill('1.6');
  await selectScope('All lanes');

  await getNumberField('temperature').fill('0.3');
  await getNumberField('temperature').press('Enter');
  await bench.message.focus();
  await page.keyboard.press('Control+z');
  await expect(getNumberField('temperature'), 'the shortcut stays within the focused field').toHaveValue(
    '0.3',
  );
  await sidebar.getByRole('heading', { name: 'Parameters' }).click();
  await page.keyboard.press('Control+z');
  await expectLaneValues('1.7', '1.6');
  await expect(bench.undo).toHaveCount(0);
  await expect(bench.getAnnouncement('Undid changes to temperature.')).toHaveCount(1);

  const [tileA, tileB] = [await measureTile('A'), await measureTile('B')];
  await page.mouse.move(tileA.x, tileA.y);
  await page.mouse.down();
  await page.mouse.move(tileB.x, tileA.y, { steps: 3 });
  await expect(getNumberField('temperature'), 'set in both lanes').toHaveValue('1.6');
  await page.mouse.move(tileB.x - 150, tileA.y, { steps: 3 });
  await expect(getLaneField('A')).not.toHaveValue('1.6');
  await page.keyboard.press('Escape');
  await expectLaneValues('1.7', '1.6');
  await page.mouse.up();
  await expectLaneValues('1.7', '1.6');
});

test('shows that a field is not sent only while its row is hovered or focused, and a default always', async ({
  bench,
  demo,
}) => {
  await bench.open(demo.url);
  const getField = (name: string) => bench.parameters.getByRole('spinbutton', { name, exact: true });
  const isDrawn = (name: string) =>
    getField(name).evaluate((element) => element.checkVisibility({ opacityProperty: true }));
  await expect(bench.parameters.getByRole('heading', { level: 3 })).toHaveText([
    'Basics',
    'Sampling',
    'Reasoning',
    'Output and tools',
  ]);
  await expect(getField('top_p')).toHaveAttribute('placeholder', 'default 0.7');
  expect(await isDrawn('top_p')).toBe(true);
  await expect(getField('temperature')).toHaveAttribute('placeholder', 'not sent');
  expect(await isDrawn('temperature')).toBe(false);
  await bench.parameters.getByText('temperature', { exact: true }).hover();
  expect(await isDrawn('temperature')).toBe(true);
  await bench.message.hover();
  expect(await isDrawn('temperature')).toBe(false);
  await getField('temperature').focus();
  expect(await isDrawn('temperature')).toBe(true);
});
