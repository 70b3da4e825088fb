// What opening the embeddings lab loads from the built app beyond what the page has loaded already.
import { gzipSync } from 'node:zlib';

/** Bytes gzip -9 of JavaScript by file, of everything that the view's tabs load, the worker included. */
export async function viewSize(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  const files = new Map();
  let isCounting = false;
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (isCounting && pathname.endsWith('.js')) files.set(pathname, response.body());
  });
  // The chat's own chunks are not the view's: they load when the page is idle.
  await page.goto(address);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(2_000);
  isCounting = true;
  await page.getByRole('link', { name: 'Embeddings' }).first().click();
  await page.getByRole('textbox', { name: 'Texts' }).waitFor();
  await page
    .getByRole('textbox', { name: 'Texts' })
    .fill('one\ntwo things\nthree\nfour things\nfive\nsix things');
  await page.getByRole('button', { name: /^Embed/ }).click();
  await page.getByRole('img', { name: 'Map' }).waitFor();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await page.waitForTimeout(500);
  }
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(
    [...files].map(async ([name, body]) => ({
      name,
      bytes: gzipSync(await body.catch(() => Buffer.alloc(0)), { level: 9 }).length,
    })),
  );
  await context.close();
  return sizes.toSorted((one, other) => other.bytes - one.bytes);
}
