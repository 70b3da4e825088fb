import type { Locator, Page } from 'playwright/test';

import { starters } from '../src/trials/starters/trial-starters.ts';
import { findAxeViolations } from './axe.ts';
import type { BenchServer } from './bench-server.ts';
import { fixedDemoFixture } from './fixed-demo.ts';
import { test as base, expect } from './fixtures.ts';
import { expectNoOverflow } from './screens.ts';
import { getButton, waitUntilFinished } from './trial-page.ts';
import { pressEnter } from './user-input.ts';

const test = base.extend<object, { fixedDemo: BenchServer }>(fixedDemoFixture);

const getVerdict = (page: Page): Locator => page.getByRole('region', { name: 'Verdict' });
const getVerdictHeading = (page: Page): Locator => getVerdict(page).getByRole('heading', { level: 2 });
const getGrid = (page: Page): Locator => page.getByRole('grid', { name: 'Cases' });
const getCellPanel = (page: Page): Locator => page.getByRole('complementary', { name: 'Cell' });

async function openTrials(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/trials', url).href);
}

async function runStarter(page: Page, url: string): Promise<void> {
  await openTrials(page, url);
  await page.getByRole('button', { name: /^Same setup twice/ }).click();
  await page.getByRole('button', { name: /^Run \d/ }).click();
  await waitUntilFinished(page);
}

