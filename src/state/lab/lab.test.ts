import { describe, expect, it } from 'vitest';

import { createLocalEngine } from '../../embedding/engine/local-engine.ts';
import { createGateway } from '../../gateway/client.ts';
import { memoryVectorStore } from '../../storage/vector-store.ts';
import { aBench } from '../../testing/bench.ts';
import { until } from '../../testing/until.ts';
import { createRunQueue } from '../runs/run-queue.ts';
import { createKeptSets, type KeptSets } from './kept-sets.ts';
import { jobTexts, shownSet, staleCount } from './lab-state.ts';
import { createLab, openLab } from './lab.ts';

interface Body {
  model: string;
  input: string[];
  dimensions?: number;
}

/** Vectors of eight numbers, or of as many as are asked for where the server takes the field. */
function aServer(dimensions: 'taken' | 'refused' | 'ignored' = 'taken') {
  const bodies: Body[] = [];
  const fetch = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    const body: Body = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
    bodies.push(body);
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
      embedding: Array.from({ length }, (_, at) => Math.sin((text.length + 1) * (at + 1))),
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

const now = () => performance.now();
const anEngine = () => createLocalEngine({ now, pause: () => Promise.resolve(), kernel: 'javascript' });

function aLab(
  server: ReturnType<typeof aServer>,
  vectors = memoryVectorStore(),
  engine = anEngine(),
  sets?: KeptSets,
) {
  let ids = 0;
  const parts = {
    gateway: createGateway({ fetch: server.fetch, now }),
    queue: createRunQueue({ now, limit: () => 0 }),
    vectors,
    now,
    newId: () => `id-${(ids += 1)}`,
    random: () => 0.5,
  };
  return createLab(parts, engine, sets);
}

const small = { A: 'demo/embedding-0.6B', B: '' };

describe('the lab', () => {
  it('embeds nothing before it is told to, then loads what came for the views', async () => {
    const server = aServer();
    const lab = await aLab(server);
    lab.edit({ models: small, typed: '# One\nfirst\n# Two\nsecond\nfirst' });
    await until(() => lab.state.getState().plan !== undefined);
    expect(lab.state.getState().plan).toMatchObject({
      inputs: 2,
      known: 0,
      toSend: 2,
      requests: { least: 1, most: 1 },
    });
    expect(server.bodies).toEqual([]);
    await lab.embed();
    expect(server.bodies.map(({ input }) => input)).toEqual([['first', 'second']]);
    const { texts, groups, sets } = lab.state.getState();
    expect(texts).toEqual([
      { text: 'first', group: 0 },
      { text: 'second', group: 1 },
      { text: 'first', group: 1 },
    ]);
    expect(groups).toEqual(['One', 'Two']);
    expect(sets.A).toMatchObject({ rows: [0, 1, 2], dimensions: 1024 });
    expect(lab.state.getState().isUpToDate).toBe(true);
    expect((await lab.engine.search({ set: 'A' }, { row: 0 }, 1)).rows).toEqual(Int32Array.of(2));
  });

  it('is as it was left, without a request', async () => {
    const server = aServer();
    const vectors = memoryVectorStore();
    const first = await aLab(server, vectors);
    first.edit({ models: small, typed: 'one\nthree' });
    await first.embed();
    const next = await aLab(server, vectors);
    await until(() => shownSet(next.state.getState()) !== undefined);
    expect(next.state.getState().input.typed).toBe('one\nthree');
    expect(next.state.getState().texts.map(({ text }) => text)).toEqual(['one', 'three']);
    expect(server.bodies).toHaveLength(1);
  });

  it('opens a set of the history without a request, and keeps what stood there before', async () => {
    const server = aServer();
    const sets = createKeptSets({
      vectors: memoryVectorStore(),
      now: () => 1_000,
      offerUndo: () => undefined,
    });
    const lab = await aLab(server, sets.vectors, anEngine(), sets);
    lab.edit({ models: small, typed: 'one\nthree', dimensions: 3 });
    await lab.embed();
    const [kept] = await sets.list();
    expect(kept).toMatchObject({ title: 'one', texts: 2, models: [small.A] });
    lab.edit({ typed: 'not embedded yet', dimensions: undefined });
    await lab.openSet(kept?.id ?? '');
    expect(lab.state.getState().input).toMatchObject({ typed: 'one\nthree', models: small, dimensions: 3 });
    await until(() => lab.state.getState().isUpToDate);
    expect(shownSet(lab.state.getState())?.rows).toEqual([0, 1]);
    expect(server.bodies).toHaveLength(1);
    const before = (await sets.list()).find(({ models }) => models.length === 0);
    expect(before?.title).toBe('not embedded yet');
    await lab.openSet(before?.id ?? '');
    expect(lab.state.getState().input).toMatchObject({ typed: 'not embedded yet' });
    expect(lab.state.getState().input.dimensions).toBeUndefined();
    await lab.openSet('gone');
    expect(lab.state.getState().problem).toMatch(/no longer in this browser/);
    expect(lab.state.getState().input.typed).toBe('not embedded yet');
  });

  it('shows what is there of a job that was interrupted, and waits to be told to go on', async () => {
    const server = aServer();
    const vectors = memoryVectorStore();
    const first = await aLab(server, vectors);
    first.edit({ models: small, typed: 'one\nthree' });
    await first.embed();
    await vectors.putNote('lab', {
      input: { ...first.state.getState().input, typed: 'one\nthree\nfourth' },
      wasStarted: true,
    });
    const next = await aLab(server, vectors);
    await until(() => shownSet(next.state.getState()) !== undefined);
    expect(shownSet(next.state.getState())?.rows).toEqual([0, 1]);
    expect(server.bodies).toHaveLength(1);
    await until(() => next.state.getState().active === undefined);
    await next.resume();
    expect(server.bodies[1]?.input).toEqual(['fourth']);
    expect(shownSet(next.state.getState())?.rows).toEqual([0, 1, 2]);
  });

  it('asks for the full size and cuts it here where the server refuses dimensions', async () => {
    const server = aServer('refused');
    const lab = await aLab(server);
    lab.edit({ models: small, typed: 'one\nthree', dimensions: 64 });
    await lab.embed();
    expect(server.bodies.map((body) => body.dimensions)).toEqual([64, undefined]);
    expect(shownSet(lab.state.getState())?.dimensions).toBe(1024);
    expect(lab.state.getState().cut).toBe(64);
    expect(lab.state.getState().notice).toContain('does not support matryoshka');
  });

  it('believes the answer, not the table, where another size comes', async () => {
    const lab = await aLab(aServer('ignored'));
    lab.edit({ models: small, typed: 'one\nthree', dimensions: 64 });
    await lab.embed();
    expect(shownSet(lab.state.getState())?.dimensions).toBe(1024);
    expect(lab.state.getState().cut).toBe(64);
    expect(lab.state.getState().notice).toContain('1024 dimensions although 64');
  });

  it('embeds a query once', async () => {
    const server = aServer();
    const lab = await aLab(server);
    lab.edit({ models: small, typed: 'one\nthree' });
    await lab.embed();
    expect(await lab.knownQuery('A', 'what')).toBeUndefined();
    const vector = await lab.embedQuery('A', 'what', new AbortController().signal);
    expect(vector).toHaveLength(1024);
    expect(await lab.embedQuery('A', 'what', new AbortController().signal)).toEqual(vector);
    expect(server.bodies).toHaveLength(2);
  });

  it('tells whether the server’s own size is a cut of the full one', async () => {
    const server = aServer();
    const lab = await aLab(server);
    lab.edit({ models: small, typed: 'one\nthree' });
    await lab.embed();
    expect(await lab.verifyCut('A', 64)).toMatchObject({
      dimensions: 64,
      texts: 2,
      least: expect.closeTo(1, 5),
    });
    expect(server.bodies[1]).toMatchObject({ input: ['one', 'three'], dimensions: 64 });
    const other = await aLab(aServer('ignored'));
    other.edit({ models: small, typed: 'one\nthree' });
    await other.embed();
    await expect(other.verifyCut('A', 64)).rejects.toThrow('returned 1024 dimensions although 64');
  });

  it('loads a second model for the same texts, and forgets it when it is taken away', async () => {
    const server = aServer();
    const lab = await aLab(server);
    lab.edit({
      models: { A: 'demo/embedding-0.6B', B: 'demo/embedding-4B' },
      typed: 'one\nthree',
      dimensions: 64,
    });
    await lab.embed();
    expect(Object.keys(lab.state.getState().sets)).toEqual(['A', 'B']);
    expect(server.bodies.map(({ model, dimensions }) => [model, dimensions])).toEqual([
      ['demo/embedding-0.6B', 64],
      ['demo/embedding-4B', 64],
    ]);
    lab.edit({ models: small });
    await lab.embed();
    expect(Object.keys(lab.state.getState().sets)).toEqual(['A']);
    expect(server.bodies).toHaveLength(2);
  });

  it('keeps the results of the texts before until the next ones are there, and says whose they are', async () => {
    const server = aServer();
    const lab = await aLab(server);
    lab.edit({ models: small, typed: 'one\nthree' });
    await lab.embed();
    lab.select(1);
    lab.edit({ typed: 'four\nfifth one\nthe sixth' });
    const job = lab.embed();
    await until(() => lab.state.getState().active === 'A');
    expect(lab.state.getState().texts.map(({ text }) => text)).toEqual(['one', 'three']);
    expect(jobTexts(lab.state.getState()).texts).toHaveLength(3);
    expect(staleCount(lab.state.getState())).toBe(2);
    await job;
    expect(lab.state.getState()).toMatchObject({ coming: undefined, selection: { chosen: [] } });
    expect(lab.state.getState().texts).toHaveLength(3);
    expect(shownSet(lab.state.getState())?.rows).toEqual([0, 1, 2]);
    expect(staleCount(lab.state.getState())).toBeUndefined();
  });

  it('says why it cannot embed, also where only the second model is missing, and sends nothing', async () => {
    const server = aServer();
    const lab = await aLab(server);
    const why = async () => {
      await lab.embed();
      return lab.state.getState().notice;
    };
    expect(await why()).toBe('Enter at least one text.');
    lab.edit({ typed: 'one\nthree' });
    expect(await why()).toBe('Choose a model.');
    lab.edit({ models: small });
    lab.wantSecond(true);
    expect(await why()).toBe('Choose the second model, or remove it.');
    expect(server.bodies).toEqual([]);
    lab.wantSecond(false);
    expect(await why()).toBeUndefined();
    expect(server.bodies).toHaveLength(1);
  });

  it('sends any number as dimensions, and to a second model unless that is known not to take it', async () => {
    const server = aServer();
    const lab = await aLab(server);
    lab.edit({
      models: { A: 'south/embed-small', B: 'Qwen/Qwen3-Embedding-4B' },
      typed: 'one\nthree',
      dimensions: 300,
    });
    await lab.embed();
    expect(server.bodies.map(({ model, dimensions }) => [model, dimensions])).toEqual([
      ['south/embed-small', 300],
      ['Qwen/Qwen3-Embedding-4B', undefined],
    ]);
  });

  it('colours the matrix of each set as it was chosen for it', async () => {
    const lab = await aLab(aServer());
    lab.edit({ models: { A: 'demo/embedding-0.6B', B: 'demo/embedding-4B' }, typed: 'one\nthree' });
    await lab.embed();
    lab.scaleTo('stretch');
    lab.showSlot('B');
    expect(lab.state.getState().scales).toEqual({ A: 'stretch' });
  });

  it('says that what it loaded is lost, and loads it again without a request', async () => {
    const server = aServer();
    let lose: (words: string) => void = () => undefined;
    const engine = { ...anEngine(), onLost: (listen: (words: string) => void) => void (lose = listen) };
    const lab = await aLab(server, memoryVectorStore(), engine);
    lab.edit({ models: { A: 'demo/embedding-0.6B', B: 'demo/embedding-4B' }, typed: 'one\nthree' });
    await lab.embed();
    expect(Object.keys(lab.state.getState().sets)).toEqual(['A', 'B']);
    engine.close();
    lose('It stopped.');
    expect(lab.state.getState().sets).toEqual({});
    expect(lab.state.getState()).toMatchObject({ problem: 'It stopped.', isUpToDate: false });
    expect(lab.state.getState().texts).toHaveLength(2);
    const asked = server.bodies.length;
    await lab.embed();
    expect(Object.keys(lab.state.getState().sets)).toEqual(['A', 'B']);
    expect(lab.state.getState()).toMatchObject({ problem: undefined, isUpToDate: true });
    expect((await lab.engine.search({ set: 'A' }, { row: 0 }, 1)).rows).toEqual(Int32Array.of(1));
    expect(server.bodies).toHaveLength(asked);
  });
});

describe('the lab of a playground', () => {
  it('that could not be opened is opened again the next time, and is then the same one each time', async () => {
    const bench = await aBench();
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
    const open = () => bench.lab.open(() => openLab({ ...bench, page }, anEngine()));
    await expect(open()).rejects.toThrow('Failure 1');
    await expect(open()).rejects.toThrow('Failure 2');
    expect(bench.lab.lab()).toBeUndefined();
    const lab = await open();
    expect(await open()).toBe(lab);
    expect(bench.lab.lab()).toBe(lab);
  });

  it('shares nothing with that of another in the same page', async () => {
    const bench = await aBench();
    const [one, other] = await Promise.all(
      [bench, await bench.another()].map((playground) =>
        playground.lab.open(() => openLab(playground, anEngine())),
      ),
    );
    const before = other?.state.getState();
    one?.edit({ models: small, typed: 'one\nthree' });
    one?.show('map');
    one?.changeFind({ query: 'three', shown: 25 });
    one?.changeMap({ layout: 'umap', drag: 'lasso' });
    one?.select(1);
    one?.cutTo(64);
    expect(one?.state.getState()).toMatchObject({ tab: 'map', find: { query: 'three' }, cut: 64 });
    expect(other?.state.getState()).toBe(before);
    // What is computed is kept under this name.
    expect(other?.id).not.toBe(one?.id);
  });

  it('begins again when everything was erased, and stores nothing of what was there', async () => {
    const vectors = memoryVectorStore();
    const lab = await aLab(aServer(), vectors);
    const first = lab.state.getState();
    lab.edit({ models: small, typed: 'one\nthree' });
    await lab.embed();
    lab.select(1);
    lab.show('compare');
    lab.changeFind({ query: 'three', template: 'Find: {query}' });
    lab.changeMap({ layout: 'umap' });
    await Promise.all([vectors.clear(), vectors.putNote('lab', undefined)]);
    await lab.forget();
    expect(lab.state.getState()).toEqual(first);
    expect(await vectors.note('lab')).toBeUndefined();
    await expect(lab.engine.search({ set: 'A' }, { row: 0 }, 1)).rejects.toThrow('not loaded');
  });
});
