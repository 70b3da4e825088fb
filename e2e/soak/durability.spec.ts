/** Tests that messages and answers survive reloads at any moment, and that answers may have any length. */
import { expect, test } from '../fixtures.ts';
import { readLastStoredEvents, readStoredTexts } from '../stored-records.ts';
import { streamCount, parseCount, getLastReplyText } from './counting-answer.ts';

test.describe.configure({ timeout: 1_800_000 });
const expectLong = expect.configure({ timeout: 600_000 });
test.use({ trace: 'off' });

test('keeps the prompt and the stored answer after a reload at any moment', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript(streamCount);
  await bench.open(server.url);
  for (let round = 1; round <= 6; round += 1) {
    await bench.send(`Round ${round}`);
    await expect(bench.lastReply).toContainText('1 2 3');
    await expect.poll(async () => parseCount(await getLastReplyText(bench))).toBeGreaterThan(12 * round);
    const visibleCount = parseCount(await getLastReplyText(bench));
    // The recorder's unit test measures the delay on a fake clock.
    await expect.poll(() => readLastStoredEvents(page)).toContain(`"${visibleCount} "`);
    await page.reload();
    await expect(bench.prompts.last()).toContainText(`Round ${round}`);
    await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
    expect(parseCount((await readStoredTexts(page)).at(-1) ?? '')).toBeGreaterThanOrEqual(visibleCount);
  }
  await expect(bench.replies).toHaveCount(6);
  expect(gateway.posts, 'nothing is retried automatically').toHaveLength(6);
});

test('stores an answer of 20 MB completely, renders a limited part and stays responsive', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const block = Array.from(
    { length: 200 },
    (_, index) =>
      `Line ${index} of a **very** long answer with \`code\` and a [link](https://example.org).\n\n`,
  ).join('');
  const blockCount = Math.ceil((20 * 1024 * 1024) / block.length);
  gateway.setChatScript(async (answer) => {
    for (let sentCount = 0; sentCount < blockCount; sentCount += 1) {
      answer.sendText(block);
      if (answer.response.writableNeedDrain)
        await new Promise((resolve) => answer.response.once('drain', resolve));
    }
    answer.sendAnswer('The end.');
  });
  await bench.open(server.url);
  await bench.send('Write much');
  await bench.message.fill('Written meanwhile');
  await expect(bench.message).toHaveValue('Written meanwhile');
  // Queries the page directly, because Playwright's role selectors take seconds in a page this large.
  const readReply = () =>
    page.evaluate(() => {
      const reply = document.querySelector('article[data-status]');
      const text = reply?.textContent ?? '';
      return {
        status: reply?.getAttribute('data-status'),
        elements: document.getElementsByTagName('*').length,
        note: reply?.querySelector('.md-note')?.textContent,
        hasBeginning: text.includes('Line 0 of a very long answer with code and a link.'),
        hasEnd: text.includes('The end.'),
        isAsCame: text.includes('Line 199 of a **very** long'),
      };
    });
  const completeReply = {
    status: 'complete',
    note: 'The rest is shown as plain text: this message is too long for Markdown.',
    hasBeginning: true,
    hasEnd: true,
    isAsCame: true,
  };
  await expectLong.poll(readReply).toMatchObject(completeReply);
  expect((await readReply()).elements).toBeLessThan(150_000);
  await expectLong(page.locator('html')).toHaveAttribute('data-saved', 'yes');
  await page.reload();
  await expectLong.poll(readReply).toMatchObject(completeReply);
  const [storedText] = await readStoredTexts(page);
  expect(storedText === `${block.repeat(blockCount)}The end.`).toBe(true);
});
