/** Tests that nothing moves while answers stream or when a lane ends. */
import type { Page } from 'playwright/test';

import type { ScriptedResponse } from '../src/testing/scripted-gateway.ts';
import { expect, test } from './fixtures.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/**
 * Runs in the page from its start: records every counted layout shift. By the standard, shifts within 500 ms of a key
 * or click are caused by the user (`hadRecentInput`) and do not count.
 */
function recordShifts(): void {
  const shifts: string[] = [];
  const counter = { probes: 0 };
  Object.assign(window, { recordedShifts: shifts, probeCounter: counter });
  const isShift = (entry: PerformanceEntry): entry is PerformanceEntry & LayoutShift =>
    'hadRecentInput' in entry;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!isShift(entry) || entry.hadRecentInput) continue;
      const isProbe = ({ node }: { node: Node | null }): boolean => node?.textContent === 'probe of shifts';
      // The row below a turn follows its answers, so it moves down as they grow.
      const isBelowAnswers = ({ node }: { node: Node | null }): boolean =>
        node instanceof HTMLElement &&
        (node.querySelector(':scope > [role=radiogroup][aria-label^="Better, turn"]') !== null ||
          node.closest('[role=radiogroup][aria-label^="Better, turn"]') !== null);
      const sources = entry.sources.filter((source) => !isProbe(source) && !isBelowAnswers(source));
      if (entry.sources.some(isProbe)) counter.probes += 1;
      if (sources.length === 0) continue;
      const movements = sources.map(({ node, previousRect: from, currentRect: to }) => {
        const parent = node?.parentElement?.closest('article')?.ariaLabel ?? '';
        const element = node instanceof Element ? node : node?.parentElement;
        const region = element?.closest('[data-region]')?.getAttribute('data-region') ?? '';
        const name =
          node instanceof HTMLElement
            ? `${node.tagName} ${node.className} ${parent} ${region} (${node.textContent.slice(0, 20)})`
            : `${region} ${node?.textContent}`;
        return `${name} from ${from.x} ${from.y} to ${to.x} ${to.y}`;
      });
      shifts.push(`${entry.value.toFixed(5)} at ${Math.round(entry.startTime)} ms: ${movements.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
  sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/**
 * Returns the recorded shifts of the page and clears them. First moves a probe element until the browser reports its
 * shift: from then on shifts count again after the last input, and all earlier ones have been reported.
 */
async function takeShifts(page: Page): Promise<string[]> {
  const recorded: unknown = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const probe = document.createElement('div');
        // Elements that paint nothing are not counted as shifts.
        probe.textContent = 'probe of shifts';
        Object.assign(probe.style, { position: 'fixed', left: '0', top: '0', pointerEvents: 'none' });
        document.body.append(probe);
        const countProbes = () => Number(Reflect.get(Object(Reflect.get(window, 'probeCounter')), 'probes'));
        const initialProbeCount = countProbes();
        let moves = 0;
        const move = () => {
          const shifts: unknown = Reflect.get(window, 'recordedShifts');
          if (countProbes() > initialProbeCount && Array.isArray(shifts)) {
            probe.remove();
            return resolve(shifts.splice(0));
          }
          moves += 1;
          probe.style.top = `${(moves % 2) * 60}px`;
          requestAnimationFrame(move);
        };
        move();
      }),
  );
  return Array.isArray(recorded) ? recorded.map(String) : [];
}

test('shifts nothing while three lanes wait, reason, stream, fail and finish', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.addInitScript(recordShifts);
  gateway.models = { object: 'list', data: ['a/one', 'b/two', 'c/three'].map((id) => ({ id })) };
  let releaseAnswers = (): void => undefined;
  let releasePromise = Promise.resolve();
  gateway.setChatScript(async (answer, { body }) => {
    await releasePromise;
    if (body['model'] === 'c/three') {
      const error = { message: 'No capacity', type: 'upstream_unavailable', code: '503' };
      return answer.sendJson(503, { error });
    }
    const count = body['model'] === 'a/one' ? 15 : 30;
    for (let word = 0; word < 8; word += 1) {
      answer.sendDelta({ reasoning_content: `thought ${word} ` });
      await waitForFrame(page);
    }
    for (let word = 0; word < count; word += 1) {
      answer.sendText(word % 6 === 5 ? '\n\n- a point\n\n' : `word-${word} `);
      await waitForFrame(page);
    }
    answer.sendFinishReason();
    answer.sendUsage(1_212, 345);
    answer.sendDone();
  });
  await bench.open(server.url);
  await bench.getButton('Add lane').click();
  await bench.getButton('Add lane').click();
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
  for (const turn of [1, 2]) {
    releasePromise = new Promise<void>((resolve) => (releaseAnswers = resolve));
    await bench.message.fill('Compare, please');
    await bench.message.press('Enter');
    await expect(bench.replies).toHaveCount(3 * turn);
    // Movement caused by sending has ended by now; later shifts are unexpected.
    await takeShifts(page);
    releaseAnswers();
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(2 * turn);
    await expect(page.locator('article[data-status="failed"]')).toHaveCount(turn);
    expect(await takeShifts(page), `turn ${turn}`).toEqual([]);
  }
});

test(
  'shifts no visible answer while a longer one is still streaming',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.addInitScript(recordShifts);
    const answers: ScriptedResponse[] = [];
    gateway.setChatScript((answer) => {
      answer.openStream();
      answers.push(answer);
    });
    await bench.open(server.url);
    await bench.getButton('Add lane').click();
    await bench.getButton('Add lane').click();
    await bench.send('Compare, please');
    await expect.poll(() => answers.length).toBe(3);
    // The first answer is fully visible, the second is taller than the viewport, and the third is still streaming.
    for (const [number, lines] of [3, 40, 60].entries())
      answers[number]?.sendText('A line\n\n'.repeat(lines));
    for (const number of [0, 1]) {
      answers[number]?.sendFinishReason();
      answers[number]?.sendDone();
    }
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
    await expect(page.getByRole('button', { name: /^Start of/ })).toHaveCount(2);
    await takeShifts(page);
    for (let line = 0; line < 20; line += 1) {
      answers[2]?.sendText(`Line ${line}\n\n`);
      await expect(page.getByText(`Line ${line}`, { exact: true })).toBeInViewport();
    }
    // Browsers do not count movement caused by scrolling, which happens here because the view follows the end.
    const lastLine = page.getByText('Line 19', { exact: true });
    const initialBox = await lastLine.boundingBox();
    answers[2]?.sendFinishReason();
    answers[2]?.sendUsage(12, 345);
    answers[2]?.sendDone();
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(3);
    expect(await takeShifts(page)).toEqual([]);
    expect(await lastLine.boundingBox()).toEqual(initialBox);
  },
);

/** Resolves in the next frame, when everything received so far is drawn. */
function waitForFrame(page: Page): Promise<void> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
}

/** Runs in the page: records all heights of the lane footers from now on, once per frame. */
function recordFooterHeights(): void {
  const heights = new Set<number>();
  Object.assign(window, { recordedHeights: heights });
  const recordHeights = () => {
    for (const footer of document.querySelectorAll('.lane-footer'))
      heights.add(footer.getBoundingClientRect().height);
    requestAnimationFrame(recordHeights);
  };
  recordHeights();
}

test(
  'keeps the height of the metrics constant from start to end at any width',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript(async (answer) => {
      const steps = [
        () => answer.openStream(),
        ...Array.from({ length: 3 }, () => () => answer.sendDelta({ reasoning_content: 'A thought. ' })),
        ...Array.from({ length: 10 }, () => () => answer.sendText('Some words that take their room. ')),
      ];
      for (const step of steps) {
        await waitForFrame(page);
        step();
      }
      await waitForFrame(page);
      answer.sendFinishReason();
      answer.sendUsage(1_212, 345);
      answer.sendDone();
    });
    await bench.open(server.url);
    let openLaneCount = 1;
    for (const [laneCount, width] of [
      [1, 320],
      [1, 390],
      [3, 1440],
      [4, 1440],
    ] as const) {
      await page.setViewportSize({ width: 1440, height: 800 });
      await bench.startNewSession();
      // A new session has as many lanes as the previous one.
      for (; openLaneCount < laneCount; openLaneCount += 1) await bench.getButton('Add lane').click();
      await page.setViewportSize({ width, height: 800 });
      await waitForFrame(page);
      await page.evaluate(recordFooterHeights);
      await bench.message.fill('What keyboard shortcuts are there?');
      await bench.message.press('Control+Enter');
      await expect(page.locator('article[data-status="complete"]')).toHaveCount(laneCount);
      await bench.waitUntilSaved();
      await waitForFrame(page);
      const heights = await page.evaluate(() => {
        const recorded: unknown = Reflect.get(window, 'recordedHeights');
        return recorded instanceof Set ? [...recorded].map(Number) : [];
      });
      expect(heights, `${laneCount} at ${width} px`).toHaveLength(1);
    }
  },
);

for (const { where, path, size, late } of [
  { where: 'beside the parameters', path: '/', size: { width: 1440, height: 900 }, late: /\/parameters-/ },
  {
    where: 'on a phone, in the list of trials',
    path: '/trials',
    size: { width: 390, height: 844 },
    late: /^$/,
  },
])
  test(`shifts nothing when late files load ${where}`, async ({ server, page }) => {
    await page.addInitScript(recordShifts);
    await page.setViewportSize(size);
    let releaseLateFile = (): void => undefined;
    const releasePromise = new Promise<void>((resolve) => (releaseLateFile = resolve));
    await page.route(late, async (route) => {
      await releasePromise;
      await route.continue();
    });
    await page.goto(new URL(path, server.url).href, { waitUntil: 'commit' });
    await expect(page.getByRole('button', { name: 'Search or run a command' })).toBeVisible();
    await waitForFrame(page);
    releaseLateFile();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await waitForFrame(page);
    const largeShifts = (await takeShifts(page)).filter((shift) => Number.parseFloat(shift) > 0.02);
    expect(largeShifts, largeShifts.join('\n')).toEqual([]);
  });

test('shifts neither the composer while its tools load on a phone, nor any line when the font loads', async ({
  bench,
  server,
  page,
}) => {
  await page.addInitScript(recordShifts);
  await page.setViewportSize({ width: 390, height: 844 });
  let releaseFont = (): void => undefined;
  const fontPromise = new Promise<void>((resolve) => (releaseFont = resolve));
  await page.route('**/*.woff2', async (route) => {
    await fontPromise;
    await route.continue();
  });
  // The load event would not fire until the font has loaded.
  await page.goto(server.url, { waitUntil: 'commit' });
  await expect(bench.getButton('More message options')).toBeVisible();
  await expect(bench.health).toContainText('Gateway up');
  const isFontLoaded = (): Promise<boolean> =>
    page.evaluate(() => document.fonts.check("1em 'Instrument Sans Variable'"));
  expect(await isFontLoaded()).toBe(false);
  expect((await takeShifts(page)).filter((shift) => / composer /.test(shift))).toEqual([]);

  releaseFont();
  await expect.poll(isFontLoaded).toBe(true);
  await waitForFrame(page);
  const shifts = await takeShifts(page);
  // Words may differ in width by a few pixels, but nothing else moves (the sum would be 0.1 without the metrics of
  // ui/fallback-fonts.css).
  expect(
    shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0),
    shifts.join('\n'),
  ).toBeLessThan(0.001);

  await test.step('detects a shift made on purpose', async () => {
    await page.locator('[data-region=composer]').evaluate((composer) => {
      if (composer instanceof HTMLElement) composer.style.marginBottom = '60px';
    });
    expect(await takeShifts(page)).not.toEqual([]);
  });
});
