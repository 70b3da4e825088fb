import type { Locator, Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const longText = `First words of a long text.\n${'A line of it, of some length.\n'.repeat(1_200)}The last line.`;

async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await page.evaluate((clipboardText) => navigator.clipboard.writeText(clipboardText), text);
  await field.press('ControlOrMeta+V');
}

test('restores typed and pasted text with undo and redo, also after a paste moved into the field', async ({
  bench,
  page,
  server,
}) => {
  const chip = page.getByRole('group', { name: /^Pasted text, / });
  const expectDraft = async (text: string, chipCount: number) => {
    await expect(bench.message).toHaveValue(text);
    await expect(chip).toHaveCount(chipCount);
  };
  const undo = () => page.keyboard.press('ControlOrMeta+z');
  const redo = () => page.keyboard.press('ControlOrMeta+Shift+z');
  await bench.open(server.url);
  await expect(page.getByRole('textbox', { name: 'Author name' })).toBeVisible();
  await bench.message.focus();
  await page.keyboard.type('Sum this up');
  await paste(page, bench.message, ' please');
  await paste(page, bench.message, longText);
  await expectDraft('Sum this up please', 1);
  await undo();
  await expectDraft('Sum this up please', 0);
  await redo();
  await chip.getByRole('button', { name: 'Edit' }).click();
  await expectDraft(`Sum this up please\n\n${longText}`, 0);
  await undo();
  await expectDraft('Sum this up please', 1);
  await undo();
  await undo();
  await expectDraft('Sum this up', 0);
  await undo();
  await expectDraft('', 0);
  for (let step = 0; step < 4; step += 1) await redo();
  await expectDraft(`Sum this up please\n\n${longText}`, 0);
  await undo();
  await undo();
  await page.keyboard.type('!');
  await expectDraft('Sum this up please!', 0);
});

test('removes an inserted variable from a trial prompt on undo and keeps the typed text', async ({
  bench,
  demo,
  page,
}) => {
  await page.goto(new URL('/trials', demo.url).href);
  await bench.getButton('New trial').click();
  await bench.getButton('Add case').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name of a new value' }).fill('ticket');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox', { name: 'ticket' }).fill('Late parcel');
  await dialog.getByRole('button', { name: 'Add case', exact: true }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill('');
  await page.keyboard.type('Which team?');
  await bench.getButton('{{ticket}}').click();
  await expect(prompt).toHaveValue('Which team? {{ticket}}');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(prompt).toHaveValue('Which team?');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(prompt).toHaveValue('Which team? {{ticket}}');
});

test("copies an answer as Markdown and HTML, with real tables and without the model's markup", async ({
  bench,
  gateway,
  page,
  server,
}) => {
  const answerText = [
    '## Prices <b>now</b>',
    '| item | price |\n| --- | ---: |\n| tea <img src=x onerror=alert(1)> | 3 |\n| milk | $2$ |',
    '1. one\n2. two [good](https://example.com/a?b=1&c=2) [bad](javascript:alert(1))',
    '```html\n<script>alert(1)</script>\n```',
  ].join('\n\n');
  const readClipboard = () =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      // The answer may be copied while the clipboard is read, which invalidates the item.
      const readType = async (type: string) =>
        item?.types.includes(type)
          ? item.getType(type).then(
              (blob) => blob.text(),
              () => 'changed',
            )
          : undefined;
      return { text: await readType('text/plain'), html: await readType('text/html') };
    });
  gateway.setChatScript((reply) =>
    reply.sendAnswer(gateway.posts.length === 1 ? answerText : '{"a": "*b*"}'),
  );
  await bench.open(server.url);
  await bench.sendAndWait('Prices?');
  await bench.lastReply.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(readClipboard).toMatchObject({ text: answerText, html: expect.stringContaining('<h2>') });
  const html = (await readClipboard()).html ?? '';
  expect(html).toContain('<h2>Prices &lt;b&gt;now&lt;/b&gt;</h2>');
  expect(html).toContain(
    '<table><thead><tr><th>item</th><th align="right">price</th></tr></thead>' +
      '<tbody><tr><td>tea &lt;img src=x onerror=alert(1)&gt;</td><td align="right">3</td></tr>',
  );
  expect(html).toContain(
    '<ol><li>one</li><li>two <a href="https://example.com/a?b=1&amp;c=2">good</a> bad</li></ol>',
  );
  expect(html).toContain('<pre><code>&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>');

  await bench.sendAndWait('As JSON');
  await bench.lastReply.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(readClipboard).toEqual({ text: '{"a": "*b*"}', html: undefined });
});

test('rejects an oversized paste into a one-line field with a notice', async ({ bench, page, server }) => {
  await bench.open(server.url);
  const title = page.getByRole('textbox', { name: 'Session title' });
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await title.fill('Kept');
  await paste(page, title, 'a'.repeat(100_001));
  await expect(
    page.getByText('Not pasted: the text has 100,001 characters; the limit is 100,000.'),
  ).toBeVisible();
  await expect(title).toHaveValue('Kept');
  await paste(page, title, ' and more');
  await expect(title).toHaveValue('Kept and more');
});
