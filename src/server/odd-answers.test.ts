/** Answers that came, but not as they should: read where that can be done, else named as what they are. */
import type { Socket } from 'node:net';
import {
  brotliCompressSync,
  createDeflateRaw,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';

import { afterEach, describe, expect, it } from 'vitest';

import { aGate } from '../testing/builders.ts';
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

/** Writes the bytes in packets of `size` each, then closes. */
function inPackets(socket: Socket, bytes: Buffer, size: number): void {
  socket.setNoDelay();
  let at = 0;
  const next = () => {
    if (at >= bytes.length) return void socket.end();
    socket.write(bytes.subarray(at, (at += size)), () => setImmediate(next));
  };
  next();
}

/** The body in packets of `size` bytes. */
function encoded(encoding: string, bytes: Buffer, size = bytes.length): Promise<Response> {
  return answerTo(({ socket }) => {
    socket.write(head(encoding));
    inPackets(socket, bytes, size);
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
    ['identity, said twice', 'identity, identity', Buffer.from(TEXT)],
    ['identity beside gzip', 'identity,gzip', gzipSync(TEXT)],
    ['gzip twice', 'gzip, gzip', gzipSync(gzipSync(TEXT))],
    ['gzip once, said twice', 'gzip, gzip', gzipSync(TEXT)],
    ['gzip three times', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(TEXT)))],
    ['gzip in brotli', 'gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['plain text as zstd', 'zstd', Buffer.from(TEXT)],
    ['plain text as a character set', 'UTF-8', Buffer.from(TEXT)],
    ['gzip under a name of its own', 'compressed', gzipSync(TEXT)],
  ])('%s is read as what it is', async (_name, encoding, bytes) => {
    expect(await (await encoded(encoding, bytes)).text()).toBe(TEXT);
    expect(await (await encoded(encoding, bytes, 1)).text()).toBe(TEXT);
  });

  it('gzip is known where nobody names it', async () => {
    for (const size of [1, 1000]) {
      const bytes = gzipSync(TEXT);
      const response = await answerTo(({ socket }) => {
        socket.setNoDelay();
        socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
        let at = 0;
        const next = () => {
          if (at >= bytes.length) return void socket.end();
          socket.write(bytes.subarray(at, (at += size)), () => setImmediate(next));
        };
        next();
      });
      expect(await response.text()).toBe(TEXT);
    }
  });

  it('is shown among the headers', async () => {
    const { headers } = await encoded('GZIP', gzipSync(TEXT));
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('x-gateway-headers')).toContain('"content-encoding":"GZIP"');
  });

  it.each(['gzip', 'deflate', 'br'])('%s may be of a short body, or of none', async (encoding) => {
    for (const text of ['', 'x', 'hi'])
      expect(await (await encoded(encoding, Buffer.from(text))).text()).toBe(text);
  });

  it('text that begins as gzip does is read whole', async () => {
    expect(await (await encoded('gzip', Buffer.from('\u001Ftext'), 1)).text()).toBe('\u001Ftext');
  });

  it.each([
    ['gzip', Buffer.of(0x1f)],
    ['deflate', Buffer.of(0x80)],
  ])('%s of which only the first byte came is broken, and no text', async (encoding, bytes) => {
    await expect((await encoded(encoding, bytes)).text()).rejects.toThrow('terminated');
  });

  it('a stream passes each event on as it arrives, also where nothing is compressed or no header is there', async () => {
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
    socket.end(bytes, 'latin1');
  });
  expect(response.status).toBe(502);
  return response.text();
}

