/** Tests the embeddings lab: entering texts, embedding them, and the messages about texts and responses. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';

import { labCommands } from '../app/commands/lab-commands.ts';
import { createPageState } from '../app/page-state.ts';
import { createLocalEngine } from '../embedding/engine/local-engine.ts';
import { JobStrip } from '../features/embeddings/job-strip.tsx';
import { LabBar } from '../features/embeddings/lab-bar.tsx';
import { TextsList } from '../features/embeddings/texts/texts-list.tsx';
import { CostPreview, FileCard, TextsPanel } from '../features/embeddings/texts/texts-panel.tsx';
import { WireView } from '../features/embeddings/texts/wire-view.tsx';
import { getModelsKey } from '../features/models/use-models.ts';
import { readLabFile } from '../state/lab/lab-file.ts';
import { noModel } from '../state/lab/lab-input.ts';
import { getShownSet } from '../state/lab/lab-state.ts';
import { createLab } from '../state/lab/lab.ts';
import { createMemoryVectorStore } from '../storage/vector-store.ts';
import { createBench, type Bench } from '../testing/bench.ts';
import { createGate } from '../testing/builders.ts';
import { createConversation } from '../testing/conversation-driver.ts';
import { renderText } from '../testing/render-with-playground.tsx';
import {
  startScriptedGateway,
  type ChatScript,
  type ScriptedGateway,
  type ScriptedResponse,
} from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

const model = 'south/embed-small';

/** Creates the lab of a tab; its engine computes on the test's own thread. */
function openLab(bench: Bench, vectors = createMemoryVectorStore()) {
  const { gateways, page, unsaved } = bench;
  const { now, newId } = page;
  const engine = createLocalEngine({ now, pause: () => Promise.resolve() });
  return createLab({ gateways, vectors, now, newId, random: () => 0.5, unsaved }, engine);
}

async function createTestLab(script: ChatScript) {
  const { bench, gateway } = await createConversation(script);
  const lab = await openLab(bench);
  lab.edit({ models: { A: { model }, B: noModel } });
  return { bench: { ...bench, lazyLab: { ...bench.lazyLab, getLab: () => lab } }, gateway, lab };
}

const getInput = (body: Record<string, unknown>): readonly unknown[] =>
  Array.isArray(body['input']) ? body['input'] : [];

/** Sends one vector per text of the request, in the same order. */
function sendEmbeddings(answer: ScriptedResponse, body: Record<string, unknown>): void {
  const data = getInput(body).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [String(text).length, 3, 1],
  }));
  answer.sendJson(200, { object: 'list', model, data });
}

