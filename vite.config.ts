import path from 'node:path';

import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { normalizePath } from 'vite';
import type { Plugin, ResolveModulePreloadDependenciesFn, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

import { playgroundServer } from './src/server/vite-plugin.ts';

/** Downshift brings a scroller along for lists that are in the page as a whole; ours are windowed and scroll themselves. */
const noScroller: Plugin = {
  name: 'no-scroller',
  enforce: 'pre',
  resolveId: (id) => (id === 'compute-scroll-into-view' ? '\0no-scroller' : null),
  load: (id) => (id === '\0no-scroller' ? 'export const compute = () => [];' : null),
};

/**
 * Names fewer files beside each late import: what the page or the importing file has loaded itself needs no preload,
 * and names of files hardly compress.
 */
function neededPreloads(): Plugin & { resolveDependencies: ResolveModulePreloadDependenciesFn } {
  let importsOf: (file: string) => readonly string[] = () => [];
  let entries: string[] = [];
  return {
    name: 'needed-preloads',
    enforce: 'pre',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      entries = chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
      importsOf = (file) => chunks.find((chunk) => chunk.fileName === file)?.imports ?? [];
    },
    resolveDependencies(_file, dependencies, { hostId, hostType }) {
      if (hostType === 'html') return dependencies;
      const there = new Set([...entries, hostId]);
      // A set is walked to its end, also to what is added on the way.
      for (const file of there) for (const imported of importsOf(file)) there.add(imported);
      return dependencies.filter((file) => !there.has(file));
    },
  };
}
const preloads = neededPreloads();

/**
 * What the embeddings lab needs at once, with what reads vectors for it alone, as one file. Left to itself the bundler
 * makes a small file of each part that a late view of the lab needs as well, and small files compress badly. Nothing
 * here may be needed elsewhere, or the lab would be loaded there too (e2e/bundle.spec.ts): the icons are those that only
 * the lab draws.
 */
function labPack(): Rolldown.CodeSplittingNameFunction {
  const isOwn =
    /src\/(?:features\/embeddings|embedding)\/(?!lab-deeds)|src\/(?:state|gateway)\/embedding|icons\/(?:file-up|list-plus|maximize|minus)\.mjs$/;
  const source = path.posix.join(normalizePath(import.meta.dirname), 'src');
  let atOnce: Set<string> | undefined;
  return (id, context) => {
    if (atOnce === undefined) {
      atOnce = new Set([
        `${source}/features/embeddings/embeddings-screen.tsx`,
        `${source}/gateway/embeddings.ts`,
      ]);
      for (const one of atOnce)
        for (const next of context.getModuleInfo(one)?.importedIds ?? []) atOnce.add(next);
    }
    return isOwn.test(id) && atOnce.has(id) ? 'embeddings-screen' : null;
  };
}

const isUnitTest = process.env['VITEST'] !== undefined;

export default defineConfig({
  plugins: isUnitTest
    ? []
    : [noScroller, preloads, react(), tailwindcss(), playgroundServer(import.meta.dirname)],
  build: {
    target: 'es2023',
    sourcemap: false,
    // The content security policy takes fonts and scripts from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: preloads.resolveDependencies },
  },
  worker: { format: 'es' },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Compressing takes its time; that is no news for who starts Bench.
          checks: { pluginTimings: false },
          output: {
            // React changes less often than the app: browsers keep it over updates.
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
                { name: labPack(), includeDependenciesRecursively: false },
              ],
            },
          },
        },
      },
    },
  },
  // A busy machine is slow; what hangs is found all the same.
  test: { include: ['src/**/*.test.ts'], environment: 'node', testTimeout: 60_000, hookTimeout: 60_000 },
});
