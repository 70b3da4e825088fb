import type { Locator } from 'playwright/test';

import { aGate } from '../src/testing/builders.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { expect, test } from './fixtures.ts';

/** Every answer has its own number, so that no two can be taken for each other. */
function numberAnswers(gateway: ScriptedGateway): void {
  gateway.onChat((answer) => answer.whole(`Answer ${gateway.posts.length}`));
}

async function step(message: Locator, to: 'Previous' | 'Next'): Promise<void> {
  await message.getByRole('button', { name: `${to} version` }).click();
}

test.beforeEach(({ gateway }) => numberAnswers(gateway));

test(
  'answers and prompts have versions, by mouse and by key; what is deleted can be taken back',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    const last = bench.lastReply;
    await bench.open(server.url);

    await test.step('Regenerate keeps the old answer, one step back', async () => {
      await bench.ask('First');
      await expect(last.getByRole('button', { name: 'Previous version' })).toHaveCount(0);
      await last.getByRole('button', { name: 'Regenerate' }).click();
      await expect(last).toContainText('Answer 2');
      await bench.ended();
      await expect(last).toContainText('2 of 2');
      await expect(last.getByRole('button', { name: 'Next version' })).toBeDisabled();
    });

    await test.step('Left and Right on the stepper go through the versions, and the focus stays on it', async () => {
      const back = last.getByRole('button', { name: 'Previous version' });
      await back.focus();
      await page.keyboard.press('ArrowLeft');
      await expect(last).toContainText('Answer 1');
      await expect(back).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await expect(back, 'there is none before it').toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(last).toContainText('Answer 2');
      await expect(back).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(last).toContainText('Answer 1');
      await expect(back).toBeFocused();
    });

    await test.step('Arrow up in an empty composer edits the last message, and Escape gives it up', async () => {
      await bench.message.fill('half a thought');
      await bench.message.press('ArrowUp');
      await expect(editor).toHaveCount(0);
      await bench.message.fill('');
      await bench.message.press('ArrowUp');
      await expect(editor).toHaveValue('First');
      await expect(editor).toBeFocused();
      await editor.fill('something else');
      await page.keyboard.press('Escape');
      await expect(editor).toHaveCount(0);
      await expect(bench.prompts.last()).toContainText('First');
      await expect(bench.message, 'the focus is back where it came from').toBeFocused();
      expect(gateway.posts).toHaveLength(2);
    });

    await test.step('Enter in the editor runs a version of the prompt; the old one is a step back', async () => {
      // What was given up is still in the editor.
      await bench.message.press('ArrowUp');
      await editor.fill('First, better');
      await editor.press('Enter');
      await expect(last).toContainText('Answer 3');
      await bench.ended();
      await expect(bench.prompts).toHaveText(/First, better/);
      await step(bench.prompts.first(), 'Previous');
      await expect(last).toContainText('Answer 2');
      await step(last, 'Previous');
      await bench.reload();
      await expect(last).toContainText('Answer 1');
      await expect(bench.prompts).toContainText('1 of 2');
    });

    await test.step('a version that is only saved waits with a button that runs it', async () => {
      await bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
      await editor.fill('For later');
      await bench.button('Save').click();
      await expect(last).toContainText('not sent yet');
      expect(gateway.posts).toHaveLength(3);
      await last.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(last).toContainText('Answer 4');
      await bench.ended();
    });

    await test.step('Escape in the editor leaves a running answer alone', async () => {
      const gate = aGate();
      gateway.onChat(async (answer) => {
        answer.text('Slow');
        await gate.opened;
        answer.finish();
        answer.done();
      });
      await bench.send('Second');
      await expect(last).toContainText('Slow');
      await bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
      await page.keyboard.press('Escape');
      await expect(editor).toHaveCount(0);
      gate.open();
      await bench.ended();
      await expect(last).toHaveAttribute('data-status', 'complete');
    });

    await test.step('Delete says how much went, and Undo brings all of it back', async () => {
      await bench.prompts.first().getByRole('button', { name: 'Delete' }).click();
      await expect(bench.said('Deleted 2 messages and 2 answers.')).toHaveCount(1);
      await expect(bench.prompts).toHaveText(/First/);
      await bench.undo.click();
      await expect(bench.prompts).toHaveText([/For later/, /Second/]);
      await expect(bench.undo).toBeHidden();
    });

    await test.step('Run again asks the last question once more with the current setup', async () => {
      numberAnswers(gateway);
      await bench.useModel('north/two');
      await bench.button('Run again').click();
      await expect(last).toContainText('Answer 6');
      await expect(last).toHaveAccessibleName('Assistant message, lane A, north/two, turn 2');
      await step(last, 'Previous');
      await expect(last).toHaveAccessibleName('Assistant message, lane A, north/one, turn 2');
    });
  },
);

test(
  'what was typed into a message stays through Escape, another session and a reload, until it is saved or discarded',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await bench.open(server.url);
    await bench.ask('First');
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    const editPrompt = () => bench.prompts.first().getByRole('button', { name: 'Edit' }).click();
    const editReply = () => bench.more(bench.lastReply, 'Edit');
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

    await editReply();
    await expect(editor).toHaveValue('Answer by hand');
    await bench.button('Save').click();
    await step(bench.lastReply, 'Previous');
    await bench.reload();
    await editReply();
    await expect(bench.lastReply.getByRole('textbox', { name: 'Edit message' })).toHaveValue('Answer 1');
  },
);
