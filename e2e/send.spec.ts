import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from './fixtures.ts';

test('one send is one POST with exactly the fields that are set', async ({ bench, server, gateway }) => {
  await bench.open(server.url);
  await bench.useModel('north/two');
  await bench.system.fill('Answer in one word.');
  await bench.ask('Hello there');
  expect(gateway.posts).toHaveLength(1);
  expect(gateway.posts[0]?.body).toEqual({
    model: 'north/two',
    messages: [
      { role: 'system', content: 'Answer in one word.' },
      { role: 'user', content: 'Hello there' },
    ],
    stream: true,
  });
});

test('the text on screen is the deltas joined, byte for byte', async ({ bench, server, gateway, page }) => {
  const deltas = ['  Zwölf ', 'Boxkämpfer ', '👩‍👩‍👧 ', 'jagen\n', '```js\nlet a', ' = 1;\n```', '\nEnde'];
  gateway.onChat((answer) => {
    for (const delta of deltas) answer.text(delta);
    answer.finish();
    answer.done();
  });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open(server.url);
  const reply = await bench.ask('Go');
  await reply.getByRole('button', { name: 'Copy', exact: true }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(deltas.join(''));
});

test('reasoning tags at the start of an answer are shown as reasoning', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat((answer) => {
    for (const delta of ['<th', 'ink>carefully</thi', 'nk>The answer']) answer.text(delta);
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  const reply = await bench.ask('Go');
  await expect(reply).toContainText('The answer');
  await expect(reply).not.toContainText('think>');
  await reply.getByRole('button', { name: 'Reasoning' }).click();
  await expect(reply).toContainText('carefully');
});

test('the first text is painted in the frame after its event', async ({ bench, server, gateway, page }) => {
  let heldBack: () => void = () => undefined;
  const letGo = new Promise<void>((resolve) => (heldBack = resolve));
  gateway.onChat(async (answer) => {
    answer.text('First');
    await letGo;
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await bench.send('Go');
  // The stream stands still after one delta: the text is there, not waiting for more.
  await expect(bench.lastReply.getByText('First')).toBeVisible();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  heldBack();
  await bench.ended();
  await expect(page.getByRole('group', { name: 'Error' })).toHaveCount(0);
});

for (const moment of ['before', 'after'] as const) {
  test(`Stop reaches the gateway's socket ${moment} the first token`, async ({ bench, server, gateway }) => {
    gateway.onChat(async (answer) => {
      if (moment === 'after') answer.text('Some words');
      else answer.open();
      await sleep(60_000, undefined, { ref: false });
    });
    await bench.open(server.url);
    await bench.send('Go');
    if (moment === 'after') await expect(bench.lastReply).toContainText('Some words');
    await expect.poll(() => gateway.posts.length).toBe(1);
    await bench.button('Stop Esc').click();
    const left = gateway.posts[0]?.left.then(() => 'closed');
    expect(await Promise.race([left, sleep(1000, 'still open')])).toBe('closed');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
    if (moment === 'after') await expect(bench.lastReply).toContainText('Some words');
    await expect(bench.lastReply).toContainText('You stopped it');
  });
}

test('Escape stops, and the next message can be sent at once', async ({ bench, server, gateway, page }) => {
  let calls = 0;
  gateway.onChat(async (answer) => {
    calls += 1;
    if (calls > 1) {
      answer.text('Second');
      answer.finish();
      return answer.done();
    }
    for (let word = 0; ; word += 1) {
      if (answer.response.destroyed) return;
      answer.text(`first${word} `);
      await sleep(5);
    }
  });
  await bench.open(server.url);
  await bench.send('One');
  await expect(bench.lastReply).toContainText('first3');
  await page.keyboard.press('Escape');
  await bench.message.fill('Two');
  await bench.message.press('Enter');
  await expect(bench.replies).toHaveCount(2);
  await bench.ended();
  await expect(bench.replies.first()).toHaveAttribute('data-status', 'stopped');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(bench.lastReply).not.toContainText('first');
});

test('Enter held down or pressed twice sends once; Shift+Enter is a new line', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.message.fill('First line');
  await bench.message.press('Shift+Enter');
  await page.keyboard.type('second');
  for (let times = 0; times < 5; times += 1) void page.keyboard.down('Enter');
  await bench.ended();
  expect(gateway.posts).toHaveLength(1);
  expect(gateway.posts[0]?.body['messages']).toEqual([{ role: 'user', content: 'First line\nsecond' }]);
});

test('no byte of the key reaches the browser', async ({ bench, server, gateway, page }) => {
  const bodies: string[] = [];
  page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      ),
  );
  gateway.onChat((answer, request) =>
    answer.json(401, {
      error: {
        message: `Bad key ${String(request.headers.authorization)}`,
        type: 'invalid_api_key',
        code: '401',
      },
    }),
  );
  await bench.open(server.url);
  await bench.ask('Go');
  expect(gateway.posts[0]?.headers.authorization).toContain('fk-canary');
  const stored = await page.evaluate(() => JSON.stringify(localStorage) + document.documentElement.outerHTML);
  expect(bodies.join('\n') + stored + server.output()).not.toContain('canary');
  await expect(bench.lastReply.getByRole('group', { name: 'Error' })).toContainText(
    'does not accept this key',
  );
  await expect(bench.health).toContainText('Key rejected');
});
