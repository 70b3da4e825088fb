import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from './fixtures.ts';

const root = path.resolve(import.meta.dirname, '..');
const client = path.join(root, 'dist/client');

/** What a first visit may load before one can write, as `gzip -9` would send it. */
const budgets = { js: 250_000, css: 30_000 };
/** What the embeddings lab may add to what every visit loads; its worker comes with the first vectors. */
const labBudget = 90_000;

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The built files as a browser gets them, without their compressed twins. */
function builtFiles(): { name: string; text: string }[] {
  return filesOf(client)
    .filter((file) => !/\.(?:br|gz)$/.test(file))
    .map((file) => ({ name: path.relative(client, file), text: readFileSync(file, 'latin1') }));
}

const quoted = /'((?:[^'\\\n]|\\.){12,})'|"((?:[^"\\\n]|\\.){12,})"/g;

/** Sentences and headers of these sources that stand in no source of the browser's: what only they can bring along. */
function ownStrings(folders: string[]): string[] {
  const isTest = (file: string) => /\.test\.ts$|[\\/]testing[\\/]|testing-|__fixtures__/.test(file);
  const sources = filesOf(path.join(root, 'src')).filter(
    (file) => /\.(?:tsx?|css)$/.test(file) && !isTest(file),
  );
  const isTheirs = (file: string) =>
    folders.some((folder) => file.startsWith(path.join(root, 'src', folder) + path.sep));
  // The pages of the documentation are shown in the browser, too.
  const pages = filesOf(path.join(root, 'src/documentation')).filter((file) => file.endsWith('.md'));
  const shared = [...sources.filter((file) => !isTheirs(file)), ...pages]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const found = sources.filter(isTheirs).flatMap((file) => {
    const code = readFileSync(file, 'utf8').replace(/^(?:import|export) .*$/gm, '');
    return [...code.matchAll(quoted)].map((match) => match[1] ?? match[2] ?? '');
  });
  const isDistinctive = (text: string) =>
    !text.includes('\\') && /\w[ -]\w/.test(text) && !shared.includes(text);
  return [...new Set(found)].filter(isDistinctive);
}

test('what is built for the browser holds nothing of the server or the gallery, no secret and no map, and the lab in a file of its own', async () => {
  const files = builtFiles();
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(1);

  await test.step('no byte of the server or of the demo gateway', () => {
    for (const folder of ['server', 'demo-gateway']) {
      const texts = ownStrings([folder]);
      expect(texts.length, `${folder} has strings of its own to look for`).toBeGreaterThan(40);
      // The same strings are in the server's build: the search would find them.
      const serverBuild = filesOf(path.join(root, 'dist/server'))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
      expect(texts.filter((text) => serverBuild.includes(text)).length).toBeGreaterThan(20);
      for (const { name, text } of files) {
        expect(
          texts.filter((own) => text.includes(own)),
          `${name} holds what belongs to ${folder}`,
        ).toEqual([]);
      }
    }
  });

  await test.step('no byte of the gallery', () => {
    const texts = ownStrings(['app/gallery']);
    expect(texts.length).toBeGreaterThan(10);
    for (const { name, text } of files) {
      expect(name).not.toContain('gallery');
      expect(
        texts.filter((own) => text.includes(own)),
        name,
      ).toEqual([]);
    }
  });

  await test.step('no source maps, no names of secrets, nothing of this machine', () => {
    for (const { name, text } of files) {
      expect(name).not.toMatch(/\.map$/);
      expect(text, name).not.toContain('sourceMappingURL');
      expect(text, `${name} is built for use`).not.toContain('jsxDEV');
      // The snippets that one copies read their key there; no other file has reason to name it.
      if (!/code-view|code-snippet/.test(name)) expect(text, name).not.toContain('process.env');
      expect(text, name).not.toContain(root);
    }
  });

  await test.step('no other file brings the embeddings lab along', () => {
    const lab = scripts
      .map(({ name }) => path.basename(name))
      .find((name) => name.startsWith('embeddings-screen-'));
    expect(lab).toBeDefined();
    const importers = scripts.filter(({ text }) => text.includes(`from"./${lab}"`));
    expect(importers.map(({ name }) => name)).toEqual([]);
  });

  await test.step('the embeddings lab fits its budget', () => {
    /** The script of this name, and all that it imports at once. */
    const neededBy = (...names: string[]) => {
      const needed = new Set(scripts.filter(({ name }) => names.some((one) => name.includes(`/${one}-`))));
      for (const { text } of needed)
        for (const script of scripts)
          if (text.includes(`from"./${path.basename(script.name)}"`)) needed.add(script);
      return needed;
    };
    const everywhere = neededBy('app');
    const sizes = [...neededBy('embeddings-screen')]
      .filter((script) => !everywhere.has(script))
      .map(({ name, text }) => [name, gzipSync(Buffer.from(text, 'latin1'), { level: 9 }).length] as const);
    expect(sizes.length).toBeGreaterThan(1);
    expect(
      sizes.reduce((sum, [, bytes]) => sum + bytes, 0),
      sizes.map(([name, bytes]) => `${name} ${bytes}`).join('\n'),
    ).toBeLessThanOrEqual(labBudget);
  });
});

/** Runs in the page: marks the moment when the composer is there to be written in. What is sent so early goes out by itself. */
function noteWhenReady(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('textarea[aria-label^=Message]')) return;
    performance.mark('ready to write');
    observer.disconnect();
  });
  observer.observe(document, { subtree: true, childList: true });
}

/** Runs in the page: the scripts and styles that had come by then. */
function filesBeforeReady(): string[] {
  const readyAt = performance.getEntriesByName('ready to write')[0]?.startTime;
  if (readyAt === undefined) throw new Error('The composer was never ready');
  const files = performance
    .getEntriesByType('resource')
    .filter((file) => file instanceof PerformanceResourceTiming && file.responseEnd <= readyAt);
  return files.map(({ name }) => new URL(name).pathname).filter((name) => /\.(?:js|css)$/.test(name));
}

test('what loads before one can write fits its budget, comes compressed and may be kept for ever; the page may not', async ({
  bench,
  server,
  page,
  request,
}) => {
  await page.addInitScript(noteWhenReady);
  await bench.open(server.url);
  const names = await page.evaluate(filesBeforeReady);
  for (const [ending, budget] of Object.entries(budgets)) {
    const sizes = names
      .filter((name) => name.endsWith(ending))
      .map((name) => [name, gzipSync(readFileSync(path.join(client, name)), { level: 9 }).length] as const);
    expect(sizes.length).toBeGreaterThan(0);
    const listed = sizes.map(([name, bytes]) => `${name} ${bytes}`).join('\n');
    expect(
      sizes.reduce((sum, [, bytes]) => sum + bytes, 0),
      listed,
    ).toBeLessThanOrEqual(budget);
    // Modules of other screens and editors come when they are asked for.
    expect(listed).not.toMatch(/history-screen|embeddings-screen|json-editor/);
  }

  const html = await request.get(server.url, { headers: { accept: 'text/html' } });
  expect(html.headers()['cache-control']).toMatch(/no-cache|no-store/);
  for (const name of names) {
    if (readFileSync(path.join(client, name)).length < 1024) continue;
    const file = await request.get(new URL(name, server.url).href, {
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(file.headers()['content-encoding'], name).toMatch(/^(?:br|gzip)$/);
    expect(file.headers()['cache-control'], name).toContain('immutable');
  }
});
