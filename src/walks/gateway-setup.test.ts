/** What the set-up card says of gateways that fail on the first day, and the demo gateway in their place. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';

import { useGatewayInputs } from '../features/health/use-gateway-setup.ts';
import { getHealthQueryOptions } from '../features/health/use-health.ts';
import { getStatusQueryOptions } from '../features/health/use-status.ts';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { getSendBlocker } from '../gateway/http/gateway-state.ts';
import { diagnoseGatewaySetup, type GatewaySetup } from '../gateway/http/setup-diagnosis.ts';
import { aBench, type Bench, type BenchOptions } from '../testing/bench.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { ask, talkIn } from '../testing/conversation-driver.ts';
import { readHook } from '../testing/render-views.tsx';
import { startScriptedGateway, type ScriptedAnswer } from '../testing/scripted-gateway.ts';

async function looked(bench: Bench, queries = new QueryClient()): Promise<GatewaySetup> {
  queries.setDefaultOptions({ queries: { retry: false } });
  await queries.query(getStatusQueryOptions(bench)).catch(() => undefined);
  await queries.query(getModelsQueryOptions(bench)).catch(() => undefined);
  await queries.query(getHealthQueryOptions(bench, queries));
  return diagnoseGatewaySetup(readHook(bench, useGatewayInputs, queries));
}

function inFrontOf(url: string, options: BenchOptions = {}): Promise<Bench> {
  return aBench({
    url,
    settings: { GATEWAY_API_KEY: canaryKey, DEMO_GATEWAY_TOKENS_PER_SECOND: '0' },
    path: '/',
    clock: () => 0,
    ...options,
  });
}

async function aGatewayThat(models: (answer: ScriptedAnswer) => void) {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  gateway.onModels((answer) => void Promise.resolve(models(answer)));
  return gateway;
}

const saidBy = ({ checks }: GatewaySetup) => checks.map(({ name, result }) => `${name}: ${result}`);
const marksOf = ({ checks }: GatewaySetup) => checks.map(({ failure }) => failure ?? '');
const waits = ['Key accepted: waiting', 'Models listed: waiting'];

describe('a gateway that cannot be used yet', () => {
  it('is not reached: nothing listens, or nobody has its name', async () => {
    const refused = await looked(await inFrontOf('http://127.0.0.1:9'));
    expect(saidBy(refused)).toEqual(['Reached: no', ...waits]);
    expect(marksOf(refused)[0]).toBe('connection refused');
    expect(refused.fix?.lines).toEqual(['GATEWAY_BASE_URL=http://127.0.0.1:9']);
    expect(refused.command).toBe('npm run conformance -- http://127.0.0.1:9');
    expect(refused.checks[0]?.reason).toBe('http://127.0.0.1:9/v1/models');
    expect(getSendBlocker(refused.state, true)).toBe('Waiting for the gateway');
    const nameless = await looked(await inFrontOf('http://nowhere.invalid/base'));
    expect(saidBy(nameless)).toEqual(['Reached: no', ...waits]);
    expect(marksOf(nameless)[0]).toMatch(/^name /);
    expect(nameless.command).toBe('npm run conformance -- http://nowhere.invalid/base');
  });

  it('speaks no TLS at an address with https', async () => {
    const gateway = await aGatewayThat((answer) => answer.json(200, { data: [{ id: 'm' }] }));
    const setup = await looked(await inFrontOf(gateway.url.replace('http:', 'https:')));
    expect(saidBy(setup)).toEqual(['Reached: no', ...waits]);
    expect(setup.checks[0]?.failure).toMatch(/^no TLS ERR_SSL/);
    expect(setup.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url.replace('http:', 'https:')}`]);
    expect(JSON.stringify(setup)).not.toMatch(/http:|begins with http\b/);
    const keyless = await looked(await inFrontOf(gateway.url.replace('http:', 'https:'), { settings: {} }));
    expect(keyless.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url}`]);
  });

  it('gives no address without TLS where a certificate is wrong, or where a header holds the key', async () => {
    const gateway = await aGatewayThat((answer) => answer.json(200, { data: [{ id: 'm' }] }));
    const settings = { GATEWAY_EXTRA_HEADERS: '{"x-api-key":"abcdefgh12345678"}' };
    const setup = await looked(await inFrontOf(gateway.url.replace('http:', 'https:'), { settings }));
    expect(JSON.stringify(setup)).not.toMatch(/http:|begins with http\b/);
  });

  it('shows a gateway that is loading its models', async () => {
    const error = { code: 503, message: 'Loading model', type: 'unavailable_error' };
    const gateway = await aGatewayThat((answer) => answer.json(503, { error }));
    gateway.health = { status: 503, body: JSON.stringify({ error }) };
    const setup = await looked(await inFrontOf(gateway.url));
    expect(setup.title).toBe('The gateway is loading its models');
    expect(setup.checks[2]).toMatchObject({ result: 'waiting', reason: '“Loading model”' });
    expect(setup.fix).toBeUndefined();
  });

  it('names the whole address that was asked where it has no list of models', async () => {
    const gateway = await aGatewayThat((answer) => answer.json(404, { detail: 'Not Found' }));
    const setup = await looked(await inFrontOf(`${gateway.url}/v1/chat/completions`));
    expect(setup.checks[0]?.reason).toContain(`${gateway.url}/v1/models`);
    expect(setup.fix?.note).toContain(`${gateway.url}/v1/models`);
  });

  it('rejects the key, which the lines to copy never contain', async () => {
    const gateway = await aGatewayThat((answer) =>
      answer.json(401, { error: { message: 'Incorrect key.', type: 'invalid_api_key', code: '401' } }),
    );
    const setup = await looked(await inFrontOf(gateway.url));
    expect(saidBy(setup)).toEqual(['Reached: yes', 'Key accepted: no', 'Models listed: waiting']);
    expect(setup.checks[1]).toMatchObject({ failure: '401 invalid_api_key', reason: '“Incorrect key.”' });
    expect(setup.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url}`, 'GATEWAY_API_KEY=your key']);
    expect(JSON.stringify(setup)).not.toContain(canaryKey);
  });

  it('has no list of models, whatever it answers instead', async () => {
    const rows: [string, (answer: ScriptedAnswer) => void, string[], string][] = [
      ['empty', (answer) => answer.json(200, { data: [] }), ['yes', 'yes', 'no'], 'models'],
      [
        '403',
        (answer) => answer.json(403, { error: { message: 'No.' } }),
        ['yes', 'no', 'waiting'],
        'models',
      ],
      ['404', (answer) => answer.json(404, { detail: 'Not Found' }), ['yes', 'waiting', 'no'], 'models'],
      [
        '500',
        (answer) => answer.json(500, { error: { message: 'Oops' } }),
        ['yes', 'waiting', 'no'],
        'models',
      ],
      [
        '429',
        (answer) => answer.json(429, { error: { message: 'Slow' } }),
        ['yes', 'waiting', 'no'],
        'models',
      ],
      ['other JSON', (answer) => answer.json(200, { hello: 1 }), ['yes', 'waiting', 'no'], 'models'],
    ];
    for (const [name, answer, results, state] of rows) {
      const gateway = await aGatewayThat(answer);
      const setup = await looked(await inFrontOf(gateway.url));
      expect([name, ...setup.checks.map(({ result }) => result), setup.state]).toEqual([
        name,
        ...results,
        state,
      ]);
      expect(getSendBlocker(setup.state, false)).toBe('Choose a model first');
      expect(getSendBlocker(setup.state, true)).toBeUndefined();
    }
  });

  it('is a web page: then the address is wrong', async () => {
    const page = '<!doctype html><title>Console</title><p>Log in</p>';
    const gateway = await aGatewayThat((answer) => answer.body(200, page, { 'content-type': 'text/html' }));
    const setup = await looked(await inFrontOf(gateway.url));
    expect(setup.state).toBe('gateway');
    expect(saidBy(setup)).toEqual(['Reached: yes', 'Key accepted: waiting', 'Models listed: no']);
    expect(setup.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url}`]);
  });

  it('can be used as soon as a list arrives, without a reload', async () => {
    const gateway = await aGatewayThat((answer) => answer.json(401, { error: { message: 'No' } }));
    const bench = await inFrontOf(gateway.url);
    const queries = new QueryClient();
    expect((await looked(bench, queries)).state).toBe('gateway');
    gateway.onModels((answer) => answer.json(200, { data: [{ id: 'm1' }] }));
    expect((await looked(bench, queries)).state).toBe('usable');
  });
});

describe('the demo gateway in its place', () => {
  it.each([false, true])(
    'answers, and the configured one hears nothing, over the channel: %s',
    async (hasChannel) => {
      const gateway = await aGatewayThat((answer) => answer.json(401, { error: { message: 'No' } }));
      const bench = await inFrontOf(gateway.url, { hasChannel });
      bench.drafts.change(bench.current().session.id, (draft) => ({ ...draft, text: 'A draft' }));
      await looked(bench);
      bench.setDemoMode(true);
      const setup = await looked(bench);
      expect(setup.state).toBe('usable');
      const status = await bench.gateway.readStatus();
      expect(status).toMatchObject({ demo: true, replacedHost: new URL(gateway.url).host });
      bench.setDefaultModel('demo/guide');
      const seen = gateway.posts.length;
      await ask(bench, 'What is a lane?');
      expect(talkIn(bench).at(-1)?.[1]).toContain('lane');
      expect(gateway.posts).toHaveLength(seen);
      expect(bench.drafts.state.getState()[bench.current().session.id]?.text).toBe('A draft');
      bench.setDemoMode(false);
      expect((await looked(bench)).state).toBe('gateway');
    },
  );
});
