import { createExport, countInitialMessages, chooseFile } from './files.ts';
import { expect, test } from './fixtures.ts';

/** Five groups of rows, of which the last two are drawn at once. */
const turnCount = 40;

test(
  'a long session opens at its end with the last messages only, fills up without moving anything, and keeps what one did to a message',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await page.goto(new URL('/history', server.url).href);
    const text = createExport(['A long session'], turnCount);
    await chooseFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
    await expect(page.getByRole('link', { name: 'A long session' })).toBeVisible();
    await countInitialMessages(page, `k${turnCount}z`);
    await page.getByRole('link', { name: 'A long session' }).click();
    const lastLine = page.getByText(`Its key is k${turnCount}z.`);
    await expect(lastLine).toBeInViewport();
    const initialBox = await lastLine.boundingBox();
    await expect(page.locator('body')).toHaveAttribute('data-initial-messages', /^\d+$/);
    expect(Number(await page.locator('body').getAttribute('data-initial-messages'))).toBeLessThan(
      2 * turnCount,
    );

    await test.step('it fills up without moving anything, with words and without buttons', async () => {
      await expect(bench.prompts).toHaveCount(turnCount);
      expect((await lastLine.boundingBox())?.y).toBe(initialBox?.y);
      expect(await page.getByRole('button', { name: 'Regenerate' }).count()).toBeLessThan(turnCount);
      const texts = await page
        .locator('article .markdown')
        .evaluateAll((bodies) => bodies.map((body) => body.textContent ?? ''));
      expect(texts.filter((replyText, index) => !replyText.includes(`Its key is k${index + 1}z.`))).toEqual(
        [],
      );
    });

    await test.step('what one does to a message stays done when the next group of turns begins', async () => {
      await bench.chooseMoreAction(bench.getReply(turnCount), 'Show raw text');
      await bench.sendAndWait('One more');
      await expect(bench.getReply(turnCount + 1)).toHaveAttribute('data-status', 'complete');
      await expect(bench.getReply(turnCount).getByLabel('Raw text')).toBeVisible();
    });

    await test.step('the browser finds what is not drawn, and where one goes the buttons are, too', async () => {
      // Going there is up to the browser's window, here to the test.
      expect(await page.evaluate("window.find('Its key is k3z.', false, false, true)")).toBe(true);
      const selectedText = await page.evaluate(() => {
        const selection = document.getSelection();
        selection?.anchorNode?.parentElement?.scrollIntoView({ block: 'center' });
        return selection?.toString();
      });
      expect(selectedText).toBe('Its key is k3z.');
      await expect(page.getByText('Its key is k3z.')).toBeInViewport();
      await expect(bench.getButton('Newest')).toBeVisible();
      await expect(bench.getReply(3).getByRole('button', { name: 'Regenerate' })).toBeVisible();
      // Those of the turn in view are beneath the conversation.
      await expect(page.getByRole('group', { name: 'Metrics, lane A, turn 3', exact: true })).toBeVisible();
    });
  },
);
