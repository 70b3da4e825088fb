import { startBench } from './bench-server.ts';
import { canaryKey, expect, test } from './fixtures.ts';
import { chatScene, compareScene } from './scenes.ts';
import { startScriptedGateway } from './scripted-gateway.ts';

const out = process.env['PICTURES'] ?? '/tmp/looks';

for (const name of ['compare', 'chat', 'inspector'] as const) {
  test(`look ${name}`, async ({ bench, page }) => {
    test.setTimeout(120_000);
    const gateway = await startScriptedGateway();
    const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey, GATEWAY_RPM: '50' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const parts = { bench, gateway, url: server.url };
    if (name === 'compare') await compareScene(parts);
    if (name === 'chat') await chatScene(parts);
    if (name === 'inspector') {
      await compareScene(parts, { whole: true });
      await page.getByRole('radio', { name: 'Lane B' }).click();
      await page.locator('.bar').getByRole('button', { name: 'Inspect' }).click();
      await page.clock.runFor(500);
    }
    const shoot = async (label: string) => {
      await page.clock.runFor(100);
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.clock.runFor(50);
        await page.screenshot({ path: `${out}/${label}-${theme}.png` });
      }
    };
    await shoot(name);
    if (name === 'inspector') {
      await page.getByRole('tab', { name: /Request/ }).click();
      await page.clock.runFor(500);
      await shoot('inspector-code');
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.clock.runFor(2500);
    await shoot(`${name}-390`);
    if (name === 'compare') {
      await page.getByRole('tab', { name: /Lane B/ }).click();
      await page.clock.runFor(300);
      await shoot('compare-390-lane');
      await page.getByRole('button', { name: /^Parameters,/ }).click();
      await page.clock.runFor(300);
      await shoot('compare-390-params');
    }
    await server.stop();
    await gateway.close();
    expect(true).toBe(true);
  });
}
