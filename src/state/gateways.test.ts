import { expect, it } from 'vitest';

import { createServerClient } from '../gateway/client.ts';
import type { ModelRecord } from '../gateway/models/model-record.ts';
import { createTestGatewayStatus } from '../testing/builders.ts';
import { createGatewaySignals } from './gateway-signals.ts';
import { createGateways } from './gateways.ts';
import { createRunQueue } from './runs/run-queue.ts';

const production = createTestGatewayStatus({ name: 'production', id: 'a1' });
const staging = createTestGatewayStatus({ name: 'staging', id: 'b2' });

const createModel = (id: string): ModelRecord => ({ id, kind: 'chat', abilities: {}, raw: {} });

/** Creates gateways and records the names of those whose state was created and the URLs of their requests. */
function createTestGateways() {
  const createdNames: (string | undefined)[] = [];
  const urls: string[] = [];
  const client = createServerClient({
    monotonicNow: () => 0,
    fetch: async (input, init) => {
      const isDemo = new Headers(init?.headers).get('x-gateway-demo') === '1';
      urls.push(`${input instanceof Request ? input.url : input.toString()}${isDemo ? ' (demo)' : ''}`);
      return Response.json({ data: [] });
    },
  });
  const gateways = createGateways(client, (name) => {
    createdNames.push(name);
    const queue = createRunQueue({ now: () => 0, getLimit: () => 0 });
    return { signals: createGatewaySignals(() => 1), queue, models: [] };
  });
  return { gateways, createdNames, urls };
}

it('knows no gateway by name until the server has reported its gateways, and treats none as unknown', () => {
  const { gateways } = createTestGateways();
  expect([gateways.getStatus(), gateways.getStatus('staging')]).toEqual([undefined, undefined]);
  expect(gateways.isUnknown('staging')).toBe(false);
  expect(gateways.priceSources.getState()).toEqual([]);
  gateways.setListedModels([createModel('m')]);
  expect(gateways.priceSources.getState()).toMatchObject([{ gateway: 'default', models: [{ id: 'm' }] }]);
});

it.each([
  [undefined, undefined, 'a1', false, 'm'],
  ['production', undefined, 'a1', false, 'm'],
  ['staging', 'staging', 'b2', false, 'staging\tm'],
  ['gone', 'gone', undefined, true, 'gone\tm'],
])('resolves the name %s to %s', (gateway, resolvedName, id, isUnknown, key) => {
  const { gateways } = createTestGateways();
  gateways.setStatuses([production, staging]);
  expect(gateways.resolveName(gateway)).toBe(resolvedName);
  expect(gateways.getStatus(gateway)?.id).toBe(id);
  expect(gateways.isUnknown(gateway)).toBe(isUnknown);
  expect(gateways.getModelKey({ model: 'm', ...(gateway === undefined ? {} : { gateway }) })).toBe(key);
});

it('keeps one state per gateway, and that of the first one without a name', () => {
  const { gateways, createdNames } = createTestGateways();
  gateways.setStatuses([production, staging]);
  expect(gateways.getServices('production')).toBe(gateways.getServices());
  expect(gateways.getServices('staging')).toBe(gateways.getServices('staging'));
  expect(gateways.getQueue('staging')).not.toBe(gateways.getQueue());
  expect(createdNames).toEqual([undefined, 'staging']);
});

it('finds a listed model only in the list of its gateway', () => {
  const { gateways } = createTestGateways();
  gateways.setStatuses([production, staging]);
  gateways.setListedModels([createModel('one')]);
  gateways.setListedModels([createModel('two')], 'staging');
  const isListed = (model: string, gateway?: string) =>
    gateways.getListedModel({ model, ...(gateway === undefined ? {} : { gateway }) }) !== undefined;
  expect(['one', 'two'].map((id) => isListed(id))).toEqual([true, false]);
  expect(['one', 'two'].map((id) => isListed(id, 'production'))).toEqual([true, false]);
  expect(['one', 'two'].map((id) => isListed(id, 'staging'))).toEqual([false, true]);
  expect(['one', 'two'].map((id) => isListed(id, 'gone'))).toEqual([false, false]);
});

it('keeps the listed models and the prices of the operator by gateway', () => {
  const { gateways } = createTestGateways();
  const prices = [{ model: 'two', inputPerMillion: 1, outputPerMillion: 2, currency: 'EUR' }];
  gateways.setStatuses([production, { ...staging, prices }]);
  gateways.setListedModels([createModel('two')], 'staging');
  expect(gateways.priceSources.getState()).toEqual([
    { gateway: 'production', models: [], ownPrices: [] },
    { gateway: 'staging', models: [createModel('two')], ownPrices: prices },
  ]);
});

it('sends requests to the path of each gateway, also by the name of the first one', async () => {
  const { gateways, urls } = createTestGateways();
  gateways.setStatuses([production, staging]);
  for (const name of [undefined, 'production', 'staging']) await gateways.getClient(name).listModels();
  expect(urls).toEqual(['/gateway/v1/models', '/gateway/production/v1/models', '/gateway/staging/v1/models']);
  expect(gateways.getClient('staging')).toBe(gateways.getClient('staging'));
});

it('replaces all gateways with the demo gateway and forgets what it knows, then returns to them', async () => {
  const { gateways, urls } = createTestGateways();
  gateways.setStatuses([production, staging]);
  gateways.setListedModels([createModel('two')], 'staging');
  gateways.getServices('staging').signals.onStatus(401);
  gateways.setDemoMode(true);
  expect(gateways.statuses.getState()).toMatchObject([
    { name: 'demo', demo: true, replacedLabel: 'the configured gateways' },
  ]);
  for (const name of [undefined, 'production', 'staging', 'gone']) {
    expect([gateways.isUnknown(name), gateways.resolveName(name)]).toEqual([false, undefined]);
    expect(gateways.getStatus(name)?.name).toBe('demo');
  }
  await gateways.getClient('staging').listModels();
  expect(urls).toEqual([expect.stringContaining('(demo)')]);
  // A status report does not end the demo mode.
  gateways.setStatuses([production]);
  expect(gateways.statuses.getState()).toMatchObject([{ name: 'demo', replacedLabel: 'g.example' }]);
  gateways.setStatuses([production, staging]);
  gateways.setDemoMode(false);
  expect(gateways.statuses.getState()).toEqual([production, staging]);
  const { models, signals } = gateways.getServices('staging');
  expect([models, signals.state.getState()]).toEqual([[], {}]);
});
