import { describe, expect, it, onTestFinished } from 'vitest';

import { createChannelClient } from '../gateway/channel/channel-client.ts';
import { createChannelSockets } from '../testing/channel-sockets.ts';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';
import { startTestPlayground } from './testing/test-playground.ts';

const keys = { one: 'fk-one-1234567890', two: 'fk-two-1234567890' };
const teamHeader = 'team-yellow-42';

/** Starts two gateways and a playground that offers them and the demo gateway by name. */
async function startNamedGateways(settings: Readonly<Record<string, string>> = {}) {
  const [one, two] = await Promise.all([startScriptedGateway(), startScriptedGateway()]);
  const playground = await startTestPlayground({
    GATEWAYS: 'one,two,demo',
    GATEWAY_RPM: '0',
    GATEWAY_ONE_BASE_URL: one.url,
    GATEWAY_ONE_API_KEY: keys.one,
    GATEWAY_TWO_BASE_URL: two.url,
    GATEWAY_TWO_API_KEY: keys.two,
    GATEWAY_TWO_EXTRA_HEADERS: JSON.stringify({ 'x-desk': teamHeader }),
    ...settings,
  });
  onTestFinished(async () => {
    await playground.close();
    await Promise.all([one.close(), two.close()]);
  });
  return { one, two, playground };
}

const body = { model: 'north/one', messages: [{ role: 'user', content: 'Hello' }] };
const chatPath = (name: string) => `/gateway${name}/v1/chat/completions`;

describe('gateways by name', () => {
  it('sends each request to the gateway in its path with only the key of that gateway', async () => {
    const { one, two, playground } = await startNamedGateways();
    for (const path of ['', '/one', '/two', '/demo']) {
      const response = await playground.post(chatPath(path), { ...body, model: 'demo/guide', max_tokens: 1 });
      expect(response.status, path).toBe(200);
      await response.text();
    }
    expect(one.posts.map(({ headers }) => headers['authorization'])).toEqual([
      `Bearer ${keys.one}`,
      `Bearer ${keys.one}`,
    ]);
    expect(two.posts.map(({ headers }) => [headers['authorization'], headers['x-desk']])).toEqual([
      [`Bearer ${keys.two}`, teamHeader],
    ]);
    expect(one.posts.some(({ headers }) => 'x-desk' in headers)).toBe(false);
  });

  it.each(['/three', '/default', '/one/one', '/One', '/%6fne', '/v1', '/channel', '/healthz', '//one'])(
    'refuses the path /gateway%s/v1/chat/completions',
    async (name) => {
      const { one, two, playground } = await startNamedGateways();
      const response = await playground.post(chatPath(name), body);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('not_found')]);
      expect([...one.posts, ...two.posts]).toEqual([]);
    },
  );

  it('serves the only gateway under the name default as well', async () => {
    const gateway = await startScriptedGateway();
    const playground = await startTestPlayground({ GATEWAY_BASE_URL: gateway.url });
    onTestFinished(async () => {
      await playground.close();
      await gateway.close();
    });
    const response = await playground.post(chatPath('/default'), body);
    expect([response.status, gateway.posts.length]).toEqual([200, 1]);
    await response.text();
  });

  it('removes the keys and secret headers of every gateway from the answers of each', async () => {
    const { one, playground } = await startNamedGateways();
    one.setChatScript((answer) =>
      answer.sendJson(
        400,
        { error: { message: `${keys.one} ${keys.two} ${teamHeader}`, type: 'x', code: '400' } },
        { 'x-ratelimit-note': `${keys.two} ${teamHeader}` },
      ),
    );
    const response = await playground.post(chatPath('/one'), body);
    const received = JSON.stringify([...response.headers]) + (await response.text());
    for (const secret of [keys.one, keys.two, teamHeader]) expect(received).not.toContain(secret);
    expect(received).toContain('[redacted]');
  });

  it('limits the requests of each gateway on its own and names the variable', async () => {
    const { playground } = await startNamedGateways({ GATEWAY_ONE_RPM: '1', GATEWAY_TWO_RPM: '2' });
    const sendTo = async (name: string) => {
      const response = await playground.post(chatPath(name), body);
      return [response.status, await response.text()] as const;
    };
    expect((await sendTo('/one'))[0]).toBe(200);
    expect(await sendTo('/one')).toEqual([429, expect.stringContaining('GATEWAY_ONE_RPM')]);
    expect((await sendTo('/two'))[0]).toBe(200);
    expect((await sendTo('/two'))[0]).toBe(200);
    expect((await sendTo('/two'))[0]).toBe(429);
  });

  it('reports every gateway by name without a key', async () => {
    const { one, two, playground } = await startNamedGateways({ GATEWAY_TWO_LABEL: 'Staging' });
    const text = await (await playground.get('/playground/status')).text();
    expect(JSON.parse(text)).toMatchObject({
      name: 'one',
      host: new URL(one.url).host,
      gateways: [
        { name: 'one', label: 'one', demo: false, keyConfigured: true },
        { name: 'two', label: 'Staging', host: new URL(two.url).host },
        { name: 'demo', label: 'Demo gateway', demo: true, keyConfigured: false, address: '' },
      ],
    });
    for (const secret of [...Object.values(keys), teamHeader]) expect(text).not.toContain(secret);
  });

  it('carries the name of the gateway in a request over the channel', async () => {
    const { one, two, playground } = await startNamedGateways();
    const sockets = createChannelSockets(playground.origin);
    const channel = createChannelClient({ openSocket: sockets.open, now: () => performance.now() });
    onTestFinished(() => channel.closeAll());
    await channel.ensureConnected();
    const send = (path: string) =>
      channel.send({
        path,
        accept: 'application/json',
        requestId: undefined,
        body: JSON.stringify(body),
        signal: new AbortController().signal,
      });
    const response = await send('/two/v1/chat/completions');
    await response.text();
    expect([response.status, one.posts.length, two.posts.length]).toEqual([200, 0, 1]);
    expect((await send('/three/v1/chat/completions')).status).toBe(404);
  });
});
