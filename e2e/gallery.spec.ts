import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

async function openGallery(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/gallery', url).href);
  await expect(page.getByRole('region', { name: 'Focus', exact: true })).toBeVisible();
}

/**
 * Runs in the page: returns tiles whose content overflows, with the overflowing elements. Code and tables have their
 * own scroll containers.
 */
function findOverflowingTiles(): string[] {
  const overflowPx = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const overflows = overflowPx > 0 ? [`the page, by ${overflowPx} px`] : [];
  for (const tile of document.querySelectorAll<HTMLElement>('.gallery-tile')) {
    const right = tile.getBoundingClientRect().right;
    for (const element of tile.querySelectorAll<HTMLElement>('*')) {
      const box = element.getBoundingClientRect();
      const isHidden =
        box.width <= 1 ||
        !element.checkVisibility() ||
        element.closest('.sr-only, [role=listbox], pre, table');
      if (isHidden || box.right <= right + 0.5) continue;
      overflows.push(`${tile.getAttribute('aria-label')}: ${element.tagName} ${element.className}`);
    }
  }
  return overflows;
}

/** Runs in the page: returns metrics below answers that touch the next metric, are cut off or overflow their lane. */
function findCollidingMetrics(): string[] {
  const collisions: string[] = [];
  for (const list of document.querySelectorAll<HTMLElement>('.lane-footer dl')) {
    // In single-line metrics, some are only for screen readers, in a box of 1 px.
    const metrics = [...list.querySelectorAll<HTMLElement>('dd')].filter(
      (metric) => (metric.parentElement?.clientWidth ?? 0) > 1,
    );
    const boxes = metrics.map((metric) => {
      const textRange = document.createRange();
      textRange.selectNodeContents(metric);
      const hiddenLabel = metric.querySelector('.sr-only');
      if (hiddenLabel) textRange.setStartAfter(hiddenLabel);
      const { left, top, bottom, right } = textRange.getBoundingClientRect();
      // The last metric may be a truncated long word if its title contains the full text.
      const isShortened = metric.title === metric.textContent && metric.scrollWidth > metric.clientWidth;
      return { left, top, bottom, right: isShortened ? metric.getBoundingClientRect().right : right };
    });
    const rightEdge = list.getBoundingClientRect().right;
    boxes.forEach((box, index) => {
      const next = boxes[index + 1];
      const isOverlapping = next !== undefined && next.top < box.bottom && next.left < box.right + 5;
      if (isOverlapping || box.right > rightEdge + 0.5)
        collisions.push(`${metrics[index]?.textContent} in ${list.clientWidth} px`);
    });
  }
  return collisions;
}

test(
  'shows the focus and keeps every state in the gallery within its tile',
  { tag: '@soak' },
  async ({ dev, page, pageErrors: _ }) => {
    await openGallery(page, dev.url);

    await test.step('draws a focus ring of 2 px in the text colour', async () => {
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

    await test.step('keeps content inside tiles and metrics apart from 1440 to 320 px and at 200% zoom', async () => {
      // At 942 px and below there is one column of tiles, with lanes of 900, 550, 400, 348 and 278 px. A viewport of
      // 1280 by 800 at 200% zoom measures 640 by 400.
      for (const width of [1440, 1280, 1024, 942, 768, 640, 592, 442, 390, 320]) {
        await page.setViewportSize({ width, height: width === 640 ? 400 : 800 });
        const findFaults = async () => [
          ...(await page.evaluate(findOverflowingTiles)),
          ...(await page.evaluate(findCollidingMetrics)),
        ];
        await expect.poll(findFaults, `${width} px wide`).toEqual([]);
      }
    });
  },
);
