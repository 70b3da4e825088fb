import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from './fixtures.ts';

const rootPath = path.resolve(import.meta.dirname, '..');
const clientPath = path.join(rootPath, 'dist/client');

/** Maximum bytes, after `gzip -9`, that a first visit loads before the composer is ready. */
const initialBudgets = { js: 250_000, css: 30_000 };
/**
 * Maximum bytes that the embeddings lab adds to the code loaded on every visit. Its worker loads with the first
 * vectors.
 */
const labBudgetBytes = 90_000;

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Reads the built files as sent to browsers, without their compressed copies. */
function readBuiltFiles(): { name: string; text: string }[] {
  return listFiles(clientPath)
    .filter((file) => !/\.(?:br|gz)$/.test(file))
    .map((file) => ({ name: path.relative(clientPath, file), text: readFileSync(file, 'latin1') }));
}

const stringLiteralPattern = /'((?:[^'\\\n]|\\.){12,})'|"((?:[^"\\\n]|\\.){12,})"/g;

/**
 * Returns string literals that occur only in the sources of these folders: a built file with one of them includes their
 * code.
 */
function findUniqueStrings(folders: string[]): string[] {
  const isTest = (file: string) => /\.test\.ts$|[\\/]testing[\\/]|testing-|__fixtures__/.test(file);
  const sources = listFiles(path.join(rootPath, 'src')).filter(
    (file) => /\.(?:tsx?|css)$/.test(file) && !isTest(file),
  );
  const isInFolders = (file: string) =>
    folders.some((folder) => file.startsWith(path.join(rootPath, 'src', folder) + path.sep));
  // The documentation pages also end up in the browser, so their text counts as other text.
  const pages = listFiles(path.join(rootPath, 'src/documentation')).filter((file) => file.endsWith('.md'));
  const otherText = [...sources.filter((file) => !isInFolders(file)), ...pages]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const literals = sources.filter(isInFolders).flatMap((file) => {
    const code = readFileSync(file, 'utf8').replace(/^(?:import|export) .*$/gm, '');
    return [...code.matchAll(stringLiteralPattern)].map((match) => match[1] ?? match[2] ?? '');
  });
  const isDistinctive = (text: string) =>
    !text.includes('\\') && /\w[ -]\w/.test(text) && !otherText.includes(text);
  return [...new Set(literals)].filter(isDistinctive);
}

test('builds a client without server code, gallery, secrets or source maps, and with a separate lab file', async () => {
  const files = readBuiltFiles();
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(1);

  await test.step('contains no server or demo gateway code', () => {
    for (const folder of ['server', 'demo-gateway']) {
      const uniqueStrings = findUniqueStrings([folder]);
      expect(uniqueStrings.length, `${folder} has unique strings to search for`).toBeGreaterThan(40);
      // Finding the same strings in the server build proves that the search works.
      const serverBuild = listFiles(path.join(rootPath, 'dist/server'))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
      expect(uniqueStrings.filter((text) => serverBuild.includes(text)).length).toBeGreaterThan(20);
      for (const { name, text } of files) {
        expect(
          uniqueStrings.filter((uniqueString) => text.includes(uniqueString)),
          `${name} contains code of ${folder}`,
        ).toEqual([]);
      }
    }
  });

  await test.step('contains no gallery code', () => {
    const uniqueStrings = findUniqueStrings(['app/gallery']);
    expect(uniqueStrings.length).toBeGreaterThan(10);
    for (const { name, text } of files) {
      expect(name).not.toContain('gallery');
      expect(
        uniqueStrings.filter((uniqueString) => text.includes(uniqueString)),
        name,
      ).toEqual([]);
    }
  });

  await test.step('contains no source maps, secret names or local paths', () => {
    for (const { name, text } of files) {
      expect(name).not.toMatch(/\.map$/);
      expect(text, name).not.toContain('sourceMappingURL');
      expect(text, `${name} is a production build`).not.toContain('jsxDEV');
      // Code snippets for copying read their key from process.env; no other file has a reason to mention it.
      if (!/code-view|code-snippet/.test(name)) expect(text, name).not.toContain('process.env');
      expect(text, name).not.toContain(rootPath);
    }
  });

  await test.step('imports the embeddings lab statically from no file', () => {
    const labScript = scripts
      .map(({ name }) => path.basename(name))
      .find((name) => name.startsWith('embeddings-screen-'));
    expect(labScript).toBeDefined();
    const importers = scripts.filter(({ text }) => text.includes(`from"./${labScript}"`));
    expect(importers.map(({ name }) => name)).toEqual([]);
  });

  await test.step('keeps the embeddings lab within its budget', () => {
    /** Returns the scripts with these names and all their static imports. */
    const collectImports = (...names: string[]) => {
      const importedScripts = new Set(
        scripts.filter(({ name }) => names.some((prefix) => name.includes(`/${prefix}-`))),
      );
      for (const { text } of importedScripts)
        for (const script of scripts)
          if (text.includes(`from"./${path.basename(script.name)}"`)) importedScripts.add(script);
      return importedScripts;
    };
    // Every visit also loads the popups, right after the first paint.
    const appScripts = collectImports('app', 'model-picker-field', 'menu-popup', 'select-field');
    const sizes = [...collectImports('embeddings-screen')]
      .filter((script) => !appScripts.has(script))
      .map(({ name, text }) => [name, gzipSync(Buffer.from(text, 'latin1'), { level: 9 }).length] as const);
    expect(sizes.length).toBeGreaterThan(1);
    expect(
      sizes.reduce((sum, [, bytes]) => sum + bytes, 0),
      sizes.map(([name, bytes]) => `${name} ${bytes}`).join('\n'),
    ).toBeLessThanOrEqual(labBudgetBytes);
  });
});

