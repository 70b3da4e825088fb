import type { Page } from 'playwright/test';

import { anExport, importFile } from './files.ts';
import { expect, test } from './fixtures.ts';

const rich = (number: number) => `Answer ${number}.

| name | value |
| --- | ---: |
| a cell of some words | ${number} |

\`\`\`js
const line = 'a line of code that is much wider than a column is, and that has to wrap where it is printed';
\`\`\`

$$x^2 + ${number} = 0$$

${'It goes on for a while. '.repeat(60)}`;

/** Width of an A4 page between its margins, in px. */
const paperWidth = 703;

interface Sheet {
  /** Messages that are laid out whole, by their names. */
  messages: string[];
  /** Messages or blocks that reach beyond the page, or that something cuts. */
  cut: string[];
  /** Names of what can be pressed or written into. */
  controls: string[];
  ground: string;
  ink: string;
  hasTextBelow: boolean;
}

/** Reads the page as it is laid out on paper. */
function readSheet(): Sheet {
  const shown = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((each) =>
      each.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }),
    );
  const messages = shown('article').filter((each) => each.offsetHeight > 0);
  const clips = (element: Element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return /hidden|auto|scroll|clip/.test(overflowX + overflowY);
  };
  const isCut = (element: HTMLElement) => {
    const { left, right, bottom } = element.getBoundingClientRect();
    if (left < 0 || right > document.documentElement.clientWidth + 1) return true;
    if (bottom + scrollY > document.documentElement.scrollHeight + 1) return true;
    for (let above = element.parentElement; above && above !== document.body; above = above.parentElement) {
      const box = above.getBoundingClientRect();
      if (clips(above) && (box.bottom < bottom - 1 || box.right < right - 1)) return true;
    }
    return false;
  };
  const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent.slice(0, 40);
  const blocks = [...messages, ...shown('article :is(pre code, table, math, p)')];
  return {
    messages: messages.map(nameOf),
    cut: blocks.filter(isCut).map(nameOf),
    controls: shown('button, input, a[href]')
      .map(nameOf)
      .filter((name) => !/^(?:Reasoning|Model$)/.test(name)),
    ground: getComputedStyle(document.querySelector('main') ?? document.body).backgroundColor,
    ink: getComputedStyle(document.querySelector('article') ?? document.body).color,
    hasTextBelow: document.documentElement.scrollHeight > innerHeight,
  };
}

/** Lays the page out for paper, as the browser does before it prints. */
async function print(page: Page): Promise<Sheet> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: paperWidth, height: size.height });
  const sheet = await page.evaluate(readSheet);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(size);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  return sheet;
}

test('a session is printed with every turn of the shown lanes, light and without bars, from a desk and from a phone', async ({
  bench,
  gateway,
  server,
  page,
}) => {
  gateway.setChatScript((answer) => {
    answer.sendDelta({ reasoning_content: 'Let me think about it.' });
    answer.sendAnswer(rich(gateway.posts.length));
  });
  await bench.open(server.url);
  await bench.button('Add lane').click();
  for (let turn = 1; turn <= 2; turn += 1) {
    await bench.send(`Question ${turn}`);
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(2 * turn);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  const sheet = await print(page);
  expect(sheet.messages.filter((name) => name === 'User message')).toHaveLength(2);
  expect(sheet.messages.filter((name) => name.startsWith('Assistant message'))).toHaveLength(4);
  expect(sheet).toMatchObject({ cut: [], controls: [], hasTextBelow: true });
  expect(sheet.ground).toBe('rgba(0, 0, 0, 0)');
  expect(sheet.ink).toBe('oklch(0.205 0.008 84)');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: /^All/ }).click();
  const all = await print(page);
  expect(all.messages.filter((name) => name.startsWith('Assistant message'))).toHaveLength(4);
  expect(all).toMatchObject({ cut: [], controls: [] });
  await page.getByRole('tab', { name: /Lane B/ }).click();
  const laneB = await print(page);
  expect(laneB.messages.filter((name) => name.startsWith('Assistant message, lane B'))).toHaveLength(2);
  expect(laneB.messages.filter((name) => name.startsWith('Assistant'))).toHaveLength(2);
});

test('a long session that was just opened is printed whole', async ({ server, page }) => {
  const turns = 120;
  await page.goto(new URL('/history', server.url).href);
  const text = anExport(['A long session'], turns);
  await importFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
  const printed = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const watching = new MutationObserver(() => {
          if (!document.querySelector('article')) return;
          watching.disconnect();
          dispatchEvent(new Event('beforeprint'));
          resolve([...document.querySelectorAll('article')].map((each) => each.textContent).join('\n'));
        });
        watching.observe(document, { childList: true, subtree: true });
      }),
  );
  await page.getByRole('link', { name: 'A long session' }).click();
  const words = await printed;
  for (let turn = 1; turn <= turns; turn += 1) expect(words).toContain(`Its key is k${turn}z.`);
});