describe('texts of the lab', () => {
  it('imports texts with a column and groups from a file, and reports duplicate and empty rows', async () => {
    const { bench, gateway, lab } = await createTestLab((answer, { body }) => sendEmbeddings(answer, body));
    const file = readLabFile(
      'questions.csv',
      'id,question,topic\n1,"Late, again",delivery\n2,Where is it?,delivery\n3,,refund\n4,"Late, again",delivery\n5,Money back,refund\n',
    );
    lab.edit({ file });
    await waitUntil(() => lab.state.getState().plans !== undefined);
    const card = renderText(bench, <FileCard file={file} />);
    for (const text of ['questions.csv', 'question', 'topic']) expect(card).toContain(text);
    expect(renderText(bench, <CostPreview />)).toContain(
      '4 texts, 1 duplicate sent only once, 1 blank line skipped. 3 to embed in 1 request',
    );
    await lab.embed();
    expect(gateway.posts.map(({ body }) => getInput(body))).toEqual([
      ['Late, again', 'Where is it?', 'Money back'],
    ]);
    expect(lab.state.getState().groups).toEqual(['delivery', 'refund']);
    expect(lab.state.getState().texts.map(({ text, group }) => [text, group])).toEqual([
      ['Late, again', 0],
      ['Where is it?', 0],
      ['Late, again', 0],
      ['Money back', 1],
    ]);
    expect(renderText(bench, <CostPreview />)).toContain('All embedded.');
  });

  it('sends texts one by one if the gateway returns one vector for a whole request', async () => {
    const { bench, gateway, lab } = await createTestLab((answer, { body }) => {
      const data = [{ object: 'embedding', index: 0, embedding: [getInput(body).join('').length, 3, 1] }];
      answer.sendJson(200, { object: 'list', model, data });
    });
    lab.edit({ typed: 'one\ntwo two\nthree three three' });
    await lab.embed();
    const singleTexts = gateway.posts.map(({ body }) => getInput(body)).filter((texts) => texts.length === 1);
    expect(new Set(singleTexts.flat())).toEqual(new Set(['one', 'two two', 'three three three']));
    expect(renderText(bench, <TextsList />)).not.toContain('failed');
  });

  it('keeps rejected texts and explains what to do', async () => {
    const error = { message: 'This key is no longer valid', type: 'invalid_api_key', code: '401' };
    const { bench, gateway, lab } = await createTestLab((answer) => answer.sendJson(401, { error }));
    lab.edit({ typed: 'one\ntwo' });
    await lab.embed();
    const strip = renderText(bench, <JobStrip />);
    expect(strip).toContain('This key is no longer valid');
    expect(strip).toContain('Your texts are kept');
    expect(strip).toContain('Retry');
    expect(lab.state.getState().input.typed).toBe('one\ntwo');
    expect(gateway.posts).toHaveLength(1);
    expect(bench.gateways.getServices().signals.state.getState().keyRejectedAt).toBeDefined();
  });

  it('restores texts, query and view on the next visit and embeds only new texts', async () => {
    const { bench, gateway } = await createConversation((answer, { body }) => sendEmbeddings(answer, body));
    const vectors = createMemoryVectorStore();
    const lab = await openLab(bench, vectors);
    lab.edit({ models: { A: { model }, B: noModel }, typed: 'first\nsecond text' });
    await lab.embed();
    lab.showTab('wire');
    lab.changeFind({ query: 'soup', template: 'query: {query}' });
    await lab.saveNow();

    const reopenedLab = await openLab(bench, vectors);
    await waitUntil(() => getShownSet(reopenedLab.state.getState()) !== undefined);
    expect(reopenedLab.state.getState().tab).toBe('wire');
    expect(reopenedLab.state.getState().find).toMatchObject({ query: 'soup', template: 'query: {query}' });
    expect(gateway.posts).toHaveLength(1);
    reopenedLab.edit({ typed: 'first\nsecond text\na third' });
    await waitUntil(() => reopenedLab.state.getState().activeSlot === undefined);
    await reopenedLab.embed();
    expect(getInput(gateway.posts[1]?.body ?? {})).toEqual(['a third']);
    expect(getShownSet(reopenedLab.state.getState())?.rows).toEqual([0, 1, 2]);
  });
});

