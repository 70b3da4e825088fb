import type { Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';

function numberAnswers(gateway: ScriptedGateway): void {
  gateway.onChat((answer) => answer.whole(`Answer **${gateway.posts.length}**`));
}

function messagesOf(gateway: ScriptedGateway): unknown {
  return gateway.posts.at(-1)?.body['messages'];
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

async function addAs(bench: BenchPage, role: string, text: string): Promise<void> {
  await bench.message.fill(text);
  await bench.button('Add a message').click();
  await bench.page.getByRole('menuitem', { name: `Add as ${role} message` }).click();
}

async function useModelIn(page: Page, letter: string, id: string): Promise<void> {
  const picker = page
    .getByRole('region', { name: `Lane ${letter}` })
    .getByRole('combobox', { name: 'Model' });
  await picker.fill(id);
  await picker.press('Enter');
}

test.beforeEach(({ gateway }) => numberAnswers(gateway));

test('an author’s name goes along as `name` and stands on the message', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await page.getByRole('textbox', { name: 'Author name' }).fill('ada');
  await bench.ask('Hello');
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'Hello', name: 'ada' }]);
  await expect(bench.prompts.first()).toContainText('ada');

  await bench.prompts.first().getByRole('button', { name: 'Edit', exact: true }).click();
  const name = bench.prompts.first().getByRole('textbox', { name: 'Author name' });
  await expect(name).toHaveValue('ada');
  await name.fill('grace');
  await bench.button('Save and run').click();
  await expect(bench.prompts.first()).toContainText('grace');
  await bench.ended();
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'Hello', name: 'grace' }]);
});

test('an answer edited by hand is a version beside the model’s, and goes on in the history', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Question');
  await bench.lastReply.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Edit message' });
  await expect(editor).toHaveValue('Answer **1**');
  await expect(bench.button('Save and run')).toHaveCount(0);
  await editor.fill('By my own hand');
  await bench.button('Save').click();
  await expect(bench.lastReply).toContainText('Written by hand');
  await expect(bench.lastReply).toContainText('2 of 2');
  await bench.ask('And then?');
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'Question' },
    { role: 'assistant', content: 'By my own hand' },
    { role: 'user', content: 'And then?' },
  ]);
  await page.reload();
  await expect(bench.replies.first()).toContainText('By my own hand');
  await bench.replies.first().getByRole('button', { name: 'Previous version' }).click();
  await expect(bench.lastReply).toContainText('Answer 1');
  expect(gateway.posts).toHaveLength(2);
});

test('any conversation can be put down by hand and sent: all roles, calls and their answers', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.system.fill('Be exact.');
  await addAs(bench, 'user', 'What is the weather?');
  await expect(bench.lastReply).toContainText('not sent yet');
  await addAs(bench, 'assistant', 'I will look.');
  await expect(bench.lastReply).toContainText('Written by hand');
  await bench.lastReply.getByRole('button', { name: 'Edit', exact: true }).click();
  await bench.button('Add tool calls').click();
  const calls = [
    { id: 'call_7', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Ulm"}' } },
  ];
  await page.getByRole('textbox', { name: 'Tool calls' }).fill('[{"id": 7}]');
  await bench.button('Save').click();
  await expect(page.getByText('not a JSON list')).toBeVisible();
  await page.getByRole('textbox', { name: 'Tool calls' }).fill(JSON.stringify(calls));
  await bench.button('Save').click();
  await expect(bench.lastReply.getByRole('group', { name: 'Tool call get_weather' })).toBeVisible();

  await addAs(bench, 'tool', '{"celsius": 21}');
  await expect(page.getByRole('textbox', { name: 'tool_call_id' })).toHaveValue('call_7');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('article', { name: 'Tool message' })).toContainText('call_7');
  await addAs(bench, 'system', 'From now on in German.');
  await expect(page.getByRole('article', { name: 'System message' })).toHaveCount(2);
  expect(gateway.posts).toEqual([]);

  await bench.ask('So?');
  expect(messagesOf(gateway)).toEqual([
    { role: 'system', content: 'Be exact.' },
    { role: 'user', content: 'What is the weather?' },
    { role: 'assistant', content: 'I will look.', tool_calls: calls },
    { role: 'tool', content: '{"celsius": 21}', tool_call_id: 'call_7' },
    { role: 'system', content: 'From now on in German.' },
    { role: 'user', content: 'So?' },
  ]);
});

test('Branch goes on elsewhere: into a new lane or a session of its own, from a prompt or an answer', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('First');
  await bench.ask('Second');
  await bench.reply(1).getByRole('button', { name: 'Branch' }).click();
  await page.getByRole('menuitem', { name: 'Into a new lane' }).click();
  const inLaneB = page.getByRole('article', { name: /^Assistant message, lane B/ });
  await expect(inLaneB).toHaveCount(1);
  await expect(inLaneB).toContainText('Answer 1');

  await bench.prompts.last().getByRole('button', { name: 'Branch' }).click();
  await page.getByRole('menuitem', { name: 'Into a new session' }).click();
  await expect(page.getByRole('button', { name: 'Session menu' })).toContainText('(branch)');
  await expect(bench.prompts).toHaveCount(2);
  await expect(bench.lastReply).toContainText('not sent yet');
  await bench.lastReply.getByRole('button', { name: 'Run', exact: true }).click();
  await bench.ended();
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'Answer **1**' },
    { role: 'user', content: 'Second' },
  ]);
});

