import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { startBench, type BenchServer } from './bench-server.ts';
import { expect, test as base } from './fixtures.ts';
import { collectAnnouncements } from './live-region.ts';

const test = base.extend<{ rateLimitedServer: BenchServer }>({
  /** Server that allows one request per minute. */
  rateLimitedServer: async ({ gateway }, use) => {
    const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '1' });
    await use(server);
    await server.stop();
  },
});

const code = 'const beat = setInterval(tick, 1000);';

/** Returns the tag and name of the focused element. */
function describeFocused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const name = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    return `${element?.tagName.toLowerCase() ?? ''} ${name.trim().slice(0, 80)}`;
  });
}

/** Returns the selector of the region that contains the focus. */
function findFocusedRegion(page: Page): Promise<string> {
  return page.evaluate(() => {
    const regionSelectors = [
      'header[data-region=top-bar]',
      '[data-region=session-bar]',
      '[data-region=lane-headers]',
      '[data-region=conversation]',
      '[data-region=composer]',
      'aside[aria-label=Parameters]',
      'aside[data-region=inspector]',
    ];
    return regionSelectors.find((selector) => document.activeElement?.closest(selector)) ?? 'nowhere';
  });
}

async function tabTo(page: Page, name: RegExp, maxSteps = 40): Promise<void> {
  for (let step = 0; step < maxSteps; step += 1) {
    if (name.test(await describeFocused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab did not reach ${String(name)}`);
}

async function runCommand(page: Page, query: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
  await page.keyboard.type(query);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeHidden();
}

test('opens the help with F1, finds a paragraph, and returns the focus on Escape', async ({
  bench,
  server,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await bench.open(server.url);
  const help = page.getByRole('complementary', { name: 'Help' });
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('F1');
  const searchField = help.getByRole('searchbox', { name: 'Search help' });
  await expect(searchField).toBeFocused();
  await expect(page.getByRole('complementary', { name: 'Parameters' })).toBeHidden();

  await page.keyboard.type('insufficient_system_resource');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(help.getByRole('heading', { name: 'The provider failed while answering' })).toBeFocused();
  await expect(help.getByText('Some providers end an answer normally')).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();

  // From a parameter, F1 opens the section about it; from a dialog, the help is above the dialog.
  await page.getByRole('checkbox', { name: 'Send seed' }).focus();
  await page.keyboard.press('F1');
  await expect(help.getByRole('heading', { name: 'seed', exact: true })).toBeFocused();
  await page.keyboard.press('F1');
  await expect(page.getByRole('spinbutton', { name: 'seed' })).toBeFocused();
  await page.getByRole('button', { name: 'Settings' }).focus();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toBeVisible();
  await page.keyboard.press('F1');
  await expect(searchField).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(shortcuts).toBeVisible();
});

test('runs a whole comparison by keyboard: models, prompt, answers and code', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  gateway.setChatScript((answer, { body }) =>
    answer.sendAnswer(`By ${String(body['model'])}:\n\n`, `\`\`\`js\n${code}\n\`\`\`\n`),
  );
  await bench.open(server.url);
  const announcements = await collectAnnouncements(bench);
  await expect(bench.message).toBeFocused();

  await runCommand(page, 'add lane');
  await expect(bench.message, 'the focus has not moved').toBeFocused();
  await runCommand(page, 'choose model for lane b');
  await page.keyboard.type('north/two');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Lane B' }).getByRole('combobox')).toHaveValue('north/two');
  await expect(bench.message, 'a choice of a model leads to the message').toBeFocused();
  await runCommand(page, 'temp 0.2 in b');
  await expect(page.getByRole('region', { name: 'Differences' })).toContainText('temperature');
  await expect(bench.message).toBeFocused();
  await page.keyboard.type('Write a heartbeat');
  await page.keyboard.press('Enter');
  await expect(bench.replies).toHaveCount(2);
  for (const reply of await bench.replies.all())
    await expect(reply).toHaveAttribute('data-status', 'complete');
  await expect(bench.message, 'sending keeps the focus').toBeFocused();
  // On a slow machine the lanes may end far enough apart for separate announcements.
  await expect
    .poll(() => announcements.join(' '))
    .toMatch(/Lanes A and B done\.|Lane A done\..* Lane B done\.|Lane B done\..* Lane A done\./);
  expect(announcements.join(' ')).toContain('Sent to 2 lanes.');
  expect(announcements.join(' '), 'no streamed text is announced').not.toContain('setInterval');

  await page.keyboard.press('Shift+F6');
  expect(await describeFocused(page)).toMatch(/^article Assistant message, lane A, north\/one, turn 1/);
  await tabTo(page, /Copy code/);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(code);
  await tabTo(page, /Regenerate|Copy/);
  await page.keyboard.press('ArrowRight');
  expect(await describeFocused(page), 'the answer toolbar is one tab stop').toMatch(/^button /);
  await page.keyboard.press('F6');
  await expect(bench.message).toBeFocused();
  await page.keyboard.press('Shift+F6');
  expect(await findFocusedRegion(page)).toBe('[data-region=conversation]');
});

