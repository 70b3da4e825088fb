/** design.md §6 and §12: nothing moves while answers stream, and nothing when a lane finishes. */
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from './fixtures.ts';

/**
 * Runs in the page from its start: keeps every layout shift that counts. As the standard has it, what moves within
 * half a second of a key or a click is what the person asked for (`hadRecentInput`) and does not count.
 */
function noteShifts(): void {
  const kept: string[] = [];
  Object.assign(window, { keptShifts: kept });
  const isShift = (entry: PerformanceEntry): entry is PerformanceEntry & LayoutShift =>
    'hadRecentInput' in entry;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!isShift(entry) || entry.hadRecentInput) continue;
      const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
        const parent = node?.parentElement?.closest('article')?.ariaLabel ?? '';
        const name =
          node instanceof HTMLElement
            ? `${node.tagName} ${node.className} ${parent} (${node.textContent.slice(0, 20)})`
            : node?.textContent;
        return `${name ?? 'gone'} from ${from.x} ${from.y} to ${to.x} ${to.y}`;
      });
      kept.push(`${entry.value.toFixed(5)} at ${Math.round(entry.startTime)} ms: ${moved.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
  sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

const lateMs = 700;

test('nothing moves while three lanes wait, think, stream, fail and finish', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.addInitScript(noteShifts);
  gateway.models = { object: 'list', data: ['a/one', 'b/two', 'c/three'].map((id) => ({ id })) };
  gateway.onChat(async (answer, { body }) => {
    // What moves so late is nobody's wish any more.
    await sleep(lateMs);
    if (body['model'] === 'c/three') {
      return answer.json(503, {
        error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' },
      });
    }
    const count = body['model'] === 'a/one' ? 30 : 60;
    for (let word = 0; word < 20; word += 1) {
      answer.delta({ reasoning_content: `thought ${word} ` });
      await sleep(10);
    }
    for (let word = 0; word < count; word += 1) {
      answer.text(word % 12 === 11 ? '\n\n- a point\n\n' : `word-${word} `);
      await sleep(15);
    }
    answer.finish();
    answer.usage(1_212, 345);
    answer.done();
  });
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await bench.button('Add lane').click();
  for (const [letter, id] of [
    ['A', 'a/one'],
    ['B', 'b/two'],
    ['C', 'c/three'],
  ] as const) {
    const picker = page
      .getByRole('region', { name: `Lane ${letter}` })
      .getByRole('combobox', { name: 'Model' });
    await picker.fill(id);
    await picker.press('Enter');
  }
  await sleep(lateMs);
  await page.evaluate(() => {
    const kept: unknown = Reflect.get(window, 'keptShifts');
    if (Array.isArray(kept)) kept.length = 0;
  });
  for (const turn of [1, 2]) {
    await bench.message.fill('Compare, please');
    await bench.message.press('Enter');
    await expect(bench.replies).toHaveCount(3 * turn);
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(2 * turn);
    await expect(page.locator('article[data-status="failed"]')).toHaveCount(turn);
  }
  await sleep(lateMs);
  const shifts: unknown = await page.evaluate(() => Reflect.get(window, 'keptShifts'));
  expect(shifts).toEqual([]);
});

/** Runs in the page: keeps every height that the feet of the lanes have from now on, in each frame. */
function noteFootHeights(): void {
  const kept = new Set<number>();
  Object.assign(window, { keptHeights: kept });
  const look = () => {
    for (const foot of document.querySelectorAll('.lf')) kept.add(foot.getBoundingClientRect().height);
    requestAnimationFrame(look);
  };
  look();
}

for (const [lanes, width] of [
  [4, 1440],
  [3, 1440],
  [1, 390],
  [1, 320],
] as const) {
  test(`the numbers of ${lanes} at ${width} px take the same height from the wait to the end`, async ({
    bench,
    demo,
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await bench.open(demo.url);
    for (let count = 1; count < lanes; count += 1) await bench.button('Add lane').click();
    await page.evaluate(noteFootHeights);
    await bench.message.fill('Which keys and shortcuts are there?');
    await bench.message.press('Control+Enter');
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(lanes, { timeout: 20_000 });
    await sleep(lateMs);
    const heights = await page.evaluate(() => {
      const kept: unknown = Reflect.get(window, 'keptHeights');
      return kept instanceof Set ? [...kept].map(Number) : [];
    });
    expect(heights).toHaveLength(1);
  });
}

test('the test of shifts sees one', async ({ bench, server, page }) => {
  await page.addInitScript(noteShifts);
  await bench.open(server.url);
  await sleep(lateMs);
  await page.locator('.cpw').evaluate((composer) => {
    if (composer instanceof HTMLElement) composer.style.marginBottom = '60px';
  });
  await expect
    .poll(() =>
      page.evaluate(() => {
        const kept: unknown = Reflect.get(window, 'keptShifts');
        return Array.isArray(kept) ? kept.length : 0;
      }),
    )
    .toBeGreaterThan(0);
});

test('on a phone the composer stays where it is while its tools come', async ({ bench, server, page }) => {
  await page.addInitScript(noteShifts);
  await page.setViewportSize({ width: 390, height: 844 });
  await bench.open(server.url);
  await expect(bench.button('More to send')).toBeVisible();
  await sleep(lateMs);
  const shifts = await page.evaluate(() => {
    const kept: unknown = Reflect.get(window, 'keptShifts');
    return Array.isArray(kept) ? kept.map(String) : [];
  });
  expect(shifts.filter((shift) => /cpw|big/.test(shift))).toEqual([]);
});

test('a font that comes late moves no line', async ({ bench, server, page }) => {
  await page.addInitScript(noteShifts);
  await page.setViewportSize({ width: 390, height: 844 });
  let sendFont = (): void => undefined;
  const fontIsHere = new Promise<void>((resolve) => {
    sendFont = resolve;
  });
  await page.route('**/*.woff2', async (route) => {
    await fontIsHere;
    await route.continue();
  });
  // The load of a page waits for the font.
  await page.goto(server.url, { waitUntil: 'commit' });
  await expect(bench.button('More to send')).toBeVisible();
  await sleep(lateMs);
  const isDrawn = (): Promise<boolean> =>
    page.evaluate(() => document.fonts.check("1em 'Instrument Sans Variable'"));
  expect(await isDrawn()).toBe(false);
  await page.evaluate(() => {
    const kept: unknown = Reflect.get(window, 'keptShifts');
    if (Array.isArray(kept)) kept.length = 0;
  });
  sendFont();
  await expect.poll(isDrawn).toBe(true);
  await sleep(lateMs);
  const shifts = await page.evaluate(() => {
    const kept: unknown = Reflect.get(window, 'keptShifts');
    return Array.isArray(kept) ? kept.map(String) : [];
  });
  // A word may be some pixels wider; nothing else moves (0.1 without the measures of ui/fallback-fonts.css).
  expect(
    shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0),
    shifts.join('\n'),
  ).toBeLessThan(0.001);
});
