// npm run benchmark -- channel [--quick] [--minutes 5] [--only page|streams|sustained]: the channel beside the direct way;
// results in .bench/channel.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { chromium } from 'playwright';

import { ensureBuilt } from '../../scripts/built.mjs';
import { findChromium } from '../../scripts/test-run/find-browser.mjs';
import { startNotingGateway } from './channel/gateway.mjs';
import { channelsOf, pageScript } from './channel/ways.mjs';
import { hangUp, percentile, readStreams } from './load/client.mjs';
import { idleReport, startGateway, startServer } from './load/processes.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const WAYS = ['direct', 'channel'];

export async function run(args) {
  ensureBuilt();
  const quick = args.includes('--quick');
  const at = args.indexOf('--minutes');
  const minutes = at === -1 ? (quick ? 0 : 5) : Number(args[at + 1]);
  const rows = [];
  const note = (what, way, measured, goal) => {
    // The direct way is what the channel is put beside: nothing is asked of it.
    const isMet = goal === undefined || way === 'direct' ? null : measured <= goal;
    rows.push({ what, way, measured: Number(measured.toFixed(2)), goal: goal ?? null, met: isMet });
    console.log(
      `${isMet === null ? '      ' : isMet ? 'met   ' : 'MISSED'} ${way.padEnd(8)} ${what}: ${measured.toFixed(2)}${goal === undefined ? '' : ` (goal at most ${goal})`}`,
    );
  };
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
  const isAsked = (part) => only === undefined || only === part;
  if (isAsked('page')) await inBrowser(note);
  if (isAsked('streams')) await manyStreams(note, quick);
  if (isAsked('sustained') && minutes > 0) await sustained(note, minutes);
  mkdirSync(path.join(root, '.bench'), { recursive: true });
  writeFileSync(
    path.join(root, '.bench/channel.json'),
    `${JSON.stringify({ at: new Date().toISOString(), node: process.version, quick, rows }, null, 2)}\n`,
  );
  return 0;
}

async function inBrowser(note) {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('This needs Chromium.');
  const script = await pageScript();
  for (const way of WAYS) {
    const gateway = await startNotingGateway();
    const server = await startServer(gateway);
    const launched = await chromium.launchServer({ executablePath });
    const browser = await chromium.connect(launched.wsEndpoint());
    const open = async (beside) => {
      const context = beside?.context() ?? (await browser.newContext());
      const page = await context.newPage();
      // What a page fetches once it is drawn is over: the ways are measured, not the start of the app.
      await page.goto(`${server.url}/history`, { waitUntil: 'networkidle' });
      await page.evaluate(script);
      await page.evaluate(() => globalThis.bench.channel.isThere());
      return page;
    };
    try {
      // Of the same browser, whose connections both share.
      const neighbour = await open();
      await atOnce(note, way, { page: await open(neighbour), neighbour, gateway });
      await whileBusy(note, way, { page: await open(), gateway });
      await endings(note, way, { open, gateway, kill: () => launched.kill() });
    } finally {
      await launched.kill();
      await server.stop();
      gateway.stop();
    }
  }
}

/** 24 requests at once, and what else the page asks for meanwhile. */
async function atOnce(note, way, { page, neighbour, gateway }) {
  gateway.requests.length = 0;
  await page.evaluate((chosen) => {
    for (let count = 0; count < 24; count += 1)
      void globalThis.bench.ask(chosen, { forMs: 3000 }).then((answer) => answer.text());
    return new Promise((resolve) => setTimeout(resolve, 300));
  }, way);
  const answered = (address) =>
    page.evaluate(async (from) => {
      const begunAt = performance.now();
      await (await fetch(from, { cache: 'no-store' })).text();
      return performance.now() - begunAt;
    }, address);
  const reloaded = async () => {
    await neighbour.reload({ waitUntil: 'commit' });
    return neighbour.evaluate(async () => {
      const [load] = performance.getEntriesByType('navigation');
      while (load.responseEnd === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      return load.responseEnd - load.startTime;
    });
  };
  const [models, health, reload] = await Promise.all([
    answered('/gateway/v1/models'),
    answered('/gateway/healthz'),
    reloaded(),
  ]);
  while (gateway.requests.length < 24) await sleep(50);
  const came = gateway.requests.map(({ at }) => at);
  note(
    '24 requests: from the first to the last at the gateway, ms',
    way,
    Math.max(...came) - Math.min(...came),
    50,
  );
  note('models while they run, ms', way, models, 100);
  note('health while they run, ms', way, health, 100);
  note('a reload of another tab while they run, ms', way, reload, 100);
  await neighbour.close();
  await page.close();
}

/** The main thread stands still 200 ms at a time. */
async function whileBusy(note, way, { page, gateway }) {
  const wrong = [];
  for (let times = 0; times < 10; times += 1) {
    gateway.requests.length = 0;
    const firstMs = await page.evaluate(async (chosen) => {
      const from = performance.now();
      const asked = globalThis.bench.ask(chosen, { firstMs: 310, forMs: 800 });
      const busy = setInterval(() => {
        const until = performance.now() + 200;
        while (performance.now() < until);
      }, 210);
      const answer = await asked;
      const reader = answer.body.getReader();
      await reader.read();
      const at = answer.serverAt?.() ?? performance.now() - from;
      clearInterval(busy);
      while (!(await reader.read()).done);
      return at;
    }, way);
    const [{ at, firstAt }] = gateway.requests;
    wrong.push(Math.abs(firstMs - (firstAt - at)));
  }
  wrong.sort((one, other) => one - other);
  note('time to first token of a busy page: wrong by at most, ms', way, wrong.at(-1), 5);
  await page.close();
}

async function endings(note, way, { open, gateway, kill }) {
  const begun = async (page) => {
    gateway.requests.length = 0;
    await page.evaluate((chosen) => {
      globalThis.stop = new AbortController();
      const asked = globalThis.bench.ask(chosen, { forMs: 60_000 }, globalThis.stop.signal);
      return asked.then((answer) => void answer.text().catch(() => undefined));
    }, way);
  };
  const leftAfter = async (from) => {
    // Longer than any goal: what is not left by then is missed.
    while (!gateway.requests[0].leftAt && performance.now() - from < 20_000) await sleep(1);
    return (gateway.requests[0].leftAt || performance.now()) - from;
  };
  const page = await open();
  await begun(page);
  let from = performance.now();
  await page.evaluate(() => globalThis.stop.abort());
  note('stop reaches the gateway after, ms', way, await leftAfter(from), 100);
  await begun(page);
  from = performance.now();
  await page.close();
  note('a closed tab ends its request after, ms', way, await leftAfter(from), 1000);
  const last = await open();
  await begun(last);
  from = performance.now();
  await kill();
  note('a killed browser ends its request after, ms', way, await leftAfter(from), 6000);
}

/** 1,000 streams of 5 events per second, from this process; the channel with ten in each of 100. */
async function manyStreams(note, quick) {
  const seconds = quick ? 10 : 60;
  const wanted = { events: seconds * 5, everyMs: 200 };
  const medians = {};
  for (const way of WAYS) {
    const gateway = await startGateway();
    const server = await startServer(gateway);
    const channels = await channelsOf(server.url);
    const all = Array.from({ length: 100 }, () => channels.create());
    let turn = 0;
    const read =
      way === 'direct'
        ? readStreams
        : (_chat, count, what) => overChannels(all, count, what, () => (turn += 1));
    try {
      const idle = await idleReport(server, () => read(server.chat, 20, { events: 5, everyMs: 20 }));
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, server.rssMb())), 200);
      const result = await read(server.chat, 1000, wanted);
      clearInterval(watch);
      medians[way] = result.p50;
      note(
        `1,000 streams for ${seconds} s: events lost or out of place`,
        way,
        result.lost + result.outOfPlace,
        0,
      );
      note('memory a stream, KB', way, ((most - idle.rssMb) * 1024) / 1000, 100);
      note('delay of an event, median, ms', way, result.p50);
    } finally {
      channels.end();
      hangUp();
      await server.stop();
      gateway.stop();
    }
  }
  note('median delay that the channel adds, ms', 'channel', medians.channel - medians.direct, 1.5);
}

