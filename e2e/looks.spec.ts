import type { Page } from 'playwright/test';

import { faultsOf } from './axe.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import { listen } from './live-region.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';

const rich = `# A heading

A paragraph with a [link](https://example.com), \`code\` and **weight**.

- one
- two

| name | value |
| --- | ---: |
| a very long name that does not want to break anywhere | 1 |

\`\`\`js
const line = 'a line of code that is much wider than a phone is, and that has to scroll inside of its own box';
\`\`\`

averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongwordwithoutanybreak
`;

/** A screen in a state, and how to get there. */
const screens: [
  name: string,
  reach: (parts: { bench: BenchPage; gateway: ScriptedGateway; url: string }) => Promise<void>,
][] = [
  ['the empty playground', ({ bench, url }) => bench.open(url)],
  [
    'an answered playground',
    async ({ bench, gateway, url }) => {
      gateway.onChat((answer) => {
        answer.delta({ reasoning_content: 'Let me think about it.' });
        answer.whole(rich);
      });
      await bench.open(url);
      await bench.system.fill('Be thorough.');
      await bench.ask('Show me everything, and do not leave anything out of it');
    },
  ],
  [
    'a playground with an error',
    async ({ bench, gateway, url }) => {
      const message = `Value error at ${'a.deeply.nested.path.'.repeat(8)}`;
      gateway.onChat((answer) =>
        answer.json(422, { error: { message, type: 'invalid_request_error', code: '422' } }),
      );
      await bench.open(url);
      await bench.ask('Fail');
    },
  ],
  [
    'two lanes, one of them refused',
    async ({ bench, gateway, url }) => {
      let count = 0;
      gateway.onChat((answer) => {
        count += 1;
        if (count === 1) return answer.whole(rich);
        answer.json(503, { error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' } });
      });
      await bench.open(url);
      await bench.button('Add lane').click();
      await bench.send('To both');
      await expect(bench.page.locator('article[data-status="failed"]')).toHaveCount(1);
      await expect(bench.page.locator('article[data-status="complete"]')).toHaveCount(1);
    },
  ],
  [
    'the inspector with its events',
    async ({ bench, url }) => {
      await bench.open(url);
      await bench.ask('Look closer');
      await bench.page.locator('.bar').getByRole('button', { name: 'Inspect' }).click();
      await expect(bench.page.getByRole('treegrid')).toBeVisible();
    },
  ],
  [
    'the inspector with request and code',
    async ({ bench, url }) => {
      await bench.open(url);
      await bench.ask('Look closer');
      await bench.button('Get code').click();
      await expect(bench.page.getByRole('region', { name: 'Code to copy' })).toBeVisible();
    },
  ],
  [
    'tool calls that wait for results',
    async ({ bench, gateway, url }) => {
      gateway.onChat((answer) => {
        answer.toolCall(0, 'call_a', 'get_weather', '{"city":"Vienna","days":[1,2,3]}');
        answer.finish('tool_calls');
        answer.done();
      });
      await bench.open(url);
      await bench.ask('Weather?');
    },
  ],
  [
    'the history',
    async ({ bench, url }) => {
      await bench.open(url);
      await bench.ask('A first prompt that is long enough to be cut somewhere in the table of sessions');
      await bench.page.goto(new URL('/history', url).href);
      await expect(bench.page.getByRole('heading', { name: 'History' })).toBeVisible();
      await expect(bench.page.getByRole('table')).toBeVisible();
    },
  ],
  [
    'the empty history',
    async ({ bench, url }) => {
      await bench.page.goto(new URL('/history', url).href);
      await expect(bench.page.getByText('Nothing is kept yet')).toBeVisible();
    },
  ],
  [
    'the embeddings',
    async ({ bench, url }) => {
      await bench.page.goto(new URL('/embeddings', url).href);
      await expect(bench.page.getByRole('textbox', { name: 'Texts' })).toBeVisible();
    },
  ],
  [
    'an unknown session',
    async ({ bench, url }) => {
      await bench.page.goto(new URL('/s/unknown', url).href);
      await expect(bench.page.getByRole('heading', { name: 'This session is not here' })).toBeVisible();
    },
  ],
];

for (const [name, reach] of screens) {
  test(`${name} has no fault that axe knows in either theme, and never scrolls sideways as a page`, async ({
    bench,
    server,
    gateway,
    page,
  }) => {
    // axe looks at every element: on a busy machine that takes its time.
    test.slow();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await reach({ bench, gateway, url: server.url });
    expect(await faultsOf(page)).toEqual([]);
    for (const width of [1440, 1280, 1024, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => overhang(page), `${width} px wide`).toBe(0);
    }
  });
}

/** By how much the page is wider than its window, or could be scrolled to the side. */
function overhang(page: Page): Promise<number> /* px */ {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(scrollWidth - clientWidth, document.body.scrollWidth - clientWidth);
  });
}

