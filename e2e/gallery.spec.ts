/** design.md §10 and §15: every state with its words, in both themes, at every width. */
import type { Page } from 'playwright/test';

import { faultsOf } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** What each tile says, by its title. */
const words: readonly (readonly [title: string, ...says: RegExp[]])[] = [
  ['Empty', /Ask one model, or several at once/],
  [
    'No key',
    /You are on the demo gateway\. Small built-in programs answer, so that everything can be tried\. They are not language models\./,
    /put this in \.env\.local/,
    /GATEWAY_BASE_URL=/,
    /GATEWAY_API_KEY=/,
    /The key stays on the server/,
  ],
  ['Key rejected', /The gateway does not accept this key/, /GATEWAY_API_KEY/],
  ['Waiting', /Waiting \d\.\d s/, /first token/],
  ['Waiting long', /Still waiting: reasoning models can take a minute/],
  ['Streaming', /Streaming/, /not yet/],
  ['Stopped', /You stopped it after 61 tokens/, /Ask to continue/],
  ['Hit the limit', /Cut off at max_tokens 600/, /Raise to 1,200 and ask again/],
  ['Filtered', /The provider filtered this reply/, /It says nothing about why/],
  ['Tool calls', /Needs 1 tool result/, /Needs a result/, /lookup_order/],
  ['Other finish', /eos_token, reported by the provider/],
  ['No finish reason', /Ended without a finish reason/],
  [
    'Provider error',
    /The provider is overloaded/,
    /It refused the request before sending any text, so nothing was lost/,
    /Retry/,
    /Pick another model/,
    /503/,
    /upstream_unavailable/,
    /No capacity/,
  ],
  [
    'Connection lost',
    /The connection dropped at 3\.2\d? s/,
    /131 tokens arrived and are kept/,
    /Retry|Ask again/,
  ],
  ['Interrupted', /Interrupted: the page was closed or reloaded/],
  [
    'Wrong key',
    /The gateway does not accept this key/,
    /It may be mistyped, expired or removed/,
    /GATEWAY_API_KEY/,
  ],
  ['Rate limited', /Starts in \d+ s/, /All 50 requests for this minute are used/, /Cancel/],
  ['Queued', /Waits for a free connection/],
  ['Refused by the limit', /Too many requests for now/, /Nothing is sent again unless you ask/],
  ['Odd error', /error in a form we do not know/],
  ['Numbers we do not have', /none/, /~212/],
  ['Offline', /You are offline\. Reading and editing work\./],
  ['Parameter rows', /Use 128 to 32,768\. Not sent until it is in range\./, /not sent/],
];

async function openGallery(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/gallery', url).href);
  await expect(page.getByRole('region', { name: 'Parameter rows', exact: true })).toBeVisible();
}

test('every state says what the design says', async ({ server, page, complaints: _ }) => {
  await openGallery(page, server.url);
  const missing = async () => {
    const tiles = new Map(
      await page
        .locator('.tile')
        .evaluateAll((all) => all.map((tile): [string, string] => [tile.ariaLabel ?? '', tile.textContent])),
    );
    return words.flatMap(([title, ...says]) =>
      says
        .filter((sentence) => !sentence.test(tiles.get(title) ?? ''))
        .map((sentence) => `${title}: ${sentence.source}`),
    );
  };
  await expect.poll(missing).toEqual([]);
});

test('no state has a fault that axe knows, in light and in dark', async ({ server, page, complaints: _ }) => {
  // axe looks at every element of two dozen lanes, twice.
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await openGallery(page, server.url);
  // The same lane stands here many times: its name is unique in the app, not on this page.
  const options = { except: ['landmark-unique'] };
  expect(await faultsOf(page, options), 'light').toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
  expect(await faultsOf(page, options), 'dark').toEqual([]);
});

/** Runs in the page: tiles that are wider inside than outside, with what sticks out. Code and tables scroll in their own boxes. */
function tilesThatOverflow(): string[] {
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const found = over > 0 ? [`the page, by ${over} px`] : [];
  for (const tile of document.querySelectorAll<HTMLElement>('.tile')) {
    const right = tile.getBoundingClientRect().right;
    for (const element of tile.querySelectorAll<HTMLElement>('*')) {
      const box = element.getBoundingClientRect();
      const isHidden =
        box.width <= 1 || !element.checkVisibility() || element.closest('.vh, .pop, pre, table');
      if (isHidden || box.right <= right + 0.5) continue;
      found.push(`${tile.getAttribute('aria-label')}: ${element.tagName} ${element.className}`);
    }
  }
  return found;
}

test('no state is wider than its place, from 1440 to 320 px', async ({ server, page, complaints: _ }) => {
  test.slow();
  await openGallery(page, server.url);
  for (const width of [1440, 1280, 1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(tilesThatOverflow), `${width} px wide`).toEqual([]);
  }
});

test.describe('at 200 % zoom', () => {
  // What a window of 1280 by 800 is then.
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  test('no state is wider than its place', async ({ server, page, complaints: _ }) => {
    await openGallery(page, server.url);
    await expect.poll(() => page.evaluate(tilesThatOverflow)).toEqual([]);
  });
});
