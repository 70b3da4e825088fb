/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os';

import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { createPlaygroundPlugin } from './src/server/build/vite-plugin.ts';

/** How long the bundler took is no news for who starts Bench, and on a busy machine no fault. */
const noTimings = { bundlerTimings: false };
const isUnitTest = process.env['VITEST'] !== undefined;

export default defineConfig(({ command }) => {
  // Whatever the shell or a tool in this process says: React for development is several times slower.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    plugins: isUnitTest ? [] : [react(), tailwindcss(), createPlaygroundPlugin(import.meta.dirname)],
    build: {
      target: 'es2023',
      // The first that have popovers: nothing is said twice for those before them.
      cssTarget: ['chrome114', 'firefox125', 'safari17'],
      sourcemap: false,
      // The content security policy takes fonts and scripts from files only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // What a first visit may load is measured as it is sent, in e2e/bundle.spec.ts.
      chunkSizeWarningLimit: 800,
    },
    worker: { format: 'es', rolldownOptions: { checks: noTimings } },
    // Workers are listed because the scan does not follow them: dependencies found late reload the page.
    optimizeDeps: { entries: ['index.html', 'src/**/*-worker.ts'] },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            checks: noTimings,
            output: {
              // React changes less often than the app: browsers keep it over updates.
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
                  // With all that it imports at once: a file for each shared part would be fetched one by one.
                  { name: 'app', test: /src[\\/]main\.tsx$/ },
                ],
              },
            },
          },
        },
      },
    },
    test: {
      // They end what hangs, and say nothing about speed: a busy machine is slow.
      testTimeout: 120_000 * Math.max(1, Number(process.env['BENCH_CASES'] ?? 1)),
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      // Modules are loaded once a worker, not once a file: half of the work otherwise. No test may leave anything behind.
      isolate: false,
      unstubGlobals: true,
      restoreMocks: true,
      // One more than there are cores: some tests wait for servers, commands and timeouts.
      maxWorkers: availableParallelism() + 1,
      // Half of the time in which modules load is their transformation, which changes with their text only.
      experimental: { fsModuleCache: true },
      projects: [
        {
          extends: true,
          test: {
            name: 'node',
            include: ['src/**/*.test.ts'],
            environment: 'node',
            setupFiles: ['src/testing/seeds.ts'],
          },
        },
        // Only npm run soak simulates whole trials.
        ...(process.env['BENCH_SOAK'] === '1'
          ? [
              {
                extends: true as const,
                test: {
                  name: 'simulations',
                  include: ['src/**/*.soak.ts'],
                  environment: 'node',
                  setupFiles: ['src/testing/seeds.ts'],
                },
              },
            ]
          : []),
        {
          extends: true,
          test: {
            name: 'components',
            include: ['src/**/*.test.tsx'],
            environment: './src/testing/dom-environment.ts',
            setupFiles: ['src/testing/seeds.ts', 'src/testing/dom-setup.ts'],
          },
        },
      ],
    },
  };
});
