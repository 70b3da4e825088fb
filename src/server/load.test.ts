/**
 * faults.md section 4 in a short form: counted, never timed. The figures themselves are measured by
 * `npm run benchmark -- load`.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isRecord, ownProperty, parseJson } from '../lib/json.ts';
import { aGate } from '../testing/builders.ts';
import { settled } from '../testing/until.ts';
import { builtServer } from './testing/built-server.ts';
import type { BuiltServer } from './testing/built-server.ts';
import { refused } from './testing/refused.ts';
import { servedPlayground } from './testing/served-playground.ts';
import type { ServedPlayground } from './testing/served-playground.ts';

const CHAT = '/gateway/v1/chat/completions';

interface LoadGateway {
  url: string;
  /** Answers that are under way. */
  open: Set<ServerResponse>;
  /** Bytes that were taken from endless answers. */
  accepted: () => number;
  /** Lets the streams that wait go on. */
  goOn: () => void;
  close: () => Promise<void>;
}

/**
 * Says what the field `load` of a request asks for: events of a stream by its name, which may wait in the middle until
 * all may go on, or bytes without an end.
 */
async function loadGateway(): Promise<LoadGateway> {
  const open = new Set<ServerResponse>();
  const goOn = aGate();
  let accepted = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (data: Buffer) => (text += data.toString()));
    request.on('end', () => {
      open.add(response);
      response.on('close', () => open.delete(response));
      const reading = parseJson(text);
      const load = reading.ok && isRecord(reading.value) ? reading.value['load'] : undefined;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      const events = Number(ownProperty(load, 'events') ?? 0);
      const waitsAt = ownProperty(load, 'waits') === true ? Math.floor(events / 2) : -1;
      if (ownProperty(load, 'endless') === true) flood();
      else if (events > 0) void say(String(ownProperty(load, 'name')), events, waitsAt);
    });
    async function say(name: string, events: number, waitsAt: number): Promise<void> {
      for (let number = 0; number < events && !response.destroyed; number += 1) {
        if (number === waitsAt) await goOn.opened;
        response.write(eventOf(name, number));
        await new Promise(setImmediate);
      }
      response.end('data: [DONE]\n\n');
    }
    function flood(): void {
      const piece = Buffer.alloc(64 * 1024, 120);
      while (!response.destroyed) {
        accepted += piece.length;
        if (!response.write(piece)) return void response.once('drain', flood);
      }
    }
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    accepted: () => accepted,
    goOn: goOn.open,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const eventOf = (name: string, number: number) => `data: {"name":"${name}","n":${number}}\n\n`;

function hashOf(name: string, events: number): string {
  const hash = createHash('sha256');
  for (let number = 0; number < events; number += 1) hash.update(eventOf(name, number));
  return hash.update('data: [DONE]\n\n').digest('hex');
}

async function hashed(response: Response): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of response.body ?? []) hash.update(bytes);
  return hash.digest('hex');
}

describe('under load', () => {
  let gateway: LoadGateway;
  let playground: ServedPlayground;
  const warnings: string[] = [];
  const hear = (warning: Error) => warnings.push(String(warning));

  beforeAll(async () => {
    process.on('warning', hear);
    gateway = await loadGateway();
    playground = await servedPlayground({
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: 'fk-load-0123456789',
      GATEWAY_RPM: '0',
    });
  });
  afterAll(async () => {
    process.off('warning', hear);
    await playground.close();
    await gateway.close();
  });

  /** Nothing is open at the gateway any more, and Node had nothing to warn of. */
  const leftBehind = () => [gateway.open.size, ...warnings];

  const ask = (load: object, signal?: AbortSignal) =>
    playground.post(CHAT, { load }, signal === undefined ? {} : { signal });

  it('L1: of 300 streams at once no byte is lost, changed or in another place', async () => {
    const events = 40;
    const names = Array.from({ length: 300 }, (_, index) => `stream-${index}`);
    const hashes = await Promise.all(names.map(async (name) => hashed(await ask({ name, events }))));
    expect(hashes).toEqual(names.map((name) => hashOf(name, events)));
    await expect.poll(leftBehind).toEqual([0]);
  });

  it('L6: readers who stopped reading hold their own streams back, and nobody else', async () => {
    const stop = new AbortController();
    const paused = await Promise.all(Array.from({ length: 20 }, () => ask({ endless: true }, stop.signal)));
    expect((await settled(gateway.accepted)) / paused.length).toBeLessThan(16 * 1024 * 1024);
    expect(await hashed(await ask({ name: 'other', events: 200 }))).toBe(hashOf('other', 200));
    stop.abort();
    await expect.poll(leftBehind).toEqual([0]);
  });

  it('L7: 600 visitors who leave at any moment leave nothing open at the gateway', async () => {
    let left = 0;
    await Promise.all(
      Array.from({ length: 600 }, async (_, index) => {
        const stop = new AbortController();
        const answer = ask({ name: 'left', events: 100_000 }, stop.signal).then((response) =>
          response.text(),
        );
        answer.catch(() => (left += 1));
        for (let turn = index % 50; turn > 0; turn -= 1) await new Promise(setImmediate);
        stop.abort();
        await answer.catch(() => undefined);
      }),
    );
    expect(left).toBe(600);
    await expect.poll(leftBehind).toEqual([0]);
    expect(await hashed(await ask({ name: 'next', events: 5 }))).toBe(hashOf('next', 5));
  });

  it('L11: of 1,250 streams 50 are refused with Retry-After, and the others run on', async () => {
    const stop = new AbortController();
    const answers: Response[] = [];
    // Gateway, server and visitors are one process here: all at once they would keep each other waiting.
    for (let count = 0; count < 1250; count += 50)
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => ask({}, stop.signal)))));
    const refused = answers.filter((answer) => answer.status === 503);
    expect([
      refused.length,
      refused.filter((answer) => answer.headers.get('retry-after') !== null).length,
    ]).toEqual([50, 50]);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1200);
    expect(gateway.open.size).toBe(1200);
    stop.abort();
    await expect.poll(leftBehind).toEqual([0]);
  });
});

describe('L12: SIGTERM with 100 streams', () => {
  let built: BuiltServer;
  beforeAll(async () => {
    built = await builtServer();
  });
  afterAll(() => {
    built.remove();
  });

  it('lets all of them finish, every byte in its place, and exits with 0', async () => {
    const gateway = await loadGateway();
    const server = built.run('main', { GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '0' });
    const origin = new URL(/http:\S+/.exec(await server.ready)?.[0] ?? '').origin;
    const names = Array.from({ length: 100 }, (_, index) => `stream-${index}`);
    const answers = await Promise.all(
      names.map((name) =>
        fetch(origin + CHAT, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json', 'x-gateway-playground': '1' },
          body: JSON.stringify({ load: { name, events: 100, waits: true } }),
        }),
      ),
    );
    server.process.kill('SIGTERM');
    await refused(origin);
    gateway.goOn();
    expect(await Promise.all(answers.map(hashed))).toEqual(names.map((name) => hashOf(name, 100)));
    expect(await server.ended).toBe(0);
    await gateway.close();
  });
});
