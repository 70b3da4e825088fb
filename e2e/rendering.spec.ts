/** What models, gateways and files say is shown and never acts: no script, no request, no way out (faults.md T16 to T19, T21, T26). */
import { createServer } from 'node:http';

import type { Locator, Page } from 'playwright/test';

import { groupsOf, payloadsFor } from '../src/testing/payloads.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { test as base, expect } from './fixtures.ts';

interface Collector {
  origin: string;
  /** What was asked of it. */
  hits: string[];
}

const test = base.extend<{ collector: Collector; asked: string[] }>({
  /** A host that counts its visitors. */
  collector: async ({}, use) => {
    const hits: string[] = [];
    const server = createServer((request, response) => {
      hits.push(request.url ?? '');
      response.setHeader('access-control-allow-origin', '*').end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The collector has no port');
    await use({ origin: `http://127.0.0.1:${address.port}`, hits });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(hits, 'what another host was asked').toEqual([]);
  },
  /** Every address that any page of the test asked for, beside its own origin. */
  asked: async ({ context, server }, use) => {
    const asked: string[] = [];
    const { origin } = new URL(server.url);
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) asked.push(request.url());
    });
    await use(asked);
    expect(asked, 'what the page asked other hosts for').toEqual([]);
  },
});

test.describe.configure({ timeout: 150_000 });
test.use({ trace: 'off' });

/** Fails where anything on the page acts or could act: code that ran, elements and attributes that no message may make, links elsewhere. */
async function expectHarmless(page: Page, place: string): Promise<void> {
  const found = await page.evaluate(() => {
    const composerForm = document.querySelector('#composer')?.closest('form');
    const inside = [
      ...document.querySelectorAll('main *, [role=dialog] *, aside *, [role=complementary] *'),
    ].filter((each) => each !== composerForm);
    return {
      ran: 'ranPayload' in globalThis,
      polluted: 'polluted' in {} || 'polluted' in [],
      elements: inside
        .filter((each) =>
          /^(?:script|iframe|object|embed|link|meta|base|form|style|img|image|video|audio|source|picture|marquee|template|foreignobject|feimage|animate|use)$/i.test(
            each.localName,
          ),
        )
        .map((each) => each.outerHTML.slice(0, 120)),
      handlers: inside.flatMap((each) =>
        each
          .getAttributeNames()
          .filter((name) => /^on/i.test(name) || name === 'srcdoc' || name === 'formaction'),
      ),
      styles: inside
        .filter((each) => /url\(|expression|@import/i.test(each.getAttribute('style') ?? ''))
        .map((each) => each.outerHTML.slice(0, 120)),
      links: inside
        .filter((each) => each.hasAttribute('href') || each.hasAttribute('xlink:href'))
        .filter((each) => {
          if (!(each instanceof HTMLAnchorElement)) return true;
          if (each.origin === location.origin) return each.target !== '' || each.closest('article') !== null;
          return (
            !['http:', 'https:', 'mailto:'].includes(each.protocol) ||
            !each.relList.contains('noopener') ||
            !each.relList.contains('noreferrer')
          );
        })
        .map((each) => each.outerHTML.slice(0, 160)),
    };
  });
  expect(found, place).toEqual({
    ran: false,
    polluted: false,
    elements: [],
    handlers: [],
    styles: [],
    links: [],
  });
}

/** Opens every fold of the conversation, so that all that can be drawn is. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('article button[aria-expanded=false]:not([aria-haspopup])'))
      if (fold instanceof HTMLElement) fold.click();
    for (const fold of document.querySelectorAll('article details')) fold.setAttribute('open', '');
  });
}

async function pick(bench: BenchPage, item: string): Promise<void> {
  await bench.button('Session menu').click();
  await bench.page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const pieces: string[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(String(piece));
  return { name: download.suggestedFilename(), text: pieces.join('') };
}

/** Answers with these texts in every place of a stream, one after the other, and waits until all are said. */
async function sayEverywhere(
  bench: BenchPage,
  gateway: ScriptedGateway,
  groups: readonly string[],
): Promise<void> {
  gateway.onChat((answer) => {
    const text = groups[gateway.posts.length - 1] ?? '';
    answer.event({
      id: text.slice(0, 60),
      model: text.slice(0, 60),
      choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: text }, finish_reason: null }],
    });
    for (let at = 0; at < text.length; at += 40) answer.text(text.slice(at, at + 40));
    answer.toolCall(
      0,
      text.slice(0, 40),
      text.slice(0, 60),
      JSON.stringify({ text, ['__proto__']: text }),
      '',
    );
    answer.finish(text.slice(0, 30));
    answer.done();
  });
  for (const [index, group] of groups.entries()) {
    await bench.send(group);
    await expect(bench.replies.nth(index)).toHaveAttribute('data-status', 'complete');
  }
}

