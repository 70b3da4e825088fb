import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

function getStage(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Presentation' });
}

function getLane(page: Page, letter: string): Locator {
  return getStage(page).getByRole('region', { name: `Lane ${letter}` });
}

async function startPresentation(bench: BenchPage): Promise<void> {
  await bench.page.keyboard.press('Alt+Shift+P');
  await expect(getStage(bench.page)).toBeVisible();
}

test(
  'presents turns, focuses lanes, hides details, replays recordings by key and returns to the session',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer, { body }) => {
      const messages = Array.isArray(body['messages']) ? body['messages'] : [];
      answer.sendDelta({ reasoning_content: 'Let me weigh it.' });
      answer.sendAnswer(`Answer ${messages.length} of ${String(body['model'])}.`);
    });
    await bench.open(server.url);
    await bench.getButton('Add lane').click();
    const picker = page.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' });
    await picker.fill('north/two');
    await picker.press('Enter');
    for (const [index, text] of ['The first question', 'The second question'].entries()) {
      await bench.send(text);
      await expect(page.locator('article[data-status="complete"]')).toHaveCount(2 * (index + 1));
    }

    await test.step('moves between turns with arrow keys and focuses a lane by number', async () => {
      await startPresentation(bench);
      await expect(getStage(page)).toContainText('The second question');
      await expect(getStage(page)).toContainText('Turn 2 of 2');
      await expect(getLane(page, 'A')).toContainText('Answer 3 of north/one.');
      await expect(getLane(page, 'B')).toContainText('Answer 3 of north/two.');
      await expect(getLane(page, 'A')).toContainText(/[\d.]+s\s*time to first token|time to first token/);
      await page.keyboard.press('ArrowLeft');
      await expect(getStage(page)).toContainText('The first question');
      await expect(getLane(page, 'B')).toContainText('Answer 1 of north/two.');
      await page.keyboard.press('ArrowLeft');
      await expect(getStage(page), 'no turn before the first').toContainText('Turn 1 of 2');
      await page.keyboard.press('2');
      await expect(getLane(page, 'A')).toBeHidden();
      await expect(getLane(page, 'B')).toBeVisible();
      await page.keyboard.press('2');
      await expect(getLane(page, 'A')).toBeVisible();
    });

    await test.step('toggles names, numbers and reasoning by key', async () => {
      const getLaneName = (letter: string) => getLane(page, letter).getByRole('heading');
      const reasoningButton = getStage(page)
        .getByRole('button', { name: /^Reasoning/ })
        .first();
      await expect(getLaneName('B')).toHaveText('two');
      await page.keyboard.press('n');
      await expect(getLaneName('B')).toHaveText('Model B');
      await expect(getLaneName('A')).toHaveText('Model A');
      await expect(getStage(page), 'speed would reveal the model').not.toContainText('tokens per second');
      await page.keyboard.press('m');
      await expect(getStage(page)).toContainText('tokens per second');
      await page.keyboard.press('m');
      await expect(getStage(page)).not.toContainText('tokens per second');
      await expect(reasoningButton).toBeHidden();
      await page.keyboard.press('t');
      await expect(reasoningButton).toBeVisible();
    });

    await test.step('reaches the summary with a clicker, counts a vote and sends a live prompt', async () => {
      await page.keyboard.press('v');
      await getStage(page).getByRole('radio', { name: 'Lane B is better' }).click();
      await expect(getStage(page)).toContainText('B is better');
      await page.keyboard.press('v');
      await page.keyboard.press('n');
      await page.keyboard.press('End');
      const summary = getStage(page).getByRole('table', { name: 'Summary' });
      await expect(summary.getByRole('row').nth(2)).toContainText(/1\s*of 2/);
      await page.keyboard.press('PageUp');
      await expect(getStage(page)).toContainText('The second question');
      await page.keyboard.press('a');
      const questionField = getStage(page).getByRole('textbox', { name: 'Ask from the stage' });
      await questionField.fill('Any more?');
      await questionField.press('Escape');
      await expect(questionField).toBeHidden();
      await page.keyboard.press('Enter');
      await expect(questionField, 'the question was kept').toHaveValue('Any more?');
      await questionField.press('Enter');
      await expect(getStage(page)).toContainText('Turn 3 of 3');
      await expect(getLane(page, 'B')).toContainText('Answer 5 of north/two.');
      await page.keyboard.press('Home');
      await page.keyboard.press('n');
    });

    await test.step('plays the recording without a request and labels it as a recording', async () => {
      await page.keyboard.press('r');
      await expect(getLane(page, 'A')).toContainText('Recorded');
      await expect(getLane(page, 'A')).toContainText('Answer 1 of north/one.');
      await expect(getLane(page, 'B')).toContainText('Answer 1 of north/two.');
      const progress = getStage(page).getByRole('progressbar', { name: 'Recording' });
      await expect(progress).toHaveAttribute('aria-valuetext', / of /);
      await page.keyboard.press('l');
      await expect(getLane(page, 'A')).not.toContainText('Recorded');
      expect(gateway.posts, 'showing a recording sends no request').toHaveLength(6);
    });

    await test.step('closes on Escape, and offers hints as buttons if single keys are switched off', async () => {
      await page.keyboard.press('Escape');
      await expect(getStage(page)).toBeHidden();
      await expect(bench.message).toBeFocused();
      await bench.getButton('Settings').click();
      await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
      await page.keyboard.press('Escape');
      await bench.message.focus();
      await startPresentation(bench);
      await page.keyboard.press('n');
      await expect(getLane(page, 'B').getByRole('heading'), 'the shortcut is disabled').toHaveText('Model B');
      await getStage(page).getByRole('button', { name: 'show names' }).click();
      await expect(getLane(page, 'B').getByRole('heading')).toHaveText('two');
    });
  },
);

test(
  'follows a streaming answer in presentation mode and hides hints and cursor after 3 s',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    let finishAnswer: () => void = () => undefined;
    gateway.setChatScript(async (answer) => {
      for (let line = 1; line <= 60; line += 1) answer.sendText(`Line ${line} of a long answer.\n\n`);
      await new Promise<void>((resolve) => (finishAnswer = resolve));
      answer.sendText('The last line.');
      answer.sendFinishReason('stop');
      answer.sendDone();
    });
    await page.clock.install();
    await bench.open(server.url);
    await bench.send('Tell me a lot');
    await expect(bench.lastReply).toContainText('Line 60');
    await startPresentation(bench);
    await expect(getLane(page, 'A')).toContainText('Answering');
    await expect(getStage(page).getByText('Line 60 of a long answer.')).toBeInViewport();
    finishAnswer();
    await expect(getLane(page, 'A')).toContainText('Done');
    await expect(getStage(page).getByText('The last line.')).toBeInViewport();

    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    const hint = getStage(page).getByRole('button', { name: 'hide names' });
    await page.mouse.move(200, 200);
    await page.mouse.move(220, 220);
    await expect(hint).toHaveCSS('opacity', '1');
    await page.clock.runFor(3_100);
    await expect(hint).toHaveCSS('opacity', '0');
    await expect(getStage(page)).toHaveCSS('cursor', 'none');
    await page.mouse.move(300, 300);
    await page.mouse.move(320, 320);
    await expect(hint).toHaveCSS('opacity', '1');
  },
);
