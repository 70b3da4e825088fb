import { defineConfig, devices } from 'playwright/test';

const chromiumPath = process.env['CHROMIUM_PATH'] || undefined;
const firefoxPath = process.env['FIREFOX_PATH'] || undefined;
const isCi = process.env['CI'] !== undefined;
const isSoak = process.env['BENCH_SOAK'] !== undefined;
const writesRecords = process.env['BENCH_CHECKOUT'] !== undefined;

export default defineConfig({
  testDir: isSoak ? 'soak' : '.',
  // What takes long by its nature belongs to `npm run soak` alone.
  testIgnore: isSoak ? [] : 'soak/**',
  ...(writesRecords ? { testMatch: 'records/write-records.ts' } : {}),
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: isCi,
  // They end what hangs, and say nothing about speed: a busy machine is slow.
  timeout: isSoak ? 600_000 : 120_000,
  expect: { timeout: isSoak ? 120_000 : 30_000 },
  reporter: [['list']],
  // A trace of every test would double their time; `--trace on` takes one.
  use: { viewport: { width: 1440, height: 900 }, screenshot: 'only-on-failure', locale: 'en-US' },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 1440, height: 900 },
        launchOptions: {
          ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
          // Lines break alike with and without windows, so the pictures fit both.
          args: ['--font-render-hinting=none'],
        },
      },
    },
    // A second engine where one is installed; the road itself and sending, not every detail, are walked in it.
    ...(firefoxPath === undefined
      ? []
      : [
          {
            name: 'firefox',
            testMatch: ['road.spec.ts', 'send.spec.ts'],
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              viewport: { width: 1440, height: 900 },
              launchOptions: { executablePath: firefoxPath },
            },
          },
        ]),
  ],
});