test('more than a hundred payloads in prompts, answers, reasoning, calls and model names do nothing: on screen, after a reload, inspected', async ({
  bench,
  server,
  gateway,
  collector,
  asked: _,
  page,
}) => {
  const payloads = payloadsFor(collector.origin);
  expect(payloads.length).toBeGreaterThanOrEqual(100);
  const groups = groupsOf(payloads);
  await bench.open(server.url);
  await sayEverywhere(bench, gateway, groups);
  await expectHarmless(page, 'as it came');
  await unfold(page);
  await expectHarmless(page, 'unfolded');

  await bench.reload();
  await expect(bench.replies).toHaveCount(groups.length);
  await unfold(page);
  await expectHarmless(page, 'after a reload');

  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  const drawer = page.getByRole('complementary', { name: 'Inspector' });
  for (const tab of await drawer.getByRole('tab').all()) {
    await tab.click();
    await expectHarmless(page, `inspector, ${await tab.innerText()}`);
  }
});

test('they do nothing in the history, in exports, and imported from a file of someone else', async ({
  bench,
  server,
  gateway,
  collector,
  asked: _,
  page,
  browser,
}) => {
  const payloads = payloadsFor(collector.origin);
  const groups = groupsOf(payloads, 40);
  await bench.open(server.url);
  await sayEverywhere(bench, gateway, groups);
  const whole = await saved(page, () => pick(bench, 'Export'));
  const html = await saved(page, () => pick(bench, 'Save as HTML page'));
  const markdown = await saved(page, () => pick(bench, 'Save as Markdown'));
  for (const { name } of [whole, html, markdown]) expect(name).toMatch(/^[\w.-]+$/);
  await expectHarmlessFile(browser.newContext({ offline: true }), html.text, payloads);
  // Markdown is read by other programs: outside of code no tag of a message may stand as one.
  expect(withoutCode(markdown.text)).not.toMatch(
    /(?:^|[^\\])<(?:script|img|iframe|svg|style|link|meta|object|embed)\b/i,
  );

  await page.getByRole('link', { name: 'History' }).click();
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(1);
  await expectHarmless(page, 'history');
  const file = whole.text.replace(
    /"title": "(?:[^"\\]|\\.)*"/,
    () => `"title": ${JSON.stringify(payloads[5])}`,
  );
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), bench.button('Import').click()]);
  await chooser.setFiles({
    name: '<img src=x onerror=alert(1)>.json',
    mimeType: 'application/json',
    buffer: Buffer.from(file),
  });
  await expect(rows).toHaveCount(2);
  await expectHarmless(page, 'history with the imported file');
  await rows.filter({ hasText: 'onerror' }).first().getByRole('link').first().click();
  await expect(bench.replies).toHaveCount(groups.length);
  await unfold(page);
  await expectHarmless(page, 'imported');
});

/** The page for reading, opened without a network. */
async function expectHarmlessFile(
  opening: Promise<Awaited<ReturnType<Page['context']>>>,
  text: string,
  payloads: readonly string[],
): Promise<void> {
  const context = await opening;
  const reader = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  reader.on('request', (request) => asked.push(request.url()));
  reader.on('console', (message) => complaints.push(message.text()));
  await reader.setContent(text);
  await expect(reader.locator('body')).toContainText(payloads[5] ?? '');
  expect(
    await reader.evaluate(() => [
      'ranPayload' in globalThis,
      document.querySelectorAll('script, iframe, object, embed, img, link, base, form').length,
    ]),
  ).toEqual([false, 0]);
  expect([asked, complaints]).toEqual([[], []]);
  await context.close();
}

