// Compares the built app with a page that appends plain text lines, on the same recorded stream.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { startServer } from './built-server.mjs';
import { exportSession, getMessageField, openLanes, waitForAnswers } from './chat-page.mjs';
import { createAnswer, closingSentence, splitIntoDeltas } from './corpus.mjs';
import { installDrip } from './drip.mjs';
import {
  createRow,
  getMedian,
  measureCpu,
  measureInRounds,
  openPage,
  typeUntil,
  watchKeys,
} from './measure.mjs';

const deltasPerFrame = 33;
/** Work after the last words, such as reading the answer again, is part of the cost. */
const quietMs = 1_500;
const tokensPerSecond = 500;
const deltasPerPacket = 8;
const laneCount = 4;
const tokensPerMessage = 90;
const sessionKeyCount = 40;
const closingSessionSentence = 'These are the last words of the long session.';

const plainLines = {
  name: 'plain lines',
  url: pathToFileURL(path.join(import.meta.dirname, 'plain-lines.html')).href,
};

export async function measure({ browser, builds, isQuick }) {
  const servers = await Promise.all(builds.map((build) => startServer(build)));
  const apps = builds.map(({ name }, index) => ({ name, url: servers[index].url, isApp: true }));
  const subjects = [plainLines, ...apps];
  const rounds = isQuick ? 1 : 3;
  const tokens = isQuick ? 8_000 : 32_000;
  const laneTokens = isQuick ? 2_000 : 8_000;
  const messages = isQuick ? 500 : 2_000;
  try {
    const costResults = await measureInRounds(subjects, rounds, (subject) =>
      streamOnce(browser, subject, tokens),
    );
    const typingResults = await measureInRounds(subjects, rounds, (subject) =>
      typeWhileStreaming(browser, subject, laneTokens),
    );
    const sessionResults = await measureInRounds(subjects, rounds, (subject) =>
      openLongSession(browser, subject, messages),
    );
    const fourLanes = `${laneCount} lanes at ${tokensPerSecond} tokens/s`;
    const longSession = `${messages.toLocaleString('en')} messages`;
    return {
      title: `Streaming against plain lines (medians of ${rounds}; CPU of the main thread)`,
      baselineName: plainLines.name,
      rows: [
        createRow(`${tokens / 1_000}k tokens: CPU ms`, costResults, 'cpuMs', {
          goal: { maxRatio: 1.5 },
          isCompared: true,
        }),
        createRow(`${fourLanes}: CPU ms`, typingResults, 'cpuMs', { isCompared: true }),
        createRow(`${fourLanes}: worst key to paint, ms`, typingResults, 'worstKeyMs', { isCompared: true }),
        createRow(`${fourLanes}: median key to paint, ms`, typingResults, 'medianKeyMs'),
        createRow(`${longSession}: open, ms`, sessionResults, 'openMs', {
          goal: { max: 500 },
          isCompared: true,
        }),
        createRow(`${longSession}: CPU of a key, ms`, sessionResults, 'keyCpuMs', { isCompared: true }),
        createRow(`${longSession}: worst key to paint, ms`, sessionResults, 'worstKeyMs', {
          isCompared: true,
        }),
        createRow(`${longSession}: median key to paint, ms`, sessionResults, 'medianKeyMs'),
      ],
    };
  } finally {
    servers.forEach((server) => server.stop());
  }
}

/** Opens the page of a subject. `start` begins the streams. */
async function openSubject(browser, { url, isApp = false }, columns) {
  const opened = await openPage(browser, url, installDrip);
  const { page } = opened;
  const field = getMessageField(page);
  if (!isApp) return { ...opened, field, start: () => page.evaluate(startColumns, columns) };
  await openLanes(page, 'demo/recording', columns);
  await field.fill('Play the recording.');
  return { ...opened, field, start: () => field.press('Enter') };
}

/** Runs in the page that appends plain lines. */
function startColumns(count) {
  void window.streamColumns(count);
}

/** Streams one answer in packets of 33 tokens, one per frame. */
async function streamOnce(browser, subject, tokens) {
  const opened = await openSubject(browser, subject, 1);
  const { page, session, start } = opened;
  try {
    await prepare(page, tokens, deltasPerFrame, 'frame');
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(300);
    const cpuMs = await measureCpu(opened, async () => {
      await start();
      await waitForClosingSentence(page, 1);
      await page.waitForTimeout(quietMs);
    });
    return { cpuMs };
  } finally {
    await opened.close();
  }
}

/** Streams four answers side by side and types at the same time. */
async function typeWhileStreaming(browser, subject, tokens) {
  const opened = await openSubject(browser, subject, laneCount);
  const { page, start, field } = opened;
  try {
    await prepare(page, tokens, deltasPerPacket, (1_000 * deltasPerPacket) / tokensPerSecond);
    await page.evaluate(watchKeys);
    await page.waitForTimeout(300);
    const cpuMs = await measureCpu(opened, async () => {
      await start();
      await field.focus();
      let hasEnded = false;
      const streamsEnded = waitForClosingSentence(page, laneCount).finally(() => (hasEnded = true));
      await typeUntil(page, () => hasEnded, 220);
      await streamsEnded;
      await page.waitForTimeout(quietMs);
    });
    return { cpuMs, ...(await readKeys(page)) };
  } finally {
    await opened.close();
  }
}

