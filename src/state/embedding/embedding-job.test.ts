import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createGateway } from '../../gateway/client.ts';
import { openVectorStore } from '../../storage/vector-db.ts';
import { createMemoryVectorStore, type VectorStore } from '../../storage/vector-store.ts';
import { createTestBrowser } from '../../testing/browser.ts';
import { createGate } from '../../testing/builders.ts';
import { waitForStableNumber, waitUntil } from '../../testing/wait-until.ts';
import { createRunQueue } from '../runs/run-queue.ts';
import { acquireEmbeddingLock } from '../tabs/embedding-lock.ts';
import type { EmbeddingJob, EmbeddingJobDeps, JobSetup } from './embedding-job-types.ts';
import { createEmbeddingJob } from './embedding-job.ts';
import { saveCeiling } from './embedding-notes.ts';

interface ReceivedBatch {
  receivedAt: number;
  status: number;
  input: unknown[];
}

interface ServerRules {
  perMinute?: number;
  maxItems?: number;
  isBad?: (text: unknown) => boolean;
  /** A status and body instead of the usual answer, or undefined. */
  respond?: (body: Record<string, unknown>, count: number) => Response | undefined;
  createEmbedding?: (text: string) => unknown;
  responseDelayMs?: number;
  /** No answer comes before this. */
  responseGate?: Promise<void>;
}

const createRejection = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { message, type: 'refused', code: String(status) } },
    { status, headers: { 'x-gateway-headers': '{}', ...headers } },
  );

/** A gateway that counts what it was sent. Nothing of it is ours: it answers as §2.7 says. */
function createTestServer(rules: ServerRules = {}) {
  const received: ReceivedBatch[] = [];
  const accepted: number[] = [];
  let requestCount = 0;
  const createEmbedding = rules.createEmbedding ?? ((text: string) => [text.length + 1, 1, 0.5]);
  const fetch = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    const body: Record<string, unknown> = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
    const input: unknown[] = Array.isArray(body['input']) ? body['input'] : [body['input']];
    const recordResponse = (response: Response) => {
      received.push({ receivedAt: Date.now(), status: response.status, input });
      return response;
    };
    requestCount += 1;
    const aborted = new Promise<never>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
    await Promise.race([aborted, rules.responseGate]);
    const { responseDelayMs } = rules;
    if (responseDelayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, responseDelayMs));
    const customResponse = rules.respond?.(body, received.length);
    if (customResponse) return recordResponse(customResponse);
    const recent = accepted.filter((acceptedAt) => acceptedAt > Date.now() - 60_000);
    if (recent.length >= (rules.perMinute ?? Number.POSITIVE_INFINITY))
      return recordResponse(createRejection(429, 'Too many requests'));
    accepted.push(Date.now());
    if (input.length > (rules.maxItems ?? 2048))
      return recordResponse(createRejection(400, 'Too many items'));
    if (input.some((text) => rules.isBad?.(text)))
      return recordResponse(createRejection(422, 'An item cannot be embedded'));
    return recordResponse(
      Response.json({
        object: 'list',
        model: body['model'],
        data: input.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: createEmbedding(String(text)),
        })),
        usage: { prompt_tokens: input.length * 2, total_tokens: input.length * 2 },
      }),
    );
  };
  /** How often each text was sent in a request that was answered with vectors. */
  const countPaidByText = () => {
    const counts = new Map<unknown, number>();
    for (const { status, input } of received)
      if (status === 200) for (const text of input) counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
  };
  return { fetch, received, countPaidByText, getRequestCount: () => requestCount };
}

