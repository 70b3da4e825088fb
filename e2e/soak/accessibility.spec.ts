/** Checks every screen in every state, with axe and at every width. */
import { findAxeViolations } from '../axe.ts';
import { expect, test } from '../fixtures.ts';
import { InspectorDriver } from '../inspector-driver.ts';
import { expectNoOverflow, screens } from '../screens.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

for (const [name, openScreen] of Object.entries(screens)) {
  test(`has no axe violations in either theme and no horizontal overflow: ${name}`, async ({
    bench,
    server,
    gateway,
    page,
  }) => {
    await openScreen({ bench, gateway, url: server.url });
    expect(await findAxeViolations(page)).toEqual([]);
    await expectNoOverflow(page);
  });
}

test('has no axe violations in any state of the gallery, in either theme', async ({
  dev,
  page,
  pageErrors: _,
}) => {
  await page.goto(new URL('/gallery', dev.url).href);
  await expect(page.getByRole('region', { name: 'Focus', exact: true })).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
});

test('has no axe violations in the inspector and the replay, in either theme', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => {
    for (let piece = 0; piece < 10; piece += 1) answer.sendDelta({ reasoning_content: `why${piece} ` });
    answer.sendAnswer('Roll back now, ', 'then watch the error rate.');
  });
  const inspector = new InspectorDriver(page);
  await bench.open(server.url);
  await bench.sendAndWait('Roll back or wait?');
  await bench.getButton('Inspect').first().click();
  for (const [tab, part] of [
    ['Events', 'All events'],
    ['Request and code', 'Code to copy'],
    ['Response', 'Conformance'],
  ] as const) {
    await inspector.getTab(tab).click();
    await expect(inspector.drawer.getByRole('region', { name: part })).toBeVisible();
    expect(await findAxeViolations(page), tab).toEqual([]);
  }
  await inspector.drawer.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByRole('dialog', { name: 'Replay' })).toContainText('Timing error: median');
  expect(await findAxeViolations(page), 'recording').toEqual([]);
});

test('has no axe violations in menus, dialogs, model list, commands, settings and presentation', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.sendAndWait('A question');
  await bench.openModelList();
  expect(await findAxeViolations(page), 'model list').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.getButton('Session menu').click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  expect(await findAxeViolations(page), 'session menu').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.getButton('Gateway details').click();
  await expect(page.getByRole('dialog', { name: 'Gateway details' })).toBeVisible();
  expect(await findAxeViolations(page), 'gateway details').toEqual([]);
  await page.keyboard.press('Escape');
  for (const [keys, name] of [
    ['ControlOrMeta+k', 'Commands'],
    ['ControlOrMeta+,', 'Settings'],
    ['Alt+Shift+P', 'Presentation'],
  ] as const) {
    await page.keyboard.press(keys);
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toBeVisible();
    if (name === 'Commands') await page.keyboard.type('temp 0.2');
    // The presentation hints stay visible while one of them has focus.
    if (name === 'Presentation') await page.keyboard.press('Tab');
    expect(await findAxeViolations(page), name).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await bench.getButton(/^Edit tools/).click();
  await expect(page.getByRole('textbox', { name: 'tools', exact: true })).toBeVisible();
  expect(await findAxeViolations(page), 'tools').toEqual([]);
});

test('has no axe violations in dialogs and panels above several lanes', async ({ bench, demo, page }) => {
  await bench.open(demo.url);
  await bench.selectModel('demo/tools');
  await bench.getButton('Add lane').click();
  await bench.send('A question');
  await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
  expect(await findAxeViolations(page), 'lanes with the demo gateway').toEqual([]);
  for (const name of ['Compare texts', 'Summary']) {
    await bench.getButton(name).click();
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    expect(await findAxeViolations(page), name).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name })).toBeHidden();
  }
  for (const [button, name] of [
    ['Lane A menu', 'Duplicate lane'],
    ['More actions', 'Edit'],
  ] as const) {
    await bench.getButton(button).first().click();
    await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible();
    expect(await findAxeViolations(page), button).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await bench
    .getButton(/^Model capabilities/)
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Model capabilities' })).toBeVisible();
  expect(await findAxeViolations(page), 'model capabilities').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.message.press('Alt+Shift+P');
  const stage = page.getByRole('dialog', { name: 'Presentation' });
  await expect(stage.getByRole('button', { name: 'Focus lane B, 2' })).toBeVisible();
  await page.keyboard.press('Tab');
  expect(await findAxeViolations(page), 'presentation mode').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(stage).toBeHidden();
  await bench.getButton(/^Turn 1 of 1/).click();
  await expect(page.getByRole('dialog', { name: 'Turns' })).toBeVisible();
  expect(await findAxeViolations(page), 'turns').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.message.press('ControlOrMeta+f');
  await expect(page.getByRole('search', { name: 'Find in session' })).toBeVisible();
  expect(await findAxeViolations(page), 'find').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
  await page.getByRole('option', { name: /^json_schema/ }).click();
  await bench.parameters.getByRole('button', { name: 'Edit schema' }).click();
  await expect(page.getByRole('textbox', { name: 'JSON Schema' })).toBeVisible();
  expect(await findAxeViolations(page), 'schema').toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('has no axe violations on phones, in either theme', async ({ bench, server, page }) => {
    const getTab = (name: string) => page.getByRole('tablist', { name: 'Lanes' }).getByRole('tab', { name });
    await bench.open(server.url);
    await bench.getButton('Session tools').click();
    await bench.getButton('Add lane').click();
    await bench.message.fill('Hello');
    await bench.getButton('Send').click();
    await expect(getTab('Lane B Done')).toBeVisible();
    expect(await findAxeViolations(page), 'all lanes').toEqual([]);
    await getTab('Lane A').click();
    expect(await findAxeViolations(page), 'one lane').toEqual([]);
    await page.getByRole('button', { name: /^Parameters,/ }).click();
    await expect(bench.getButton('Done')).toBeFocused();
    expect(await findAxeViolations(page), 'parameters').toEqual([]);
    await bench.getButton('Done').click();
    await bench.getButton('Session tools').click();
    expect(await findAxeViolations(page), 'session tools').toEqual([]);
  });
});
