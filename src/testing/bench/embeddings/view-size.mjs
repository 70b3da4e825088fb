// What opening the embeddings lab loads from the built app beyond what the chat loads as well.
import { gzipSync } from 'node:zlib';

/**
 * Files of JavaScript and their bytes gzip -9, the worker's included. `isFirst`: loaded to embed texts and show them in
 * the four views of the overview; the others come with what was done afterwards: every tab, and a map by UMAP.
 */
export async function viewSize(browser, address) {
  const chat = await loadedBy(browser, address, [
    async (page) => await page.getByRole('textbox', { name: 'Message' }).waitFor(),
  ]);
  const lab = await loadedBy(browser, new URL('/embeddings', address).href, [showOverview, useAll]);
  return [...lab]
    .filter(([name]) => !chat.has(name))
    .map(([name, { body, visit }]) => ({
      name,
      bytes: gzipSync(body, { level: 9 }).length,
      isFirst: visit === 0,
    }))
    .toSorted((one, other) => other.bytes - one.bytes);
}

/** More texts than a table of cells takes: the matrix is a picture as well. */
async function showOverview(page) {
  const lines = Array.from({ length: 60 }, (_, at) => `text number ${at} is about ${at % 7} and ${at % 5}`);
  await page.getByRole('textbox', { name: 'Texts', exact: true }).fill(lines.join('\n'));
  await page.getByRole('button', { name: /^Embed/ }).click();
  await page.getByRole('img', { name: /^Map/ }).waitFor();
  await page.getByRole('grid', { name: 'Similarity' }).waitFor();
  await page.getByRole('img', { name: 'Neighbours kept at each size' }).waitFor();
  await page.getByRole('region', { name: 'Nearest view' }).waitFor();
}

async function useAll(page) {
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await page.waitForTimeout(500);
  }
  await page.getByRole('tab', { name: 'Map' }).click();
  await page.getByRole('radio', { name: 'UMAP' }).click();
  await page
    .getByText(/true neighbours/)
    .first()
    .waitFor();
}

/** The scripts that the visits ask for, each until nothing more came for three seconds: parts load when the page is idle. */
async function loadedBy(browser, address, visits) {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  const files = new Map();
  let heardAt = Date.now();
  let visit = 0;
  const bodies = [];
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    heardAt = Date.now();
    const askedIn = visit;
    bodies.push(
      response.body().then(
        (body) => files.has(pathname) || files.set(pathname, { body, visit: askedIn }),
        () => undefined,
      ),
    );
  });
  await page.goto(address);
  for (const act of visits) {
    await act(page);
    while (Date.now() - heardAt < 3_000) await page.waitForTimeout(500);
    visit += 1;
  }
  await Promise.all(bodies);
  await context.close();
  return files;
}
