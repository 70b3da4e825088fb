/**
 * Kills the tab, the browser and the proxy at random moments. The database must open, every prompt must be stored
 * exactly once, and at most half a second of visible text may be lost.
 *
 * BENCH_KILLS sets the number of kills; BENCH_SEED repeats a run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright/test';

import { createSeededRandom } from '../../src/lib/random.ts';
import { BenchPage } from '../bench-page.ts';
import { startBench } from '../bench-server.ts';
import { canaryKey, expect, test } from '../fixtures.ts';
import { readStoredRecords, readStoredTexts } from '../stored-records.ts';
import { streamCount, parseCount } from './counting-answer.ts';
import { startKillableBrowser } from './killable-browser.ts';

const killCount = Number(process.env['BENCH_KILLS'] ?? 12);
const seed = Number(process.env['BENCH_SEED'] ?? 1);
const killTargets = ['tab', 'browser', 'proxy'] as const;
const maxLifeMs = 2200;
const maxMissingMs = 500;

test.use({ trace: 'off' });

/** Callbacks that run after each test, passed or failed. */
const cleanups: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('recovers after the tab, the browser and the proxy are killed at random moments', async ({
  gateway,
}) => {
  test.setTimeout(60_000 + killCount * 20_000);
  console.log(`${killCount} kills, BENCH_SEED=${seed}`);
  const random = createSeededRandom(seed);
  const settings = { GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey };
  let server = await startBench(settings);
  const { port } = new URL(server.url);
  const profile = mkdtempSync(path.join(tmpdir(), 'bench-profile-'));
  let browser = await startKillableBrowser(profile);
  cleanups.push(
    () => browser.kill(),
    () => server.stop(),
    async () => rmSync(profile, { recursive: true, force: true }),
  );
  let bench = new BenchPage(browser.page);
  const totals = { missingMs: 0, unsent: 0 };
  gateway.setChatScript(streamCount);
  await bench.open(server.url);
  const lostPrompts: string[] = [];
  const storedPrompts: string[] = [];

  for (let round = 1; round <= killCount; round += 1) {
    const killTarget = killTargets[Math.floor(random() * killTargets.length)] ?? 'tab';
    const lifeMs = random() * maxLifeMs;
    const initialPostCount = gateway.posts.length;
    const prompt = `Round ${round}.`;
    await bench.send(prompt);
    const samples = await sampleAnswer(bench.page, lifeMs);
    const wasSent = gateway.posts.length > initialPostCount;
    const killedAt = Date.now();
    if (killTarget === 'tab') bench = new BenchPage(await browser.killTab());
    if (killTarget === 'browser') {
      await browser.kill();
      browser = await startKillableBrowser(profile);
      bench = new BenchPage(browser.page);
    }
    if (killTarget === 'proxy') {
      await server.stop();
      await expect(bench.lastReply).toHaveAttribute('data-status', /truncated|failed/);
      server = await startBench({ ...settings, PORT: port });
      // Waits until the received text is stored on disk and not only held by this page.
      await sleep(maxMissingMs);
    }
    await bench.open(server.url);

    // The database opens and contains every prompt once. Only prompts that had not been sent may be lost with their
    // page.
    const prompts = (await readStoredRecords(bench.page, 'prompts')).map(({ messages }) =>
      JSON.stringify(messages),
    );
    const isStored = prompts.some((storedPrompt) => storedPrompt.includes(prompt));
    if (isStored) storedPrompts.push(prompt);
    else if (wasSent) lostPrompts.push(`${prompt} (${killTarget} after ${lifeMs} ms)`);
    else totals.unsent += 1;
    expect(lostPrompts, 'lost prompts').toEqual([]);
    expect(prompts.length, 'no prompt is duplicated').toBe(storedPrompts.length);
    await expect(bench.prompts).toHaveCount(storedPrompts.length);
    await expect(bench.replies).toHaveCount(storedPrompts.length);
    if (!isStored) continue;
    await expect(bench.lastReply).toHaveAttribute(
      'data-status',
      killTarget === 'proxy' ? /truncated|failed|interrupted/ : 'interrupted',
    );

    // The stored text counts from 1 without gaps and includes what was visible half a second before the kill.
    const storedCount = parseCount((await readStoredTexts(bench.page)).at(-1) ?? '');
    const requiredCount =
      samples.findLast(({ timestamp }) => timestamp <= killedAt - maxMissingMs)?.drawnCount ?? 0;
    expect(
      storedCount,
      `${prompt} ${killTarget} after ${Math.round(lifeMs)} ms: at most 500 ms of the answer are missing`,
    ).toBeGreaterThanOrEqual(requiredCount);
    const coveredAt = samples.findLast(({ drawnCount }) => drawnCount <= storedCount)?.timestamp ?? killedAt;
    const isComplete = storedCount >= (samples.at(-1)?.drawnCount ?? 0);
    totals.missingMs = Math.max(totals.missingMs, isComplete ? 0 : killedAt - coveredAt);
  }

  await bench.reload();
  await expect(bench.prompts).toHaveCount(storedPrompts.length);
  for (const text of await readStoredTexts(bench.page)) parseCount(text);
  expect(gateway.posts.length, 'nothing is retried automatically').toBeLessThanOrEqual(killCount);
  console.log(
    `${killCount} kills: the database opened each time, 0 prompts lost, ${totals.unsent} had not left yet; at most ${Math.round(totals.missingMs)} ms of text were missing.`,
  );
});

interface Sample {
  /** Epoch ms at which this number was certainly on screen. */
  timestamp: number;
  /** Highest number on screen. */
  drawnCount: number;
}

/** Samples the visible answer for `durationMs`. */
async function sampleAnswer(page: Page, durationMs: number): Promise<Sample[]> {
  const endMs = Date.now() + durationMs;
  const samples: Sample[] = [];
  while (Date.now() < endMs) {
    const text = await page.evaluate(
      () =>
        [...document.querySelectorAll('[data-status]')].at(-1)?.querySelector('.markdown')?.textContent ?? '',
    );
    samples.push({ timestamp: Date.now(), drawnCount: Number(/(\d+)\s*$/.exec(text)?.[1] ?? 0) });
    await sleep(Math.min(30, Math.max(0, endMs - Date.now())));
  }
  return samples;
}
