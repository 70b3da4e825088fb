import { defineConfig, devices } from 'playwright/test';

const chromiumPath = process.env['CHROMIUM_PATH'] || undefined;
const firefoxPath = process.env['FIREFOX_PATH'] || undefined;
const isCi = process.env['CI'] !== undefined;
const isSoak = process.env['BENCH_SOAK'] !== undefined;

const chromium = {
  ...devices['Desktop Chrome'],
  viewport: { width: 1440, height: 900 },
  launchOptions: {
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    // Lines break alike with and without a window.
    args: ['--font-render-hinting=none'],
  },
};

export default defineConfig({
  // Long tests belong to `npm run soak`: those in the folder soak, and those with the tag beside related tests.
  ...(isSoak ? {} : { testIgnore: 'soak/**', grepInvert: /@soak/ }),
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: isCi,
  // They end what hangs, and say nothing about speed: a busy machine is slow.
  timeout: isSoak ? 600_000 : 120_000,
  expect: { timeout: isSoak ? 120_000 : 30_000 },
  reporter: [['list']],
  // A trace of every test would double their time; `--trace on` takes one.
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Drawing movements takes a tenth of the time. The soak and the specs about layout shifts and phones keep them.
    contextOptions: { reducedMotion: isSoak ? 'no-preference' : 'reduce' },
  },
  projects: [
    ...(isSoak
      ? [
          { name: 'chromium', use: chromium, testDir: 'soak' },
          { name: 'chromium, long', use: chromium, testIgnore: 'soak/**', grep: /@soak/ },
        ]
      : [{ name: 'chromium', use: chromium }]),
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