describe('two gateways', () => {
  const typed = 'one\ntwo words';

  /** Opens a tab on a server with the gateways `one` and `two`, which count their requests separately. */
  async function createTwoGateways() {
    const gateways = await Promise.all([startScriptedGateway(), startScriptedGateway()]);
    const [one, two] = gateways;
    for (const gateway of gateways) {
      gateway.setChatScript((answer, { body }) => sendEmbeddings(answer, body));
      onTestFinished(() => gateway.close());
    }
    const settings = {
      GATEWAYS: 'one,two',
      GATEWAY_ONE_BASE_URL: one.url,
      GATEWAY_TWO_BASE_URL: two.url,
      GATEWAY_TWO_LABEL: 'Second',
    };
    const bench = await createBench({ settings });
    const vectors = createMemoryVectorStore();
    const lab = await openLab(bench, vectors);
    const getInputs = ({ posts }: ScriptedGateway) => posts.map(({ body }) => getInput(body));
    const getSentCount = (name: string) => bench.gateways.getQueue(name).state.getState().sentAt.length;
    return {
      bench: { ...bench, lazyLab: { ...bench.lazyLab, getLab: () => lab } },
      one,
      two,
      lab,
      vectors,
      getInputs,
      getSentCount,
    };
  }

  it('sends each model to its gateway and stores the same texts separately', async () => {
    const { bench, one, two, lab, getInputs, getSentCount } = await createTwoGateways();
    lab.edit({ models: { A: { model, gateway: 'one' }, B: { model, gateway: 'two' } }, typed });
    await waitUntil(() => lab.state.getState().plans !== undefined);
    expect(renderText(bench, <CostPreview />)).toBe(
      '2 texts. one: 2 to embed in 1 request, ~4 tokens. Second: 2 to embed in 1 request, ~4 tokens.',
    );
    await lab.embed();
    expect([getInputs(one), getInputs(two)]).toEqual([[['one', 'two words']], [['one', 'two words']]]);
    expect([getSentCount('one'), getSentCount('two')]).toEqual([1, 1]);
    expect(bench.gateways.getServices('two').signals.state.getState().keyAcceptedAt).toBeDefined();
    expect(lab.state.getState().sets).toMatchObject({ A: { model }, B: { model, gateway: 'two' } });
    lab.changeFind({ query: 'soup' });
    lab.showSlot('B');
    await lab.search({ canSendRequest: true });
    expect([one.posts.length, getInputs(two).at(-1)]).toEqual([1, ['soup']]);
    // Without a name, a model belongs to the first gateway, whose vectors are stored.
    lab.edit({ models: { A: { model }, B: noModel } });
    expect(lab.state.getState().sets.A?.gateway).toBeUndefined();
    await lab.embed();
    expect([one.posts.length, two.posts.length]).toEqual([1, 2]);
  });

  it('finds the vectors of the first gateway by its name after the gateways are reported', async () => {
    const { bench, one, lab, vectors } = await createTwoGateways();
    lab.edit({ models: { A: { model, gateway: 'one' }, B: noModel }, typed });
    await lab.embed();
    await lab.saveNow();
    const statuses = bench.gateways.statuses.getState();
    bench.gateways.setStatuses([]);
    const reopenedLab = await openLab(bench, vectors);
    bench.gateways.setStatuses(statuses);
    await waitUntil(() => reopenedLab.state.getState().isUpToDate);
    expect(one.posts).toHaveLength(1);
  });

  it('sends nothing for a gateway that the server does not have, and says so', async () => {
    const { bench, one, two, lab } = await createTwoGateways();
    lab.edit({ models: { A: { model, gateway: 'gone' }, B: noModel }, typed });
    const message = 'This server has no gateway named gone.';
    expect(renderText(bench, <LabBar isShort={false} />)).toContain(message);
    await lab.embed();
    expect(lab.state.getState().notice).toBe(`${message} Choose another model.`);
    lab.edit({ models: { A: { model, gateway: 'two' }, B: noModel } });
    await lab.embed();
    bench.gateways.setStatuses(bench.gateways.statuses.getState().slice(0, 1));
    await expect(lab.embedQuery('A', 'soup', new AbortController().signal)).rejects.toThrow(
      'This server has no gateway named two. Nothing was sent.',
    );
    expect([one.posts.length, two.posts.length]).toEqual([0, 1]);
  });

  it('names the gateway of a model in the problem of its job and beside omitted fields', async () => {
    const { bench, two, lab } = await createTwoGateways();
    two.setChatScript((answer, { body }) => {
      const error = { message: "Unsupported parameter: 'user'", type: 'invalid_request', code: '400' };
      if ('user' in body) answer.sendJson(400, { error });
      else sendEmbeddings(answer, body);
    });
    const models = { A: { model, gateway: 'two' }, B: noModel };
    lab.edit({ models, typed, fields: '{ "user": 1 }' });
    await lab.embed();
    expect(renderText(bench, <JobStrip />)).toContain(`${model} (Second)`);
    await lab.omitRejectedField('A');
    expect(renderText(bench, <TextsPanel hasFindField />)).toContain(`Not sent to ${model} (Second): user`);
    lab.edit({ models: { ...models, A: { model } } });
    await lab.embed();
    expect(lab.state.getState().jobs.A?.state.getState().exchanges[0]?.request).toHaveProperty('user');
  });
});

