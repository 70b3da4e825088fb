import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createLocalEngine } from '../../embedding/engine/local-engine.ts';
import { listSizesUpTo } from '../../embedding/items/model-dimensions.ts';
import { createServerClient } from '../../gateway/client.ts';
import { isRecord } from '../../lib/json.ts';
import { listEarlierVectorStores } from '../../storage/__fixtures__/earlier-records.ts';
import { createMemoryVectorStore, readStoredVector } from '../../storage/vector-store.ts';
import { createBench } from '../../testing/bench.ts';
import { createGate } from '../../testing/builders.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createUnsavedCounter } from '../drafts/unsaved-counter.ts';
import { computeKeys } from '../embedding/embedding-items.ts';
import { createGatewaySignals } from '../gateway-signals.ts';
import { createGateways } from '../gateways.ts';
import { createRunQueue } from '../runs/run-queue.ts';
import { noModel } from './lab-input.ts';
import { getJobTexts, getTextRow, getShownSet, countStaleTexts } from './lab-state.ts';
import { createLab, openLab } from './lab.ts';
import { createSavedSets, type SavedSets } from './saved-sets.ts';

interface RequestBody {
  model: string;
  input: string[];
  dimensions?: number;
}

/** Creates a server that returns vectors of 1,024 numbers, or of the requested size if it supports the field. */
function createTestServer(
  dimensions: 'taken' | 'refused' | 'ignored' = 'taken',
  /** Returns a custom response, or undefined for the default. */
  respond: (body: RequestBody) => Response | undefined | Promise<Response | undefined> = () => undefined,
) {
  const bodies: RequestBody[] = [];
  const fetch = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    const body: RequestBody = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
    bodies.push(body);
    const aborted = new Promise<never>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('Gone', 'AbortError')));
    });
    const customResponse = await Promise.race([aborted, respond(body)]);
    if (customResponse) return customResponse;
    if (body.dimensions !== undefined && dimensions === 'refused') {
      const error = {
        message: 'Model does not support matryoshka representation',
        type: 'BadRequest',
        code: '400',
      };
      return Response.json({ error }, { status: 400, headers: { 'x-gateway-headers': '{}' } });
    }
    const length = dimensions === 'taken' ? (body.dimensions ?? 1024) : 1024;
    const data = body.input.map((text, index) => ({
      index,
      embedding: Array.from({ length }, (_, position) => Math.sin((text.length + 1) * (position + 1))),
    }));
    return Response.json({
      object: 'list',
      model: body.model,
      data,
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
  };
  return { fetch, bodies };
}

const toRecord = (value: unknown) => (isRecord(value) ? value : undefined);
const monotonicNow = () => performance.now();
const createTestEngine = () => createLocalEngine({ now: monotonicNow, pause: () => Promise.resolve() });

function createTestLab(
  server: ReturnType<typeof createTestServer>,
  vectors = createMemoryVectorStore(),
  engine = createTestEngine(),
  sets?: SavedSets,
  unsaved = createUnsavedCounter(),
) {
  let lastId = 0;
  const deps = {
    gateways: createGateways(createServerClient({ fetch: server.fetch, monotonicNow }), () => ({
      signals: createGatewaySignals(monotonicNow),
      queue: createRunQueue({ now: monotonicNow, getLimit: () => 0 }),
      models: [],
    })),
    vectors,
    now: monotonicNow,
    newId: () => `id-${(lastId += 1)}`,
    random: () => 0.5,
    unsaved,
  };
  return createLab(deps, engine, sets);
}

const smallModels = { A: { model: 'demo/embedding-0.6B' }, B: noModel };

const createRejection = (message: string) =>
  Response.json(
    { error: { message, type: 'refused', code: '422' } },
    { status: 422, headers: { 'x-gateway-headers': '{}' } },
  );
const createVectorsResponse = (...vectors: readonly (readonly number[])[]) =>
  Response.json({
    object: 'list',
    model: smallModels.A.model,
    data: vectors.map((embedding, index) => ({ index, embedding })),
  });

