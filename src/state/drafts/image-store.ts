/** Images and files of messages, stored as blobs under their hash and inserted into requests just before sending. */
import { toImageUrl } from '../../conversation/request/message-images.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { computeSha256 } from '../../lib/sha256.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';

const loadImageData = createPreloadableImport(async () => import('./image-data.ts'), true);

export interface ImageStore {
  /** Stores the image and returns its hash. The recorder reports a full disk and retries. */
  add: (blob: Blob) => Promise<string>;
  /** Stores the image of a data URL and returns its reference. Rejects if it is not base64. */
  addDataUrl: (url: string) => Promise<string>;
  /** Returns the image, or undefined if it is not stored here. */
  read: (hash: string) => Promise<Blob | undefined>;
  /**
   * Returns the body with data URLs in place of references (§2.3). Throws a readable error if an image is missing or
   * the whole body is too large.
   */
  resolveRequest: (body: ChatRequest) => Promise<ChatRequest>;
}

export function createImageStore(records: RecordStore, recorder: Recorder, now: () => number): ImageStore {
  // Images added by this page remain available even if the disk is full.
  const addedBlobs = new Map<string, Blob>();

  async function read(hash: string): Promise<Blob | undefined> {
    const addedBlob = addedBlobs.get(hash);
    if (addedBlob) return addedBlob;
    const blob = getOwnProperty(await records.readRecord('images', hash), 'blob');
    return blob instanceof Blob ? blob : undefined;
  }

  async function add(blob: Blob): Promise<string> {
    const hash = await computeSha256(new Uint8Array(await blob.arrayBuffer()));
    addedBlobs.set(hash, blob);
    recorder.put(`images ${hash}`, { store: 'images', put: { hash, blob, addedAt: now() } });
    return hash;
  }

  return {
    add,
    addDataUrl: async (url) => {
      const { bytes, type } = (await loadImageData()).parseDataUrl(url);
      return toImageUrl(await add(new Blob([bytes], { type })));
    },
    read,
    resolveRequest: async (body) => (await loadImageData()).resolveRequest(body, read),
  };
}
