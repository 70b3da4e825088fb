// What opening the embeddings lab loads from the built app beyond what the chat loads as well.
import { gzipSync } from 'node:zlib';

/** Files of JavaScript and their bytes gzip -9: all that the tabs of the view load, its worker included. */
export async function viewSize(browser, address) {
  const chat = await loadedBy(browser, address, async (page) => {
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });
  const lab = await loadedBy(browser, new URL('/embeddings', address).href, async (page) => {
    const texts = page.getByRole('textbox', { name: 'Texts', exact: true });
    await texts.fill('one\ntwo things\nthree\nfour things\nfive\nsix things');
    await page.getByRole('button', { name: /^Embed/ }).click();
    await page.getByRole('img', { name: /^Map/ }).waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page.waitForTimeout(500);
    }
  });
  return [...lab]
    .filter(([name]) => !chat.has(name))
    .map(([name, body]) => ({ name, bytes: gzipSync(body, { level: 9 }).length }))
    .toSorted((one, other) => other.bytes - one.bytes);
}

/** The scripts that a visit asks for, until nothing more came for three seconds: parts load when the page is idle. */
async function loadedBy(browser, address, visit) {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  const files = new Map();
  let heardAt = Date.now();
  const bodies = [];
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    heardAt = Date.now();
    bodies.push(
      response.body().then(
        (body) => files.set(pathname, body),
        () => undefined,
      ),
    );
  });
  await page.goto(address);
  await visit(page);
  while (Date.now() - heardAt < 3_000) await page.waitForTimeout(500);
  await Promise.all(bodies);
  await context.close();
  return files;
}
