import type { Locator, Page } from 'playwright/test';

/** The button of this whole name, or whose name is like this. */
export const getButton = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** The end of a trial, however long this machine takes for its answers. */
export async function waitUntilFinished(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^Finished \d/ })
    .waitFor();
}
