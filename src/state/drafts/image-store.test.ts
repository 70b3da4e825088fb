import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createRun } from '../../conversation/reply/run.ts';
import { toImagePart, toImageUrl } from '../../conversation/request/message-images.ts';
import { getLanePath, getRun } from '../../conversation/session/turn-tree.ts';
import type { Run } from '../../conversation/session/types.ts';
import type { ContentPart } from '../../gateway/wire.ts';
import { isRecord, parseJson } from '../../lib/json.ts';
import { openRecordStore } from '../../storage/db.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { createBench } from '../../testing/bench.ts';
import {
  createTestEnvironment,
  createTestSetup,
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  getFirstLane,
  formatTextChunk,
} from '../../testing/builders.ts';
import { createCases } from '../../testing/open-trials.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { createTestTrial } from '../../testing/trials.ts';
import { createRecorder } from '../runs/recorder.ts';
import { findOrphanedImages, removeOrphanedImages } from './image-cleanup.ts';
import { readImageDataUrls, toDataUrl } from './image-data.ts';
import { createImageStore } from './image-store.ts';

let servers: TestServer[] = [];

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const createPngBlob = () => new Blob([new Uint8Array([137, 80, 78, 71, 1, 2, 3, 4])], { type: 'image/png' });
const pngDataUrl = 'data:image/png;base64,iVBORwECAwQ=';

async function* streamHello(): AsyncGenerator<string> {
  yield formatTextChunk('Hello') + formatFinishChunk() + doneEvent;
}

/** Starts a gateway that replies with a greeting and collects the bodies of requests. */
async function createTestGateway() {
  const posts: string[] = [];
  const server = await startTestServer(async (request) => {
    posts.push(await request.text());
    return createStreamResponse(streamHello());
  });
  servers.push(server);
  return { url: server.url, posts };
}

function readSentContent(post: string | undefined): unknown {
  const parsed = parseJson(post ?? '');
  const messages = parsed.ok && isRecord(parsed.value) ? parsed.value['messages'] : undefined;
  return Array.isArray(messages) && isRecord(messages[0]) ? messages[0]['content'] : undefined;
}

function createTestImageStore(records: RecordStore, now = () => Date.now()) {
  const recorder = createRecorder(records, () => performance.now());
  return { recorder, images: createImageStore(records, recorder, now) };
}

describe('stored images', () => {
  it('stores an image once under its hash with its type, and reads it from disk', async () => {
    const records = await openRecordStore();
    const { images, recorder } = createTestImageStore(records);
    const [first, second] = [await images.add(createPngBlob()), await images.add(createPngBlob())];
    expect(second).toBe(first);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    await recorder.flush();
    expect(await records.listKeys('images')).toEqual([first]);
    const storedBlob = await createTestImageStore(records).images.read(first);
    expect(storedBlob?.type).toBe('image/png');
    expect(storedBlob?.size).toBe(8);
    records.close();
  });

  it('returns an image that the disk rejected only in the tab that added it, and ignores damaged records', async () => {
    const memory = createMemoryRecordStore();
    const fullStore: RecordStore = { ...memory, write: () => Promise.reject(new Error('full')) };
    const { images } = createTestImageStore(fullStore);
    const hash = await images.add(createPngBlob());
    expect((await images.read(hash))?.size).toBe(8);
    const damaged = Object.assign({ hash, blob: createPngBlob() }, { blob: 'no picture' });
    await memory.write([{ store: 'images', put: damaged }]);
    expect(await createTestImageStore(memory).images.read(hash)).toBeUndefined();
    expect(await readImageDataUrls(memory, [hash])).toEqual({});
  });

  it('converts a blob of any size and type to a data URL', async () => {
    const bytes = Uint8Array.from({ length: 60_000 }, (_, index) => index * 7);
    const base64 = Buffer.from(bytes).toString('base64');
    expect(await toDataUrl(new Blob([bytes], { type: 'image/webp' }))).toBe(
      `data:image/webp;base64,${base64}`,
    );
    expect(await toDataUrl(new Blob([bytes]))).toBe(`data:application/octet-stream;base64,${base64}`);
  });
});

