/** Unusual responses are read if possible and otherwise described. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createGate } from '../testing/builders.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { formatWholeResponse } from './testing/raw-gateway.ts';
import type { RawGatewayRequest } from './testing/raw-gateway.ts';
import { startWithGateway } from './testing/test-playground.ts';

const CHAT_PATH = '/gateway/v1/chat/completions';

async function fetchFromGateway(respond: (request: RawGatewayRequest) => void): Promise<Response> {
  const { playground } = await startWithGateway(respond);
  return playground.post(CHAT_PATH, {});
}

/** Writes the bytes in packets of `size` bytes, then closes. */
function sendInPackets(socket: Socket, bytes: Buffer, size: number): void {
  socket.setNoDelay();
  let offset = 0;
  const sendNext = () => {
    if (offset >= bytes.length) return void socket.end();
    socket.write(bytes.subarray(offset, (offset += size)), () => setImmediate(sendNext));
  };
  sendNext();
}

it('includes the content encoding in the packed gateway headers', async () => {
  const bytes = gzipSync('text');
  const { headers } = await fetchFromGateway(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: GZIP\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes);
  });
  expect(headers.get('content-encoding')).toBeNull();
  expect(headers.get('x-gateway-headers')).toContain('"content-encoding":"GZIP"');
});

async function fetchErrorText(bytes: string): Promise<string> {
  const response = await fetchFromGateway(({ socket }) => {
    socket.end(bytes, 'latin1');
  });
  expect(response.status).toBe(502);
  return response.text();
}

describe('unreadable response', () => {
  it.each([
    [
      'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 6\r\n\r\n(\u00b5/\u00fd\u0000\u0001',
      'status 200 and uses the encoding \\"zstd\\"',
    ],
    [
      'HTTP/1.1 503 No\r\ncontent-encoding: odd\r\ncontent-length: 1\r\n\r\n\u0000',
      'status 503 and uses the encoding \\"odd\\"',
    ],
    [
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip, gzip, gzip\r\ncontent-length: 1\r\n\r\nx',
      'the encoding \\"gzip, gzip, gzip, gzip\\"',
    ],
    ['HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n', '600 is not an HTTP status'],
    ['SSH-2.0-OpenSSH\r\n', 'it is not valid HTTP'],
    [
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      'it has a wrong or duplicate length',
    ],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'it is not valid HTTP',
    ],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'its headers are too large'],
    ['HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\n{}', 'one of its header lines is folded'],
    ['HTTP/1.1 200 OK\r\nx: a;\r\n\tb\r\n\r\n', 'one of its header lines is folded'],
    ['HTTP/1.1 200 OK\r\n x: a\r\n\r\n', 'one of its header lines is folded'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: a\r\n b\r\n\r\n{}', 'or a folded header line'],
    [
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
      '100 Continue\\", which was not',
    ],
    ['HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'switched to another protocol (101)'],
    ['HTTP/1.1 101 Go\r\n\r\n', 'switched to another protocol (101)'],
  ])('reports that a response arrived but is unreadable (%#)', async (bytes, expectedText) => {
    const text = await fetchErrorText(bytes);
    expect(text).toContain('"type":"gateway_unreachable"');
    expect(text).toMatch(/The gateway at 127\.0\.0\.1:\d+ responded, but its response could not be read: /);
    expect(text).toContain(expectedText);
    expect(text).not.toContain('could not be reached');
  });
});

describe('interim responses', () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n';

  it('delivers the final response after any number of interim responses', async () => {
    for (const count of [1, 50]) {
      const response = await fetchFromGateway(({ socket }) => {
        socket.write(interim.repeat(count) + formatWholeResponse('200 OK', 'x-real: 1\r\n', '{"real":true}'));
      });
      expect([response.status, await response.json()]).toEqual([200, { real: true }]);
      expect(response.headers.get('x-gateway-headers')).toBe('{"x-real":"1"}');
    }
  });

  it.each([102, 103, 104, 199])(
    'delivers the real response after interim ones of status %d for every split into packets',
    async (status) => {
      const bytes =
        `HTTP/1.1 ${status} Odd\r\nlink: </x>\r\n\r\n`.repeat(2) +
        formatWholeResponse('200 OK', '', '{"real":true}');
      const response = await fetchFromGateway(({ socket }) => sendInPackets(socket, Buffer.from(bytes), 1));
      expect([response.status, await response.json()]).toEqual([200, { real: true }]);
    },
  );

  it('waits for the final response after interim responses if no timeout is set', async () => {
    const gate = createGate();
    const { playground } = await startWithGateway(
      ({ head: requestHead, socket }) => {
        const respond = () => socket.write(formatWholeResponse('200 OK', '', '{"real":true}'));
        if (requestHead.startsWith('GET')) return void respond();
        socket.write(interim);
        void gate.opened.then(respond);
      },
      { GATEWAY_HEADERS_TIMEOUT_MS: '0' },
    );
    const responsePromise = playground.post(CHAT_PATH, {});
    for (let count = 0; count < 3; count += 1) await playground.get('/gateway/v1/models');
    gate.open();
    expect(await (await responsePromise).json()).toEqual({ real: true });
  });

  it('times out if interim responses never end', async () => {
    const { gateway, playground } = await startWithGateway(
      ({ socket }) => {
        const sendInterim = () => {
          if (!socket.destroyed) socket.write(interim, () => setImmediate(sendInterim));
        };
        sendInterim();
      },
      { GATEWAY_HEADERS_TIMEOUT_MS: '50' },
    );
    const response = await playground.post(CHAT_PATH, {});
    expect(response.status).toBe(504);
    expect(await response.text()).toContain('did not start to respond within 0.05 s');
    await gateway.requests[0]?.closed;
  });
});

describe('redirect without a location', () => {
  it.each([300, 301, 305, 399])('describes a redirect with status %d and no location', async (status) => {
    const text = await fetchErrorText(formatWholeResponse(`${status} Odd`, '', ''));
    expect(text).toContain(`returned the redirect status ${status} without an address. Redirects are`);
    expect(text).toContain('"type":"gateway_redirected"');
  });

  it('distinguishes a missing redirect location from an invalid one', async () => {
    const text = await fetchErrorText(formatWholeResponse('302 Found', 'location: http://:x/\r\n', ''));
    expect(text).toContain('redirected to an unknown address');
  });
});

it('survives malformed and truncated responses', async () => {
  let responseBytes: Buffer = Buffer.alloc(0);
  const { playground } = await startWithGateway(({ socket }) => socket.end(responseBytes));
  const head = 'HTTP/1.1 200 OK\r\n';
  const parts = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.constantFrom(
      head,
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 999 Odd\r\n',
      'content-length: 5\r\n',
      'content-length: 7\r\n',
      'transfer-encoding: chunked\r\n',
      'content-encoding: gzip\r\n',
      'content-encoding: br, gzip\r\n',
      'x: a\r\n b\r\n',
      '__proto__: 1\r\n',
      '\r\n',
      '5\r\nhello\r\n',
      'ffffffff\r\n',
      '0\r\n\r\n',
      'data: {"a"\n\n',
      '\x1f\x8b\x08\0',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 8 }), fc.boolean(), async (pieces, hasHead) => {
      responseBytes = Buffer.from((hasHead ? head : '') + pieces.join(''), 'latin1');
      const response = await playground.post(CHAT_PATH, {});
      await response.text().catch(() => '');
      expect(response.status).toBeGreaterThanOrEqual(200);
    }),
    { numRuns: getCaseCount(100) },
  );
  expect((await playground.get('/playground/status')).status).toBe(200);
});
