// L14 to L17: what streams cost the page. By CPU of its main thread where a neighbour would spoil the clock.
import { chromium } from 'playwright';

import { findChromium } from '../../../scripts/test-run/find-browser.mjs';
import { startBuiltBench } from '../streaming/bench-server.mjs';
import { deltasOf, LAST_WORDS, textOf } from '../streaming/corpus.mjs';
import { streamLanes } from '../streaming/lanes.mjs';
import { countersOf, difference, openPage, tasksDuring, TASKS_ALONE } from '../streaming/measure.mjs';
import { openSubject } from '../streaming/subjects.mjs';

const app = { name: 'app', page: undefined };
const CHARACTERS_A_TOKEN = 4;

async function withBrowser(work) {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('L14 to L17 need Chromium.');
  const bench = await startBuiltBench();
  const browser = await chromium.launch({ executablePath });
  try {
    return await work({ browser, benchUrl: bench.url, open: (url) => openPage(browser, url) });
  } finally {
    await browser.close();
    bench.stop();
  }
}

const prepare = (page, tokens, tokensAPacket, pace) =>
  page.evaluate(
    ([deltas, each, every]) => window.benchmark.prepare(deltas, each, every),
    [deltasOf(`${textOf('mixed', tokens)}\n\n${LAST_WORDS}`), tokensAPacket, pace],
  );

/** L14: a long answer of markdown, and one twice as long. */
export const measureRendering = ({ quick }) =>
  withBrowser(async (setting) => {
    const [short, long] = quick ? [20, 40] : [100, 200];
    const stream = async (kilobytes) => {
      const { page, session, start, ended, close } = await openSubject({
        subject: app,
        columns: 1,
        ...setting,
      });
      await prepare(page, (kilobytes * 1000) / CHARACTERS_A_TOKEN, 4, 20);
      const before = await countersOf(session);
      const tasks = await tasksDuring(
        setting.browser,
        page,
        async () => {
          await start();
          await ended();
        },
        TASKS_ALONE,
      );
      const { taskMs } = difference(before, await countersOf(session));
      await close();
      return { ...tasks, taskMs };
    };
    const one = await stream(short);
    const two = await stream(long);
    const onClock = (ms) => `on the wall ${ms.toFixed(0)}`;
    return [
      [
        'L14',
        `${long} kB of markdown, 200 tokens/s: longest task, ms of CPU (${onClock(two.longestTaskMs)})`,
        '≤ 200',
        two.longestTaskCpuMs,
        (value) => value <= 200,
      ],
      [
        'L14',
        `the same: task p95, ms of CPU (${onClock(two.p95TaskMs)})`,
        '≤ 50',
        two.p95TaskCpuMs,
        (value) => value <= 50,
      ],
      [
        'L14',
        `cost beside ${short} kB (${one.taskMs.toFixed(0)} ms of CPU)`,
        '≤ 2.6',
        two.taskMs / one.taskMs,
        (value) => value <= 2.6,
      ],
    ];
  });

/** L15: four lanes while someone types. */
export const measureTyping = ({ quick }) =>
  withBrowser(async (setting) => {
    const result = await streamLanes(setting, app, quick ? 500 : 3000, {
      lanes: 4,
      tokensASecond: 100,
      tokensAPacket: 2,
    });
    return [
      [
        'L15',
        `4 lanes × 100 tokens/s: key to paint p95, ms (median ${result.medianKeyMs.toFixed(0)})`,
        '≤ 50',
        result.keyP95Ms,
        (value) => value <= 50,
      ],
      ['L15', 'the same: frames a second', '≥ 30', result.framesPerSecond, (value) => value >= 30],
    ];
  });

/** Runs in the page before its own scripts: counts what is written to its databases. */
function countWrites() {
  window.written = { transactions: 0, bytes: 0 };
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function begin(stores, mode, options) {
    if (mode === 'readwrite') window.written.transactions += 1;
    return transaction.call(this, stores, mode, options);
  };
  for (const name of ['put', 'add']) {
    const write = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function counted(value, ...key) {
      window.written.bytes += new TextEncoder().encode(JSON.stringify(value)).length;
      return write.call(this, value, ...key);
    };
  }
}

/** L16: what a stream writes. */
export const measureStoring = ({ quick }) =>
  withBrowser(async (setting) => {
    const tokens = quick ? 1000 : 4000;
    const { page, start, ended, close } = await openSubject({ subject: app, columns: 1, ...setting });
    await prepare(page, tokens, 2, 20);
    await page.evaluate(countWrites);
    const startedAt = performance.now();
    await start();
    await ended();
    const seconds = (performance.now() - startedAt) / 1000;
    const { transactions, bytes } = await page.evaluate(() => window.written);
    const received = await page.evaluate(() =>
      window.benchmark.state.packets.reduce((sum, packet) => sum + packet.length, 0),
    );
    await close();
    return [
      [
        'L16',
        `${tokens} tokens at 100/s: write transactions a second`,
        '≤ 4',
        transactions / seconds,
        (value) => value <= 4,
      ],
      ['L16', 'bytes written of bytes received', '≤ 3', bytes / received, (value) => value <= 3],
    ];
  });

/** L17: many streams in one tab, each in a session of its own. */
export const measureManySessions = ({ quick }) =>
  withBrowser(async (setting) => {
    const streams = quick ? 100 : 500;
    const opened = await openSubject({ subject: app, columns: 1, ...setting });
    const { page, session, textBox, ended } = opened;
    await prepare(page, 200, 20, 'frame');
    const used = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
      return { heap: of('JSHeapUsedSize'), nodes: of('Nodes') };
    };
    let early;
    for (let count = 1; count <= streams; count += 1) {
      if (count > 1) await page.getByRole('button', { name: 'New session' }).first().click();
      await textBox.fill(`Stream ${count}`);
      await textBox.press('Enter');
      await ended();
      if (count === 50) early = await used();
    }
    const late = await used();
    await opened.close();
    return [
      [
        'L17',
        `heap after ${streams} streams beside 50 (${(early.heap / 1024 / 1024).toFixed(1)} MB)`,
        '≤ 1.3',
        late.heap / early.heap,
        (value) => value <= 1.3,
      ],
      [
        'L17',
        `nodes of the page after ${streams} streams beside 50 (${early.nodes})`,
        'flat (≤ 1.1)',
        late.nodes / early.nodes,
        (value) => value <= 1.1,
      ],
    ];
  });
