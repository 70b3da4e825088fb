/** Tests the setup card for gateways that do not work on first use, and the demo gateway as a replacement. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';

import { useGatewayInputs } from '../features/health/use-gateway-setup.ts';
import { getHealthQueryOptions } from '../features/health/use-health.ts';
import { getStatusQueryOptions } from '../features/health/use-status.ts';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { getSendBlocker } from '../gateway/http/gateway-state.ts';
import { diagnoseGatewaySetup, type GatewaySetup } from '../gateway/http/setup-diagnosis.ts';
import { createBench, type Bench, type BenchOptions } from '../testing/bench.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { sendAndWait, getLaneTranscript } from '../testing/conversation-driver.ts';
import { readHook } from '../testing/render-with-playground.tsx';
import { startScriptedGateway, type ScriptedResponse } from '../testing/scripted-gateway.ts';

async function loadSetup(bench: Bench, queryClient = new QueryClient()): Promise<GatewaySetup> {
  queryClient.setDefaultOptions({ queries: { retry: false } });
  await queryClient.query(getStatusQueryOptions(bench)).catch(() => undefined);
  await queryClient.query(getModelsQueryOptions(bench)).catch(() => undefined);
  await queryClient.query(getHealthQueryOptions(bench, queryClient));
  return diagnoseGatewaySetup(readHook(bench, useGatewayInputs, queryClient));
}

function openBench(url: string, options: BenchOptions = {}): Promise<Bench> {
  return createBench({
    url,
    settings: { GATEWAY_API_KEY: canaryKey, DEMO_GATEWAY_TOKENS_PER_SECOND: '0' },
    path: '/',
    clock: () => 0,
    ...options,
  });
}

async function startGatewayWithModels(answerModels: (answer: ScriptedResponse) => void) {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  gateway.setModelsScript((answer) => void Promise.resolve(answerModels(answer)));
  return gateway;
}

const formatChecks = ({ checks }: GatewaySetup) => checks.map(({ name, result }) => `${name}: ${result}`);
const listFailures = ({ checks }: GatewaySetup) => checks.map(({ failure }) => failure ?? '');
const waitingChecks = ['Key accepted: waiting', 'Models listed: waiting'];

describe('gateway that is not usable yet', () => {
  it('reports an unreachable gateway if nothing listens or its name does not exist', async () => {
    const unreachableSetup = await loadSetup(await openBench('http://127.0.0.1:9'));
    expect(formatChecks(unreachableSetup)).toEqual(['Reached: no', ...waitingChecks]);
    expect(listFailures(unreachableSetup)[0]).toBe('connection refused');
    expect(unreachableSetup.fix?.lines).toEqual(['GATEWAY_BASE_URL=http://127.0.0.1:9']);
    expect(unreachableSetup.command).toBe('npm run conformance -- http://127.0.0.1:9');
    expect(unreachableSetup.checks[0]?.reason).toBe('http://127.0.0.1:9/v1/models');
    expect(getSendBlocker(unreachableSetup.state, true)).toBe('Waiting for the gateway');
    const unknownHostSetup = await loadSetup(await openBench('http://nowhere.invalid/base'));
    expect(formatChecks(unknownHostSetup)).toEqual(['Reached: no', ...waitingChecks]);
    expect(listFailures(unknownHostSetup)[0]).toMatch(/^name /);
    expect(unknownHostSetup.command).toBe('npm run conformance -- http://nowhere.invalid/base');
  });

  it('reports a gateway without TLS at an https URL', async () => {
    const gateway = await startGatewayWithModels((answer) => answer.sendJson(200, { data: [{ id: 'm' }] }));
    const setup = await loadSetup(await openBench(gateway.url.replace('http:', 'https:')));
    expect(formatChecks(setup)).toEqual(['Reached: no', ...waitingChecks]);
    expect(setup.checks[0]?.failure).toMatch(/^no TLS ERR_SSL/);
    expect(setup.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url.replace('http:', 'https:')}`]);
    expect(JSON.stringify(setup)).not.toMatch(/http:|begins with http\b/);
    const keylessSetup = await loadSetup(
      await openBench(gateway.url.replace('http:', 'https:'), { settings: {} }),
    );
    expect(keylessSetup.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url}`]);
  });

  it('does not suggest a URL without TLS if a header contains the key', async () => {
    const gateway = await startGatewayWithModels((answer) => answer.sendJson(200, { data: [{ id: 'm' }] }));
    const settings = { GATEWAY_EXTRA_HEADERS: '{"x-api-key":"abcdefgh12345678"}' };
    const setup = await loadSetup(await openBench(gateway.url.replace('http:', 'https:'), { settings }));
    expect(JSON.stringify(setup)).not.toMatch(/http:|begins with http\b/);
  });

  it('shows a gateway that is loading its models', async () => {
    const error = { code: 503, message: 'Loading model', type: 'unavailable_error' };
    const gateway = await startGatewayWithModels((answer) => answer.sendJson(503, { error }));
    gateway.health = { status: 503, body: JSON.stringify({ error }) };
    const setup = await loadSetup(await openBench(gateway.url));
    expect(setup.title).toBe('The gateway is loading its models');
    expect(setup.checks[2]).toMatchObject({ result: 'waiting', reason: '“Loading model”' });
    expect(setup.fix).toBeUndefined();
  });

  it('shows the full requested URL if the gateway has no model list there', async () => {
    const gateway = await startGatewayWithModels((answer) => answer.sendJson(404, { detail: 'Not Found' }));
    const setup = await loadSetup(await openBench(`${gateway.url}/v1/chat/completions`));
    expect(setup.checks[0]?.reason).toContain(`${gateway.url}/v1/models`);
    expect(setup.fix?.note).toContain(`${gateway.url}/v1/models`);
  });

  it('reports a rejected key and never includes it in the lines to copy', async () => {
    const gateway = await startGatewayWithModels((answer) =>
      answer.sendJson(401, { error: { message: 'Incorrect key.', type: 'invalid_api_key', code: '401' } }),
    );
    const setup = await loadSetup(await openBench(gateway.url));
    expect(formatChecks(setup)).toEqual(['Reached: yes', 'Key accepted: no', 'Models listed: waiting']);
    expect(setup.checks[1]).toMatchObject({ failure: '401 invalid_api_key', reason: '“Incorrect key.”' });
    expect(setup.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url}`, 'GATEWAY_API_KEY=sk-…']);
    expect(JSON.stringify(setup)).not.toContain(canaryKey);
  });

  it('reports a missing model list for every kind of response', async () => {
    const rows: [string, (answer: ScriptedResponse) => void, string[], string][] = [
      ['empty', (answer) => answer.sendJson(200, { data: [] }), ['yes', 'yes', 'no'], 'models'],
      [
        '403',
        (answer) => answer.sendJson(403, { error: { message: 'No.' } }),
        ['yes', 'no', 'waiting'],
        'models',
      ],
      ['404', (answer) => answer.sendJson(404, { detail: 'Not Found' }), ['yes', 'waiting', 'no'], 'models'],
      [
        '500',
        (answer) => answer.sendJson(500, { error: { message: 'Oops' } }),
        ['yes', 'waiting', 'no'],
        'models',
      ],
      [
        '429',
        (answer) => answer.sendJson(429, { error: { message: 'Slow' } }),
        ['yes', 'waiting', 'no'],
        'models',
      ],
      ['other JSON', (answer) => answer.sendJson(200, { hello: 1 }), ['yes', 'waiting', 'no'], 'models'],
    ];
    for (const [name, answerModels, results, state] of rows) {
      const gateway = await startGatewayWithModels(answerModels);
      const setup = await loadSetup(await openBench(gateway.url));
      expect([name, ...setup.checks.map(({ result }) => result), setup.state]).toEqual([
        name,
        ...results,
        state,
      ]);
      expect(getSendBlocker(setup.state, false)).toBe('Choose a model first');
      expect(getSendBlocker(setup.state, true)).toBeUndefined();
    }
  });

  it('reports a wrong URL if the gateway returns a web page', async () => {
    const page = '<!doctype html><title>Console</title><p>Log in</p>';
    const gateway = await startGatewayWithModels((answer) =>
      answer.sendBody(200, page, { 'content-type': 'text/html' }),
    );
    const setup = await loadSetup(await openBench(gateway.url));
    expect(setup.state).toBe('gateway');
    expect(formatChecks(setup)).toEqual(['Reached: yes', 'Key accepted: waiting', 'Models listed: no']);
    expect(setup.fix?.lines).toEqual([`GATEWAY_BASE_URL=${gateway.url}`]);
  });

  it('marks the gateway as usable without a reload when a model list arrives', async () => {
    const gateway = await startGatewayWithModels((answer) =>
      answer.sendJson(401, { error: { message: 'No' } }),
    );
    const bench = await openBench(gateway.url);
    const queryClient = new QueryClient();
    expect((await loadSetup(bench, queryClient)).state).toBe('gateway');
    gateway.setModelsScript((answer) => answer.sendJson(200, { data: [{ id: 'm1' }] }));
    expect((await loadSetup(bench, queryClient)).state).toBe('usable');
  });
});

describe('demo gateway instead of the configured one', () => {
  it.each([false, true])(
    'sends requests to the demo gateway and none to the configured one (over the channel: %s)',
    async (hasChannel) => {
      const gateway = await startGatewayWithModels((answer) =>
        answer.sendJson(401, { error: { message: 'No' } }),
      );
      const bench = await openBench(gateway.url, { hasChannel });
      bench.drafts.change(bench.getOpenSession().session.id, (draft) => ({ ...draft, text: 'A draft' }));
      await loadSetup(bench);
      bench.setDemoMode(true);
      const setup = await loadSetup(bench);
      expect(setup.state).toBe('usable');
      expect(bench.gateways.getStatus()).toMatchObject({
        demo: true,
        replacedLabel: new URL(gateway.url).host,
      });
      bench.setDefaultModel('demo/guide');
      const requestCount = gateway.posts.length;
      await sendAndWait(bench, 'What is a lane?');
      expect(getLaneTranscript(bench).at(-1)?.[1]).toContain('lane');
      expect(gateway.posts).toHaveLength(requestCount);
      expect(bench.drafts.state.getState()[bench.getOpenSession().session.id]?.text).toBe('A draft');
      bench.setDemoMode(false);
      expect((await loadSetup(bench)).state).toBe('gateway');
    },
  );
});
