/** What the app says of the gateway's health and of the key, from what really came. */
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { describe, expect, it, onTestFinished } from 'vitest';

import { GatewayDetails } from '../features/health/gateway-details.tsx';
import { HealthBadge } from '../features/health/health-badge.tsx';
import { getHealthQueryOptions, useHealth } from '../features/health/use-health.ts';
import { getStatusQueryOptions } from '../features/health/use-status.ts';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { aBench, type BenchOptions } from '../testing/bench.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { ask, aTalk, reloaded } from '../testing/conversation-driver.ts';
import { drawnReplies, markupOf, readHook, wordsIn } from '../testing/render-views.tsx';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';

/** The badge of a tab, whose looks are taken when a test says so. */
function aBadge(bench: Awaited<ReturnType<typeof aBench>>) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const health = () => readHook(bench, useHealth, queries);
  return {
    queries,
    /** As Check again does: the health route, the server's own status, and the models. */
    look: async () => {
      await queries.query(getStatusQueryOptions(bench)).catch(() => undefined);
      await queries.query(getModelsQueryOptions(bench)).catch(() => undefined);
      await queries.query(getHealthQueryOptions(bench, queries));
    },
    word: () => health().badge.text,
    badge: () => wordsIn(markupOf(bench, createElement(HealthBadge), queries)),
    details: () =>
      wordsIn(
        markupOf(bench, createElement(GatewayDetails, { ...health(), onCheck: () => undefined }), queries),
      ),
  };
}

/** However busy the machine is, an answer takes no time, unless a test has another clock. */
async function inFrontOfAGateway(options: BenchOptions = {}) {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  const settings = { GATEWAY_API_KEY: canaryKey };
  const bench = await aBench({ url: gateway.url, settings, path: '/', clock: () => 0, ...options });
  return { bench, gateway, ...aBadge(bench) };
}

