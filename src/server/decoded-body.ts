import { pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { pulledStream } from './pulled-stream.ts';

/**
 * The plain bytes of a compressed body, each part as soon as it can be read. We ask for no compression, yet
 * some gateways compress. Undefined for an encoding that is not understood.
 */
export function decodedBody(
  body: ReadableStream<Uint8Array>,
  encoding: string,
): ReadableStream<Uint8Array> | undefined {
  const decoder = decoderOf(encoding.trim().toLowerCase());
  if (decoder === undefined) return undefined;
  const reader = body.getReader();
  // The outcome shows at the decoder's own end, where the reader of the decoded body meets it.
  pipeline(
    () => chunksOf(reader),
    decoder,
    () => undefined,
  );
  const decoded: AsyncIterator<unknown, unknown> = decoder[Symbol.asyncIterator]();
  return pulledStream({
    async next() {
      const { done, value } = await decoded.next();
      if (done === true) return undefined;
      return value instanceof Uint8Array ? value : Buffer.from(String(value));
    },
    cancel(reason) {
      void reader.cancel(reason).catch(() => undefined);
      decoder.destroy();
    },
  });
}

function decoderOf(encoding: string): Transform | undefined {
  // Flushing after every write lets an event out that the other side has flushed.
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip({ flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'deflate') return createInflate({ flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'br') return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
  return undefined;
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
