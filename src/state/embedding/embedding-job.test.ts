import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createServerClient } from '../../gateway/client.ts';
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
  /** Returns a custom response, or undefined for the default. */
  respond?: (body: Record<string, unknown>, count: number) => Response | undefined;
  createEmbedding?: (text: string) => unknown;
  responseDelayMs?: number;
  /** Delays all responses until it resolves. */
  responseGate?: Promise<void>;
}

const createRejection = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { message, type: 'refused', code: String(status) } },
    { status, headers: { 'x-gateway-headers': '{}', ...headers } },
  );

/** Creates an independent gateway (§2.7) that records the requests it receives. */
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
  /** Counts how often each text was part of a successful request. */
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
  const gateway = createServerClient({ fetch: server.fetch, monotonicNow: () => Date.now() });
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

/** Records the phases that the job enters from now on. */
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

describe('4,000 texts at 50 requests per minute', () => {
  // Loads lazy modules first, since fake time would advance while they load.
  beforeAll(() =>
    Promise.all([
      import('../../gateway/embeddings/embed.ts'),
      import('../../gateway/errors/error-report.ts'),
    ]),
  );
  beforeEach(() => {
    // Fakes the clock only; the database needs real tasks.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1_700_000_000_000 });
    vi.stubGlobal('indexedDB', new IDBFactory());
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  let storeCalls = 0;
  /** Counts pending calls of the store, so that fake time stops while it works. */
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

  /** Advances fake time until the condition holds. */
  async function advanceTimeUntil(job: EmbeddingJob, isReached: () => boolean): Promise<void> {
    // The lookup finishes before any timer is needed.
    while (job.state.getState().phase.name === 'looking') await vi.advanceTimersByTimeAsync(1);
    for (let seconds = 0; !isReached(); seconds += 1) {
      if (seconds > 7200) throw new Error('Two hours have passed');
      await vi.advanceTimersByTimeAsync(1000);
      await waitUntil(() => storeCalls === 0);
    }
  }

  it('receives no 429, survives a reload halfway and sends no text twice', async () => {
    const server = createTestServer({ perMinute: 50, maxItems: 32, responseDelayMs: 300 });
    const texts = createTexts(4000);

    // Simulates closing the page while the job waits for the rate limit: the job is not notified, and no further
    // request reaches the server.
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

    // A new page with a new queue must still count the requests sent within the last minute.
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
    // The batch size learned in the first visit is used in the second.
    expect(
      server.received.slice(sentBefore).every(({ input, status }) => status === 200 && input.length <= 32),
    ).toBe(true);
    const [last] = await (await openVectorStore()).get([secondJob.getKeys()[3999] ?? '']);
    expect(last?.vector).toEqual(Float32Array.from(['text 3999'.length + 1, 1, 0.5]));
  });

  it("waits as long as a gateway's 429 requires and then continues", async () => {
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

  it("pauses with the gateway's message after repeated rejections", async () => {
    const server = createTestServer({ respond: () => createRejection(503, 'Overloaded') });
    const job = createTestJob(server, ['one'], createMemoryVectorStore());
    const finished = job.run();
    await advanceTimeUntil(job, () => job.state.getState().phase.name === 'paused');
    await finished;
    expect(job.state.getState().phase).toMatchObject({ name: 'paused', report: { message: 'Overloaded' } });
    expect(server.received).toHaveLength(7);
  });

  it("waits indefinitely for our own server's rate limit, and resets the rejection count after each success", async () => {
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

    // Returns five rejections, one success and five more rejections.
    const overloadedServer = createTestServer({
      respond: (_body, count) =>
        count % 6 < 5 && count < 11 ? createRejection(503, 'Overloaded') : undefined,
    });
    const job = createTestJob(overloadedServer, createTexts(60), createMemoryVectorStore());
    void job.run();
    await advanceTimeUntil(job, () => job.state.getState().phase.name === 'done');
    expect(job.state.getState().counts.embedded).toBe(60);
  });

  it('shows pausing instead of waiting if a 429 arrives after the pause', async () => {
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

describe('an embedding job', () => {
  it('sends equal texts once and never sends stored texts', async () => {
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

  it('embeds all other texts of a batch that contains a bad text', async () => {
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

  it('continues past several bad texts, even if the first text is bad', async () => {
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

  it('counts total_tokens if prompt_tokens is missing, and none without usage', async () => {
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

  it('sends larger batches for shorter vectors', async () => {
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

  it('puts two long texts into separate requests', async () => {
    const server = createTestServer();
    const texts = ['a', 'b'].map((letter) => letter.repeat(250_000));
    await createTestJob(server, ['short', ...texts], createMemoryVectorStore()).run();
    expect(server.received.map(({ input }) => input.length)).toEqual([2, 1]);
  });

  it('retries failed texts only on request', async () => {
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

  it('pauses after a few requests if all texts are rejected', async () => {
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
  ])('pauses after one request and blames no text if %s is rejected', async (name, message) => {
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

  it('blames no text if a field is rejected after a success', async () => {
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

  it('pauses and names the missing field', async () => {
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

  it('reports packed bits and the field that requested them', async () => {
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

  it('reports an unusable vector and stores only the others', async () => {
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

  it('sends no second batch if no vector of the first is usable', async () => {
    const server = createTestServer({ createEmbedding: () => [0, 0, 0] });
    const job = createTestJob(server, createTexts(500), createMemoryVectorStore());
    await job.run();
    expect(server.received).toHaveLength(1);
    expect(job.state.getState().phase).toMatchObject({
      name: 'paused',
      report: { message: expect.stringContaining('Wire') },
    });
  });

  it('reports the request ID of an unusable response', async () => {
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

  it('stores requests in flight on pause and resumes with the rest', async () => {
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

  it('aborts requests in flight on a second pause', async () => {
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

  it('sends a single token list unchanged and several token lists as a list of lists', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    await createTestJob(server, [[5, 6, 7]], vectors).run();
    await createTestJob(server, [[5, 6], [8]], vectors).run();
    expect(server.received.map(({ input }) => input)).toEqual([
      [5, 6, 7],
      [[5, 6], [8]],
    ]);
  });

  it('keeps the last exchanges without the vectors', async () => {
    const server = createTestServer();
    const job = createTestJob(server, ['a'], createMemoryVectorStore());
    await job.run();
    const [exchange] = job.state.getState().exchanges;
    expect(exchange?.request).toEqual({ model: 'm', input: ['a'], encoding_format: 'float' });
    expect(exchange?.response).toMatchObject({ status: 200, length: 3 });
    expect(exchange?.response).not.toHaveProperty('items');
  });

  it('keeps the last 20 exchanges and the start of long responses', async () => {
    const vectors = createMemoryVectorStore();
    await saveCeiling(vectors, { model: 'm' }, 1);
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

  it('reports progress during a run and clears it afterwards', async () => {
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
    // A second lookup still counts these inputs as embedded by this job.
    await job.run({ lookupOnly: true });
    expect(job.state.getState().counts).toEqual({ waiting: 0, known: 2, embedded: 98, failed: 0 });
  });

  it('sends one batch until the first success, then two at a time', async () => {
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

  it('runs once, even if started several times', async () => {
    const server = createTestServer();
    const job = createTestJob(server, ['a'], createMemoryVectorStore());
    await Promise.all([job.run(), job.run({ lookupOnly: true })]);
    expect(server.getRequestCount()).toBe(1);
    await job.pause();
    expect(job.state.getState().phase).toEqual({ name: 'done' });
  });

  it('counts stored texts with lookupOnly and sends nothing', async () => {
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

  it('stores the token count of a text sent alone, but not of texts sent together', async () => {
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

  it("reports the status of every gateway response, but not of our own server's responses", async () => {
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

  it('pauses with the error of a failing database and sends nothing', async () => {
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

  it('waits while another tab is embedding, can be cancelled, and runs short jobs immediately', async () => {
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

  it('rejects vectors of a different length, even if the first length is known only from storage', async () => {
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