test('every tool of the top bar lies within the window, on tablets and half screens too', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await expect(bench.health).toContainText(/Gateway (?:up|slow)/);
  for (const width of [600, 640, 720, 768, 800, 900]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of ['Search or run a command', 'Present', /^Theme/, 'Settings', 'Gateway details']) {
      await expect(bench.button(name), `${String(name)} at ${width} px`).toBeInViewport({ ratio: 1 });
    }
  }
  await page.setViewportSize({ width: 640, height: 800 });
  await bench.button('Settings').click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
});

test('zoomed to 200 % on a laptop, half of the window is for reading', async ({ bench, demo, page }) => {
  await page.setViewportSize({ width: 640, height: 360 });
  await bench.open(demo.url);
  await bench.ask('Which keys and shortcuts are there?');
  const conversation = page.getByRole('region', { name: 'Conversation' });
  expect((await conversation.boundingBox())?.height).toBeGreaterThanOrEqual(180);
  await expect(conversation.getByRole('group', { name: 'Metrics, lane A, turn 1' })).toBeInViewport();
  // All that was beside the message is still there, behind one button.
  await bench.button('More to send').click();
  await expect(bench.button('Run again')).toBeInViewport({ ratio: 1 });
  await bench.message.fill('One\nTwo\nThree');
  await expect(bench.message).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(conversation.getByRole('group', { name: 'Metrics, lane A, turn 1' })).toHaveCount(0);
  await expect(bench.metrics(1)).toBeVisible();
});

test('open menus, dialogs and the model list have no fault that axe knows', async ({
  bench,
  server,
  page,
}) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await bench.open(server.url);
  await bench.openModels();
  expect(await faultsOf(page), 'model list').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.button('Session menu').click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  expect(await faultsOf(page), 'session menu').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.button('Gateway details').click();
  await expect(page.getByRole('dialog', { name: 'Gateway details' })).toBeVisible();
  expect(await faultsOf(page), 'gateway details').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.button(/^Edit tools/).click();
  await expect(page.getByRole('textbox', { name: 'tools', exact: true })).toBeVisible();
  expect(await faultsOf(page), 'tools').toEqual([]);
});

test('the keyboard alone reaches all of the workspace, in the order it is read, and shows where it is', async ({
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
    'Skip to the message',
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

test('a toolbar is one stop for Tab; its arrows move inside', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.ask('Hello');
  const tools = bench.lastReply.getByRole('toolbar', { name: 'Answer' });
  await tools.getByRole('button', { name: 'Copy', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tools.locator(':focus')).toHaveCount(1);
  await expect(tools.getByRole('button', { name: 'Copy', exact: true })).not.toBeFocused();
  await page.keyboard.press('Home');
  await expect(tools.getByRole('button', { name: 'Copy', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(tools.locator(':focus')).toHaveCount(0);
});

test('the skip link leads to the message', async ({ bench, server, page }) => {
  await bench.open(server.url);
  const skip = page.getByRole('link', { name: 'Skip to the message' });
  await skip.focus();
  await expect(skip).toBeInViewport();
  await skip.press('Enter');
  await expect(bench.message).toBeFocused();
});

test('the theme follows the system until one is chosen, which a reload keeps', async ({
  bench,
  server,
  page,
}) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  await bench.open(server.url);
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(async () => {
    await bench.button(/^Theme/).click();
    await expect.poll(background, { timeout: 1000 }).toBe(dark);
  }).toPass();
  await page.reload();
  await expect(bench.message).toBeVisible();
  expect(await background()).toBe(dark);
});

test('answers are announced when they start and end, never word by word', async ({
  bench,
  server,
  gateway,
}) => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index} `);
  gateway.onChat((answer) => answer.whole(...words));
  await bench.open(server.url);
  const said = await listen(bench);
  await expect(bench.lastReply.locator('[aria-live], [role=status], [role=log]')).toHaveCount(0);
  await bench.ask('Go');
  const live = bench.lastReply.locator(
    'xpath=ancestor-or-self::*[@aria-live and @aria-live!="off" or @role="log" or @role="status" or @role="alert"]',
  );
  await expect(live, 'no live region around the text').toHaveCount(0);
  await expect.poll(() => said.join('\n')).toMatch(/Lane A done[^]*word39/);
  for (const text of said.filter((each) => each.includes('word0'))) expect(text).toContain('word39');
});
