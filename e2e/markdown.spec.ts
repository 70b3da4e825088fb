import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import { expect, test } from './fixtures.ts';

// One red pixel as a data URL.
const redPixelUrl =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

function getCodeBlock(reply: Locator, language: string): Locator {
  return reply.locator('.md-code').filter({ has: reply.page().getByText(language, { exact: true }) });
}

function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

test('highlights the next code block if the highlighter failed to load at first', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const tsAnswer = '```ts\nconst here = 1;\n```\n';
  gateway.setChatScript((answer) => answer.sendAnswer(tsAnswer));
  let requestCount = 0;
  await page.route(/assets\/highlighter-/, async (route) => {
    requestCount += 1;
    await (requestCount === 1 ? route.abort() : route.continue());
  });
  await bench.open(server.url);
  await bench.sendAndWait('While the network is gone');
  await expect.poll(() => requestCount).toBe(1);
  const reply = await bench.sendAndWait('When it is back');
  await expect(getCodeBlock(reply, 'ts').locator('[class^=md-token]').first()).toBeVisible();
});

test(
  'copies code unchanged, wraps it on request, and shows its language and hidden characters',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const codeText = `const wide = '${'a '.repeat(400)}';\n\n\tconst tab = 1;`;
    gateway.setChatScript((answer) =>
      answer.sendAnswer(`Before\n\n\`\`\`ts title="x"\n${codeText}\n\`\`\`\n\nAfter`),
    );
    await bench.open(server.url);
    const reply = await bench.sendAndWait('Code');
    const block = getCodeBlock(reply, 'ts');
    await block.getByRole('button', { name: 'Copy code' }).click();
    await expect(block.getByRole('button', { name: /^Copy code\. Copied/ })).toBeVisible();
    expect(await readClipboard(page)).toBe(codeText);

    const pre = block.locator('pre');
    const measureOverflow = () => pre.evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(await measureOverflow()).toBeGreaterThan(0);
    const wrapButton = block.getByRole('button', { name: 'Wrap' });
    await wrapButton.click();
    await expect(wrapButton).toHaveAttribute('aria-pressed', 'true');
    expect(await measureOverflow()).toBe(0);
    await wrapButton.click();
    expect(await measureOverflow()).toBeGreaterThan(0);

    const codeWithHidden = 'if (isAdmin) {\u202E } \u2066// check\u2069 \u200Bbegin';
    gateway.setChatScript((answer) => answer.sendAnswer(`\`\`\`js\n${codeWithHidden}\n\`\`\``));
    await bench.sendAndWait('More code');
    await expect(bench.lastReply.locator('.md-hidden')).toHaveCount(4);
    await getCodeBlock(bench.lastReply, 'js').getByRole('button', { name: 'Copy code' }).click();
    await expect(bench.lastReply).toContainText('Copied, with 4 hidden characters');
    expect(await readClipboard(page)).toBe(codeWithHidden);
  },
);

test(
  'loads no external image and shows an embedded one on request',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const externalUrls: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) externalUrls.push(request.url());
    });
    await bench.open(server.url);

    await test.step('shows an external image as a link with its host and description instead of fetching it', async () => {
      gateway.setChatScript((answer) =>
        answer.sendAnswer(
          '![A tower](https://pictures.example/tower.png "x")\n\n![](javascript:alert(1)) ![b](http://[bad)',
        ),
      );
      const reply = await bench.sendAndWait('Show me');
      const chip = reply.getByRole('link', { name: 'Image from pictures.example: A tower' });
      await expect(chip).toHaveAttribute('href', 'https://pictures.example/tower.png');
      await expect(chip).toHaveAttribute('target', '_blank');
      await expect(reply.locator('.markdown a')).toHaveCount(1);
      await expect(reply.locator('.markdown img')).toHaveCount(0);
      expect(externalUrls).toEqual([]);
    });

    await test.step('shows an embedded image on request', async () => {
      gateway.setChatScript((answer) => answer.sendAnswer(`![Red](${redPixelUrl})`));
      const reply = await bench.sendAndWait('Show me another');
      await expect(reply.getByRole('button', { name: /^Show image, PNG, .*: Red$/ })).toBeVisible();
      await expect(reply.locator('.markdown img')).toHaveCount(0);
      await reply.getByRole('button', { name: /^Show image, PNG, .*: Red$/ }).click();
      await expect(reply.getByRole('img', { name: 'Red' })).toBeVisible();
    });
  },
);