describe('the embeddings lab', () => {
  it('opens a set from the history without a request and saves the previous content', async () => {
    const server = createTestServer();
    const sets = createSavedSets({
      vectors: createMemoryVectorStore(),
      newId: () => 'new',
      now: () => 1_000,
      offerUndo: () => undefined,
    });
    const lab = await createTestLab(server, sets.vectors, createTestEngine(), sets);
    lab.edit({ models: smallModels, typed: 'one\nthree', dimensions: 3 });
    await lab.embed();
    const [savedSet] = await sets.list();
    expect(savedSet).toMatchObject({ title: 'one', texts: 2, models: [smallModels.A.model] });
    lab.edit({ typed: 'not embedded yet', dimensions: undefined });
    await lab.openSet(savedSet?.id ?? '');
    expect(lab.state.getState().input).toMatchObject({
      typed: 'one\nthree',
      models: smallModels,
      dimensions: 3,
    });
    await waitUntil(() => lab.state.getState().isUpToDate);
    expect(getShownSet(lab.state.getState())?.rows).toEqual([0, 1]);
    expect(server.bodies).toHaveLength(1);
    const unembeddedSet = (await sets.list()).find(({ models }) => models.length === 0);
    expect(unembeddedSet?.title).toBe('not embedded yet');
    await lab.openSet(unembeddedSet?.id ?? '');
    expect(lab.state.getState().input).toMatchObject({ typed: 'not embedded yet' });
    expect(lab.state.getState().input.dimensions).toBeUndefined();
    await lab.openSet('gone');
    expect(lab.state.getState().problem).toMatch(/no longer stored in this browser/);
    expect(lab.state.getState().input.typed).toBe('not embedded yet');
  });

  it('shows the stored vectors of an interrupted job and waits for Resume', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    const firstLab = await createTestLab(server, vectors);
    firstLab.edit({ models: smallModels, typed: 'one\nthree' });
    await firstLab.embed();
    await vectors.putNote('lab', {
      input: { ...firstLab.state.getState().input, typed: 'one\nthree\nfourth' },
      wasStarted: true,
    });
    const nextLab = await createTestLab(server, vectors);
    await waitUntil(() => getShownSet(nextLab.state.getState()) !== undefined);
    expect(getShownSet(nextLab.state.getState())?.rows).toEqual([0, 1]);
    expect(server.bodies).toHaveLength(1);
    await waitUntil(() => nextLab.state.getState().activeSlot === undefined);
    await nextLab.resume();
    expect(server.bodies[1]?.input).toEqual(['fourth']);
    expect(getShownSet(nextLab.state.getState())?.rows).toEqual([0, 1, 2]);
  });

  it('shows the visit of an earlier build with its vectors, without a request', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    for (const { name, records } of listEarlierVectorStores()) {
      for (const record of records) {
        const vector = readStoredVector(record);
        if (vector) await vectors.put([vector]);
        else if (name === 'notes') await vectors.putNote(String(record['id']), toRecord(record['value']));
      }
    }
    const lab = await createTestLab(server, vectors);
    await waitUntil(() => lab.state.getState().isUpToDate);
    expect(lab.state.getState().sets).toMatchObject({
      A: { model: 'demo/embedding-0.6B', rows: [0, 1, 2, 3] },
      B: { model: 'demo/embedding-8B', rows: [0, 1, 2, 3] },
    });
    expect(server.bodies).toEqual([]);
  });

  it('shows nothing for texts never embedded here, even if their vectors are stored', async () => {
    const server = createTestServer();
    const vectors = createMemoryVectorStore();
    const firstLab = await createTestLab(server, vectors);
    firstLab.edit({ models: smallModels, typed: 'one' });
    await firstLab.embed();
    await vectors.putNote('lab', undefined);
    const secondLab = await createTestLab(server, vectors);
    secondLab.edit({ models: smallModels, typed: 'one' });
    await secondLab.saveNow();
    const thirdLab = await createTestLab(server, vectors);
    await waitUntil(() => thirdLab.state.getState().plans !== undefined);
    expect(thirdLab.state.getState()).toMatchObject({
      jobs: {},
      sets: {},
      plans: [{ storedCount: 1, sendCount: 0 }],
    });
  });

  it('shows the stored vectors of many texts in their most common length', async () => {
    const vectors = createMemoryVectorStore();
    const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);
    const keys = await computeKeys({ model: smallModels.A.model, format: 'base64' }, texts);
    const putVector = (text: number, ...numbers: number[]) =>
      vectors.put([{ key: keys[text] ?? '', vector: Float32Array.from(numbers) }]);
    // The first slice of 256 texts contains no stored vector.
    for (const text of [270, 280, 299]) await putVector(text, 3, 4, 0);
    await putVector(260, 1, 1);
    const input = { mode: 'texts', typed: texts.join('\n'), models: smallModels, format: 'base64' };
    await vectors.putNote('lab', { input, wasStarted: true });
    const lab = await createTestLab(createTestServer(), vectors);
    await waitUntil(() => getShownSet(lab.state.getState()) !== undefined);
    const set = getShownSet(lab.state.getState());
    expect(set).toMatchObject({ rows: [270, 280, 299], dimensions: 3, norms: Float32Array.of(5, 5, 5) });
    expect(set && [270, 280, 299, 0, 275, 500].map((text) => getTextRow(set, text))).toEqual([
      0,
      1,
      2,
      undefined,
      undefined,
      undefined,
    ]);
    // Also tests a set whose row numbers equal the text indexes.
    const completeSet = set && { ...set, rows: [0, 1, 2] };
    expect(completeSet && [0, 1, 2, 3].map((text) => getTextRow(completeSet, text))).toEqual([
      0,
      1,
      2,
      undefined,
    ]);
  });

  it('opens the set requested in the history only once', async () => {
    const sets = createSavedSets({
      vectors: createMemoryVectorStore(),
      newId: () => 'new',
      now: () => 1,
      offerUndo: () => undefined,
    });
    const lab = await createTestLab(createTestServer(), sets.vectors, createTestEngine(), sets);
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    const [savedSet] = await sets.list();
    lab.edit({ typed: 'others' });
    await lab.openRequestedSet();
    expect(lab.state.getState().input.typed).toBe('others');
    sets.requestOpen(savedSet?.id ?? '');
    await lab.openRequestedSet();
    expect(lab.state.getState().input.typed).toBe('one\nthree');
    lab.edit({ typed: 'others again' });
    await lab.openRequestedSet();
    expect(lab.state.getState().input.typed).toBe('others again');
  });

  it('steps through the available sizes, also from a size in between', async () => {
    const lab = await createTestLab(createTestServer());
    expect(lab.getAdjacentDimensions(-1), 'without vectors').toBeUndefined();
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    const [first = 0, second = 0, third = 0] = listSizesUpTo(1024);
    const readAdjacent = () => [lab.getAdjacentDimensions(-1), lab.getAdjacentDimensions(1)];
    expect(readAdjacent()).toEqual([listSizesUpTo(1024).at(-2), undefined]);
    lab.setShownDimensions(second);
    expect(readAdjacent()).toEqual([first, third]);
    lab.setShownDimensions(second + 1);
    expect(readAdjacent()).toEqual([second, third]);
    lab.setShownDimensions(first);
    expect(readAdjacent()).toEqual([undefined, second]);
  });

  it('saves the lab shortly after a change and counts the change as unsaved until then', async () => {
    const vectors = createMemoryVectorStore();
    const unsaved = createUnsavedCounter();
    const lab = await createTestLab(createTestServer(), vectors, createTestEngine(), undefined, unsaved);
    const count = () => unsaved.state.getState().count;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    lab.select(1);
    lab.changeFind({ neighbourCount: 25 });
    expect(count(), 'this change is not stored').toBe(0);
    for (const change of [
      () => lab.edit({ typed: 'one' }),
      () => lab.showTab('map'),
      () => lab.changeFind({ query: 'what' }),
      () => lab.changeFind({ template: 'Find: {query}' }),
    ]) {
      change();
      expect(count()).toBe(1);
      await vi.advanceTimersByTimeAsync(1000);
      expect(count()).toBe(0);
    }
    // Unset fields are not stored, so older records stay unchanged.
    const { fields: _, ...input } = lab.state.getState().input;
    expect(await vectors.readNote('lab')).toEqual({
      input,
      tab: 'map',
      find: { query: 'what', template: 'Find: {query}' },
      wasStarted: false,
    });
    lab.edit({ typed: 'two' });
    lab.showTab('wire');
    expect(count()).toBe(1);
    await lab.saveNow();
    expect(count()).toBe(0);
    await vectors.putNote('lab', undefined);
    lab.edit({ typed: 'three' });
    await lab.reset();
    expect([count(), await vectors.readNote('lab')]).toEqual([0, undefined]);
  });

  it('shows the error of a failed action until it is dismissed', async () => {
    const engine = createTestEngine();
    let isBroken = true;
    const lab = await createTestLab(createTestServer(), createMemoryVectorStore(), {
      ...engine,
      create: (...args) => (isBroken ? Promise.reject(new Error('No memory')) : engine.create(...args)),
    });
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    expect(lab.state.getState()).toMatchObject({ problem: 'No memory', activeSlot: undefined, sets: {} });
    lab.dismiss('problem');
    expect(lab.state.getState().problem).toBeUndefined();
    lab.reportFailure(Promise.reject(new Error('Not opened')));
    await waitUntil(() => lab.state.getState().problem === 'Not opened');
    isBroken = false;
    await lab.embed();
    expect(lab.state.getState()).toMatchObject({ problem: undefined, isUpToDate: true });
  });

  it('offers to omit dimensions if the server rejects the field, and cuts vectors locally', async () => {
    const server = createTestServer('refused');
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nthree', dimensions: 64 });
    await lab.embed();
    expect(server.bodies.map((body) => body.dimensions)).toEqual([64]);
    await lab.omitRejectedField('A');
    expect(server.bodies.map((body) => body.dimensions)).toEqual([64, undefined]);
    expect(getShownSet(lab.state.getState())?.dimensions).toBe(1024);
    expect(lab.state.getState().shownDimensions).toBe(64);
    expect(lab.state.getState().notice).toContain('1024 dimensions because dimensions was not sent');
    lab.edit({ dimensions: 128 });
    expect(lab.state.getState().input.leftOut, 'an explicit size is sent').toEqual([]);
  });

  it('trusts the received dimensions rather than the model table', async () => {
    const lab = await createTestLab(createTestServer('ignored'));
    lab.edit({ models: smallModels, typed: 'one\nthree', dimensions: 64 });
    await lab.embed();
    expect(getShownSet(lab.state.getState())?.dimensions).toBe(1024);
    expect(lab.state.getState().shownDimensions).toBe(64);
    expect(lab.state.getState().notice).toContain('1024 dimensions although 64');
  });

  it('keeps earlier results until new ones arrive, and counts the texts with earlier results', async () => {
    const gate = createGate();
    const server = createTestServer('taken', ({ input }) =>
      input.includes('four') ? gate.opened.then(() => undefined) : undefined,
    );
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    lab.select(1);
    lab.edit({ typed: 'four\nfifth one\nthe sixth' });
    const job = lab.embed();
    await waitUntil(() => lab.state.getState().activeSlot === 'A');
    expect(lab.state.getState().texts.map(({ text }) => text)).toEqual(['one', 'three']);
    expect(getJobTexts(lab.state.getState()).texts).toHaveLength(3);
    expect(countStaleTexts(lab.state.getState())).toBe(2);
    gate.open();
    await job;
    expect(lab.state.getState()).toMatchObject({ pendingTexts: undefined, selection: { chosen: [] } });
    expect(lab.state.getState().texts).toHaveLength(3);
    expect(getShownSet(lab.state.getState())?.rows).toEqual([0, 1, 2]);
    expect(countStaleTexts(lab.state.getState())).toBeUndefined();
  });

  it('reports why texts cannot be embedded, even if only the second model is missing, and sends nothing', async () => {
    const server = createTestServer();
    const lab = await createTestLab(server);
    const embedAndReadNotice = async () => {
      await lab.embed();
      return lab.state.getState().notice;
    };
    expect(await embedAndReadNotice()).toBe('Enter at least one text.');
    lab.edit({ typed: 'one\nthree' });
    expect(await embedAndReadNotice()).toBe('Choose a model.');
    lab.edit({ models: smallModels });
    lab.setSecondModel(true);
    expect(await embedAndReadNotice()).toBe('Choose the second model, or remove it.');
    expect(server.bodies).toEqual([]);
    lab.setSecondModel(false);
    expect(await embedAndReadNotice()).toBeUndefined();
    expect(server.bodies).toHaveLength(1);
  });

  it('sends any dimensions, including to a second model unless it is known not to support them', async () => {
    const server = createTestServer();
    const lab = await createTestLab(server);
    lab.edit({
      models: { A: { model: 'south/embed-small' }, B: { model: 'Qwen/Qwen3-Embedding-4B' } },
      typed: 'one\nthree',
      dimensions: 300,
    });
    await lab.embed();
    expect(server.bodies.map(({ model, dimensions }) => [model, dimensions])).toEqual([
      ['south/embed-small', 300],
      ['Qwen/Qwen3-Embedding-4B', undefined],
    ]);
  });

  it('keeps a separate colour scale for each set', async () => {
    const lab = await createTestLab(createTestServer());
    lab.edit({
      models: { A: { model: 'demo/embedding-0.6B' }, B: { model: 'demo/embedding-4B' } },
      typed: 'one\nthree',
    });
    await lab.embed();
    lab.setScale('stretch');
    lab.showSlot('B');
    expect(lab.state.getState().scales).toEqual({ A: 'stretch' });
  });

  it('reports lost vectors and loads them again without a request', async () => {
    const server = createTestServer();
    let loseEngine: (message: string) => void = () => undefined;
    const engine = {
      ...createTestEngine(),
      onLost: (listen: (message: string) => void) => void (loseEngine = listen),
    };
    const lab = await createTestLab(server, createMemoryVectorStore(), engine);
    lab.edit({
      models: { A: { model: 'demo/embedding-0.6B' }, B: { model: 'demo/embedding-4B' } },
      typed: 'one\nthree',
    });
    await lab.embed();
    expect(Object.keys(lab.state.getState().sets)).toEqual(['A', 'B']);
    engine.close();
    loseEngine('It stopped.');
    expect(lab.state.getState().sets).toEqual({});
    expect(lab.state.getState()).toMatchObject({ problem: 'It stopped.', isUpToDate: false });
    expect(lab.state.getState().texts).toHaveLength(2);
    const requestCount = server.bodies.length;
    await lab.embed();
    expect(Object.keys(lab.state.getState().sets)).toEqual(['A', 'B']);
    expect(lab.state.getState()).toMatchObject({ problem: undefined, isUpToDate: true });
    expect((await lab.engine.search({ set: 'A' }, { row: 0 }, 1)).rows).toEqual(Int32Array.of(1));
    expect(server.bodies).toHaveLength(requestCount);
  });
});