let lastId = 0;
function createTestJob(
  server: ReturnType<typeof createTestServer>,
  inputs: readonly (string | number[])[],
  vectors: VectorStore,
  options: { setup?: Partial<JobSetup>; limit?: number } & Pick<EmbeddingJobDeps, 'onStatus' | 'locks'> = {},
): EmbeddingJob {
  const gateway = createGateway({ fetch: server.fetch, monotonicNow: () => Date.now() });
  const queue = createRunQueue({ now: () => Date.now(), getLimit: () => options.limit ?? 0 });
  const setup: JobSetup = { model: 'm', format: 'float', ...options.setup };
  return createEmbeddingJob(setup, inputs, {
    gateway,
    queue,
    vectors,
    now: () => Date.now(),
    newId: () => `id-${(lastId += 1)}`,
    random: () => 0.5,
    ...(options.onStatus ? { onStatus: options.onStatus } : {}),
    locks: options.locks,
  });
}

/** The phases that the job goes through from now on. */
function recordPhases(job: EmbeddingJob): string[] {
  const phases: string[] = [];
  job.state.subscribe(({ phase }) => {
    if (phase.name !== 'looking' && phase.name !== phases.at(-1)) phases.push(phase.name);
  });
  return phases;
}

const createTexts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);
const countStored = async (job: EmbeddingJob, vectors: VectorStore) =>
  (await vectors.has(job.getKeys())).filter(Boolean).length;