describe('faults in an embeddings response', () => {
  it('lists every fault of an embeddings response in the Wire view', async () => {
    const createVector = (seed: number) =>
      Array.from({ length: 8 }, (_, dimension) => Math.sin(seed * 7 + dimension));
    const { bench, lab } = await createTestLab((answer, { body }) => {
      const data = getInput(body).map((text, index) => ({
        object: 'embedding',
        index,
        embedding: text === 'bad' ? createVector(0).map(() => 0) : createVector(index + 1),
      }));
      answer.sendJson(200, {
        object: 'list',
        model,
        data: data.toReversed(),
        usage: { prompt_tokens: 3, total_tokens: 3 },
      });
    });
    lab.edit({ typed: 'one\nbad\nthree' });
    await lab.embed();
    expect(renderText(bench, <JobStrip />)).toContain('1 of 3 texts has no vector');
    expect(renderText(bench, <TextsList />)).toMatch(/bad\nfailed/);
    const wire = renderText(bench, <WireView />);
    for (const text of [
      'Received float although base64 was requested',
      'Some vectors are all zeros',
      'The items are out of order',
    ])
      expect(wire).toContain(text);
  });
});

describe('rejected field of an embeddings request', () => {
  it('names a rejected field with the fix as the first button and lists omitted fields', async () => {
    const { bench, gateway, lab } = await createTestLab((answer, { body }) => {
      const name = ['encoding_format', 'input_type'].find((field) => field in body);
      const error = { message: `Unsupported parameter: '${name}'`, type: 'invalid_request', code: '400' };
      if (name === undefined) sendEmbeddings(answer, body);
      else answer.sendJson(400, { error });
    });
    lab.edit({ typed: 'one\ntwo words', fields: '{ "input_type": "passage", "user": 1 }' });
    const readStrip = () => renderText(bench, <JobStrip />).split('\n');
    for (const name of ['encoding_format', 'input_type']) {
      await (name === 'encoding_format' ? lab.embed() : lab.omitRejectedField('A'));
      expect(readStrip()).toContain(`The gateway rejected the field ${name}.`);
      expect(readStrip().slice(-2)).toEqual([`Leave ${name} out`, 'Retry']);
    }
    expect(gateway.posts, 'one request per field').toHaveLength(2);
    await lab.omitRejectedField('A');
    expect(gateway.posts[2]?.body).toEqual({ model, input: ['one', 'two words'], user: 1 });
    const panel = renderText(bench, <TextsPanel hasFindField />);
    expect(panel).toContain(`Not sent to ${model}: encoding_format, input_type`);
    expect(panel).toContain('Extra fields for the query');
    expect(renderText(bench, <JobStrip />)).toBe('');
    const code = renderText(bench, <WireView />);
    expect(code).toContain('"user": 1');
    expect(code).not.toContain('"input_type"');
  });

  it('offers to add a required field', async () => {
    const { bench, lab } = await createTestLab((answer) =>
      answer.sendJson(422, { detail: [{ loc: ['body', 'task'], msg: 'Field required', type: 'missing' }] }),
    );
    lab.edit({ typed: 'one\ntwo' });
    await lab.embed();
    const lines = renderText(bench, <JobStrip />).split('\n');
    expect(lines).toContain('The gateway requires the field task.');
    expect(lines.slice(-2)).toEqual(['Add task', 'Retry']);
  });
});

