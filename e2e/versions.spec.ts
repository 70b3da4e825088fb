import type { Locator } from 'playwright/test';

import { expect, test } from './fixtures.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';

/** Every answer has its own number, so that no two can be taken for each other. */
function numberAnswers(gateway: ScriptedGateway): void {
  gateway.onChat((answer) => answer.whole(`Answer ${gateway.posts.length}`));
}

function messagesOf(gateway: ScriptedGateway): unknown {
  return gateway.posts.at(-1)?.body['messages'];
}

async function step(message: Locator, to: 'Previous' | 'Next'): Promise<void> {
  await message.getByRole('button', { name: `${to} version` }).click();
}

test.beforeEach(({ gateway }) => numberAnswers(gateway));

test('Regenerate keeps the old answer, one step back, also after a reload', async ({
  bench,
  server,
  gateway,
}) => {
  await bench.open(server.url);
  await bench.ask('Question');
  await expect(bench.lastReply.getByRole('button', { name: 'Previous version' })).toHaveCount(0);
  await bench.lastReply.getByRole('button', { name: 'Regenerate' }).click();
  await expect(bench.lastReply).toContainText('Answer 2');
  await bench.ended();
  await expect(bench.replies).toHaveCount(1);
  await expect(bench.lastReply).toContainText('2 of 2');
  await expect(bench.lastReply.getByRole('button', { name: 'Next version' })).toBeDisabled();

  await step(bench.lastReply, 'Previous');
  await expect(bench.lastReply).toContainText('1 of 2');
  await expect(bench.lastReply).toContainText('Answer 1');
  await expect(bench.lastReply.getByRole('button', { name: 'Previous version' })).toBeDisabled();
  await bench.reload();
  await expect(bench.lastReply).toContainText('Answer 1');
  await step(bench.lastReply, 'Next');
  await expect(bench.lastReply).toContainText('Answer 2');
  expect(gateway.posts, 'stepping sends nothing').toHaveLength(2);
  expect(messagesOf(gateway), 'the old answer is no part of the question').toEqual([
    { role: 'user', content: 'Question' },
  ]);
});

test('the version that is shown is the one the conversation goes on from', async ({
  bench,
  server,
  gateway,
}) => {
  await bench.open(server.url);
  await bench.ask('Question');
  await bench.lastReply.getByRole('button', { name: 'Regenerate' }).click();
  await expect(bench.lastReply).toContainText('Answer 2');
  await bench.ended();
  await step(bench.lastReply, 'Previous');
  await bench.ask('And then?');
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'Question' },
    { role: 'assistant', content: 'Answer 1' },
    { role: 'user', content: 'And then?' },
  ]);
  await step(bench.reply(1), 'Next');
  await expect(bench.replies, 'nothing was said after the other version').toHaveCount(1);
  await step(bench.reply(1), 'Previous');
  await expect(bench.reply(2)).toContainText('Answer 3');
});

test('Regenerate above later turns keeps them under the old version', async ({ bench, server, gateway }) => {
  await bench.open(server.url);
  await bench.ask('First');
  await bench.ask('Second');
  await bench.reply(1).getByRole('button', { name: 'Regenerate' }).click();
  await expect(bench.reply(1)).toContainText('Answer 3');
  await bench.ended();
  await expect(bench.replies).toHaveCount(1);
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'First' }]);
  await step(bench.reply(1), 'Previous');
  await expect(bench.reply(1)).toContainText('Answer 1');
  await expect(bench.reply(2)).toContainText('Answer 2');
});

test('Save and run adds a version of the prompt; all that was below the old one stays', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('First');
  await bench.ask('Second');
  await bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Edit message' });
  await expect(editor).toHaveValue('First');
  await expect(editor).toBeFocused();
  await editor.fill('First, said better');
  await bench.button('Save and run').click();
  await expect(bench.lastReply).toContainText('Answer 3');
  await bench.ended();
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'First, said better' }]);
  await expect(bench.prompts).toHaveCount(1);
  await expect(bench.prompts).toContainText('2 of 2');

  await step(bench.prompts.first(), 'Previous');
  await expect(bench.prompts).toHaveText([/First/, /Second/]);
  await expect(bench.prompts.first()).not.toContainText('said better');
  await expect(bench.reply(1)).toContainText('Answer 1');
  await expect(bench.reply(2)).toContainText('Answer 2');
  await bench.reload();
  await expect(bench.reply(2)).toContainText('Answer 2');
  await step(bench.prompts.first(), 'Next');
  await expect(bench.lastReply).toContainText('Answer 3');
});

