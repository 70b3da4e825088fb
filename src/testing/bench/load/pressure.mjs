// L6 to L8, L11 to L13: readers who do not read, leave or come in masses, attackers, and the end.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { percentile, post, readStream, readStreams } from './client.mjs';
import { idleReport, startServer } from './processes.mjs';

const MB = 1024 * 1024;

/** L6: 100 readers who stopped reading, in large events and in small ones. */
export async function measurePaused({ gateway, server, quick }) {
  const rows = [];
  for (const size of [64 * 1024, 64]) {
    const idle = await idleReport(server, () => readStreams(server.chat, 20, { events: 5, everyMs: 20 }));
    const quiet = await readStreams(server.chat, 20, { events: 40, everyMs: 50 });
    const before = (await gateway.report()).accepted;
    const responses = [];
    const failures = [];
    for (let count = 0; count < 100; count += 1) {
      post(
        server.chat,
        { flood: true, size },
        (response) => {
          response.pause();
          response.on('error', () => undefined);
          responses.push(response);
        },
        (error) => failures.push(error),
      );
    }
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, server.rssMb())), 200);
    // The gateway is on the same two cores: it has to be held back before it can be fair to the others.
    for (let last = -1, same = 0; same < 5; await sleep(1000)) {
      const now = (await gateway.report()).accepted;
      same = now === last ? same + 1 : 0;
      last = now;
    }
    const busy = await readStreams(server.chat, 20, { events: (quick ? 5 : 55) * 20, everyMs: 50 });
    clearInterval(watch);
    const accepted = (await gateway.report()).accepted - before;
    if (process.env.BENCH_DETAILS) console.log(await server.report(), 'idle', idle);
    for (const response of responses) response.destroy();
    await sleep(1000);
    const name = size < 1024 ? 'small events' : 'large events';
    rows.push(
      [
        'L6',
        `100 paused readers, ${name}: memory above idle, MB`,
        '≤ 64',
        most - idle.rssMb,
        (value) => value <= 64,
      ],
      ['L6', `${name}: accepted of one stream, MB`, '≤ 16', accepted / 100 / MB, (value) => value <= 16],
      [
        'L6',
        `${name}: other streams, p50 ratio (quiet ${quiet.p50.toFixed(2)} ms)`,
        '≤ 2',
        busy.p50 / quiet.p50,
        (value) => value <= 2,
      ],
    );
  }
  return rows;
}

/** L7: requests whose client leaves after 0 to 50 ms. */
export async function measureAborts({ gateway, server, quick }) {
  const starts = quick ? 4000 : 20_000;
  const abortOne = () =>
    new Promise((resolve) => {
      const sent = post(
        server.chat,
        { events: 1000, everyMs: 5, startMs: 10 },
        (response) => response.on('error', () => undefined).resume(),
        () => undefined,
      );
      setTimeout(() => {
        sent.destroy();
        resolve();
      }, Math.random() * 50);
    });
  const some = async (count) => {
    let left = count;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        while (left > 0) {
          left -= 1;
          await abortOne();
        }
      }),
    );
  };
  await some(starts / 10);
  await sleep(2000);
  const before = await server.report();
  await some(starts);
  await sleep(2000);
  const { open } = await gateway.report();
  const after = await server.report();
  return [
    [
      'L7',
      `after ${starts} aborted starts: requests still open at the gateway`,
      '0',
      open,
      (value) => value === 0,
    ],
    ['L7', 'warnings of the server', '0', server.warnings() === '' ? 0 : 1, (value) => value === 0],
    [
      'L7',
      'heap, KB per request',
      '< 0.5',
      (after.heapUsed - before.heapUsed) / 1024 / starts,
      (value) => value < 0.5,
    ],
  ];
}

/** L8: as many short streams as a busy day has. */
export async function measureDay({ server, quick }) {
  const streams = quick ? 8640 : 86_400;
  let failures = 0;
  const some = async (count) => {
    let left = count;
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        while (left > 0) {
          left -= 1;
          const { received, error } = await readStream(server.chat, { events: 2, everyMs: 5 });
          if (received !== 2 || error !== '') failures += 1;
        }
      }),
    );
  };
  await some(streams / 10);
  const early = await server.report();
  server.forget();
  await some((streams * 9) / 10);
  const late = await server.report();
  return [
    ['L8', `${streams} short streams: errors`, '0', failures, (value) => value === 0],
    [
      'L8',
      'heap at the end beside the first tenth',
      '≤ 1.1',
      late.heapUsed / early.heapUsed,
      (value) => value <= 1.1,
    ],
    ['L8', 'event loop delay p99, ms', '≤ 50', late.delayP99Ms, (value) => value <= 50],
  ];
}

