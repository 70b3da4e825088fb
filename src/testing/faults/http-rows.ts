/** Statuses, redirects, hostile headers and bodies that the rows of the unit tests do not hold (F12, F63 to F85). */
import type { FaultRow } from './fault-row.ts';
import { said, wholeAnswer } from './fault-row.ts';

const json = 'application/json';
const errorBody = (error: object) => JSON.stringify({ error });
const empty = (status: number): FaultRow => ({
  name: `F12 status ${status} with nothing`,
  answer: { status, framing: status === 204 ? 'close' : 0, body: [], contentType: null },
  outcome: {
    status: 'failed',
    group: 'Error',
    says: ['sent an empty answer'],
    text: {},
    error: { source: 'gateway', kind: 'no-answer' },
  },
});
const redirect = (status: number, location: string, host: string): FaultRow => ({
  name: `F76 ${status} to ${location}`,
  answer: { status, headers: { location }, framing: 0, body: [], contentType: null },
  outcome: {
    status: 'failed',
    group: 'Error',
    says: ['sent a redirect', 'gateway_redirected', '502', host],
    text: {},
    error: { source: 'proxy', kind: 'redirected', status: 502 },
  },
});
const withId = (name: string, value: string): FaultRow => ({
  name: `F85 the request id in ${name}`,
  answer: {
    status: 500,
    contentType: json,
    headers: { [name]: value },
    body: [errorBody({ message: 'broken' })],
  },
  outcome: { status: 'failed', group: 'Error', says: ['broken', value], error: { requestId: value } },
});

/** With what would open a dialog, or have the browser ask again. */
const actedUpon = (status: number, headers: Record<string, string>): FaultRow => ({
  name: `a browser acts upon ${status} by itself`,
  answer: { status, contentType: json, headers, body: [errorBody({ message: 'not this way' })] },
  outcome: {
    status: 'failed',
    group: 'Error',
    says: [String(status), 'not this way'],
    text: {},
    error: { source: 'gateway', status },
  },
});