test(
  'announces the start and end of answers, never single words, and a rate limit wait only once',
  { tag: '@soak' },
  async ({ bench, gateway, rateLimitedServer }) => {
    const secondHalf = answerInHalves(gateway);
    await bench.open(rateLimitedServer.url);
    const announcements = await collectAnnouncements(bench);
    await bench.send('The first of this minute');
    await expect(bench.lastReply).toContainText('The first half.');
    await expect.poll(() => announcements.join(' ')).toContain('Sent to lane A.');
    await expect(bench.lastReply.locator('[aria-live], [role=status], [role=log]')).toHaveCount(0);
    const liveRegions = bench.lastReply.locator(
      'xpath=ancestor-or-self::*[@aria-live and @aria-live!="off" or @role="log" or @role="status" or @role="alert"]',
    );
    await expect(liveRegions, 'no live region around the text').toHaveCount(0);
    secondHalf.open();
    await expect
      .poll(() => announcements.join('\n'))
      .toMatch(/Lane A done[^]*The first half\. The other half\./);
    for (const text of announcements.filter((announcement) => announcement.includes('first half')))
      expect(text).toContain('other half');

    await bench.send('The second of this minute');
    await expect
      .poll(() => announcements.join(' '))
      .toMatch(/Starts in \d+ s\. Rate limit reached: 1 of 1 this minute\./);
    await bench.page.keyboard.press('Escape');
    await expect.poll(() => announcements.join(' ')).toContain('Stopped before the first token');
    expect(announcements.join(' ').match(/Starts in/g), 'announced once, not every second').toHaveLength(1);
    expect(announcements.join(' ').match(/Sent to lane A/g), 'the request was never sent').toHaveLength(1);
  },
);

test('moves through regions with F6 and restores the focus in each', async ({ bench, server, page }) => {
  await bench.open(server.url);
  // F6 skips regions that have not loaded yet.
  await expect(page.getByRole('complementary', { name: 'Parameters' })).toBeVisible();
  const visitedRegions: string[] = [];
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('F6');
    visitedRegions.push(await findFocusedRegion(page));
  }
  expect(visitedRegions).toEqual([
    'aside[aria-label=Parameters]',
    'header[data-region=top-bar]',
    '[data-region=session-bar]',
    '[data-region=lane-headers]',
    '[data-region=conversation]',
    '[data-region=composer]',
  ]);
  await expect(bench.message).toBeFocused();

  await page.keyboard.press('Shift+F6');
  // A part of the page has a thin line, and its controls have a ring.
  await expect(page.getByRole('region', { name: 'Conversation' })).toHaveCSS('outline-width', '1px');
  await page.keyboard.press('F6');
  await page.keyboard.press('F6');
  await expect(bench.parameters.locator(':focus')).toHaveCSS('outline-width', '2px');
  await tabTo(page, /Send max_tokens/);
  await page.keyboard.press('Shift+F6');
  await expect(bench.message).toBeFocused();
  await page.keyboard.press('F6');
  expect(await describeFocused(page)).toContain('Send max_tokens');
  await page.keyboard.press('ControlOrMeta+i');
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toBeVisible();
  // The inspector takes the focus after it has been drawn.
  await expect.poll(() => findFocusedRegion(page)).toBe('aside[data-region=inspector]');
  await page.keyboard.press('Shift+F6');
  await expect(bench.message).toBeFocused();
  await page.keyboard.press('F6');
  expect(await findFocusedRegion(page)).toBe('aside[data-region=inspector]');
});

