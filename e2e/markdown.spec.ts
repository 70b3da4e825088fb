import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator, Page } from 'playwright/test';

import { elementSections, sectionText } from '../src/demo-gateway/models/specimen-sections.ts';
import { expect, test } from './fixtures.ts';

// One red pixel.
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

function code(reply: Locator, language: string): Locator {
  return reply.locator('.md-code').filter({ has: reply.page().getByText(language, { exact: true }) });
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

test('demo/markdown shows every element of markdown as what it is, and nothing of its syntax', async ({
  bench,
  demo,
}) => {
  await bench.open(demo.url);
  await bench.useModel('demo/markdown');
  test.slow();
  await bench.send('One of each');
  const reply = bench.lastReply;
  await expect(reply).toHaveAttribute('data-status', 'complete', { timeout: 60_000 });
  for (const { title, level } of elementSections) {
    const heading = reply.getByRole('heading', { name: title, exact: true });
    await expect(heading, title).toHaveAttribute('aria-level', String(Math.min(level + 2, 6)));
  }
  await expect(reply.locator('strong', { hasText: /^strong$/ })).toBeVisible();
  await expect(reply.locator('em', { hasText: /^emphasized$/ })).toBeVisible();
  await expect(reply.locator('em strong, strong em').filter({ hasText: 'both' })).toBeVisible();
  await expect(reply.locator('del', { hasText: 'struck out' })).toBeVisible();
  await expect(reply.locator('p code', { hasText: /^code$/ }).first()).toBeVisible();
  await expect(reply.getByText('*these stars stay*')).toBeVisible();
  await expect(reply.getByText('© & →')).toBeVisible();
  await expect(reply.locator('p', { hasText: 'A line can end hard' }).locator('br')).toHaveCount(2);

  const addresses: [string, string][] = [
    ['link', 'https://example.com/a_(b)?x=1&y=2'],
    ['reference', 'https://spec.commonmark.org/'],
    ['https://example.com/', 'https://example.com/'],
    ['https://example.com/path', 'https://example.com/path'],
    ['someone@example.com', 'mailto:someone@example.com'],
  ];
  for (const [name, href] of addresses) {
    const link = reply.getByRole('link', { name, exact: true }).first();
    await expect(link).toHaveAttribute('href', href);
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  }

  await expect(reply.locator('ul ul ul > li', { hasText: /^fast$/ })).toBeVisible();
  await expect(reply.locator('ol[start="3"] > li')).toHaveCount(3);
  await expect(reply.getByRole('checkbox', { name: 'a task that is done' })).toBeChecked();
  await expect(reply.getByRole('checkbox', { name: 'a task that is open' })).not.toBeChecked();
  await expect(reply.getByRole('checkbox').first()).toBeDisabled();

  const table = reply.getByRole('table').first();
  await expect(table.getByRole('columnheader')).toHaveText(['Model', 'Tokens', 'Speed', 'Note']);
  await expect(table.getByRole('cell', { name: '212', exact: true })).toHaveCSS('text-align', 'right');
  await expect(table.getByRole('cell', { name: '61.2', exact: true })).toHaveCSS('text-align', 'center');
  await expect(table.getByRole('cell', { name: 'a | in a cell' })).toBeVisible();

  await expect(code(reply, 'ts').locator('pre').first()).toContainText('const greet');
  await expect(code(reply, 'ts').first().locator('[class^=md-token]').first()).toBeVisible();
  await expect(code(reply, 'diff').locator('pre')).toContainText('- temperature: 1.0');
  await expect(reply.locator('pre', { hasText: 'four spaces' })).toContainText('    and eight');

  await expect(reply.locator('blockquote blockquote blockquote', { hasText: 'and one more' })).toBeVisible();
  await expect(reply.locator('blockquote li', { hasText: 'and a list' })).toBeVisible();
  await expect(reply.locator('blockquote pre')).toContainText('and code');

  await expect(reply.locator('math').first()).toBeVisible();
  await expect(reply.locator('math[display=block]').first()).toBeVisible();
  await expect(reply.getByText('A price of $5 is no formula, nor are $5 and $6.')).toBeVisible();

  await expect(reply.getByText('<kbd>Enter</kbd>', { exact: false }).first()).toBeVisible();
  await expect(reply.locator('script, details, kbd, sub')).toHaveCount(0);

  await reply.getByRole('button', { name: 'Footnote 1' }).click();
  await expect(reply.locator('.md-footnote').first()).toBeFocused();
  await expect(reply.locator('.md-footnote').first()).toContainText('The first footnote.');
  await expect(reply.locator('hr').first()).toBeVisible();
});

test('code is copied as it is, wraps on request and says its language', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const lines = `const wide = '${'a '.repeat(400)}';\n\n\tconst tab = 1;`;
  gateway.onChat((answer) => answer.whole(`Before\n\n\`\`\`ts title="x"\n${lines}\n\`\`\`\n\nAfter`));
  await bench.open(server.url);
  const reply = await bench.ask('Code');
  const block = code(reply, 'ts');
  await block.getByRole('button', { name: 'Copy code' }).click();
  await expect(block.getByRole('button', { name: /^Copy code\. Copied/ })).toBeVisible();
  expect(await clipboard(page)).toBe(lines);

  const pre = block.locator('pre');
  const overhang = () => pre.evaluate((box) => box.scrollWidth - box.clientWidth);
  expect(await overhang()).toBeGreaterThan(0);
  const wrap = block.getByRole('button', { name: 'Wrap' });
  await wrap.click();
  await expect(wrap).toHaveAttribute('aria-pressed', 'true');
  expect(await overhang()).toBe(0);
  await wrap.click();
  expect(await overhang()).toBeGreaterThan(0);
});

