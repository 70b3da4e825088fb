import { readFileSync } from 'node:fs';

import { deltasOf, LAST_WORDS, textOf } from './corpus.mjs';
import { countersOf, difference, median, tasksDuring } from './measure.mjs';
import { openSubject } from './subjects.mjs';
import { printTable } from './table.mjs';

const TOKENS_AN_ANSWER = 180;
const KEYS = 40;
const KEY_EVERY_MS = 60;
const TOKENS_A_FRAME = 33;
const STREAMED_TOKENS = 2_000;
const END_OF_SESSION = 'These are the last words of the long session.';

/** Opening a session of 500 and of 2,000 messages, a key in its composer, and a frame of an answer streamed at its end. */
export async function measureSession(setting) {
  const rows = [];
  for (const messages of setting.quick ? [500] : [500, 2_000]) {
    const results = [];
    for (let round = 0; round < setting.runs; round += 1) {
      const result = await openLongSession(setting, messages);
      results.push(result);
      console.error(
        `  session ${messages}: open ${Math.round(result.openMs)} ms, key ${result.keyCpuMs.toFixed(1)} ms`,
      );
    }
    const names = Object.keys(results[0] ?? {});
    rows.push({
      messages,
      ...Object.fromEntries(names.map((name) => [name, median(results.map((result) => result[name]))])),
    });
  }
  printTable(
    'A long session in the built app',
    [
      'messages',
      'open to last words ms (CPU)',
      'all messages in the page ms',
      'longest task meanwhile ms (CPU)',
      'key CPU ms',
      'the same in a bare field of the page',
      'key to paint ms, median',
      'streamed frame CPU ms',
      'the same in a new session',
      'last message moved px',
    ],
    rows.map((row) => [
      row.messages,
      `${Math.round(row.openMs)} (${Math.round(row.openCpuMs)})`,
      Math.round(row.allMs),
      `${Math.round(row.longestTaskMs)} (${Math.round(row.longestTaskCpuMs)})`,
      row.keyCpuMs.toFixed(1),
      row.bareKeyCpuMs.toFixed(1),
      row.keyToPaintMs.toFixed(0),
      row.frameCpuMs.toFixed(1),
      row.newFrameCpuMs.toFixed(1),
      row.movedPx.toFixed(0),
    ]),
  );
  return rows;
}

async function openLongSession(setting, messages) {
  const opened = await openSubject({ subject: { page: undefined }, columns: 1, ...setting });
  const { page, session } = opened;
  try {
    const newFrameCpuMs = await frameCost(opened);
    const text = await longSessionFrom(page, messages);
    await page.goto(new URL('/history', setting.benchUrl).href);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import' }).click(),
    ]);
    await chooser.setFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    const link = page.getByRole('link', { name: `Long session of ${messages}` });
    await link.waitFor({ timeout: 120_000 });
    await page.reload();
    await link.waitFor();
    await page.waitForTimeout(1_500);

    const before = await countersOf(session);
    let openMs;
    let openCpuMs;
    let allMs;
    const tasks = await tasksDuring(setting.browser, page, async () => {
      await page.evaluate(watchOpening, [END_OF_SESSION, messages]);
      await link.click();
      openMs = await page.evaluate(() => window.opening.words);
      openCpuMs = difference(before, await countersOf(session)).taskMs;
      allMs = await page.evaluate(() => window.opening.all);
    });
    const movedPx = await page.evaluate(() => window.opening.moved());
    await page.waitForTimeout(1_000);
    const keys = await keyCost(page, session);
    const frameCpuMs = await frameCost(opened);
    return {
      openMs,
      openCpuMs,
      allMs,
      movedPx,
      longestTaskMs: tasks.longestTaskMs,
      longestTaskCpuMs: tasks.longestTaskCpuMs,
      ...keys,
      frameCpuMs,
      newFrameCpuMs,
    };
  } finally {
    await opened.close();
  }
}

