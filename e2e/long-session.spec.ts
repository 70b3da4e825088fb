import { createExport, countInitialMessages, chooseFile } from './files.ts';
import { expect, test } from './fixtures.ts';

/** Number of turns: five groups of rows, of which only the last two are rendered initially. */
const turnCount = 40;

test(
  'opens a long session at its end, renders earlier turns without movement and keeps message states',
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

    await test.step('renders earlier turns without movement, as text without buttons', async () => {
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

    await test.step('keeps the state of a message when a new group of turns begins', async () => {
      await bench.chooseMoreAction(bench.getReply(turnCount), 'Show raw text');
      await bench.sendAndWait('One more');
      await expect(bench.getReply(turnCount + 1)).toHaveAttribute('data-status', 'complete');
      await expect(bench.getReply(turnCount).getByLabel('Raw text')).toBeVisible();
    });

    await test.step("finds text of turns without buttons with the browser's search and renders their buttons", async () => {
      // The browser's own Find UI would scroll to the match; this test uses scrollIntoView instead.
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
      // The metrics of the turn in view are below the conversation.
      await expect(page.getByRole('group', { name: 'Metrics, lane A, turn 3', exact: true })).toBeVisible();
    });
  },
);