test('a picture elsewhere is never fetched: its chip names it and where it is, and is the link that opens it', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) asked.push(request.url());
  });
  gateway.onChat((answer) =>
    answer.whole(
      '![A tower](https://pictures.example/tower.png "x")\n\n![](javascript:alert(1)) ![b](http://[bad)',
    ),
  );
  await bench.open(server.url);
  const reply = await bench.ask('Show me');
  const chip = reply.getByRole('link', { name: 'Image from pictures.example: A tower' });
  await expect(chip).toHaveAttribute('href', 'https://pictures.example/tower.png');
  await expect(chip).toHaveAttribute('target', '_blank');
  await expect(reply.locator('.md a')).toHaveCount(1);
  await expect(reply.locator('.md img')).toHaveCount(0);
  expect(asked).toEqual([]);
});

test('a picture written into the answer is shown on request', async ({ bench, server, gateway }) => {
  gateway.onChat((answer) => answer.whole(`![Red](${pixel})`));
  await bench.open(server.url);
  const reply = await bench.ask('Show me');
  await expect(reply.locator('.md img')).toHaveCount(0);
  await reply.getByRole('button', { name: /^Show image, PNG, .*: Red$/ }).click();
  await expect(reply.getByRole('img', { name: 'Red' })).toBeVisible();
});

test('the text as it came is one click away, and back', async ({ bench, server, gateway }) => {
  const text = elementSections.map(sectionText).join('\n\n');
  gateway.onChat((answer) => answer.whole(text));
  await bench.open(server.url);
  const reply = await bench.ask('Everything');
  await reply.getByRole('button', { name: 'Text as it came' }).click();
  const raw = reply.getByLabel('Text as it came').and(reply.locator('pre'));
  expect(await raw.evaluate((element) => element.textContent)).toBe(text);
  await reply.getByRole('button', { name: 'Text as it came' }).click();
  await expect(raw).toHaveCount(0);
  await expect(reply.getByRole('heading', { name: 'Lists', exact: true })).toBeVisible();
});

test('a message that is built to be expensive comes as plain lines with a note, all of it', async ({
  bench,
  server,
  gateway,
}) => {
  const bomb = Array.from({ length: 1_000 }, (_, depth) => `${'  '.repeat(depth)}- deep ${depth}`).join('\n');
  gateway.onChat((answer) => answer.whole(`First words\n\n${bomb}`));
  await bench.open(server.url);
  const reply = await bench.ask('Nest');
  await expect(reply.locator('.md-note')).toHaveText(/^This message is shown as plain text\./);
  const shown = await reply
    .locator('.md')
    .first()
    .evaluate((body) => body.textContent);
  expect(shown).toContain('First words');
  for (const depth of [0, 63, 64, 500, 999]) expect(shown).toContain(`- deep ${depth}\n`.trimEnd());
  await expect(reply.getByRole('button', { name: 'Text as it came' })).toBeVisible();
});

test('a code block of 50,000 lines costs each line once: written nodes stay nodes, and only what is seen gets colours', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  test.slow();
  const lines = 50_000;
  await bench.open(server.url);
  gateway.onChat(async (answer) => {
    answer.text('```ts\n');
    for (let from = 0; from < lines; from += 500) {
      answer.text(
        Array.from({ length: 500 }, (_, index) => `const line${from + index} = '${from + index}';\n`).join(
          '',
        ),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    answer.text('```\n\nThe end');
    answer.finish();
    answer.done();
  });
  await page.evaluate(() => {
    const counts = { added: 0, removed: 0 };
    Object.assign(window, { counts });
    new MutationObserver((records) => {
      for (const { target, addedNodes, removedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        if (!element?.closest('.md-code')) continue;
        counts.added += addedNodes.length;
        counts.removed += removedNodes.length;
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await bench.send('Write');
  await expect(bench.lastReply).toContainText('The end', { timeout: 60_000 });
  await bench.ended();
  const block = bench.lastReply.locator('.md-code');
  expect(await block.locator('.md-line').count()).toBe(lines);
  expect(await block.locator('pre').evaluate((element) => element.textContent?.length)).toBeGreaterThan(
    lines * 20,
  );
  const { added, removed } = await page.evaluate(() => {
    const counts: unknown = Reflect.get(window, 'counts');
    const read = (name: string) => Number(counts instanceof Object ? Reflect.get(counts, name) : Number.NaN);
    return { added: read('added'), removed: read('removed') };
  });
  // A line, its text, its line feed and its group; what grows in pieces and is coloured comes on top, once.
  expect(added / lines).toBeLessThan(16);
  expect(removed / lines).toBeLessThan(8);
  // Off screen the browser leaves groups of lines alone.
  const skipped = await block
    .locator('.md-lines')
    .evaluateAll(
      (groups) => groups.filter((group) => getComputedStyle(group).contentVisibility === 'auto').length,
    );
  expect(skipped).toBeGreaterThan(lines / 64 - 10);
});

test('a growing answer is kept once, and not once more for each piece of it that is kept', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const pieces = 100;
  const paragraph = `${'A sentence of some length that nobody has to read. '.repeat(60)}\n\n`;
  await bench.open(server.url);
  gateway.onChat(async (answer) => {
    for (let piece = 0; piece < pieces; piece += 1) {
      answer.text(paragraph);
      // So that each is drawn in a frame of its own.
      await sleep(40);
    }
    answer.finish();
    answer.done();
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  };
  const before = await heap();
  await bench.send('Write');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete', { timeout: 25_000 });
  const text = pieces * paragraph.length;
  // A copy for each piece is fifty times the text; all else that the page keeps of an answer is less than half of that.
  expect(((await heap()) - before) / text).toBeLessThan(30);
});