/** By count, for up to half a minute: how long it takes depends on what else the machine does. */
async function untilOpen(gateway, count) {
  for (let tries = 0; tries < 300 && (await gateway.report()).open < count; tries += 1) await sleep(100);
}

/** L11: 1,500 streams over a cap of 1,200. */
export async function measureCap({ gateway, server }) {
  const running = readStreams(server.chat, 1200, { events: 100, everyMs: 200 });
  await untilOpen(gateway, 1200);
  const waits = [];
  let refused = 0;
  let withDelay = 0;
  await Promise.all(
    Array.from({ length: 300 }, () => {
      const startedAt = performance.now();
      return new Promise((resolve) => {
        post(
          server.chat,
          { events: 1 },
          (response) => {
            waits.push(performance.now() - startedAt);
            if (response.statusCode === 503) refused += 1;
            if (response.headers['retry-after']) withDelay += 1;
            response.resume().on('end', resolve);
          },
          resolve,
        );
      });
    }),
  );
  const result = await running;
  return [
    [
      'L11',
      'of 300 above the cap, refused with Retry-After',
      '300',
      Math.min(refused, withDelay),
      (value) => value === 300,
    ],
    [
      'L11',
      'the refusal, p50 ms',
      '≤ 100',
      percentile(
        waits.toSorted((one, other) => one - other),
        0.5,
      ),
      (value) => value <= 100,
    ],
    [
      'L11',
      'running streams: lost, out of place, failed',
      '0',
      result.lost + result.outOfPlace + result.errors,
      (value) => value === 0,
    ],
  ];
}

/** L12: SIGTERM with 100 streams. */
export async function measureShutdown({ gateway }) {
  const server = await startServer(gateway);
  const running = readStreams(server.chat, 100, { events: 20, everyMs: 200 });
  await untilOpen(gateway, 100);
  server.signal('SIGTERM');
  await sleep(100);
  const refused = await new Promise((resolve) => {
    const socket = connect(new URL(server.url).port, '127.0.0.1', () => resolve(0));
    socket.on('error', () => resolve(1));
  });
  const result = await running;
  const code = await server.exited;
  return [
    ['L12', 'new connections are refused 100 ms after SIGTERM', '1', refused, (value) => value === 1],
    ['L12', '100 running streams: lost or failed', '0', result.lost + result.errors, (value) => value === 0],
    ['L12', 'exit code', '0', code, (value) => value === 0],
  ];
}

/** L13: attackers who send slowly, endlessly and wrongly, and one normal visitor. */
export async function measureAttack({ server, quick }) {
  const port = Number(new URL(server.url).port);
  const normal = async (count) => {
    const times = [];
    for (let each = 0; each < count; each += 1) {
      times.push((await readStream(server.chat, { events: 1 })).firstByteMs);
      await sleep(20);
    }
    return percentile(
      times.toSorted((one, other) => one - other),
      0.95,
    );
  };
  const quiet = await normal(100);
  const sockets = [];
  const open = (bytes) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  };
  for (let count = 0; count < 500; count += 1) open('POST /gateway/v1/chat/completions HTTP/1.1\r\nHost: ');
  const head = `POST /gateway/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${server.url}\r\ncontent-type: application/json\r\nx-gateway-playground: 1\r\ntransfer-encoding: chunked\r\n\r\n`;
  const uploads = Array.from({ length: 20 }, () => open(head));
  const upload = setInterval(
    () => uploads.forEach((socket) => socket.writable && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`)),
    50,
  );
  const malformed = setInterval(() => {
    for (let count = 0; count < 20; count += 1) open('GET / HTTP/9.9\r\n\r\n').on('data', () => undefined);
  }, 20);
  const during = await normal(quick ? 150 : 1500);
  clearInterval(upload);
  clearInterval(malformed);
  for (const socket of sockets) socket.destroy();
  return [
    [
      'L13',
      `500 slow, 20 endless, 1,000 malformed requests per second: a normal one, p95 beside quiet (${quiet.toFixed(1)} ms)`,
      '≤ 3',
      during / quiet,
      (value) => value <= 3,
    ],
  ];
}