describe('an answer that cannot be read', () => {
  it.each([
    [
      'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 6\r\n\r\n(\u00b5/\u00fd\u0000\u0001',
      'status 200 and is in the encoding \\"zstd\\"',
    ],
    [
      'HTTP/1.1 503 No\r\ncontent-encoding: odd\r\ncontent-length: 1\r\n\r\n\u0000',
      'status 503 and is in the encoding \\"odd\\"',
    ],
    [
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip, gzip, gzip\r\ncontent-length: 1\r\n\r\nx',
      'the encoding \\"gzip, gzip, gzip, gzip\\"',
    ],
    ['HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n', '600 is not an HTTP status'],
    ['SSH-2.0-OpenSSH\r\n', 'it is not valid HTTP'],
    [
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      'it gives a wrong length or two lengths',
    ],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'it is not valid HTTP',
    ],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'its headers are too large'],
    ['HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\n{}', 'one of its header lines is folded'],
    ['HTTP/1.1 200 OK\r\nx: a;\r\n\tb\r\n\r\n', 'one of its header lines is folded'],
    ['HTTP/1.1 200 OK\r\n x: a\r\n\r\n', 'one of its header lines is folded'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: a\r\n b\r\n\r\n{}', 'or folds a header line'],
    [
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
      '100 Continue\\", which was not',
    ],
    ['HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'changed to another protocol (101)'],
    ['HTTP/1.1 101 Go\r\n\r\n', 'changed to another protocol (101)'],
  ])('is said to have come (%#)', async (bytes, words) => {
    const text = await errorText(bytes);
    expect(text).toContain('"type":"gateway_unreachable"');
    expect(text).toMatch(/The gateway at 127\.0\.0\.1:\d+ answered, but its answer cannot be read: /);
    expect(text).toContain(words);
    expect(text).not.toContain('could not be reached');
  });
});

describe('interim answers', () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n';

  it('never cost the real one, however many there are', async () => {
    for (const count of [1, 50]) {
      const response = await answerTo(({ socket }) => {
        socket.write(interim.repeat(count) + wholeAnswer('200 OK', 'x-real: 1\r\n', '{"real":true}'));
      });
      expect([response.status, await response.json()]).toEqual([200, { real: true }]);
      expect(response.headers.get('x-gateway-headers')).toBe('{"x-real":"1"}');
    }
  });

  it.each([102, 103, 104, 199])(
    'of status %d never cost it, however they are cut into packets',
    async (status) => {
      const bytes =
        `HTTP/1.1 ${status} Odd\r\nlink: </x>\r\n\r\n`.repeat(2) + wholeAnswer('200 OK', '', '{"real":true}');
      const response = await answerTo(({ socket }) => inPackets(socket, Buffer.from(bytes), 1));
      expect([response.status, await response.json()]).toEqual([200, { real: true }]);
    },
  );

  it('may be followed by an answer at any time, where none is set for it', async () => {
    const late = aGate();
    const gateway = await scriptedGateway(({ head: asked, socket }) => {
      const answer = () => socket.write(wholeAnswer('200 OK', '', '{"real":true}'));
      if (asked.startsWith('GET')) return void answer();
      socket.write(interim);
      void late.opened.then(answer);
    });
    const playground = await servedPlayground({
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_HEADERS_TIMEOUT_MS: '0',
    });
    running.push(playground, gateway);
    const answer = playground.post(CHAT, {});
    for (let asked = 0; asked < 3; asked += 1) await playground.get('/gateway/v1/models');
    late.open();
    expect(await (await answer).json()).toEqual({ real: true });
  });

  it('without end are not an answer: the time for one goes on', async () => {
    const gateway = await scriptedGateway(({ socket }) => {
      const next = () => {
        if (!socket.destroyed) socket.write(interim, () => setImmediate(next));
      };
      next();
    });
    const playground = await servedPlayground({
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_HEADERS_TIMEOUT_MS: '50',
    });
    running.push(playground, gateway);
    const response = await playground.post(CHAT, {});
    expect(response.status).toBe(504);
    expect(await response.text()).toContain('did not start to answer within 0.05 s');
    await gateway.requests[0]?.closed;
  });
});

describe('a redirect that names no place', () => {
  it.each([300, 301, 305, 399])('%d is not said to lead anywhere', async (status) => {
    const text = await errorText(wholeAnswer(`${status} Odd`, '', ''));
    expect(text).toContain(`answered with the redirect status ${status} but named no address. Redirects are`);
    expect(text).toContain('"type":"gateway_redirected"');
  });

  it('is told from one whose place is not an address', async () => {
    const text = await errorText(wholeAnswer('302 Found', 'location: http://:x/\r\n', ''));
    expect(text).toContain('redirected to an unknown place');
  });
});
