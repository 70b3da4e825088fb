// npm run screenshots: takes the README's screenshots of the built app with its demo gateway.
import { spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { ensureBuilt } from './ensure-built.mjs';
import { root } from './packages.mjs';
import { findChromium } from './test-run/find-browser.mjs';

const folder = path.join(root, '.github/screenshots');
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const executablePath = await findChromium();
if (executablePath === undefined) process.exit(1);
ensureBuilt();
const { chromium } = await import('playwright');
mkdirSync(folder, { recursive: true });

const server = await startServer();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await takeScreenshots();
} finally {
  await browser.close();
  server.stop();
}

async function takeScreenshots() {
  const page = await openPage('light');
  await openLanes(page, ['demo/sampler', 'demo/sampler', 'demo/guide']);
  await setParameter(page, 'Lane A', 'temperature', '0.2');
  await setParameter(page, 'Lane B', 'temperature', '1.4');
  await setParameter(page, 'All lanes', 'max_tokens', '400');
  await sendMessage(page, 'How does Bench keep the API key safe?');
  await page.waitForTimeout(1_600);
  await takeScreenshot(page, 'compare');
  await waitForAnswers(page, 3);

  await page
    .locator('[data-region=session-bar]')
    .getByRole('button', { name: 'Inspect', exact: true })
    .click();
  await page.getByRole('tab', { name: 'Events' }).waitFor();
  await page
    .getByRole('complementary', { name: 'Inspector' })
    .getByText(/events$/)
    .first()
    .waitFor();
  await page.waitForTimeout(500);
  await takeScreenshot(page, 'inspector');
  await page.getByRole('button', { name: 'Close inspector' }).click();

  await page.setViewportSize(phone);
  await page.getByRole('tab', { name: 'All' }).waitFor();
  await page.waitForTimeout(500);
  await takeScreenshot(page, 'phone');
  await page.context().close();
}

/** Opens a page in a new context without stored data. */
async function openPage(colorScheme) {
  const context = await browser.newContext({
    viewport: desktop,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  return page;
}

async function openLanes(page, models) {
  for (let count = 1; count < models.length; count += 1) {
    await page.getByRole('button', { name: 'Add lane' }).click();
  }
  for (const [index, model] of models.entries()) {
    const lane = page.getByRole('region', { name: `Lane ${'ABCDEF'[index]}` });
    await lane.getByRole('combobox', { name: 'Model' }).fill(model);
    await page.keyboard.press('Enter');
  }
}

async function setParameter(page, scope, name, value) {
  await page.getByRole('radio', { name: scope }).click();
  await page.getByRole('spinbutton', { name, exact: true }).fill(value);
}

async function sendMessage(page, text) {
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill(text);
  await message.press('Enter');
}

async function waitForAnswers(page, count) {
  await page.waitForFunction(
    (expectedCount) => document.querySelectorAll('article[data-status="complete"]').length >= expectedCount,
    count,
    { timeout: 120_000 },
  );
}

async function takeScreenshot(page, name) {
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, caret: 'hide' });
  console.log(`${path.relative(root, file)}, ${Math.round(statSync(file).size / 1024)} KB`);
}

/** Starts the built server on a free port with the demo gateway, ignoring .env.local. */
async function startServer() {
  const child = spawn(process.execPath, [path.join(root, 'dist/server/main.js')], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', GATEWAY_BASE_URL: '', GATEWAY_API_KEY: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const match = /Bench ready at (http:\S+)/.exec(output);
      if (match) resolve(match[1]);
    });
    child.once('exit', () => reject(new Error(`The server exited before it was ready:\n${output}`)));
  });
  return { url, stop: () => child.kill() };
}
