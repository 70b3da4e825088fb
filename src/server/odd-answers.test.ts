/** Answers that came, but not as they should: read where that can be done, else named as what they are. */
import {
  brotliCompressSync,
  createDeflateRaw,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';

import { afterEach, describe, expect, it } from 'vitest';

import { scriptedGateway, wholeAnswer } from './testing/scripted-gateway.ts';
import type { ScriptedRequest } from './testing/scripted-gateway.ts';
import { servedPlayground } from './testing/served-playground.ts';

const CHAT = '/gateway/v1/chat/completions';
const KEY = 'fk-canary-0123456789';
const running: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function answerTo(answer: (request: ScriptedRequest) => void): Promise<Response> {
  const gateway = await scriptedGateway(answer);
  const playground = await servedPlayground({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: KEY });
  running.push(playground, gateway);
  return playground.post(CHAT, {});
}

const head = (encoding: string) =>
  `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\nconnection: close\r\n\r\n`;

/** The body in packets of `size` bytes. */
function encoded(encoding: string, bytes: Buffer, size = bytes.length): Promise<Response> {
  return answerTo(({ socket }) => {
    socket.setNoDelay();
    socket.write(head(encoding));
    let at = 0;
    const next = () => {
      if (at >= bytes.length) return void socket.end();
      socket.write(bytes.subarray(at, (at += size)), () => setImmediate(next));
    };
    next();
  });
}

const TEXT = `data: {"a":"é漢 ${'x'.repeat(50)}"}\n\n`;

describe('an encoding that is not what it is called', () => {
  it.each([
    ['identity in other letters', 'Identity', Buffer.from(TEXT)],
    ['identity between spaces', ' IDENTITY ', Buffer.from(TEXT)],
    ['gzip in other letters', 'GZip', gzipSync(TEXT)],
    ['plain text as gzip', 'gzip', Buffer.from(TEXT)],
    ['plain text as x-gzip', 'x-gzip', Buffer.from(TEXT)],
    ['deflate with its header', 'deflate', deflateSync(TEXT)],
    ['deflate with the header of another level', 'deflate', deflateSync(TEXT, { level: 1 })],
    ['deflate without its header', 'deflate', deflateRawSync(TEXT)],
    ['plain text as deflate', 'deflate', Buffer.from(TEXT)],
    ['brotli', 'br', brotliCompressSync(TEXT)],
    ['plain text as brotli', 'br', Buffer.from(TEXT)],
  ])('%s is read as what it is', async (_name, encoding, bytes) => {
    expect(await (await encoded(encoding, bytes)).text()).toBe(TEXT);
    expect(await (await encoded(encoding, bytes, 1)).text()).toBe(TEXT);
  });

  it.each(['gzip', 'deflate', 'br'])('%s may be of a short body, or of none', async (encoding) => {
    for (const text of ['', 'x', 'hi'])
      expect(await (await encoded(encoding, Buffer.from(text))).text()).toBe(text);
  });

  it('a stream passes each event on as it comes, also where nothing is compressed or no header is there', async () => {
    for (const encoding of ['gzip', 'deflate']) {
      const raw = createDeflateRaw();
      let sendNext: (text: string) => void = () => undefined;
      const response = await answerTo(({ socket }) => {
        socket.write(head(encoding));
        raw.on('data', (bytes: Buffer) => socket.write(bytes));
        sendNext = (text) => {
          if (encoding === 'gzip') return void socket.write(text);
          raw.write(text);
          raw.flush(constants.Z_SYNC_FLUSH);
        };
      });
      const reader = response.body?.getReader();
      for (let count = 0; count < 20; count += 1) {
        sendNext(`data: ${count} ${KEY}\n\n`);
        const { value } = (await reader?.read()) ?? {};
        expect(Buffer.from(value ?? []).toString()).toBe(`data: ${count} [redacted]\n\n`);
      }
      await reader?.cancel();
    }
  });
});

async function errorText(bytes: string): Promise<string> {
  const response = await answerTo(({ socket }) => {
    socket.end(bytes);
  });
  expect(response.status).toBe(502);
  return response.text();
}

describe('an answer that can not be read', () => {
  it.each([
    [
      'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 1\r\n\r\nx',
      'status 200 and is in the encoding \\"zstd\\"',
    ],
    [
      'HTTP/1.1 503 No\r\ncontent-encoding: utf-8\r\ncontent-length: 1\r\n\r\nx',
      'status 503 and is in the encoding \\"utf-8\\"',
    ],
    [
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: 1\r\n\r\nx',
      'the encoding \\"gzip, gzip\\"',
    ],
    ['HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n', '600 is no HTTP status'],
    ['SSH-2.0-OpenSSH\r\n', 'it is not valid HTTP'],
    [
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      'it names its length in two ways',
    ],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'it is not valid HTTP',
    ],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'its headers are too large'],
  ])('is said to have come (%#)', async (bytes, words) => {
    const text = await errorText(bytes);
    expect(text).toContain('"type":"gateway_unreachable"');
    expect(text).toMatch(/The gateway at 127\.0\.0\.1:\d+ answered, but its answer can not be read: /);
    expect(text).toContain(words);
    expect(text).not.toContain('could not be reached');
  });
});

describe('a redirect that names no place', () => {
  it.each([300, 301, 305, 399])('%d is not said to lead anywhere', async (status) => {
    const text = await errorText(wholeAnswer(`${status} Odd`, '', ''));
    expect(text).toContain(
      `answered with the redirect status ${status} and did not say where to. Redirects are`,
    );
    expect(text).toContain('"type":"gateway_redirected"');
  });

  it('is told from one whose place is no address', async () => {
    const text = await errorText(wholeAnswer('302 Found', 'location: http://:x/\r\n', ''));
    expect(text).toContain('redirected to an unknown place');
  });
});
