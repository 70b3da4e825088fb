import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { WebHandler } from '../web-handler.ts';
import { createStaticFileHandler } from './static-files.ts';
import { precompress } from './vite-plugin.ts';

const SCRIPT = `export const text = ${JSON.stringify('bench '.repeat(500))};\n`;
let folder = '';
let handleStaticFile: WebHandler;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'bench-static-'));
  for (const name of ['assets', '.hidden']) mkdirSync(path.join(folder, 'client', name), { recursive: true });
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, 'client', name), text);
  };
  write('index.html', '<!doctype html><title>Bench</title>');
  write('favicon.svg', '<svg/>');
  write('.env', 'SECRET=1');
  write('.hidden.json', '{}');
  write('.hidden/list.json', '{}');
  write('assets/index-AbCd_-12.js', SCRIPT);
  write('assets/index-AbCd_-12.js.map', '{}');
  write('assets/vector-worker-AbCd_-12.js', SCRIPT);
  writeFileSync(path.join(folder, 'secret.json'), '{}');
  await precompress(path.join(folder, 'client'));
  write('never-compressed.txt', 'as it is');
  mkdirSync(path.join(folder, 'client/a-folder.txt'));
});

beforeEach(() => {
  handleStaticFile = createStaticFileHandler(path.join(folder, 'client'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function get(target: string, headers: Record<string, string> = {}, method = 'GET') {
  return handleStaticFile(new Request(`http://127.0.0.1:4780${target}`, { headers, method }));
}

describe('built files', () => {
  it('serves hashed files with an unlimited cache time and others with revalidation', async () => {
    const script = await get('/assets/index-AbCd_-12.js');
    expect(await script.text()).toBe(SCRIPT);
    expect(Object.fromEntries(script.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(SCRIPT.length),
    });
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it.each<[string, string, string | null]>([
    ['br, gzip', 'br and gzip', 'br'],
    ['gzip, deflate, br;q=0.5', 'weighted encodings', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip, br;q=0', 'br excluded', 'gzip'],
    ['brotli', 'an unknown encoding', null],
    ['', 'no encoding', null],
  ])('serves precompressed files for accept-encoding %o (%s)', async (accepted, _name, encoding) => {
    const response = await get('/assets/index-AbCd_-12.js', { 'accept-encoding': accepted });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      encoding,
      'accept-encoding',
    ]);
    const bytes = Buffer.from(await response.arrayBuffer());
    const decompressed =
      encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(decompressed.toString()).toBe(SCRIPT);
  });

  it('serves a file uncompressed if it has no precompressed form', async () => {
    const response = await get('/never-compressed.txt', { 'accept-encoding': 'br, gzip' });
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, 'as it is']);
  });

  it('answers a HEAD request for a file', async () => {
    expect((await get('/favicon.svg', {}, 'HEAD')).status).toBe(200);
  });

  it('answers 304 if the client already has the file', async () => {
    const etag = (await get('/')).headers.get('etag') ?? '';
    const secondResponse = await get('/', { 'if-none-match': `W/"other", ${etag}` });
    expect([secondResponse.status, await secondResponse.text()]).toEqual([304, '']);
  });

  it("sends the page's security policies with its files", async () => {
    const { headers } = await get('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types app',
      ]),
    );
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });
});

it('allows WebAssembly only in the worker that computes with vectors', async () => {
  const fetchPolicy = async (target: string) =>
    (await get(target)).headers.get('content-security-policy')?.split('; ') ?? [];
  const page = await fetchPolicy('/');
  const worker = await fetchPolicy('/assets/vector-worker-AbCd_-12.js');
  expect(worker).toContain("script-src 'self' 'wasm-unsafe-eval'");
  expect(worker.filter((rule) => !page.includes(rule))).toHaveLength(1);
  for (const target of ['/', '/assets/index-AbCd_-12.js', '/favicon.svg', '/embeddings']) {
    expect((await fetchPolicy(target)).join()).not.toContain('unsafe-eval');
  }
});

describe('page URLs', () => {
  it.each(['/', '/embeddings', '/history', '/s/0mwpotcdw6', '/anything/else'])(
    'serves index.html at %s with revalidation',
    async (target) => {
      const response = await get(target, { accept: 'text/html,*/*;q=0.8' });
      expect([response.status, await response.text(), response.headers.get('cache-control')]).toEqual([
        200,
        '<!doctype html><title>Bench</title>',
        'no-cache',
      ]);
    },
  );

  it('answers 404 or 405 to requests for a page URL that are not page requests', async () => {
    expect((await get('/history', { accept: 'application/json' })).status).toBe(404);
    expect((await get('/history', {}, 'POST')).status).toBe(405);
  });
});

describe('URLs outside the build', () => {
  it('answers 404 for files outside the build', async () => {
    const targets = [
      '/.env',
      '/.hidden.json',
      '/.hidden/list.json',
      '/a-folder.txt',
      '/secret.json',
      '/@fs/etc/passwd',
      '/@vite/client',
      '/assets/index-AbCd_-12.js.map',
      '/assets/index-AbCd_-12.js.br',
      '/assets/gone-12345678.js',
      '/src/main.tsx',
      '/index.html/x.js',
      '/%2e%2e%2fsecret.json',
      '/..%2fsecret.json',
      '/package.json',
      '/assets/a.b/c',
    ];
    for (const target of targets) {
      const response = await get(target, { accept: '*/*' });
      expect(response.status, target).toBe(404);
      expect(await response.text()).not.toMatch(/SECRET|export|\{\}/);
    }
  });

  it('rejects a build folder without index.html', () => {
    expect(() => createStaticFileHandler(path.join(folder, 'client/assets'))).toThrow('No built app');
  });
});
