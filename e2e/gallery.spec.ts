/** Every state of a lane with its text, in both themes, at every width. */
import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

/** What each tile says, by its title. */
const words: readonly (readonly [title: string, ...says: RegExp[]])[] = [
  ['Empty', /Ask one model, or several at once/],
  [
    'No key',
    /You are on the demo gateway\. Small built-in programs answer, so you can try everything\. They are not language models\./,
    /add this to \.env\.local and restart/,
    /GATEWAY_BASE_URL=/,
    /GATEWAY_API_KEY=/,
    /The key stays on the server/,
  ],
  ['Key rejected', /The gateway does not accept this key/, /GATEWAY_API_KEY/],
  [
    'Model picker',
    /Checking for new models/,
    /tallow\/kiln-vl-12b/,
    /tallow\/kiln-vl-32b/,
    /saltmarsh\/kilter-9b/,
  ],
  ['Model gone', /No longer in the list\. It may have been retired\./],
  ['Waiting', /Waiting \d+\.\d s/, /first token/],
  ['Waiting long', /Still waiting\. Reasoning models can take a minute\./],
  ['Streaming', /Streaming/, /not yet/],
  ['Stopped', /You stopped it after 61 tokens/, /Ask to continue/],
  ['Hit the limit', /Cut off at max_tokens 600/, /Raise to 1,200 and ask again/],
  ['Filtered', /The provider blocked this answer/, /Its reason: content_filter/],
  ['Tool calls', /1 tool result needed/, /Needs a result/, /lookup_order/],
  ['Other finish', /eos_token, reported by the provider/],
  ['No finish reason', /Ended without a finish reason/],
  [
    'Provider error',
    /The provider is overloaded/,
    /It rejected the request before sending any text, so nothing was lost/,
    /Retry/,
    /Pick another model/,
    /503/,
    /upstream_unavailable/,
    /No capacity/,
  ],
  ['Connection lost', /The connection dropped at 3\.2\d? s/, /131 tokens received and kept/, /Ask again/],
  ['Interrupted', /Interrupted: the page was closed or reloaded/],
  [
    'Wrong key',
    /The gateway does not accept this key/,
    /It may be mistyped, expired or removed/,
    /GATEWAY_API_KEY/,
    /Check again/,
    /How to set the key/,
  ],
  ['Rate limited', /Starts in \d+ s/, /All 50 requests for this minute are used/, /Cancel/],
  ['Queued', /Queued by Bench/],
  ['Refused by the limit', /Rate limit reached/, /Nothing is sent again unless you ask/],
  ['Odd error', /The gateway sent an error in an unknown format/, /"where":"upstream"/],
  ['Missing numbers', /none/, /~212/],
  ['Long numbers', /1,234,567 \/ 9,100,001/, /content_filter/],
  ['Offline', /You are offline\. You can still read and edit\./],
  ['Parameter rows', /Must be 128 to 32,768\. Not sent\./, /not sent/],
  ['Branches', /2 of 3/, /Under 60 words/],
  ['Focus', /Retry lane C/],
];

async function openGallery(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/gallery', url).href);
  await expect(page.getByRole('region', { name: 'Focus', exact: true })).toBeVisible();
}

/** Runs in the page: tiles that are wider inside than outside, with what sticks out. Code and tables scroll in their own boxes. */
function tilesThatOverflow(): string[] {
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const found = over > 0 ? [`the page, by ${over} px`] : [];
  for (const tile of document.querySelectorAll<HTMLElement>('.gallery-tile')) {
    const right = tile.getBoundingClientRect().right;
    for (const element of tile.querySelectorAll<HTMLElement>('*')) {
      const box = element.getBoundingClientRect();
      const isHidden =
        box.width <= 1 || !element.checkVisibility() || element.closest('.sr-only, .floating, pre, table');
      if (isHidden || box.right <= right + 0.5) continue;
      found.push(`${tile.getAttribute('aria-label')}: ${element.tagName} ${element.className}`);
    }
  }
  return found;
}