describe('edits after embedding', () => {
  const isUpToDate = (lab: Awaited<ReturnType<typeof createTestLab>>) => lab.state.getState().isUpToDate;

  it('marks results as outdated if texts, groups, tokens, model, size or format change', async () => {
    const lab = await createTestLab(createTestServer());
    const embeddedInput = {
      models: smallModels,
      typed: '# One\n1, 2\n3',
      mode: 'texts',
      format: 'base64',
    } as const;
    lab.edit(embeddedInput);
    await lab.embed();
    expect(isUpToDate(lab)).toBe(true);
    const changes = [
      { typed: '# One\n1, 2\n4' },
      { typed: '# One\n1, 2' },
      { typed: '# Two\n1, 2\n3' },
      { mode: 'tokens', typed: '1, 2\n3' },
      { models: { ...smallModels, A: { model: 'demo/embedding-4B' } } },
      { models: { ...smallModels, B: { model: 'demo/embedding-4B' } } },
      { dimensions: 64 },
      { format: 'float' },
    ] as const;
    for (const change of changes) {
      lab.edit(change);
      expect(isUpToDate(lab), JSON.stringify(change)).toBe(false);
      lab.edit({ ...embeddedInput, dimensions: undefined });
      expect(isUpToDate(lab), `without ${JSON.stringify(change)}`).toBe(true);
    }
  });

  it('distinguishes numbers sent as tokens from numbers sent as text', async () => {
    const server = createTestServer();
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: '1, 2\n3' });
    await lab.embed();
    lab.edit({ mode: 'tokens' });
    expect(isUpToDate(lab)).toBe(false);
    await lab.embed();
    expect(server.bodies.map(({ input }) => input)).toEqual([
      ['1, 2', '3'],
      [[1, 2], [3]],
    ]);
    expect(lab.state.getState().texts).toEqual([
      { text: '1, 2', tokens: [1, 2] },
      { text: '3', tokens: [3] },
    ]);
    lab.edit({ mode: 'texts' });
    expect(isUpToDate(lab), 'after switching back').toBe(false);
  });

  it('parses the texts again only if they change', async () => {
    const lab = await createTestLab(createTestServer());
    lab.edit({ typed: 'one\none\nthree' });
    await waitUntil(() => lab.state.getState().duplicates === 1);
    const { parsedInput } = lab.state.getState();
    lab.edit({ models: smallModels, dimensions: 64 });
    expect(lab.state.getState()).toMatchObject({ duplicates: 1, plans: undefined });
    expect(lab.state.getState().parsedInput).toBe(parsedInput);
    lab.edit({ typed: 'one' });
    expect(lab.state.getState()).toMatchObject({ duplicates: 0, parsedInput: { items: [{ text: 'one' }] } });
    lab.edit({ mode: 'tokens' });
    expect(lab.state.getState().parsedInput.problems).toHaveLength(1);
  });

  it('keeps the second slot for the next visit if a model was chosen', async () => {
    const vectors = createMemoryVectorStore();
    const lab = await createTestLab(createTestServer(), vectors);
    expect(lab.state.getState().hasSecondModel).toBe(false);
    lab.edit({ models: { ...smallModels, B: { model: 'demo/embedding-4B' } }, typed: 'one' });
    expect(lab.state.getState().hasSecondModel).toBe(true);
    await lab.saveNow();
    const nextLab = await createTestLab(createTestServer(), vectors);
    expect(nextLab.state.getState().hasSecondModel).toBe(true);
    nextLab.setSecondModel(false);
    expect(nextLab.state.getState()).toMatchObject({ hasSecondModel: false, input: { models: smallModels } });
    nextLab.setSecondModel(true);
    // Changing the first model keeps the empty second slot.
    nextLab.edit({ models: { A: { model: 'south/embed-small' }, B: noModel } });
    expect(nextLab.state.getState().hasSecondModel).toBe(true);
  });
});

