/** Checks reachability and contrast on five pages; soak/accessibility.spec.ts covers every screen and state. */
import { findAxeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { expectNoOverflow, screens } from './screens.ts';

test(
  'has no axe violations or horizontal overflow in the playground and inspector, also on a phone',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await screens['two lanes, one with a rejected request']({ bench, gateway, url: server.url });
    expect(await findAxeViolations(page), 'two lanes').toEqual([]);
    await expectNoOverflow(page);

    // 320 px is the narrowest phone width, where Parameters open as a sheet.
    await page.getByRole('button', { name: /^Parameters,/ }).click();
    await expect(bench.getButton('Done')).toBeFocused();
    expect(await findAxeViolations(page), 'parameters sheet').toEqual([]);
    await bench.getButton('Done').click();

    await page.setViewportSize({ width: 1440, height: 900 });
    await bench.getButton('Get code').click();
    await expect(page.getByRole('region', { name: 'Code to copy' })).toBeVisible();
    expect(await findAxeViolations(page), 'inspector').toEqual([]);
    await expectNoOverflow(page);
  },
);

test(
  'has no axe violations or horizontal overflow in the history and the embeddings lab',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const name of ['the history', 'the embeddings lab'] as const) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await screens[name]({ bench, gateway, url: server.url });
      expect(await findAxeViolations(page), name).toEqual([]);
      await expectNoOverflow(page);
    }
  },
);

test('keeps every top bar button on screen at every width, or in a menu on phones', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await expect(bench.health).toContainText(/Gateway (?:up|slow)/);
  for (const width of [1440, 1024, 900, 800, 768, 720, 640, 600, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(bench.getButton('Search or run a command')).toBeInViewport({ ratio: 1 });
    await expect(bench.getButton('Gateway details')).toBeInViewport({ ratio: 1 });
    if (width < 600) await bench.getButton('Workspaces menu').click();
    for (const name of ['Present', /^Theme/, 'Settings'])
      await expect(bench.getButton(name), `${String(name)} at ${width} px`).toBeInViewport({ ratio: 1 });
    if (width < 600) await page.keyboard.press('Escape');
  }
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await bench.getButton('Workspaces menu').click();
  await bench.getButton('Settings').click();
  await expect(settings).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(bench.getButton('Workspaces menu')).toBeFocused();
  await page.setViewportSize({ width: 640, height: 800 });
  await bench.getButton('Settings').click();
  await expect(settings).toBeVisible();
});

test('keeps metrics and message controls reachable at 200% zoom on a laptop', async ({
  bench,
  demo,
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 360 });
  await bench.open(demo.url);
  await bench.sendAndWait('What keyboard shortcuts are there?');
  await expect(bench.getMetrics(1)).toBeInViewport();
  // Every control beside the message field is still available.
  await expect(bench.getButton('Run again')).toBeInViewport({ ratio: 1 });
  await bench.message.fill('One\nTwo\nThree');
  await expect(bench.message).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(bench.getMetrics(1)).toBeVisible();
});

test('reaches the whole workspace by keyboard in reading order with visible focus', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.sendAndWait('Hello');
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.getSelection()?.removeAllRanges();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const focusStops: string[] = [];
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(describeFocusedStop);
    if (stop === undefined) break;
    expect(stop.isVisible, `${stop.name} has a visible focus indicator`).toBe(true);
    focusStops.push(stop.name);
    if (stop.name === 'temperature') break;
  }
  const order = [
    'Skip to message field',
    'Playground',
    'Gateway details',
    'Session menu',
    'Model',
    'System prompt',
    'Copy',
    'Message',
    'temperature',
  ];
  expect(focusStops.filter((name) => order.includes(name))).toEqual(order);

  await page.keyboard.type('0.5');
  await expect(bench.parameters.getByRole('checkbox', { name: 'Send temperature' })).toBeChecked();

  await test.step('moves with arrow keys inside a toolbar and leaves it on Tab', async () => {
    const toolbar = bench.lastReply.getByRole('toolbar', { name: 'Answer' });
    const copyButton = toolbar.getByRole('button', { name: 'Copy', exact: true });
    await copyButton.focus();
    await page.keyboard.press('ArrowRight');
    await expect(toolbar.locator(':focus')).toHaveCount(1);
    await expect(copyButton).not.toBeFocused();
    await page.keyboard.press('Home');
    await expect(copyButton).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(toolbar.locator(':focus')).toHaveCount(0);
  });

  await test.step('focuses the message from the skip link', async () => {
    const skipLink = page.getByRole('link', { name: 'Skip to message field' });
    await skipLink.focus();
    await expect(skipLink).toBeInViewport();
    await skipLink.press('Enter');
    await expect(bench.message).toBeFocused();
  });
});

/** Runs in the page: returns the name of the focused element, and whether it is on screen with a focus indicator. */
function describeFocusedStop(): { name: string; isVisible: boolean } | undefined {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return undefined;
  const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
  const hasFocusIndicator = (node: Element | null): boolean => {
    if (!node) return false;
    const style = getComputedStyle(node);
    const hasOutline = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
    return hasOutline || style.boxShadow !== 'none';
  };
  const wrapper = element.parentElement;
  const box = element.getBoundingClientRect();
  const isOnScreen =
    box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return {
    name,
    isVisible: isOnScreen && [element, wrapper, wrapper?.parentElement ?? null].some(hasFocusIndicator),
  };
}

test('follows the system theme until the user chooses one, which survives a reload', async ({
  bench,
  server,
  page,
}) => {
  const readBackground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  await bench.open(server.url);
  const darkBackground = await readBackground();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(readBackground).not.toBe(darkBackground);
  const lightBackground = await readBackground();
  // The first click switches from the system theme to light, the second to dark.
  await bench.getButton(/^Theme/).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(readBackground, 'light was chosen by the user').toBe(lightBackground);
  await bench.getButton(/^Theme/).click();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(readBackground).toBe(darkBackground);
  await bench.reload();
  await expect(bench.message).toBeVisible();
  expect(await readBackground()).toBe(darkBackground);
});
