import {
  createPausedAnswer,
  startScriptedGateway,
  type ScriptedGateway,
} from '../src/testing/scripted-gateway.ts';
import { startBench, type BenchServer } from './bench-server.ts';
import { expect, test as base } from './fixtures.ts';

interface Gateways {
  production: ScriptedGateway;
  staging: ScriptedGateway;
  server: BenchServer;
}

/** A server with two gateways of 500 models each, of which five have the same ID in both. */
const test = base.extend<{ gateways: Gateways }>({
  gateways: async ({ page }, use) => {
    const [production, staging] = await Promise.all([startScriptedGateway(), startScriptedGateway()]);
    production.models = createModelList('north', { pricing: { prompt: '0.000002', completion: '0.000010' } });
    staging.models = createModelList('south', {});
    const server = await startBench({
      GATEWAYS: 'production,staging',
      GATEWAY_PRODUCTION_BASE_URL: production.url,
      GATEWAY_PRODUCTION_API_KEY: 'sk-production-key-0001',
      GATEWAY_PRODUCTION_LABEL: 'Production',
      GATEWAY_STAGING_BASE_URL: staging.url,
      GATEWAY_STAGING_API_KEY: 'sk-staging-key-0002',
      GATEWAY_STAGING_RPM: '7',
    });
    await use({ production, staging, server });
    // The page may still be loading parts of the app, which a stopped server cannot send.
    await page.goto('about:blank');
    await server.stop();
    await Promise.all([production.close(), staging.close()]);
  },
});

function createModelList(owner: string, fields: object): object {
  const data = Array.from({ length: 500 }, (_, index) => ({
    id: index < 5 ? `shared/model-${index}` : `${owner}/model-${index}`,
    object: 'model',
    ...fields,
  }));
  return { object: 'list', data };
}

test('compares the same model through two gateways, of which one goes down', async ({
  bench,
  gateways: { production, staging, server },
  page,
}) => {
  const paused = createPausedAnswer('From staging', ' to the end.');
  staging.setChatScript(paused.script);
  production.setChatScript((answer) => {
    answer.sendText('From production.');
    answer.sendFinishReason();
    answer.sendUsage(1_000, 100);
    answer.sendDone();
  });
  await bench.open(server.url);
  const laneB = page.getByRole('region', { name: 'Lane B' });

  await test.step('finds a model by gateway and ID, in a group of its gateway', async () => {
    await expect(bench.model).toHaveValue('shared/model-0');
    await bench.model.fill('staging/model-7');
    await expect(page.getByRole('group', { name: 'staging' }).getByRole('option').first()).toHaveText(
      /^south\/model-7/,
    );
    await bench.model.fill('shared/model-3');
    await expect(page.getByRole('group', { name: 'Production' }).getByRole('option')).toHaveCount(1);
    await expect(page.getByRole('group', { name: 'staging' }).getByRole('option')).toHaveCount(1);
    await bench.model.press('Enter');
    await expect(bench.model).toHaveValue('shared/model-3');
  });

  await test.step('adds the other gateway in two clicks and names both', async () => {
    await page.getByRole('button', { name: 'Lane A menu' }).click();
    await page.getByRole('menuitem', { name: 'Same model through another gateway' }).click();
    await expect(laneB.getByRole('combobox', { name: 'Model' })).toHaveValue('shared/model-3');
    await expect(page.getByRole('region', { name: 'Differences' })).toHaveText(
      'gateway Production / staging',
    );
  });

  await test.step('goes on with one lane while the gateway of the other is down', async () => {
    await bench.message.fill('Hello');
    await bench.message.press('Enter');
    const metricsA = page.getByRole('group', { name: 'Metrics, lane A, turn 1' });
    const metricsB = page.getByRole('group', { name: 'Metrics, lane B, turn 1' });
    await expect(metricsA).toContainText('$0.003');
    await expect(metricsA).toContainText('Gateway Production');
    await expect(metricsB).toContainText('Gateway staging');
    staging.health = { status: 503, body: 'down' };
    staging.setModelsScript((answer) => answer.breakConnection());
    paused.finish();
    await expect(metricsB).toContainText('no price');
    expect(production.posts[0]?.headers.authorization).toBe('Bearer sk-production-key-0001');
    expect(staging.posts[0]?.headers.authorization).toBe('Bearer sk-staging-key-0002');
    await laneB.getByRole('combobox', { name: 'Model' }).focus();
    await expect(bench.health).toContainText('staging Gateway');
    await page.getByRole('button', { name: 'Gateway details' }).click();
    const details = page.getByRole('dialog', { name: 'Gateway details' });
    await expect(details).toContainText('7 requests per minute');
    await details.getByRole('button', { name: 'Check again' }).click();
    await expect(bench.health).toContainText('staging Gateway down');
    await expect(details.getByRole('listitem').filter({ hasText: 'Production' })).toContainText(
      /Gateway (?:up|slow)/,
    );
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Lane A' }).getByRole('combobox', { name: 'Model' }).focus();
    await expect(bench.health).toContainText('Production Gateway');
    await expect(bench.health).toContainText('staging: Gateway down');
  });
});

test('says that a shared setup names an unknown gateway, and sends nothing', async ({
  bench,
  gateways: { production, staging, server },
  page,
}) => {
  const link = { version: 2, lanes: [{ model: 'north/one', gateway: 'eu-west' }], draft: 'Hello' };
  const hash = Buffer.from(JSON.stringify(link)).toString('base64url');
  await bench.open(`${server.url}#setup=${hash}`);
  await expect(page.getByRole('region', { name: 'Lane A' })).toContainText(
    'This server has no gateway named eu-west. Choose another model.',
  );
  await expect(page.getByRole('button', { name: /^Send/ })).toHaveAttribute('aria-disabled', 'true');
  await bench.message.press('Enter');
  await expect(bench.replies).toHaveCount(0);
  expect([...production.posts, ...staging.posts]).toEqual([]);
});
