/** Messages and answers survive a reload at any moment and an answer of any length. */
import { expect, test } from '../fixtures.ts';
import { lastStoredEvents, storedTexts } from '../stored-records.ts';
import { count, countedTo, words } from './counting-answer.ts';

test.describe.configure({ timeout: 1_800_000 });
const wait = expect.configure({ timeout: 600_000 });
test.use({ trace: 'off' });

test('a reload at any moment keeps the prompt and what was stored before', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript(count);
  await bench.open(server.url);
  for (let round = 1; round <= 6; round += 1) {
    await bench.send(`Round ${round}`);
    await expect(bench.lastReply).toContainText('1 2 3');
    await expect.poll(async () => countedTo(await words(bench))).toBeGreaterThan(12 * round);
    const shown = countedTo(await words(bench));
    // How soon that is, the recorder's own test says on its clock.
    await expect.poll(() => lastStoredEvents(page)).toContain(`"${shown} "`);
    await page.reload();
    await expect(bench.prompts.last()).toContainText(`Round ${round}`);
    await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
    expect(countedTo((await storedTexts(page)).at(-1) ?? '')).toBeGreaterThanOrEqual(shown);
  }
  await expect(bench.replies).toHaveCount(6);
  expect(gateway.posts, 'nothing is sent again by itself').toHaveLength(6);
});

test('an answer of 20 MB is kept whole and drawn up to a bound, and Bench can be written to', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const paragraphs = Array.from(
    { length: 200 },
    (_, index) =>
      `Line ${index} of a **very** long answer with \`code\` and a [link](https://example.org).\n\n`,
  ).join('');
  const times = Math.ceil((20 * 1024 * 1024) / paragraphs.length);
  gateway.setChatScript(async (answer) => {
    for (let sent = 0; sent < times; sent += 1) {
      answer.sendText(paragraphs);
      if (answer.response.writableNeedDrain)
        await new Promise((resolve) => answer.response.once('drain', resolve));
    }
    answer.sendAnswer('The end.');
  });
  await bench.open(server.url);
  await bench.send('Write much');
  await bench.message.fill('Written meanwhile');
  await expect(bench.message).toHaveValue('Written meanwhile');
  // Asked of the page itself: Playwright's own search by role takes seconds in so large a one.
  const drawn = () =>
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
  const whole = {
    status: 'complete',
    note: 'The rest of this message is shown as plain text: it is too long to show all of it as markdown.',
    hasBeginning: true,
    hasEnd: true,
    isAsCame: true,
  };
  await wait.poll(drawn).toMatchObject(whole);
  expect((await drawn()).elements).toBeLessThan(150_000);
  await wait(page.locator('html')).toHaveAttribute('data-saved', 'yes');
  await page.reload();
  await wait.poll(drawn).toMatchObject(whole);
  const [stored] = await storedTexts(page);
  expect(stored === `${paragraphs.repeat(times)}The end.`).toBe(true);
});