/** Opens a long session and types in its composer. */
async function openLongSession(browser, subject, messages) {
  const opened = await openSubject(browser, subject, 1);
  const { page, field } = opened;
  try {
    const answers = createAnswers(messages / 2);
    const openMs = subject.isApp
      ? await openImported(opened, answers, subject.url)
      : await page.evaluate((text) => window.showText(text), answers.join('\n\n'));
    await page.waitForTimeout(quietMs);
    await field.focus();
    await page.evaluate(watchKeys);
    const measureActionCpu = (action) => measureCpu(opened, action);
    const typeKeys = () => typeUntil(page, (count) => count === sessionKeyCount, 60);
    await typeKeys();
    await page.evaluate(() => window.keyTimes.splice(0));
    const idleMs = await measureActionCpu(() => page.waitForTimeout(sessionKeyCount * 60));
    const typingMs = await measureActionCpu(typeKeys);
    return { openMs, keyCpuMs: Math.max(0, typingMs - idleMs) / sessionKeyCount, ...(await readKeys(page)) };
  } finally {
    await opened.close();
  }
}

async function prepare(page, tokens, perPacket, pace) {
  const deltas = splitIntoDeltas(`${createAnswer(tokens)}\n\n${closingSentence}`);
  await page.evaluate(
    ([allDeltas, deltasInPacket, packetPace]) =>
      window.benchmark.prepare(allDeltas, deltasInPacket, packetPace),
    [deltas, perPacket, pace],
  );
}

const waitForClosingSentence = (page, streams) =>
  page.evaluate(
    ([sentence, count]) => window.benchmark.waitForWords(sentence, count),
    [closingSentence, streams],
  );

async function readKeys(page) {
  const keyTimes = await page.evaluate(() => window.keyTimes);
  return { worstKeyMs: Math.max(...keyTimes), medianKeyMs: getMedian(keyTimes) };
}

/** Returns the texts of the given number of answers; the last one ends with the closing sentence. */
function createAnswers(count) {
  const blocks = createAnswer(2 * tokensPerMessage * count).split('\n\n');
  const perAnswer = Math.max(1, Math.floor(blocks.length / count));
  const answers = Array.from({ length: count }, (_, index) =>
    blocks.slice(index * perAnswer, (index + 1) * perAnswer).join('\n\n'),
  );
  return [...answers.slice(0, -1), `${answers.at(-1)}\n\n${closingSessionSentence}`];
}

/**
 * Imports a session with these answers, then measures the time from the click on its link until its last words are
 * visible.
 */
async function openImported({ page, field }, answers, url) {
  await prepare(page, 100, deltasPerFrame, 'frame');
  await field.press('Enter');
  await waitForAnswers(page);
  const text = multiplySession(await exportSession(page), answers);
  await page.goto(new URL('/history', url).href);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import' }).click(),
  ]);
  await chooser.setFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  const link = page.getByRole('link', { name: 'Long session' });
  await link.waitFor();
  await page.reload();
  await link.waitFor();
  await page.waitForTimeout(quietMs);
  await page.evaluate(watchOpening, closingSessionSentence);
  await link.click();
  return page.evaluate(() => window.opened);
}

/** Repeats the only turn of an exported session once per answer, so that the file has the format of this build. */
function multiplySession(exported, answers) {
  const file = JSON.parse(exported);
  const [data] = file.sessions;
  const formatIndex = (index) => String(index).padStart(6, '0');
  const prompts = answers.map((_, index) => ({
    ...data.prompts[0],
    id: `p${formatIndex(index)}`,
    seq: index * 2 + 1,
    messages: [{ role: 'user', content: `Question ${index}: what comes next?` }],
  }));
  const turns = answers.map((_, index) => ({
    ...data.turns[0],
    id: `t${formatIndex(index)}`,
    seq: index * 2 + 2,
    promptId: `p${formatIndex(index)}`,
    reply: { runId: `r${formatIndex(index)}` },
    ...(index === 0 ? {} : { parent: { turnId: `t${formatIndex(index - 1)}`, choice: 0 } }),
  }));
  const runs = answers.map((text, index) => ({
    ...data.runs[0],
    id: `r${formatIndex(index)}`,
    choices: [{ ...data.runs[0].choices[0], parts: [{ type: 'text', text }] }],
  }));
  const sessionLanes = [{ ...data.lanes[0], tip: turns.at(-1).id }];
  const session = { ...data, prompts, turns, runs, lanes: sessionLanes, title: 'Long session', titled: true };
  return JSON.stringify({ ...file, sessions: [session] });
}

/** Runs in the page: `window.opened` resolves with the ms from the next click until the words are visible. */
function watchOpening(expectedText) {
  let clickedAt;
  addEventListener('click', (event) => (clickedAt ??= event.timeStamp), { capture: true });
  window.opened = new Promise((resolve) => {
    const check = () => {
      const lastMarkdown = [...document.querySelectorAll('article .markdown')].at(-1);
      if (clickedAt === undefined || !lastMarkdown?.textContent.includes(expectedText))
        return requestAnimationFrame(check);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - clickedAt);
      channel.port2.postMessage(undefined);
    };
    requestAnimationFrame(check);
  });
}
