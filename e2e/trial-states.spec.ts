/** What a trial looks like while it runs, is held up or is small: nothing moves by itself, and axe finds nothing. */
import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import type { ScriptedAnswer } from '../src/testing/scripted-gateway.ts';
import { createLargeTrial } from '../src/testing/trials.ts';
import { hashCheck } from '../src/trials/checks/score-answer.ts';
import { buildCaseBlocks, buildCellBlocks } from '../src/trials/trial-schemas.ts';
import { faultsOf } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { fitsEveryWidth } from './screens.ts';
import { button, finished } from './trial-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const counted = (page: Page): Locator => page.getByRole('progressbar', { name: 'Cases counted' });

async function openStarter(page: Page, url: string, title: RegExp): Promise<void> {
  await page.goto(new URL('/trials', url).href);
  await button(page, title).click();
}

async function look(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  expect(await faultsOf(page), name).toEqual([]);
  await fitsEveryWidth(page);
  if (size) await page.setViewportSize(size);
}

/** A trial of so many cases and columns is in the store, finished. */
async function storeLarge(page: Page, url: string, cases: number, columns: number): Promise<string> {
  const { trial, cases: all, cells } = createLargeTrial(cases, columns);
  const { baseline, margin, repeats, checks } = trial;
  const ids = trial.columns.map(({ id }) => id);
  const [check] = checks;
  if (!check) throw new Error('It has no check');
  const plan = { at: 0, cases, repeats, columns: ids, decides: check.id, baseline, margin };
  const values = new Map(all.map((each) => [each.id, each.values]));
  const scored = cells.map((cell) => ({
    ...cell,
    scores: Object.fromEntries(
      Object.entries(cell.scores).map(([id, score]) => [
        id,
        { ...score, of: hashCheck(check, values.get(cell.caseId) ?? {}) },
      ]),
    ),
  }));
  const places = new Map(all.map(({ id }, place) => [id, place]));
  const stores: [string, unknown[]][] = [
    ['trials', [{ ...trial, plan }]],
    ['cases', buildCaseBlocks(trial.id, all)],
    ['cells', buildCellBlocks(trial.id, scored, (id) => places.get(id) ?? 0)],
  ];
  await page.goto(new URL('/trials', url).href);
  await button(page, 'New trial').waitFor();
  await page.evaluate(
    (of) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('bench');
        opening.addEventListener('error', () => reject(opening.error));
        opening.addEventListener('success', () => {
          const names = of.map(([name]) => name);
          const change = opening.result.transaction(names, 'readwrite');
          for (const [name, records] of of)
            for (const record of records) change.objectStore(name).put(record);
          change.addEventListener('complete', () => resolve(opening.result.close()));
          change.addEventListener('error', () => reject(change.error));
        });
      }),
    stores,
  );
  return new URL(`/trials/${trial.id}`, url).href;
}

/** Runs in the page: keeps every place at which the first case has stood from now on, frame by frame. */
function notePlaces(): void {
  const kept = new Set<number>();
  Object.assign(window, { keptPlaces: kept });
  const see = () => {
    const rows = document.querySelector('[role=grid] [role=rowgroup]');
    if (rows) kept.add(Math.round(rows.getBoundingClientRect().top));
    requestAnimationFrame(see);
  };
  see();
}

/** Where the cases have stood so far. */
async function placesSoFar(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const kept: unknown = Reflect.get(window, 'keptPlaces');
    return kept instanceof Set ? [...kept].map(Number) : [];
  });
}

for (const [title, words] of [
  [/^Which column routes/, 'two columns'],
  [/^Who answers first/, 'three columns, one of which fails at times'],
] as const)
  test(
    `the cases stay where they are while a trial of ${words} runs, ends and a cell is opened`,
    { tag: '@soak' },
    async ({ page, gateway, server, complaints: _ }) => {
      let count = 0;
      gateway.setChatScript((answer, { body }) => {
        count += 1;
        if (body['model'] === 'north/two' && count % 8 === 0)
          return answer.sendJson(503, { error: { message: 'No capacity', type: 'overloaded', code: '503' } });
        answer.sendAnswer(count % 2 === 0 ? '{"team":"billing"}' : 'low');
      });
      await openStarter(page, server.url, title);
      await button(page, /^Run \d/).click();
      await counted(page).waitFor();
      await page.evaluate(notePlaces);
      await finished(page);
      await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
      await page.getByRole('complementary', { name: 'Cell' }).getByLabel('Answer', { exact: true }).waitFor();
      expect(await placesSoFar(page)).toHaveLength(1);
    },
  );

