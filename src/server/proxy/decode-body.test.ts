import type { Socket } from 'node:net';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { startRawGateway } from '../testing/raw-gateway.ts';
import type { ByteSource } from './byte-source.ts';
import { getByteSource } from './byte-source.ts';
import { decodeBody } from './decode-body.ts';
import { createHttpUpstream } from './http-upstream.ts';

/** Creates a source of these pieces that then stays silent or ends, and records its cancellation. */
function createSource(
  pieces: readonly Uint8Array[],
  end: 'ends' | 'is silent',
): ByteSource & { isCancelled: () => boolean } {
  const remaining = [...pieces];
  let isCancelled = false;
  return {
    isCancelled: () => isCancelled,
    next: async () => {
      const piece = remaining.shift();
      if (piece !== undefined || end === 'ends') return piece;
      return new Promise(() => undefined);
    },
    cancel: () => void (isCancelled = true),
  };
}

async function readText(source: ByteSource | undefined): Promise<string> {
  const { text, isBroken } = await readUntilBroken(source);
  return isBroken ? `${text} (broken)` : text;
}

const TEXT = `data: {"a":"é漢 ${'x'.repeat(50)}"}\n\n`;

/** Decodes the bytes as one packet, or in packets of `size` bytes. */
async function decodeInPackets(
  encoding: string,
  bytes: Buffer,
  size = bytes.length,
): Promise<ByteSource | undefined> {
  const packets = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return decodeBody(createSource(packets, 'ends'), encoding);
}

describe('encoding other than declared', () => {
  it.each<[string, string, Buffer, string?]>([
    ['identity in different case', 'Identity', Buffer.from(TEXT)],
    ['identity between spaces', ' IDENTITY ', Buffer.from(TEXT)],
    ['gzip in different case', 'GZip', gzipSync(TEXT)],
    ['undeclared gzip', '', gzipSync(TEXT)],
    ['plain text declared as gzip', 'gzip', Buffer.from(TEXT)],
    ['text that starts like gzip', 'gzip', Buffer.from('\u001Ftext'), '\u001Ftext'],
    ['plain text declared as x-gzip', 'x-gzip', Buffer.from(TEXT)],
    ['plain text declared as deflate', 'deflate', Buffer.from(TEXT)],
    ['brotli', 'br', brotliCompressSync(TEXT)],
    ['plain text declared as brotli', 'br', Buffer.from(TEXT)],
    ['identity declared twice', 'identity, identity', Buffer.from(TEXT)],
    ['identity beside gzip', 'identity,gzip', gzipSync(TEXT)],
    ['double gzip', 'gzip, gzip', gzipSync(gzipSync(TEXT))],
    ['gzip declared twice', 'gzip, gzip', gzipSync(TEXT)],
    ['triple gzip', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(TEXT)))],
    ['gzip inside brotli', 'gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['plain text declared as zstd', 'zstd', Buffer.from(TEXT)],
    ['plain text declared as a character set', 'UTF-8', Buffer.from(TEXT)],
    ['gzip declared with an unknown name', 'compressed', gzipSync(TEXT)],
    ['an empty body declared as gzip', 'gzip', Buffer.from(''), ''],
    ['one letter declared as deflate', 'deflate', Buffer.from('x'), 'x'],
    ['two letters declared as brotli', 'br', Buffer.from('hi'), 'hi'],
  ])('decodes %s by its content', async (_name, encoding, bytes, text = TEXT) => {
    expect(await readText(await decodeInPackets(encoding, bytes))).toBe(text);
    expect(await readText(await decodeInPackets(encoding, bytes, 1))).toBe(text);
  });

  it.each([
    ['gzip', Buffer.of(0x1f)],
    ['deflate', Buffer.of(0x80)],
  ])('fails if only the first byte of %s arrives', async (encoding, bytes) => {
    expect(await readUntilBroken(await decodeInPackets(encoding, bytes))).toEqual({
      text: '',
      isBroken: true,
    });
  });
});

describe('body declared as deflate', () => {
  it('decodes deflate with and without a zlib header, whatever its first bytes', async () => {
    for (let number = 0; number < 300; number += 1) {
      const text = `${number} and ${'again '.repeat(number % 7)}`;
      for (const bytes of [deflateSync(text), deflateRawSync(text)])
        expect(await readText(await decodeBody(createSource([bytes], 'ends'), 'deflate'))).toBe(text);
    }
  });
});

