import type { Locator, Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

async function middleOf(control: Locator): Promise<{ x: number; y: number }> {
  const box = await control.boundingBox();
  if (box === null) throw new Error('It is not on screen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The name of the button under a place on the screen. */
function nameAt(page: Page, { x, y }: { x: number; y: number }): Promise<string | undefined> {
  return page.evaluate(
    ([left, top]) => {
      const button = document.elementFromPoint(left, top)?.closest('button');
      return button?.getAttribute('aria-label') ?? button?.textContent;
    },
    [x, y] as const,
  );
}

test('what is clicked is still there for a second click, whatever the first one brought', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => answer.whole('Answer'));
  await bench.open(server.url);
  await expect(bench.button('Search or run a command')).toBeVisible();

  for (const width of [1440, 1024])
    await test.step(`the session bar, ${width} px wide`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await bench.newSession();
      const lanes = page.getByRole('region', { name: /^Lane / });
      const before = await lanes.count();
      const place = await middleOf(bench.button('Add lane'));
      await page.mouse.click(place.x, place.y);
      await expect(lanes).toHaveCount(before + 1);
      expect(await nameAt(page, place)).toBe('Add lane');
      await page.mouse.click(place.x, place.y);
      await expect(lanes).toHaveCount(before + 2);
      expect(await nameAt(page, place)).toBe('Add lane');

      const names = await middleOf(bench.button('Hide names'));
      await page.mouse.click(names.x, names.y);
      await expect(bench.button('Show names')).toBeVisible();
      expect(await nameAt(page, names)).toBe('Show names');
      expect(await nameAt(page, place)).toBe('Add lane');
      // A key in between: the next click is not a part of a double click.
      await bench.button('Show names').press('F9');
      await bench.button('Show names').click();
      await expect(bench.button('Hide names')).toBeVisible();
    });
  await page.setViewportSize({ width: 1440, height: 900 });

  await test.step('the history, before and after there is something to export', async () => {
    await page.getByRole('link', { name: 'History' }).click();
    const place = await middleOf(bench.button('Import'));
    await page.getByRole('link', { name: 'Playground' }).click();
    await bench.ask('Keep this');
    await page.getByRole('link', { name: 'History' }).click();
    await expect(page.getByText('1 session', { exact: true })).toBeVisible();
    expect(await nameAt(page, place)).toBe('Import');
  });

  await test.step('the top bar, whatever the latency is', async () => {
    const field = bench.button('Search or run a command');
    const latency = bench.health.getByText(/\d ms$/);
    await expect(latency).toBeVisible();
    const places: { x: number; y: number }[] = [];
    for (const words of [' 8 ms', ' 95 ms', ' 128 ms']) {
      await latency.evaluate((element, text) => (element.textContent = text), words);
      places.push(await middleOf(field));
    }
    expect(new Set(places.map(({ x }) => x)).size).toBe(1);
  });

  await test.step('the lab, with a second model', async () => {
    await page.getByRole('link', { name: 'Embeddings' }).click();
    const embed = page.getByRole('button', { name: /^Embed/ });
    const place = await middleOf(embed);
    await page.getByRole('textbox', { name: 'Texts', exact: true }).fill('one\ntwo\nthree');
    await bench.button('Compare with another model').click();
    await expect(page.getByRole('combobox', { name: 'Second model' })).toBeVisible();
    expect(await nameAt(page, place)).toMatch(/^Embed/);
    await bench.button('Remove second model').click();
    const picker = page.getByRole('combobox', { name: 'Model', exact: true });
    await picker.fill('some/embedding-model-with-a-name-that-is-longer-than-the-bar-likes');
    await picker.press('Enter');
    expect(await nameAt(page, place)).toMatch(/^Embed/);
  });
});
