/** The images of messages: kept as blobs under their hash, put into a request just before it leaves. */
import {
  findImageHashes,
  toImageUrl,
  maxRequestBytes,
  withImageData,
} from '../../conversation/request/message-images.ts';
import { GatewayError } from '../../gateway/errors/errors.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { computeSha256 } from '../../lib/sha256.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';

export interface Images {
  /** Keeps the image and answers with its hash. A full disk is shown and tried again by the recorder. */
  put: (blob: Blob) => Promise<string>;
  /** Stores the image of a data URL and returns its reference. Rejects if it is not base64. */
  putDataUrl: (url: string) => Promise<string>;
  /** Undefined where it is not stored here. */
  read: (hash: string) => Promise<Blob | undefined>;
  /** §2.3: the body with data URLs in place of references. Throws a sentence where one is gone or all are too large. */
  resolve: (body: ChatRequest) => Promise<ChatRequest>;
}

export function createImages(records: RecordStore, recorder: Recorder, now: () => number): Images {
  // What was added by this page is at hand even where the disk did not take it.
  const added = new Map<string, Blob>();

  async function read(hash: string): Promise<Blob | undefined> {
    const known = added.get(hash);
    if (known) return known;
    const blob = getOwnProperty(await records.record('images', hash), 'blob');
    return blob instanceof Blob ? blob : undefined;
  }

  async function put(blob: Blob): Promise<string> {
    const hash = await computeSha256(new Uint8Array(await blob.arrayBuffer()));
    added.set(hash, blob);
    recorder.put(`images ${hash}`, { store: 'images', put: { hash, blob, addedAt: now() } });
    return hash;
  }

  return {
    put,
    putDataUrl: async (url) => {
      const { bytes, type } = bytesOfDataUrl(url);
      return toImageUrl(await put(new Blob([bytes], { type })));
    },
    read,
    resolve: async (body) => {
      const dataUrls = new Map<string, string>();
      for (const hash of findImageHashes(body.messages)) {
        const blob = await read(hash);
        if (!blob) throw new Error(missingSentence);
        dataUrls.set(hash, await dataUrlOf(blob));
      }
      const resolved = withImageData(body, dataUrls);
      const text = JSON.stringify(resolved);
      // No letter takes more than three bytes.
      const bytes = text.length * 3 > maxRequestBytes ? new TextEncoder().encode(text).length : 0;
      if (bytes > maxRequestBytes)
        throw new GatewayError({ source: 'app', kind: 'too-large', message: tooLargeSentence(bytes) });
      return resolved;
    },
  };
}

const missingSentence =
  'An image in this conversation is no longer stored here, so the request was not sent. Edit its message and attach the image again.';

function tooLargeSentence(bytes: number): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return `The request would be ${size}. The limit is 20 MB, so it was not sent. Scale down or remove images.`;
}

/** The bytes as a data URL with their own type. */
export async function dataUrlOf(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  // In parts: a call takes only so many arguments. Of a multiple of three, so that no part is padded.
  for (let at = 0; at < bytes.length; at += partBytes)
    binary += btoa(String.fromCharCode(...bytes.subarray(at, at + partBytes)));
  return `data:${blob.type || 'application/octet-stream'};base64,${binary}`;
}

const partBytes = 3 * 8192;

/** Data URLs of these images by hash, without those that are not stored. */
export async function imageDataOf(
  records: RecordStore,
  hashes: readonly string[],
): Promise<Record<string, string>> {
  const read = await Promise.all(
    hashes.map(async (hash): Promise<[string, string][]> => {
      const blob = getOwnProperty(await records.record('images', hash), 'blob');
      return blob instanceof Blob ? [[hash, await dataUrlOf(blob)]] : [];
    }),
  );
  return Object.fromEntries(read.flat());
}

/** Writes of those that are not stored yet; undefined where one is another image than its name says. */
export async function importedImages(
  records: RecordStore,
  images: Readonly<Record<string, string>>,
): Promise<Write[] | undefined> {
  const known = new Set(await records.keys('images'));
  const writes: Write[] = [];
  for (const [hash, url] of Object.entries(images)) {
    const { bytes, type } = bytesOfDataUrl(url);
    if ((await computeSha256(bytes)) !== hash) return undefined;
    if (!known.has(hash)) writes.push({ store: 'images', put: { hash, blob: new Blob([bytes], { type }) } });
  }
  return writes;
}

function bytesOfDataUrl(url: string): { bytes: Uint8Array<ArrayBuffer>; type: string } {
  const comma = url.indexOf(',');
  const bytes = Uint8Array.from(atob(url.slice(comma + 1)), (character) => character.charCodeAt(0));
  return { bytes, type: url.slice('data:'.length, url.indexOf(';')) };
}