describe('a lab job', () => {
  it('retries rejected texts only on request and then shows them', async () => {
    let isRefused = true;
    const server = createTestServer('taken', ({ input }) =>
      isRefused && input.includes('bad') ? createRejection('Not this one') : undefined,
    );
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nbad\nthree' });
    await lab.embed();
    expect(getShownSet(lab.state.getState())?.rows).toEqual([0, 2]);
    const requestCount = server.bodies.length;
    isRefused = false;
    await lab.resume();
    expect(server.bodies).toHaveLength(requestCount);
    await lab.resume({ retryFailed: true });
    expect(server.bodies.slice(requestCount).map(({ input }) => input)).toEqual([['bad']]);
    expect(getShownSet(lab.state.getState())?.rows).toEqual([0, 1, 2]);
  });

  it('keeps the second model waiting while the first is paused, then runs both', async () => {
    let isBroken = true;
    const server = createTestServer('taken', () =>
      isBroken
        ? Response.json(
            { error: { message: 'Down', type: 'server_error' } },
            { status: 500, headers: { 'x-gateway-headers': '{}' } },
          )
        : undefined,
    );
    const lab = await createTestLab(server);
    lab.edit({ models: { A: smallModels.A, B: { model: 'demo/embedding-4B' } }, typed: 'one\nthree' });
    await lab.embed();
    await lab.resume();
    expect(server.bodies.map(({ model }) => model)).toEqual([smallModels.A.model, smallModels.A.model]);
    expect(lab.state.getState()).toMatchObject({ isUpToDate: false, activeSlot: undefined });
    isBroken = false;
    await lab.resume();
    expect(Object.keys(lab.state.getState().sets)).toEqual(['A', 'B']);
    expect(lab.state.getState().isUpToDate).toBe(true);
    expect(server.bodies).toHaveLength(4);
  });

  it('blocks other jobs and sets while a job runs, with a notice', async () => {
    const gate = createGate();
    const server = createTestServer('taken', async () => {
      await gate.opened;
      return undefined;
    });
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    const job = lab.embed();
    await waitUntil(() => server.bodies.length === 1);
    await lab.embed();
    await lab.resume();
    await lab.openSet('another');
    expect(lab.state.getState().notice).toContain('Could not open these texts during an embedding job.');
    lab.dismiss('notice');
    expect(lab.state.getState()).toMatchObject({ notice: undefined, activeSlot: 'A' });
    // Requests in flight are finished, and no more are sent.
    const paused = lab.pause();
    gate.open();
    await Promise.all([paused, job]);
    expect(getShownSet(lab.state.getState())?.rows).toEqual([0, 1]);
    expect(server.bodies).toHaveLength(1);
  });

  it('aborts requests in flight on stop, stores none of their vectors and sends no more requests', async () => {
    const vectors = createMemoryVectorStore();
    const server = createTestServer('taken', () => createGate().opened.then(() => undefined));
    const lab = await createTestLab(server, vectors);
    await lab.stop();
    await lab.pause();
    lab.edit({ models: { A: smallModels.A, B: { model: 'demo/embedding-4B' } }, typed: 'one\nthree' });
    const job = lab.embed();
    await waitUntil(() => server.bodies.length === 1);
    await lab.stop();
    await job;
    expect(lab.state.getState()).toMatchObject({ activeSlot: undefined, sets: {}, isUpToDate: false });
    expect([server.bodies.length, await vectors.count()]).toEqual([1, 0]);
  });

  it('reports shorter vectors than requested and does not cut them', async () => {
    const lab = await createTestLab(
      createTestServer('taken', ({ input }) => createVectorsResponse(...input.map(() => [3, 4]))),
    );
    lab.edit({ models: smallModels, typed: 'one\nthree', dimensions: 64 });
    await lab.embed();
    expect(lab.state.getState().shownDimensions).toBeUndefined();
    expect(lab.state.getState().notice).toBe(
      'The server returned 2 dimensions although 64 were requested. Vectors cannot be made longer.',
    );
  });

  it('keeps the chosen size for other texts and resets it for another model', async () => {
    const lab = await createTestLab(createTestServer());
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    lab.setShownDimensions(1024);
    expect(lab.state.getState().shownDimensions, 'full size').toBeUndefined();
    lab.setShownDimensions(256);
    lab.edit({ typed: 'one\nfour' });
    await lab.embed();
    expect(lab.state.getState().shownDimensions).toBe(256);
    lab.edit({ models: { ...smallModels, A: { model: 'demo/embedding-4B' } } });
    await lab.embed();
    expect(lab.state.getState().shownDimensions).toBeUndefined();
  });

  it('shows the first model after the second is removed', async () => {
    const lab = await createTestLab(createTestServer());
    lab.edit({ models: { A: smallModels.A, B: { model: 'demo/embedding-4B' } }, typed: 'one\nthree' });
    await lab.embed();
    lab.showSlot('B');
    expect(getShownSet(lab.state.getState())?.slot).toBe('B');
    lab.setSecondModel(false);
    await lab.embed();
    expect(lab.state.getState()).toMatchObject({ shownSlot: 'A', sets: { A: {} }, setups: { A: {} } });
    expect(Object.keys(lab.state.getState().jobs)).toEqual(['A']);
    await expect(lab.engine.search({ set: 'B' }, { row: 0 }, 1)).rejects.toThrow('not loaded');
  });
});