/** Runs in the page: figures under answers that touch the next one, are cut off, or leave their lane. */
function figuresThatCollide(): string[] {
  const found: string[] = [];
  for (const list of document.querySelectorAll<HTMLElement>('.lane-foot dl')) {
    // In a line some are for assistive technology alone: they are in a box of 1 px.
    const figures = [...list.querySelectorAll<HTMLElement>('dd')].filter(
      (figure) => (figure.parentElement?.clientWidth ?? 0) > 1,
    );
    const boxes = figures.map((figure) => {
      const words = document.createRange();
      words.selectNodeContents(figure);
      const unseen = figure.querySelector('.sr-only');
      if (unseen) words.setStartAfter(unseen);
      const { left, top, bottom, right } = words.getBoundingClientRect();
      // A long word at the end may be shortened, with the whole in its title.
      const isShortened = figure.title === figure.textContent && figure.scrollWidth > figure.clientWidth;
      return { left, top, bottom, right: isShortened ? figure.getBoundingClientRect().right : right };
    });
    const edge = list.getBoundingClientRect().right;
    boxes.forEach((box, index) => {
      const next = boxes[index + 1];
      const isOver = next !== undefined && next.top < box.bottom && next.left < box.right + 5;
      if (isOver || box.right > edge + 0.5)
        found.push(`${figures[index]?.textContent} in ${list.clientWidth} px`);
    });
  }
  return found;
}

test(
  'every state says what the design says, shows where the focus is, and is nowhere wider than its place',
  { tag: '@soak' },
  async ({ dev, page, complaints: _ }) => {
    await openGallery(page, dev.url);

    await test.step('what it says', async () => {
      const missing = async () => {
        const tiles = new Map(
          await page
            .locator('.gallery-tile')
            .evaluateAll((all) =>
              all.map((tile): [string, string] => [tile.ariaLabel ?? '', tile.textContent]),
            ),
        );
        return words.flatMap(([title, ...says]) =>
          says
            .filter((sentence) => !sentence.test(tiles.get(title) ?? ''))
            .map((sentence) => `${title}: ${sentence.source}`),
        );
      };
      await expect.poll(missing).toEqual([]);
      await expect(page.getByRole('group', { name: 'Version 2 of 3' })).toBeVisible();
    });

    await test.step('what has the focus wears a ring of 2 px in ink', async () => {
      const tile = page.getByRole('region', { name: 'Focus', exact: true });
      await tile.getByRole('button', { name: 'Retry lane C' }).focus();
      const rings: string[] = [];
      for (let stop = 0; stop < 5; stop += 1) {
        const ring = await tile.locator(':focus-visible').evaluate((element) => {
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
          const isInk = outlineColor === getComputedStyle(document.body).color;
          return `${outlineStyle} ${outlineWidth} ${isInk ? 'ink' : outlineColor}`;
        });
        rings.push(ring);
        await page.keyboard.press('Tab');
      }
      expect(rings).toEqual(Array.from({ length: 5 }, () => 'solid 2px ink'));
    });

    await test.step('nothing leaves its tile and no figures touch, from 1440 to 320 px and at 200 % zoom', async () => {
      // From 942 px down there is one column of tiles: lanes of 900, 550, 400, 348 and 278 px. A window of 1280 by 800
      // at 200 % is one of 640 by 400.
      for (const width of [1440, 1280, 1024, 942, 768, 640, 592, 442, 390, 320]) {
        await page.setViewportSize({ width, height: width === 640 ? 400 : 800 });
        const faults = async () => [
          ...(await page.evaluate(tilesThatOverflow)),
          ...(await page.evaluate(figuresThatCollide)),
        ];
        await expect.poll(faults, `${width} px wide`).toEqual([]);
      }
    });
  },
);
