// Builds the benchmark's page into .bench.
import path from 'node:path';

import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '../../../..');
const built = path.join(root, '.bench/embeddings-page');

/** Returns the folder that the page is in. */
export async function buildPage() {
  await build({
    configFile: false,
    root: path.join(import.meta.dirname, 'page'),
    base: './',
    logLevel: 'warn',
    worker: { format: 'es' },
    build: {
      outDir: built,
      emptyOutDir: true,
      target: 'es2023',
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  });
  return built;
}
