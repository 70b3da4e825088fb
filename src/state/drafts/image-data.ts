/** Converts stored images and files to data URLs and back, for requests, exports and imports. Loaded on demand. */
import { withMediaData } from '../../conversation/request/media-data.ts';
import { findMediaHashes, listMedia, maxRequestBytes } from '../../conversation/request/message-images.ts';
import { GatewayError } from '../../gateway/errors/errors.ts';
import type { ChatRequest, Message } from '../../gateway/wire.ts';
import { decodeBase64, encodeBase64 } from '../../lib/base64.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { computeSha256 } from '../../lib/sha256.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';

/** Returns the body with the data in place of references, see `ImageStore`. */
export async function resolveRequest(
  body: ChatRequest,
  read: (hash: string) => Promise<Blob | undefined>,
): Promise<ChatRequest> {
  const dataUrls = new Map<string, string>();
  for (const hash of findMediaHashes(body.messages)) {
    const blob = await read(hash);
    if (!blob) throw new Error(missingDataMessage);
    dataUrls.set(hash, await toDataUrl(blob));
  }
  const resolved = withMediaData(body, dataUrls);
  const text = JSON.stringify(resolved);
  // A UTF-16 unit takes at most three bytes in UTF-8.
  const bytes = text.length * 3 > maxRequestBytes ? new TextEncoder().encode(text).length : 0;
  if (bytes > maxRequestBytes)
    throw new GatewayError({
      source: 'app',
      kind: 'too-large',
      message: formatTooLargeMessage(bytes, body.messages),
    });
  return resolved;
}

const missingDataMessage =
  'An image or file in this conversation is no longer stored in this browser, so the request was not sent. Edit its message and attach it again.';

function formatTooLargeMessage(bytes: number, messages: readonly Message[]): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  const types = listMedia(messages).map(({ type }) => type);
  const advice = types.includes('image_url')
    ? 'Scale down or remove images.'
    : types.length > 0
      ? 'Remove files.'
      : 'Shorten or remove messages.';
  return `The request would be ${size}. The limit is 20 MB, so it was not sent. ${advice}`;
}

/** Returns the bytes as a data URL with the type of the blob. */
export async function toDataUrl(blob: Blob): Promise<string> {
  const base64 = encodeBase64(new Uint8Array(await blob.arrayBuffer()));
  return `data:${blob.type || 'application/octet-stream'};base64,${base64}`;
}

/** Returns the data URLs of the stored images by hash; missing ones are omitted. */
export async function readImageDataUrls(
  records: RecordStore,
  hashes: readonly string[],
): Promise<Record<string, string>> {
  const entries = await Promise.all(
    hashes.map(async (hash): Promise<[string, string][]> => {
      const blob = getOwnProperty(await records.readRecord('images', hash), 'blob');
      return blob instanceof Blob ? [[hash, await toDataUrl(blob)]] : [];
    }),
  );
  return Object.fromEntries(entries.flat());
}

/** Returns writes for images that are not stored yet, or undefined if an image does not match its hash. */
export async function buildImageWrites(
  records: RecordStore,
  images: Readonly<Record<string, string>>,
): Promise<Write[] | undefined> {
  const storedHashes = new Set(await records.listKeys('images'));
  const writes: Write[] = [];
  for (const [hash, url] of Object.entries(images)) {
    const { bytes, type } = parseDataUrl(url);
    if ((await computeSha256(bytes)) !== hash) return undefined;
    if (!storedHashes.has(hash))
      writes.push({ store: 'images', put: { hash, blob: new Blob([bytes], { type }) } });
  }
  return writes;
}

/** Throws if the data is not base64. */
export function parseDataUrl(url: string): { bytes: Uint8Array<ArrayBuffer>; type: string } {
  const comma = url.indexOf(',');
  return { bytes: decodeBase64(url.slice(comma + 1)), type: url.slice('data:'.length, url.indexOf(';')) };
}
