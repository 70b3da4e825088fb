import { afterEach, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { scriptedGateway, wholeAnswer } from '../testing/raw-gateway.ts';
import type { ScriptedGateway } from '../testing/raw-gateway.ts';
import { servedPlayground } from '../testing/test-playground.ts';
import { createHttpUpstream } from './http-upstream.ts';

const KEY = 'fk-canary-0123456789';
const running: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A proxy of the environment that answers in the place of whatever it is asked to reach. */
async function environmentProxy(tunnel = '200 Connected'): Promise<ScriptedGateway> {
  const proxy = await scriptedGateway(({ head, socket }) => {
    if (head.startsWith('CONNECT ')) socket.write(`HTTP/1.1 ${tunnel}\r\n\r\n`);
    else socket.write(wholeAnswer('200 OK', '', '{"by":"proxy"}'));
  });
  running.push(proxy);
  return proxy;
}

async function statusThrough(settings: Record<string, string>): Promise<number> {
  const playground = await servedPlayground({ GATEWAY_API_KEY: KEY, ...settings });
  running.push(playground);
  return (await playground.get('/gateway/v1/models')).status;
}

it('goes through HTTP_PROXY', async () => {
  const proxy = await environmentProxy();
  const settings = { GATEWAY_BASE_URL: 'http://gateway.invalid:8080', HTTP_PROXY: proxy.url };
  expect(await statusThrough(settings)).toBe(200);
  expect(proxy.requests.map(({ head }) => head.split('\r\n')[0])).toEqual([
    'CONNECT gateway.invalid:8080 HTTP/1.1',
    'GET /v1/models HTTP/1.1',
  ]);
  // The key travels inside of the tunnel, not in the words to the proxy.
  expect(proxy.requests[0]?.head).not.toContain(KEY);
  expect(proxy.requests[1]?.head).toContain(`Bearer ${KEY}`);
});

it('goes around it for hosts in NO_PROXY, for a gateway on this machine, and for the other scheme', async () => {
  const proxy = await environmentProxy();
  const gateway = await environmentProxy();
  const away = { GATEWAY_BASE_URL: 'http://gateway.invalid:8080', HTTP_PROXY: proxy.url };
  expect(await statusThrough({ ...away, NO_PROXY: 'other.example,.invalid' })).toBe(502);
  expect(await statusThrough({ ...away, GATEWAY_BASE_URL: gateway.url })).toBe(200);
  expect(await statusThrough({ ...away, GATEWAY_BASE_URL: 'https://gateway.invalid' })).toBe(502);
  expect(proxy.connections()).toBe(0);
});

it('asks the gateway nothing for a visitor who has left', async () => {
  const gateway = await scriptedGateway(({ socket }) => socket.write(wholeAnswer('200 OK', '', '{}')));
  const config = readConfig((name) => (name === 'GATEWAY_BASE_URL' ? gateway.url : undefined), { port: 0 });
  if (config.gateway === undefined) throw new Error('There is a gateway');
  const upstream = createHttpUpstream(config.gateway);
  running.push(upstream, gateway);
  const ask = (signal: AbortSignal) => upstream.handle(new Request(`${gateway.url}/v1/models`, { signal }));
  await expect(ask(AbortSignal.abort())).rejects.toThrow('the connection failed');
  expect((await ask(new AbortController().signal)).status).toBe(200);
  expect(gateway.requests).toHaveLength(1);
});

it('says so when the proxy refuses', async () => {
  const proxy = await environmentProxy('407 Proxy Authentication Required');
  const playground = await servedPlayground({
    GATEWAY_BASE_URL: 'http://gateway.invalid:8080',
    HTTP_PROXY: proxy.url,
  });
  running.push(playground);
  const response = await playground.get('/gateway/v1/models');
  expect(response.status).toBe(502);
  expect(await response.text()).toContain('the proxy in between refused the connection');
});