test('Save alone adds a version that is not sent, with a button that runs it', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('First');
  await bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('For later');
  await bench.button('Save').click();
  await expect(bench.prompts).toHaveText(/For later/);
  await expect(bench.lastReply).toContainText('not sent yet');
  await bench.reload();
  await expect(bench.lastReply).toContainText('not sent yet');
  expect(gateway.posts).toHaveLength(1);

  await bench.lastReply.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(bench.lastReply).toContainText('Answer 2');
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'For later' }]);
  await step(bench.prompts.first(), 'Previous');
  await expect(bench.lastReply).toContainText('Answer 1');
});

test('ArrowUp in an empty composer edits the last message, Escape gives it up, and the old text stays', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('First');
  await bench.ask('Second');
  const editor = page.getByRole('textbox', { name: 'Edit message' });
  await bench.message.fill('half a thought');
  await bench.message.press('ArrowUp');
  await expect(editor).toHaveCount(0);
  await bench.message.fill('');
  await bench.message.press('ArrowUp');
  await expect(editor).toHaveValue('Second');
  await editor.fill('something else');
  await page.keyboard.press('Escape');
  await expect(editor).toHaveCount(0);
  await expect(bench.prompts.last()).toContainText('Second');
  await expect(bench.prompts.last().getByRole('button', { name: 'Previous version' })).toHaveCount(0);
  await expect(bench.message, 'the focus is back where it came from').toBeFocused();
  expect(gateway.posts).toHaveLength(2);

  await bench.message.press('ArrowUp');
  await editor.fill('Second, better');
  await editor.press('Enter');
  await expect(bench.lastReply).toContainText('Answer 3');
  await bench.ended();
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'Answer 1' },
    { role: 'user', content: 'Second, better' },
  ]);
});

test('what was typed into a message stays through Escape, another session and a reload, until it is saved or discarded', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('First');
  const editor = page.getByRole('textbox', { name: 'Edit message' });
  const editPrompt = () => bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
  const editReply = () => bench.lastReply.getByRole('button', { name: 'Edit' }).click();
  await editPrompt();
  await expect(bench.button('Discard'), 'nothing was typed yet').toHaveCount(0);
  await editor.fill('First, half of a better one');
  await page.keyboard.press('Escape');
  await editReply();
  await expect(editor, 'each message has its own').toHaveValue('Answer 1');
  await editor.fill('Answer by hand');
  await page.keyboard.press('Escape');
  await expect(bench.prompts.first().locator('p')).toHaveText('First');

  await bench.newSession();
  await page.goBack();
  await editPrompt();
  await expect(editor).toHaveValue('First, half of a better one');
  await editor.press('End');
  await page.keyboard.type('!');
  await bench.reload();
  await editPrompt();
  await expect(editor).toHaveValue('First, half of a better one!');
  await bench.button('Discard').click();
  await expect(editor).toHaveValue('First');
  await expect(editor).toBeFocused();
  await page.keyboard.press('Escape');
  await editPrompt();
  await expect(editor).toHaveValue('First');
  await page.keyboard.press('Escape');

  await editReply();
  await expect(editor).toHaveValue('Answer by hand');
  await bench.button('Save').click();
  await step(bench.lastReply, 'Previous');
  await bench.reload();
  await editReply();
  await expect(bench.lastReply.getByRole('textbox', { name: 'Edit message' })).toHaveValue('Answer 1');
});

test('Left and Right on the stepper go through the versions, and the focus stays on it', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Question');
  await bench.lastReply.getByRole('button', { name: 'Regenerate' }).click();
  await expect(bench.lastReply).toContainText('Answer 2');
  await bench.ended();
  const back = bench.lastReply.getByRole('button', { name: 'Previous version' });
  await back.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(bench.lastReply).toContainText('Answer 1');
  await expect(back).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(back, 'there is none before it').toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(bench.lastReply).toContainText('Answer 2');
  await expect(back).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(bench.lastReply).toContainText('Answer 1');
  await expect(back).toBeFocused();
});