test('reaches a verdict from the empty page with two clicks and opens every cell with its answer', async ({
  page,
  fixedDemo,
  pageErrors: _,
}) => {
  await openTrials(page, fixedDemo.url);
  await expect(page.getByRole('heading', { name: 'Find out which setup is really better' })).toBeVisible();
  await page.getByRole('button', { name: /^Which setup routes tickets better\?/ }).click();

  const plan = page.getByRole('region', { name: 'Plan' });
  await expect(plan.getByRole('heading')).toContainText('60 cases × 2 columns = 120 requests');
  await expect(plan.getByRole('img')).toHaveAccessibleName(
    /^With 60 cases you would spot a difference of 21 points/,
  );
  await getButton(page, /^Run 120 requests/).click();
  await waitUntilFinished(page);

  await expect(getVerdictHeading(page)).toHaveText(
    /^B\s*demo_accuracy 0\.92 is better than A\s*demo_accuracy 0\.65: \d+ more of 100 cases passed \(likely between \d+ and \d+\)$/,
  );
  await expect(getVerdict(page)).toContainText('Check “right team” on 60 cases, one answer each');
  // In a small viewport the verdict and the missing answers take most of the height.
  await page.setViewportSize({ width: 900, height: 700 });
  const firstRow = getGrid(page).getByRole('rowheader').first();
  await firstRow.scrollIntoViewIfNeeded();
  await expect(firstRow).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(getVerdict(page).getByRole('img')).toHaveAccessibleName(/^Differences from column A/);

  await test.step('shows the case, answer and check results of a cell, and marks the answer', async () => {
    await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
    await expect(getCellPanel(page)).toContainText('Can I pay in three parts?');
    await expect(getCellPanel(page).getByLabel('Answer')).toContainText('"team"');
    await expect(getCellPanel(page).getByRole('list', { name: 'Check results' })).toContainText('right team');
    await getButton(page, /^Right/).click();
    await expect(getButton(page, /^Right/)).toHaveAttribute('aria-pressed', 'true');
    await getButton(page, 'Next case').click();
    await expect(getCellPanel(page)).toContainText('Refund promised on 3 June');
  });

  await test.step('restores the trial after a reload', async () => {
    const verdictText = await getVerdictHeading(page).textContent();
    await expect(page.locator('html')).toHaveAttribute('data-saved', 'yes');
    await page.reload();
    await waitUntilFinished(page);
    await expect(getVerdictHeading(page)).toHaveText(verdictText ?? '');
    await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
    await expect(getButton(page, /^Right/)).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('lists the trial with its verdict', async () => {
    const verdictText = await getVerdictHeading(page).textContent();
    await page.getByRole('link', { name: 'Trials' }).click();
    const row = page.getByRole('table', { name: 'Trials' }).getByRole('row', { name: /^Which setup routes/ });
    await expect(row).toContainText(verdictText ?? '');
    await expect(row).toContainText('Finished');
    await page.getByRole('searchbox', { name: 'Find a trial' }).fill('no such words');
    await expect(row).toBeHidden();
  });
});

test('compares a new prompt with the answers of an earlier trial', async ({
  page,
  fixedDemo,
  pageErrors: _,
}) => {
  await runStarter(page, fixedDemo.url);
  await getButton(page, 'Trial menu').click();
  await page.getByRole('menuitem', { name: /^Create version 2/ }).click();
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText(
    '60 cases × 2 columns = 120 requests',
  );
  await getButton(page, 'Use answers of a trial').click();
  const dialog = page.getByRole('dialog', { name: 'Use answers of a trial' });
  await expect(dialog).toContainText('60 of 60 cases shared');
  expect(await findAxeViolations(page)).toEqual([]);
  await getButton(page, /^Use column A/).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('columnheader', { name: /^Column A/ })).toContainText(
    'answered today in Same setup',
  );
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('How much is {{question}}');
  await getButton(page, /^Run 120 requests/).click();
  await waitUntilFinished(page);
  await expect(getVerdict(page)).toContainText(
    'anything else that changed since then counts as a difference, too',
  );
});

test(
  'lists a trial in the history, finds it by its cases, renames it and deletes it',
  { tag: '@soak' },
  async ({ page, bench, fixedDemo }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openTrials(page, fixedDemo.url);
    await page.getByRole('button', { name: /^Same setup twice/ }).click();
    await expect(page.getByRole('region', { name: 'Plan' })).toBeVisible();
    await page.getByRole('link', { name: 'Playground' }).click();
    await bench.sendAndWait('Hello');
    await page.getByRole('link', { name: 'History' }).click();
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    const trialRow = rows.filter({ hasText: 'Same setup twice' });
    await expect(trialRow).toContainText('60 cases × 2 columns');
    await expect(rows).toHaveCount(2);
    await expect(page.getByRole('status').filter({ hasText: '1 session and 1 trial' })).toBeVisible();
    const { cases } = starters[1] ?? { cases: [] };
    await page
      .getByRole('searchbox', { name: 'Search history' })
      .fill(Object.values(cases[7]?.values ?? {})[0] ?? '');
    await expect(rows).toHaveCount(1);
    await expect(trialRow.locator('mark').first()).toBeVisible();
    await checkScreen(page, 'the history with a trial');
    await getButton(page, /^Rename Same setup/).click();
    await page.getByRole('textbox', { name: 'Trial title' }).fill('Sums twice');
    await page.keyboard.press('Enter');
    const renamedLink = page.getByRole('link', { name: 'Sums twice', exact: true });
    await renamedLink.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sums twice');
    await page.goBack();
    await getButton(page, 'Delete Sums twice').click();
    await expect(renamedLink).toBeHidden();
    await getButton(page, 'Undo').click();
    await expect(renamedLink).toBeVisible();
  },
);

test('imports cases, runs, reads, marks and exports a trial with only the keyboard', async ({
  page,
  fixedDemo,
  pageErrors: _,
}) => {
  await openTrials(page, fixedDemo.url);
  await pressEnter(getButton(page, 'New trial'));
  const setup = page.getByRole('complementary', { name: 'Setup' });
  await expect(setup).toBeVisible();

  await pressEnter(setup.getByRole('button', { name: 'Import cases' }));
  const csvLines = [
    'ticket,team',
    ...starters[0]!.cases.slice(0, 16).map(({ values }) => `"${values['ticket']}",${values['team']}`),
  ];
  await page.getByRole('textbox', { name: 'Rows to import' }).fill(`${csvLines.join('\n')}\nodd,row,here\n`);
  await expect(page.getByRole('group', { name: 'Skipped lines' })).toContainText(
    'Line 18 has 3 fields instead of 2.',
  );
  const importSummary = page.getByRole('group', { name: 'Import options' });
  await expect(importSummary.getByRole('status')).toHaveText('Read as CSV with 2 columns: ticket, team.');
  await importSummary.getByRole('radio', { name: 'One per line' }).click();
  await expect(importSummary.getByRole('status')).toHaveText('Read as plain text, one case per line.');
  await expect(getButton(page, 'Add 18 cases')).toBeEnabled();
  await importSummary.getByRole('radio', { name: 'Table' }).click();
  await pressEnter(getButton(page, 'Add 16 cases'));
  await expect(getGrid(page)).toHaveAttribute('aria-rowcount', '17');

  const promptField = setup.getByRole('textbox', { name: 'Prompt', exact: true });
  await promptField.fill('{{ticket}}\nWhich team takes it: billing, delivery, account, product or legal?');
  await page.getByRole('combobox', { name: 'Model, column A' }).fill('demo/quiz');
  await page.keyboard.press('Enter');
  await pressEnter(setup.getByRole('button', { name: 'Add column' }));
  await expect(page.getByRole('columnheader', { name: /^Column B/ })).toBeVisible();
  await pressEnter(setup.getByRole('button', { name: 'Add check' }));
  await pressEnter(page.getByRole('menuitem', { name: /^Equals/ }));
  await expect(page.getByRole('complementary', { name: 'Check' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Equals decides' })).toBeChecked();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(getGrid(page)).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Enter');
  await waitUntilFinished(page);
  await expect(getVerdictHeading(page)).toContainText('A');
  const timePositions = await getGrid(page).evaluate(describeTimePositions);
  expect(timePositions.filter((position) => position !== 'in its cell')).toEqual([]);
  expect(timePositions.length).toBeGreaterThan(1);

  await getGrid(page).focus();
  await page.keyboard.press('Home');
  for (let column = 0; column < 3; column += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(getCellPanel(page)).toContainText('Case 2');
  await expect(getCellPanel(page).locator(':focus').or(page.locator('aside:focus'))).toHaveCount(1);
  await page.keyboard.press('0');
  await expect(getButton(page, /^Wrong/)).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Backspace');
  await expect(getButton(page, /^Wrong/)).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('Escape');
  await expect(getGrid(page)).toBeFocused();
  await page.keyboard.press('f');
  await expect(page.getByRole('radio', { name: 'All', exact: true })).toBeFocused();

  const downloadPromise = page.waitForEvent('download');
  await pressEnter(getButton(page, 'Export'));
  await pressEnter(page.getByRole('menuitem', { name: 'CSV', exact: true }));
  expect((await downloadPromise).suggestedFilename()).toMatch(/\.csv$/);
});

test('imports a promptfoo configuration with the files that it names, runs it and exports it', async ({
  page,
  fixedDemo,
  pageErrors: _,
}) => {
  const chooseFiles = async (button: string, files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    const chooserPromise = page.waitForEvent('filechooser');
    await getButton(page, button).click();
    await (await chooserPromise).setFiles(files);
  };
  const config = `description: Ticket routing
prompts: file://prompts/route.txt
providers:
  - openai:chat:demo/quiz
  - { id: 'openai:chat:demo/quiz', config: { temperature: 0, apiKey: sk-not-sent } }
tests: file://cases.csv
`;
  const csvRows = starters[0]!.cases
    .slice(0, 3)
    .map(({ values }) => `"${values['ticket']}",icontains: ${values['team']}`);
  const csv = [
    'ticket,__expected,__expected2',
    ...csvRows.map((row) => `${row},javascript: output.length > 2`),
  ].join('\n');
  await openTrials(page, fixedDemo.url);
  await chooseFiles('Import a trial', [
    { name: 'promptfooconfig.yaml', mimeType: 'application/yaml', buffer: Buffer.from(config) },
  ]);
  const dialog = page.getByRole('dialog', { name: 'Import a promptfoo configuration' });
  await expect(dialog.getByRole('group', { name: 'Missing files' })).toContainText(
    'Choose the files that this configuration names: prompts/route.txt and cases.csv.',
  );
  await chooseFiles('Choose files', [
    { name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) },
    { name: 'route.txt', mimeType: 'text/plain', buffer: Buffer.from('Which team? {{ticket}}') },
  ]);
  await expect(dialog.getByRole('status')).toHaveText('2 columns, 3 cases and 1 check');
  const sentences = dialog.getByRole('list', { name: 'Parts that were not read' });
  await expect(sentences).toContainText(
    '3 javascript assertions in 3 cases were not read: Bench runs no code.',
  );
  await expect(sentences).toContainText('1 provider setting “apiKey” was not read');
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create trial' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Ticket routing' })).toBeVisible();
  await getButton(page, /^Run 6 requests/).click();
  await waitUntilFinished(page);
  const downloadPromise = page.waitForEvent('download');
  await getButton(page, 'Export').click();
  await page.getByRole('menuitem', { name: /^promptfoo/ }).click();
  expect((await downloadPromise).suggestedFilename()).toMatch(/\.yaml$/);
});

