/** A part of the page that cannot be drawn or loaded leaves the other parts as they are. */
import { expect, test } from './fixtures.ts';

test('a tool bar and a foot that cannot be drawn say so, what cannot be fetched is tried again, and everything else goes on', async ({
  bench,
  server,
  gateway,
  page,
  complaints,
}) => {
  await page.addInitScript(() => {
    const create = document.createElement.bind(document);
    document.createElement = (name: string, options?: ElementCreationOptions) => {
      if (name === 'canvas') throw new Error('no pictures today');
      const made = create(name, options);
      if (name !== 'input') return made;
      const set = made.setAttribute.bind(made);
      made.setAttribute = (key: string, value: string) => {
        if (key === 'aria-label' && value === 'Author name') throw new Error('no names today');
        set(key, value);
      };
      return made;
    };
  });
  gateway.setChatScript((answer) => answer.sendAnswer(`Fine ${gateway.posts.length}`));
  await bench.open(server.url);
  await bench.ask('First');
  await expect(page.getByRole('group', { name: 'The toolbar' })).toHaveText(
    /The toolbar could not be displayed \(no names today\)/,
  );
  await expect(page.getByRole('group', { name: 'The footer of lane A' })).toContainText('no pictures today');
  await expect(bench.reply(1)).toContainText('Fine 1');
  await bench.ask('Second');
  await expect(bench.reply(2)).toContainText('Fine 2');

  await test.step('what cannot be fetched says so in its place, and Try again draws it', async () => {
    const code = '**/assets/keys-sheet-*.js';
    await page.route(code, (route) => route.abort());
    await bench.lastReply.click();
    await page.keyboard.press('?');
    const lost = page.getByRole('group', { name: 'The list of keys' });
    await expect(lost).toContainText('could not be loaded. Check the connection, then try again.');
    await expect(lost).toBeInViewport({ ratio: 1 });
    await lost.getByRole('button', { name: 'Close' }).click();
    await expect(lost).toHaveCount(0);
    await bench.lastReply.click();
    await page.keyboard.press('?');
    await expect(lost).toBeVisible();
    await page.unroute(code);
    await lost.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expect(lost).toHaveCount(0);
  });

  // React tells the console of what the boundaries caught; nothing else may have been said.
  expect(
    complaints.filter((complaint) => !/no (?:names|pictures) today|could not be loaded/.test(complaint)),
  ).toEqual([]);
  complaints.length = 0;
});
