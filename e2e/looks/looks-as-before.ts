/** How a screen looks beside how it last looked: places and colours. README.md says how. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Locator, Page, TestInfo } from 'playwright/test';

import { isRecord } from '../../src/lib/json.ts';
import { startBench, type BenchServer } from '../bench-server.ts';
import { canaryKey, expect, test as base } from '../fixtures.ts';
import { aPicture } from './a-picture.ts';
import { coarsePicture, differingShare, type CoarsePicture } from './coarse-picture.ts';

const folder = path.join(import.meta.dirname, '../pictures');
const updates = process.env['UPDATE_PICTURES'] !== undefined;

/** As wide as the numbers that were measured, which no two runs share: their rows are compared, not their widths. */
const measured = '[aria-label^=Metrics]:not(.reply-cell *) dl > div';
/** Panels and what stands in them. Where one of them moves, the layout has changed. */
const regions = [
  '[data-region=top-bar]',
  '.heads',
  '.lane-head',
  '.scroll',
  '.message-band',
  '.reply',
  '.card',
  '[aria-label=Error]',
  '[role=group][aria-label^="Tool call"]',
  '.lane-feet',
  '.lane-foot',
  measured,
  '[aria-label^=Trace]',
  '[data-region=composer]',
  'aside[aria-label=Parameters]',
  '[data-sheet-grip]',
  '[data-focus-place^=parameter]',
  '[data-region=inspector]',
  'section[aria-label=Timeline]',
  '[role=treegrid]',
  'section[aria-label=Gaps]',
  'ol[aria-label="Fields of the body"]',
  '.ptabs',
  '.ptabs button',
  '[data-all-lanes] > article',
  '[data-all-lanes] [role=article]',
];
/** Drawn from the moments at which pieces arrived, which no two runs share: their places are compared, not their strokes. */
const drawnFromTime =
  '[aria-label^=Trace] canvas, section[aria-label=Timeline] canvas, section[aria-label=Gaps] svg';
/** What two machines may differ in. */
const boxTolerancePx = 3;
/** Letters are drawn a little otherwise everywhere: a block may differ by this much of 255 … */
const colourTolerance = 26;
/** … and this share of the blocks by more. A numeral that changed is some blocks, a moved panel hundreds. */
const shareTolerance = 0.012;

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

/** A server that keeps count of the minute, as a person has it. */
export const test = base.extend<{ paced: BenchServer }>({
  paced: async ({ gateway, page }, use) => {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    const server = await startBench({
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: canaryKey,
      GATEWAY_RPM: '50',
    });
    await use(server);
    await server.stop();
  },
});

/** Time does not go on by itself here: what waits for it gets some. */
async function settle(page: Page, turns = 8): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await page.clock.runFor(20);
    await page.evaluate(() => document.fonts.ready);
  }
}

export async function appears(page: Page, locator: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(100);
      return locator.isVisible();
    })
    .toBe(true);
}

/** Compares boxes once and colours in both themes; with UPDATE_PICTURES set this is how it is to look from now on. */
export async function looksAsBefore(page: Page, info: TestInfo, name: string): Promise<void> {
  await settle(page);
  const boxes = await page.evaluate(boxesOf, regions);
  const boxesFile = path.join(folder, `${name}.json`);
  if (updates) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(boxesFile, `${JSON.stringify(boxes)}\n`);
  } else {
    const moved = movedRegions(JSON.parse(readFileSync(boxesFile, 'utf8')), boxes);
    expect(moved, `${name}: what moved`).toEqual([]);
  }
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme });
    // Nothing is loaded for another theme: what draws by itself draws again in the next frame.
    await settle(page, 2);
    const mask = [page.locator(drawnFromTime)];
    const png = await page.screenshot({
      path: info.outputPath(`${name}-${theme}.png`),
      mask,
      maskColor: 'grey',
    });
    const now = coarsePicture(png);
    const file = path.join(folder, `${name}-${theme}.png`);
    if (updates) {
      writeFileSync(file, pngOf(now));
      continue;
    }
    const before = coarsePicture(readFileSync(file), 1);
    const share = differingShare(before, now, colourTolerance);
    expect(share, `${name}, ${theme}: share of blocks that look different`).toBeLessThan(shareTolerance);
  }
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
}

function pngOf({ width, height, colours }: CoarsePicture): Buffer {
  const pixel = (x: number, y: number): [number, number, number] => {
    const at = (y * width + x) * 3;
    return [colours[at] ?? 0, colours[at + 1] ?? 0, colours[at + 2] ?? 0];
  };
  return aPicture('coarse.png', { width, height, pixel, level: 9 }).buffer;
}

type Boxes = Record<string, number[]>;

/** Runs in the page: left, top, width and height of what is on screen, in px, by selector and place. */
function boxesOf(selectors: readonly string[]): Boxes {
  const boxes: Boxes = {};
  for (const selector of selectors) {
    let place = 0;
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      const { left, top, width, height } = element.getBoundingClientRect();
      const isSeen = width > 0 && height > 0 && top < innerHeight && left < innerWidth && top + height > 0;
      if (!isSeen) continue;
      place += 1;
      boxes[`${selector} ${place}`] = [left, top, width, height].map(Math.round);
    }
  }
  return boxes;
}

function movedRegions(before: unknown, now: Boxes): string[] {
  if (!isRecord(before)) return ['no reference'];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const [was, is] = [before[name], now[name]];
    if (!Array.isArray(was) || !is) return [`${name}: ${is ? 'is new' : 'is gone'}`];
    const sides = name.startsWith(measured) ? [1, 3] : [0, 1, 2, 3];
    const isSame = sides.every((side) => Math.abs(Number(is[side]) - Number(was[side])) <= boxTolerancePx);
    return isSame ? [] : [`${name}: was ${was.join(' ')}, is ${is.join(' ')}`];
  });
}
