/** Tests trials that are running, paused or small: nothing moves unexpectedly, and axe finds no violations. */
import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import type { ScriptedResponse } from '../src/testing/scripted-gateway.ts';
import { createLargeTrial } from '../src/testing/trials.ts';
import { hashCheck } from '../src/trials/checks/score-answer.ts';
import { buildCaseBlocks, buildCellBlocks } from '../src/trials/trial-schemas.ts';
import { findAxeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { expectNoOverflow } from './screens.ts';
import { getButton, waitUntilFinished } from './trial-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const getCountedProgress = (page: Page): Locator => page.getByRole('progressbar', { name: 'Cases counted' });

async function openStarter(page: Page, url: string, title: RegExp): Promise<void> {
  await page.goto(new URL('/trials', url).href);
  await getButton(page, title).click();
}

async function checkScreen(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  expect(await findAxeViolations(page), name).toEqual([]);
  await expectNoOverflow(page);
  if (size) await page.setViewportSize(size);
}

/** Stores a finished trial with this many cases and columns; returns its URL. */
async function storeLargeTrial(page: Page, url: string, cases: number, columns: number): Promise<string> {
  const { trial, cases: allCases, cells } = createLargeTrial(cases, columns);
  const { baseline, margin, repeats, checks } = trial;
  const columnIds = trial.columns.map(({ id }) => id);
  const [check] = checks;
  if (!check) throw new Error('The trial has no check');
  const plan = { at: 0, cases, repeats, columns: columnIds, decides: check.id, baseline, margin };
  const valuesByCase = new Map(allCases.map((testCase) => [testCase.id, testCase.values]));
  const scoredCells = cells.map((cell) => ({
    ...cell,
    scores: Object.fromEntries(
      Object.entries(cell.scores).map(([id, score]) => [
        id,
        { ...score, of: hashCheck(check, valuesByCase.get(cell.caseId) ?? {}) },
      ]),
    ),
  }));
  const indexByCase = new Map(allCases.map(({ id }, index) => [id, index]));
  const recordsByStore: [string, unknown[]][] = [
    ['trials', [{ ...trial, plan }]],
    ['cases', buildCaseBlocks(trial.id, allCases)],
    ['cells', buildCellBlocks(trial.id, scoredCells, (id) => indexByCase.get(id) ?? 0)],
  ];
  await page.goto(new URL('/trials', url).href);
  await getButton(page, 'New trial').waitFor();
  await page.evaluate(
    (storeEntries) =>
      new Promise<void>((resolve, reject) => {
        const openRequest = indexedDB.open('bench');
        openRequest.addEventListener('error', () => reject(openRequest.error));
        openRequest.addEventListener('success', () => {
          const names = storeEntries.map(([name]) => name);
          const transaction = openRequest.result.transaction(names, 'readwrite');
          for (const [name, records] of storeEntries)
            for (const record of records) transaction.objectStore(name).put(record);
          transaction.addEventListener('complete', () => resolve(openRequest.result.close()));
          transaction.addEventListener('error', () => reject(transaction.error));
        });
      }),
    recordsByStore,
  );
  return new URL(`/trials/${trial.id}`, url).href;
}

/** Runs in the page: records every top position of the first case from now on, once per frame. */
function recordCaseTops(): void {
  const tops = new Set<number>();
  Object.assign(window, { recordedTops: tops });
  const recordTop = () => {
    const rows = document.querySelector('[role=grid] [role=rowgroup]');
    if (rows) tops.add(Math.round(rows.getBoundingClientRect().top));
    requestAnimationFrame(recordTop);
  };
  recordTop();
}

/** Returns the recorded top positions of the first case, in px. */
async function readRecordedTops(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const recorded: unknown = Reflect.get(window, 'recordedTops');
    return recorded instanceof Set ? [...recorded].map(Number) : [];
  });
}

for (const [title, description] of [
  [/^Which setup routes/, 'two columns'],
  [/^Which setup is fastest/, 'three columns, one of which fails at times'],
] as const)
  test(
    `keeps the cases in place while a trial of ${description} runs, ends and a cell is opened`,
    { tag: '@soak' },
    async ({ page, gateway, server, pageErrors: _ }) => {
      let requestCount = 0;
      gateway.setChatScript((answer, { body }) => {
        requestCount += 1;
        if (body['model'] === 'north/two' && requestCount % 8 === 0)
          return answer.sendJson(503, { error: { message: 'No capacity', type: 'overloaded', code: '503' } });
        answer.sendAnswer(requestCount % 2 === 0 ? '{"team":"billing"}' : 'low');
      });
      await openStarter(page, server.url, title);
      await getButton(page, /^Run \d/).click();
      await getCountedProgress(page).waitFor();
      await page.evaluate(recordCaseTops);
      await waitUntilFinished(page);
      await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
      await page.getByRole('complementary', { name: 'Cell' }).getByLabel('Answer', { exact: true }).waitFor();
      expect(await readRecordedTops(page)).toHaveLength(1);
    },
  );