describe('different texts with the same vector', () => {
  const start = 'the same beginning '.repeat(100);

  it('notes different texts with the same vector and the listed limit of the model', async () => {
    const { bench, lab } = await createTestLab((answer, { body }) => {
      const data = getInput(body).map((text, index) => ({
        index,
        embedding: [String(text).slice(0, 40).length, 0.5, 1],
      }));
      answer.sendJson(200, { object: 'list', model, data });
    });
    lab.edit({ typed: `${start}a\nshort\n${start}b\nSHORT` });
    await lab.embed();
    const cutMessage = 'same vector: the model probably truncated both texts';
    const list = <TextsList />;
    expect(renderText(bench, list).split(`${cutMessage}\n`)).toHaveLength(3);
    expect(renderText(bench, list)).toContain('same vector: the model does not distinguish the texts');
    expect(renderText(bench, <WireView />)).toContain('Different texts have the same vector');
    const queryClient = new QueryClient();
    queryClient.setQueryData(getModelsKey(), { models: [{ id: model, contextTokens: 512 }] });
    expect(renderText(bench, list, queryClient)).toContain(`${cutMessage} at 512 tokens`);
    lab.select(0);
    expect(renderText(bench, <TextsPanel hasFindField={false} />, queryClient)).toContain(
      `${cutMessage} at 512 tokens. Other text:`,
    );
  });
});

describe('query of the lab', () => {
  it('sends one request for a query on Enter, even if the debounced search runs before the response', async () => {
    const gate = createGate();
    const { gateway, lab } = await createTestLab(async (answer, { body }) => {
      if (getInput(body).includes('query')) await gate.opened;
      sendEmbeddings(answer, body);
    });
    lab.edit({ typed: 'first\nsecond text\na third one' });
    await lab.embed();
    lab.changeFind({ query: 'query' });
    const searchPromise = lab.search({ canSendRequest: true });
    await waitUntil(() => gateway.posts.length === 2);
    await lab.search({ canSendRequest: false });
    expect(lab.state.getState().find.isSearching).toBe(true);
    gate.open();
    await searchPromise;
    expect(lab.state.getState().find).toMatchObject({ isSearching: false, activeQuery: { query: 'query' } });
    // Repeating the same query sends no request.
    await lab.search({ canSendRequest: true });
    expect(gateway.posts.map(({ body }) => getInput(body))).toEqual([
      ['first', 'second text', 'a third one'],
      ['query'],
    ]);
  });
});

describe('commands of the lab', () => {
  it('runs lab commands as the views do, and returns a reason for disabled commands', async () => {
    const { bench } = await createConversation((answer, { body }) => {
      const data = getInput(body).map((text, index) => ({
        object: 'embedding',
        index,
        embedding: Array.from({ length: 256 }, (_, dimension) =>
          Math.sin((String(text).length + 1) * (dimension + 1)),
        ),
      }));
      answer.sendJson(200, { object: 'list', model, data });
    });
    const context = { ...bench, pageState: createPageState(), announce: () => undefined };
    const getCommand = (id: string) => {
      const match = labCommands.find((item) => item.id === id);
      if (!match) throw new Error(`There is no command ${id}`);
      return { getBlocker: () => match.getDisabledReason?.(context), run: () => match.run(context) };
    };
    const [shorter, longer, otherModel] = ['lab-shorter', 'lab-longer', 'lab-otherModel'].map(getCommand);
    const lab = await bench.lazyLab.load(() => openLab(bench));
    expect(shorter?.getBlocker(), 'in the playground').toBe('Only in Embeddings');
    bench.router.navigate({ screen: 'page', path: '/embeddings' });
    expect(shorter?.getBlocker()).toBe('Nothing embedded yet');
    lab.edit({ models: { A: { model }, B: noModel }, typed: 'first\nsecond text' });
    await lab.embed();
    expect([shorter?.getBlocker(), longer?.getBlocker()]).toEqual([undefined, 'Already at full size']);
    void shorter?.run();
    expect(lab.state.getState().shownDimensions).toBe(128);
    void shorter?.run();
    void longer?.run();
    void longer?.run();
    expect(lab.state.getState().shownDimensions, 'the full size').toBeUndefined();
    lab.setShownDimensions(64);
    expect([shorter?.getBlocker(), otherModel?.getBlocker()]).toEqual([
      'Already at the smallest size',
      'Only one model',
    ]);

    lab.edit({ models: { A: { model }, B: { model: 'south/embed-large' } } });
    await lab.embed();
    void otherModel?.run();
    expect(getShownSet(lab.state.getState())?.model).toBe('south/embed-large');
  });
});
