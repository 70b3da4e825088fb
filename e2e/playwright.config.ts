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
    // Makes lines wrap identically in headless and headed mode.
    args: ['--font-render-hinting=none'],
  },
};

export default defineConfig({
  // Long tests run in `npm run soak`: everything in the soak folder, and tests tagged @soak elsewhere.
  ...(isSoak ? {} : { testIgnore: 'soak/**', grepInvert: /@soak/ }),
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: isCi,
  // Timeouts only end hanging tests. They do not measure speed, because a busy machine is slow.
  timeout: isSoak ? 600_000 : 120_000,
  expect: { timeout: isSoak ? 120_000 : 30_000 },
  reporter: [['list']],
  // Tracing every test would double the time; use `--trace on` for a trace.
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Animations are reduced to a tenth of their time. The soak and the specs for layout shifts and phones keep full
    // animations.
    contextOptions: { reducedMotion: isSoak ? 'no-preference' : 'reduce' },
  },
  projects: [
    ...(isSoak
      ? [
          { name: 'chromium', use: chromium, testDir: 'soak' },
          { name: 'chromium, long', use: chromium, testIgnore: 'soak/**', grep: /@soak/ },
        ]
      : [{ name: 'chromium', use: chromium }]),
    // Runs only the basic walk and sending in Firefox, if it is installed.
    ...(firefoxPath === undefined
      ? []
      : [
          {
            name: 'firefox',
            testMatch: ['smoke.spec.ts', 'send.spec.ts'],
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
