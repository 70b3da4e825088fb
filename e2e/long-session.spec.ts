import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright/test';

import { isRecord } from '../src/lib/json.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

const turns = 1_000;

function first(value: unknown): Record<string, unknown> {
  const [item] = Array.isArray(value) ? value : [];
  if (!isRecord(item)) throw new Error('The export has not what is to be multiplied');
  return item;
}

/** A session of 1,000 turns, made of the one on screen as its export has it. */
async function longSession(bench: BenchPage): Promise<string> {
  await bench.button('Session menu').click();
  const [download] = await Promise.all([
    bench.page.waitForEvent('download'),
    bench.page.getByRole('menuitem', { name: 'Export' }).click(),
  ]);
  const file: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  if (!isRecord(file)) throw new Error('The export is no object');
  const data = first(file['sessions']);
  const numbers = Array.from({ length: turns }, (_, index) => index + 1);
  const [prompt, turn, run, lane] = [
    first(data['prompts']),
    first(data['turns']),
    first(data['runs']),
    first(data['lanes']),
  ];
  const session = {
    ...data,
    title: 'A long session',
    titled: true,
    lanes: [{ ...lane, tip: `t${turns}` }],
    prompts: numbers.map((number) => ({
      ...prompt,
      id: `p${number}`,
      seq: 2 * number,
      messages: [{ role: 'user', content: `Question ${number}` }],
    })),
    turns: numbers.map((number) => ({
      ...turn,
      id: `t${number}`,
      seq: 2 * number + 1,
      promptId: `p${number}`,
      reply: { runId: `r${number}` },
      ...(number === 1 ? {} : { parent: { turnId: `t${number - 1}`, choice: 0 } }),
    })),
    runs: numbers.map((number) => ({
      ...run,
      id: `r${number}`,
      choices: [{ parts: [{ type: 'text', text: answerTo(number) }], finishReason: 'stop' }],
    })),
  };
  return JSON.stringify({ ...file, sessions: [session] });
}

function answerTo(number: number): string {
  return `Answer **${number}** begins.\n\n- one\n- two\n\n\`\`\`ts\nconst answer = ${number};\n\`\`\`\n\nIts key is k${number}z.`;
}

/** The long session, in the history and not opened yet. */
async function stored(bench: BenchPage, url: string): Promise<void> {
  const { page } = bench;
  await bench.open(url);
  await bench.ask('One');
  const text = await longSession(bench);
  await page.goto(new URL('/history', url).href);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import' }).click(),
  ]);
  await chooser.setFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.getByRole('link', { name: 'A long session' })).toBeVisible({ timeout: 30_000 });
  await page.reload();
}

function conversationOf(page: Page) {
  return page.getByRole('region', { name: 'Conversation' });
}

test('a session of 2,000 messages opens at its end with the last ones only, fills up without moving anything, and all of it can be found', async ({
  bench,
  server,
  page,
}) => {
  test.setTimeout(120_000);
  await stored(bench, server.url);
  // How many messages there were in the first frame that had the last one.
  await page.evaluate((last) => {
    const step = () => {
      if (document.body.textContent?.includes(last))
        document.body.dataset['atFirst'] = String(document.querySelectorAll('article').length);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }, `k${turns}z`);
  await page.getByRole('link', { name: 'A long session' }).click();
  const end = page.getByText(`Its key is k${turns}z.`);
  await expect(end).toBeInViewport();
  const before = await end.boundingBox();
  await expect(page.locator('body')).toHaveAttribute('data-at-first', /^\d+$/);
  expect(Number(await page.locator('body').getAttribute('data-at-first'))).toBeLessThan(turns / 2);

  await expect(bench.prompts).toHaveCount(turns, { timeout: 60_000 });
  expect((await end.boundingBox())?.y).toBe(before?.y);
  // Far from the screen there are words, but none of the buttons.
  expect(await page.getByRole('button', { name: 'Regenerate' }).count()).toBeLessThan(100);
  const texts = await page
    .locator('article .md')
    .evaluateAll((bodies) => bodies.map((body) => body.textContent ?? ''));
  expect(texts.filter((text, index) => !text.includes(`Its key is k${index + 1}z.`))).toEqual([]);

  // The browser's own finding looks through what is not drawn; going there is up to its window, here to the test.
  expect(await page.evaluate("window.find('Its key is k3z.', false, false, true)")).toBe(true);
  const selected = await page.evaluate(() => {
    const selection = document.getSelection();
    selection?.anchorNode?.parentElement?.scrollIntoView({ block: 'center' });
    return selection?.toString();
  });
  expect(selected).toBe('Its key is k3z.');
  await expect(page.getByText('Its key is k3z.')).toBeInViewport();
  await expect(bench.button('Newest')).toBeVisible();
  // Now that one is there, the buttons are, too.
  const third = page.getByRole('article', { name: /^Assistant message.* turn 3$/ });
  await expect(third.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await expect(third.getByRole('group', { name: /^Metrics/ })).toBeVisible();
});

test('what one does to a message stays done while the session grows from one group of turns into the next', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat((answer) => answer.whole('**short**'));
  await bench.open(server.url);
  const shown = bench.reply(1).getByRole('button', { name: 'Text as it came' });
  await bench.ask('Number 1');
  await shown.click();
  for (let turn = 2; turn <= 18; turn += 1) await bench.ask(`Number ${turn}`);
  await expect(shown).toHaveAttribute('aria-pressed', 'true');
});

test('a long session is scrolled through to its beginning with every row in its place', async ({
  bench,
  server,
  page,
}) => {
  test.setTimeout(120_000);
  await stored(bench, server.url);
  await page.getByRole('link', { name: 'A long session' }).click();
  await expect(page.getByText(`Its key is k${turns}z.`)).toBeInViewport();
  await conversationOf(page).evaluate((box) => box.scrollTo(0, 0));
  await expect(page.getByText('Its key is k1z.')).toBeInViewport();
  await expect(bench.reply(1).getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await expect(bench.prompts).toHaveCount(turns, { timeout: 60_000 });
  // Filling up below moved nothing.
  await expect(page.getByText('Its key is k1z.')).toBeInViewport();
  const numbers = await bench.prompts.locator('p').allTextContents();
  expect(numbers).toEqual(Array.from({ length: turns }, (_, index) => `Question ${index + 1}`));
});
