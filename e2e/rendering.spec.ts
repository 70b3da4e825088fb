/** Tests that content from models, gateways and files is shown but inert: no script, no request, no navigation. */
import { expect } from './fixtures.ts';
import { expectHarmless, test } from './injection-fixtures.ts';

test('renders HTML and script in answers as text, and shows instructions in events only in the inspector', async ({
  bench,
  server,
  gateway,
  collector,
  externalRequests: _,
  page,
}) => {
  const hostileParts = [
    'Only words ',
    `<script>globalThis.ranPayload=1</script> <img src=${collector.origin}/img onerror="globalThis.ranPayload=1"> `,
    `<b onclick="globalThis.ranPayload=1">bold</b> [Read on](javascript:globalThis.ranPayload=1)\n\n`,
    `<iframe src="${collector.origin}/frame" srcdoc="<script>globalThis.ranPayload=1</script>"></iframe>\n\n`,
    `<a href="javascript:globalThis.ranPayload=1">Here</a>`,
  ];
  gateway.setChatScript((answer) => {
    answer.openStream();
    for (const name of ['execute', 'redirect', 'open_url', 'eval', 'replace', 'notification', 'source']) {
      const data = {
        type: name,
        data: { code: 'globalThis.ranPayload=1', url: `${collector.origin}/${name}` },
        url: `${collector.origin}/${name}`,
      };
      answer.writeRaw(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      answer.sendEvent({ event: data, ...data });
    }
    answer.sendAnswer(...hostileParts);
  });
  await bench.open(server.url);
  await bench.sendAndWait('Act');
  const address = page.url();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  for (const visibleText of [
    'Only words <script>',
    '<img src=',
    '<b onclick=',
    '<iframe src=',
    '<a href="javascript:',
  ])
    await expect(bench.lastReply).toContainText(visibleText);
  await expect(bench.lastReply).toContainText('Read on');
  await expectHarmless(page, 'the answer');
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('execute');
  await expectHarmless(page, 'events');
  expect(page.url().split('?')[0]).toBe(address.split('?')[0]);
  expect(page.context().pages()).toHaveLength(1);
});

test.describe('content security policy', () => {
  test('blocks and reports an injected inline script', async ({ server, page, pageErrors }) => {
    await page.route(server.url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        '</head>',
        '<script>globalThis.ranPayload=1</script></head>',
      );
      await route.fulfill({ response, body });
    });
    await page.goto(server.url);
    await expect.poll(() => pageErrors.join('\n')).toContain('Security policy: script-src-elem inline');
    expect(await page.evaluate(() => 'ranPayload' in globalThis)).toBe(false);
    pageErrors.length = 0;
  });

  test('blocks markup, code from strings and requests to other hosts', async ({
    bench,
    server,
    page,
    pageErrors,
    collector,
  }) => {
    await bench.open(server.url);
    const blocked = await page.evaluate(async (externalOrigin) => {
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
        ['fetch', () => fetch(`${externalOrigin}/fetch`)],
        [
          'socket',
          () =>
            new Promise((resolve, reject) => {
              const socket = new WebSocket(externalOrigin.replace('http', 'ws'));
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
              image.src = `${externalOrigin}/image`;
            }),
        ],
      ];
      // Code evaluated by the debugger bypasses the policy; code that runs later is subject to it.
      await new Promise((resolve) => setTimeout(resolve));
      const blockedNames: string[] = [];
      for (const [name, attempt] of attempts) {
        try {
          await attempt();
        } catch {
          blockedNames.push(name);
        }
      }
      return blockedNames.length === attempts.length ? 'all' : blockedNames;
    }, collector.origin);
    expect(blocked).toBe('all');
    await expect(
      page.evaluate("trustedTypes.createPolicy('other', {})"),
      'creation of another policy',
    ).rejects.toThrow(/policy/i);
    expect(pageErrors.length, 'every violation is reported').toBeGreaterThan(8);
    pageErrors.length = 0;
  });
});
