// What is measured. Each can be opened, made ready for a number of columns, and started.

/** Most that a run of a subject may be expected to take before a size is left out, in milliseconds of CPU. */
export const SUBJECTS = [
  { name: 'floor', label: 'plain lines (floor)', page: 'floor' },
  { name: 'leaf', label: 'Bench, renderer alone', page: 'leaf' },
  { name: 'app', label: 'Bench, the built app', page: undefined },
  { name: 'streamdown', label: 'streamdown', page: 'streamdown' },
  { name: 'streamdown-full', label: 'streamdown, highlighting and math', page: 'streamdown-full' },
  { name: 'react-markdown', label: 'react-markdown, gfm', page: 'react-markdown' },
  {
    name: 'react-markdown-full',
    label: 'react-markdown, gfm, highlighting, math',
    page: 'react-markdown-full',
  },
];

/** Opens the subject with so many columns; `start` begins the stream, `ended` resolves when the page is through. */
export async function openSubject({ subject, columns, open, pagesUrl, benchUrl }) {
  if (subject.page !== undefined) {
    const opened = await open(`${pagesUrl}/${subject.page}.html`);
    const { page } = opened;
    await page.waitForFunction(() => typeof window.startColumns === 'function');
    return {
      ...opened,
      start: () =>
        page.evaluate((count) => {
          window.columnsEnded = window.startColumns(count);
        }, columns),
      ended: () => page.evaluate(() => window.columnsEnded).then(() => undefined),
      textBox: page.locator('#key'),
    };
  }
  const opened = await open(benchUrl);
  const { page } = opened;
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.waitFor();
  for (let lane = 1; lane < columns; lane += 1) await page.getByRole('button', { name: 'Add lane' }).click();
  const models = page.getByRole('combobox', { name: 'Model' });
  for (let lane = 0; lane < columns; lane += 1) {
    await models.nth(lane).fill('demo/recording');
    await models.nth(lane).press('Enter');
  }
  await message.fill('Play the recording.');
  // The views of messages are fetched when the page is idle.
  await page.waitForTimeout(1_500);
  return {
    ...opened,
    start: () => message.press('Enter'),
    ended: () =>
      page.waitForFunction(
        (count) => document.querySelectorAll('[data-status="complete"]').length >= count,
        columns,
        { timeout: 0, polling: 250 },
      ),
    textBox: message,
  };
}
