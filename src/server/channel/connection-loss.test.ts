import { beforeAll, describe, expect, it } from 'vitest';

import { createChannelClient } from '../../gateway/channel/channel-client.ts';
import { maxChannelRuns } from '../../lib/channel-frames.ts';
import { createRandomSource } from '../../testing/cases/mutations.ts';
import { createChannelSockets } from '../../testing/channel-sockets.ts';
import { startScriptedGateway, type ScriptedGateway } from '../../testing/scripted-gateway.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startTestPlayground, type TestPlayground } from '../testing/test-playground.ts';

let gateway: ScriptedGateway;
let server: TestPlayground;

beforeAll(async () => {
  gateway = await startScriptedGateway();
  server = await startTestPlayground({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '0' });
  return async () => {
    await server.close();
    await gateway.close();
  };
});

describe('connection that is cut repeatedly', () => {
  it('loses no data and sends no request twice if the connection is cut repeatedly', async () => {
    const stopController = new AbortController();
    const sentCounts = new Map<unknown, number>();
    gateway.setChatScript(async (answer, { body }) => {
      answer.openStream();
      for (let lineNumber = 0; !stopController.signal.aborted; lineNumber += 1) {
        answer.writeRaw(`${lineNumber}\n`);
        sentCounts.set(body['name'], lineNumber + 1);
        for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
      }
      answer.response.end();
    });
    const sockets = createChannelSockets(server.origin);
    const channel = createChannelClient({ openSocket: sockets.open, now: () => performance.now() });
    const random = createRandomSource(23);
    const texts: Promise<string>[] = [];
    const fetchAnswer = async (name: number) => {
      const body = JSON.stringify({ name, pad: 'x'.repeat(random.drawBelow(100_000)) });
      const { signal } = new AbortController();
      const request = { path: '/v1/chat/completions', accept: '*/*', requestId: undefined, body, signal };
      return (await channel.send(request)).text();
    };
    const maxCuts = getCaseCount(60);
    for (let cut = 0; sockets.sockets.length <= maxCuts; cut += 1) {
      await waitUntil(() => channel.ensureConnected());
      // One slot stays free: a full channel rejects new requests.
      if (cut % 10 === 0 && texts.length < maxChannelRuns - 1) texts.push(fetchAnswer(texts.length));
      for (let turns = random.drawBelow(60); turns > 0; turns -= 1) await new Promise(setImmediate);
      sockets.breakConnection();
    }
    await waitUntil(() => channel.ensureConnected());
    await waitUntil(() => sentCounts.size === texts.length);
    stopController.abort();
    for (const [name, text] of (await Promise.all(texts)).entries())
      expect(text).toBe(
        Array.from({ length: sentCounts.get(name) ?? 0 }, (_, number) => `${number}\n`).join(''),
      );
    expect(gateway.posts).toHaveLength(texts.length);
    channel.closeAll();
  });
});