test('a prompt that lanes share is edited, stepped through and deleted in all of them', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await useModelIn(page, 'B', 'north/two');
  await bench.send('Said');
  await expect(bench.replies.nth(1)).toHaveAttribute('data-status', 'complete');
  await bench.prompts.first().getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Said better');
  await bench.button('Save and run').click();
  await expect(bench.prompts).toHaveText(/Said better/);
  await expect(bench.replies.nth(0)).toHaveAttribute('data-status', 'complete');
  await expect(bench.replies.nth(1)).toHaveAttribute('data-status', 'complete');
  expect(
    gateway.posts
      .slice(2)
      .map(({ body }) => body['model'])
      .toSorted(),
  ).toEqual(['north/one', 'north/two']);
  await bench.prompts.first().getByRole('button', { name: 'Previous version' }).click();
  await expect(bench.prompts).toHaveCount(1);
  await expect(bench.prompts).not.toContainText('better');
  await expect(bench.replies).toHaveCount(2);
  await bench.prompts.first().getByRole('button', { name: 'Delete' }).click();
  await expect(bench.said('Deleted 1 message and 2 answers in 2 lanes.')).toBeAttached();
  await expect(bench.prompts).toHaveText(/Said better/);
  await bench.undo.click();
  await expect(bench.prompts.first()).toContainText('1 of 2');
});

test('Copy takes Markdown; plain text and JSON are a menu away', async ({ bench, server, page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open(server.url);
  await bench.ask('Question');
  await bench.lastReply.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(() => clipboard(page)).toBe('Answer **1**');
  const pick = async (name: string) => {
    await bench.lastReply.getByRole('button', { name: 'More ways to copy' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await pick('As plain text');
  await expect.poll(() => clipboard(page)).toBe('Answer 1');
  await pick('As a message in JSON');
  await expect
    .poll(async () => JSON.parse(await clipboard(page)) as unknown)
    .toEqual({ role: 'assistant', content: 'Answer **1**' });
});

test('the tools of an answer are one tab stop, with arrows inside; on older turns they show when pointed at', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('First');
  await bench.ask('Second');
  const toolbar = bench.lastReply.getByRole('toolbar', { name: 'Answer' });
  await toolbar.getByRole('button', { name: 'Copy', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(toolbar.getByRole('button', { name: 'More ways to copy' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(toolbar.getByRole('button', { name: 'Regenerate' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const last = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(last).not.toBe('Copy');
  await page.keyboard.press('Tab');
  await expect(toolbar.locator(':focus')).toHaveCount(0);
  const older = bench.reply(1).locator('.tools');
  await bench.message.hover();
  await expect(older).toHaveCSS('opacity', '0');
  await bench.reply(1).hover();
  await expect(older).toHaveCSS('opacity', '1');
});

test('names in braces are filled from a small table, flagged while they have no value', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await expect(page.getByRole('region', { name: 'Values' })).toHaveCount(0);
  await bench.system.fill('Answer in {{language}}.');
  await bench.message.fill('Weather in {{city}}?');
  const values = page.getByRole('region', { name: 'Values' });
  await expect(values).toContainText('2 names without a value');
  await page.getByRole('textbox', { name: 'Value of city' }).fill('Ulm');
  await expect(values).toContainText('1 name without a value: it is sent as written.');
  await page.getByRole('textbox', { name: 'Value of language' }).fill('German');
  await expect(values).not.toContainText('without a value');
  await bench.message.press('Enter');
  await expect(bench.prompts).toHaveCount(1);
  await bench.ended();
  expect(messagesOf(gateway)).toEqual([
    { role: 'system', content: 'Answer in German.' },
    { role: 'user', content: 'Weather in Ulm?' },
  ]);
  await expect(bench.prompts.first()).toContainText('{{city}}');
  await expect(bench.prompts.first().getByTitle('Sent as: Ulm')).toBeVisible();
  await page.reload();
  await expect(bench.prompts.first().getByTitle('Sent as: Ulm')).toBeVisible();
});

test('a mark and a note stand beside an answer and are found in the history', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Question');
  const mark = async (name: string) => {
    await bench.lastReply.getByRole('button', { name: 'Mark', exact: true }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await mark('Good');
  await expect(bench.lastReply.getByRole('group', { name: 'Remark' })).toContainText('Good');
  await mark('Write a note');
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.fill('Cites no zanzibar source');
  await note.press('Enter');
  await expect(bench.lastReply.getByRole('group', { name: 'Remark' })).toContainText('zanzibar');
  await page.reload();
  await expect(bench.lastReply.getByRole('group', { name: 'Remark' })).toContainText('Good');
  await mark('Star');
  await expect(bench.lastReply.getByRole('group', { name: 'Remark' })).toContainText('Starred');
  await bench.ask('Next');
  expect(JSON.stringify(messagesOf(gateway)), 'it is never sent').not.toContain('zanzibar');
  await bench.replies.first().getByRole('button', { name: 'Remove remark' }).click();
  await expect(page.getByRole('group', { name: 'Remark' })).toHaveCount(0);
});

test('an answer says what made it once the lane is set up otherwise', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.2');
  await bench.ask('Question');
  await expect(bench.lastReply).not.toContainText('Made with');
  await bench.useModel('north/two');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.9');
  await expect(bench.lastReply).toContainText(/Made with\s*north\/one\s*temperature 0\.2/);
  await bench.useModel('north/one');
  await bench.sendParameter('temperature', false);
  await expect(bench.lastReply).toContainText(/Made with\s*temperature 0\.2/);
  await expect(page.getByText('another system prompt')).toHaveCount(0);
});

test('Arrow up in an empty composer edits the last user message, past messages of other roles', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Mine');
  await addAs(bench, 'system', 'Between');
  await expect(page.getByRole('article', { name: 'System message' })).toHaveCount(1);
  await bench.message.press('ArrowUp');
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toHaveValue('Mine');
});