describe('four thousand texts at fifty requests per minute', () => {
  // Loaded on demand: while the machine fetches them, virtual time would run on between leaving and arriving.
  beforeAll(() =>
    Promise.all([
      import('../../gateway/embeddings/embed.ts'),
      import('../../gateway/errors/error-report.ts'),
    ]),
  );
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
  function withCallCount(store: VectorStore): VectorStore {
    const count = async <Result>(call: Promise<Result>): Promise<Result> => {
      storeCalls += 1;
      return call.finally(() => (storeCalls -= 1));
    };
    return {
      ...store,
      get: (keys) => count(store.get(keys)),
      has: (keys) => count(store.has(keys)),
      put: (vectors) => count(store.put(vectors)),
      readNote: (id) => count(store.readNote(id)),
      putNote: (id, value) => count(store.putNote(id, value)),
    };
  }

  /** Lets virtual time pass until this is so. */
  async function advanceTimeUntil(job: EmbeddingJob, isReached: () => boolean): Promise<void> {
    // It finds out what there is to do before anything is waited for.
    while (job.state.getState().phase.name === 'looking') await vi.advanceTimersByTimeAsync(1);
    for (let seconds = 0; !isReached(); seconds += 1) {
      if (seconds > 7200) throw new Error('Two hours have passed');
      await vi.advanceTimersByTimeAsync(1000);
      await waitUntil(() => storeCalls === 0);
    }
  }

  it('meets no 429, survives a reload half-way, and sends no text twice', async () => {
    const server = createTestServer({ perMinute: 50, maxItems: 32, responseDelayMs: 300 });
    const texts = createTexts(4000);

    // The first visit ends as a page does that is closed while it waits for its turn: nothing is told to it, and
    // nothing of it reaches the server any more.
    let isOpen = true;
    let inFlightCount = 0;
    const pageFetch: typeof server.fetch = async (input, init) => {
      if (!isOpen) throw new TypeError('The page is gone');
      inFlightCount += 1;
      return server.fetch(input, init).finally(() => (inFlightCount -= 1));
    };
    const firstStore = withCallCount(await openVectorStore());
    const firstJob = createTestJob({ ...server, fetch: pageFetch }, texts, firstStore, { limit: 50 });
    void firstJob.run();
    const isHalfWay = () => {
      const { embedded } = firstJob.state.getState().counts;
      return embedded >= 1900 && inFlightCount === 0 && embedded === server.countPaidByText().size;
    };
    await advanceTimeUntil(firstJob, () => isHalfWay() && firstJob.state.getState().phase.name === 'running');
    isOpen = false;
    const sentBefore = server.received.length;
    const embeddedCount = firstJob.state.getState().counts.embedded;
    expect(embeddedCount).toBeGreaterThanOrEqual(1900);
    expect(embeddedCount).toBeLessThan(4000);

    // A new page at once, with a new queue: it must remember what was sent in this minute.
    const secondJob = createTestJob(server, texts, withCallCount(await openVectorStore()), { limit: 50 });
    const finished = secondJob.run();
    await advanceTimeUntil(secondJob, () => secondJob.state.getState().phase.name === 'done');
    await finished;

    expect(secondJob.state.getState().counts).toEqual({
      waiting: 0,
      known: embeddedCount,
      embedded: 4000 - embeddedCount,
      failed: 0,
    });
    expect(server.received.length).toBeGreaterThan(sentBefore);
    expect(server.received.map(({ status }) => status)).not.toContain(429);
    const paidCounts = server.countPaidByText();
    expect(paidCounts.size).toBe(4000);
    expect(Math.max(...paidCounts.values())).toBe(1);
    // What the server takes at once was learned in the first visit, and is known in the second.
    expect(
      server.received.slice(sentBefore).every(({ input, status }) => status === 200 && input.length <= 32),
    ).toBe(true);
    const [last] = await (await openVectorStore()).get([secondJob.getKeys()[3999] ?? '']);
    expect(last?.vector).toEqual(Float32Array.from(['text 3999'.length + 1, 1, 0.5]));
  });

  it('waits out a limit that the gateway keeps, as long as it asks, and goes on', async () => {
    const server = createTestServer({
      respond: (_body, count) =>
        count === 0 ? createRejection(429, 'Slow down', { 'retry-after': '20' }) : undefined,
    });
    const job = createTestJob(server, ['one'], createMemoryVectorStore());
    const startedAt = Date.now();
    const phases = recordPhases(job);
    const finished = job.run();
    await advanceTimeUntil(job, () => job.state.getState().phase.name === 'waiting');
    expect(job.state.getState().phase).toMatchObject({ name: 'waiting', report: { message: 'Slow down' } });
    await advanceTimeUntil(job, () => job.state.getState().phase.name === 'done');
    await finished;
    expect(server.received.map(({ status }) => status)).toEqual([429, 200]);
    expect((server.received[1]?.receivedAt ?? 0) - startedAt).toBeGreaterThanOrEqual(20_000);
    expect(phases).toEqual(['running', 'waiting', 'running', 'done']);
    const { durationMs } = job.state.getState();
    expect(durationMs).toBeGreaterThanOrEqual(20_000);
    expect(durationMs).toBeLessThanOrEqual(Date.now() - startedAt);
    await job.run();
    expect(job.state.getState().durationMs).toBe(durationMs);
  });

  it('pauses with the words of a gateway that never stops refusing', async () => {
    const server = createTestServer({ respond: () => createRejection(503, 'Overloaded') });
    const job = createTestJob(server, ['one'], createMemoryVectorStore());
    const finished = job.run();
    await advanceTimeUntil(job, () => job.state.getState().phase.name === 'paused');
    await finished;
    expect(job.state.getState().phase).toMatchObject({ name: 'paused', report: { message: 'Overloaded' } });
    expect(server.received).toHaveLength(7);
  });

  it('never gives up on the limit of our own server, and each answer starts the count of refusals again', async () => {
    const createServerRateLimit = () =>
      Response.json(
        { error: { message: 'Wait', type: 'rate_limit_exceeded', code: '429' } },
        { status: 429, headers: { 'retry-after': '1' } },
      );
    const rateLimitedServer = createTestServer({
      respond: (_body, count) => (count < 10 ? createServerRateLimit() : undefined),
    });
    const rateLimitedJob = createTestJob(rateLimitedServer, ['one'], createMemoryVectorStore());
    void rateLimitedJob.run();
    await advanceTimeUntil(rateLimitedJob, () => rateLimitedJob.state.getState().phase.name === 'done');
    expect(rateLimitedServer.received).toHaveLength(11);

    // Five refusals, an answer, and five more.
    const overloadedServer = createTestServer({
      respond: (_body, count) =>
        count % 6 < 5 && count < 11 ? createRejection(503, 'Overloaded') : undefined,
    });
    const job = createTestJob(overloadedServer, createTexts(60), createMemoryVectorStore());
    void job.run();
    await advanceTimeUntil(job, () => job.state.getState().phase.name === 'done');
    expect(job.state.getState().counts.embedded).toBe(60);
  });

  it('is pausing and not waiting where the gateway asks for time after it was told to pause', async () => {
    const gate = createGate();
    const server = createTestServer({
      responseGate: gate.opened,
      respond: () => createRejection(429, 'Slow down'),
    });
    const job = createTestJob(server, ['one'], createMemoryVectorStore());
    const ended = job.run();
    await waitUntil(() => server.getRequestCount() === 1);
    const phases = recordPhases(job);
    const paused = job.pause();
    gate.open();
    await Promise.all([paused, ended]);
    expect(phases).toEqual(['pausing', 'paused']);
    expect(job.state.getState().counts).toMatchObject({ waiting: 1, failed: 0 });
  });
});