/** Exports the session on screen and multiplies its one turn; so the file is what this Bench writes. */
async function longSessionFrom(page, messages) {
  await page.getByRole('button', { name: 'Session menu' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export' }).click(),
  ]);
  const file = JSON.parse(readFileSync(await download.path(), 'utf8'));
  const [data] = file.sessions;
  const [prompt] = data.prompts;
  const [turn] = data.turns;
  const [run] = data.runs;
  const made = { prompts: [], turns: [], runs: [] };
  const words = textOf('mixed', (TOKENS_AN_ANSWER * messages) / 2).split('\n\n');
  const blocksAnAnswer = Math.max(1, Math.floor(words.length / (messages / 2)));
  for (let number = 0; number < messages / 2; number += 1) {
    const name = String(number).padStart(6, '0');
    const isLast = number === messages / 2 - 1;
    const from = (number * blocksAnAnswer) % words.length;
    const answer = words.slice(from, from + blocksAnAnswer).join('\n\n');
    const shown = isLast ? `${answer}\n\n${END_OF_SESSION}` : answer;
    made.prompts.push({
      ...prompt,
      id: `p${name}`,
      seq: number * 2 + 1,
      messages: [{ role: 'user', content: `Question ${number}: what comes next?` }],
    });
    made.turns.push({
      ...turn,
      id: `t${name}`,
      seq: number * 2 + 2,
      promptId: `p${name}`,
      reply: { runId: `r${name}` },
      ...(number === 0 ? {} : { parent: { turnId: `t${String(number - 1).padStart(6, '0')}`, choice: 0 } }),
    });
    made.runs.push({
      ...run,
      id: `r${name}`,
      choices: [{ ...run.choices[0], parts: [{ type: 'text', text: shown }] }],
    });
  }
  const title = `Long session of ${messages}`;
  const lanes = [{ ...data.lanes[0], tip: made.turns.at(-1).id }];
  return JSON.stringify({ ...file, sessions: [{ ...data, ...made, lanes, title, titled: true }] });
}

/** Runs in the page: times from the click to the last words on screen, and to the last of all messages in the page. */
function watchOpening([lastWords, messages]) {
  let began;
  let top;
  addEventListener('click', (event) => (began ??= event.timeStamp), { capture: true });
  const last = () => [...document.querySelectorAll('article .markdown')].at(-1);
  const until = (isThere) =>
    new Promise((resolve) => {
      const step = () => {
        if (began !== undefined && isThere()) {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => resolve(performance.now() - began);
          channel.port2.postMessage(undefined);
        } else requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
  const words = until(() => last()?.textContent.includes(lastWords) === true);
  window.opening = {
    words: words.then((ms) => {
      top = last().getBoundingClientRect().bottom;
      return ms;
    }),
    all: until(() => document.querySelectorAll('article').length >= messages),
    moved: () => Math.abs(last().getBoundingClientRect().bottom - top),
  };
}

/** CPU of the main thread for a key in the composer, less what the page does anyway, and the time to its paint. */
async function keyCost(page, session) {
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.focus();
  await page.evaluate(() => {
    window.keyTimes = [];
    addEventListener(
      'keydown',
      (event) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => window.keyTimes.push(performance.now() - event.timeStamp);
          channel.port2.postMessage(undefined);
        }),
      { capture: true },
    );
  });
  const cpuOf = async (act) => {
    const before = await countersOf(session);
    for (let key = 0; key < KEYS; key += 1) {
      await act();
      await page.waitForTimeout(KEY_EVERY_MS);
    }
    return difference(before, await countersOf(session)).taskMs / KEYS;
  };
  await cpuOf(() => page.keyboard.press('a'));
  const idle = await cpuOf(() => Promise.resolve());
  const typing = await cpuOf(() => page.keyboard.press('a'));
  const times = await page.evaluate(() => window.keyTimes);
  await page.evaluate(addBareField);
  await cpuOf(() => page.keyboard.press('a'));
  const bare = await cpuOf(() => page.keyboard.press('a'));
  await page.evaluate(() => document.querySelector('#bare').remove());
  return {
    keyCpuMs: Math.max(0, typing - idle),
    bareKeyCpuMs: Math.max(0, bare - idle),
    keyToPaintMs: median(times),
  };
}

/** Runs in the page: what a key costs there without any code of ours. */
function addBareField() {
  const form = document.createElement('form');
  const field = document.createElement('textarea');
  form.id = 'bare';
  form.style.cssText = 'position: fixed; inset: 100px auto auto 100px';
  form.append(field);
  document.body.append(form);
  field.focus();
}

/** CPU of the main thread for each frame of an answer that streams at the end of what is on screen. */
async function frameCost({ page, session, textBox }) {
  const deltas = deltasOf(`${textOf('mixed', STREAMED_TOKENS)}\n\n${LAST_WORDS}`);
  await page.evaluate(
    ([all, each]) => window.benchmark.prepare(all, each, 'frame'),
    [deltas, TOKENS_A_FRAME],
  );
  await textBox.fill('Play the recording.');
  await page.waitForTimeout(500);
  const before = await countersOf(session);
  await textBox.press('Enter');
  await page.evaluate((words) => window.benchmark.framesUntil(words, 1), LAST_WORDS);
  const { taskMs } = difference(before, await countersOf(session));
  await page.waitForTimeout(1_500);
  return taskMs / Math.ceil(deltas.length / TOKENS_A_FRAME);
}