describe('the selection', () => {
  it('selects one text, several in order with a current one, or none', async () => {
    const lab = await createTestLab(createTestServer());
    const getSelection = () => lab.state.getState().selection;
    lab.selectMany([3, 1, 3]);
    expect(getSelection()).toEqual({ current: 1, chosen: [1, 3] });
    lab.selectMany([5, 3]);
    expect(getSelection()).toEqual({ current: 3, chosen: [3, 5] });
    lab.selectMany([5, 3, 7]);
    expect(getSelection(), 'the previous current item remains selected').toEqual({
      current: 3,
      chosen: [3, 5, 7],
    });
    lab.selectMany([5, 7], 7);
    expect(getSelection()).toEqual({ current: 7, chosen: [5, 7] });
    lab.selectMany([5], 7);
    expect(getSelection(), 'a current item outside the selection falls back to the first').toEqual({
      current: 5,
      chosen: [5],
    });
    lab.select(0);
    expect(getSelection()).toEqual({ current: 0, chosen: [0] });
    lab.select(undefined);
    expect(getSelection()).toEqual({ chosen: [] });
  });
});

describe('a lab query', () => {
  async function createEmbeddedLab(...[respond]: [Parameters<typeof createTestServer>[1]?]) {
    let usesCustomResponse = false;
    const server = createTestServer('taken', (body) => (usesCustomResponse ? respond?.(body) : undefined));
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    usesCustomResponse = true;
    return { lab, server, find: () => lab.state.getState().find };
  }

  it('rejects a query with advice if no texts are embedded', async () => {
    const lab = await createTestLab(createTestServer());
    await expect(lab.embedQuery('A', 'what', new AbortController().signal)).rejects.toThrow(
      'Embed the texts first. A query is compared with them.',
    );
    await expect(lab.verifyDimensions('A', 64)).rejects.toThrow('Embed the texts first.');
    expect(await lab.findStoredQueryVector('A', 'what')).toBeUndefined();
    lab.changeFind({ query: 'what' });
    await lab.search({ canSendRequest: true });
    expect(lab.state.getState().find).toMatchObject({ isSearching: false });
    expect(lab.state.getState().find.problem).toBeUndefined();
  });

  it('shows why a query failed until the query is changed', async () => {
    const { lab, find } = await createEmbeddedLab(({ input }) =>
      input[0] === 'zero'
        ? createVectorsResponse(Array.from({ length: 1024 }, () => 0))
        : createRejection('Not this one'),
    );
    lab.changeFind({ query: 'bad' });
    await lab.search({ canSendRequest: true });
    expect(find()).toMatchObject({ problem: 'Not this one', isSearching: false, activeQuery: undefined });
    lab.changeFind({ query: 'zero' });
    expect(find().problem).toBeUndefined();
    await lab.search({ canSendRequest: true });
    expect(find().problem).toContain('The last response has no usable vectors');
    lab.changeFind({ neighbourCount: 25 });
    expect(find().problem, 'unchanged query').toContain('no usable vector');
    lab.clearQuery();
    expect(find()).toMatchObject({ query: '', problem: undefined, activeQuery: undefined });
  });

  it('inserts the query into its template, and clears the result with the query', async () => {
    const { lab, server, find } = await createEmbeddedLab();
    lab.changeFind({ query: ' what ', template: 'Find: {query}!' });
    await lab.search({ canSendRequest: false });
    expect([server.bodies.length, find().activeQuery, find().isSearching]).toEqual([1, undefined, false]);
    await lab.search({ canSendRequest: true });
    expect(server.bodies[1]?.input).toEqual(['Find: what!']);
    expect(find().activeQuery).toMatchObject({ slot: 'A', query: 'what', input: 'Find: what!' });
    // A template without a placeholder becomes a prefix.
    lab.changeFind({ template: 'Query: ' });
    await lab.search({ canSendRequest: false });
    expect(find().activeQuery, 'the result belongs to different text').toBeUndefined();
    await lab.search({ canSendRequest: true });
    expect(server.bodies[2]?.input).toEqual(['Query: what']);
    lab.changeFind({ query: '  ' });
    await lab.search({ canSendRequest: true });
    expect(find().activeQuery).toBeUndefined();
    expect(server.bodies).toHaveLength(3);
  });

  it('looks up the stored query again for new vectors without a request', async () => {
    const { lab, server, find } = await createEmbeddedLab();
    lab.changeFind({ query: 'what' });
    await lab.search({ canSendRequest: true });
    const previousVersion = find().activeQuery?.version;
    lab.edit({ typed: 'one\nthree\nfourth' });
    await lab.embed();
    const requestCount = server.bodies.length;
    const { version } = getShownSet(lab.state.getState()) ?? {};
    expect(version).not.toBe(previousVersion);
    await waitUntil(() => find().activeQuery?.version === version);
    expect(server.bodies).toHaveLength(requestCount);
  });

  it('cancels an earlier search, whose late result is stored but not shown', async () => {
    const gate = createGate();
    const { lab, server, find } = await createEmbeddedLab(async ({ input }) => {
      if (input[0] === 'first') await gate.opened;
      return undefined;
    });
    lab.changeFind({ query: 'first' });
    const firstSearch = lab.search({ canSendRequest: true });
    await waitUntil(() => server.bodies.length === 2);
    lab.changeFind({ query: 'second' });
    await lab.search({ canSendRequest: true });
    gate.open();
    await firstSearch;
    expect(find()).toMatchObject({
      isSearching: false,
      activeQuery: { query: 'second' },
      problem: undefined,
    });
    // The cancelled request was paid for, so its vector is stored.
    lab.changeFind({ query: 'first' });
    await lab.search({ canSendRequest: false });
    expect(find().activeQuery?.query).toBe('first');
    expect(server.bodies).toHaveLength(3);
  });

  it('searches after a typing pause: with a request if allowed, otherwise among stored vectors', async () => {
    const { lab, server, find } = await createEmbeddedLab();
    await lab.embedQuery('A', 'known', new AbortController().signal);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    lab.changeFind({ query: 'kno' });
    await vi.advanceTimersByTimeAsync(399);
    lab.changeFind({ query: 'known' });
    await vi.advanceTimersByTimeAsync(400);
    await waitUntil(() => find().activeQuery?.query === 'known');
    expect(server.bodies).toHaveLength(2);
    lab.changeFind({ query: 'new', shouldEmbedWhileTyping: true });
    await vi.advanceTimersByTimeAsync(400);
    await waitUntil(() => find().activeQuery?.query === 'new');
    expect(server.bodies[2]?.input).toEqual(['new']);
  });
});