/** Runs in the page: returns for each cell whether the time beside the answer lies inside the cell. */
function describeTimePositions(cases: HTMLElement | SVGElement): string[] {
  return [...cases.querySelectorAll('[role=gridcell][data-column]')].map((cellElement) => {
    const cellBox = cellElement.getBoundingClientRect();
    const { width, left, right, top, bottom } =
      cellElement.nextElementSibling?.getBoundingClientRect() ?? cellBox;
    const isWithin =
      left >= cellBox.left && right <= cellBox.right && top >= cellBox.top && bottom <= cellBox.bottom;
    return isWithin && width < cellBox.width
      ? 'in its cell'
      : `${left} to ${right}, not in ${cellBox.left} to ${cellBox.right}`;
  });
}

test('presents a trial once it has a verdict, and returns the focus', async ({
  page,
  fixedDemo,
  pageErrors: _,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const presentButton = getButton(page, 'Present');
  const stage = page.getByRole('dialog', { name: 'Presentation' });
  await openTrials(page, fixedDemo.url);
  await expect(presentButton).toBeDisabled();
  await expect(presentButton).toHaveAccessibleDescription('Open a session or a trial first');
  await getButton(page, /^Which setup routes tickets better\?/).click();
  await expect(presentButton).toHaveAccessibleDescription('Run the trial first');
  await getButton(page, /^Run \d/).click();
  await waitUntilFinished(page);
  await presentButton.focus();
  await page.keyboard.press('Alt+Shift+P');
  await expect(stage).toBeFocused();
  await expect(stage.getByRole('heading')).toContainText('is better than');
  for (const sceneName of ['Verdict', 'Case 1 of 5']) {
    await expect(stage.getByRole('status')).toHaveText(sceneName);
    await checkScreen(page, sceneName);
    await page.keyboard.press('PageDown');
  }
  await page.keyboard.press('Escape');
  await expect(stage).toBeHidden();
  await expect(presentButton).toBeFocused();
  await pressEnter(presentButton);
  await expect(stage).toBeFocused();
});

const titleSuffix = 'no axe violations in either theme, no horizontal overflow';

async function checkScreen(page: Page, name: string): Promise<void> {
  expect(await findAxeViolations(page), name).toEqual([]);
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test(
  `checks the page without trials and a draft: ${titleSuffix}`,
  { tag: '@soak' },
  async ({ page, fixedDemo, pageErrors: _ }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openTrials(page, fixedDemo.url);
    await expect(page.getByRole('button', { name: /^Same setup twice/ })).toBeVisible();
    await checkScreen(page, 'no trials');
    await page.getByRole('button', { name: /^Which setup is fastest/ }).click();
    await expect(page.getByRole('region', { name: 'Plan' })).toBeVisible();
    await checkScreen(page, 'a draft');
  },
);

test(
  `checks a finished trial with an open cell, its numbers and a breakdown: ${titleSuffix}`,
  { tag: '@soak' },
  async ({ page, fixedDemo, pageErrors: _ }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openTrials(page, fixedDemo.url);
    await page.getByRole('button', { name: /^Which setup routes tickets better\?/ }).click();
    await page.getByRole('button', { name: /^Run \d/ }).click();
    await waitUntilFinished(page);
    await page.getByRole('gridcell', { name: /^Case 2, column B: / }).click();
    await expect(getCellPanel(page).getByLabel('Answer')).toBeVisible();
    await checkScreen(page, 'a cell');
    await page.keyboard.press('Escape');
    await getButton(page, 'How this is calculated').click();
    await checkScreen(page, 'how it is counted');
    await getButton(page, 'Break down by field').click();
    const table = page.getByRole('table', { name: 'Breakdown by team' });
    await expect(table).toBeVisible();
    await checkScreen(page, 'a breakdown');
    await table.getByRole('button').first().click();
    await expect(getButton(page, /^Remove filter team: /)).toBeFocused();
    await checkScreen(page, 'cases with one value');
  },
);

test(
  `checks the check editor and the list of trials: ${titleSuffix}`,
  { tag: '@soak' },
  async ({ page, fixedDemo, pageErrors: _ }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await runStarter(page, fixedDemo.url);
    await getButton(page, /^Checks/).click();
    await getButton(page, 'right number').click();
    await expect(page.getByRole('complementary', { name: 'Check' })).toContainText('passed');
    await checkScreen(page, 'a check');
    await page.getByRole('link', { name: 'Trials' }).click();
    await expect(page.getByRole('table', { name: 'Trials' })).toBeVisible();
    await checkScreen(page, 'the list');
  },
);
