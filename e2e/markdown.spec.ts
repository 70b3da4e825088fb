import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
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

test('the next code gets colours where the highlighter could not be loaded at first', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const inTs = '```ts\nconst here = 1;\n```\n';
  gateway.setChatScript((answer) => answer.sendAnswer(inTs));
  let refused = 0;
  await page.route(/assets\/highlighter-/, async (route) => {
    refused += 1;
    await (refused === 1 ? route.abort() : route.continue());
  });
  await bench.open(server.url);
  await bench.ask('While the network is gone');
  await expect.poll(() => refused).toBe(1);
  const reply = await bench.ask('When it is back');
  await expect(code(reply, 'ts').locator('[class^=md-token]').first()).toBeVisible();
});

test(
  'code is copied as it is, wraps on request, says its language, and names hidden characters in it',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const lines = `const wide = '${'a '.repeat(400)}';\n\n\tconst tab = 1;`;
    gateway.setChatScript((answer) =>
      answer.sendAnswer(`Before\n\n\`\`\`ts title="x"\n${lines}\n\`\`\`\n\nAfter`),
    );
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

    const hidden = 'if (isAdmin) {\u202E } \u2066// check\u2069 \u200Bbegin';
    gateway.setChatScript((answer) => answer.sendAnswer(`\`\`\`js\n${hidden}\n\`\`\``));
    await bench.ask('More code');
    await expect(bench.lastReply.locator('.md-hidden')).toHaveCount(4);
    await code(bench.lastReply, 'js').getByRole('button', { name: 'Copy code' }).click();
    await expect(bench.lastReply).toContainText('Copied, with 4 hidden characters');
    expect(await clipboard(page)).toBe(hidden);
  },
);

test(
  'loads no picture from elsewhere and shows one in the answer on request',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) asked.push(request.url());
    });
    await bench.open(server.url);

    await test.step('a picture elsewhere is never fetched: its chip names it and where it is, and is the link that opens it', async () => {
      gateway.setChatScript((answer) =>
        answer.sendAnswer(
          '![A tower](https://pictures.example/tower.png "x")\n\n![](javascript:alert(1)) ![b](http://[bad)',
        ),
      );
      const reply = await bench.ask('Show me');
      const chip = reply.getByRole('link', { name: 'Image from pictures.example: A tower' });
      await expect(chip).toHaveAttribute('href', 'https://pictures.example/tower.png');
      await expect(chip).toHaveAttribute('target', '_blank');
      await expect(reply.locator('.markdown a')).toHaveCount(1);
      await expect(reply.locator('.markdown img')).toHaveCount(0);
      expect(asked).toEqual([]);
    });

    await test.step('a picture written into the answer is shown on request', async () => {
      gateway.setChatScript((answer) => answer.sendAnswer(`![Red](${pixel})`));
      const reply = await bench.ask('Show me another');
      await expect(reply.getByRole('button', { name: /^Show image, PNG, .*: Red$/ })).toBeVisible();
      await expect(reply.locator('.markdown img')).toHaveCount(0);
      await reply.getByRole('button', { name: /^Show image, PNG, .*: Red$/ }).click();
      await expect(reply.getByRole('img', { name: 'Red' })).toBeVisible();
    });
  },
);

test(
  'what begins right-to-left is laid out from the right, line by line, in a prompt and in an answer',
  { tag: '@soak' },
  async ({ bench, server, gateway }) => {
    const arabic = 'مرحبا بالعالم.';
    gateway.setChatScript((answer) =>
      answer.sendAnswer(
        `${arabic}\n\nPlain English.\n\n- ${arabic}\n\n> ${arabic}\n\n| ${arabic} | b |\n| - | - |\n| 1 | 2 |`,
      ),
    );
    await bench.open(server.url);
    await bench.ask(`${arabic}\nmixed with English words.`);
    const prompt = bench.prompts.first().locator('p');
    expect(await sidesOf(prompt)).toEqual(['right', 'left']);
    const words = bench.lastReply.locator('.markdown');
    expect(await sidesOf(words.locator('.md-group > p').first())).toEqual(['right']);
    expect(await sidesOf(words.getByText('Plain English.'))).toEqual(['left']);
    expect(await sidesOf(words.locator('li'))).toEqual(['right']);
    await expect(words.locator('ul'), 'its markers').toHaveCSS('direction', 'rtl');
    await expect(words.locator('blockquote'), 'its rule').toHaveCSS('border-right-width', '2px');
    await expect(words.getByRole('table'), 'its columns').toHaveCSS('direction', 'rtl');
  },
);

