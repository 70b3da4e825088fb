import { defineConfig, devices } from 'playwright/test';

const chromiumPath = process.env['CHROMIUM_PATH'] || undefined;
const firefoxPath = process.env['FIREFOX_PATH'] || undefined;
const isCi = process.env['CI'] !== undefined;

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: isCi,
  // A shared machine stalls now and then; what fails twice is broken.
  retries: isCi ? 1 : 0,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  // A trace of every test would double their time: what fails is walked again with one.
  use: { viewport: { width: 1440, height: 900 }, trace: 'on-first-retry', locale: 'en-US' },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 1440, height: 900 },
        launchOptions: chromiumPath === undefined ? {} : { executablePath: chromiumPath },
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
