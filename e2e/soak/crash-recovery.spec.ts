/**
 * The tab, the browser and the proxy are killed at random moments: the database opens,
 * no prompt is lost or there twice, and at most half a second of what was shown is missing.
 *
 * BENCH_KILLS is the number of kills, BENCH_SEED repeats a run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright/test';

import { BenchPage } from '../bench-page.ts';
import { startBench } from '../bench-server.ts';
import { canaryKey, expect, test } from '../fixtures.ts';
import { storedRecords, storedTexts } from '../stored-records.ts';
import { count, countedTo } from './counting-answer.ts';
import { startKillableBrowser } from './killable-browser.ts';

const kills = Number(process.env['BENCH_KILLS'] ?? 12);
const seed = Number(process.env['BENCH_SEED'] ?? 1);
const victims = ['tab', 'browser', 'proxy'] as const;
const longestLifeMs = 2200;
const mayMissMs = 500;

test.use({ trace: 'off' });

/** What is put away after the test, however it ended. */
const running: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const putAway of running.splice(0)) await putAway();
});

test('the tab, the browser and the proxy are killed at random moments', async ({ gateway }) => {
  test.setTimeout(60_000 + kills * 20_000);
  console.log(`${kills} kills, BENCH_SEED=${seed}`);
  const random = randomFrom(seed);
  const settings = { GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey };
  let server = await startBench(settings);
  const { port } = new URL(server.url);
  const profile = mkdtempSync(path.join(tmpdir(), 'bench-profile-'));
  let browser = await startKillableBrowser(profile);
  running.push(
    () => browser.kill(),
    () => server.stop(),
    async () => rmSync(profile, { recursive: true, force: true }),
  );
  let bench = new BenchPage(browser.page);
  const most = { missingMs: 0, unsent: 0 };
  gateway.setChatScript(count);
  await bench.open(server.url);
  const lost: string[] = [];
  const sent: string[] = [];

  for (let round = 1; round <= kills; round += 1) {
    const victim = victims[Math.floor(random() * victims.length)] ?? 'tab';
    const lifeMs = random() * longestLifeMs;
    const posts = gateway.posts.length;
    const prompt = `Round ${round}.`;
    await bench.send(prompt);
    const seen = await watchFor(bench.page, lifeMs);
    const hasLeft = gateway.posts.length > posts;
    const killedAt = Date.now();
    if (victim === 'tab') bench = new BenchPage(await browser.killTab());
    if (victim === 'browser') {
      await browser.kill();
      browser = await startKillableBrowser(profile);
      bench = new BenchPage(browser.page);
    }
    if (victim === 'proxy') {
      await server.stop();
      await expect(bench.lastReply).toHaveAttribute('data-status', /truncated|failed/);
      server = await startBench({ ...settings, PORT: port });
      // What is stored of it has to be on the disk, not only in this page.
      await sleep(mayMissMs);
    }
    await bench.open(server.url);

    // The database opens, and every prompt is there once. Only what had not yet left may be missing with its page.
    const prompts = (await storedRecords(bench.page, 'prompts')).map(({ messages }) =>
      JSON.stringify(messages),
    );
    const isThere = prompts.some((stored) => stored.includes(prompt));
    if (isThere) sent.push(prompt);
    else if (hasLeft) lost.push(`${prompt} (${victim} after ${lifeMs} ms)`);
    else most.unsent += 1;
    expect(lost, 'prompts that are lost').toEqual([]);
    expect(prompts.length, 'no prompt is there twice').toBe(sent.length);
    await expect(bench.prompts).toHaveCount(sent.length);
    await expect(bench.replies).toHaveCount(sent.length);
    if (!isThere) continue;
    await expect(bench.lastReply).toHaveAttribute(
      'data-status',
      victim === 'proxy' ? /truncated|failed|interrupted/ : 'interrupted',
    );

    // Its text counts from one without a gap, and reaches what had been drawn half a second before the kill.
    const stored = countedTo((await storedTexts(bench.page)).at(-1) ?? '');
    const due = seen.findLast(({ at }) => at <= killedAt - mayMissMs)?.drawn ?? 0;
    expect(
      stored,
      `${prompt} ${victim} after ${Math.round(lifeMs)} ms: at most half a second is missing`,
    ).toBeGreaterThanOrEqual(due);
    const covered = seen.findLast(({ drawn }) => drawn <= stored)?.at ?? killedAt;
    const isAll = stored >= (seen.at(-1)?.drawn ?? 0);
    most.missingMs = Math.max(most.missingMs, isAll ? 0 : killedAt - covered);
  }

  await bench.reload();
  await expect(bench.prompts).toHaveCount(sent.length);
  for (const text of await storedTexts(bench.page)) countedTo(text);
  expect(gateway.posts.length, 'nothing is sent again by itself').toBeLessThanOrEqual(kills);
  console.log(
    `${kills} kills: the database opened each time, 0 prompts lost, ${most.unsent} had not left yet; at most ${Math.round(most.missingMs)} ms of text were missing.`,
  );
});

interface Sample {
  /** Epoch milliseconds, when it had been drawn for sure. */
  at: number;
  /** The highest number on screen. */
  drawn: number;
}

/** Looks at the answer for this long: what was drawn, and when. */
async function watchFor(page: Page, lifeMs: number): Promise<Sample[]> {
  const until = Date.now() + lifeMs;
  const samples: Sample[] = [];
  while (Date.now() < until) {
    const text = await page.evaluate(
      () =>
        [...document.querySelectorAll('[data-status]')].at(-1)?.querySelector('.markdown')?.textContent ?? '',
    );
    samples.push({ at: Date.now(), drawn: Number(/(\d+)\s*$/.exec(text)?.[1] ?? 0) });
    await sleep(Math.min(30, Math.max(0, until - Date.now())));
  }
  return samples;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
