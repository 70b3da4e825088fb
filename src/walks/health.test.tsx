/** Tests how the app reports the gateway's health and the key, based on actual responses. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';

import { GatewayDetails } from '../features/health/gateway-details.tsx';
import { HealthBadge } from '../features/health/health-badge.tsx';
import { getHealthQueryOptions, useHealth } from '../features/health/use-health.ts';
import { getStatusQueryOptions } from '../features/health/use-status.ts';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { createBench, type BenchOptions } from '../testing/bench.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { sendAndWait, createConversation, reloadPage } from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { renderText, readHook } from '../testing/render-with-playground.tsx';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';

/** Creates a driver for a tab's health badge; tests trigger its checks themselves. */
function createBadgeDriver(bench: Awaited<ReturnType<typeof createBench>>) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const readHealth = () => readHook(bench, useHealth, queryClient);
  return {
    queryClient,
    /** Requests the health route, the server's status and the models, as "Check again" does. */
    checkHealth: async () => {
      await queryClient.query(getStatusQueryOptions(bench)).catch(() => undefined);
      await queryClient.query(getModelsQueryOptions(bench)).catch(() => undefined);
      await queryClient.query(getHealthQueryOptions(bench, queryClient));
    },
    getLabel: () => readHealth().badge.text,
    renderBadge: () => renderText(bench, <HealthBadge />, queryClient),
    renderDetails: () =>
      renderText(bench, <GatewayDetails {...readHealth()} onCheck={() => undefined} />, queryClient),
  };
}

/** Answers take 0 ms however busy the machine is, unless a test passes another clock. */
async function createGatewayBench(options: BenchOptions = {}) {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  const settings = { GATEWAY_API_KEY: canaryKey };
  const bench = await createBench({ url: gateway.url, settings, path: '/', clock: () => 0, ...options });
  return { bench, gateway, ...createBadgeDriver(bench) };
}