test(
  'lays out right-to-left text line by line, in prompts and answers',
  { tag: '@soak' },
  async ({ bench, server, gateway }) => {
    const arabic = 'مرحبا بالعالم.';
    gateway.setChatScript((answer) =>
      answer.sendAnswer(
        `${arabic}\n\nPlain English.\n\n- ${arabic}\n\n> ${arabic}\n\n| ${arabic} | b |\n| - | - |\n| 1 | 2 |`,
      ),
    );
    await bench.open(server.url);
    await bench.sendAndWait(`${arabic}\nmixed with English words.`);
    const prompt = bench.prompts.first().locator('p');
    expect(await findLineSides(prompt)).toEqual(['right', 'left']);
    const answerBody = bench.lastReply.locator('.markdown');
    expect(await findLineSides(answerBody.locator('.md-group > p').first())).toEqual(['right']);
    expect(await findLineSides(answerBody.getByText('Plain English.'))).toEqual(['left']);
    expect(await findLineSides(answerBody.locator('li'))).toEqual(['right']);
    await expect(answerBody.locator('ul'), 'list markers').toHaveCSS('direction', 'rtl');
    await expect(answerBody.locator('blockquote'), 'quote rule').toHaveCSS('border-right-width', '2px');
    await expect(answerBody.getByRole('table'), 'table columns').toHaveCSS('direction', 'rtl');
  },
);

/** Returns for each line of text the closer edge of the block (left or right). */
function findLineSides(block: Locator): Promise<string[]> {
  return block.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const lines = new Map<number, { left: number; right: number }>();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNode(texts.currentNode);
      for (const rect of range.getClientRects()) {
        const line = lines.get(rect.top) ?? rect;
        const edges = { left: Math.min(line.left, rect.left), right: Math.max(line.right, rect.right) };
        lines.set(rect.top, edges);
      }
    }
    return [...lines.values()].map((line) => (line.left - left < right - line.right ? 'left' : 'right'));
  });
}

test('keeps selected text, code, JSON and reasoning selected while an answer streams and ends', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  /** Selects a passage in the last answer, forwards or backwards. */
  const selectInReply = async (passage: string, isBackward = false) => {
    await expect(bench.lastReply).toContainText(passage);
    await bench.lastReply.evaluate(
      (reply, [text, backward]) => {
        const walker = document.createTreeWalker(reply, NodeFilter.SHOW_TEXT);
        const nodes: Node[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node);
        const fullText = nodes.map((node) => node.textContent).join('');
        const findTextPosition = (offset: number): [Node, number] => {
          let remaining = offset;
          const node = nodes.find((candidate) => {
            const { length } = candidate.textContent ?? '';
            if (remaining <= length && length > 0) return true;
            remaining -= length;
            return false;
          });
          return [node ?? reply, remaining];
        };
        const startOffset = fullText.indexOf(text);
        const ends = [findTextPosition(startOffset), findTextPosition(startOffset + text.length)] as const;
        const [anchor, focus] = backward ? [ends[1], ends[0]] : ends;
        document.getSelection()?.setBaseAndExtent(...anchor, ...focus);
      },
      [passage, isBackward] as const,
    );
  };
  const readSelection = () => page.evaluate(() => document.getSelection()?.toString());
  /**
   * Streams the first delta, selects a passage, streams the rest and checks that the selection is unchanged after
   * `expectEnd`.
   */
  const expectSelectionKept = async (
    passage: string,
    deltas: readonly Record<string, string>[],
    expectEnd: () => Promise<unknown>,
    isBackward = false,
  ) => {
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      const [firstDelta = {}, ...laterDeltas] = deltas;
      answer.sendDelta(firstDelta);
      await gate.opened;
      for (const delta of laterDeltas) answer.sendDelta(delta);
      answer.sendFinishReason();
      answer.sendDone();
    });
    await bench.send('Question');
    await selectInReply(passage, isBackward);
    expect(await readSelection()).toBe(passage);
    gate.open();
    await bench.waitUntilEnded();
    await expectEnd();
    expect(await readSelection()).toBe(passage);
  };
  const createContentDeltas = (...texts: string[]) => texts.map((content) => ({ content }));
  await bench.open(server.url);

  await test.step('keeps a selection in code when the code is highlighted', async () => {
    const tokens = bench.lastReply.locator('[class^=md-token]');
    const code = createContentDeltas(
      '```js\nconst one = 1;',
      '\nconst two = 2;\nconst three = 3;\n```\n\nDone.',
    );
    await expectSelectionKept('t one = 1', code, () => expect(tokens.first()).toBeVisible(), true);
  });
  await test.step('keeps a selection in text that becomes a link at the end of the answer', async () => {
    const text = createContentDeltas(
      'See [the manual] and **bold',
      '** words.\n\n[the manual]: https://example.com/',
    );
    await expectSelectionKept('the manual', text, () => expect(bench.lastReply.locator('a')).toBeVisible());
  });
  await test.step('keeps a selection in growing JSON text', async () => {
    const json = createContentDeltas('{"a": "first words', ' and more", "b": [1, 2', ', 3]}');
    await expectSelectionKept('rst wor', json, () => expect(bench.lastReply).toContainText('Valid JSON'));
  });
  await test.step('keeps a selection in reasoning, which stays expanded', async () => {
    const reasoning = [{ reasoning_content: 'Let me think' }, { reasoning_content: ' about it.' }];
    await expectSelectionKept('me thi', [...reasoning, ...createContentDeltas('The answer')], () =>
      expect(bench.lastReply).toContainText('The answer'),
    );
    await expect(bench.lastReply.getByRole('button', { name: /^Reasoning/ })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
  });
});
