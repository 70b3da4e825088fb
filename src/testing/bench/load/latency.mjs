// L1 to L5: many streams, their memory and delays, first bytes, bulk. Proxied beside direct, in turns.
import { setTimeout as sleep } from 'node:timers/promises';

import { hangUp, median, post, readStream, readStreams } from './client.mjs';
import { idleReport } from './processes.mjs';

const MB = 1024 * 1024;

/** L1, L2: 1,000 streams, 5 events per second. */
export async function measureMany({ server, quick }) {
  const seconds = quick ? 10 : 60;
  const allGone = async () => {
    hangUp();
    await sleep(10_000);
  };
  const idle = await idleReport(server, async () => {
    await readStreams(server.chat, 20, { events: 5, everyMs: 20 });
    await allGone();
  });
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, server.rssMb())), 200);
  const result = await readStreams(server.chat, 1000, { events: seconds * 5, everyMs: 200 });
  clearInterval(watch);
  await allGone();
  const after = await server.report();
  return [
    [
      'L1',
      `1,000 streams for ${seconds} s: events lost or out of place`,
      '0',
      result.lost + result.outOfPlace,
      (value) => value === 0,
    ],
    [
      'L1',
      'streams that have not the hash of what the gateway said',
      '0',
      result.changed,
      (value) => value === 0,
    ],
    ['L1', 'errors', '0', result.errors, (value) => value === 0],
    ['L2', 'memory above idle, MB', '≤ 150', most - idle.rssMb, (value) => value <= 150],
    [
      'L2',
      'heap above idle 10 s after, MB',
      '≤ 10',
      (after.heapUsed - idle.heapUsed) / MB,
      (value) => value <= 10,
    ],
    ['L2', 'files above idle 10 s after', '0 ± 5', after.files - idle.files, (value) => Math.abs(value) <= 5],
  ];
}

async function inTurns(rounds, direct, proxied) {
  const results = { direct: [], proxied: [] };
  for (let round = 0; round < rounds; round += 1) {
    results.direct.push(await direct());
    results.proxied.push(await proxied());
  }
  return results;
}

/** L3: what the proxy adds to each event. */
export async function measureDelays({ gateway, server, quick }) {
  const rows = [];
  for (const [count, goals] of [
    [100, { ratio: 3, p50: 1, p99: 30 }],
    [1000, { p50: 6, p99: 300 }],
  ]) {
    const wanted = { events: quick ? 30 : 60, everyMs: 100 };
    const { direct, proxied } = await inTurns(
      quick ? 3 : 5,
      () => readStreams(gateway.chat, count, wanted),
      () => readStreams(server.chat, count, wanted),
    );
    const of = (results, name) => median(results.map((result) => result[name]));
    const added = (name) => of(proxied, name) - of(direct, name);
    const beside = `direct ${of(direct, 'p50').toFixed(2)} / ${of(direct, 'p99').toFixed(1)} ms`;
    if (goals.ratio)
      rows.push([
        'L3',
        `${count} streams × 10/s: p50 ratio (${beside})`,
        `≤ ${goals.ratio}`,
        of(proxied, 'p50') / of(direct, 'p50'),
        (value) => value <= goals.ratio,
      ]);
    rows.push([
      'L3',
      `${count} streams: added p50, ms (${beside})`,
      `≤ ${goals.p50}`,
      added('p50'),
      (value) => value <= goals.p50,
    ]);
    rows.push([
      'L3',
      `${count} streams: added p99, ms`,
      `≤ ${goals.p99}`,
      added('p99'),
      (value) => value <= goals.p99,
    ]);
  }
  return rows;
}

/** L4: the first byte, and one large answer. */
export async function measureBulk({ gateway, server, quick }) {
  const first = async (chat) => {
    const times = [];
    for (let count = 0; count < 40; count += 1)
      times.push((await readStream(chat, { events: 1 })).firstByteMs);
    return median(times);
  };
  const bytes = (quick ? 50 : 200) * MB;
  const bulk = (chat) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      let received = 0;
      post(chat, { flood: true, bytes }, (response) => {
        response.on('data', (data) => (received += data.length));
        response.on('end', () => resolve(received / MB / ((performance.now() - startedAt) / 1000)));
        response.on('error', reject);
      });
    });
  const rounds = quick ? 3 : 5;
  const firsts = await inTurns(
    rounds,
    () => first(gateway.chat),
    () => first(server.chat),
  );
  const bulks = await inTurns(
    rounds,
    () => bulk(gateway.chat),
    () => bulk(server.chat),
  );
  const [direct, proxied] = [median(firsts.direct), median(firsts.proxied)];
  return [
    [
      'L4',
      `first byte, ratio (direct ${direct.toFixed(2)} ms)`,
      '≤ 2',
      proxied / direct,
      (value) => value <= 2,
    ],
    ['L4', 'first byte, added ms', '≤ 3', proxied - direct, (value) => value <= 3],
    [
      'L4',
      `one ${bytes / MB} MB stream, share of direct (${Math.round(median(bulks.direct))} MB/s)`,
      '≥ 0.5',
      median(bulks.proxied) / median(bulks.direct),
      (value) => value >= 0.5,
    ],
  ];
}

/** L5: every event leaves before the next one comes. */
export async function measureFlush({ gateway, server, quick }) {
  const wanted = { events: quick ? 100 : 500, everyMs: 20 };
  const direct = await readStreams(gateway.chat, 20, wanted);
  const proxied = await readStreams(server.chat, 20, wanted);
  return [
    [
      'L5',
      `of ${20 * wanted.events} events at 20 ms, joined with another (direct ${direct.coalesced})`,
      '0',
      proxied.coalesced,
      (value) => value <= direct.coalesced,
    ],
  ];
}
