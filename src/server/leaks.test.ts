/** faults.md T2: the places where a gateway can repeat the key so that a plain search misses it. */
import { afterEach, expect, it } from 'vitest';

import { chunk, LAST_CHUNK, scriptedGateway, STREAM_HEAD, wholeAnswer } from './testing/scripted-gateway.ts';
import { servedPlayground } from './testing/served-playground.ts';

const KEY = 'fk-Secret/12+3';
const CHAT = '/gateway/v1/chat/completions';
const running: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** Everything a visitor can see of an answer, and the log. */
async function seen(answer: string | string[], key = KEY): Promise<string> {
  const gateway = await scriptedGateway(({ socket }) => {
    const pieces = [answer].flat();
    const next = () => {
      const piece = pieces.shift();
      if (piece !== undefined) socket.write(piece, () => setImmediate(next));
    };
    next();
  });
  const playground = await servedPlayground({
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: key,
    GATEWAY_EXTRA_HEADERS: '{"x-other-key":"other-secret-9"}',
  });
  running.push(playground, gateway);
  const response = await playground.post(CHAT, {});
  const head = JSON.stringify([...response.headers]);
  return `${response.status} ${head} ${await response.text()} ${playground.log.join('\n')}`;
}

it.each([
  ['as it is', 'Key-Secret-123', 'https://Key-Secret-123.example.com/x'],
  ['with escapes', 'Key-Secret-123', 'https://key%2dsecret%2D123.example.com/x'],
  ['in small letters', 'fk-secret-123', 'https://fk-secret-123.example.com/x'],
])('the key %s as the host of a redirect is not named', async (_name, key, location) => {
  const text = await seen(wholeAnswer('302 Found', `location: ${location}\r\n`, ''), key);
  expect(text).toContain('redirected to [redacted].example.com.');
  expect(text.toLowerCase()).not.toContain('secret');
});

it('headers with a secret in their name are left out, others stay', async () => {
  const names = ['x-Key-Secret-123', 'x-ratelimit-key-secret-123', 'x-other-secret-9-a'];
  const lines = names.map((name) => `${name}: 1\r\n`).join('');
  const text = await seen(wholeAnswer('200 OK', `${lines}x-harmless: 1\r\n`, '{}'), 'Key-Secret-123');
  expect(text).toContain('x-harmless');
  expect(text).not.toMatch(/secret/i);
});

it('an encoding that is named like the key is not repeated', async () => {
  const text = await seen(
    wholeAnswer('200 OK', 'content-encoding: a-long-encoding-key-secret-123\r\n', '{}'),
    'Key-Secret-123',
  );
  expect(text).toContain('[redacted]');
  expect(text).not.toContain('key-secr');
});

it.each([
  ['with its signs as JSON escapes', String.raw`fk\u002dSecret\u002f12\u002b3`],
  ['with an escaped slash', String.raw`fk-Secret\/12+3`],
  [
    'with all of it as JSON escapes',
    String.raw`\u0066\u006b\u002d\u0053\u0065\u0063\u0072\u0065\u0074\u002F\u0031\u0032\u002B\u0033`,
  ],
  ['with escapes that are escaped', String.raw`fk\\u002dSecret\\u002f12\\u002b3`],
  ['as part of an address', 'fk-Secret%2f12%2b3'],
  ['as an attribute of HTML', 'fk-Secret&#x2F;12+3'],
  ['in base64', Buffer.from(KEY).toString('base64').slice(0, -2)],
  ['in base64 behind a scheme', Buffer.from(`Basic ${KEY}`).toString('base64').slice(8, -2)],
  ['in hexadecimal digits', Buffer.from(KEY).toString('hex')],
  ['as another header has it', String.raw`other\u002dsecret\u002d9`],
])('the secret echoed %s reaches nobody, in an error, a header and a stream', async (_name, echo) => {
  const body = `{"error":{"message":"Bad key ${echo}!"}}`;
  const error = await seen(wholeAnswer('401 No', `x-debug: ${echo}\r\n`, body));
  expect(error).toContain('Bad key [redacted]!');
  expect(error.toLowerCase()).not.toMatch(/secret|ecret/);

  const event = `data: {"a":"${echo}"}\n\n`;
  const stream = await seen([STREAM_HEAD, ...event.split('').map(chunk), LAST_CHUNK]);
  expect(stream).toContain('data: {"a":"[redacted]"}');
  expect(stream.toLowerCase()).not.toMatch(/secret|ecret/);
});
