/** Base URLs of every form against gateways that serve their API at one path only, over real sockets. */
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';

import { parseJson, getStringProperty } from '../../lib/json.ts';
import { cases } from '../../testing/seeds.ts';
import { scriptedGateway, wholeAnswer } from '../testing/raw-gateway.ts';
import { servedPlayground } from '../testing/test-playground.ts';

const key = 'fk-canary-0123456789';
const json = 'content-type: application/json\r\n';

/** A gateway that answers below `apiPath`, and at any other path as `elsewhere` says. */
async function aGatewayAt(apiPath: string, elsewhere: (path: string) => string = notFound) {
  const gateway = await scriptedGateway(({ head, socket }) => {
    const path = head.split(' ')[1] ?? '';
    const isApi = ['/models', '/chat/completions'].some((route) => path === apiPath + route);
    socket.write(isApi ? wholeAnswer('200 OK', json, '{"data":[{"id":"m"}]}') : elsewhere(path));
  });
  const paths = () => gateway.requests.map(({ head }) => head.split(' ')[1]);
  return { ...gateway, paths };
}

function notFound(): string {
  return wholeAnswer('404 Not Found', json, '{"detail":"Not Found"}');
}

async function proxyTo(url: string) {
  const playground = await servedPlayground({ GATEWAY_BASE_URL: url, GATEWAY_API_KEY: key });
  const status = async (name: string) => {
    const reading = parseJson(await (await playground.get('/playground/status')).text());
    return reading.ok ? getStringProperty(reading.value, name) : undefined;
  };
  return { ...playground, status };
}

const segment = fc.stringMatching(/^[a-z]{2,8}$/);
const versionSegment = fc.constantFrom('v1', 'v4', 'v1beta', 'v2alpha1', 'V3', 'v2.1');
const path = fc
  .tuple(fc.array(segment, { maxLength: 2 }), fc.option(versionSegment), fc.array(segment, { maxLength: 1 }))
  .map(([before, version, after]) =>
    [...before, ...(version === null ? [] : [version]), ...after].map((each) => `/${each}`).join(''),
  )
  .filter((each) => each !== '');
const ending = fc.constantFrom('', '/', '//', '/chat/completions', '/chat/completions/', '/models?limit=9');

it('finds the API at the path that was given, pasted whole or not, and sends nothing elsewhere', async () => {
  await fc.assert(
    fc.asyncProperty(path, ending, async (apiPath, end) => {
      const gateway = await aGatewayAt(apiPath);
      const playground = await proxyTo(gateway.url + apiPath + end);
      const list = await playground.get('/gateway/v1/models');
      expect(list.status).toBe(200);
      expect((await playground.post('/gateway/v1/chat/completions', {})).status).toBe(200);
      await playground.get('/gateway/healthz');
      expect(gateway.paths().slice(-2)).toEqual([`${apiPath}/chat/completions`, '/healthz']);
      expect(await playground.status('address')).toBe(gateway.url + apiPath);
      expect(gateway.requests.every(({ head }) => head.includes(`Bearer ${key}`))).toBe(true);
      await playground.close();
      await gateway.close();
    }),
    { seed: 38, numRuns: cases(40) },
  );
});

it.each([
  ['a web page', () => wholeAnswer('200 OK', 'content-type: text/html\r\n', '<!doctype html><p>Console</p>')],
  ['a redirect', () => wholeAnswer('302 Found', 'location: http://127.0.0.1:9/login\r\n', '')],
  ['405', () => wholeAnswer('405 Method Not Allowed', json, '{}')],
])('asks the next path after %s', async (_what, elsewhere) => {
  const gateway = await aGatewayAt('/inference', elsewhere);
  const playground = await proxyTo(`${gateway.url}/inference`);
  onTestFinished(async () => void (await Promise.all([playground.close(), gateway.close()])));
  expect((await playground.get('/gateway/v1/models')).status).toBe(200);
  expect(gateway.paths()).toEqual(['/inference/v1/models', '/inference/models']);
  await playground.get('/gateway/v1/models');
  expect(gateway.paths()).toHaveLength(3);
});

it('passes on what the likeliest path answered where none is an API, and names its address', async () => {
  const gateway = await aGatewayAt('/elsewhere');
  const playground = await proxyTo(`${gateway.url}/wrong`);
  onTestFinished(async () => void (await Promise.all([playground.close(), gateway.close()])));
  const list = await playground.get('/gateway/v1/models');
  expect([list.status, await list.text()]).toEqual([404, '{"detail":"Not Found"}']);
  expect(await playground.status('address')).toBe(`${gateway.url}/wrong/v1`);
});

it('keeps the API path that rejects the key', async () => {
  const rejects = (path: string) =>
    path === '/base/v1/models' ? wholeAnswer('401 Unauthorized', json, '{"error":{}}') : notFound();
  const gateway = await aGatewayAt('/base', rejects);
  const playground = await proxyTo(`${gateway.url}/base`);
  onTestFinished(async () => void (await Promise.all([playground.close(), gateway.close()])));
  expect((await playground.get('/gateway/v1/models')).status).toBe(401);
  expect(gateway.paths()).toEqual(['/base/v1/models']);
});
