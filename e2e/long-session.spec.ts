import { anExport, countAtFirst, importFile } from './files.ts';
import { expect, test } from './fixtures.ts';

/** Five groups of rows, of which the last two are drawn at once. */
const turns = 40;

test(
  'a long session opens at its end with the last messages only, fills up without moving anything, and keeps what one did to a message',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await page.goto(new URL('/history', server.url).href);
    const text = anExport(['A long session'], turns);
    await importFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
    await expect(page.getByRole('link', { name: 'A long session' })).toBeVisible();
    await countAtFirst(page, `k${turns}z`);
    await page.getByRole('link', { name: 'A long session' }).click();
    const end = page.getByText(`Its key is k${turns}z.`);
    await expect(end).toBeInViewport();
    const before = await end.boundingBox();
    await expect(page.locator('body')).toHaveAttribute('data-at-first', /^\d+$/);
    expect(Number(await page.locator('body').getAttribute('data-at-first'))).toBeLessThan(2 * turns);

    await test.step('it fills up without moving anything, with words and without buttons', async () => {
      await expect(bench.prompts).toHaveCount(turns);
      expect((await end.boundingBox())?.y).toBe(before?.y);
      expect(await page.getByRole('button', { name: 'Regenerate' }).count()).toBeLessThan(turns);
      const texts = await page
        .locator('article .markdown')
        .evaluateAll((bodies) => bodies.map((body) => body.textContent ?? ''));
      expect(texts.filter((each, index) => !each.includes(`Its key is k${index + 1}z.`))).toEqual([]);
    });

    await test.step('what one does to a message stays done when the next group of turns begins', async () => {
      await bench.more(bench.reply(turns), 'Show raw text');
      await bench.ask('One more');
      await expect(bench.reply(turns + 1)).toHaveAttribute('data-status', 'complete');
      await expect(bench.reply(turns).getByLabel('Raw text')).toBeVisible();
    });

    await test.step('the browser finds what is not drawn, and where one goes the buttons are, too', async () => {
      // Going there is up to the browser's window, here to the test.
      expect(await page.evaluate("window.find('Its key is k3z.', false, false, true)")).toBe(true);
      const selected = await page.evaluate(() => {
        const selection = document.getSelection();
        selection?.anchorNode?.parentElement?.scrollIntoView({ block: 'center' });
        return selection?.toString();
      });
      expect(selected).toBe('Its key is k3z.');
      await expect(page.getByText('Its key is k3z.')).toBeInViewport();
      await expect(bench.button('Newest')).toBeVisible();
      await expect(bench.reply(3).getByRole('button', { name: 'Regenerate' })).toBeVisible();
      // Those of the turn in view are beneath the conversation.
      await expect(page.getByRole('group', { name: 'Metrics, lane A, turn 3', exact: true })).toBeVisible();
    });
  },
);
