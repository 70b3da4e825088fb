import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createGateway } from '../gateway/client.ts';
import { openVectorStore } from '../storage/vector-db.ts';
import { memoryVectorStore, type VectorStore } from '../storage/vector-store.ts';
import { aGate } from '../testing/builders.ts';
import { until } from '../testing/until.ts';
import type { EmbeddingJob, JobSetup } from './embedding-job-types.ts';
import { createEmbeddingJob } from './embedding-job.ts';
import { createRunQueue } from './run-queue.ts';

interface Received {
  at: number;
  status: number;
  input: unknown[];
}

interface ServerRules {
  perMinute?: number;
  mostItems?: number;
  isBad?: (text: unknown) => boolean;
  /** A status and body instead of the usual answer, or undefined. */
  instead?: (body: Record<string, unknown>, count: number) => Response | undefined;
  embedding?: (text: string) => unknown;
  answerMs?: number;
  /** No answer comes before this. */
  held?: Promise<void>;
}

const refusal = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { message, type: 'refused', code: String(status) } },
    { status, headers: { 'x-gateway-headers': '{}', ...headers } },
  );

/** A gateway that counts what it was sent. Nothing of it is ours: it answers as §2.7 says. */
function aServer(rules: ServerRules = {}) {
  const received: Received[] = [];
  const accepted: number[] = [];
  let asked = 0;
  const embedding = rules.embedding ?? ((text: string) => [text.length + 1, 1, 0.5]);
  const fetch = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    const body: Record<string, unknown> = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
    const input: unknown[] = Array.isArray(body['input']) ? body['input'] : [body['input']];
    const answer = (response: Response) => {
      received.push({ at: Date.now(), status: response.status, input });
      return response;
    };
    asked += 1;
    const left = new Promise<never>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
    await Promise.race([left, rules.held]);
    const { answerMs } = rules;
    if (answerMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answerMs));
    const instead = rules.instead?.(body, received.length);
    if (instead) return answer(instead);
    const recent = accepted.filter((at) => at > Date.now() - 60_000);
    if (recent.length >= (rules.perMinute ?? Number.POSITIVE_INFINITY))
      return answer(refusal(429, 'Too many requests'));
    accepted.push(Date.now());
    if (input.length > (rules.mostItems ?? 2048)) return answer(refusal(400, 'Too many items'));
    if (input.some((text) => rules.isBad?.(text))) return answer(refusal(422, 'An item can not be embedded'));
    return answer(
      Response.json({
        object: 'list',
        model: body['model'],
        data: input.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: embedding(String(text)),
        })),
        usage: { prompt_tokens: input.length * 2, total_tokens: input.length * 2 },
      }),
    );
  };
  /** How often each text was sent in a request that was answered with vectors. */
  const paidFor = () => {
    const counts = new Map<unknown, number>();
    for (const { status, input } of received)
      if (status === 200) for (const text of input) counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
  };
  return { fetch, received, paidFor, asked: () => asked };
}

let ids = 0;
function aJob(
  server: ReturnType<typeof aServer>,
  inputs: readonly (string | number[])[],
  vectors: VectorStore,
  more: { setup?: Partial<JobSetup>; limit?: number } = {},
): EmbeddingJob {
  const gateway = createGateway({ fetch: server.fetch, now: () => Date.now() });
  const queue = createRunQueue({ now: () => Date.now(), limit: () => more.limit ?? 0 });
  const setup: JobSetup = { model: 'm', format: 'float', ...more.setup };
  return createEmbeddingJob(setup, inputs, {
    gateway,
    queue,
    vectors,
    now: () => Date.now(),
    newId: () => `id-${(ids += 1)}`,
    random: () => 0.5,
  });
}

const textsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);
const stored = async (job: EmbeddingJob, vectors: VectorStore) =>
  (await vectors.has(job.keys())).filter(Boolean).length;

