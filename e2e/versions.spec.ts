import { createPausedAnswer } from '../src/testing/scripted-gateway.ts';
import { expect, test } from './fixtures.ts';

test.beforeEach(({ gateway }) =>
  gateway.setChatScript((answer) => answer.sendAnswer(`Answer ${gateway.posts.length}`)),
);

test(
  'edits the last message with Arrow up and does not stop a running answer on Escape in the editor',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    await bench.open(server.url);
    await bench.sendAndWait('First');
    await bench.message.fill('half a thought');
    await bench.message.press('ArrowUp');
    await expect(editor).toHaveCount(0);
    await bench.message.fill('');
    await bench.message.press('ArrowUp');
    await expect(editor).toHaveValue('First');
    await expect(editor).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(editor).toHaveCount(0);
    await expect(bench.message, 'the focus has returned to the message').toBeFocused();

    const { script, finish } = createPausedAnswer('Slow');
    gateway.setChatScript(script);
    await bench.send('Second');
    await expect(bench.lastReply).toContainText('Slow');
    await bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
    await page.keyboard.press('Escape');
    await expect(editor).toHaveCount(0);
    finish();
    await bench.waitUntilEnded();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  },
);

test(
  'keeps unsaved edits after Escape, another session and a reload until they are saved or discarded',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await bench.open(server.url);
    await bench.sendAndWait('First');
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    const editPrompt = () => bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
    const editReply = () => bench.chooseMoreAction(bench.lastReply, 'Edit');
    await editPrompt();
    await expect(bench.getButton('Discard'), 'no unsaved edit yet').toHaveCount(0);
    await editor.fill('First, half of a better one');
    await page.keyboard.press('Escape');
    await editReply();
    await expect(editor, 'each message has a separate edit').toHaveValue('Answer 1');
    await editor.fill('Answer by hand');
    await page.keyboard.press('Escape');
    await expect(bench.prompts.first().locator('p')).toHaveText('First');

    await bench.startNewSession();
    await page.goBack();
    await editPrompt();
    await expect(editor).toHaveValue('First, half of a better one');
    await editor.press('End');
    await page.keyboard.type('!');
    await bench.reload();
    await editPrompt();
    await expect(editor).toHaveValue('First, half of a better one!');
    await bench.getButton('Discard').click();
    await expect(editor).toHaveValue('First');
    await expect(editor).toBeFocused();
    await page.keyboard.press('Escape');

    await editReply();
    await expect(editor).toHaveValue('Answer by hand');
    await bench.getButton('Save').click();
    await bench.lastReply.getByRole('button', { name: 'Previous version' }).click();
    await bench.reload();
    await editReply();
    await expect(bench.lastReply.getByRole('textbox', { name: 'Edit message' })).toHaveValue('Answer 1');
  },
);
