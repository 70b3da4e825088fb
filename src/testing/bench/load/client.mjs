// Clients of the load benchmarks: streams whose every event is counted, timed and checked for its place.
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
/** Everyone has left: connections that wait for a next request are closed. */
export const hangUp = () => agent.destroy();

const clock = () => performance.timeOrigin + performance.now();

/** One POST as the app sends it. `onResponse` may pause or destroy the response. */
export function post(chat, wanted, onResponse, onError = () => undefined) {
  const { origin } = new URL(chat);
  const body = JSON.stringify({ model: 'north/one', messages: [], stream: true, bench: wanted });
  const sent = request(chat, {
    method: 'POST',
    agent,
    headers: {
      origin,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-gateway-playground': '1',
    },
  });
  sent.on('response', onResponse);
  sent.on('error', onError);
  sent.end(body);
  return sent;
}

/** One stream to its end: its delays in ms, whether an event was missing or out of order, packets that held several. */
export function readStream(chat, wanted) {
  return new Promise((resolve) => {
    const sentAt = clock();
    const result = {
      delays: [],
      firstByteMs: 0,
      received: 0,
      outOfPlace: 0,
      coalesced: 0,
      isWhole: false,
      status: 0,
      error: '',
    };
    const failed = (error) => resolve({ ...result, error: String(error) });
    post(
      chat,
      wanted,
      (response) => {
        result.status = response.statusCode;
        let rest = '';
        const hash = createHash('sha256');
        response.setEncoding('utf8');
        response.on('data', (text) => {
          const now = clock();
          result.firstByteMs ||= now - sentAt;
          const events = (rest + text).split('\n\n');
          rest = events.pop();
          let inPacket = 0;
          for (const event of events) {
            if (event.startsWith('data: [DONE]')) {
              result.isWhole = event === `data: [DONE] ${hash.digest('hex')}`;
              continue;
            }
            hash.update(`${event}\n\n`);
            inPacket += 1;
            result.received += 1;
            if (event.startsWith(':')) continue;
            const { n, t } = JSON.parse(event.slice(6));
            if (n !== result.received) result.outOfPlace += 1;
            result.delays.push(now - t);
          }
          if (inPacket > 1) result.coalesced += inPacket - 1;
        });
        response.on('end', () => resolve(result));
        response.on('error', failed);
      },
      failed,
    );
  });
}

/** Many streams at once, begun over a second. */
export async function readStreams(chat, count, wanted) {
  const results = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index / count) * 1000));
      return readStream(chat, wanted);
    }),
  );
  const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
  const delays = results.flatMap((result) => result.delays).toSorted((one, other) => one - other);
  return {
    lost: count * wanted.events - sum((result) => result.received),
    outOfPlace: sum((result) => result.outOfPlace),
    /** Streams whose bytes do not have the hash that the gateway sent with their end. */
    changed: sum((result) => (result.isWhole ? 0 : 1)),
    coalesced: sum((result) => result.coalesced),
    errors: results.filter((result) => result.error !== '' || result.status !== 200).length,
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
  };
}

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values) {
  return percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}
