import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

test.beforeEach(({ gateway }) =>
  gateway.setChatScript((answer) => answer.sendAnswer(`Answer **${gateway.posts.length}**`)),
);

test(
  "copies messages as written, and groups an answer's tools into one tab stop with arrow keys",
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bench.open(server.url);
    const text = 'Two lines\n  with **marks** & <b>tags</b>';
    await bench.sendAndWait(text);
    await bench.prompts.first().getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => readClipboard(page)).toBe(text);
    await bench.lastReply.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => readClipboard(page)).toBe('Answer **1**');
    await bench.chooseMoreAction(bench.lastReply, 'Copy as plain text');
    await expect.poll(() => readClipboard(page)).toBe('Answer 1');
    await bench.chooseMoreAction(bench.lastReply, 'Copy as JSON');
    await expect
      .poll(() => readClipboard(page))
      .toBe(JSON.stringify({ role: 'assistant', content: 'Answer **1**' }, null, 2));

    await bench.sendAndWait('Second');
    const toolbar = bench.lastReply.getByRole('toolbar', { name: 'Answer' });
    await toolbar.getByRole('button', { name: 'Copy', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(toolbar.getByRole('button', { name: 'Regenerate' })).toBeFocused();
    for (let press = 0; press < 2; press += 1) await page.keyboard.press('ArrowLeft');
    await expect(toolbar.locator(':focus'), 'wraps from the first to the last').toHaveAccessibleName(
      'More actions',
    );
    await page.keyboard.press('Tab');
    await expect(toolbar.locator(':focus')).toHaveCount(0);

    // Older turns show their toolbar on hover.
    const olderTool = bench.getReply(1).getByRole('toolbar', { name: 'Answer' }).locator('> :first-child');
    await bench.message.hover();
    await expect(olderTool).toHaveCSS('opacity', '0');
    await bench.getReply(1).hover();
    await expect(olderTool).toHaveCSS('opacity', '1');
  },
);
