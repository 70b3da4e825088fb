import { constants, createGzip } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { canaryKey } from '../testing/canary-key.ts';
import { waitForStableNumber } from '../testing/wait-until.ts';
import { STREAM_HEAD, formatChunk, LAST_CHUNK } from './testing/raw-gateway.ts';
import { startWithGateway } from './testing/test-playground.ts';

const CHAT_PATH = '/gateway/v1/chat/completions';

function createReader(response: Response) {
  if (response.body === null) throw new Error('no body');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? undefined : decoder.decode(value, { stream: true });
    },
    cancel: () => reader.cancel(),
  };
}

/** Returns all text until the end, and whether it ended cleanly. */
async function readAll(response: Response): Promise<{ text: string; isClean: boolean }> {
  const reader = createReader(response);
  let text = '';
  try {
    for (let piece = await reader.next(); piece !== undefined; piece = await reader.next()) text += piece;
    return { text, isClean: true };
  } catch {
    return { text, isClean: false };
  }
}

describe('streamed answer', () => {
  it('forwards the headers first and each event before the next one arrives', async () => {
    let sendNext: (text: string) => void = () => undefined;
    const { playground } = await startWithGateway(({ socket }) => {
      socket.write(STREAM_HEAD);
      sendNext = (text) => socket.write(formatChunk(text));
    });
    const response = await playground.post(CHAT_PATH, {});
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('content-encoding')).toBeNull();
    const reader = createReader(response);
    // The gateway sends the next event only after the client has received everything so far: buffering would hang here.
    for (let count = 0; count < 200; count += 1) {
      sendNext(`data: ${count}\n\n`);
      expect(await reader.next()).toBe(`data: ${count}\n\n`);
    }
    await reader.cancel();
  });

  it('forwards compressed events as they arrive, decompressed', async () => {
    const gzip = createGzip();
    let sendNext: (text: string) => void = () => undefined;
    const { playground } = await startWithGateway(({ socket }) => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n',
      );
      gzip.on('data', (bytes: Buffer) => socket.write(bytes));
      sendNext = (text) => {
        gzip.write(text);
        gzip.flush(constants.Z_SYNC_FLUSH);
      };
    });
    const response = await playground.post(CHAT_PATH, {});
    const reader = createReader(response);
    for (let count = 0; count < 20; count += 1) {
      sendNext(`data: ${count} ${canaryKey}\n\n`);
      expect(await reader.next()).toBe(`data: ${count} [redacted]\n\n`);
    }
    await reader.cancel();
  });

  it('forwards every byte, however the stream is split into packets', async () => {
    const text = Array.from(
      { length: 300 },
      (_, index) => `data: {"n":${index},"t":"é漢👩‍👩‍👧 fk-can"}\r\n\r\n`,
    ).join('');
    const { playground } = await startWithGateway(({ socket }) => {
      const bytes = Buffer.from(text);
      socket.write(STREAM_HEAD);
      for (let offset = 0; offset < bytes.length; offset += 7) {
        const piece = bytes.subarray(offset, offset + 7);
        socket.write(`${piece.length.toString(16)}\r\n`);
        socket.write(piece);
        socket.write('\r\n');
      }
      socket.write(LAST_CHUNK);
    });
    expect(await readAll(await playground.post(CHAT_PATH, {}))).toEqual({ text, isClean: true });
  });

  it("forwards every byte of a cut stream, then aborts the client's connection", async () => {
    const { playground } = await startWithGateway(({ socket }) => {
      socket.write(STREAM_HEAD + formatChunk(`data: a\n\ndata: fk-can`), () => socket.destroy());
    });
    expect(await readAll(await playground.post(CHAT_PATH, {}))).toEqual({
      text: 'data: a\n\ndata: fk-can',
      isClean: false,
    });
    await expect.poll(() => playground.log.join()).toMatch(/ 200 .* gateway-cut$/);
  });

  it("aborts the client's connection after a reset inside an event", async () => {
    const { gateway, playground } = await startWithGateway(({ socket }) => {
      socket.write(STREAM_HEAD + formatChunk('data: {"choi'));
    });
    const response = await playground.post(CHAT_PATH, {});
    // A reset also discards data that has not been read yet.
    const reader = createReader(response);
    expect(await reader.next()).toBe('data: {"choi');
    gateway.requests[0]?.socket.resetAndDestroy();
    await expect(reader.next()).rejects.toThrow('terminated');
  });

  it('cuts a silent stream at the idle timeout', async () => {
    const { gateway, playground } = await startWithGateway(
      ({ socket }) => {
        socket.write(STREAM_HEAD + formatChunk('data: a\n\n'));
      },
      { GATEWAY_IDLE_TIMEOUT_MS: '10' },
    );
    expect(await readAll(await playground.post(CHAT_PATH, {}))).toEqual({
      text: 'data: a\n\n',
      isClean: false,
    });
    await gateway.requests[0]?.closed;
  });

  it('ends cleanly when the gateway closes a stream without length or chunks', async () => {
    const { playground } = await startWithGateway(({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata: a\n\n');
    });
    expect(await readAll(await playground.post(CHAT_PATH, {}))).toEqual({
      text: 'data: a\n\n',
      isClean: true,
    });
  });

  it('aborts the client connection if fewer bytes arrive than Content-Length states', async () => {
    const { playground } = await startWithGateway(({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":"x","choi');
    });
    expect(await readAll(await playground.post(CHAT_PATH, {}))).toEqual({
      text: '{"id":"x","choi',
      isClean: false,
    });
  });
});