test(
  'the cases of a large trial stay where they are while its answers are read and counted',
  { tag: '@soak' },
  async ({ page, server, complaints: _ }) => {
    const address = await storeLarge(page, server.url, 520, 8);
    await page.addInitScript(notePlaces);
    await page.goto(address);
    await page.getByRole('radio', { name: 'Columns disagree' }).waitFor();
    await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
    await page.getByRole('complementary', { name: 'Cell' }).waitFor();
    expect(await placesSoFar(page)).toHaveLength(1);
  },
);

const rules = 'has no fault that axe knows in either theme, and never scrolls sideways';

test(
  `a trial that runs, is paused and is stopped ${rules}`,
  { tag: '@soak' },
  async ({ page, gateway, server, complaints: _ }) => {
    const gate = createGate();
    let count = 0;
    gateway.setChatScript(async (answer) => {
      count += 1;
      if (count > 12) await gate.opened;
      answer.sendAnswer('{"team":"billing"}');
    });
    await openStarter(page, server.url, /^Which column routes/);
    await button(page, /^Run \d/).click();
    await expect(counted(page)).toHaveAttribute('aria-valuetext', '6 of 60');
    await look(page, 'running');
    await button(page, 'Pause').click();
    await button(page, 'Resume').waitFor();
    await look(page, 'paused');
    await button(page, 'Stop').click();
    await expect(button(page, 'Stop')).toBeHidden();
    await look(page, 'stopped');
    gate.open();
  },
);

test(
  `a trial whose column has stopped, that another tab runs, and that the gateway has refused ${rules}`,
  { tag: '@soak' },
  async ({ page, context, gateway, server, complaints: _ }) => {
    const refuse = (answer: ScriptedAnswer, status: number, message: string): void =>
      answer.sendJson(status, { error: { message, type: 'invalid_request_error', code: String(status) } });
    gateway.models = { object: 'list', data: [{ id: 'north/one' }, { id: 'north/two' }] };
    const gate = createGate();
    let count = 0;
    gateway.setChatScript(async (answer, { body }) => {
      count += 1;
      if (body['model'] === 'north/two') return refuse(answer, 400, 'Unknown field thinking_budget');
      if (count <= 8) return answer.sendAnswer('{"team":"billing"}');
      await gate.opened;
      refuse(answer, 429, 'Rate limit reached for requests.');
    });
    await openStarter(page, server.url, /^Which column routes/);
    await button(page, /^Run \d/).click();
    await expect(page.getByRole('heading', { name: 'Column B has stopped.' })).toBeVisible();
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('heading', { name: 'Running in another tab.' })).toBeVisible();
    await look(other, 'a column that has stopped, in a tab that watches');
    await other.close();
    gate.open();
    await expect(page.getByRole('heading', { name: 'The gateway refused three times.' })).toBeVisible();
    await look(page, 'refused');
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test(
    `the steps of a draft, the cases, a cell and the next disagreement: each ${rules}`,
    { tag: '@soak' },
    async ({ page, gateway, server, complaints: _ }) => {
      // The columns disagree on the tickets of two teams, the first and the last of them.
      gateway.setChatScript((answer, { body }) => {
        answer.sendAnswer(`{"team":"${body['model'] === 'north/two' ? 'legal' : 'billing'}"}`);
      });
      await openStarter(page, server.url, /^Which column routes/);
      for (const step of ['Cases', 'Columns', 'Checks', 'Plan']) {
        await page.getByRole('radio', { name: step, exact: true }).click();
        await look(page, step);
      }
      await button(page, /^Start 120 requests/).click();
      await counted(page).waitFor();
      await finished(page);
      await look(page, 'finished');
      const list = page.getByRole('list', { name: 'Cases' });
      const current = list.locator('[aria-current]');
      await test.step('the next case of which the columns disagree is led to, time after time', async () => {
        const seen: string[] = [];
        for (let step = 0; step < 20; step += 1) {
          await button(page, 'Next disagreement').click();
          await expect(current).not.toHaveText(seen.at(-1) ?? 'no case before');
          await expect(current).toBeInViewport({ ratio: 0.9 });
          seen.push((await current.textContent()) ?? '');
        }
        expect(new Set(seen).size).toBe(20);
      });
      await page.getByRole('tab', { name: /^B/ }).click();
      await look(page, 'one column');
      await current.getByRole('button').click();
      await expect(page.getByRole('complementary', { name: 'Cell' })).toBeVisible();
      await look(page, 'a cell');
    },
  );
});
