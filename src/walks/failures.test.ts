/** What a gateway may do wrong: said in place, kept over a reload, and mended by Retry. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { textOf } from '../conversation/reply/run.ts';
import { aGate, anEnvironment } from '../testing/builders.ts';
import { canaryKey } from '../testing/canary-key.ts';
import type { ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { ask, aTalk, messagesOf, reloaded, runOf, setUp, shownTurn, shownTurns } from '../testing/talk.ts';
import { until } from '../testing/until.ts';
import { drawnReplies } from '../testing/views.tsx';

interface Row {
  name: string;
  /** `isHeard`: what was said so far is on screen. */
  script: (answer: ScriptedAnswer, isHeard: Promise<void>) => Promise<void> | void;
  status: 'failed' | 'truncated';
  says: (string | RegExp)[];
  /** "Error", or "Note" where nothing broke. */
  group?: 'Note';
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
const tooHot = 'Input should be less than or equal to 2';

const rows: Row[] = [
  {
    name: 'a 401 in the shape of the specification',
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
    name: 'a 404 for a model',
    script: (answer) =>
      answer.json(404, {
        error: { message: 'The model `x` does not exist', type: 'model_not_found', code: '404' },
      }),
    status: 'failed',
    says: ['does not know this model', 'The model `x` does not exist', 'model_not_found'],
  },
  {
    name: 'a 422 with fields',
    script: (answer) =>
      answer.json(422, {
        detail: [
          { loc: ['body', 'temperature'], msg: tooHot, type: 'less_than_equal' },
          { loc: ['body', 'messages', 0, 'content'], msg: 'Field required', type: 'missing' },
        ],
      }),
    status: 'failed',
    says: [
      'did not accept the request',
      '422',
      new RegExp(`temperature:?\\s*${tooHot}`),
      /messages\.0\.content:?\s*Field required/,
    ],
  },
  {
    name: 'a 502 with a web page',
    script: (answer) => answer.body(502, nginx, { 'content-type': 'text/html' }),
    status: 'failed',
    says: ['got no usable answer', '502', '502 Bad Gateway'],
  },
  {
    name: 'a 401 without a body',
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
    says: ['the engine died', '2 tokens received and kept'],
    kept: 'Some words',
  },
  {
    name: 'a connection cut in the middle of a stream',
    script: async (answer, isHeard) => {
      answer.text('Some words');
      await isHeard;
      answer.cut();
    },
    status: 'truncated',
    says: ['The connection dropped', '1 token received and kept'],
    kept: 'Some words',
  },
  {
    name: 'a connection cut in the middle of an event',
    script: async (answer, isHeard) => {
      answer.text('Some words');
      answer.raw('data: {"choices":[{"index":0,"delta":{"cont');
      await isHeard;
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
    group: 'Note',
    says: ['The answer may be cut off', 'without a finish reason'],
    kept: 'Some words',
  },
  {
    name: 'a connection cut before the headers',
    script: (answer) => answer.cut(),
    status: 'failed',
    says: ['The gateway cannot be reached', '502', 'gateway_unreachable'],
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
    says: ['Unexpected response', 'Sign in'],
  },
  {
    name: 'a redirect',
    script: (answer) => answer.body(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    status: 'failed',
    says: ['sent a redirect', 'gateway_redirected'],
  },
];

describe('a failure is said in place, kept over a reload, and mended by Retry', () => {
  for (const { name, script, status, says, group = 'Error', kept = '' } of rows)
    it(`where it is ${name}`, async () => {
      const gate = aGate();
      const { bench, gateway } = await aTalk((answer) => script(answer, gate.opened));
      const asking = ask(bench, 'Question');
      await until(() => shownTurns(bench).length === 1);
      await until(() => textOf(runOf(bench).choices[0]) === kept);
      gate.open();
      await asking;
      const again = await reloaded(bench);
      for (const each of [bench, again]) {
        const [{ markup, words } = { markup: '', words: '' }] = drawnReplies(each);
        expect(markup).toContain(`data-status="${status}"`);
        expect(
          [...markup.matchAll(/role="group" aria-label="(Error|Note)"/g)].map((match) => match[1]),
        ).toEqual([group]);
        expect(markup).toContain(status === 'failed' ? 'Retry' : 'Ask again');
        for (const part of says) expect(words).toMatch(part);
        expect(words).toContain(kept);
        expect(words).not.toContain('undefined');
      }
      expect(gateway.posts, 'nothing is sent again by itself').toHaveLength(1);

      gateway.onChat((answer) => answer.whole('All is well again'));
      await again.actions.regenerate([shownTurn(again).id]);
      const [reply] = drawnReplies(again);
      expect(reply?.markup).toContain('data-status="complete"');
      expect(reply?.markup).not.toContain(`aria-label="${group}"`);
      expect(reply?.words).toContain('All is well again');
      expect(reply?.words).toContain('2 of 2');
      expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'Question' }]);
    });
});