export const httpFaultRows: FaultRow[] = [
  actedUpon(401, { 'www-authenticate': 'Basic realm="gateway"' }),
  actedUpon(407, { 'proxy-authenticate': 'Basic realm="gateway"' }),
  actedUpon(408, { connection: 'close' }),
  actedUpon(421, {}),
  empty(204),
  empty(205),
  empty(210),
  empty(299),
  {
    name: 'F12 status 404 with a stream that says nothing of an error',
    answer: { status: 404, body: [wholeAnswer] },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['404'],
      text: {},
      error: { kind: 'not-found', status: 404 },
    },
  },
  {
    name: 'F12 type with an empty parameter',
    answer: { contentType: 'text/event-stream;', body: [wholeAnswer] },
    outcome: { status: 'complete', group: 'none', text: { 0: 'Hello' }, notes: {} },
  },
  redirect(301, 'https://elsewhere.example/v1', 'elsewhere.example'),
  redirect(302, 'http://127.0.0.1:1/canary', '127.0.0.1:1'),
  redirect(303, '//evil.example/x', 'evil.example'),
  redirect(307, 'http://evil.example:81/x', 'evil.example:81'),
  redirect(308, 'not an address ::', 'Redirects are not followed'),
  {
    name: 'F63 a rejected key, said with the key itself',
    answer: {
      status: 401,
      contentType: json,
      body: [
        errorBody({
          message: 'Incorrect API key provided: fk-canary-7f3a9c51e2b84d60.',
          type: 'invalid_api_key',
          code: '401',
        }),
      ],
    },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: [
        'does not accept this key',
        'GATEWAY_API_KEY',
        'Incorrect API key provided: [redacted].',
        'invalid_api_key',
        '401',
      ],
      never: ['fk-canary'],
      text: {},
      error: { kind: 'key-rejected' },
    },
  },
  {
    name: 'F71 a request that is too large for the gateway: its size is shown',
    answer: {
      status: 413,
      contentType: 'text/html',
      body: ['<html><body><h1>413 Request Entity Too Large</h1></body></html>'],
    },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['The request is too large', '413 Request Entity Too Large', /It was [\d.,]+ K?B\b/],
      text: {},
      error: { kind: 'too-large' },
    },
  },
  {
    name: 'F73 429 with nothing: a short wait of our own',
    answer: {
      status: 429,
      contentType: json,
      body: [errorBody({ message: 'slow down', type: 'rate_limit_exceeded', code: '429' })],
    },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['Rate limit reached', 'slow down', 'Nothing is sent again unless you ask'],
      text: {},
      error: { kind: 'rate-limited' },
    },
  },
  {
    name: 'F73 only x-ratelimit-reset-requests: six minutes',
    answer: {
      status: 429,
      contentType: json,
      headers: { 'x-ratelimit-reset-requests': '6m0s' },
      body: [errorBody({ message: 'slow down' })],
    },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: [/wait 3[56]\d s more/],
      error: { retryAfterMs: 360_000 },
    },
  },
  {
    name: 'F79 ten megabytes of error: the first 64 KB are enough',
    answer: { status: 500, contentType: 'text/plain', body: [{ repeat: 'out of memory ', times: 750_000 }] },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['out of memory'],
      text: {},
      error: { kind: 'failed', status: 500 },
    },
  },
  {
    name: 'F80 an error that would be script, terminal codes, the key and one line of 100 KB',
    answer: {
      status: 500,
      contentType: json,
      body: [
        errorBody({
          type: '<b>type</b>',
          code: '__proto__',
          message: `<script>sentinel()</script>\u001B[31mred fk-canary-7f3a9c51e2b84d60 ${'long'.repeat(25_000)}`,
        }),
      ],
    },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['<script>sentinel()</script>', '[redacted]', '<b>type</b>', '__proto__'],
      never: ['fk-canary'],
      text: {},
    },
  },
  {
    name: 'F81 headers that a browser would obey',
    answer: {
      headers: [
        ['set-cookie', 'stolen=1; Path=/'],
        ['clear-site-data', '"*"'],
        ['refresh', '0; url=https://evil.example/'],
        ['strict-transport-security', 'max-age=31536000'],
        ['link', '<https://evil.example/x.js>; rel=preload; as=script'],
        ['access-control-allow-origin', '*'],
        ['content-security-policy', "default-src 'none'"],
        ['alt-svc', 'h3=":443"'],
      ],
      body: [wholeAnswer],
    },
    outcome: { status: 'complete', group: 'none', text: { 0: 'Hello' }, says: ['Hello'] },
  },
  {
    name: 'F82 more headers than an answer may have',
    answer: { headers: { 'x-long': 'y'.repeat(20_000) }, body: [wholeAnswer] },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['502', 'gateway_unreachable', 'its headers are too large'],
      text: {},
      error: { source: 'proxy', kind: 'unreadable' },
    },
  },
  withId('x-request-id', 'up-1'),
  withId('x-generation-id', 'gen-2'),
  withId('x-litellm-call-id', 'litellm-3'),
  withId('cf-ray', '8abc-FRA'),
  {
    name: 'an error page with a status that does not exist',
    answer: { status: 799, contentType: 'text/html', body: ['<h1>799</h1>'] },
    outcome: { status: 'failed', group: 'Error', says: ['502', '799'], text: {}, error: { source: 'proxy' } },
  },
  {
    name: 'F77 an error as JSON under 200, flat',
    answer: {
      contentType: json,
      body: ['{"object":"error","message":"no such model","type":"NotFoundError","code":404}'],
    },
    outcome: { status: 'failed', group: 'Error', says: ['no such model', 'NotFoundError', '404'], text: {} },
  },
  {
    name: 'F44 an error after text in the same packet keeps the text',
    answer: {
      body: [
        said.role +
          said.text('kept') +
          said.event({ object: 'error', message: 'died', type: 'x', code: 500 }),
      ],
    },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['kept', 'died', 'received'],
      text: { 0: 'kept' },
    },
  },
];
