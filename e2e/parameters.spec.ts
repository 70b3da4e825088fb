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

test('reports changes to values that differ between lanes and offers Undo', async ({
  bench,
  server,
  page,
}) => {
  const sidebar = bench.parameters;
  const getNumberField = (name: string) => sidebar.getByRole('spinbutton', { name, exact: true });
  const getLaneField = (letter: string, name = 'temperature') => getNumberField(`Lane ${letter} ${name}`);
  const getLaneSlider = (letter: string) =>
    sidebar.getByRole('slider', { name: `Lane ${letter} temperature` });
  const selectScope = (name: string) => sidebar.getByRole('radio', { name, exact: true }).click();
  const undoNotice = sidebar.getByRole('status');
  const expectLaneValues = async (a: string, b: string) => {
    await expect(getLaneField('A')).toHaveValue(a);
    await expect(getLaneField('B')).toHaveValue(b);
    await expect(getNumberField('temperature')).toHaveValue('');
  };
  await bench.open(server.url);
  await bench.getButton('Add lane').click();
  await selectScope('Lane A');
  await getNumberField('temperature').fill('0.2');
  await getNumberField('seed').fill('7');
  await selectScope('Lane B');
  await getNumberField('temperature').fill('1.6');
  await sidebar.getByRole('switch', { name: 'enable_thinking' }).click();
  await selectScope('All lanes');

  await test.step('ignores keys in a mixed value and shows no slider for it', async () => {
    await expect(getNumberField('temperature')).toHaveAttribute('placeholder', 'mixed 0.2 / 1.6');
    await getNumberField('temperature').focus();
    for (const key of ['ArrowUp', 'ArrowDown', 'PageUp', 'Shift+ArrowUp', 'Backspace'])
      await page.keyboard.press(key);
    await page.mouse.wheel(0, 100);
    await expectLaneValues('0.2', '1.6');
    await expect(sidebar.getByRole('slider', { name: 'temperature', exact: true })).toHaveCount(0);
    await expect(bench.undo).toHaveCount(0);
  });

  await test.step('sets a typed number in both lanes and restores both values with Undo or its shortcut', async () => {
    await getNumberField('temperature').pressSequentially('0.3');
    await expect(undoNotice).toContainText('temperature is 0.3 in 2 lanes. Previously: A 0.2, B 1.6.');
    await expect(getNumberField('temperature')).toHaveValue('0.3');
    await expect(getLaneField('A')).toHaveCount(0);
    await bench.undo.click();
    await expectLaneValues('0.2', '1.6');
    await expect(bench.undo).toHaveCount(0);
    await getNumberField('temperature').fill('0.3');
    await getNumberField('temperature').press('Enter');
    await expect(undoNotice).toContainText('0.3');
    await bench.message.focus();
    await page.keyboard.press('Control+z');
    await expect(getNumberField('temperature'), 'the shortcut stays within the focused field').toHaveValue(
      '0.3',
    );
    await sidebar.getByRole('heading', { name: 'Parameters' }).click();
    await page.keyboard.press('Control+z');
    await expectLaneValues('0.2', '1.6');
    await expect(bench.undo).toHaveCount(0);
    await expect(bench.getAnnouncement('Undid changes to temperature.')).toHaveCount(1);
  });

  await test.step("reports changes by checkboxes and switches, and keeps each lane's value when sent again", async () => {
    const sentCheckbox = sidebar.getByRole('checkbox', { name: 'Send temperature' });
    await sentCheckbox.uncheck();
    await expect(undoNotice).toContainText('temperature is not sent in 2 lanes. Previously: A 0.2, B 1.6.');
    await sentCheckbox.check();
    await expectLaneValues('0.2', '1.6');
    const thinkingSwitch = sidebar.getByRole('switch', { name: 'enable_thinking', exact: true });
    await thinkingSwitch.click();
    await expect(undoNotice).toContainText(
      'enable_thinking is true in 2 lanes. Previously: A not sent, B true.',
    );
    await page.keyboard.press('Control+z');
    await expect(sidebar.getByRole('switch', { name: 'Lane A enable_thinking' })).not.toBeChecked();
    await expect(sidebar.getByRole('switch', { name: 'Lane B enable_thinking' })).toBeChecked();
    await expect(sidebar.getByRole('checkbox', { name: 'Send seed' })).toHaveJSProperty(
      'indeterminate',
      true,
    );
  });

  await test.step('edits one lane in its own field, even past the value of the other lane', async () => {
    await getLaneField('A').fill('1.5');
    await getLaneField('A').press('ArrowUp');
    await expect(getNumberField('temperature'), 'set in both lanes').toHaveValue('1.6');
    await expect(getLaneField('A')).toBeFocused();
    await getLaneField('A').press('ArrowUp');
    await expectLaneValues('1.7', '1.6');
    await getLaneField('B', 'seed').fill('8');
    await expect(getNumberField('seed')).toHaveAttribute('placeholder', 'mixed 7 / 8');
    await expect(bench.undo).toHaveCount(0);
  });

  await test.step("steps and drags a lane's slider and restores the value on Escape", async () => {
    await getLaneSlider('B').press('ArrowLeft');
    await getLaneSlider('B').press('Shift+ArrowLeft');
    await expectLaneValues('1.7', '0.5');
    await getLaneSlider('B').press('Escape');
    await expectLaneValues('1.7', '1.6');
    const [sliderBoxA, sliderBoxB] = [
      await getLaneSlider('A').boundingBox(),
      await getLaneSlider('B').boundingBox(),
    ];
    if (!sliderBoxA || !sliderBoxB) throw new Error('The tiles are missing');
    const y = sliderBoxA.y + 7;
    await page.mouse.move(sliderBoxA.x + 7, y);
    await page.mouse.down();
    await page.mouse.move(sliderBoxB.x + 7, y, { steps: 3 });
    await expect(getNumberField('temperature'), 'set in both lanes').toHaveValue('1.6');
    await page.mouse.move(sliderBoxB.x - 150, y, { steps: 3 });
    await expect(getLaneField('A')).not.toHaveValue('1.6');
    await page.keyboard.press('Escape');
    await expectLaneValues('1.7', '1.6');
    await page.mouse.up();
    await expectLaneValues('1.7', '1.6');
  });

  await test.step('lists only differing parameters', async () => {
    await sidebar.getByRole('button', { name: 'Show: all fields' }).click();
    await page.getByRole('menuitem', { name: 'Differing' }).click();
    await expect(sidebar.getByRole('checkbox', { name: /^Send / })).toHaveCount(3);
  });
});