describe('a job', () => {
  it('sends the same text once, and none that is stored', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    await createTestJob(server, ['a', 'b'], vectors).run();
    const job = createTestJob(server, ['b', 'c', 'c', 'a'], vectors);
    await job.run();
    expect(server.received.map(({ input }) => input)).toEqual([['a', 'b'], ['c']]);
    expect(job.state.getState().counts).toEqual({ waiting: 0, known: 2, embedded: 2, failed: 0 });
    expect(job.state.getState().tokens).toBe(2);
    await createTestJob(server, ['a'], vectors, { setup: { dimensions: 64 } }).run();
    expect(server.received).toHaveLength(3);
  });

  it('loses no text to a bad one beside it', async () => {
    const server = createTestServer({ isBad: (text) => text === 'text 17' });
    const vectors = createMemoryVectorStore();
    const job = createTestJob(server, createTexts(90), vectors);
    await job.run();
    expect(job.state.getState().counts).toEqual({ waiting: 0, known: 0, embedded: 89, failed: 1 });
    expect(job.getItemState(17)).toBe('failed');
    expect(job.getFailure(17)).toMatchObject({
      rejection: { message: 'An item cannot be embedded', status: 422 },
    });
    expect(await countStored(job, vectors)).toBe(89);
    expect(Math.max(...server.countPaidByText().values())).toBe(1);
  });

  it('goes on beside several bad ones, also where the first of all is bad', async () => {
    const bad = new Set<unknown>(['text 17', 'text 40']);
    const job = createTestJob(
      createTestServer({ isBad: (text) => bad.has(text) }),
      createTexts(90),
      createMemoryVectorStore(),
    );
    await job.run();
    expect(job.state.getState()).toMatchObject({
      phase: { name: 'done' },
      counts: { embedded: 88, failed: 2 },
    });
    const first = createTestJob(
      createTestServer({ isBad: (text) => text === 'text 0' }),
      createTexts(2),
      createMemoryVectorStore(),
    );
    await first.run();
    expect(first.state.getState()).toMatchObject({
      phase: { name: 'done' },
      counts: { embedded: 1, failed: 1 },
    });
  });

  it('counts the tokens of all its texts where the answer names no others, and none where it names none', async () => {
    const embedAndReadTokens = async (usage: object) => {
      const data = [{ object: 'embedding', index: 0, embedding: [1, 2, 3] }];
      const server = createTestServer({
        respond: () => Response.json({ object: 'list', model: 'm', data, ...usage }),
      });
      const job = createTestJob(server, ['a'], createMemoryVectorStore());
      await job.run();
      expect(job.state.getState().counts.embedded).toBe(1);
      return job.state.getState().tokens;
    };
    expect(await embedAndReadTokens({ usage: { total_tokens: 7 } })).toBe(7);
    expect(await embedAndReadTokens({})).toBeUndefined();
  });

  it('asks for more at once the shorter the vectors will be', async () => {
    const measureLargestRequest = async (dimensions: number | undefined) => {
      const length = dimensions ?? 3;
      const server = createTestServer({
        createEmbedding: () => Array.from({ length }, (_, position) => position + 1),
      });
      const setup = dimensions === undefined ? {} : { dimensions };
      await createTestJob(server, createTexts(1500), createMemoryVectorStore(), { setup }).run();
      return Math.max(...server.received.map(({ input }) => input.length));
    };
    expect(await measureLargestRequest(undefined)).toBe(221);
    expect(await measureLargestRequest(8)).toBeGreaterThan(221);
  });

  it('puts no two texts into one request that are too long for it together', async () => {
    const server = createTestServer();
    const texts = ['a', 'b'].map((letter) => letter.repeat(250_000));
    await createTestJob(server, ['short', ...texts], createMemoryVectorStore()).run();
    expect(server.received.map(({ input }) => input.length)).toEqual([2, 1]);
  });

  it('asks for what failed again only when told to', async () => {
    let isBad = true;
    const server = createTestServer({ isBad: (text) => isBad && text === 'b' });
    const job = createTestJob(server, ['a', 'b'], createMemoryVectorStore());
    await job.run();
    const sentBefore = server.received.length;
    isBad = false;
    await job.run();
    expect(server.received).toHaveLength(sentBefore);
    await job.run({ retryFailed: true });
    expect(server.received.at(-1)?.input).toEqual(['b']);
    expect(job.state.getState().counts).toMatchObject({ embedded: 2, failed: 0 });
  });

  it('pauses when it is not about a text: no request is made for each of them', async () => {
    const server = createTestServer({ isBad: () => true });
    const job = createTestJob(server, createTexts(1000), createMemoryVectorStore());
    await job.run();
    expect(job.state.getState()).toMatchObject({
      phase: { name: 'paused', report: { message: 'An item cannot be embedded' } },
      counts: { waiting: 1000, failed: 0 },
    });
    expect(server.received.length).toBeLessThan(10);
  });

  it.each([
    ['dimensions', 'Model "m" does not support matryoshka representation'],
    ['encoding_format', 'encoding_format must be omitted: it is not supported by this model'],
    ['input_type', "Extra inputs are not permitted: 'input_type'"],
    ['task', 'Unrecognized request argument supplied: task'],
  ])('pauses after one request when %s is refused, and blames no text', async (name, message) => {
    const server = createTestServer({
      respond: (body) => (name in body ? createRejection(400, message) : undefined),
    });
    const fields = { input_type: 'passage', task: 'retrieval' };
    const setup = { dimensions: 64, fields };
    const job = createTestJob(server, createTexts(50), createMemoryVectorStore(), { setup });
    await job.run();
    expect(job.state.getState()).toMatchObject({
      phase: { name: 'paused', report: { message }, field: { name, kind: 'refused' } },
      counts: { waiting: 50, failed: 0 },
    });
    expect(server.received).toHaveLength(1);
  });

  it('blames no text either when a field is refused after others were accepted', async () => {
    const server = createTestServer({
      respond: (_body, count) =>
        count > 1 ? createRejection(422, 'input_type: not allowed here') : undefined,
    });
    const setup = { fields: { input_type: 'passage' } };
    const job = createTestJob(server, createTexts(500), createMemoryVectorStore(), { setup });
    await job.run();
    expect(job.state.getState().phase).toMatchObject({ field: { name: 'input_type', kind: 'refused' } });
    expect(job.state.getState().counts.failed).toBe(0);
  });

  it('pauses and names the field that is missing', async () => {
    const server = createTestServer({
      respond: (body) =>
        'input_type' in body
          ? undefined
          : createRejection(400, "'input_type' parameter is required for this model"),
    });
    const job = createTestJob(server, createTexts(50), createMemoryVectorStore());
    await job.run();
    expect(job.state.getState().phase).toMatchObject({ field: { name: 'input_type', kind: 'missing' } });
    expect(server.received).toHaveLength(1);
  });

  it('names packed bits and the field that asked for them', async () => {
    const vectors = createMemoryVectorStore();
    const server = createTestServer({ createEmbedding: () => [17, -40, 127, 3] });
    const setup = { fields: { output_dtype: 'binary' } };
    const job = createTestJob(server, createTexts(500), vectors, { setup });
    await job.run();
    expect(job.state.getState().phase).toMatchObject({
      name: 'paused',
      report: { message: expect.stringContaining('packed bits') },
      field: { name: 'output_dtype', kind: 'unusable' },
    });
    expect([server.received.length, await countStored(job, vectors)]).toEqual([1, 0]);
  });

  it('names a vector that cannot be used, keeps the others, and stores no such thing', async () => {
    const server = createTestServer({
      createEmbedding: (text) => (text === 'text 3' ? [null, 1, 2] : [1, 2, 3]),
    });
    const vectors = createMemoryVectorStore();
    const job = createTestJob(server, createTexts(5), vectors);
    await job.run();
    expect(job.getFailure(3)).toEqual({ fault: 'not-a-number' });
    expect(job.state.getState().findings).toContainEqual({
      kind: 'not-a-number',
      severity: 'fault',
      inputs: [3],
      responseCount: 1,
    });
    expect(await countStored(job, vectors)).toBe(4);
  });

  it('pays for no second batch when no vector of the first is of use', async () => {
    const server = createTestServer({ createEmbedding: () => [0, 0, 0] });
    const job = createTestJob(server, createTexts(500), createMemoryVectorStore());
    await job.run();
    expect(server.received).toHaveLength(1);
    expect(job.state.getState().phase).toMatchObject({
      name: 'paused',
      report: { message: expect.stringContaining('Wire') },
    });
  });

  it('names the request whose answer was of no use', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [0, 0, 0] }];
    const createResponse = () =>
      Response.json({ object: 'list', data }, { headers: { 'x-request-id': 'r1' } });
    const job = createTestJob(
      createTestServer({ respond: createResponse }),
      ['a'],
      createMemoryVectorStore(),
    );
    await job.run();
    expect(job.state.getState().phase).toMatchObject({
      name: 'paused',
      report: { status: 200, requestId: 'r1' },
    });
  });

  it('keeps what is under way when it is paused, and goes on with the rest', async () => {
    const gate = createGate();
    const server = createTestServer({ responseGate: gate.opened });
    const vectors = createMemoryVectorStore();
    const job = createTestJob(server, createTexts(200), vectors);
    const ended = job.run();
    await waitUntil(() => server.getRequestCount() === 1);
    const paused = job.pause();
    gate.open();
    await paused;
    await ended;
    expect(job.state.getState().phase).toEqual({ name: 'paused' });
    const embeddedBefore = job.state.getState().counts.embedded;
    expect(embeddedBefore).toBe(32);
    expect(await countStored(job, vectors)).toBe(embeddedBefore);
    await job.run();
    expect(job.state.getState().phase).toEqual({ name: 'done' });
    expect(Math.max(...server.countPaidByText().values())).toBe(1);
    expect(server.countPaidByText().size).toBe(200);
  });

  it('gives up what is under way when it is paused twice', async () => {
    const server = createTestServer({ responseGate: createGate().opened });
    const job = createTestJob(server, ['a'], createMemoryVectorStore());
    const ended = job.run();
    await waitUntil(() => server.getRequestCount() === 1);
    void job.pause();
    void job.pause();
    await ended;
    expect(job.state.getState().phase).toEqual({ name: 'paused' });
    expect(job.state.getState()).toMatchObject({ counts: { waiting: 1 }, requests: 0 });
  });

  it('sends one list of tokens as it is, and several as lists', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    await createTestJob(server, [[5, 6, 7]], vectors).run();
    await createTestJob(server, [[5, 6], [8]], vectors).run();
    expect(server.received.map(({ input }) => input)).toEqual([
      [5, 6, 7],
      [[5, 6], [8]],
    ]);
  });

  it('keeps the last requests for those who look at the wire, without the vectors', async () => {
    const server = createTestServer();
    const job = createTestJob(server, ['a'], createMemoryVectorStore());
    await job.run();
    const [exchange] = job.state.getState().exchanges;
    expect(exchange?.request).toEqual({ model: 'm', input: ['a'], encoding_format: 'float' });
    expect(exchange?.response).toMatchObject({ status: 200, length: 3 });
    expect(exchange?.response).not.toHaveProperty('items');
  });

  it('keeps of the wire the last twenty requests, and of a long answer its beginning', async () => {
    const vectors = createMemoryVectorStore();
    await saveCeiling(vectors, 'm', 1);
    const job = createTestJob(createTestServer(), createTexts(25), vectors);
    await job.run();
    const { exchanges, requests } = job.state.getState();
    expect(requests).toBe(25);
    expect(exchanges.map(({ request }) => request.input)).toEqual(
      createTexts(25)
        .slice(5)
        .map((text) => [text]),
    );
    const length = 20_000;
    const longVectorServer = createTestServer({ createEmbedding: () => Array.from({ length }, () => 0.25) });
    const longVectorJob = createTestJob(longVectorServer, ['a'], createMemoryVectorStore());
    await longVectorJob.run();
    const [exchange] = longVectorJob.state.getState().exchanges;
    expect(exchange?.response?.raw).toHaveLength(64 * 1024);
    expect(exchange?.response?.rawLength).toBeGreaterThan(4 * length);
  });

  it('tells while it runs how much was done before and how much there is to come, and no longer after it', async () => {
    const gate = createGate();
    const vectors = createMemoryVectorStore();
    await createTestJob(createTestServer(), ['text 1', 'text 2'], vectors).run();
    const server = createTestServer({ responseGate: gate.opened });
    const job = createTestJob(server, createTexts(100), vectors);
    expect(job.state.getState()).toMatchObject({ counts: { waiting: 100 }, batchSize: 0, likelyRequests: 0 });
    const ended = job.run();
    await waitUntil(() => server.getRequestCount() === 1);
    expect(job.state.getState()).toMatchObject({
      run: { doneBefore: 2 },
      counts: { waiting: 98, known: 2 },
      batchSize: 32,
      likelyRequests: 3,
    });
    gate.open();
    await ended;
    expect(job.state.getState()).toMatchObject({ run: undefined, likelyRequests: 0 });
    // Looked at again, what was embedded by this job still counts as that.
    await job.run({ lookupOnly: true });
    expect(job.state.getState().counts).toEqual({ waiting: 0, known: 2, embedded: 98, failed: 0 });
  });

  it('asks for one batch until it is answered, and for two at a time from then on', async () => {
    const [firstGate, laterGate] = [createGate(), createGate()];
    const rules: ServerRules = { responseGate: firstGate.opened };
    const server = createTestServer(rules);
    const job = createTestJob(server, createTexts(400), createMemoryVectorStore());
    const ended = job.run();
    await waitUntil(() => server.getRequestCount() === 1);
    expect(await waitForStableNumber(server.getRequestCount)).toBe(1);
    rules.responseGate = laterGate.opened;
    firstGate.open();
    await waitUntil(() => server.getRequestCount() === 3);
    expect(await waitForStableNumber(server.getRequestCount)).toBe(3);
    laterGate.open();
    await ended;
    expect(job.state.getState()).toMatchObject({
      phase: { name: 'done' },
      counts: { embedded: 400 },
      requests: server.getRequestCount(),
      tokens: 800,
      length: 3,
    });
    expect(job.state.getState().batchSize).toBeGreaterThan(64);
  });

  it('runs once however often it is told to', async () => {
    const server = createTestServer();
    const job = createTestJob(server, ['a'], createMemoryVectorStore());
    await Promise.all([job.run(), job.run({ lookupOnly: true })]);
    expect(server.getRequestCount()).toBe(1);
    await job.pause();
    expect(job.state.getState().phase).toEqual({ name: 'done' });
  });

  it('only looks where that is all it is asked: what is stored is counted, and nothing is sent', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    await createTestJob(server, ['a'], vectors).run();
    const job = createTestJob(server, ['a', 'b'], vectors);
    await job.run({ lookupOnly: true });
    expect(server.getRequestCount()).toBe(1);
    expect(job.state.getState()).toMatchObject({
      phase: { name: 'paused' },
      counts: { waiting: 1, known: 1, embedded: 0, failed: 0 },
      requests: 0,
      length: 3,
    });
    expect([job.getItemState(0), job.getItemState(1)]).toEqual(['known', 'waiting']);
    await job.run();
    expect(job.state.getState().phase).toEqual({ name: 'done' });
  });

  it('keeps with a text that was sent alone what it cost, and with several nothing', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    const singleTextJob = createTestJob(server, ['a'], vectors);
    await singleTextJob.run();
    const twoTextJob = createTestJob(server, ['b', 'c'], vectors);
    await twoTextJob.run();
    const [a, b] = await vectors.get([...singleTextJob.getKeys(), ...twoTextJob.getKeys()]);
    expect(a?.tokens).toBe(2);
    expect(b).not.toHaveProperty('tokens');
    expect(twoTextJob.state.getState().tokens).toBe(4);
  });

  it('tells the status of every answer of the gateway, and of none of our own server', async () => {
    const statuses: number[] = [];
    const onStatus = (status: number) => void statuses.push(status);
    const runWith = (respond: () => Response | undefined) =>
      createTestJob(createTestServer({ respond }), ['a'], createMemoryVectorStore(), { onStatus }).run();
    await runWith(() => undefined);
    await runWith(() => createRejection(401, 'No key'));
    await runWith(() =>
      Response.json({ error: { message: 'Log in', type: 'login_required', code: '401' } }, { status: 401 }),
    );
    await runWith(() => {
      throw new TypeError('Failed to fetch');
    });
    expect(statuses).toEqual([200, 401]);
  });

  it('pauses with the words of a database that fails, and sends nothing', async () => {
    const server = createTestServer();
    const brokenStore: VectorStore = {
      ...createMemoryVectorStore(),
      has: () => Promise.reject(new Error('The disk does not answer.')),
    };
    const job = createTestJob(server, ['a'], brokenStore);
    await job.run();
    expect(job.state.getState().phase).toMatchObject({
      name: 'paused',
      report: { source: 'app', message: 'The disk does not answer.' },
    });
    expect(server.getRequestCount()).toBe(0);
  });

  it('waits for another tab that embeds, says so, and can be told not to; a short one does not wait', async () => {
    const browser = createTestBrowser();
    const [tab, otherTab] = [1, 2].map(() => browser.openTab({ origin: 'http://localhost' }));
    await acquireEmbeddingLock(otherTab?.page.locks, new AbortController().signal, () => undefined);
    const server = createTestServer();
    const job = createTestJob(server, ['a'], createMemoryVectorStore(), { locks: tab?.page.locks });
    const ended = job.run();
    await waitUntil(() => job.state.getState().phase.name === 'elsewhere');
    await job.pause();
    await ended;
    expect(job.state.getState().phase).toEqual({ name: 'paused' });
    expect(server.getRequestCount()).toBe(0);
    await job.run({ skipsQueue: true });
    expect(job.state.getState().phase).toEqual({ name: 'done' });
  });

  it('refuses a second length of vectors, also where the first is known from storage alone', async () => {
    const vectors = createMemoryVectorStore();
    await createTestJob(createTestServer(), ['a'], vectors).run();
    const secondJob = createTestJob(
      createTestServer({ createEmbedding: () => [1, 2, 3, 4] }),
      ['a', 'b'],
      vectors,
    );
    await secondJob.run();
    expect(secondJob.getItemState(1)).toBe('failed');
    expect(secondJob.state.getState().length).toBe(3);
  });
});