describe('a request with an image', () => {
  it('sends the image bytes, but keeps references in the message and the tape', async () => {
    const gateway = await createTestGateway();
    const bench = await createBench(gateway);
    await bench.actions.createSession();
    const hash = await bench.images.add(createPngBlob());
    const part = toImagePart({ url: toImageUrl(hash), detail: 'high' });
    await bench.actions.sendPrompt({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'See' }, part] }],
    });
    expect(readSentContent(gateway.posts[0])).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: pngDataUrl, detail: 'high' } },
    ]);
    const [run] = Object.values(bench.getOpenSession().runs);
    expect(run?.phase.name).toBe('complete');
    const tape = JSON.stringify(await bench.library.readTape(run?.id ?? ''));
    expect(tape).toContain(toImageUrl(hash));
    expect(tape).not.toContain('base64');
    expect(JSON.stringify(bench.getOpenSession().prompts)).not.toContain('base64');
  });

  it('sends documents as data URLs and sounds as base64, without the stored name', async () => {
    const gateway = await createTestGateway();
    const bench = await createBench(gateway);
    await bench.actions.createSession();
    const pdf = toImageUrl(await bench.images.add(new Blob(['%PDF'], { type: 'application/pdf' })));
    const wav = toImageUrl(await bench.images.add(new Blob(['RIFF'], { type: 'audio/wav' })));
    const content: ContentPart[] = [
      { type: 'file', file: { filename: 'a.pdf', file_data: pdf } },
      { type: 'input_audio', input_audio: { data: wav, format: 'wav' }, name: 'a.wav' },
    ];
    await bench.actions.sendPrompt({ messages: [{ role: 'user', content }] });
    expect(readSentContent(gateway.posts[0])).toEqual([
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    ]);
    const [run] = Object.values(bench.getOpenSession().runs);
    const tape = JSON.stringify(await bench.library.readTape(run?.id ?? ''));
    expect(tape).toContain(pdf);
    expect(tape).not.toContain('JVBERg');
  });

  it('fails the run with advice if the image is missing or the request is too large', async () => {
    const gateway = await createTestGateway();
    const bench = await createBench(gateway);
    await bench.actions.createSession();
    const sendPart = async (part: ContentPart): Promise<Run | undefined> => {
      await bench.actions.sendPrompt({ messages: [{ role: 'user', content: [part] }] });
      const turn = getLanePath(bench.getOpenSession(), getFirstLane(bench.getOpenSession())).at(-1);
      return getRun(bench.getOpenSession(), turn);
    };
    const lost = await sendPart(toImagePart({ url: toImageUrl('b'.repeat(64)) }));
    expect(lost?.phase).toMatchObject({
      name: 'failed',
      error: {
        message: expect.stringMatching(/no longer stored in this browser.*attach it again/) as unknown,
      },
    });
    await bench.actions.deleteTurns(Object.keys(bench.getOpenSession().turns));
    const huge = new Blob([new Uint8Array(16_000_000)], { type: 'image/png' });
    const url = toImageUrl(await bench.images.add(huge));
    const large = await sendPart(toImagePart({ url }));
    expect(large?.phase).toMatchObject({
      name: 'failed',
      error: { message: expect.stringMatching(/20\.\d MB.*Scale down or remove images/) as unknown },
    });
    await bench.actions.deleteTurns(Object.keys(bench.getOpenSession().turns));
    const largeFile = await sendPart({ type: 'file', file: { filename: 'a.pdf', file_data: url } });
    expect(largeFile?.phase).toMatchObject({
      name: 'failed',
      error: { message: expect.stringMatching(/20\.\d MB.*Remove files\.$/) as unknown },
    });
    expect(gateway.posts).toEqual([]);
  });
});

