/** Each kind of ending of an answer: its text on screen, what is stored of it, and what asking again does. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { aGate, anEnvironment } from '../testing/builders.ts';
import { canaryKey } from '../testing/canary-key.ts';
import {
  ask,
  aTalk,
  messagesOf,
  reloaded,
  runOf,
  setUp,
  shownTurn,
  shownTurns,
} from '../testing/conversation-driver.ts';
import { drawnReplies } from '../testing/render-views.tsx';
import type { ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

interface Row {
  name: string;
  /** `isHeard` resolves once the text so far is on screen. */
  script: (answer: ScriptedAnswer, isHeard: Promise<void>) => Promise<void> | void;
  status: 'complete' | 'failed' | 'truncated';
  says: (string | RegExp)[];
  /** The role of what stands under the answer, if anything does. */
  group?: 'Error' | 'Note';
  /** The text that arrived. */
  kept?: string;
  settings?: Record<string, string>;
}

const flat = {
  object: 'error',
  message: 'the engine died',
  type: 'BadRequestError',
  param: null,
  code: 500,
};
const nginx = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';
const tooHot = 'Input should be less than or equal to 2';
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const rows: Row[] = [
  {
    name: 'a 401 that repeats the key',
    script: (answer) =>
      answer.json(401, {
        error: { message: `Incorrect API key: ${canaryKey}.`, type: 'invalid_api_key', code: '401' },
      }),
    status: 'failed',
    group: 'Error',
    says: [
      'does not accept this key',
      'GATEWAY_API_KEY',
      'Incorrect API key: [redacted].',
      'invalid_api_key',
    ],
    settings: { GATEWAY_API_KEY: canaryKey },
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
    group: 'Error',
    says: [
      'did not accept the request',
      '422',
      new RegExp(`temperature:?\\s*${tooHot}`),
      /messages\.0\.content:?\s*Field required/,
    ],
  },
  {
    name: 'a 413',
    script: (answer) => answer.body(413, ''),
    status: 'failed',
    group: 'Error',
    says: ['The request is too large', /It was [\d.,]+ K?B\b/],
  },
  {
    name: 'a 502 with a web page',
    script: (answer) => answer.body(502, nginx, { 'content-type': 'text/html' }),
    status: 'failed',
    group: 'Error',
    says: ['got no usable answer', '502', '502 Bad Gateway'],
  },
  {
    name: 'an error event in the middle of a stream',
    script: (answer) => {
      for (const word of ['Some ', 'words']) answer.text(word);
      answer.event(flat);
      answer.done();
    },
    status: 'failed',
    group: 'Error',
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
    group: 'Error',
    says: ['The connection dropped', '1 token received and kept'],
    kept: 'Some words',
  },
  {
    name: 'a connection cut in the arguments of a tool call',
    script: (answer) => {
      answer.toolCall(0, 'A', 'weather', '{"city":"Par');
      answer.response.socket?.end();
    },
    status: 'truncated',
    group: 'Error',
    says: ['The connection dropped', '{"city":"Par', 'Incomplete'],
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
    name: 'a connection reset before the headers',
    script: (answer) => answer.cut(),
    status: 'failed',
    group: 'Error',
    says: ['The gateway cannot be reached', '502', 'gateway_unreachable'],
  },
  {
    name: 'bytes that are not HTTP',
    script: (answer) => {
      answer.bytes('SSH-2.0-OpenSSH_9\r\n');
      answer.response.socket?.end();
    },
    status: 'failed',
    group: 'Error',
    says: ['502', 'gateway_unreachable', 'not valid HTTP'],
  },
  {
    name: 'silence before the headers',
    script: () => undefined,
    status: 'failed',
    group: 'Error',
    says: ['did not respond in time', 'gateway_timeout', '504'],
    settings: { GATEWAY_HEADERS_TIMEOUT_MS: '300' },
  },
  {
    name: 'silence in the middle of a stream',
    script: (answer) => answer.text('Some words'),
    status: 'truncated',
    group: 'Error',
    says: ['The connection dropped', '1 token received and kept'],
    kept: 'Some words',
    settings: { GATEWAY_IDLE_TIMEOUT_MS: '300' },
  },
  {
    name: 'a web page with status 200',
    script: (answer) =>
      answer.body(200, '<!doctype html><title>Sign in</title><body>Sign in</body>', {
        'content-type': 'text/html',
      }),
    status: 'failed',
    group: 'Error',
    says: ['Unexpected response', 'Sign in'],
  },
  {
    name: 'a redirect',
    script: (answer) => answer.body(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    status: 'failed',
    group: 'Error',
    says: ['sent a redirect', 'gateway_redirected'],
  },
  {
    name: 'a connection that breaks after the finish reason',
    script: async (answer, isHeard) => {
      answer.text('Some words');
      answer.finish();
      await isHeard;
      answer.cut();
    },
    status: 'complete',
    says: ['The connection broke after the answer was complete'],
    kept: 'Some words',
  },
  {
    name: 'a whole reply with words under an unknown name',
    script: (answer) =>
      answer.json(200, {
        choices: [{ message: { content: 'Some words', utterance: 'Bonjour' }, finish_reason: 'stop' }],
      }),
    status: 'complete',
    says: ['Bonjour'],
    kept: 'Some words',
  },
  {
    name: 'reasoning that uses up the token limit',
    script: (answer) => {
      answer.delta({ reasoning_content: 'hmm' });
      answer.finish('length');
      answer.done();
    },
    status: 'complete',
    group: 'Note',
    says: ['hmm', 'No answer: thinking used the whole token limit'],
  },
  {
    name: 'a content filter',
    script: (answer) => {
      answer.text('Some words');
      answer.finish('content_filter');
      answer.done();
    },
    status: 'complete',
    group: 'Note',
    says: ['The provider blocked this answer', 'content_filter'],
    kept: 'Some words',
  },
  {
    name: 'a refusal',
    script: (answer) => {
      answer.delta({ refusal: 'I will not.' });
      answer.finish();
      answer.done();
    },
    status: 'complete',
    says: ['Refused', 'I will not.'],
  },
  {
    name: 'a JSON answer nested 20,000 levels deep',
    script: (answer) => answer.whole(nested(20_000)),
    status: 'complete',
    says: ['Valid JSON', '1 field'],
    kept: nested(20_000),
  },
  {
    name: 'tool arguments nested 3,000 levels deep',
    script: (answer) => {
      answer.toolCall(0, 'A', 'dig', nested(3000));
      answer.finish('tool_calls');
      answer.done();
    },
    status: 'complete',
    says: ['dig', 'Needs a result'],
  },
];

describe('an ending is said in place, kept over a reload, and replaced by asking again', () => {
  for (const { name, script, status, says, group, kept = '', settings = {} } of rows)
    it(`after ${name}`, async () => {
      const gate = aGate();
      const { bench, gateway } = await aTalk((answer) => script(answer, gate.opened), { settings });
      const asking = ask(bench, 'Question');
      await until(() => shownTurns(bench).length === 1);
      await until(() => getAnswerText(runOf(bench).choices[0]) === kept);
      gate.open();
      await asking;
      const again = await reloaded(bench);
      for (const each of [bench, again]) {
        const [{ markup, words } = { markup: '', words: '' }] = drawnReplies(each);
        expect(markup).toContain(`data-status="${status}"`);
        expect(
          [...markup.matchAll(/role="group" aria-label="(Error|Note)"/g)].map((match) => match[1]),
        ).toEqual(group === undefined ? [] : [group]);
        if (status !== 'complete') expect(markup).toContain(status === 'failed' ? 'Retry' : 'Ask again');
        for (const part of says) expect(words).toMatch(part);
        expect(getAnswerText(runOf(each).choices[0]) === kept).toBe(true);
        for (const bad of ['undefined', '[object Object]', 'could not be displayed', canaryKey])
          expect(words).not.toContain(bad);
      }
      expect(gateway.posts, 'nothing is sent again by itself').toHaveLength(1);

      gateway.onChat((answer) => answer.whole('All is well again'));
      await again.actions.regenerate([shownTurn(again).id]);
      const [reply] = drawnReplies(again);
      expect(reply?.markup).toContain('data-status="complete"');
      expect(reply?.markup).not.toMatch(/aria-label="(?:Error|Note)"/);
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
  await bench.actions.retryWithHigherLimit(shownTurn(bench).id, 1200);
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
  const kept = [
    await bench.records.readSession(bench.current().session.id),
    await bench.records.readTape(runId),
  ];
  const all = JSON.stringify([came, shown, kept, [...bench.browser.stored], bench.server.log]);
  expect(all).not.toContain('canary');
});