describe('a check of dimensions', () => {
  it('compares eight evenly spread texts at the requested size with cut vectors', async () => {
    const server = createTestServer('taken', ({ input, dimensions }) =>
      dimensions === 2 ? createVectorsResponse(...input.map(() => [3, 4])) : undefined,
    );
    const lab = await createTestLab(server);
    const texts = Array.from({ length: 17 }, (_, index) => 'x'.repeat(index + 1));
    lab.edit({ models: smallModels, typed: texts.join('\n') });
    await lab.embed();
    const expectedTexts = [0, 2, 4, 6, 8, 10, 12, 14].map((index) => texts[index] ?? '');
    const cosines = expectedTexts.map(({ length }) => {
      const [firstValue, secondValue] = [Math.sin(length + 1), Math.sin(2 * (length + 1))];
      return (3 * firstValue + 4 * secondValue) / (5 * Math.hypot(firstValue, secondValue));
    });
    expect(await lab.verifyDimensions('A', 2)).toEqual({
      dimensions: 2,
      textCount: 8,
      minCosine: expect.closeTo(Math.min(...cosines), 5),
    });
    expect(server.bodies[1]).toMatchObject({ input: expectedTexts, dimensions: 2 });
  });

  it("rejects with the server's message if the request fails", async () => {
    const server = createTestServer('taken', ({ dimensions }) =>
      dimensions === undefined ? undefined : createRejection('Not at this size'),
    );
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    await expect(lab.verifyDimensions('A', 64)).rejects.toThrow('Not at this size');
    lab.edit({ typed: 'one' });
    await lab.embed();
    await expect(lab.verifyDimensions('A', 64)).rejects.toThrow(
      'The gateway returned no usable vector for these texts.',
    );
    const otherLab = await createTestLab(createTestServer('ignored'));
    otherLab.edit({ models: smallModels, typed: 'one\nthree' });
    await otherLab.embed();
    await expect(otherLab.verifyDimensions('A', 64)).rejects.toThrow('returned 1024 dimensions although 64');
  });
});

