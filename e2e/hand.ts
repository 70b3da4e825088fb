import type { Locator } from 'playwright/test';

/** As one who has no pointer: keys have led there, so this is not a second press of what was used before. */
export async function enter(control: Locator): Promise<void> {
  await control.focus();
  await control.press('F9');
  await control.press('Enter');
}
