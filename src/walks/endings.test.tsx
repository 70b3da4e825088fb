/** Tests every ending of an answer: its text on screen, the stored run, and what a retry does. */
import { within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { createGate, createTestEnvironment } from '../testing/builders.ts';
import { canaryKey } from '../testing/canary-key.ts';
import {
  sendAndWait,
  createConversation,
  getRequestMessages,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurn,
  getLaneTurns,
} from '../testing/conversation-driver.ts';
import { renderReplies, renderReply } from '../testing/render-turns.tsx';
import type { ScriptedResponse } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

interface EndingRow {
  name: string;
  /** `textVisible` resolves when the text received so far is on screen. */
  script: (answer: ScriptedResponse, textVisible: Promise<void>) => Promise<void> | void;
  status: 'complete' | 'failed' | 'truncated';
  expectedTexts: (string | RegExp)[];
  /** ARIA name of the group below the answer, if there is one. */
  group?: 'Error' | 'Note';
  /** Received text of the answer. */
  receivedText?: string;
  settings?: Record<string, string>;
}

const flatError = {
  object: 'error',
  message: 'the engine died',
  type: 'BadRequestError',
  param: null,
  code: 500,
};
const nginxPage =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';
const rangeMessage = 'Input should be less than or equal to 2';
const createNestedJson = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const rows: EndingRow[] = [
  {
    name: 'a 401 that repeats the key',
    script: (answer) =>
      answer.sendJson(401, {
        error: { message: `Incorrect API key: ${canaryKey}.`, type: 'invalid_api_key', code: '401' },
      }),
    status: 'failed',
    group: 'Error',
    expectedTexts: [
      'rejected the key',
      'GATEWAY_API_KEY',
      'Incorrect API key: [redacted].',
      'invalid_api_key',
    ],
    settings: { GATEWAY_API_KEY: canaryKey },
  },
  {
    name: 'a 422 with fields',
    script: (answer) =>
      answer.sendJson(422, {
        detail: [
          { loc: ['body', 'temperature'], msg: rangeMessage, type: 'less_than_equal' },
          { loc: ['body', 'messages', 0, 'content'], msg: 'Field required', type: 'missing' },
        ],
      }),
    status: 'failed',
    group: 'Error',
    expectedTexts: [
      'rejected the request',
      '422',
      new RegExp(`temperature:?\\s*${rangeMessage}`),
      /messages\.0\.content:?\s*Field required/,
    ],
  },
  {
    name: 'a 413',
    script: (answer) => answer.sendBody(413, ''),
    status: 'failed',
    group: 'Error',
    expectedTexts: ['The request is too large', /It was [\d.,]+ K?B\b/],
  },
  {
    name: 'a 502 with a web page',
    script: (answer) => answer.sendBody(502, nginxPage, { 'content-type': 'text/html' }),
    status: 'failed',
    group: 'Error',
    expectedTexts: ['received an invalid response', '502', '502 Bad Gateway'],
  },
  {
    name: 'an error event in the middle of a stream',
    script: (answer) => {
      for (const word of ['Some ', 'words']) answer.sendText(word);
      answer.sendEvent(flatError);
      answer.sendDone();
    },
    status: 'failed',
    group: 'Error',
    expectedTexts: ['the engine died', '2 tokens were saved'],
    receivedText: 'Some words',
  },
  {
    name: 'a connection lost in the middle of a stream',
    script: async (answer, textVisible) => {
      answer.sendText('Some words');
      await textVisible;
      answer.breakConnection();
    },
    status: 'truncated',
    group: 'Error',
    expectedTexts: ['The connection dropped', '1 token was saved'],
    receivedText: 'Some words',
  },
  {
    name: 'a connection lost in the arguments of a tool call',
    script: (answer) => {
      answer.sendToolCall(0, 'A', 'weather', '{"city":"Par');
      answer.response.socket?.end();
    },
    status: 'truncated',
    group: 'Error',
    expectedTexts: ['The connection dropped', '{"city":"Par', 'Incomplete'],
  },
  {
    name: 'a stream that ends without a finish reason or an end marker',
    script: (answer) => {
      answer.sendText('Some words');
      answer.response.end();
    },
    status: 'truncated',
    group: 'Note',
    expectedTexts: ['The answer may be incomplete', 'without a finish reason'],
    receivedText: 'Some words',
  },
  {
    name: 'a connection reset before the headers',
    script: (answer) => answer.breakConnection(),
    status: 'failed',
    group: 'Error',
    expectedTexts: ['Could not reach the gateway', '502', 'gateway_unreachable'],
  },
  {
    name: 'bytes that are not HTTP',
    script: (answer) => {
      answer.writeBytes('SSH-2.0-OpenSSH_9\r\n');
      answer.response.socket?.end();
    },
    status: 'failed',
    group: 'Error',
    expectedTexts: ['502', 'gateway_unreachable', 'not valid HTTP'],
  },
  {
    name: 'silence before the headers',
    script: () => undefined,
    status: 'failed',
    group: 'Error',
    expectedTexts: ['did not respond in time', 'gateway_timeout', '504'],
    settings: { GATEWAY_HEADERS_TIMEOUT_MS: '300' },
  },
  {
    name: 'silence in the middle of a stream',
    script: (answer) => answer.sendText('Some words'),
    status: 'truncated',
    group: 'Error',
    expectedTexts: ['The connection dropped', '1 token was saved'],
    receivedText: 'Some words',
    settings: { GATEWAY_IDLE_TIMEOUT_MS: '300' },
  },
  {
    name: 'a web page with status 200',
    script: (answer) =>
      answer.sendBody(200, '<!doctype html><title>Sign in</title><body>Sign in</body>', {
        'content-type': 'text/html',
      }),
    status: 'failed',
    group: 'Error',
    expectedTexts: ['Unexpected response', 'Sign in'],
  },
  {
    name: 'a redirect',
    script: (answer) => answer.sendBody(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    status: 'failed',
    group: 'Error',
    expectedTexts: ['returned a redirect', 'gateway_redirected'],
  },
  {
    name: 'a connection that breaks after the finish reason',
    script: async (answer, textVisible) => {
      answer.sendText('Some words');
      answer.sendFinishReason();
      await textVisible;
      answer.breakConnection();
    },
    status: 'complete',
    expectedTexts: ['The connection was lost after the answer was complete'],
    receivedText: 'Some words',
  },
  {
    name: 'a complete response with its text in an unknown field',
    script: (answer) =>
      answer.sendJson(200, {
        choices: [{ message: { content: 'Some words', utterance: 'Bonjour' }, finish_reason: 'stop' }],
      }),
    status: 'complete',
    expectedTexts: ['Bonjour'],
    receivedText: 'Some words',
  },
  {
    name: 'reasoning that uses up the token limit',
    script: (answer) => {
      answer.sendDelta({ reasoning_content: 'hmm' });
      answer.sendFinishReason('length');
      answer.sendDone();
    },
    status: 'complete',
    group: 'Note',
    expectedTexts: [/Reasoning .*1 token/, 'No answer: reasoning used up the token limit'],
  },
  {
    name: 'a content filter',
    script: (answer) => {
      answer.sendText('Some words');
      answer.sendFinishReason('content_filter');
      answer.sendDone();
    },
    status: 'complete',
    group: 'Note',
    expectedTexts: ['The provider blocked this answer', 'content_filter'],
    receivedText: 'Some words',
  },
  {
    name: 'a refusal',
    script: (answer) => {
      answer.sendDelta({ refusal: 'I will not.' });
      answer.sendFinishReason();
      answer.sendDone();
    },
    status: 'complete',
    expectedTexts: ['Refused', 'I will not.'],
  },
  {
    name: 'a JSON answer nested 20,000 levels deep',
    script: (answer) => answer.sendAnswer(createNestedJson(20_000)),
    status: 'complete',
    expectedTexts: ['Valid JSON', '1 field'],
    receivedText: createNestedJson(20_000),
  },
  {
    name: 'tool arguments nested 3,000 levels deep',
    script: (answer) => {
      answer.sendToolCall(0, 'A', 'dig', createNestedJson(3000));
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    },
    status: 'complete',
    expectedTexts: ['dig', 'Needs a result'],
  },
];

const listEndingGroups = (reply: HTMLElement) =>
  within(reply)
    .queryAllByRole('group', { name: /^(?:Error|Note)$/ })
    .map((group) => group.getAttribute('aria-label'));

describe('ending of an answer', () => {
  for (const { name, script, status, expectedTexts, group, receivedText = '', settings = {} } of rows)
    it(`shows the ending after ${name}, keeps it after a reload and replaces it on a retry`, async () => {
      const gate = createGate();
      const { bench, gateway } = await createConversation((answer) => script(answer, gate.opened), {
        settings,
      });
      const sendPromise = sendAndWait(bench, 'Question');
      await waitUntil(() => getLaneTurns(bench).length === 1);
      await waitUntil(() => getAnswerText(getTurnRun(bench).choices[0]) === receivedText);
      gate.open();
      await sendPromise;
      const reloadedBench = await reloadPage(bench);
      for (const tab of [bench, reloadedBench]) {
        const reply = renderReply(tab);
        const { text } = reply;
        expect(reply.status).toBe(status);
        expect(listEndingGroups(reply.element)).toEqual(group === undefined ? [] : [group]);
        if (status !== 'complete') expect(text).toContain('Retry');
        for (const expectedText of expectedTexts) expect(text).toMatch(expectedText);
        expect(getAnswerText(getTurnRun(tab).choices[0]) === receivedText).toBe(true);
        for (const forbiddenText of ['undefined', '[object Object]', 'could not be displayed', canaryKey])
          expect(text).not.toContain(forbiddenText);
      }
      expect(gateway.posts, 'nothing is retried automatically').toHaveLength(1);

      gateway.setChatScript((answer) => answer.sendAnswer('All is well again'));
      await reloadedBench.actions.regenerate([getLaneTurn(reloadedBench).id]);
      const reply = renderReply(reloadedBench);
      expect(reply.status).toBe('complete');
      expect(listEndingGroups(reply.element)).toEqual([]);
      expect(reply.text).toContain('All is well again');
      expect(reply.text).toContain('2 of 2');
      expect(getRequestMessages(gateway)).toEqual([{ role: 'user', content: 'Question' }]);
    });
});

it('counts down on the Retry button after a 429 and sends nothing automatically', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const error = { message: 'Rate limit reached', type: 'rate_limit_exceeded', code: '429' };
  const { bench, gateway } = await createConversation(
    (answer) => answer.sendJson(429, { error }, { 'retry-after': '30' }),
    {
      environment: { now: () => Date.now(), newId: createTestEnvironment().newId },
    },
  );
  const isRetryDisabled = () =>
    within(renderReply(bench).element).getByRole('button', { name: 'Retry' }).matches('[aria-disabled=true]');
  await sendAndWait(bench, 'Question');
  vi.advanceTimersByTime(Math.ceil(getTurnRun(bench).endedMs ?? 0));
  expect(renderReplies(bench)[0]?.text).toContain('Rate limit reached');
  expect(renderReplies(bench)[0]?.text).toContain('Retry in 30 s');
  expect(isRetryDisabled()).toBe(true);
  vi.advanceTimersByTime(20_000);
  expect(renderReplies(bench)[0]?.text).toContain('Retry in 10 s');
  vi.advanceTimersByTime(10_000);
  expect(renderReplies(bench)[0]?.text).not.toContain('Retry in');
  expect(isRetryDisabled()).toBe(false);
  expect(gateway.posts).toHaveLength(1);
});

it('omits a failed answer from the next request', async () => {
  const { bench, gateway } = await createConversation((answer) =>
    answer.sendJson(500, { error: { message: 'broken', type: 'server_error', code: '500' } }),
  );
  await sendAndWait(bench, 'First');
  gateway.setChatScript((answer) => answer.sendAnswer('Works'));
  await sendAndWait(bench, 'Second');
  expect(getRequestMessages(gateway)).toEqual([
    { role: 'user', content: 'First' },
    { role: 'user', content: 'Second' },
  ]);
});

it('reports an answer cut off at max_tokens and offers twice the limit', async () => {
  const { bench, gateway } = await createConversation((answer) => {
    answer.sendText('Only the beg');
    answer.sendFinishReason('length');
    answer.sendDone();
  });
  configureLane(bench, { fields: { max_tokens: '600' } });
  await sendAndWait(bench, 'Go');
  const reply = renderReply(bench);
  expect(reply.status).toBe('complete');
  expect(reply.text).toContain('Cut off at max_tokens 600');
  expect(reply?.text).toContain('Raise to 1,200 and retry');
  await bench.actions.retryWithHigherLimit(getLaneTurn(bench).id, 1200);
  expect(gateway.posts.map(({ body }) => body['max_tokens'])).toEqual([600, 1200]);
  expect(Object.values(bench.getOpenSession().lanes)[0]?.setup.params.max_tokens).toEqual({
    sent: true,
    text: '1200',
  });
});

it('sends no byte of the key to the browser even if the gateway echoes the key', async () => {
  const receivedTexts: string[] = [];
  const recordingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    receivedTexts.push(JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  };
  const { bench, gateway } = await createConversation(
    (answer, { headers }) => {
      const message = `Bad key ${headers.authorization}`;
      answer.sendJson(
        401,
        { error: { message, type: 'invalid_api_key', code: '401' } },
        { 'x-key': message },
      );
    },
    { settings: { GATEWAY_API_KEY: canaryKey }, fetch: recordingFetch },
  );
  await sendAndWait(bench, 'Go');
  await bench.waitUntilSaved();
  expect(gateway.posts[0]?.headers.authorization).toContain(canaryKey);
  const replies = renderReplies(bench);
  expect(replies[0]?.text).toContain('rejected the key');
  expect(receivedTexts.join()).toContain('Bad key');
  const runId = getTurnRun(bench).id;
  const storedRecords = [
    await bench.records.readSession(bench.getOpenSession().session.id),
    await bench.records.readTape(runId),
  ];
  const allData = JSON.stringify([
    receivedTexts,
    replies,
    storedRecords,
    [...bench.browser.storedItems],
    bench.server.log,
  ]);
  expect(allData).not.toContain('canary');
});