it('a 429 waits for the person: Retry counts down, and nothing is sent by itself', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const error = { message: 'Rate limit reached', type: 'rate_limit_exceeded', code: '429' };
  const { bench, gateway } = await aTalk((answer) => answer.json(429, { error }, { 'retry-after': '30' }), {
    environment: { now: () => Date.now(), newId: anEnvironment().newId },
  });
  const retry = () =>
    /<button[^>]*>(?:(?!<button).)*Retry<\/button>/.exec(drawnReplies(bench)[0]?.markup ?? '')?.[0];
  await ask(bench, 'Question');
  vi.advanceTimersByTime(Math.ceil(runOf(bench).endedMs ?? 0));
  expect(drawnReplies(bench)[0]?.words).toContain('Rate limit reached');
  expect(drawnReplies(bench)[0]?.words).toContain('Rate limit reached');
  expect(drawnReplies(bench)[0]?.words).toContain('The gateway asks you to wait 30 s more.');
  expect(retry()).toContain(' disabled=');
  vi.advanceTimersByTime(20_000);
  expect(drawnReplies(bench)[0]?.words).toContain('The gateway asks you to wait 10 s more.');
  vi.advanceTimersByTime(10_000);
  expect(drawnReplies(bench)[0]?.words).not.toContain('asks you to wait');
  expect(retry()).not.toContain(' disabled=');
  expect(gateway.posts).toHaveLength(1);
});

it('after an error the next message goes out without the failed answer', async () => {
  const { bench, gateway } = await aTalk((answer) =>
    answer.json(500, { error: { message: 'broken', type: 'server_error', code: '500' } }),
  );
  await ask(bench, 'First');
  gateway.onChat((answer) => answer.whole('Works'));
  await ask(bench, 'Second');
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'First' },
    { role: 'user', content: 'Second' },
  ]);
});

it('an answer cut at max_tokens says so and offers twice as many', async () => {
  const { bench, gateway } = await aTalk((answer) => {
    answer.text('Only the beg');
    answer.finish('length');
    answer.done();
  });
  setUp(bench, { fields: { max_tokens: '600' } });
  await ask(bench, 'Go');
  const [reply] = drawnReplies(bench);
  expect(reply?.markup).toContain('data-status="complete"');
  expect(reply?.words).toContain('Cut off at max_tokens 600');
  expect(reply?.words).toContain('Raise to 1,200 and ask again');
  await bench.actions.raiseAndAskAgain(shownTurn(bench).id, 1200);
  expect(gateway.posts.map(({ body }) => body['max_tokens'])).toEqual([600, 1200]);
  expect(Object.values(bench.current().lanes)[0]?.setup.params.max_tokens).toEqual({
    sent: true,
    text: '1200',
  });
});

it('no byte of the key reaches the browser, also where the gateway repeats it', async () => {
  const came: string[] = [];
  const listening: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    came.push(JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  };
  const { bench, gateway } = await aTalk(
    (answer, { headers }) => {
      const message = `Bad key ${headers.authorization}`;
      answer.json(401, { error: { message, type: 'invalid_api_key', code: '401' } }, { 'x-key': message });
    },
    { settings: { GATEWAY_API_KEY: canaryKey }, fetch: listening },
  );
  await ask(bench, 'Go');
  await bench.saved();
  expect(gateway.posts[0]?.headers.authorization).toContain(canaryKey);
  const shown = drawnReplies(bench);
  expect(shown[0]?.words).toContain('does not accept this key');
  expect(came.join()).toContain('Bad key');
  const runId = runOf(bench).id;
  const kept = [await bench.records.session(bench.current().session.id), await bench.records.tape(runId)];
  const all = JSON.stringify([came, shown, kept, [...bench.browser.stored], bench.server.log]);
  expect(all).not.toContain('canary');
});
