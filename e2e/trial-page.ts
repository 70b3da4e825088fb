import type { Locator, Page } from 'playwright/test';

/** Returns the button with exactly this name, or with a name that matches the pattern. */
export const getButton = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Waits for the end of a trial without a time limit, since answers may be slow on a busy machine. */
export async function waitUntilFinished(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^Finished \d/ })
    .waitFor();
}
