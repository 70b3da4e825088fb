/** Tests more than a hundred payloads wherever content from models, gateways and files is shown. */
import type { Browser } from 'playwright/test';

import { groupPayloads, createPayloads } from '../../src/testing/cases/payloads.ts';
import { captureDownload, readOffline } from '../files.ts';
import { expect } from '../fixtures.ts';
import { expectHarmless, streamEverywhere, test, expandAll } from '../injection-fixtures.ts';

test('renders payloads as inert text in prompts, answers, reasoning, calls, model names and the inspector', async ({
  bench,
  server,
  gateway,
  collector,
  externalRequests: _,
  page,
}) => {
  const payloads = createPayloads(collector.origin);
  expect(payloads.length).toBeGreaterThanOrEqual(100);
  const groups = groupPayloads(payloads);
  await bench.open(server.url);
  await streamEverywhere(bench, gateway, groups);
  await expectHarmless(page, 'raw');
  await expandAll(page);
  await expectHarmless(page, 'unfolded');

  await bench.reload();
  await expect(bench.replies).toHaveCount(groups.length);
  await expandAll(page);
  await expectHarmless(page, 'after a reload');

  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  const drawer = page.getByRole('complementary', { name: 'Inspector' });
  for (const tab of await drawer.getByRole('tab').all()) {
    await tab.click();
    await expectHarmless(page, `inspector, ${await tab.innerText()}`);
  }
});

test('renders payloads as inert text in the history, in exports and after an import', async ({
  bench,
  server,
  gateway,
  collector,
  externalRequests: _,
  page,
  browser,
}) => {
  const payloads = createPayloads(collector.origin);
  const groups = groupPayloads(payloads, 40);
  await bench.open(server.url);
  await streamEverywhere(bench, gateway, groups);
  const exportFile = await captureDownload(page, () => bench.chooseSessionAction('Export'));
  const htmlFile = await captureDownload(page, () => bench.chooseSessionAction('Share answers'));
  const markdownFile = await captureDownload(page, () => bench.chooseSessionAction('Save as Markdown'));
  for (const { name } of [exportFile, htmlFile, markdownFile]) expect(name).toMatch(/^[\w.-]+$/);
  await expectHarmlessFile(browser, htmlFile.text, payloads);

  await page.getByRole('link', { name: 'History' }).click();
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(1);
  await expectHarmless(page, 'history');
  const editedExport = exportFile.text.replace(
    /"title": "(?:[^"\\]|\\.)*"/,
    () => `"title": ${JSON.stringify(payloads[5])}`,
  );
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), bench.getButton('Import').click()]);
  await chooser.setFiles({
    name: '<img src=x onerror=alert(1)>.json',
    mimeType: 'application/json',
    buffer: Buffer.from(editedExport),
  });
  await expect(rows).toHaveCount(2);
  await expectHarmless(page, 'history with the imported file');
  await rows.filter({ hasText: 'onerror' }).first().getByRole('link').first().click();
  await expect(bench.replies).toHaveCount(groups.length);
  await expandAll(page);
  await expectHarmless(page, 'imported');
});

/** Opens the exported HTML page offline and checks that it is harmless. */
async function expectHarmlessFile(
  browser: Browser,
  text: string,
  payloads: readonly string[],
): Promise<void> {
  await readOffline(browser, text, async (readerPage) => {
    await expect(readerPage.locator('body')).toContainText(payloads[5] ?? '');
    expect(
      await readerPage.evaluate(() => [
        'ranPayload' in globalThis,
        document.querySelectorAll('script, iframe, object, embed, img, link, base, form').length,
      ]),
    ).toEqual([false, 0]);
  });
}

test('renders payloads as inert text in gateway errors, stream errors and model IDs', async ({
  bench,
  server,
  gateway,
  collector,
  externalRequests: _,
  page,
}) => {
  const payloads = createPayloads(collector.origin);
  gateway.models = { data: payloads.map((id) => ({ id, name: id, owned_by: id, description: id })) };
  const groups = groupPayloads(payloads);
  gateway.setChatScript((answer) => {
    const index = gateway.posts.length - 1;
    const text = groups[index] ?? '';
    const error = {
      message: text,
      type: text.slice(0, 50),
      code: text.slice(0, 50),
      param: text.slice(0, 50),
    };
    if (index % 3 === 0) return answer.sendJson(400, { error }, { 'x-request-id': 'r-1' });
    if (index % 3 === 1)
      return answer.sendBody(502, `<html><title>${text}</title>${text}</html>`, {
        'content-type': 'text/html',
      });
    answer.sendText('Some');
    answer.sendEvent({ error });
    answer.sendDone();
  });
  await bench.open(server.url);
  await bench.openModelList();
  await expectHarmless(page, 'list of models');
  await page.keyboard.press('Escape');
  await bench.selectModel(payloads[5] ?? '');
  for (const [index] of groups.entries()) {
    await bench.send(`Group ${index + 1}`);
    await expect(bench.replies.nth(index)).toHaveAttribute('data-status', 'failed');
  }
  await expandAll(page);
  await expectHarmless(page, 'errors');
  await bench.reload();
  await expect(bench.replies).toHaveCount(groups.length);
  await expectHarmless(page, 'errors after a reload');
});

test('renders payloads as inert text in the comparison of two answers', async ({
  bench,
  server,
  gateway,
  collector,
  externalRequests: _,
  page,
}) => {
  const payloadText = createPayloads(collector.origin).join('\n\n');
  gateway.setChatScript((answer) =>
    answer.sendAnswer(gateway.posts.length === 1 ? payloadText : payloadText.replaceAll('x', 'y')),
  );
  await bench.open(server.url);
  await bench.getButton('Add lane').click();
  await bench.send('Both');
  const { replies } = bench;
  await expect(replies).toHaveCount(2);
  for (const reply of await replies.all()) await expect(reply).toHaveAttribute('data-status', 'complete');
  await bench.getButton('Compare texts').click();
  await expect(page.getByRole('dialog', { name: 'Compare texts' }).locator('mark').first()).toBeVisible();
  await expectHarmless(page, 'differences');
});
