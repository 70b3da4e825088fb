// Installs what Bench is compared with and builds the pages of the benchmark, all into .bench.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import react from '@vitejs/plugin-react';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '../../../..');
const pages = path.join(import.meta.dirname, 'pages');
const peers = path.join(root, '.bench/peers');
const built = path.join(root, '.bench/pages');

/** Builds all pages; returns the folder they are in. */
export async function buildPages() {
  installPeers();
  const names = readdirSync(pages).filter((name) => name.endsWith('.html'));
  await build({
    configFile: false,
    root: pages,
    base: './',
    logLevel: 'warn',
    plugins: [peerPackages(), react()],
    resolve: { dedupe: ['react', 'react-dom'] },
    worker: { format: 'es' },
    build: {
      outDir: built,
      emptyOutDir: true,
      target: 'es2023',
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: names.map((name) => path.join(pages, name)),
        checks: { pluginTimings: false },
      },
    },
  });
  return built;
}

/** They are not dependencies of Bench: whoever runs Bench need not install them. */
function installPeers() {
  mkdirSync(peers, { recursive: true });
  const files = ['package.json', 'package-lock.json'];
  const source = (name) => path.join(import.meta.dirname, 'peers', name);
  const same = (name) => {
    const there = path.join(peers, name);
    return existsSync(there) && readFileSync(there, 'utf8') === readFileSync(source(name), 'utf8');
  };
  if (files.every(same) && existsSync(path.join(peers, 'node_modules/.package-lock.json'))) return;
  console.error('Installing what Bench is compared with (into .bench/peers).');
  for (const name of files) copyFileSync(source(name), path.join(peers, name));
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: peers,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed: see the message above.');
}

/** Bare imports of the pages that Bench itself does not have. */
function peerPackages() {
  const { dependencies } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'peers/package.json'), 'utf8'),
  );
  const names = Object.keys(dependencies).filter((name) => name !== 'react' && name !== 'react-dom');
  return {
    name: 'benchmark-peers',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || !importer.startsWith(pages)) return undefined;
      if (!names.some((name) => source === name || source.startsWith(`${name}/`))) return undefined;
      return this.resolve(source, path.join(peers, 'package.json'), { ...options, skipSelf: true });
    },
  };
}
