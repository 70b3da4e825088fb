/** The images of messages: kept as blobs under their hash, put into a request just before it leaves. */
import * as v from 'valibot';

import { imageHashesIn, mostBodyBytes, withImageData } from '../../conversation/request/images.ts';
import type { SessionId } from '../../conversation/session/types.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';
import { imageDraftId } from './drafts.ts';

/** An image that waits in a composer or an editor. */
export interface DraftImage {
  /** `bench-image:HASH`, a web address or a data URL: what the message will hold. */
  url: string;
  /** What the file was called; the host of a web address. */
  name: string;
  /** §2.3; absent: not sent. */
  detail?: string;
  /** Of the image as it will be sent; absent for an address elsewhere. */
  bytes?: number;
  width?: number;
  height?: number;
  /** The image as it was chosen, where this one is scaled down from it. */
  original?: { url: string; width: number; height: number };
}

export interface Images {
  /** Keeps the image and answers with its hash. A full disk is shown and tried again by the recorder. */
  put: (blob: Blob) => Promise<string>;
  /** Undefined where it is not stored here. */
  read: (hash: string) => Promise<Blob | undefined>;
  /** §2.3: the body with data URLs in place of references. Throws a sentence where one is gone or all are too large. */
  resolve: (body: ChatRequest) => Promise<ChatRequest>;
  readDraft: (sessionId: SessionId) => Promise<DraftImage[]>;
  /** The images that such a text names, as drafts are stored; none where it cannot be read. */
  imagesOf: (text: string) => DraftImage[];
  writeDraft: (sessionId: SessionId, images: readonly DraftImage[]) => void;
}

export function createImages(records: RecordStore, recorder: Recorder, now: () => number): Images {
  // What was added by this page is at hand even where the disk did not take it.
  const added = new Map<string, Blob>();

  async function read(hash: string): Promise<Blob | undefined> {
    const known = added.get(hash);
    if (known) return known;
    const blob = ownProperty(await records.record('images', hash), 'blob');
    return blob instanceof Blob ? blob : undefined;
  }

  return {
    put: async (blob) => {
      const hash = await sha256(new Uint8Array(await blob.arrayBuffer()));
      added.set(hash, blob);
      recorder.put(`images ${hash}`, { store: 'images', put: { hash, blob, addedAt: now() } });
      return hash;
    },
    read,
    resolve: async (body) => {
      const dataUrls = new Map<string, string>();
      for (const hash of imageHashesIn(body.messages)) {
        const blob = await read(hash);
        if (!blob) throw new Error(missingSentence);
        dataUrls.set(hash, await dataUrlOf(blob));
      }
      const resolved = withImageData(body, dataUrls);
      const bytes = new TextEncoder().encode(JSON.stringify(resolved)).length;
      if (bytes > mostBodyBytes) throw new Error(tooLargeSentence(bytes));
      return resolved;
    },
    readDraft: async (sessionId) =>
      imagesOf(stringProperty(await records.draft(imageDraftId(sessionId)), 'text') ?? '[]'),
    imagesOf,
    writeDraft: (sessionId, images) => {
      const id = imageDraftId(sessionId);
      recorder.put(
        `drafts ${id}`,
        images.length === 0
          ? { store: 'drafts', remove: id }
          : { store: 'drafts', put: { sessionId: id, text: JSON.stringify(images) } },
      );
    },
  };
}

const missingSentence =
  'An image in this conversation is no longer stored here, so the request was not sent. Edit its message and attach the image again.';

function tooLargeSentence(bytes: number): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return `The request would be ${size}. The limit is 20 MB, so it was not sent. Scale down or remove images.`;
}

const size = v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const draftSchema = v.array(
  v.object({
    url: v.string(),
    name: v.string(),
    detail: v.exactOptional(v.string()),
    bytes: size,
    width: size,
    height: size,
    original: v.exactOptional(v.object({ url: v.string(), width: v.number(), height: v.number() })),
  }),
);

function imagesOf(text: string): DraftImage[] {
  const reading = parseJson(text);
  return reading.ok && v.is(draftSchema, reading.value) ? reading.value : [];
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