const withoutCode = (markdown: string): string =>
  markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1`*~*$/gm, '').replace(/(`+)[^`][\s\S]*?\1/g, '');

test('payloads in errors, of the gateway and in a stream, and in the ids of models do nothing', async ({
  bench,
  server,
  gateway,
  collector,
  asked: _,
  page,
}) => {
  const payloads = payloadsFor(collector.origin);
  gateway.models = { data: payloads.map((id) => ({ id, name: id, owned_by: id, description: id })) };
  const groups = groupsOf(payloads);
  gateway.onChat((answer) => {
    const index = gateway.posts.length - 1;
    const text = groups[index] ?? '';
    const error = {
      message: text,
      type: text.slice(0, 50),
      code: text.slice(0, 50),
      param: text.slice(0, 50),
    };
    if (index % 3 === 0) return answer.json(400, { error }, { 'x-request-id': 'r-1' });
    if (index % 3 === 1)
      return answer.body(502, `<html><title>${text}</title>${text}</html>`, { 'content-type': 'text/html' });
    answer.text('Some');
    answer.event({ error });
    answer.done();
  });
  await bench.open(server.url);
  await bench.openModels();
  await expectHarmless(page, 'list of models');
  await page.keyboard.press('Escape');
  await bench.useModel(payloads[5] ?? '');
  for (const [index] of groups.entries()) {
    await bench.send(`Group ${index + 1}`);
    await expect(bench.replies.nth(index)).toHaveAttribute('data-status', 'failed');
  }
  await unfold(page);
  await expectHarmless(page, 'errors');
  await bench.reload();
  await expect(bench.replies).toHaveCount(groups.length);
  await expectHarmless(page, 'errors after a reload');
});

test('payloads in the difference of two answers do nothing', async ({
  bench,
  server,
  gateway,
  collector,
  asked: _,
  page,
}) => {
  const all = payloadsFor(collector.origin).join('\n\n');
  gateway.onChat((answer) => answer.whole(gateway.posts.length === 1 ? all : all.replaceAll('x', 'y')));
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await bench.send('Both');
  const replies: Locator = bench.replies;
  await expect(replies).toHaveCount(2);
  for (const reply of await replies.all()) await expect(reply).toHaveAttribute('data-status', 'complete');
  await bench.button('Compare texts').click();
  await expect(page.getByRole('dialog', { name: 'Compare texts' }).locator('del').first()).toBeVisible();
  await expectHarmless(page, 'differences');
});

test('events that ask the page to act are only shown in the inspector (T21)', async ({
  bench,
  server,
  gateway,
  collector,
  asked: _,
  page,
}) => {
  gateway.onChat((answer) => {
    answer.open();
    for (const name of ['execute', 'redirect', 'open_url', 'eval', 'replace', 'notification', 'source']) {
      const data = {
        type: name,
        data: { code: 'globalThis.ranPayload=1', url: `${collector.origin}/${name}` },
        url: `${collector.origin}/${name}`,
      };
      answer.raw(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      answer.event({ event: data, ...data });
    }
    answer.whole('Only words');
  });
  await bench.open(server.url);
  await bench.ask('Act');
  const address = page.url();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(bench.lastReply).toContainText('Only words');
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('execute');
  await expectHarmless(page, 'events');
  expect(page.url().split('?')[0]).toBe(address.split('?')[0]);
  expect(page.context().pages()).toHaveLength(1);
});

test('hidden characters in code are marked, and copying says so (T26)', async ({
  bench,
  server,
  gateway,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = 'if (isAdmin) {\u202E } \u2066// check\u2069 \u200Bbegin';
  gateway.onChat((answer) => answer.whole(`\`\`\`js\n${code}\n\`\`\``));
  await bench.open(server.url);
  await bench.ask('Code');
  await expect(bench.lastReply.locator('.md-hidden')).toHaveCount(4);
  await bench.lastReply.locator('pre, .md-code').first().hover();
  await bench.lastReply
    .getByRole('button', { name: /^Copy(?: code)?$/ })
    .first()
    .click();
  await expect(bench.lastReply).toContainText('Copied, with 4 hidden characters');
});

test.describe('the wall behind all that', () => {
  test('a planted inline script is blocked, and reported', async ({ server, page, complaints }) => {
    await page.route(server.url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        '</head>',
        '<script>globalThis.ranPayload=1</script></head>',
      );
      await route.fulfill({ response, body });
    });
    await page.goto(server.url);
    await expect.poll(() => complaints.join('\n')).toContain('Security policy: script-src-elem inline');
    expect(await page.evaluate(() => 'ranPayload' in globalThis)).toBe(false);
    complaints.length = 0;
  });

  test('strings do not become markup or code, and no other host can be asked', async ({
    bench,
    server,
    page,
    complaints,
    collector,
  }) => {
    await bench.open(server.url);
    const refused = await page.evaluate(async (out) => {
      const attempts: [string, () => unknown][] = [
        ['innerHTML', () => (document.createElement('div').innerHTML = '<b>x</b>')],
        [
          'insertAdjacentHTML',
          () => (document.body.lastElementChild ?? document.body).insertAdjacentHTML('beforeend', '<b>x</b>'),
        ],
        ['srcdoc', () => (document.createElement('iframe').srcdoc = 'x')],
        ['script text', () => (document.createElement('script').text = 'x')],
        ['script src', () => (document.createElement('script').src = '/x.js')],
        ['worker', () => new Worker('/x.js')],
        ['eval', () => Reflect.get(globalThis, 'eval')('globalThis.ranPayload=1')],
        ['Function', () => Reflect.construct(Function, ['globalThis.ranPayload=1'])],
        ['parser', () => new DOMParser().parseFromString('<b>x</b>', 'text/html')],
        ['fetch', () => fetch(`${out}/fetch`)],
        [
          'socket',
          () =>
            new Promise((resolve, reject) => {
              const socket = new WebSocket(out.replace('http', 'ws'));
              socket.addEventListener('open', resolve);
              socket.addEventListener('error', () => reject(new Error('closed')));
            }),
        ],
        [
          'image',
          () =>
            new Promise((resolve, reject) => {
              const image = new Image();
              image.addEventListener('load', resolve);
              image.addEventListener('error', () => reject(new Error('blocked')));
              image.src = `${out}/image`;
            }),
        ],
      ];
      // What a debugger evaluates may evaluate; what runs later is the page's own.
      await new Promise((resolve) => setTimeout(resolve));
      const held: string[] = [];
      for (const [name, attempt] of attempts) {
        try {
          await attempt();
        } catch {
          held.push(name);
        }
      }
      return held.length === attempts.length ? 'all' : held;
    }, collector.origin);
    expect(refused).toBe('all');
    await expect(page.evaluate("trustedTypes.createPolicy('other', {})"), 'another policy').rejects.toThrow(
      /policy/i,
    );
    expect(complaints.length, 'each is reported').toBeGreaterThan(8);
    complaints.length = 0;
  });
});
