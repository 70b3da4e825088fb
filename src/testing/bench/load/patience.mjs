// L9, and F18 and F90 in real time: streams that say little, for a long time.
import { setTimeout as sleep } from 'node:timers/promises';

import { readStream, readStreams } from './client.mjs';
import { idleReport } from './processes.mjs';

const MB = 1024 * 1024;

/** What half an hour of waiting may add: the measured memory is that of a process, not of a stream. */
const flatMb = 8;

export async function measurePatience({ server, quick }) {
  const rows = [];
  const idle = await idleReport(server, () => readStreams(server.chat, 20, { events: 20, everyMs: 20 }));
  const isWhole = (result, events) =>
    result.error === '' && result.isWhole && result.received === events && result.outOfPlace === 0;
  const [seconds, silence, comments] = quick ? [60, 20, 2000] : [1800, 310, 17_280];

  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, server.rssMb())), 5000);
  const [long, working, silent] = await Promise.all([
    readStream(server.chat, { events: seconds / 20, everyMs: 20_000 }),
    readStream(server.chat, { events: silence / 5, everyMs: 5000, comments: true }),
    readStream(server.chat, { events: 2, everyMs: silence * 1000, startMs: silence * 1000 }),
  ]);
  clearInterval(watch);
  const yes = (value) => value === 1;
  rows.push(
    ['L9', `${seconds / 60} min, an event each 20 s: not cut`, '1', Number(isWhole(long, seconds / 20)), yes],
    [
      'L9',
      'the same: memory above idle, MB',
      `flat (≤ ${flatMb})`,
      most - idle.rssMb,
      (value) => value <= flatMb,
    ],
    ['F18', `a comment each 5 s for ${silence} s: not cut`, '1', Number(isWhole(working, silence / 5)), yes],
    ['F90', `${silence} s of silence, twice: not cut`, '1', Number(isWhole(silent, 2)), yes],
  );

  const before = await server.report();
  const day = await readStream(server.chat, { events: comments, everyMs: 2, comments: true });
  await sleep(1000);
  const after = await server.report();
  rows.push(
    ['L9', `${comments} comments, as many as a day has: not cut`, '1', Number(isWhole(day, comments)), yes],
    [
      'L9',
      'the same: heap above before, MB',
      'flat (≤ 2)',
      (after.heapUsed - before.heapUsed) / MB,
      (value) => value <= 2,
    ],
  );
  return rows;
}
