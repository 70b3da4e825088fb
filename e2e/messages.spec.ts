import type { Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

async function addAs(bench: BenchPage, role: string, text: string): Promise<void> {
  await bench.message.fill(text);
  await bench.button('Add a message').click();
  await bench.page.getByRole('menuitem', { name: `Add as ${role} message` }).click();
}

test.beforeEach(({ gateway }) =>
  gateway.onChat((answer) => answer.whole(`Answer **${gateway.posts.length}**`)),
);

test(
  'a conversation is written by hand: names, values, all roles, calls, marks, notes and branches',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    await bench.open(server.url);

    await test.step('an author’s name goes along as name', async () => {
      const name = page.getByRole('textbox', { name: 'Author name' });
      await name.fill('ada');
      await bench.ask('Hello');
      await expect(bench.prompts.first()).toContainText('ada');
      await bench.prompts.first().getByRole('button', { name: 'Edit', exact: true }).click();
      await expect(bench.prompts.first().getByRole('textbox', { name: 'Author name' })).toHaveValue('ada');
      await editor.press('Escape');
      await name.fill('');
    });

    await test.step('names in braces are filled from a small table, flagged while they have no value', async () => {
      const values = page.getByRole('region', { name: 'Values' });
      await expect(values).toHaveCount(0);
      await bench.system.fill('Answer in {{language}}.');
      await bench.message.fill('Weather in {{city}}?');
      await expect(values).toContainText('2 names without a value');
      await page.getByRole('textbox', { name: 'Value of city' }).fill('Ulm');
      await page.getByRole('textbox', { name: 'Value of language' }).fill('German');
      await expect(values).not.toContainText('without a value');
      await bench.message.press('Enter');
      await expect(bench.lastReply).toContainText('Answer 2');
      await bench.ended();
      expect(gateway.posts[1]?.body['messages']).toEqual([
        { role: 'system', content: 'Answer in German.' },
        { role: 'user', content: 'Hello', name: 'ada' },
        { role: 'assistant', content: 'Answer **1**' },
        { role: 'user', content: 'Weather in Ulm?' },
      ]);
    });

    await test.step('an answer edited by hand is a version beside the model’s', async () => {
      await bench.more(bench.lastReply, 'Edit');
      await expect(editor).toHaveValue('Answer **2**');
      await expect(bench.button('Save and run')).toHaveCount(0);
      await editor.fill('By my own hand');
      await bench.button('Save').click();
      await expect(bench.lastReply).toContainText('Written by hand');
      await expect(bench.lastReply).toContainText('By my own hand');
      await expect(bench.lastReply).toContainText('2 of 2');
    });

    await test.step('a mark and a note stand beside it', async () => {
      const remark = bench.lastReply.getByRole('group', { name: 'Remark' });
      const mark = (name: string) => bench.more(bench.lastReply, name);
      await mark('Good');
      await expect(remark).toContainText('Good');
      await mark('Add a note');
      const note = page.getByRole('textbox', { name: 'Note' });
      await expect(note).toBeFocused();
      await note.fill('Cites no source');
      await note.press('Enter');
      await expect(remark).toContainText('Cites no source');
      await bench.lastReply.getByRole('button', { name: 'Remove mark' }).click();
      await expect(remark).toHaveCount(0);
    });

    await test.step('messages of all roles are put down without being sent, calls and their answers too', async () => {
      await addAs(bench, 'user', 'What is the weather?');
      await expect(bench.lastReply).toContainText('not sent yet');
      await addAs(bench, 'assistant', 'I will look.');
      await expect(bench.lastReply).toContainText('Written by hand');
      await bench.more(bench.lastReply, 'Edit');
      await bench.button('Add tool calls').click();
      const calls = page.getByRole('textbox', { name: 'Tool calls' });
      await calls.fill('[{"id": 7}]');
      await bench.button('Save').click();
      await expect(page.getByText('must be a JSON list')).toBeVisible();
      await calls.fill(
        '[{"id":"call_7","type":"function","function":{"name":"get_weather","arguments":"{}"}}]',
      );
      await bench.button('Save').click();
      await expect(bench.lastReply.getByRole('group', { name: 'Tool call get_weather' })).toBeVisible();
      await addAs(bench, 'tool', '{"celsius": 21}');
      await expect(page.getByRole('textbox', { name: 'tool_call_id' })).toHaveValue('call_7');
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByRole('article', { name: 'Tool message' })).toContainText('call_7');
      await addAs(bench, 'system', 'From now on in German.');
      await expect(page.getByRole('article', { name: 'System message' })).toHaveCount(2);
      expect(gateway.posts).toHaveLength(2);
    });

    await test.step('Arrow up in an empty composer edits the last user message, past messages of other roles', async () => {
      await bench.message.press('ArrowUp');
      await expect(editor).toHaveValue('What is the weather?');
      await editor.press('Escape');
    });

    await test.step('Branch goes on in a new lane or in a session of its own', async () => {
      await bench.more(bench.reply(1), 'Branch');
      const inLaneB = page.getByRole('article', { name: /^Assistant message, lane B/ });
      await expect(inLaneB).toHaveCount(1);
      await expect(inLaneB).toContainText('Answer 1');
      await bench.prompts.first().getByRole('button', { name: 'Branch' }).click();
      await page.getByRole('menuitem', { name: 'Into a new session' }).click();
      await expect(bench.title).toContainText('(branch)');
      await expect(bench.lastReply).toContainText('not sent yet');
    });
  },
);

test(
  'what is copied is the message as it was written; the tools of an answer are one tab stop, with arrows inside',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bench.open(server.url);
    const text = 'Two lines\n  with **marks** & <b>tags</b>';
    await bench.ask(text);
    await bench.prompts.first().getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => clipboard(page)).toBe(text);
    await bench.lastReply.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => clipboard(page)).toBe('Answer **1**');
    await bench.more(bench.lastReply, 'Copy as plain text');
    await expect.poll(() => clipboard(page)).toBe('Answer 1');
    await bench.more(bench.lastReply, 'Copy as JSON');
    await expect
      .poll(() => clipboard(page))
      .toBe(JSON.stringify({ role: 'assistant', content: 'Answer **1**' }, null, 2));

    await bench.ask('Second');
    const toolbar = bench.lastReply.getByRole('toolbar', { name: 'Answer' });
    await toolbar.getByRole('button', { name: 'Copy', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(toolbar.getByRole('button', { name: 'Regenerate' })).toBeFocused();
    for (let press = 0; press < 2; press += 1) await page.keyboard.press('ArrowLeft');
    await expect(toolbar.locator(':focus'), 'from the first to the last').toHaveAccessibleName(
      'More actions',
    );
    await page.keyboard.press('Tab');
    await expect(toolbar.locator(':focus')).toHaveCount(0);

    // On older turns they show when pointed at.
    const older = bench.reply(1).getByRole('toolbar', { name: 'Answer' }).locator('> :first-child');
    await bench.message.hover();
    await expect(older).toHaveCSS('opacity', '0');
    await bench.reply(1).hover();
    await expect(older).toHaveCSS('opacity', '1');
  },
);