test('Escape in the editor leaves a running answer alone', async ({ bench, server, gateway, page }) => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  gateway.onChat(async (answer) => {
    answer.text('Slow');
    await held;
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await bench.send('First');
  await expect(bench.lastReply).toContainText('Slow');
  await bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toHaveCount(0);
  letGo();
  await bench.ended();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

test('Delete says how much went, and Undo brings all of it back', async ({ bench, server }) => {
  await bench.open(server.url);
  await bench.ask('First');
  await bench.ask('Second');
  await bench.prompts.first().getByRole('button', { name: 'Delete' }).click();
  await expect(bench.replies).toHaveCount(0);
  await expect(bench.said('Deleted 2 messages and 2 answers.')).toHaveCount(1);
  await bench.undo.click();
  await expect(bench.prompts).toHaveText([/First/, /Second/]);
  await expect(bench.reply(1)).toContainText('Answer 1');
  await expect(bench.reply(2)).toContainText('Answer 2');
  await expect(bench.undo).toBeHidden();
  await bench.reload();
  await expect(bench.prompts).toHaveText([/First/, /Second/]);
  await expect(bench.reply(2)).toContainText('Answer 2');
});

test('Undo is offered for eight seconds; what was deleted stays deleted after a reload', async ({
  bench,
  server,
  page,
}) => {
  await page.clock.install();
  await bench.open(server.url);
  await bench.ask('First');
  await bench.ask('Second');
  await bench.reply(2).hover();
  await bench.reply(2).getByRole('button', { name: 'Delete' }).click();
  await expect(bench.said('Deleted 1 message and 1 answer.')).toHaveCount(1);
  await page.mouse.move(5, 5);
  await page.clock.fastForward(6000);
  await expect(bench.undo).toBeVisible();
  await page.clock.fastForward(2500);
  await expect(bench.undo).toBeHidden();
  await bench.reload();
  await expect(bench.prompts).toHaveText([/First/]);
  await expect(bench.reply(1)).toContainText('Answer 1');
});

test('deleting one version of an answer shows the other', async ({ bench, server }) => {
  await bench.open(server.url);
  await bench.ask('Question');
  await bench.lastReply.getByRole('button', { name: 'Regenerate' }).click();
  await expect(bench.lastReply).toContainText('Answer 2');
  await bench.ended();
  await bench.lastReply.getByRole('button', { name: 'Delete' }).click();
  await expect(bench.lastReply).toContainText('Answer 1');
  await expect(bench.said('Deleted 1 answer.')).toHaveCount(1);
  await expect(bench.prompts).toHaveText([/Question/]);
  await bench.undo.click();
  await expect(bench.lastReply).toContainText('Answer 2');
});

test('deleting a running answer stops it at the gateway', async ({ bench, server, gateway }) => {
  gateway.onChat((answer) => answer.text('Never ending'));
  await bench.open(server.url);
  await bench.send('Question');
  await expect(bench.lastReply).toContainText('Never ending');
  await bench.prompts.first().getByRole('button', { name: 'Delete' }).click();
  await gateway.posts[0]?.left;
  await expect(bench.replies).toHaveCount(0);
  await bench.undo.click();
  await expect(bench.lastReply).toContainText('Never ending');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
});

test('Copy takes the message as it was written', async ({ bench, server, page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open(server.url);
  const text = 'Two lines\n  with **marks** & <b>tags</b>';
  await bench.ask(text);
  await bench.prompts.first().getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

test('Run again asks the last question once more with the setup of now', async ({
  bench,
  server,
  gateway,
}) => {
  await bench.open(server.url);
  await expect(bench.button('Run again')).toHaveCount(0);
  await bench.ask('First');
  await bench.ask('Second');
  await bench.useModel('north/two');
  await bench.system.fill('Be brief.');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.1');
  await bench.button('Run again').click();
  await expect(bench.reply(2)).toContainText('Answer 3');
  await bench.ended();
  expect(gateway.posts.at(-1)?.body).toMatchObject({
    model: 'north/two',
    temperature: 0.1,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Answer 1' },
      { role: 'user', content: 'Second' },
    ],
  });
  await expect(bench.lastReply).toHaveAccessibleName('Assistant message, lane A, north/two, turn 2');
  await step(bench.reply(2), 'Previous');
  await expect(bench.lastReply).toHaveAccessibleName('Assistant message, lane A, north/one, turn 2');
  await expect(bench.lastReply).toContainText('Answer 2');
});
