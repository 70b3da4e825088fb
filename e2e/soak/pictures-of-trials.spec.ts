/** The states of the design's pictures trials-*, compared with how they last looked. README.md says how. */
import type { Page } from 'playwright/test';

import type { BenchServer } from '../bench-server.ts';
import { withFixedDemo } from '../fixed-demo.ts';
import { expect } from '../fixtures.ts';
import { appears, desktop, looksAsBefore, phone, test as base } from '../looks/looks-as-before.ts';
import { button } from '../trial-page.ts';

const test = base.extend<object, { fixed: BenchServer }>(withFixedDemo);

/** Begins the first starter; its cases are drawn in the same order each time. */
async function openStarter(page: Page): Promise<void> {
  await button(page, /^Which column routes/).click();
  await appears(page, page.getByRole('region', { name: 'Plan' }));
  const seed = page.getByRole('complementary', { name: 'Setup' }).getByRole('spinbutton', { name: /seed/i });
  await seed.fill('7');
  await seed.blur();
}

/** The list of trials, at a time that goes on by itself. */
async function openTrials(page: Page, url: string): Promise<void> {
  await page.setViewportSize(desktop);
  await page.clock.install({ time: new Date('2025-06-17T14:21:00') });
  await page.goto(new URL('/trials', url).href);
  await appears(page, button(page, /^Which column routes/));
}

const ended = (page: Page) =>
  appears(
    page,
    page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /^Finished \d/ }),
  );

test('a trial from the empty page to its cells, on a desk and on a phone', async ({
  fixed,
  page,
  complaints: _,
}, info) => {
  await openTrials(page, fixed.url);
  await looksAsBefore(page, info, 'trials-empty');
  await openStarter(page);
  await looksAsBefore(page, info, 'trials-draft');
  await page
    .getByRole('button', { name: 'Edit right team' })
    .or(button(page, /right team/))
    .first()
    .click();
  await appears(page, page.getByRole('complementary', { name: 'Check' }));
  await looksAsBefore(page, info, 'trials-checks');
  await page.keyboard.press('Escape');
  await button(page, 'Back to the cases').click();
  await button(page, /^Run \d/).click();
  await ended(page);
  await looksAsBefore(page, info, 'trials-done');
  await page.setViewportSize(phone);
  await looksAsBefore(page, info, 'trials-phone');
  await page.setViewportSize(desktop);
  await button(page, 'How this is counted').click();
  await appears(page, page.getByRole('table', { name: 'Counts' }));
  await looksAsBefore(page, info, 'trials-counted');
  await page.keyboard.press('Escape');
  await page.getByRole('gridcell', { name: /^Case 3, column B: / }).click();
  await appears(page, page.getByRole('complementary', { name: 'Cell' }));
  await looksAsBefore(page, info, 'trials-cell');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Trials' }).click();
  await expect(page.getByRole('table', { name: 'Trials' })).toContainText('Finished');
  await looksAsBefore(page, info, 'trials-list');
});

test('a trial that runs, and one whose column has stopped', async ({
  gateway,
  paced,
  page,
  complaints: _,
}, info) => {
  gateway.models = { object: 'list', data: [{ id: 'north/one' }, { id: 'north/two' }] };
  let count = 0;
  // Twelve answers come, the others are under way for good.
  gateway.onChat((answer, { body }) => {
    count += 1;
    const isLegal = body['model'] === 'north/two' && JSON.stringify(body).length % 3 === 0;
    if (count <= 12) answer.whole(`{"team":"${isLegal ? 'legal' : 'billing'}"}`);
  });
  await openTrials(page, paced.url);
  await openStarter(page);
  await button(page, /^Run \d/).click();
  await expect(page.getByRole('progressbar', { name: 'Cases counted' })).toHaveAttribute(
    'aria-valuetext',
    '6 of 60',
  );
  await looksAsBefore(page, info, 'trials-running');
  await button(page, 'Stop').click();
  await expect(button(page, 'Stop')).toBeHidden();

  gateway.onChat((answer, { body }) => {
    if (body['model'] === 'north/one') return answer.whole('{"team":"billing"}');
    answer.json(400, { error: { message: 'Unknown field thinking_budget', type: 'invalid_request_error' } });
  });
  await page.getByRole('link', { name: 'Trials' }).click();
  await openStarter(page);
  await button(page, /^Run \d/).click();
  await appears(page, page.getByRole('heading', { name: 'Column B has stopped.' }));
  await looksAsBefore(page, info, 'trials-states');
});
