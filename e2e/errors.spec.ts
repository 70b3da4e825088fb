import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from './fixtures.ts';
import type { ChatScript } from '../src/testing/scripted-gateway.ts';

/** What a gateway may do wrong, and how the reply must end: its status and what the card must say. */
interface Row {
  name: string;
  script: ChatScript;
  status: 'failed' | 'truncated';
  /** In the group "Error", or "Note" where nothing broke. */
  says: (string | RegExp)[];
  role?: 'Error' | 'Note';
  /** What had arrived before; it must still be there. */
  kept?: string;
}

const flat = {
  object: 'error',
  message: 'maximum context length is 4096 tokens',
  type: 'BadRequestError',
  param: null,
  code: 400,
};
const nginx = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

const rows: Row[] = [
  {
    name: '401 in the shape of the specification',
    script: (answer) =>
      answer.json(401, {
        error: { message: 'Incorrect API key provided', type: 'invalid_api_key', code: '401' },
      }),
    status: 'failed',
    says: [
      'does not accept this key',
      'GATEWAY_API_KEY',
      'Incorrect API key provided',
      'invalid_api_key',
      '401',
    ],
  },
  {
    name: '404 for a model',
    script: (answer) =>
      answer.json(404, {
        error: { message: 'The model `x` does not exist', type: 'model_not_found', code: '404' },
      }),
    status: 'failed',
    says: ['does not know this model or address', 'The model `x` does not exist', 'model_not_found'],
  },
  {
    name: '422 with fields',
    script: (answer) =>
      answer.json(422, {
        detail: [
          {
            loc: ['body', 'temperature'],
            msg: 'Input should be less than or equal to 2',
            type: 'less_than_equal',
          },
          { loc: ['body', 'messages', 0, 'content'], msg: 'Field required', type: 'missing' },
        ],
      }),
    status: 'failed',
    says: [
      'did not accept the request',
      '422',
      /temperature\s*Input should be less than or equal to 2/,
      /messages\.0\.content\s*Field required/,
    ],
  },
  {
    name: '500 with a web page',
    script: (answer) => answer.body(502, nginx, { 'content-type': 'text/html' }),
    status: 'failed',
    says: ['reported an error', '502', '502 Bad Gateway'],
  },
  {
    name: '401 without a body',
    script: (answer) => answer.body(401, ''),
    status: 'failed',
    says: ['does not accept this key', 'sent no details'],
  },
  {
    name: 'a flat error as the first event of a 200',
    script: (answer) => {
      answer.event(flat);
      answer.done();
    },
    status: 'failed',
    says: ['did not accept the request', 'maximum context length is 4096 tokens', 'BadRequestError', '400'],
  },
  {
    name: 'a flat error in the middle of a stream',
    script: (answer) => {
      for (const word of ['Some ', 'words']) answer.text(word);
      answer.event({ ...flat, message: 'the engine died', code: 500 });
      answer.done();
    },
    status: 'failed',
    says: ['the engine died', '2 tokens arrived before it and are kept'],
    kept: 'Some words',
  },
  {
    name: 'a connection cut in the middle of a stream',
    script: async (answer) => {
      answer.text('Some words');
      await sleep(50);
      answer.cut();
    },
    status: 'truncated',
    says: ['The connection dropped', '1 token arrived and are kept'.replace('are', '(is|are)')],
    kept: 'Some words',
  },
  {
    name: 'a connection cut in the middle of an event',
    script: async (answer) => {
      answer.text('Some words');
      answer.raw('data: {"choices":[{"index":0,"delta":{"cont');
      await sleep(50);
      answer.cut();
    },
    status: 'truncated',
    says: ['The connection dropped'],
    kept: 'Some words',
  },
  {
    name: 'a stream that ends without a finish reason or an end mark',
    script: (answer) => {
      answer.text('Some words');
      answer.response.end();
    },
    status: 'truncated',
    role: 'Note',
    says: ['The answer may be cut off', 'without a finish reason'],
    kept: 'Some words',
  },
  {
    name: 'a connection cut before the headers',
    script: (answer) => answer.cut(),
    status: 'failed',
    says: ['The gateway can not be reached', '502', 'gateway_unreachable'],
  },
  {
    name: 'an empty 200',
    script: (answer) => answer.body(200, '', { 'content-type': 'text/event-stream' }),
    status: 'failed',
    says: ['sent an empty answer'],
  },
  {
    name: 'a web page with status 200',
    script: (answer) =>
      answer.body(200, '<!doctype html><title>Sign in</title><body>Sign in</body>', {
        'content-type': 'text/html',
      }),
    status: 'failed',
    says: ['Something other than an answer came back', 'Sign in'],
  },
  {
    name: 'a redirect',
    script: (answer) => answer.body(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    status: 'failed',
    says: ['redirected elsewhere', 'gateway_redirected'],
  },
];

for (const { name, script, status, says, role = 'Error', kept } of rows) {
  test(`${name}: said in place, kept over a reload, and Retry works`, async ({
    bench,
    server,
    gateway,
    page,
  }) => {
    gateway.onChat(script);
    await bench.open(server.url);
    const reply = await bench.ask('Question');
    for (const visit of ['at once', 'after a reload']) {
      await expect(reply, visit).toHaveAttribute('data-status', status);
      const card = reply.getByRole('group', { name: role });
      await expect(card).toHaveCount(1);
      for (const words of says)
        await expect(card).toContainText(typeof words === 'string' ? asPattern(words) : words);
      if (kept !== undefined) await expect(reply).toContainText(kept);
      await expect(reply.getByText('undefined')).toHaveCount(0);
      if (visit === 'at once') await page.reload();
    }
    expect(gateway.posts, 'nothing is sent again by itself').toHaveLength(1);

    gateway.onChat((answer) => answer.whole('All is well again'));
    await reply.getByRole('button', { name: status === 'failed' ? 'Retry' : 'Ask again' }).click();
    await expect(bench.lastReply).toContainText('All is well again');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await expect(bench.lastReply.getByRole('group', { name: role })).toHaveCount(0);
    await expect(bench.lastReply).toContainText('2 of 2');
    expect(gateway.posts[1]?.body['messages']).toEqual([{ role: 'user', content: 'Question' }]);
  });
}

/** The text as a pattern that takes alternatives in brackets. */
function asPattern(words: string): string | RegExp {
  return words.includes('(is|are)') ? new RegExp(words) : words;
}

test('429 waits for the person: Retry counts down, and nothing is sent by itself', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat((answer) =>
    answer.json(
      429,
      { error: { message: 'Rate limit reached', type: 'rate_limit_exceeded', code: '429' } },
      { 'retry-after': '3' },
    ),
  );
  await bench.open(server.url);
  await bench.ask('Question');
  const retry = bench.error().getByRole('button', { name: 'Retry' });
  await expect(bench.error()).toContainText('Too many requests for now');
  await expect(bench.error()).toContainText('Rate limit reached');
  await expect(retry).toBeDisabled();
  await expect(bench.error()).toContainText(/asks to wait [123] s more/);
  gateway.onChat((answer) => answer.whole('Now'));
  await expect(retry).toBeEnabled();
  await sleep(500);
  expect(gateway.posts).toHaveLength(1);
  await retry.click();
  await expect(bench.lastReply).toContainText('Now');
});