describe('the badge', () => {
  it('says that a gateway that answers is up, and the details what that rests on', async () => {
    const { gateway, look, word, details } = await inFrontOfAGateway();
    gateway.health = { status: 200, body: '{"status":"ok","revision":"b81f"}' };
    expect(word()).toBe('Checking');
    await look();
    expect(word()).toBe('Gateway up');
    for (const words of [
      '"revision":"b81f"',
      'GET /healthz, 200',
      new URL(gateway.url).host,
      'configured on the server',
    ])
      expect(details()).toContain(words);
    expect(details()).toMatch(/Latency\n[\d,]+ ms\nLast check\n\d\d:\d\d:\d\d/);
  });

  it('says that an answer was slow, with its time', async () => {
    let time = 0;
    const { look, badge } = await inFrontOfAGateway({ clock: () => (time += 1700) });
    await look();
    expect(badge()).toMatch(/^Gateway slow [\d,]+ ms/);
  });

  it('says what the gateway says of itself', async () => {
    const { gateway, look, word } = await inFrontOfAGateway();
    gateway.health = { status: 200, body: '{"status":"degraded"}' };
    await look();
    expect(word()).toBe('Gateway degraded');
  });

  it('takes two failures for a gateway that is down, and says that it is up again', async () => {
    const { gateway, look, word, details } = await inFrontOfAGateway();
    await look();
    gateway.health = { status: 503, body: 'no upstream' };
    gateway.onModels((answer) => answer.cut());
    await look();
    expect(word()).toBe('Gateway up');
    expect(details()).toContain('GET /healthz, 503');
    expect(details()).toContain('no upstream');
    await look();
    expect(word()).toBe('Gateway down');
    gateway.health = { status: 200, body: 'OK' };
    await look();
    expect(word()).toBe('Gateway up');
  });

  it('never shows a gateway as down while its models answer', async () => {
    const { gateway, look, word, details } = await inFrontOfAGateway();
    gateway.health = { status: 503, body: 'no upstream' };
    for (const _ of [1, 2, 3]) await look();
    expect(word()).toBe('Gateway degraded');
    expect(details()).toContain('Its models answer.');
  });

  it('asks a health route once that is not there, and takes the list of models from then on', async () => {
    const { gateway, look, word, details } = await inFrontOfAGateway();
    gateway.health = { status: 404, body: '' };
    for (const _ of [1, 2, 3]) await look();
    expect(gateway.healthRequests).toBe(1);
    expect(word()).toBe('Gateway up');
    expect(details()).toContain('Not requested again');
    gateway.onModels((answer) => answer.cut());
    for (const _ of [1, 2]) await look();
    expect(word()).toBe('Gateway down');
    gateway.onModels(undefined);
    await look();
    expect(word()).toBe('Gateway up');
    expect(gateway.healthRequests).toBe(1);
  });

  it('keeps one request to a slow health route, however often a look is asked for', async () => {
    const { bench, gateway, queries } = await inFrontOfAGateway();
    gateway.health = { status: 200, body: 'OK', delayMs: 50 };
    await Promise.all(
      [1, 2, 3].map(() => queries.query({ ...getHealthQueryOptions(bench, queries), staleTime: 0 })),
    );
    expect(gateway.healthRequests).toBe(1);
  });

  it('shows beside the limit what the gateway reports of its own', async () => {
    const { gateway, look, details } = await inFrontOfAGateway();
    const headers = { 'x-ratelimit-remaining-tokens': '29000', 'x-ratelimit-limit-requests': '500' };
    gateway.onModels((answer) => answer.json(200, { data: [{ id: 'm' }] }, headers));
    await look();
    expect(details()).toContain('remaining tokens: 29000');
    expect(details()).toContain('limit requests: 500');
  });

  it('takes back a rejected key when the gateway says something else of the same request', async () => {
    const { gateway, look, word } = await inFrontOfAGateway();
    gateway.health = { status: 404, body: '' };
    gateway.onModels((answer) => answer.json(401, { error: { message: 'No' } }));
    await look();
    expect(word()).toBe('Key rejected');
    gateway.onModels((answer) => answer.json(404, { detail: 'Not Found' }));
    await look();
    expect(word()).toBe('Gateway degraded');
  });

  it('says that a gateway without a health route is up when its models answer', async () => {
    const { gateway, look, badge, details } = await inFrontOfAGateway();
    gateway.health = { status: 404, body: '{"detail":"Not Found"}' };
    await look();
    expect(badge()).toMatch(/^Gateway up \d+ ms/);
    expect(details()).toContain('This gateway has no health route; its models answer.');
  });

  it('says at once that the key is rejected, and takes it back when a request is accepted', async () => {
    const { bench, gateway, look, word, badge, details } = await inFrontOfAGateway();
    const error = { message: 'Incorrect API key', type: 'invalid_api_key', code: '401' };
    gateway.onModels((answer) => answer.json(401, { error }));
    await look();
    expect(word()).toBe('Key rejected');
    expect(badge()).toContain('The gateway does not accept this key.');
    expect(details()).toContain('GATEWAY_API_KEY');
    await ask(bench, 'Accepted after all');
    expect(word()).toBe('Gateway up');
  });

  it('names the demo gateway, and the details what to put where to reach real models', async () => {
    const { look, word, details } = aBadge(await aBench({ clock: () => 0 }));
    await look();
    expect(word()).toBe('Demo gateway');
    expect(details()).toContain('They are not language models');
    expect(details()).toContain('GATEWAY_BASE_URL=');
    expect(details()).toContain('.env.local');
  });

  it('says of a gateway without a key that requests go without one, and so they do', async () => {
    const { bench, gateway, look, word, details } = await inFrontOfAGateway({ settings: {} });
    await look();
    expect(word()).toBe('Gateway up');
    expect(details()).toContain('none configured');
    expect(details()).toContain('Requests are sent without a key');
    await ask(bench, 'Go');
    expect(gateway.posts[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a gateway that cannot be reached', () => {
  it('shows a gateway as down at once if neither health nor models arrive, for example without TLS', async () => {
    const gateway = await startScriptedGateway();
    onTestFinished(() => gateway.close());
    const url = gateway.url.replace('http:', 'https:');
    const { look, word } = aBadge(await aBench({ url, settings: {}, path: '/', clock: () => 0 }));
    await look();
    expect(word()).toBe('Gateway down');
  });

  it('is down, and the conversation says why, also after a reload', async () => {
    const { bench, gateway } = await aTalk();
    await gateway.close();
    const { look, word } = aBadge(bench);
    await look();
    await look();
    expect(word()).toBe('Gateway down');
    await ask(bench, 'Hello?');
    for (const each of [bench, await reloaded(bench)]) {
      const [reply] = drawnReplies(each);
      for (const words of ['The gateway cannot be reached', 'gateway_unreachable', '502'])
        expect(reply?.words).toContain(words);
    }
  });
});
