import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import { captureDownload, chooseFile, createExport, createFileTransfer, readOffline } from './files.ts';
import { canaryKey, expect, test } from './fixtures.ts';

function getRows(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link') });
}

function getAlert(page: Page, text: string | RegExp): Locator {
  return page.getByRole('alert').filter({ hasText: text });
}

test(
  'exports a session and imports it unchanged into another browser, by file picker or drop',
  { tag: '@soak' },
  async ({ bench, server, gateway, browser }) => {
    gateway.setChatScript((answer) =>
      answer.sendAnswer('The answer, with "quotes" and 日本 and <b>tags</b>'),
    );
    await bench.open(server.url);
    await bench.system.fill('Be brief');
    await bench.sendAndWait('Which rivers cross Vienna?');
    const { name, text } = await captureDownload(bench.page, () => bench.chooseSessionAction('Export'));
    expect(name).toBe('bench-Which-rivers-cross-Vienna.json');
    await expect(
      bench.page.getByRole('status').filter({ hasText: `Saved ${name}: 1 message and 1 answer` }),
    ).toBeVisible();
    expect(text).not.toContain(canaryKey);
    expect(text).not.toContain(gateway.url);

    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL('/history', server.url).href);
    const importContent = (file: string, content: string) =>
      chooseFile(page, () => page.getByRole('button', { name: 'Import' }).click(), file, content);
    await importContent(name, text);
    await expect(getRows(page)).toHaveCount(1);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    const secondExport = await captureDownload(page, () =>
      page.getByRole('button', { name: 'Export 1 session' }).click(),
    );
    expect(secondExport.text).toBe(text);

    await test.step('rejects a file that is not an export and reports the reason and position', async () => {
      await importContent('file.json', '{"format":"bench-sessions",\n"version":1,\n"sessions":[');
      await expect(getAlert(page, 'file.json was not imported.')).toHaveText(
        /not valid JSON.*Line 3\. Nothing was changed/,
      );
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await expect(getAlert(page, 'not imported')).toHaveCount(0);
    });

    await test.step('imports a file dropped on the History page and undoes the import', async () => {
      const dataTransfer = await createFileTransfer(page, 'dropped.json', text);
      const main = page.getByRole('main');
      await main.dispatchEvent('dragenter', { dataTransfer });
      await expect(page.getByText('Drop a Bench export file here')).toBeVisible();
      await main.dispatchEvent('drop', { dataTransfer });
      await expect(getRows(page)).toHaveCount(2);
      await expect(page.getByText('Drop a Bench export file here')).toBeHidden();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(getRows(page)).toHaveCount(1);
    });

    await getRows(page).getByRole('link').click();
    await expect(page.getByRole('article', { name: /^Assistant message/ })).toHaveCount(1);
    await expect(page.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Be brief');
    await context.close();
  },
);

test(
  'imports a large file in a worker, completely or not at all',
  { tag: '@soak' },
  async ({ server, page }) => {
    const count = 300;
    const titles = Array.from({ length: count }, (_, index) => `Seed ${index}`);
    const largeExport = createExport(titles, 4);
    expect(largeExport.length).toBeGreaterThan(1_000_000);
    await page.goto(new URL('/history', server.url).href);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    const importContent = (file: string, content: string) =>
      chooseFile(page, () => page.getByRole('button', { name: 'Import' }).click(), file, content);
    await importContent('broken.json', largeExport.replace(`"title": "Seed ${count - 1}"`, '"title": 999'));
    await expect(getAlert(page, 'broken.json was not imported.')).toHaveText(/at sessions\[299\]\.title/);
    await expect(getRows(page)).toHaveCount(0);
    await importContent('large.json', largeExport);
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: `${count} sessions` })
        .first(),
    ).toBeVisible();
    expect(workers.filter((url) => url.includes('import-worker'))).toHaveLength(2);
    await page.getByRole('searchbox', { name: 'Search history' }).pressSequentially('k4z seed 298');
    await expect(getRows(page)).toHaveCount(1);
    await expect(getRows(page)).toContainText('Seed 298');
  },
);

test('opens the exported page offline without running or fetching anything', async ({
  bench,
  server,
  gateway,
  page,
  browser,
}) => {
  const hostileText =
    '<script>window.hacked=1</script> ![x](https://tracker.test/x.png) <img src=x onerror="window.hacked=1"> [go](javascript:window.hacked=1)';
  gateway.setChatScript((answer) => answer.sendAnswer(`**Bold** ${hostileText}`));
  await bench.open(server.url);
  await bench.setParameterSent('temperature');
  await bench.sendAndWait(hostileText);
  const { name, text } = await captureDownload(page, () => bench.chooseSessionAction('Share answers'));
  expect(name).toMatch(/\.html$/);
  expect(text).not.toContain(canaryKey);

  await readOffline(browser, text, async (readerPage) => {
    await expect(readerPage.getByText('Bold')).toHaveCSS('font-weight', '700');
    await expect(readerPage.getByText('north/one')).toBeVisible();
    await expect(readerPage.getByText(/temperature 1/)).toBeVisible();
    expect(await readerPage.evaluate(() => 'hacked' in window)).toBe(false);
  });

  const markdownFile = await captureDownload(page, () => bench.chooseSessionAction('Save as Markdown'));
  expect(markdownFile.name).toMatch(/\.md$/);
  expect(markdownFile.text).toContain('### north/one');
  expect(markdownFile.text).not.toContain('<script>');
});

test(
  'shows the same session in two tabs, with live answers that are interrupted if their own tab closes',
  { tag: '@soak' },
  async ({ bench, server, gateway }) => {
    await bench.open(server.url);
    await bench.sendAndWait('From the first tab');
    const otherTab = await bench.openInNewTab(bench.page.url());
    await expect(otherTab.prompts).toHaveCount(1);

    await test.step('keeps the changes of both tabs', async () => {
      await otherTab.sendAndWait('From the second tab');
      await expect(bench.prompts).toHaveText([/From the first tab/, /From the second tab/]);
      await Promise.all([bench.send('At once, said'), otherTab.system.fill('At once, set up')]);
      await expect(otherTab.prompts).toHaveCount(3);
      await Promise.all([bench.waitUntilEnded(), otherTab.waitUntilEnded()]);
      await expect(bench.system).toHaveValue('At once, set up');
    });

    const gates = [createGate(), createGate()];
    gateway.setChatScript(async (answer) => {
      answer.sendText('Begun');
      await gates[0]?.opened;
      answer.sendText(' and more');
      await gates[1]?.opened;
    });
    await test.step("shows another tab's answer live and stops it", async () => {
      await otherTab.send('Live');
      await expect(bench.lastReply).toContainText('Begun');
      await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
      gates[0]?.open();
      await expect(bench.lastReply).toContainText('Begun and more');
      await bench.getButton(/^Stop/).first().click();
      await expect(otherTab.lastReply).toHaveAttribute('data-status', 'stopped');
      await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
      await gateway.posts.at(-1)?.disconnection;
    });

    await test.step('marks an answer as interrupted when its tab closes', async () => {
      await otherTab.send('Dies');
      await expect(bench.lastReply).toContainText('Begun and more');
      await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
      await otherTab.page.close({ runBeforeUnload: false });
      await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
      await expect(bench.lastReply).toContainText('Begun and more');
    });
  },
);
