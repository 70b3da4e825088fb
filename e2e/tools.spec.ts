import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

function getJsonField(page: Page) {
  return page.getByRole('textbox', { name: 'tools', exact: true });
}

test(
  'edits tools as a form or as JSON, shows problems on the card and keeps tool_choice valid',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const editor = page.getByRole('dialog', { name: 'Tools' });
    const getCard = (name: string) => editor.getByRole('listitem', { name: `Tool ${name}`, exact: true });
    const getNameField = (name: string) => getCard(name).getByRole('textbox', { name: 'Name', exact: true });
    const addTool = async (name: string) => {
      await page.getByRole('button', { name: 'Add a tool' }).click();
      await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
    };
    await bench.open(server.url);
    await bench.getButton(/^Edit tools/).click();

    await test.step('synchronises form and JSON', async () => {
      await addTool('get_weather');
      await expect(getJsonField(page)).toContainText('"name": "get_weather"');
      await getNameField('get_weather').fill('weather_now');
      const renamedCard = getCard('weather_now');
      const openParameter = (name: string) => renamedCard.getByRole('button', { name, exact: true }).click();
      await openParameter('unit');
      await renamedCard.getByRole('textbox', { name: 'Name of unit' }).fill('city');
      await expect(renamedCard).toContainText('city already exists.');
      await renamedCard.getByRole('textbox', { name: 'Name of unit' }).fill('scale');
      await renamedCard.getByRole('textbox', { name: 'Allowed values of scale' }).fill('kelvin, celsius');
      await openParameter('city');
      await expect(renamedCard.getByRole('textbox', { name: 'Name of scale' }), 'one is open').toBeHidden();
      await renamedCard
        .getByRole('group', { name: 'Parameter city' })
        .getByRole('checkbox', { name: 'array' })
        .check();
      await openParameter('scale');
      await renamedCard.getByRole('combobox', { name: 'Type of scale' }).click();
      await expect(page.getByRole('option', { name: 'object' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(editor, 'Escape closed only the list').toBeVisible();
      await expect(getJsonField(page)).toContainText('"scale"');
      await page.getByRole('button', { name: 'Done' }).click();
      await bench.sendAndWait('Go');
      const properties = {
        city: { type: 'array', items: { type: 'string' }, description: 'Name of the city' },
        scale: { type: 'string', enum: ['kelvin', 'celsius'], description: 'Unit of the temperature' },
      };
      expect(gateway.posts[0]?.body['tools']).toEqual([
        {
          type: 'function',
          function: {
            name: 'weather_now',
            description: 'The current weather in a city.',
            parameters: { type: 'object', properties, required: ['city'], additionalProperties: false },
          },
        },
      ]);
      await bench.getButton(/^Edit tools/).click();
    });

    await test.step('duplicates, removes and restores tools and shows problems on the card', async () => {
      await page.getByRole('button', { name: 'Duplicate weather_now' }).click();
      await getNameField('weather_now_2').fill('weather_now');
      await expect(editor.getByText('Another tool is also named weather_now.').first()).toBeVisible();
      await editor
        .getByRole('listitem')
        .last()
        .getByRole('textbox', { name: 'Name', exact: true })
        .fill('cal culate');
      await expect(editor).toContainText('Many providers accept only letters');
      await page.getByRole('button', { name: 'Remove cal culate' }).click();
      await expect(getCard('cal culate')).toHaveCount(0);
      await editor.getByRole('button', { name: 'Undo' }).click();
      await expect(getCard('cal culate')).toBeVisible();
      await getJsonField(page).fill('[{"type":"function","function":{"name":"x"}},');
      await expect(editor).toContainText('Fix the JSON array to see the cards.');
      await getJsonField(page).fill('[{"type":"function","function":{"name":"x"}}]');
      await page.getByRole('button', { name: 'Format' }).click();
      await expect(getJsonField(page)).toContainText('    "name": "x"');
    });

    await test.step('imports an OpenAPI description and rejects YAML', async () => {
      await page.getByRole('button', { name: 'Import' }).click();
      const field = page.getByRole('textbox', { name: 'Paste tools or an OpenAPI 3 document as JSON' });
      await field.fill('openapi: 3.1.0\npaths: {}');
      await expect(editor).toContainText('This looks like YAML. Convert it to JSON first.');
      const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
      const operation = { operationId: 'getPet', summary: 'One pet', parameters: [id] };
      const paths = { '/pets/{id}': { get: operation }, '/pets': { post: {} } };
      await field.fill(JSON.stringify({ openapi: '3.1.0', paths }));
      await expect(editor).toContainText('2 tools: getPet, post_pets.');
      await page.getByRole('button', { name: 'Add 2 tools' }).click();
      await expect(getCard('getPet')).toContainText('1 parameter');
      await page.getByRole('button', { name: 'Done' }).click();
    });

    await test.step('updates tool_choice on a rename and resets it to auto with a notice on removal', async () => {
      const toolChoice = bench.parameters.getByRole('combobox', { name: 'tool_choice' });
      await toolChoice.click();
      await page.getByRole('option', { name: /^getPet/ }).click();
      // The pointer is now over the row below the list, and its tooltip covers the button.
      await bench.message.hover();
      await bench.getButton(/^Edit tools/).click();
      await editor.getByRole('button', { name: 'getPet', exact: true }).click();
      await getNameField('getPet').fill('pet');
      await expect(toolChoice).toHaveText('pet');
      await page.getByRole('button', { name: 'Remove pet' }).click();
      await expect(editor).toContainText('tool_choice was reset to auto because pet was removed.');
      await page.keyboard.press('Escape');
      await expect(bench.parameters).toContainText('tool_choice was reset to auto because pet was removed.');
      await bench.sendAndWait('Again');
      expect(gateway.posts[1]?.body).toMatchObject({
        tools: [{ function: { name: 'x' } }, { function: { name: 'post_pets' } }],
        tool_choice: 'auto',
      });
    });
  },
);
