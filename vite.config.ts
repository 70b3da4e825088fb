import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

import { playgroundServer } from './src/server/vite-plugin.ts';

const isUnitTest = process.env['VITEST'] !== undefined;

export default defineConfig({
  plugins: isUnitTest ? [] : [react(), tailwindcss(), playgroundServer(import.meta.dirname)],
  build: {
    target: 'es2023',
    sourcemap: false,
    // The content security policy takes fonts and scripts from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
              groups: [{ name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }],
            },
          },
        },
      },
    },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
