/** Parts of the app's chat page, found by their accessible names. */
export const getMessageField = (page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Opens the given number of lanes with the given model. */
export async function openLanes(page, model, lanes = 1) {
  await getMessageField(page).waitFor();
  for (let lane = 1; lane < lanes; lane += 1) await page.getByRole('button', { name: 'Add lane' }).click();
  const models = page.getByRole('combobox', { name: 'Model' });
  for (let lane = 0; lane < lanes; lane += 1) {
    await models.nth(lane).fill(model);
    await models.nth(lane).press('Enter');
  }
  // Lazy modules are loaded when the page is idle.
  await page.waitForTimeout(1_500);
}

export const waitForAnswers = (page, count = 1) =>
  page.waitForFunction(
    (expectedCount) => document.querySelectorAll('[data-status="complete"]').length >= expectedCount,
    count,
    { polling: 250, timeout: 0 },
  );

/** Returns the text of the exported visible session. */
export async function exportSession(page) {
  await page.getByRole('button', { name: 'Session menu' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export', exact: true }).click(),
  ]);
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