describe('ten thousand texts at fifty requests a minute', () => {
  // Loaded on demand: while the machine fetches them, virtual time would run on between leaving and arriving.
  beforeAll(() => Promise.all([import('../gateway/embeddings.ts'), import('../gateway/error-report.ts')]));
  beforeEach(() => {
    // The clock only: the database runs on its own.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1_700_000_000_000 });
    vi.stubGlobal('indexedDB', new IDBFactory());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  let storeCalls = 0;
  /** The store, whose calls under way are counted: time stands still while it works. */
  function counted(store: VectorStore): VectorStore {
    const count = async <Result>(call: Promise<Result>): Promise<Result> => {
      storeCalls += 1;
      return call.finally(() => (storeCalls -= 1));
    };
    return {
      ...store,
      get: (keys) => count(store.get(keys)),
      has: (keys) => count(store.has(keys)),
      put: (vectors) => count(store.put(vectors)),
      note: (id) => count(store.note(id)),
      putNote: (id, value) => count(store.putNote(id, value)),
    };
  }

  /** Lets virtual time pass until this is so. */
  async function timePassesUntil(job: EmbeddingJob, isSo: () => boolean): Promise<void> {
    // It finds out what there is to do before anything is waited for.
    while (job.state.getState().phase.name === 'looking') await vi.advanceTimersByTimeAsync(1);
    for (let seconds = 0; !isSo(); seconds += 1) {
      if (seconds > 7200) throw new Error('Two hours have passed');
      await vi.advanceTimersByTimeAsync(1000);
      await until(() => storeCalls === 0);
    }
  }

  it('meets no 429, survives a reload half-way, and sends no text twice', async () => {
    const server = aServer({ perMinute: 50, mostItems: 32, answerMs: 300 });
    const texts = textsUpTo(10_000);

    // The first visit ends as a page does that is closed while it waits for its turn: nothing is told to it, and
    // nothing of it reaches the server any more.
    let isOpen = true;
    let underWay = 0;
    const fetchOfPage: typeof server.fetch = async (input, init) => {
      if (!isOpen) throw new TypeError('The page is gone');
      underWay += 1;
      return server.fetch(input, init).finally(() => (underWay -= 1));
    };
    const firstStore = counted(await openVectorStore());
    const first = aJob({ ...server, fetch: fetchOfPage }, texts, firstStore, { limit: 50 });
    void first.run();
    const isHalfWay = () => {
      const { embedded } = first.state.getState().counts;
      return embedded >= 4800 && underWay === 0 && embedded === server.paidFor().size;
    };
    await timePassesUntil(first, () => isHalfWay() && first.state.getState().phase.name === 'running');
    isOpen = false;
    const sentBefore = server.received.length;
    const done = first.state.getState().counts.embedded;
    expect(done).toBeGreaterThanOrEqual(4800);
    expect(done).toBeLessThan(10_000);

    // A new page at once, with a new queue: it must remember what was sent in this minute.
    const second = aJob(server, texts, counted(await openVectorStore()), { limit: 50 });
    const finished = second.run();
    await timePassesUntil(second, () => second.state.getState().phase.name === 'done');
    await finished;

    expect(second.state.getState().counts).toEqual({
      waiting: 0,
      known: done,
      embedded: 10_000 - done,
      failed: 0,
    });
    expect(server.received.length).toBeGreaterThan(sentBefore);
    expect(server.received.map(({ status }) => status)).not.toContain(429);
    const paid = server.paidFor();
    expect(paid.size).toBe(10_000);
    expect(Math.max(...paid.values())).toBe(1);
    // What the server takes at once was learned in the first visit, and is known in the second.
    expect(
      server.received.slice(sentBefore).every(({ input, status }) => status === 200 && input.length <= 32),
    ).toBe(true);
    const [last] = await (await openVectorStore()).get([second.keys()[9999] ?? '']);
    expect(last?.vector).toEqual(Float32Array.from(['text 9999'.length + 1, 1, 0.5]));
  });

  it('waits out a limit that the gateway keeps, as long as it asks, and goes on', async () => {
    const server = aServer({
      instead: (_body, count) =>
        count === 0 ? refusal(429, 'Slow down', { 'retry-after': '20' }) : undefined,
    });
    const job = aJob(server, ['one'], memoryVectorStore());
    const started = Date.now();
    const finished = job.run();
    await timePassesUntil(job, () => job.state.getState().phase.name === 'waiting');
    expect(job.state.getState().phase).toMatchObject({ name: 'waiting', report: { message: 'Slow down' } });
    await timePassesUntil(job, () => job.state.getState().phase.name === 'done');
    await finished;
    expect(server.received.map(({ status }) => status)).toEqual([429, 200]);
    expect((server.received[1]?.at ?? 0) - started).toBeGreaterThanOrEqual(20_000);
  });

  it('pauses with the words of a gateway that never stops refusing', async () => {
    const server = aServer({ instead: () => refusal(503, 'Overloaded') });
    const job = aJob(server, ['one'], memoryVectorStore());
    const finished = job.run();
    await timePassesUntil(job, () => job.state.getState().phase.name === 'paused');
    await finished;
    expect(job.state.getState().phase).toMatchObject({ name: 'paused', report: { message: 'Overloaded' } });
    expect(server.received.length).toBeLessThan(10);
  });
});

describe('a job', () => {
  it('sends the same text once, and none that is stored', async () => {
    const server = aServer();
    const vectors = memoryVectorStore();
    await aJob(server, ['a', 'b'], vectors).run();
    const job = aJob(server, ['b', 'c', 'c', 'a'], vectors);
    await job.run();
    expect(server.received.map(({ input }) => input)).toEqual([['a', 'b'], ['c']]);
    expect(job.state.getState().counts).toEqual({ waiting: 0, known: 2, embedded: 2, failed: 0 });
    expect(job.state.getState().tokens).toBe(2);
    await aJob(server, ['a'], vectors, { setup: { dimensions: 64 } }).run();
    expect(server.received).toHaveLength(3);
  });

  it('loses no text to a bad one beside it', async () => {
    const server = aServer({ isBad: (text) => text === 'text 17' });
    const vectors = memoryVectorStore();
    const job = aJob(server, textsUpTo(90), vectors);
    await job.run();
    expect(job.state.getState().counts).toEqual({ waiting: 0, known: 0, embedded: 89, failed: 1 });
    expect(job.itemState(17)).toBe('failed');
    expect(job.failure(17)).toMatchObject({
      refusal: { message: 'An item can not be embedded', status: 422 },
    });
    expect(await stored(job, vectors)).toBe(89);
    expect(Math.max(...server.paidFor().values())).toBe(1);
  });

  it('asks for what failed again only when told to', async () => {
    let isBad = true;
    const server = aServer({ isBad: (text) => isBad && text === 'b' });
    const job = aJob(server, ['a', 'b'], memoryVectorStore());
    await job.run();
    const before = server.received.length;
    isBad = false;
    await job.run();
    expect(server.received).toHaveLength(before);
    await job.run({ retryFailed: true });
    expect(server.received.at(-1)?.input).toEqual(['b']);
    expect(job.state.getState().counts).toMatchObject({ embedded: 2, failed: 0 });
  });

  it('pauses when it is not about a text: no request is made for each of them', async () => {
    const server = aServer({ isBad: () => true });
    const job = aJob(server, textsUpTo(1000), memoryVectorStore());
    await job.run();
    expect(job.state.getState()).toMatchObject({
      phase: { name: 'paused', report: { message: 'An item can not be embedded' } },
      counts: { waiting: 1000, failed: 0 },
    });
    expect(server.received.length).toBeLessThan(10);
  });

  it('pauses at once when dimensions are refused, with the server’s words', async () => {
    const server = aServer({
      instead: (body) =>
        'dimensions' in body
          ? refusal(400, 'Model "m" does not support matryoshka representation')
          : undefined,
    });
    const job = aJob(server, textsUpTo(50), memoryVectorStore(), { setup: { dimensions: 64 } });
    await job.run();
    expect(job.state.getState().phase).toMatchObject({
      name: 'paused',
      report: { message: expect.stringContaining('matryoshka') },
    });
    expect(server.received).toHaveLength(1);
  });

  it('names a vector that can not be used, keeps the others, and stores no such thing', async () => {
    const server = aServer({ embedding: (text) => (text === 'text 3' ? [null, 1, 2] : [1, 2, 3]) });
    const vectors = memoryVectorStore();
    const job = aJob(server, textsUpTo(5), vectors);
    await job.run();
    expect(job.failure(3)).toEqual({ fault: 'not-a-number' });
    expect(job.state.getState().findings).toContainEqual({
      kind: 'not-a-number',
      weight: 'fault',
      inputs: [3],
      answers: 1,
    });
    expect(await stored(job, vectors)).toBe(4);
  });

  it('pays for no second batch when no vector of the first is of use', async () => {
    const server = aServer({ embedding: () => [0, 0, 0] });
    const job = aJob(server, textsUpTo(500), memoryVectorStore());
    await job.run();
    expect(server.received).toHaveLength(1);
    expect(job.state.getState().phase).toMatchObject({
      name: 'paused',
      report: { message: expect.stringContaining('Wire') },
    });
  });

  it('keeps what is under way when it is paused, and goes on with the rest', async () => {
    const first = aGate();
    const server = aServer({ held: first.opened });
    const vectors = memoryVectorStore();
    const job = aJob(server, textsUpTo(200), vectors);
    const ended = job.run();
    await until(() => server.asked() === 1);
    const paused = job.pause();
    first.open();
    await paused;
    await ended;
    expect(job.state.getState().phase).toEqual({ name: 'paused' });
    const before = job.state.getState().counts.embedded;
    expect(before).toBe(32);
    expect(await stored(job, vectors)).toBe(before);
    await job.run();
    expect(job.state.getState().phase).toEqual({ name: 'done' });
    expect(Math.max(...server.paidFor().values())).toBe(1);
    expect(server.paidFor().size).toBe(200);
  });

  it('gives up what is under way when it is paused twice', async () => {
    const server = aServer({ held: aGate().opened });
    const job = aJob(server, ['a'], memoryVectorStore());
    const ended = job.run();
    await until(() => server.asked() === 1);
    void job.pause();
    void job.pause();
    await ended;
    expect(job.state.getState()).toMatchObject({ phase: { name: 'paused' }, counts: { waiting: 1 } });
  });

  it('sends one list of tokens as it is, and several as lists', async () => {
    const server = aServer();
    const vectors = memoryVectorStore();
    await aJob(server, [[5, 6, 7]], vectors).run();
    await aJob(server, [[5, 6], [8]], vectors).run();
    expect(server.received.map(({ input }) => input)).toEqual([
      [5, 6, 7],
      [[5, 6], [8]],
    ]);
  });

  it('keeps the last requests for those who look at the wire, without the vectors', async () => {
    const server = aServer();
    const job = aJob(server, ['a'], memoryVectorStore());
    await job.run();
    const [exchange] = job.state.getState().exchanges;
    expect(exchange?.request).toEqual({ model: 'm', input: ['a'], encoding_format: 'float' });
    expect(exchange?.answer).toMatchObject({
      status: 200,
      length: 3,
      firstItems: [{ index: 0, embedding: [2, 1, 0.5] }],
    });
    expect(exchange?.answer).not.toHaveProperty('items');
  });
});
