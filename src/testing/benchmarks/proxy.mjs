// Compares many streams through the proxy with a direct connection to the same gateway.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { startServer } from './built-server.mjs';
import { createRow, getPercentile, measureInRounds } from './measure.mjs';

const everyMs = 200;

export async function measure({ builds, isQuick }) {
  const streams = isQuick ? 100 : 300;
  const events = (isQuick ? 5 : 20) * (1_000 / everyMs);
  const rounds = isQuick ? 1 : 3;
  const gateway = fork(fileURLToPath(new URL('./load-gateway.mjs', import.meta.url)));
  const port = await new Promise((resolve) => gateway.once('message', resolve));
  const gatewayUrl = `http://127.0.0.1:${port}/`;
  const servers = await Promise.all(builds.map((build) => startServer(build, gatewayUrl)));
  try {
    const subjects = [
      { name: 'direct', chat: new URL('v1/chat/completions', gatewayUrl) },
      ...builds.map(({ name }, index) => ({
        name,
        chat: new URL('gateway/v1/chat/completions', servers[index].url),
        pid: servers[index].pid,
      })),
    ];
    // The first streams make every process load and compile the code it needs.
    for (const { chat } of subjects) await readStreams(chat, 20, 5);
    await sleep(2_000);
    const results = await measureInRounds(subjects, rounds, (subject) =>
      measureStreams(subject, streams, events),
    );
    return {
      title: `${streams} streams × ${1_000 / everyMs} events/s through the proxy (medians of ${rounds})`,
      baselineName: 'direct',
      rows: [
        createRow('delay of an event, p50, ms', results, 'p50Ms', { goal: { maxAdded: 2 } }),
        createRow('delay of an event, p99, ms', results, 'p99Ms', { goal: { maxAdded: 30 } }),
        createRow('lost or misplaced events', results, 'lost', { goal: { max: 0 } }),
        createRow('memory above idle, MB', results, 'addedMb', { goal: { max: 60 } }),
      ],
    };
  } finally {
    servers.forEach((server) => server.stop());
    gateway.kill('SIGKILL');
  }
}

async function measureStreams({ chat, pid }, streams, events) {
  const idleMb = readMemoryMb(pid);
  let maxMb = idleMb;
  const timer = setInterval(() => (maxMb = Math.max(maxMb, readMemoryMb(pid))), everyMs);
  const result = await readStreams(chat, streams, events);
  clearInterval(timer);
  await sleep(2_000);
  return { ...result, addedMb: maxMb - idleMb };
}

/** Returns the memory of a process, or NaN if the system has no /proc. */
function readMemoryMb(pid) {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Reads many streams concurrently; they start within one second. */
async function readStreams(chat, count, events) {
  const agent = new Agent({ keepAlive: true });
  const results = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep((index / count) * 1_000);
      return readStream(agent, chat, events);
    }),
  );
  agent.destroy();
  const delays = results.flatMap((result) => result.delays);
  const orderedCount = results.reduce((sum, result) => sum + result.inPlace, 0);
  return {
    p50Ms: getPercentile(delays, 0.5),
    p99Ms: getPercentile(delays, 0.99),
    lost: count * events - orderedCount,
  };
}

/** Reads one stream to its end. Returns the delays of its events and their number. */
function readStream(agent, chat, events) {
  const body = JSON.stringify({
    model: 'north/one',
    messages: [{ role: 'user', content: 'Go' }],
    stream: true,
    benchmark: { events, everyMs },
  });
  const headers = {
    origin: chat.origin,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-gateway-playground': '1',
  };
  const result = { delays: [], inPlace: 0 };
  return new Promise((resolve) => {
    const clientRequest = request(chat, { method: 'POST', agent, headers }, (response) => {
      let bufferedText = '';
      let receivedCount = 0;
      response.setEncoding('utf8');
      response.on('data', (text) => {
        const receivedAt = performance.timeOrigin + performance.now();
        const completeEvents = (bufferedText + text).split('\n\n');
        bufferedText = completeEvents.pop();
        for (const event of completeEvents) {
          const data = event.slice('data: '.length);
          if (data === '[DONE]') continue;
          const { number, sentAt } = JSON.parse(data);
          receivedCount += 1;
          if (number === receivedCount) result.inPlace += 1;
          result.delays.push(receivedAt - sentAt);
        }
      });
      response.on('close', () => resolve(result));
    });
    clientRequest.on('error', () => resolve(result));
    clientRequest.end(body);
  });
}