it.each(['gzip', 'deflate', 'br', 'unknown'])(
  'emits a keep-alive of eight characters immediately in plain text declared as %s',
  async (encoding) => {
    const source = createSource([Buffer.from(': ping\n\n')], 'is silent');
    const body = await decodeBody(source, encoding);
    expect(Buffer.from((await body?.next()) ?? []).toString()).toBe(': ping\n\n');
  },
);

it.each(['', 'gzip', 'gzip, br'])(
  'cancels a body before its first byte with the declared encoding %o',
  async (encoding) => {
    const source = createSource([], 'is silent');
    const body = await decodeBody(source, encoding);
    void body?.next();
    body?.cancel(new Error('disconnected'));
    expect(source.isCancelled()).toBe(true);
  },
);

const flush = constants.Z_SYNC_FLUSH;
const encoders = {
  gzip: () => createGzip({ flush }),
  deflate: () => createDeflate({ flush }),
  'bare deflate': () => createDeflateRaw({ flush }),
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};

/** Compresses the pieces into one stream without its end, one packet per piece. */
async function splitPackets(encoding: keyof typeof encoders, pieces: readonly string[]): Promise<Buffer[]> {
  const encoder = encoders[encoding]();
  const packets: Buffer[] = [];
  for (const piece of pieces) {
    await new Promise<void>((resolve) => encoder.write(piece, () => resolve()));
    const bytes: unknown = encoder.read();
    if (bytes instanceof Buffer) packets.push(bytes);
  }
  encoder.destroy();
  return packets;
}

/** Reads until the body ends or breaks. Returns the text and whether the body broke. */
async function readUntilBroken(source: ByteSource | undefined): Promise<{ text: string; isBroken: boolean }> {
  const parts: Uint8Array[] = [];
  let isBroken = false;
  try {
    for (let bytes = await source?.next(); bytes !== undefined; bytes = await source?.next())
      parts.push(bytes);
  } catch {
    isBroken = true;
  }
  return { text: Buffer.concat(parts).toString(), isBroken };
}

const formatChunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

describe('connection that closes with the last bytes of a compressed stream', () => {
  it.each(['gzip', 'deflate', 'bare deflate', 'br'] as const)(
    'keeps all bytes of a %s stream that closes early',
    async (encoding) => {
      const events = Array.from(
        { length: 12 },
        (_, index) => `data: ${index} ${'漢é'.repeat(index * 40)}\n\n`,
      );
      const name = encoding.split(' ').at(-1) ?? '';
      let packets: Buffer[] = [];
      let isChunked = false;
      let close = (socket: Socket): unknown => socket.end();
      const gateway = await startRawGateway(({ socket }) => {
        socket.setNoDelay();
        const framing = isChunked ? 'transfer-encoding: chunked' : 'connection: close';
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${name}\r\n${framing}\r\n\r\n`);
        for (const packet of packets) socket.write(isChunked ? formatChunk(packet) : packet);
        socket.write('', () => close(socket));
      });
      const { gateways } = readConfig(
        (key) => ({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: 'fk-1' })[key],
        { port: 0 },
      );
      const config = gateways[0].remote;
      if (!config) throw new Error('no gateway is configured');
      const upstream = createHttpUpstream(config);
      for (const first of [1, 2, 6, 12]) {
        packets = await splitPackets(encoding, [events.slice(0, first).join(''), ...events.slice(first)]);
        for (isChunked of [true, false]) {
          for (close of [(socket: Socket) => socket.end(), (socket: Socket) => socket.destroy()]) {
            const response = await upstream.handle(new Request(`${gateway.url}/v1/x`, { method: 'POST' }));
            const source = getByteSource(response);
            const body = source && (await decodeBody(source, name));
            expect(await readUntilBroken(body)).toEqual({ text: events.join(''), isBroken: true });
          }
        }
      }
      await upstream.close();
      await gateway.close();
    },
  );

  it('keeps complete gzip members that precede a truncated one', async () => {
    const [third = Buffer.of()] = await splitPackets('gzip', ['third']);
    const bytes = Buffer.concat([gzipSync('first '), gzipSync('second '), third]);
    for (let size = 1; size <= bytes.length; size += 1)
      expect(await readUntilBroken(await decodeInPackets('gzip', bytes, size))).toEqual({
        text: 'first second third',
        isBroken: true,
      });
  });

  it.each(['gzip', 'br'])('keeps plain text too short to be distinguished from %s', async (encoding) => {
    const pieces = [Buffer.from('hi')];
    const source: ByteSource = {
      next: async () => pieces.shift() ?? Promise.reject(new Error('lost')),
      cancel: () => undefined,
    };
    expect(await readUntilBroken(await decodeBody(source, encoding))).toEqual({ text: 'hi', isBroken: true });
  });
});