describe('health badge', () => {
  it('shows a responding gateway as up, with the evidence in the details', async () => {
    const { gateway, checkHealth, getLabel, renderDetails } = await createGatewayBench();
    gateway.health = { status: 200, body: '{"status":"ok","revision":"b81f"}' };
    expect(getLabel()).toBe('Checking');
    await checkHealth();
    expect(getLabel()).toBe('Gateway up');
    for (const text of [
      '"revision":"b81f"',
      'GET /healthz, 200',
      new URL(gateway.url).host,
      'configured on the server',
    ])
      expect(renderDetails()).toContain(text);
    expect(renderDetails()).toMatch(/Latency\n[\d,]+ ms\nLast check\n\d\d:\d\d:\d\d/);
  });

  it('shows the latency of a slow gateway', async () => {
    let nowMs = 0;
    const { checkHealth, renderBadge } = await createGatewayBench({ clock: () => (nowMs += 1700) });
    await checkHealth();
    expect(renderBadge()).toMatch(/^Gateway slow [\d,]+ ms/);
  });

  it('shows the status that the gateway reports about itself', async () => {
    const { gateway, checkHealth, getLabel } = await createGatewayBench();
    gateway.health = { status: 200, body: '{"status":"degraded"}' };
    await checkHealth();
    expect(getLabel()).toBe('Gateway degraded');
  });

  it('shows the gateway as down after two failures, and as up again after a success', async () => {
    const { gateway, checkHealth, getLabel, renderDetails } = await createGatewayBench();
    await checkHealth();
    gateway.health = { status: 503, body: 'no upstream' };
    gateway.setModelsScript((answer) => answer.breakConnection());
    await checkHealth();
    expect(getLabel()).toBe('Gateway up');
    expect(renderDetails()).toContain('GET /healthz, 503');
    expect(renderDetails()).toContain('no upstream');
    await checkHealth();
    expect(getLabel()).toBe('Gateway down');
    gateway.health = { status: 200, body: 'OK' };
    await checkHealth();
    expect(getLabel()).toBe('Gateway up');
  });

  it('never shows a gateway as down while it lists models', async () => {
    const { gateway, checkHealth, getLabel, renderDetails } = await createGatewayBench();
    gateway.health = { status: 503, body: 'no upstream' };
    for (const _ of [1, 2, 3]) await checkHealth();
    expect(getLabel()).toBe('Gateway degraded');
    expect(renderDetails()).toContain('Its models respond');
  });

  it('requests a missing health route once and uses the model list from then on', async () => {
    const { gateway, checkHealth, getLabel, renderDetails } = await createGatewayBench();
    gateway.health = { status: 404, body: '' };
    for (const _ of [1, 2, 3]) await checkHealth();
    expect(gateway.healthRequests).toBe(1);
    expect(getLabel()).toBe('Gateway up');
    expect(renderDetails()).toContain('Not requested again');
    gateway.setModelsScript((answer) => answer.breakConnection());
    for (const _ of [1, 2]) await checkHealth();
    expect(getLabel()).toBe('Gateway down');
    gateway.setModelsScript(undefined);
    await checkHealth();
    expect(getLabel()).toBe('Gateway up');
    expect(gateway.healthRequests).toBe(1);
  });

  it('shares one request to a slow health route between concurrent checks', async () => {
    const { bench, gateway, queryClient } = await createGatewayBench();
    gateway.health = { status: 200, body: 'OK', delayMs: 50 };
    await Promise.all(
      [1, 2, 3].map(() => queryClient.query({ ...getHealthQueryOptions(bench, queryClient), staleTime: 0 })),
    );
    expect(gateway.healthRequests).toBe(1);
  });

  it("shows the limits that the gateway reports beside the app's own", async () => {
    const { gateway, checkHealth, renderDetails } = await createGatewayBench();
    const headers = { 'x-ratelimit-remaining-tokens': '29000', 'x-ratelimit-limit-requests': '500' };
    gateway.setModelsScript((answer) => answer.sendJson(200, { data: [{ id: 'm' }] }, headers));
    await checkHealth();
    expect(renderDetails()).toContain('remaining tokens: 29000');
    expect(renderDetails()).toContain('limit requests: 500');
  });

  it('stops reporting a rejected key when the gateway returns another error for the same request', async () => {
    const { gateway, checkHealth, getLabel } = await createGatewayBench();
    gateway.health = { status: 404, body: '' };
    gateway.setModelsScript((answer) => answer.sendJson(401, { error: { message: 'No' } }));
    await checkHealth();
    expect(getLabel()).toBe('Key rejected');
    gateway.setModelsScript((answer) => answer.sendJson(404, { detail: 'Not Found' }));
    await checkHealth();
    expect(getLabel()).toBe('Gateway degraded');
  });

  it('shows a gateway without a health route as up if it lists models', async () => {
    const { gateway, checkHealth, renderBadge, renderDetails } = await createGatewayBench();
    gateway.health = { status: 404, body: '{"detail":"Not Found"}' };
    await checkHealth();
    expect(renderBadge()).toMatch(/^Gateway up \d+ ms/);
    expect(renderDetails()).toContain('This gateway has no health route, but its models respond.');
  });

  it('reports a rejected key immediately and stops when a request is accepted', async () => {
    const { bench, gateway, checkHealth, getLabel, renderBadge, renderDetails } = await createGatewayBench();
    const error = { message: 'Incorrect API key', type: 'invalid_api_key', code: '401' };
    gateway.setModelsScript((answer) => answer.sendJson(401, { error }));
    await checkHealth();
    expect(getLabel()).toBe('Key rejected');
    expect(renderBadge()).toContain('The gateway rejected the key.');
    expect(renderDetails()).toContain('GATEWAY_API_KEY');
    await sendAndWait(bench, 'Accepted after all');
    expect(getLabel()).toBe('Gateway up');
  });

  it('labels the demo gateway and explains in the details how to connect a real one', async () => {
    const { checkHealth, getLabel, renderDetails } = createBadgeDriver(await createBench({ clock: () => 0 }));
    await checkHealth();
    expect(getLabel()).toBe('Demo gateway');
    expect(renderDetails()).toContain('They are not language models');
    expect(renderDetails()).toContain('GATEWAY_BASE_URL=');
    expect(renderDetails()).toContain('.env.local');
  });

  it('reports a missing key and sends requests without one', async () => {
    const { bench, gateway, checkHealth, getLabel, renderDetails } = await createGatewayBench({
      settings: {},
    });
    await checkHealth();
    expect(getLabel()).toBe('Gateway up');
    expect(renderDetails()).toContain('none configured');
    expect(renderDetails()).toContain('No key is configured, so requests are sent without one');
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.headers.authorization).toBeUndefined();
  });
});

describe('unreachable gateway', () => {
  it('shows the gateway as down immediately if neither health nor models load, for example without TLS', async () => {
    const gateway = await startScriptedGateway();
    onTestFinished(() => gateway.close());
    const url = gateway.url.replace('http:', 'https:');
    const { checkHealth, getLabel } = createBadgeDriver(
      await createBench({ url, settings: {}, path: '/', clock: () => 0 }),
    );
    await checkHealth();
    expect(getLabel()).toBe('Gateway down');
  });

  it('shows an unreachable gateway as down and the reason in the conversation, also after a reload', async () => {
    const { bench, gateway } = await createConversation();
    await gateway.close();
    const { checkHealth, getLabel } = createBadgeDriver(bench);
    await checkHealth();
    await checkHealth();
    expect(getLabel()).toBe('Gateway down');
    await sendAndWait(bench, 'Hello?');
    for (const tab of [bench, await reloadPage(bench)]) {
      const [reply] = renderReplies(tab);
      for (const text of ['Could not reach the gateway', 'gateway_unreachable', '502'])
        expect(reply?.text).toContain(text);
    }
  });
});