describe('client that disconnects', () => {
  it("closes the gateway's socket if the client disconnects before the headers", async () => {
    const { gateway, playground } = await startWithGateway(() => undefined);
    const stop = new AbortController();
    const responsePromise = playground.post(CHAT_PATH, {}, { signal: stop.signal });
    await expect.poll(() => gateway.requests.length).toBe(1);
    stop.abort();
    await expect(responsePromise).rejects.toThrow('aborted');
    await gateway.requests[0]?.closed;
    await expect.poll(() => playground.log.join()).toMatch(/client-abort$/);
  });

  it("closes the gateway's socket if the client disconnects during a silent stream", async () => {
    const { gateway, playground } = await startWithGateway(({ socket }) => {
      socket.write(STREAM_HEAD + formatChunk('data: a\n\n'));
    });
    const reader = createReader(await playground.post(CHAT_PATH, {}));
    expect(await reader.next()).toBe('data: a\n\n');
    await reader.cancel();
    await gateway.requests[0]?.closed;
    await expect.poll(() => playground.log.join()).toMatch(/client-abort$/);
  });

  it('completes a separate stream for each of forty clients that disconnected from an earlier one', async () => {
    const { playground } = await startWithGateway(({ socket, body }) => {
      socket.write(STREAM_HEAD + formatChunk(`data: ${body}\n\n`));
      if (!body.includes('endless')) socket.write(formatChunk(`data: end of ${body}\n\n`) + LAST_CHUNK);
    });
    const streamResults = Array.from({ length: 40 }, async (_, count) => {
      const reader = createReader(await playground.post(CHAT_PATH, { endless: count }));
      await reader.next();
      await reader.cancel();
      const { text, isClean } = await readAll(await playground.post(CHAT_PATH, { count }));
      return isClean ? text : 'broken';
    });
    expect(await Promise.all(streamResults)).toEqual(
      streamResults.map((_, count) => `data: {"count":${count}}\n\ndata: end of {"count":${count}}\n\n`),
    );
  });
});

describe('client that does not read', () => {
  it('pauses only its own gateway connection if the client does not read', async () => {
    let acceptedBytes = 0;
    const { gateway, playground } = await startWithGateway(({ socket, body }) => {
      socket.write(STREAM_HEAD);
      if (body.includes('other')) return void socket.write(formatChunk('data: a\n\n') + LAST_CHUNK);
      const piece = formatChunk('x'.repeat(64 * 1024));
      const pump = () => {
        while (!socket.destroyed && acceptedBytes < 500_000_000) {
          acceptedBytes += piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on('drain', pump);
      pump();
    });
    const response = await playground.post(CHAT_PATH, {});
    expect(await waitForStableNumber(() => acceptedBytes)).toBeLessThan(40 * 1024 * 1024);
    expect((await readAll(await playground.post(CHAT_PATH, { other: true }))).text).toBe('data: a\n\n');
    await response.body?.cancel();
    await gateway.requests[0]?.closed;
    await expect.poll(() => playground.log.join()).toMatch(/client-abort$/);
  });

  it("after the idle timeout, disconnects a client that does not read and closes the gateway's socket", async () => {
    const { gateway, playground } = await startWithGateway(
      ({ socket }) => {
        socket.write(STREAM_HEAD);
        const pump = () => {
          while (!socket.destroyed && socket.write(formatChunk('x'.repeat(64 * 1024))));
        };
        socket.on('drain', pump);
        pump();
      },
      { GATEWAY_IDLE_TIMEOUT_MS: '300' },
    );
    const clientSocket = await playground.open();
    clientSocket.on('error', () => undefined);
    clientSocket.pause();
    clientSocket.write(
      `POST ${CHAT_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${playground.origin}\r\n` +
        'Content-Type: application/json\r\nX-Gateway-Playground: 1\r\nContent-Length: 2\r\n\r\n{}',
    );
    await expect.poll(() => gateway.requests.length).toBe(1);
    await gateway.requests[0]?.closed;
    await expect.poll(() => playground.log.join('\n')).toContain('client-abort');
    clientSocket.destroy();
  });
});

describe('endless error response', () => {
  it.each(['text/event-stream', 'text/plain'])(
    'forwards the beginning of an endless error and stops: %s',
    async (type) => {
      const { gateway, playground } = await startWithGateway(({ socket }) => {
        socket.on('error', () => undefined);
        socket.write(`HTTP/1.1 500 No\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n`);
        socket.write('x'.repeat(128 * 1024 - 8) + canaryKey);
        // Longer than all limits, so that the test ends.
        let remaining = 128;
        const sendMore = () => {
          remaining -= 1;
          if (remaining === 0) socket.end();
          else if (!socket.destroyed) socket.write('data: {}\n\n'.repeat(6 * 1024), sendMore);
        };
        sendMore();
      });
      const response = await playground.post(CHAT_PATH, {});
      const { text, isClean } = await readAll(response);
      expect([response.status, isClean, text.length]).toEqual([500, true, 128 * 1024]);
      expect(text.slice(-10)).toBe('xx[redacte');
      await gateway.requests[0]?.closed;
    },
  );
});
