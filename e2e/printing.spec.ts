import type { Page } from 'playwright/test';

import { createExport, chooseFile } from './files.ts';
import { expect, test } from './fixtures.ts';

const formatRichAnswer = (number: number) => `Answer ${number}.

| name | value |
| --- | ---: |
| a cell of some words | ${number} |

\`\`\`js
const line = 'a line of code that is much wider than a column is, and that has to wrap where it is printed';
\`\`\`

$$x^2 + ${number} = 0$$

${'It goes on for a while. '.repeat(60)}`;

/** Width of an A4 page between its margins, in px. */
const paperWidthPx = 703;

interface PrintedPage {
  /** Names of the fully laid out messages. */
  messages: string[];
  /** Names of messages and blocks that overflow the page or are clipped. */
  cutBlocks: string[];
  /** Names of visible controls. */
  controls: string[];
  background: string;
  color: string;
  hasTextBelow: boolean;
}

/** Runs in the page: returns what is visible in its print layout. */
function readPrintedPage(): PrintedPage {
  const findVisible = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) =>
      element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }),
    );
  const messages = findVisible('article').filter((article) => article.offsetHeight > 0);
  const hasClipping = (element: Element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return /hidden|auto|scroll|clip/.test(overflowX + overflowY);
  };
  const isCut = (element: HTMLElement) => {
    const { left, right, bottom } = element.getBoundingClientRect();
    if (left < 0 || right > document.documentElement.clientWidth + 1) return true;
    if (bottom + scrollY > document.documentElement.scrollHeight + 1) return true;
    for (
      let ancestor = element.parentElement;
      ancestor && ancestor !== document.body;
      ancestor = ancestor.parentElement
    ) {
      const box = ancestor.getBoundingClientRect();
      if (hasClipping(ancestor) && (box.bottom < bottom - 1 || box.right < right - 1)) return true;
    }
    return false;
  };
  const getName = (element: Element) =>
    element.getAttribute('aria-label') ?? element.textContent.slice(0, 40);
  const blocks = [...messages, ...findVisible('article :is(pre code, table, math, p)')];
  return {
    messages: messages.map(getName),
    cutBlocks: blocks.filter(isCut).map(getName),
    // A combobox has a hidden input for forms, which is clipped to nothing.
    controls: findVisible('button, input:not([aria-hidden=true]), a[href]')
      .map(getName)
      .filter((name) => !/^(?:Reasoning|Model$)/.test(name)),
    background: getComputedStyle(document.querySelector('main') ?? document.body).backgroundColor,
    color: getComputedStyle(document.querySelector('article') ?? document.body).color,
    hasTextBelow: document.documentElement.scrollHeight > innerHeight,
  };
}

/** Lays the page out for print, as browsers do before printing, and returns what is visible. */
async function layOutForPrint(page: Page): Promise<PrintedPage> {
  const viewportSize = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: paperWidthPx, height: viewportSize.height });
  const printedPage = await page.evaluate(readPrintedPage);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(viewportSize);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  return printedPage;
}

test('prints every turn of the visible lanes in light colours without bars, from desktops and phones', async ({
  bench,
  gateway,
  server,
  page,
}) => {
  gateway.setChatScript((answer) => {
    answer.sendDelta({ reasoning_content: 'Let me think about it.' });
    answer.sendAnswer(formatRichAnswer(gateway.posts.length));
  });
  await bench.open(server.url);
  await bench.getButton('Add lane').click();
  for (let turn = 1; turn <= 2; turn += 1) {
    await bench.send(`Question ${turn}`);
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(2 * turn);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  const printedPage = await layOutForPrint(page);
  expect(printedPage.messages.filter((name) => name === 'User message')).toHaveLength(2);
  expect(printedPage.messages.filter((name) => name.startsWith('Assistant message'))).toHaveLength(4);
  expect(printedPage).toMatchObject({ cutBlocks: [], controls: [], hasTextBelow: true });
  expect(printedPage.background).toBe('rgba(0, 0, 0, 0)');
  expect(printedPage.color).toBe('oklch(0.205 0.008 84)');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: /^All/ }).click();
  const allLanesPage = await layOutForPrint(page);
  expect(allLanesPage.messages.filter((name) => name.startsWith('Assistant message'))).toHaveLength(4);
  expect(allLanesPage).toMatchObject({ cutBlocks: [], controls: [] });
  await page.getByRole('tab', { name: /Lane B/ }).click();
  const laneBPage = await layOutForPrint(page);
  expect(laneBPage.messages.filter((name) => name.startsWith('Assistant message, lane B'))).toHaveLength(2);
  expect(laneBPage.messages.filter((name) => name.startsWith('Assistant'))).toHaveLength(2);
});

test('prints a long session completely right after it is opened', async ({ server, page }) => {
  const turns = 120;
  await page.goto(new URL('/history', server.url).href);
  const text = createExport(['A long session'], turns);
  await chooseFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
  const printoutPromise = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector('article')) return;
          observer.disconnect();
          dispatchEvent(new Event('beforeprint'));
          resolve([...document.querySelectorAll('article')].map((article) => article.textContent).join('\n'));
        });
        observer.observe(document, { childList: true, subtree: true });
      }),
  );
  await page.getByRole('link', { name: 'A long session' }).click();
  const printout = await printoutPromise;
  for (let turn = 1; turn <= turns; turn += 1) expect(printout).toContain(`Its key is k${turn}z.`);
});
