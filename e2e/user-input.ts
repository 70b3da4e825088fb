import type { Locator } from 'playwright/test';

/** Focuses a control and presses Enter. */
export async function pressEnter(control: Locator): Promise<void> {
  await control.focus();
  await control.press('Enter');
}
