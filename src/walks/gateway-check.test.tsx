/** Tests the check of the whole gateway from the page, through the proxy and the run queue. */
import { QueryClient } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';

import { createDemoGateway } from '../demo-gateway/gateway.ts';
import { CheckFindings, GatewayCheckDialog } from '../features/health/gateway-check-dialog.tsx';
import { getStatusQueryOptions } from '../features/health/use-status.ts';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { getGatewayCheck } from '../state/gateway-check-store.ts';
import { createBench, type BenchOptions } from '../testing/bench.ts';
import { createGate, createTestEnvironment, createTestGatewayStatus } from '../testing/builders.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { renderText } from '../testing/render-with-playground.tsx';
import { startTestServer } from '../testing/test-server.ts';
import { waitForStableNumber, waitUntil } from '../testing/wait-until.ts';

type Flaw = (response: Response, request: Request) => Promise<Response> | Response;

const rewriteResponse = async (response: Response, change: (text: string) => string) =>
  new Response(change(await response.text()), { status: response.status, headers: response.headers });

/**
 * Adds two faults: chunks without `created`, which few clients read, and embeddings that are not base64, which breaks
 * clients that requested it.
 */
const addTwoFaults: Flaw = (response, request) => {
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    return rewriteResponse(response, (text) => text.replaceAll(/"created":\d+,/g, ''));
  if (request.url.endsWith('/v1/embeddings'))
    return rewriteResponse(response, (text) => text.replace(/"embedding":"[^"]*"/, '"embedding":[0.5]'));
  return response;
};

/** Creates a tab connected to the demo gateway with this flaw, and records the paths of its POST requests. */
async function createTestCheck(options: BenchOptions = {}, flaw: Flaw = (response) => response) {
  const wait = () => new Promise<void>((resolve) => setImmediate(resolve));
  const demo = createDemoGateway({ key: canaryKey, wait });
  const posts: string[] = [];
  const pause = { from: Number.POSITIVE_INFINITY, gate: createGate() };
  const gatewayServer = await startTestServer(async (request) => {
    if (request.method === 'POST') posts.push(new URL(request.url).pathname);
    if (posts.length >= pause.from) await pause.gate.opened;
    return flaw(await demo(request), request);
  });
  onTestFinished(gatewayServer.close);
  const settings = { GATEWAY_API_KEY: canaryKey };
  const bench = await createBench({ url: gatewayServer.url, path: '/', settings, ...options });
  const queryClient = new QueryClient();
  await queryClient.query(getStatusQueryOptions(bench));
  const { models } = await queryClient.query(getModelsQueryOptions(bench));
  // The test server has no rate limit.
  bench.setServerStatus([createTestGatewayStatus({ requestsPerMinute: options.requestsPerMinute ?? 0 })]);
  const check = getGatewayCheck(bench);
  const subject = {
    name: 'here',
    model: 'demo/guide',
    embeddingModel: models.find(({ kind }) => kind === 'embedding')?.id,
    isKeyConfigured: true,
  };
  return { bench, check, subject, posts, pause, queryClient };
}

it.each([
  ['one connection per request', false],
  ['a single channel', true],
])('reports and stores exactly the two faults of a gateway over %s', async (_way, hasChannel) => {
  const { bench, check, subject, posts, queryClient } = await createTestCheck({ hasChannel }, addTwoFaults);
  const planText = renderText(
    bench,
    <GatewayCheckDialog gatewayName={undefined} onClose={() => undefined} />,
    queryClient,
  );
  expect(planText).toContain(`Uses demo/guide and, for embeddings, ${subject.embeddingModel}.`);
  expect(planText).toContain('Sends up to 16 small requests');
  await check.start(subject);
  const state = getGatewayCheck({ ...bench }).state.getState();
  expect(state).toMatchObject({ phase: 'done', answeredCount: 16, plannedCount: 16, isWaiting: false });
  expect(posts).toHaveLength(14);
  const faults = state.rows.filter(({ verdict }) => verdict === 'fault');
  expect(faults.map(({ about, title, section }) => `${about}: ${title} ${section}`)).toEqual([
    'Chat, streamed: Fields and their types §2.5',
    'Embeddings: encoding_format base64 §2.7',
  ]);
  const findingsText = renderText(bench, <CheckFindings state={state} />);
  expect(findingsText).toContain('2 faults: 1 breaks clients, 1 harmless');
  expect(findingsText.indexOf('Embeddings: encoding_format base64, breaks clients')).toBeLessThan(
    findingsText.indexOf('Chat, streamed: Fields and their types, harmless'),
  );
  for (const title of ['No key', 'Wrong key', 'Request ID generated'])
    expect(findingsText).not.toContain(title);
  expect(JSON.stringify(state)).not.toContain(canaryKey);
});

it('stops sending requests when the check is stopped, and keeps its findings', async () => {
  const { check, subject, posts, pause } = await createTestCheck();
  pause.from = 3;
  const checkRun = check.start(subject);
  await waitUntil(() => posts.length === 3);
  check.stop();
  await checkRun;
  pause.gate.open();
  expect(await waitForStableNumber(() => posts.length)).toBe(3);
  const { phase, rows } = check.state.getState();
  expect(phase).toBe('stopped');
  expect(rows.map(({ about }) => about)).toContain('Chat, streamed');
});

it('keeps the check within the rate limit', async () => {
  const environment = createTestEnvironment();
  const { bench, check, subject, posts } = await createTestCheck({ environment, requestsPerMinute: 5 });
  const times = new Set<number>();
  bench.getQueue().state.subscribe(({ sentAt }) => sentAt.forEach((time) => times.add(time)));
  const checkRun = check.start(subject);
  while (check.state.getState().phase === 'running') {
    await waitForStableNumber(() => posts.length);
    environment.setClock(environment.now() + 10_000);
    bench.getQueue().recheck();
  }
  await checkRun;
  expect(posts).toHaveLength(14);
  expect(times.size).toBe(14);
  const maxPerMinute = Math.max(
    ...[...times].map(
      (time) => [...times].filter((otherTime) => otherTime >= time && otherTime < time + 60_000).length,
    ),
  );
  expect(maxPerMinute).toBeLessThanOrEqual(5);
});

it("retries a request that Bench's own rate limit rejected, without blaming the gateway", async () => {
  let hasRejected = false;
  const environment = createTestEnvironment();
  const { bench, check, subject, posts } = await createTestCheck({
    environment,
    fetch: async (input, init) => {
      if (init?.method !== 'POST' || hasRejected) return fetch(input, init);
      hasRejected = true;
      return Response.json(
        { error: { message: 'Limit', type: 'rate_limit_exceeded', code: '429' } },
        { status: 429, headers: { 'retry-after': '9' } },
      );
    },
  });
  const checkRun = check.start(subject);
  await waitUntil(() => hasRejected && check.state.getState().isWaiting);
  expect(posts).toHaveLength(0);
  environment.setClock(environment.now() + 9000);
  bench.getQueue().recheck();
  await checkRun;
  expect(posts).toHaveLength(14);
  expect(check.state.getState().rows.filter(({ verdict }) => verdict === 'fault')).toEqual([]);
});

it('reports an unreachable gateway or a rejected key in one row', async () => {
  const keyedServer = await startTestServer(createDemoGateway({ key: canaryKey }));
  onTestFinished(keyedServer.close);
  const stoppedServer = await startTestServer(async () => new Response());
  await stoppedServer.close();
  const listCheckRows = async (url: string, isKeyConfigured: boolean) => {
    const settings = isKeyConfigured ? { GATEWAY_API_KEY: 'fk-another' } : {};
    const check = getGatewayCheck(await createBench({ url, path: '/', settings }));
    await check.start({ name: 'here', isKeyConfigured });
    return check.state.getState().rows.map(({ about, verdict, detail }) => `${verdict} ${about}: ${detail}`);
  };
  expect(await listCheckRows(keyedServer.url, true)).toEqual([
    'fault Key: The gateway rejected the key in GATEWAY_API_KEY.',
  ]);
  expect(await listCheckRows(keyedServer.url, false)).toEqual(['fault Key: No key. Set GATEWAY_API_KEY.']);
  expect(await listCheckRows(stoppedServer.url, true)).toEqual([
    expect.stringMatching(/^fault Gateway: No response: .*127\.0\.0\.1/),
  ]);
});