/**
 * Runs in the page: sets a performance mark when the composer appears. Messages submitted that early are sent
 * automatically later.
 */
function markWhenReady(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('textarea[aria-label^=Message]')) return;
    performance.mark('ready to write');
    observer.disconnect();
  });
  observer.observe(document, { subtree: true, childList: true });
}

/** Runs in the page: returns the scripts and styles that had loaded before the composer appeared. */
function listFilesBeforeReady(): string[] {
  const readyAt = performance.getEntriesByName('ready to write')[0]?.startTime;
  if (readyAt === undefined) throw new Error('The composer did not become ready');
  const files = performance
    .getEntriesByType('resource')
    .filter((file) => file instanceof PerformanceResourceTiming && file.responseEnd <= readyAt);
  return files.map(({ name }) => new URL(name).pathname).filter((name) => /\.(?:js|css)$/.test(name));
}

test('keeps the initial load within its budget, and its files compressed and cached forever except the page', async ({
  bench,
  server,
  page,
  request,
}) => {
  await page.addInitScript(markWhenReady);
  await bench.open(server.url);
  const names = await page.evaluate(listFilesBeforeReady);
  for (const [extension, budgetBytes] of Object.entries(initialBudgets)) {
    const sizes = names
      .filter((name) => name.endsWith(extension))
      .map(
        (name) => [name, gzipSync(readFileSync(path.join(clientPath, name)), { level: 9 }).length] as const,
      );
    expect(sizes.length).toBeGreaterThan(0);
    const sizeList = sizes.map(([name, bytes]) => `${name} ${bytes}`).join('\n');
    expect(
      sizes.reduce((sum, [, bytes]) => sum + bytes, 0),
      sizeList,
    ).toBeLessThanOrEqual(budgetBytes);
    // Modules of other screens and editors load on demand.
    expect(sizeList).not.toMatch(/history-screen|embeddings-screen|json-editor/);
  }

  const pageResponse = await request.get(server.url, { headers: { accept: 'text/html' } });
  expect(pageResponse.headers()['cache-control']).toMatch(/no-cache|no-store/);
  for (const name of names) {
    if (readFileSync(path.join(clientPath, name)).length < 1024) continue;
    const fileResponse = await request.get(new URL(name, server.url).href, {
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(fileResponse.headers()['content-encoding'], name).toMatch(/^(?:br|gzip)$/);
    expect(fileResponse.headers()['cache-control'], name).toContain('immutable');
  }
});