describe('orphaned images', () => {
  const hour = 60 * 60 * 1000;

  async function storeImages(count: number) {
    const environment = createTestEnvironment();
    const records = createMemoryRecordStore();
    const { images, recorder } = createTestImageStore(records, environment.now);
    const hashes: string[] = [];
    for (let index = 0; index < count; index += 1)
      hashes.push(await images.add(new Blob([`picture ${index}`])));
    await recorder.flush();
    return { environment, records, hashes };
  }

  it('keeps images of answers, even if the end of the run is not stored', async () => {
    const { environment, records, hashes } = await storeImages(3);
    const [ended = '', live = '', orphan = ''] = hashes;
    const run = createRun('ended', 's', createTestSetup());
    const data = `{"choices":[{"delta":{"images":["${toImageUrl(live)}"]}}]}`;
    await records.write([
      {
        store: 'runs',
        put: {
          ...run,
          phase: { name: 'complete' },
          choices: [{ parts: [{ type: 'image', url: toImageUrl(ended) }] }],
        },
      },
      { store: 'runs', put: { ...run, id: 'live', phase: { name: 'streaming' } } },
      { store: 'tapes', put: { runId: 'live', firstSeq: 0, entries: [{ at: 1, data }] } },
    ]);
    const later = environment.now() + 2 * hour;
    expect([...(await findOrphanedImages(records, later))]).toEqual([orphan]);
  });

  it('finds references in messages, answers, drafts, cases and unreadable records', async () => {
    const { environment, records, hashes } = await storeImages(6);
    const [promptHash = '', replyHash = '', draftHash = '', damagedHash = '', caseHash = '', orphan = ''] =
      hashes;
    const sessionId = 's';
    const createMessage = (hash: string) => ({
      role: 'user' as const,
      content: [toImagePart({ url: toImageUrl(hash) })],
    });
    await records.write([
      {
        store: 'prompts',
        put: { id: 'p', sessionId, seq: 1, createdAt: 1, messages: [createMessage(promptHash)] },
      },
      {
        store: 'turns',
        put: {
          id: 't',
          sessionId,
          laneId: 'l',
          seq: 2,
          promptId: 'p',
          reply: { written: { ...createMessage(replyHash), role: 'assistant' } },
        },
      },
      {
        store: 'turns',
        put: {
          id: 'u',
          sessionId,
          laneId: 'l',
          seq: -1,
          promptId: 'p',
          remark: { text: toImageUrl(damagedHash) },
        },
      },
    ]);
    const draftImage = { url: toImageUrl(draftHash), name: 'a.png' };
    const [testCase] = createCases(1);
    if (!testCase) throw new Error('The case is missing');
    await records.write([
      { store: 'drafts', put: { sessionId, images: [draftImage] } },
      { store: 'trials', put: createTestTrial(1) },
      {
        store: 'cases',
        put: {
          trialId: 'trial',
          block: 0,
          cases: [{ ...testCase, values: { picture: toImageUrl(caseHash) } }],
        },
      },
    ]);
    expect([...(await findOrphanedImages(records, environment.now() + 2 * hour))]).toEqual([orphan]);
    expect([...(await findOrphanedImages(records, environment.now()))], 'too recent to be an orphan').toEqual(
      [],
    );
  });

  it('removes orphaned images unless a deletion is undone in the meantime', async () => {
    const { environment, records, hashes } = await storeImages(2);
    const [restoredHash = '', orphan = ''] = hashes;
    const now = () => environment.now() + 2 * hour;
    const newHash = 'd'.repeat(64);
    await removeOrphanedImages(records, now, async () => {
      const content = [toImagePart({ url: toImageUrl(restoredHash) })];
      await records.write([
        // Image of a message that was just deleted; the deletion can still be undone.
        { store: 'images', put: { hash: newHash, blob: createPngBlob() } },
        {
          store: 'prompts',
          put: { id: 'p', sessionId: 's', seq: 1, createdAt: 1, messages: [{ role: 'user', content }] },
        },
      ]);
    });
    expect(await records.listKeys('images')).toEqual([restoredHash, newHash].toSorted());
    expect(orphan).not.toBe(restoredHash);
  });

  it('scans more records than one slice holds', async () => {
    const { environment, records, hashes } = await storeImages(1);
    const prompts = Array.from({ length: 250 }, (_, index) => ({
      store: 'prompts' as const,
      put: {
        id: `p${String(index).padStart(3, '0')}`,
        sessionId: 's',
        seq: index,
        createdAt: 1,
        messages: [{ role: 'user' as const, content: index === 249 ? toImageUrl(hashes[0] ?? '') : 'words' }],
      },
    }));
    await records.write(prompts);
    expect((await findOrphanedImages(records, environment.now() + 2 * hour)).size).toBe(0);
  });
});