const clock = () => performance.timeOrigin + performance.now();

async function overChannels(channels, count, wanted, nextTurn) {
  const results = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep((index / count) * 1000);
      const channel = channels[nextTurn() % channels.length];
      const result = { delays: [], received: 0, outOfPlace: 0 };
      if (!(await channel.isThere())) return result;
      const body = JSON.stringify({ model: 'north/one', messages: [], stream: true, bench: wanted });
      const { signal } = new AbortController();
      const request = { path: '/v1/chat/completions', accept: '*/*', requestId: undefined, body, signal };
      const answer = await channel.ask(request);
      const utf8 = new TextDecoder();
      let rest = '';
      for await (const bytes of answer.body) {
        const now = clock();
        const events = (rest + utf8.decode(bytes, { stream: true })).split('\n\n');
        rest = events.pop();
        for (const event of events) {
          if (event.startsWith('data: [DONE]')) continue;
          result.received += 1;
          const { n, t } = JSON.parse(event.slice(6));
          if (n !== result.received) result.outOfPlace += 1;
          result.delays.push(now - t);
        }
      }
      return result;
    }),
  );
  const delays = results.flatMap((result) => result.delays).toSorted((one, other) => one - other);
  const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
  return {
    lost: count * wanted.events - sum((result) => result.received),
    outOfPlace: sum((result) => result.outOfPlace),
    p50: percentile(delays, 0.5),
  };
}

/** Answers of 20 s at 50 requests per minute, as many at once as each way has places. */
async function sustained(note, minutes) {
  for (const [way, places] of [
    ['direct', 4],
    ['channel', 24],
  ]) {
    const gateway = await startNotingGateway();
    const server = await startServer(gateway, { GATEWAY_RPM: '50' });
    const channels = await channelsOf(server.url);
    const channel = channels.create();
    let isOver = false;
    const body = JSON.stringify({
      model: 'north/one',
      messages: [],
      bench: { everyMs: 1000, forMs: 20_000 },
    });
    const headers = { origin: server.url, 'content-type': 'application/json', 'x-gateway-playground': '1' };
    const ask = async () => {
      const { signal } = new AbortController();
      const request = { path: '/v1/chat/completions', accept: '*/*', requestId: undefined, body, signal };
      if (way === 'direct') return fetch(server.chat, { method: 'POST', headers, body });
      await channel.isThere();
      return channel.ask(request);
    };
    const work = async () => {
      while (!isOver) {
        const answer = await ask();
        await answer.text();
        if (answer.status === 429) await sleep(Number(answer.headers.get('retry-after-ms')));
      }
    };
    // At the end the server stops with answers under way.
    const all = Promise.allSettled(Array.from({ length: places }, work));
    await sleep((minutes + 1) * 60_000);
    const from = gateway.requests[0].at + 60_000;
    const sent = gateway.requests.filter(({ at }) => at >= from && at < from + minutes * 60_000).length;
    // A goal that is to be reached from below.
    note(`requests per minute short of 50, over ${minutes} minutes`, way, 50 - sent / minutes, 2);
    isOver = true;
    channels.end();
    await server.stop();
    gateway.stop();
    await all;
  }
}
