import type { Locator, Page } from 'playwright/test';

import { starters } from '../src/trials/starters/trial-starters.ts';
import { faultsOf } from './axe.ts';
import type { BenchServer } from './bench-server.ts';
import { withFixedDemo } from './fixed-demo.ts';
import { test as base, expect } from './fixtures.ts';
import { fitsEveryWidth } from './screens.ts';
import { button, finished } from './trial-page.ts';
import { enter } from './user-input.ts';

const test = base.extend<object, { fixed: BenchServer }>(withFixedDemo);

const verdict = (page: Page): Locator => page.getByRole('region', { name: 'Verdict' });
const sentence = (page: Page): Locator => verdict(page).getByRole('heading', { level: 2 });
const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Cases' });
const cell = (page: Page): Locator => page.getByRole('complementary', { name: 'Cell' });

async function openTrials(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/trials', url).href);
}

async function runStarter(page: Page, url: string): Promise<void> {
  await openTrials(page, url);
  await page.getByRole('button', { name: /^The same setup twice/ }).click();
  await page.getByRole('button', { name: /^Run \d/ }).click();
  await finished(page);
}

test('a starter leads from the empty page to a decided verdict with two clicks, and every cell opens with its answer', async ({
  page,
  fixed,
  complaints: _,
}) => {
  await openTrials(page, fixed.url);
  await expect(
    page.getByRole('heading', { name: 'Ask many cases, and learn whether the difference is real' }),
  ).toBeVisible();
  await page.getByRole('button', { name: /^Which column routes tickets better\?/ }).click();

  const plan = page.getByRole('region', { name: 'Plan' });
  await expect(plan.getByRole('heading')).toContainText('60 cases × 2 columns = 120 requests');
  await expect(plan.getByRole('img')).toHaveAccessibleName(
    /^With 60 cases a difference of 27 points or more/,
  );
  await button(page, /^Run 120 requests/).click();
  await finished(page);

  await expect(sentence(page)).toHaveText(
    /^B\s*demo_accuracy 0\.92 is better than A\s*demo_accuracy 0\.65 by \d+ points \(\d+ to \d+\)$/,
  );
  await expect(verdict(page)).toContainText('Check “right team”, 60 cases, one answer each');
  // In a low and narrow window the verdict and what is missing take most of it.
  await page.setViewportSize({ width: 900, height: 700 });
  const first = grid(page).getByRole('rowheader').first();
  await first.scrollIntoViewIfNeeded();
  await expect(first).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(verdict(page).getByRole('img')).toHaveAccessibleName(/^Differences from column A/);

  await test.step('the figures behind it are a table', async () => {
    await button(page, 'How this is counted').click();
    await expect(page.getByRole('table', { name: 'Counts' })).toContainText('watched range');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('table', { name: 'Counts' })).toBeHidden();
  });

  await test.step('rates, filters and cells say the same', async () => {
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '61');
    await expect(grid(page)).toHaveAttribute('aria-colcount', '5');
    const head = page.getByRole('columnheader', {
      name: /^Column A, demo\/quiz, \d+ percent passed, \d+ of 60$/,
    });
    const passed = Number(/(\d+) of 60$/.exec((await head.getAttribute('aria-label')) ?? '')?.[1]);
    await page.getByRole('radio', { name: 'A failed' }).click();
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(61 - passed));
    await page.getByRole('radio', { name: 'All', exact: true }).click();
  });

  await test.step('a cell shows its case, its answer, what the checks say, and takes a mark', async () => {
    await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
    await expect(cell(page)).toContainText('Can I pay in three parts?');
    await expect(cell(page).getByLabel('Answer')).toContainText('"team"');
    await expect(cell(page).getByRole('list', { name: 'What the checks say' })).toContainText('right team');
    await button(page, /^Right/).click();
    await expect(button(page, /^Right/)).toHaveAttribute('aria-pressed', 'true');
    await button(page, 'Next case').click();
    await expect(cell(page)).toContainText('Refund promised on 3 June');
  });

  await test.step('after a reload all of it is there', async () => {
    const said = await sentence(page).textContent();
    await expect(page.locator('html')).toHaveAttribute('data-saved', 'yes');
    await page.reload();
    await finished(page);
    await expect(sentence(page)).toHaveText(said ?? '');
    await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
    await expect(button(page, /^Right/)).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('it is in the list with its verdict', async () => {
    const said = await sentence(page).textContent();
    await page.getByRole('link', { name: 'Trials' }).click();
    const row = page.getByRole('table', { name: 'Trials' }).getByRole('row', { name: /^Which column/ });
    await expect(row).toContainText(said ?? '');
    await expect(row).toContainText('Finished');
    await page.getByRole('searchbox', { name: 'Find a trial' }).fill('no such words');
    await expect(row).toBeHidden();
  });
});

