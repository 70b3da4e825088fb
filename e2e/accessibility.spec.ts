/** Look and contrast on five pages; all screens and states are looked at in soak/accessibility.spec.ts. */
import { faultsOf } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { fitsEveryWidth, screens } from './screens.ts';

test(
  'the playground, the inspector and a phone have no fault that axe knows in either theme, and never scroll sideways',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await screens['two lanes, one of them refused']({ bench, gateway, url: server.url });
    expect(await faultsOf(page), 'two lanes').toEqual([]);
    await fitsEveryWidth(page);

    // The narrowest width is a phone's.
    await page.getByRole('button', { name: /^Parameters,/ }).click();
    await expect(bench.button('Done')).toBeFocused();
    expect(await faultsOf(page), 'the sheet of parameters').toEqual([]);
    await bench.button('Done').click();

    await page.setViewportSize({ width: 1440, height: 900 });
    await bench.button('Get code').click();
    await expect(page.getByRole('region', { name: 'Code to copy' })).toBeVisible();
    expect(await faultsOf(page), 'the inspector').toEqual([]);
    await fitsEveryWidth(page);
  },
);

test(
  'the history and the embeddings have no fault that axe knows in either theme, and never scroll sideways',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const name of ['the history', 'the embeddings'] as const) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await screens[name]({ bench, gateway, url: server.url });
      expect(await faultsOf(page), name).toEqual([]);
      await fitsEveryWidth(page);
    }
  },
);

test('every tool of the top bar lies within the window at every width, and on a phone in its menu', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await expect(bench.health).toContainText(/Gateway (?:up|slow)/);
  for (const width of [1440, 1024, 900, 800, 768, 720, 640, 600, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(bench.button('Search or run a command')).toBeInViewport({ ratio: 1 });
    await expect(bench.button('Gateway details')).toBeInViewport({ ratio: 1 });
    if (width < 600) await bench.button('Workspaces menu').click();
    for (const name of ['Present', /^Theme/, 'Settings'])
      await expect(bench.button(name), `${String(name)} at ${width} px`).toBeInViewport({ ratio: 1 });
    if (width < 600) await page.keyboard.press('Escape');
  }
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await bench.button('Workspaces menu').click();
  await bench.button('Settings').click();
  await expect(settings).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(bench.button('Workspaces menu')).toBeFocused();
  await page.setViewportSize({ width: 640, height: 800 });
  await bench.button('Settings').click();
  await expect(settings).toBeVisible();
});

test('zoomed to 200 % on a laptop, the figures and all that goes with a message stay in reach', async ({
  bench,
  demo,
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 360 });
  await bench.open(demo.url);
  await bench.ask('Which keys and shortcuts are there?');
  await expect(bench.metrics(1)).toBeInViewport();
  // All that was beside the message is still there.
  await expect(bench.button('Run again')).toBeInViewport({ ratio: 1 });
  await bench.message.fill('One\nTwo\nThree');
  await expect(bench.message).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(bench.metrics(1)).toBeVisible();
});

test('the keyboard alone reaches all of the workspace, in the order it is read, and shows where it is; a toolbar is one stop', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Hello');
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.getSelection()?.removeAllRanges();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const stops: string[] = [];
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focusedStop);
    if (stop === undefined) break;
    expect(stop.visible, `${stop.name} shows that it has the focus`).toBe(true);
    stops.push(stop.name);
    if (stop.name === 'temperature') break;
  }
  const order = [
    'Skip to message',
    'Playground',
    'Gateway details',
    'Session menu',
    'Model',
    'System prompt',
    'Copy',
    'Message',
    'temperature',
  ];
  expect(stops.filter((name) => order.includes(name))).toEqual(order);

  await page.keyboard.type('0.5');
  await expect(bench.parameters.getByRole('checkbox', { name: 'Send temperature' })).toBeChecked();

  await test.step('arrows move inside of a toolbar, Tab leaves it', async () => {
    const tools = bench.lastReply.getByRole('toolbar', { name: 'Answer' });
    const copy = tools.getByRole('button', { name: 'Copy', exact: true });
    await copy.focus();
    await page.keyboard.press('ArrowRight');
    await expect(tools.locator(':focus')).toHaveCount(1);
    await expect(copy).not.toBeFocused();
    await page.keyboard.press('Home');
    await expect(copy).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(tools.locator(':focus')).toHaveCount(0);
  });

  await test.step('the skip link leads to the message', async () => {
    const skip = page.getByRole('link', { name: 'Skip to message' });
    await skip.focus();
    await expect(skip).toBeInViewport();
    await skip.press('Enter');
    await expect(bench.message).toBeFocused();
  });
});

/** Runs in the page: what has the focus, by name, and whether one can see it. */
function focusedStop(): { name: string; visible: boolean } | undefined {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return undefined;
  const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
  const marked = (node: Element | null): boolean => {
    if (!node) return false;
    const style = getComputedStyle(node);
    const outlined = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
    return outlined || style.boxShadow !== 'none';
  };
  const wrapper = element.parentElement;
  const box = element.getBoundingClientRect();
  const onScreen =
    box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return { name, visible: onScreen && [element, wrapper, wrapper?.parentElement ?? null].some(marked) };
}

test('the theme follows the system until one is chosen, which a reload keeps', async ({
  bench,
  server,
  page,
}) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  await bench.open(server.url);
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(background).not.toBe(dark);
  const light = await background();
  // From the system's to light, from light to dark.
  await bench.button(/^Theme/).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background, 'light is chosen now').toBe(light);
  await bench.button(/^Theme/).click();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(background).toBe(dark);
  await bench.reload();
  await expect(bench.message).toBeVisible();
  expect(await background()).toBe(dark);
});
