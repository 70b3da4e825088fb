import { expect, it, onTestFinished } from 'vitest';

import { canaryKey } from '../../testing/canary-key.ts';
import { readConfig } from '../config.ts';
import { startRawGateway, formatWholeResponse } from '../testing/raw-gateway.ts';
import type { RawGateway } from '../testing/raw-gateway.ts';
import { startTestPlayground } from '../testing/test-playground.ts';
import { createHttpUpstream } from './http-upstream.ts';

/** Starts a forward proxy that responds in place of every target. */
async function startEnvironmentProxy(tunnel = '200 Connected'): Promise<RawGateway> {
  const proxy = await startRawGateway(({ head, socket }) => {
    if (head.startsWith('CONNECT ')) socket.write(`HTTP/1.1 ${tunnel}\r\n\r\n`);
    else socket.write(formatWholeResponse('200 OK', '', '{"by":"proxy"}'));
  });
  onTestFinished(proxy.close);
  return proxy;
}

async function fetchStatus(settings: Record<string, string>): Promise<number> {
  const playground = await startTestPlayground({ GATEWAY_API_KEY: canaryKey, ...settings });
  onTestFinished(playground.close);
  return (await playground.get('/gateway/v1/models')).status;
}

it('sends requests through HTTP_PROXY', async () => {
  const proxy = await startEnvironmentProxy();
  const settings = { GATEWAY_BASE_URL: 'http://gateway.invalid:8080', HTTP_PROXY: proxy.url };
  expect(await fetchStatus(settings)).toBe(200);
  expect(proxy.requests.map(({ head }) => head.split('\r\n')[0])).toEqual([
    'CONNECT gateway.invalid:8080 HTTP/1.1',
    'GET /v1/models HTTP/1.1',
  ]);
  // The key is sent inside the tunnel, not in the request to the proxy.
  expect(proxy.requests[0]?.head).not.toContain(canaryKey);
  expect(proxy.requests[1]?.head).toContain(`Bearer ${canaryKey}`);
});

it('bypasses the proxy for hosts in NO_PROXY, gateways on this machine and the other URL scheme', async () => {
  const proxy = await startEnvironmentProxy();
  const gateway = await startEnvironmentProxy();
  const remoteSettings = { GATEWAY_BASE_URL: 'http://gateway.invalid:8080', HTTP_PROXY: proxy.url };
  expect(await fetchStatus({ ...remoteSettings, NO_PROXY: 'other.example,.invalid' })).toBe(502);
  expect(await fetchStatus({ ...remoteSettings, GATEWAY_BASE_URL: gateway.url })).toBe(200);
  expect(await fetchStatus({ ...remoteSettings, GATEWAY_BASE_URL: 'https://gateway.invalid' })).toBe(502);
  expect(proxy.countConnections()).toBe(0);
});

it('sends nothing to the gateway for a client that has disconnected', async () => {
  const gateway = await startRawGateway(({ socket }) =>
    socket.write(formatWholeResponse('200 OK', '', '{}')),
  );
  const config = readConfig((name) => (name === 'GATEWAY_BASE_URL' ? gateway.url : undefined), { port: 0 });
  const { remote } = config.gateways[0];
  if (remote === undefined) throw new Error('No gateway may be configured');
  const upstream = createHttpUpstream(remote);
  onTestFinished(gateway.close);
  onTestFinished(upstream.close);
  const sendRequest = (signal: AbortSignal) =>
    upstream.handle(new Request(`${gateway.url}/v1/models`, { signal }));
  await expect(sendRequest(AbortSignal.abort())).rejects.toThrow('the connection failed');
  expect((await sendRequest(new AbortController().signal)).status).toBe(200);
  expect(gateway.requests).toHaveLength(1);
});

it("reports that the environment's proxy refused the connection", async () => {
  const proxy = await startEnvironmentProxy('407 Proxy Authentication Required');
  const playground = await startTestPlayground({
    GATEWAY_BASE_URL: 'http://gateway.invalid:8080',
    HTTP_PROXY: proxy.url,
  });
  onTestFinished(playground.close);
  const response = await playground.get('/gateway/v1/models');
  expect(response.status).toBe(502);
  expect(await response.text()).toContain('a proxy in between refused the connection');
});