test(
  'keeps the cases of a large trial in place while its answers load and are counted',
  { tag: '@soak' },
  async ({ page, server, pageErrors: _ }) => {
    const address = await storeLargeTrial(page, server.url, 520, 8);
    await page.addInitScript(recordCaseTops);
    await page.goto(address);
    await page.getByRole('radio', { name: 'Columns disagree' }).waitFor();
    await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
    await page.getByRole('complementary', { name: 'Cell' }).waitFor();
    expect(await readRecordedTops(page)).toHaveLength(1);
  },
);

const titleSuffix = 'no axe violations in either theme, no horizontal overflow';

test(
  `checks a running, a paused and a stopped trial: ${titleSuffix}`,
  { tag: '@soak' },
  async ({ page, gateway, server, pageErrors: _ }) => {
    const gate = createGate();
    let requestCount = 0;
    gateway.setChatScript(async (answer) => {
      requestCount += 1;
      if (requestCount > 12) await gate.opened;
      answer.sendAnswer('{"team":"billing"}');
    });
    await openStarter(page, server.url, /^Which setup routes/);
    await getButton(page, /^Run \d/).click();
    // Requests sent at once reach the gateway in any order, so these need not be the first cases.
    await page.getByText('12 answers', { exact: true }).waitFor();
    await checkScreen(page, 'running');
    await getButton(page, 'Pause').click();
    await getButton(page, 'Resume').waitFor();
    await checkScreen(page, 'paused');
    await getButton(page, 'Stop').click();
    await expect(getButton(page, 'Stop')).toBeHidden();
    await checkScreen(page, 'stopped');
    gate.open();
  },
);

test(
  `checks trials with a stopped column, in another tab and after rejections: ${titleSuffix}`,
  { tag: '@soak' },
  async ({ page, context, gateway, server, pageErrors: _ }) => {
    const rejectRequest = (answer: ScriptedResponse, status: number, message: string): void =>
      answer.sendJson(status, { error: { message, type: 'invalid_request_error', code: String(status) } });
    gateway.models = { object: 'list', data: [{ id: 'north/one' }, { id: 'north/two' }] };
    const gate = createGate();
    let requestCount = 0;
    gateway.setChatScript(async (answer, { body }) => {
      requestCount += 1;
      if (body['model'] === 'north/two') return rejectRequest(answer, 400, 'Unknown field thinking_budget');
      if (requestCount <= 8) return answer.sendAnswer('{"team":"billing"}');
      await gate.opened;
      rejectRequest(answer, 429, 'Rate limit reached for requests.');
    });
    await openStarter(page, server.url, /^Which setup routes/);
    await getButton(page, /^Run \d/).click();
    await expect(page.getByRole('heading', { name: 'Column B has stopped.' })).toBeVisible();
    const otherTab = await context.newPage();
    await otherTab.goto(page.url());
    await expect(otherTab.getByRole('heading', { name: 'Running in another tab.' })).toBeVisible();
    await checkScreen(otherTab, 'a column that has stopped, in a tab that watches');
    await otherTab.close();
    gate.open();
    await expect(
      page.getByRole('heading', { name: 'The gateway rejected three requests in a row.' }),
    ).toBeVisible();
    await checkScreen(page, 'refused');
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test(
    `checks draft steps, cases, a cell and the next disagreement: ${titleSuffix}`,
    { tag: '@soak' },
    async ({ page, gateway, server, pageErrors: _ }) => {
      // The columns disagree on the tickets of two teams: the first and the last.
      gateway.setChatScript((answer, { body }) => {
        answer.sendAnswer(`{"team":"${body['model'] === 'north/two' ? 'legal' : 'billing'}"}`);
      });
      await openStarter(page, server.url, /^Which setup routes/);
      for (const step of ['Cases', 'Columns', 'Checks', 'Plan']) {
        await page.getByRole('radio', { name: step, exact: true }).click();
        await checkScreen(page, step);
      }
      await getButton(page, /^Run 120 requests/).click();
      await getCountedProgress(page).waitFor();
      await waitUntilFinished(page);
      await checkScreen(page, 'finished');
      const list = page.getByRole('list', { name: 'Cases' });
      const current = list.locator('[aria-current]');
      await test.step('scrolls to the next case with disagreeing columns every time', async () => {
        const visitedCases: string[] = [];
        for (let step = 0; step < 20; step += 1) {
          await getButton(page, 'Next disagreement').click();
          await expect(current).not.toHaveText(visitedCases.at(-1) ?? 'no case before');
          await expect(current).toBeInViewport({ ratio: 0.9 });
          visitedCases.push((await current.textContent()) ?? '');
        }
        expect(new Set(visitedCases).size).toBe(20);
      });
      await page.getByRole('tab', { name: /^B/ }).click();
      await checkScreen(page, 'one column');
      await current.getByRole('button').click();
      await expect(page.getByRole('complementary', { name: 'Cell' })).toBeVisible();
      await checkScreen(page, 'a cell');
    },
  );
});