describe('extra request fields', () => {
  const rejectField = (name: string, model: string) => (body: object) =>
    name in body && 'model' in body && body.model === model
      ? createRejection(`${name} is not supported by ${model}`)
      : undefined;

  it('sends the extra fields for texts and query separately and stores vectors per set of fields', async () => {
    const server = createTestServer();
    const sentBodies: string[] = [];
    const fetch: typeof server.fetch = (input, init) => {
      sentBodies.push(typeof init?.body === 'string' ? init.body : '');
      return server.fetch(input, init);
    };
    const vectors = createMemoryVectorStore();
    const lab = await createTestLab({ ...server, fetch }, vectors);
    lab.edit({
      models: smallModels,
      typed: 'one\nthree',
      fields: '{ "task": "passage", "user": 9007199254740993 }',
    });
    await lab.embed();
    lab.changeFind({ query: 'one', fields: '{ "task": "query", "scale": 1.0 }' });
    await lab.search({ canSendRequest: true });
    expect(sentBodies[0]).toContain('"task":"passage","user":9007199254740993');
    expect(sentBodies[1]).toContain('"task":"query","scale":1.0');
    expect(sentBodies[1]).not.toContain('user');
    expect(server.bodies[1]?.input, 'a text with different fields is a different input').toEqual(['one']);
    // Repeating the same request is free, even after a reload; other fields require a new request.
    await lab.saveNow();
    const nextLab = await createTestLab(server, vectors);
    await waitUntil(() => getShownSet(nextLab.state.getState()) !== undefined);
    expect(nextLab.state.getState().find.fields).toBe('{ "task": "query", "scale": 1.0 }');
    await nextLab.search({ canSendRequest: true });
    nextLab.edit({ fields: '{"user":9007199254740993, "task":"passage"}' });
    expect(nextLab.state.getState().isUpToDate).toBe(true);
    await nextLab.embed();
    expect(server.bodies).toHaveLength(2);
    nextLab.changeFind({ fields: '' });
    await nextLab.search({ canSendRequest: true });
    nextLab.edit({ fields: '' });
    expect(nextLab.state.getState().isUpToDate).toBe(false);
    await nextLab.embed();
    expect(server.bodies).toHaveLength(4);
  });

  it('sends nothing while extra fields are invalid or repeat a field of the lab', async () => {
    const server = createTestServer();
    const lab = await createTestLab(server);
    for (const [fields, problem] of [
      ['{', 'Not valid JSON'],
      ['[1]', 'Must be a JSON object'],
      ['{ "input": "x" }', 'input is set by the lab'],
      ['{ "model": "x" }', 'model is set by the lab'],
      ['{ "encoding_format": "float" }', 'encoding_format is set by the lab'],
      ['{ "dimensions": 1 }', 'dimensions is set by the lab'],
      ['{ "a": 1, "a": 2 }', 'Two fields have the same name'],
    ] as const) {
      lab.edit({ models: smallModels, typed: 'one\nthree', fields });
      await lab.embed();
      expect(lab.state.getState().notice).toContain(`Extra fields for texts: ${problem}`);
    }
    expect(server.bodies).toEqual([]);
    lab.edit({ fields: ' {} ' });
    await lab.embed();
    lab.changeFind({ query: 'what', fields: '{ "model": "x" }' });
    await lab.search({ canSendRequest: true });
    expect(lab.state.getState().find.problem).toContain(
      'Extra fields for the query: model is set by the lab',
    );
    expect(server.bodies).toHaveLength(1);
  });

  it('omits a rejected extra field for one model only, until it is restored', async () => {
    const server = createTestServer('taken', rejectField('task', 'demo/embedding-4B'));
    const vectors = createMemoryVectorStore();
    const lab = await createTestLab(server, vectors);
    const models = { A: smallModels.A, B: { model: 'demo/embedding-4B' } };
    lab.edit({ models, typed: 'one\nthree', fields: '{ "task": "passage" }' });
    await lab.embed();
    expect(lab.state.getState().jobs.B?.state.getState().phase).toMatchObject({
      field: { name: 'task', kind: 'refused' },
    });
    await lab.omitRejectedField('B');
    expect(server.bodies.map((body) => [body.model, 'task' in body])).toEqual([
      [models.A.model, true],
      [models.B.model, true],
      [models.B.model, false],
    ]);
    expect(lab.state.getState().isUpToDate).toBe(true);
    await lab.saveNow();
    const nextLab = await createTestLab(server, vectors);
    await waitUntil(() => nextLab.state.getState().isUpToDate);
    nextLab.restoreFields(models.B, 'texts');
    await nextLab.embed();
    expect(server.bodies.slice(3).map((body) => 'task' in body)).toEqual([true]);
  });

  it('omits an extra field that was rejected in a query only from queries', async () => {
    const server = createTestServer('taken', (body) =>
      'task' in body && body.task === 'query' ? createRejection('task must be passage') : undefined,
    );
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nthree', fields: '{ "task": "passage" }' });
    await lab.embed();
    lab.changeFind({ query: 'what', fields: '{ "task": "query" }' });
    await lab.search({ canSendRequest: true });
    expect(lab.state.getState().find).toMatchObject({
      problem: 'task must be passage',
      fieldProblem: { name: 'task', kind: 'refused' },
    });
    await lab.omitRejectedQueryField();
    expect(lab.state.getState().find).toMatchObject({ problem: undefined, fieldProblem: undefined });
    expect(lab.state.getState().find.activeQuery?.query).toBe('what');
    expect(lab.state.getState().isUpToDate).toBe(true);
    lab.changeFind({ fields: '{ "task": "passage" }' });
    expect(lab.state.getState().input.leftOut, 'retyped fields are sent').toEqual([]);
  });

  it('adds a missing extra field and keeps the typed text', async () => {
    const lab = await createTestLab(createTestServer());
    lab.addField('task', 'texts');
    expect(lab.state.getState().input.fields).toBe('{ "task": "" }');
    lab.edit({ fields: '{\n  "a": 1.0,\n  "b": [{}]\n}' });
    lab.addField('task', 'texts');
    expect(lab.state.getState().input.fields).toBe('{\n  "a": 1.0,\n  "b": [{}], "task": "" }');
    lab.changeFind({ fields: '{}' });
    lab.addField('x"y', 'query');
    expect(JSON.parse(lab.state.getState().find.fields)).toEqual({ 'x"y': '' });
  });

  it('sends an added extra field with the next attempt', async () => {
    const server = createTestServer('taken', (body) =>
      'task' in body ? undefined : createRejection('"task" is required for this model'),
    );
    const lab = await createTestLab(server);
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    lab.edit({ fields: '{ "task": "passage" }' });
    await lab.resume();
    expect(server.bodies.map((body) => 'task' in body)).toEqual([false, true]);
    expect(lab.state.getState().isUpToDate).toBe(true);
  });
});