test(
  'the history lists a trial between the sessions, where its cases are found, it is renamed and deleted',
  { tag: '@soak' },
  async ({ page, bench, fixed }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openTrials(page, fixed.url);
    await page.getByRole('button', { name: /^The same setup twice/ }).click();
    await expect(page.getByRole('region', { name: 'Plan' })).toBeVisible();
    await page.getByRole('link', { name: 'Playground' }).click();
    await bench.ask('Hello');
    await page.getByRole('link', { name: 'History' }).click();
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    const trial = rows.filter({ hasText: 'The same setup twice' });
    await expect(trial).toContainText('60 cases × 2 columns');
    await expect(rows).toHaveCount(2);
    await expect(page.getByRole('status').filter({ hasText: '1 session and 1 trial' })).toBeVisible();
    const { cases } = starters[1] ?? { cases: [] };
    await page
      .getByRole('searchbox', { name: 'Search sessions' })
      .fill(Object.values(cases[7]?.values ?? {})[0] ?? '');
    await expect(rows).toHaveCount(1);
    await expect(trial.locator('mark').first()).toBeVisible();
    await look(page, 'the history with a trial');
    await button(page, /^Rename The same/).click();
    await page.getByRole('textbox', { name: 'Trial title' }).fill('Sums twice');
    await page.keyboard.press('Enter');
    const renamed = page.getByRole('link', { name: 'Sums twice', exact: true });
    await renamed.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sums twice');
    await page.goBack();
    await button(page, 'Delete Sums twice').click();
    await expect(renamed).toBeHidden();
    await button(page, 'Undo').click();
    await expect(renamed).toBeVisible();
  },
);

