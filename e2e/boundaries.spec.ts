/** Tests that if one part of the page fails to render or load, the other parts still work. */
import { expect, test } from './fixtures.ts';

test('shows a notice for parts that fail to render or load, and keeps the other parts working', async ({
  bench,
  server,
  gateway,
  page,
  pageErrors,
}) => {
  await page.addInitScript(() => {
    const createElement = document.createElement.bind(document);
    document.createElement = (name: string, options?: ElementCreationOptions) => {
      if (name === 'canvas') throw new Error('images failed on purpose');
      const element = createElement(name, options);
      if (name !== 'input') return element;
      const setAttribute = element.setAttribute.bind(element);
      element.setAttribute = (key: string, value: string) => {
        if (key === 'aria-label' && value === 'Author name') throw new Error('names failed on purpose');
        setAttribute(key, value);
      };
      return element;
    };
  });
  gateway.setChatScript((answer) => answer.sendAnswer(`Fine ${gateway.posts.length}`));
  await bench.open(server.url);
  await bench.sendAndWait('First');
  await expect(page.getByRole('group', { name: 'The message toolbar' })).toHaveText(
    /The message toolbar could not be displayed\. names failed on purpose/,
  );
  await expect(page.getByRole('group', { name: 'The footer of lane A' })).toContainText(
    'images failed on purpose',
  );
  await expect(bench.getReply(1)).toContainText('Fine 1');
  await bench.sendAndWait('Second');
  await expect(bench.getReply(2)).toContainText('Fine 2');

  await test.step('shows a load failure in place of the part and renders the part on Try again', async () => {
    const chunkPattern = '**/assets/shortcuts-sheet-*.js';
    await page.route(chunkPattern, (route) => route.abort());
    await bench.lastReply.click();
    await page.keyboard.press('?');
    const loadError = page.getByRole('group', { name: 'The list of keyboard shortcuts' });
    await expect(loadError).toContainText(
      'Could not load part of the app. Check your connection and try again.',
    );
    await expect(loadError).toBeInViewport({ ratio: 1 });
    await loadError.getByRole('button', { name: 'Close' }).click();
    await expect(loadError).toHaveCount(0);
    await bench.lastReply.click();
    await page.keyboard.press('?');
    await expect(loadError).toBeVisible();
    await page.unroute(chunkPattern);
    await loadError.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expect(loadError).toHaveCount(0);
  });

  // React logs errors caught by boundaries; no other error may have been logged.
  expect(
    pageErrors.filter(
      (pageError) => !/(?:names|images) failed on purpose|Could not load part of the app/.test(pageError),
    ),
  ).toEqual([]);
  pageErrors.length = 0;
});