test('the error card shows what came, whole, without being script or layout', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const message = `<img src=x onerror="document.title='broken in'"> ${'long'.repeat(500)} \u202Egnp.exe`;
  gateway.onChat((answer) => answer.json(500, { error: { message, type: '<b>type</b>', code: 'x' } }));
  await bench.open(server.url);
  await bench.ask('Question');
  await expect(bench.error()).toContainText('<img src=x onerror=');
  await expect(bench.error()).toContainText('<b>type</b>');
  await expect(bench.error().getByRole('img')).toHaveCount(0);
  expect(await page.title()).not.toContain('broken in');
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(wide).toBe(0);
});

test('after an error the next message goes out without the failed answer', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat((answer) =>
    answer.json(500, { error: { message: 'broken', type: 'server_error', code: '500' } }),
  );
  await bench.open(server.url);
  await bench.ask('First');
  gateway.onChat((answer) => answer.whole('Works'));
  await bench.ask('Second');
  expect(gateway.posts[1]?.body['messages']).toEqual([
    { role: 'user', content: 'First' },
    { role: 'user', content: 'Second' },
  ]);
});

test('an answer cut at max_tokens says so and offers twice as many', async ({ bench, server, gateway }) => {
  gateway.onChat((answer) => {
    answer.text('Only the beg');
    answer.finish('length');
    answer.done();
  });
  await bench.open(server.url);
  await bench.parameters.getByRole('spinbutton', { name: 'max_tokens' }).fill('600');
  await bench.ask('Go');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(bench.lastReply).toContainText('Cut off at max_tokens 600');
  await bench.button('Raise to 1,200 and ask again').click();
  await expect.poll(() => gateway.posts.length).toBe(2);
  expect(gateway.posts[1]?.body['max_tokens']).toBe(1200);
  await expect(bench.parameters.getByRole('spinbutton', { name: 'max_tokens' })).toHaveValue('1200');
});
