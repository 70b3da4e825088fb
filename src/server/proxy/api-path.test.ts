/** Tests base URLs of every form against gateways that serve their API at only one path, over real sockets. */
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';

import { parseJson, getStringProperty } from '../../lib/json.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { startRawGateway, formatWholeResponse } from '../testing/raw-gateway.ts';
import { startTestPlayground } from '../testing/test-playground.ts';

const key = 'fk-canary-0123456789';
const jsonHeader = 'content-type: application/json\r\n';

/** Starts a gateway that serves its API below `apiPath` and `elsewhere` at all other paths. */
async function startGatewayAt(apiPath: string, respondElsewhere: (path: string) => string = formatNotFound) {
  const gateway = await startRawGateway(({ head, socket }) => {
    const path = head.split(' ')[1] ?? '';
    const isApi = ['/models', '/chat/completions'].some((route) => path === apiPath + route);
    socket.write(
      isApi ? formatWholeResponse('200 OK', jsonHeader, '{"data":[{"id":"m"}]}') : respondElsewhere(path),
    );
  });
  const listPaths = () => gateway.requests.map(({ head }) => head.split(' ')[1]);
  return { ...gateway, listPaths };
}

function formatNotFound(): string {
  return formatWholeResponse('404 Not Found', jsonHeader, '{"detail":"Not Found"}');
}

async function startPlaygroundFor(url: string) {
  const playground = await startTestPlayground({ GATEWAY_BASE_URL: url, GATEWAY_API_KEY: key });
  const readStatus = async (name: string) => {
    const parsed = parseJson(await (await playground.get('/playground/status')).text());
    return parsed.ok ? getStringProperty(parsed.value, name) : undefined;
  };
  return { ...playground, readStatus };
}

const segment = fc.stringMatching(/^[a-z]{2,8}$/);
const versionSegment = fc.constantFrom('v1', 'v4', 'v1beta', 'v2alpha1', 'V3', 'v2.1');
const path = fc
  .tuple(fc.array(segment, { maxLength: 2 }), fc.option(versionSegment), fc.array(segment, { maxLength: 1 }))
  .map(([leading, version, trailing]) =>
    [...leading, ...(version === null ? [] : [version]), ...trailing].map((part) => `/${part}`).join(''),
  )
  .filter((text) => text !== '');
const ending = fc.constantFrom('', '/', '//', '/chat/completions', '/chat/completions/', '/models?limit=9');

it('finds the API at the given path, whether or not a full endpoint was pasted, and sends nothing elsewhere', async () => {
  await fc.assert(
    fc.asyncProperty(path, ending, async (apiPath, end) => {
      const gateway = await startGatewayAt(apiPath);
      const playground = await startPlaygroundFor(gateway.url + apiPath + end);
      const list = await playground.get('/gateway/v1/models');
      expect(list.status).toBe(200);
      expect((await playground.post('/gateway/v1/chat/completions', {})).status).toBe(200);
      await playground.get('/gateway/healthz');
      expect(gateway.listPaths().slice(-2)).toEqual([`${apiPath}/chat/completions`, '/healthz']);
      expect(await playground.readStatus('address')).toBe(gateway.url + apiPath);
      expect(gateway.requests.every(({ head }) => head.includes(`Bearer ${key}`))).toBe(true);
      await playground.close();
      await gateway.close();
    }),
    { seed: 38, numRuns: getCaseCount(40) },
  );
});

it.each([
  [
    'a web page',
    () => formatWholeResponse('200 OK', 'content-type: text/html\r\n', '<!doctype html><p>Console</p>'),
  ],
  ['a redirect', () => formatWholeResponse('302 Found', 'location: http://127.0.0.1:9/login\r\n', '')],
  ['a 405', () => formatWholeResponse('405 Method Not Allowed', jsonHeader, '{}')],
])('tries the next path after %s', async (_what, respondElsewhere) => {
  const gateway = await startGatewayAt('/inference', respondElsewhere);
  const playground = await startPlaygroundFor(`${gateway.url}/inference`);
  onTestFinished(async () => void (await Promise.all([playground.close(), gateway.close()])));
  expect((await playground.get('/gateway/v1/models')).status).toBe(200);
  expect(gateway.listPaths()).toEqual(['/inference/v1/models', '/inference/models']);
  await playground.get('/gateway/v1/models');
  expect(gateway.listPaths()).toHaveLength(3);
});

it('forwards the response of the likeliest path and reports its URL if no path has an API', async () => {
  const gateway = await startGatewayAt('/elsewhere');
  const playground = await startPlaygroundFor(`${gateway.url}/wrong`);
  onTestFinished(async () => void (await Promise.all([playground.close(), gateway.close()])));
  const list = await playground.get('/gateway/v1/models');
  expect([list.status, await list.text()]).toEqual([404, '{"detail":"Not Found"}']);
  expect(await playground.readStatus('address')).toBe(`${gateway.url}/wrong/v1`);
});

it('keeps the API path that rejects the key', async () => {
  const rejectKey = (path: string) =>
    path === '/base/v1/models'
      ? formatWholeResponse('401 Unauthorized', jsonHeader, '{"error":{}}')
      : formatNotFound();
  const gateway = await startGatewayAt('/base', rejectKey);
  const playground = await startPlaygroundFor(`${gateway.url}/base`);
  onTestFinished(async () => void (await Promise.all([playground.close(), gateway.close()])));
  expect((await playground.get('/gateway/v1/models')).status).toBe(401);
  expect(gateway.listPaths()).toEqual(['/base/v1/models']);
});