describe('the lab of a playground', () => {
  it('retries after a failed opening and then returns the same lab each time', async () => {
    const bench = await createBench();
    let failures = 0;
    const { onHide } = bench.page;
    const page = {
      ...bench.page,
      onHide: (listen: () => void) => {
        failures += 1;
        if (failures < 3) throw new Error(`Failure ${failures}`);
        onHide(listen);
      },
    };
    const open = () => bench.lazyLab.load(() => openLab({ ...bench, page }, createTestEngine()));
    await expect(open()).rejects.toThrow('Failure 1');
    await expect(open()).rejects.toThrow('Failure 2');
    expect(bench.lazyLab.getLab()).toBeUndefined();
    const lab = await open();
    expect(await open()).toBe(lab);
    expect(bench.lazyLab.getLab()).toBe(lab);
  });

  it('shares no state with another lab on the same page', async () => {
    const bench = await createBench();
    const [firstLab, secondLab] = await Promise.all(
      [bench, await bench.openAnotherTab()].map((playground) =>
        playground.lazyLab.load(() => openLab(playground, createTestEngine())),
      ),
    );
    const stateBefore = secondLab?.state.getState();
    firstLab?.edit({ models: smallModels, typed: 'one\nthree' });
    firstLab?.showTab('map');
    firstLab?.changeFind({ query: 'three', neighbourCount: 25 });
    firstLab?.changeMap({ layout: 'umap', drag: 'lasso' });
    firstLab?.select(1);
    firstLab?.setShownDimensions(64);
    expect(firstLab?.state.getState()).toMatchObject({
      tab: 'map',
      find: { query: 'three' },
      shownDimensions: 64,
    });
    expect(secondLab?.state.getState()).toBe(stateBefore);
    // Computed results are cached under this ID.
    expect(secondLab?.id).not.toBe(firstLab?.id);
  });

  it('resets the lab after everything was deleted, and stores none of the old content', async () => {
    const vectors = createMemoryVectorStore();
    const lab = await createTestLab(createTestServer(), vectors);
    const initialState = lab.state.getState();
    lab.edit({ models: smallModels, typed: 'one\nthree' });
    await lab.embed();
    lab.select(1);
    lab.showTab('compare');
    lab.changeFind({ query: 'three', template: 'Find: {query}' });
    lab.changeMap({ layout: 'umap' });
    await Promise.all([vectors.clear(), vectors.putNote('lab', undefined)]);
    await lab.reset();
    expect(lab.state.getState()).toEqual(initialState);
    expect(await vectors.readNote('lab')).toBeUndefined();
    await expect(lab.engine.search({ set: 'A' }, { row: 0 }, 1)).rejects.toThrow('not loaded');
  });
});
