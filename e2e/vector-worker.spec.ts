import { expect, test } from './fixtures.ts';

/** Compiles an empty WebAssembly module; returns the outcome or the error. */
function compile(): string {
  try {
    const { length } = WebAssembly.Module.exports(
      new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)),
    );
    return `compiled, ${length} exports`;
  } catch (error) {
    return String(error);
  }
}

test('allows WebAssembly only in the vector worker', { tag: '@soak' }, async ({ page, demo }) => {
  await page.goto(new URL('/embeddings', demo.url).href);
  await page.getByRole('textbox', { name: 'Texts', exact: true }).fill('one text\nanother text\na third');
  await page.getByRole('button', { name: /^Embed/ }).click();
  await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
  const workers = page.workers().filter((worker) => worker.url().includes('/assets/vector-worker-'));
  expect(workers.length).toBeGreaterThan(0);
  for (const worker of workers) expect(await worker.evaluate(compile)).toBe('compiled, 0 exports');
  expect(await page.evaluate(compile)).toContain('Content Security Policy');
});
