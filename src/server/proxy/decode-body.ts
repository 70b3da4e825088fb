import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

import type { ByteSource } from './byte-source.ts';

/** More nested encodings are not an answer but a decompression bomb. */
const MAX_ENCODINGS = 3;

/**
 * Decodes a body, emitting each part as soon as it is readable. Compression is never requested, yet some gateways
 * compress and some declare a wrong encoding, so the first bytes decide. `undefined` if the body is unreadable; the
 * caller must then cancel it.
 */
export async function decodeBody(body: ByteSource, contentEncoding: string): Promise<ByteSource | undefined> {
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  const encodings = names.filter((name) => name !== '' && name !== 'identity');
  if (encodings.length > MAX_ENCODINGS) return undefined;
  // No text begins with the two magic bytes of gzip, so they identify it even if it is not declared.
  if (encodings.length === 0) return createDecodedSource(body, chooseGzip);
  let source = body;
  // Encodings are listed in the order of application, so the last one is decoded first.
  for (const encoding of encodings.toReversed()) {
    const choose = DECODER_CHOOSERS.get(encoding);
    const decoded =
      choose === undefined ? await decodeRecognized(source) : createDecodedSource(source, choose);
    if (decoded === undefined) return undefined;
    source = decoded;
  }
  return source;
}

type DecoderChoice = Transform | 'plain' | 'undecided' | 'unknown';
/** Chooses the decoder for a body that begins with `prefix`. `isComplete` means that no more data will arrive. */
type ChooseDecoder = (prefix: Buffer, isComplete: boolean) => DecoderChoice;

/** Chosen on the first read. */
function createDecodedSource(source: ByteSource, choose: ChooseDecoder): ByteSource {
  let decoded: ByteSource | undefined;
  return {
    next: () => decoded?.next() ?? readFirst(),
    cancel(reason) {
      source.cancel(reason);
      decoded?.cancel(reason);
    },
  };

  async function readFirst(): Promise<Uint8Array | undefined> {
    const { prefix, choice } = await chooseDecoder(source, choose);
    decoded =
      typeof choice === 'string' ? source : createDecoderSource(prependPrefix(prefix, source), choice);
    return decoded === source && prefix.length > 0 ? prefix : decoded.next();
  }
}

/** Decodes a body by its first bytes alone; `undefined` for an unknown kind. */
async function decodeRecognized(source: ByteSource): Promise<ByteSource | undefined> {
  const { prefix, choice } = await chooseDecoder(source, chooseRecognized);
  if (choice === 'unknown') return undefined;
  const fullSource = prependPrefix(prefix, source);
  return typeof choice === 'string' ? fullSource : createDecoderSource(fullSource, choice);
}

async function chooseDecoder(
  source: ByteSource,
  choose: ChooseDecoder,
): Promise<{ prefix: Buffer; choice: DecoderChoice }> {
  let prefix: Buffer = Buffer.alloc(0);
  for (;;) {
    const bytes = await source.next().catch((error: unknown) => {
      // The source rejects again after these bytes have been read.
      if (prefix.length === 0) throw error;
      return undefined;
    });
    if (bytes !== undefined) prefix = Buffer.concat([prefix, bytes]);
    const choice = choose(prefix, bytes === undefined);
    if (choice !== 'undecided' || bytes === undefined) return { prefix, choice };
  }
}

function prependPrefix(prefix: Buffer, source: ByteSource): ByteSource {
  let isFirst = prefix.length > 0;
  return {
    async next() {
      if (!isFirst) return source.next();
      isFirst = false;
      return prefix;
    },
    cancel: (reason) => source.cancel(reason),
  };
}

/**
 * Reads more only after everything decoded so far has been consumed: a failing decoder drops what it holds, so neither
 * its own error nor a source error may overtake earlier bytes.
 */
function createDecoderSource(source: ByteSource, decoder: Transform): ByteSource {
  let isBusy = false;
  let hasInputEnded = false;
  let wake: () => void = () => undefined;
  const wakeReader = () => wake();
  for (const event of ['readable', 'end', 'error', 'close']) decoder.on(event, wakeReader);
  const handleWritten = () => {
    isBusy = false;
    wakeReader();
  };
  return {
    async next() {
      for (;;) {
        const bytes: unknown = decoder.read();
        if (bytes instanceof Uint8Array) return bytes;
        if (decoder.errored) throw decoder.errored;
        if (decoder.readableEnded || decoder.destroyed) return undefined;
        if (!isBusy && !hasInputEnded) {
          const piece = await source.next();
          isBusy = true;
          hasInputEnded = piece === undefined;
          if (piece === undefined) decoder.end();
          else decoder.write(piece, handleWritten);
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    cancel(reason) {
      source.cancel(reason);
      decoder.destroy();
    },
  };
}

// Flushing after every write emits each event that the other side has flushed.
const flush = constants.Z_SYNC_FLUSH;

const DECODER_CHOOSERS: ReadonlyMap<string, ChooseDecoder> = new Map([
  ['gzip', chooseGzip],
  ['x-gzip', chooseGzip],
  ['deflate', chooseDeflate],
  ['br', chooseBrotli],
]);

function chooseGzip(prefix: Buffer, isComplete: boolean): DecoderChoice {
  if (prefix[0] !== 0x1f) return prefix.length > 0 || isComplete ? 'plain' : 'undecided';
  if (prefix.length === 1 && !isComplete) return 'undecided';
  return prefix.length === 1 || prefix[1] === 0x8b ? createGunzip({ flush }) : 'plain';
}

/** The standard requires a zlib header for deflate; some gateways send the bare stream. */
function chooseDeflate(prefix: Buffer, isComplete: boolean): DecoderChoice {
  const plainText = choosePlainText(prefix, isComplete);
  if (plainText !== undefined) return plainText;
  // A zlib header begins with method 8 in its low four bits. No known program writes a bare stream that begins with the
  // same bits.
  return ((prefix[0] ?? 0) & 0x0f) === 8 ? createInflate({ flush }) : createInflateRaw({ flush });
}

function chooseRecognized(prefix: Buffer, isComplete: boolean): DecoderChoice {
  if (prefix[0] === 0x1f) return chooseGzip(prefix, isComplete);
  return choosePlainText(prefix, isComplete) ?? 'unknown';
}

function chooseBrotli(prefix: Buffer, isComplete: boolean): DecoderChoice {
  return (
    choosePlainText(prefix, isComplete) ?? createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
  );
}

/** No compressed stream begins with this many characters of plain text. */
const MIN_TEXT_CHARS = 8;

function choosePlainText(prefix: Buffer, isComplete: boolean): DecoderChoice | undefined {
  if (!/^[\t\n\r\x20-\x7e]*$/.test(prefix.toString('latin1', 0, MIN_TEXT_CHARS))) return undefined;
  return prefix.length >= MIN_TEXT_CHARS || isComplete ? 'plain' : 'undecided';
}