/** At which edge of the block each of its lines of text stands. */
function sidesOf(block: Locator): Promise<string[]> {
  return block.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const lines = new Map<number, { left: number; right: number }>();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNode(texts.currentNode);
      for (const rect of range.getClientRects()) {
        const line = lines.get(rect.top) ?? rect;
        const ends = { left: Math.min(line.left, rect.left), right: Math.max(line.right, rect.right) };
        lines.set(rect.top, ends);
      }
    }
    return [...lines.values()].map((line) => (line.left - left < right - line.right ? 'left' : 'right'));
  });
}

test('selected text stays selected while more arrives and when the answer ends: in words, code, JSON and reasoning', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  /** Selects these words in the last answer, backwards as well as forwards, and returns what is selected later. */
  const select = async (words: string, isBackward = false) => {
    await expect(bench.lastReply).toContainText(words);
    await bench.lastReply.evaluate(
      (reply, [text, backward]) => {
        const walker = document.createTreeWalker(reply, NodeFilter.SHOW_TEXT);
        const nodes: Node[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node);
        const whole = nodes.map((node) => node.textContent).join('');
        const placeOf = (offset: number): [Node, number] => {
          let left = offset;
          const node = nodes.find((each) => {
            const { length } = each.textContent ?? '';
            if (left <= length && length > 0) return true;
            left -= length;
            return false;
          });
          return [node ?? reply, left];
        };
        const from = whole.indexOf(text);
        const ends = [placeOf(from), placeOf(from + text.length)] as const;
        const [anchor, focus] = backward ? [ends[1], ends[0]] : ends;
        document.getSelection()?.setBaseAndExtent(...anchor, ...focus);
      },
      [words, isBackward] as const,
    );
  };
  const selected = () => page.evaluate(() => document.getSelection()?.toString());
  /** Sends the first part, selects in it, sends the rest and waits for what the end of it brings. */
  const keeps = async (
    words: string,
    parts: readonly Record<string, string>[],
    end: () => Promise<unknown>,
    isBackward = false,
  ) => {
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      const [first = {}, ...rest] = parts;
      answer.sendDelta(first);
      await gate.opened;
      for (const part of rest) answer.sendDelta(part);
      answer.sendFinishReason();
      answer.sendDone();
    });
    await bench.send('Question');
    await select(words, isBackward);
    expect(await selected()).toBe(words);
    gate.open();
    await bench.ended();
    await end();
    expect(await selected()).toBe(words);
  };
  const contents = (...texts: string[]) => texts.map((content) => ({ content }));
  await bench.open(server.url);

  await test.step('code that gets its colours', async () => {
    const tokens = bench.lastReply.locator('[class^=md-token]');
    const code = contents('```js\nconst one = 1;', '\nconst two = 2;\nconst three = 3;\n```\n\nDone.');
    await keeps('t one = 1', code, () => expect(tokens.first()).toBeVisible(), true);
  });
  await test.step('words that the end of the text gives an address', async () => {
    const text = contents('See [the manual] and **bold', '** words.\n\n[the manual]: https://example.com/');
    await keeps('the manual', text, () => expect(bench.lastReply.locator('a')).toBeVisible());
  });
  await test.step('a text of JSON that grows', async () => {
    const json = contents('{"a": "first words', ' and more", "b": [1, 2', ', 3]}');
    await keeps('rst wor', json, () => expect(bench.lastReply).toContainText('Valid JSON'));
  });
  await test.step('reasoning, which stays open', async () => {
    const reasoning = [{ reasoning_content: 'Let me think' }, { reasoning_content: ' about it.' }];
    await keeps('me thi', [...reasoning, ...contents('The answer')], () =>
      expect(bench.lastReply).toContainText('The answer'),
    );
    await expect(bench.lastReply.getByRole('button', { name: /^Reasoning/ })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
  });
});