test('a person without a mouse imports cases, runs, reads, marks and exports', async ({
  page,
  fixed,
  complaints: _,
}) => {
  await openTrials(page, fixed.url);
  await enter(button(page, 'New trial'));
  const setup = page.getByRole('complementary', { name: 'Setup' });
  await expect(setup).toBeVisible();

  await enter(setup.getByRole('button', { name: 'Import cases' }));
  const rows = [
    'ticket,team',
    ...starters[0]!.cases.slice(0, 16).map(({ values }) => `"${values['ticket']}",${values['team']}`),
  ];
  await page.getByRole('textbox', { name: 'Rows to import' }).fill(`${rows.join('\n')}\nodd,row,here\n`);
  await expect(page.getByRole('group', { name: 'Odd lines' })).toContainText(
    'Line 18 has 3 fields and not 2.',
  );
  const understood = page.getByRole('group', { name: 'How it was read' });
  await expect(understood.getByRole('status')).toHaveText('Read as CSV with 2 columns: ticket, team.');
  await understood.getByRole('radio', { name: 'One per line' }).click();
  await expect(understood.getByRole('status')).toHaveText('Read as plain lines: each line is one case.');
  await expect(button(page, 'Add 18 cases')).toBeEnabled();
  await understood.getByRole('radio', { name: 'Table' }).click();
  await enter(button(page, 'Use these 16 cases'));
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '17');

  const prompt = setup.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill('{{ticket}}\nWhich team takes it: billing, delivery, account, product or legal?');
  await page.getByRole('combobox', { name: 'Model, column A' }).fill('demo/quiz');
  await page.keyboard.press('Enter');
  await enter(setup.getByRole('button', { name: 'Add column' }));
  await expect(page.getByRole('columnheader', { name: /^Column B/ })).toBeVisible();
  await enter(setup.getByRole('button', { name: 'New check' }));
  await enter(page.getByRole('menuitem', { name: /^Equals/ }));
  await expect(page.getByRole('complementary', { name: 'Check' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Equals decides' })).toBeChecked();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(grid(page)).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Enter');
  await finished(page);
  await expect(sentence(page)).toContainText('A');
  const times = await grid(page).evaluate(timesOfCells);
  expect(times.filter((each) => each !== 'in its cell')).toEqual([]);
  expect(times.length).toBeGreaterThan(1);

  await grid(page).focus();
  await page.keyboard.press('Home');
  for (let column = 0; column < 3; column += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(cell(page)).toContainText('Case 2');
  await expect(cell(page).locator(':focus').or(page.locator('aside:focus'))).toHaveCount(1);
  await page.keyboard.press('0');
  await expect(button(page, /^Wrong/)).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Backspace');
  await expect(button(page, /^Wrong/)).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('Escape');
  await expect(grid(page)).toBeFocused();

  const download = page.waitForEvent('download');
  await enter(button(page, 'Export'));
  await enter(page.getByRole('menuitem', { name: 'CSV', exact: true }));
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

/** Runs in the page: where the time beside each answer is. */
function timesOfCells(cases: HTMLElement | SVGElement): string[] {
  return [...cases.querySelectorAll('[role=gridcell][data-column]')].map((own) => {
    const around = own.getBoundingClientRect();
    const { width, left, right, top, bottom } = own.nextElementSibling?.getBoundingClientRect() ?? around;
    const isWithin =
      left >= around.left && right <= around.right && top >= around.top && bottom <= around.bottom;
    return isWithin && width < around.width
      ? 'in its cell'
      : `${left} to ${right}, not in ${around.left} to ${around.right}`;
  });
}

const rules = 'has no fault that axe knows in either theme, and never scrolls sideways';

async function look(page: Page, name: string): Promise<void> {
  expect(await faultsOf(page), name).toEqual([]);
  await fitsEveryWidth(page);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test(
  `the page without trials and a draft ${rules}`,
  { tag: '@soak' },
  async ({ page, fixed, complaints: _ }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openTrials(page, fixed.url);
    await expect(page.getByRole('button', { name: /^The same setup twice/ })).toBeVisible();
    await look(page, 'no trials');
    await page.getByRole('button', { name: /^Who answers first/ }).click();
    await expect(page.getByRole('region', { name: 'Plan' })).toBeVisible();
    await look(page, 'a draft');
  },
);

test(
  `a finished trial with a cell and its figures ${rules}`,
  { tag: '@soak' },
  async ({ page, fixed, complaints: _ }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await runStarter(page, fixed.url);
    await page.getByRole('gridcell', { name: /^Case 2, column B: / }).click();
    await expect(cell(page).getByLabel('Answer')).toBeVisible();
    await look(page, 'a cell');
    await page.keyboard.press('Escape');
    await button(page, 'How this is counted').click();
    await look(page, 'how it is counted');
  },
);

test(`a check and the list ${rules}`, { tag: '@soak' }, async ({ page, fixed, complaints: _ }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await runStarter(page, fixed.url);
  await button(page, /^Checks/).click();
  await button(page, 'right number').click();
  await expect(page.getByRole('complementary', { name: 'Check' })).toContainText('passed');
  await look(page, 'a check');
  await page.getByRole('link', { name: 'Trials' }).click();
  await expect(page.getByRole('table', { name: 'Trials' })).toBeVisible();
  await look(page, 'the list');
});