test('lists all shortcuts, types their keys normally in fields and can switch single keys off', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await page.keyboard.type('?');
  await expect(bench.message).toHaveValue('?');
  await bench.message.fill('');
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toBeVisible();
  await expect(sheet.getByRole('searchbox', { name: 'Find a shortcut' })).toBeFocused();
  for (const label of ['Search or run a command', 'Present', 'Focus next region', 'New line'])
    await expect(sheet).toContainText(label);
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.keyboard.press('?');
  await expect(sheet).toBeHidden();
});

test(
  'stays readable with wide text spacing and forced colours',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer) =>
      answer.sendAnswer('An answer of some length, in words that take their room.'),
    );
    await page.emulateMedia({ forcedColors: 'active' });
    await bench.open(server.url);
    const unsetField = bench.parameters.getByRole('spinbutton', { name: 'top_p' });
    const [border, background] = await unsetField.evaluate((field) => [
      getComputedStyle(field).borderTopColor,
      getComputedStyle(document.body).backgroundColor,
    ]);
    expect(border, 'disabled fields have no visible box').toBe(background);
    await runCommand(page, 'add lane');
    await bench.send('A question');
    await expect(bench.replies).toHaveCount(2);
    // Uses a constructed style sheet, because the security policy blocks inline ones.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
      );
      document.adoptedStyleSheets.push(sheet);
    });
    const hasOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await hasOverflow(), `the page at ${width}`).toBe(false);
      await page.keyboard.press('ControlOrMeta+k');
      const field = page.getByRole('combobox', { name: 'Search or run a command' });
      await field.fill('temp 0.2');
      await expect(field).toBeInViewport({ ratio: 1 });
      const active = page.getByRole('option', { selected: true });
      await expect(active).toBeInViewport();
      await expect(active, 'an outline in forced colours').toHaveCSS('outline-style', 'solid');
      await page.keyboard.press('Escape');
      await page.keyboard.press('ControlOrMeta+,');
      await expect(page.getByRole('button', { name: 'Erase everything' })).toBeVisible();
      expect(await hasOverflow(), `the settings at ${width}`).toBe(false);
      await page.keyboard.press('Escape');
    }
  },
);

/** Answers with the first half immediately and with the second when the gate opens. */
function answerInHalves(gateway: ScriptedGateway): ReturnType<typeof createGate> {
  const secondHalf = createGate();
  gateway.setChatScript(async (answer) => {
    answer.sendText('The first half. ');
    await secondHalf.opened;
    answer.sendAnswer('The other half.');
  });
  return secondHalf;
}

test('ignores the key that ends a composition in every field, also as Safari reports it', async ({
  bench,
  demo,
  page,
}) => {
  const cdp = await page.context().newCDPSession(page);
  /**
   * Sends the keys of an input method during a composition, then the key that ends it in Safari, which is identified
   * only by keyCode 229.
   */
  const endComposition = async (field: Locator) => {
    await field.focus();
    await field.press('End');
    const [key, keyText] = [
      { key: 'Enter', code: 'Enter' },
      { text: '\r', unmodifiedText: '\r' },
    ];
    await cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await cdp.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      windowsVirtualKeyCode: 13,
      ...key,
      ...keyText,
    });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', windowsVirtualKeyCode: 13, ...key });
    await cdp.send('Input.insertText', { text: 'に' });
    await field.evaluate((element) => {
      for (const name of ['Enter', 'Escape'])
        element.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: name,
            keyCode: 229,
            bubbles: true,
            composed: true,
            cancelable: true,
          }),
        );
    });
  };
  await bench.open(demo.url);
  await bench.getButton('Search or run a command').waitFor();
  const title = page.getByRole('textbox', { name: 'Session title' });
  /** Name, action that opens the field, the field, and the element that is visible until the field reacts to Enter. */
  const rows: [name: string, open: () => Promise<unknown>, field: Locator, before: Locator][] = [
    ['message', () => bench.message.fill('Question'), bench.message, bench.noConversation],
    ['model', () => bench.model.fill('echo'), bench.model, page.getByRole('listbox', { name: 'Model' })],
    [
      'session title',
      async () => {
        await bench.getButton('Session menu').click();
        await page.getByRole('menuitem', { name: 'Rename' }).click();
      },
      title,
      title,
    ],
  ];
  for (const [name, open, field, visibleBefore] of rows)
    await test.step(name, async () => {
      await open();
      await expect(visibleBefore).toBeVisible();
      await endComposition(field);
      await expect(visibleBefore, 'the composition key triggered nothing').toBeVisible();
      await field.press('Enter');
      await expect(visibleBefore, 'the next Enter takes effect').toBeHidden();
    });
});
