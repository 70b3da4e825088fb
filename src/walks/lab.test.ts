/** The embeddings lab as a person works in it: from texts to what is said about them and about the answers. */
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { labCommands } from '../app/commands/lab-commands.ts';
import { createPageState } from '../app/page-state.ts';
import { createLocalEngine } from '../embedding/engine/local-engine.ts';
import { JobStrip } from '../features/embeddings/job-strip.tsx';
import { TextsList } from '../features/embeddings/texts/texts-list.tsx';
import { CostPreview, FileCard, TextsPanel } from '../features/embeddings/texts/texts-panel.tsx';
import { WireView } from '../features/embeddings/texts/wire-view.tsx';
import { modelsKey } from '../features/models/use-models.ts';
import { readLabFile } from '../state/lab/lab-file.ts';
import { getShownSet } from '../state/lab/lab-state.ts';
import { createLab } from '../state/lab/lab.ts';
import { createMemoryVectorStore } from '../storage/vector-store.ts';
import type { Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import { aTalk } from '../testing/conversation-driver.ts';
import { labWords } from '../testing/render-views.tsx';
import type { ChatScript, ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

const model = 'south/embed-small';

/** The lab of a tab, on this thread. */
function openLab(bench: Bench, vectors = createMemoryVectorStore()) {
  const { gateway, queue, page, signals, unsaved } = bench;
  const { now, newId } = page;
  const engine = createLocalEngine({ now, pause: () => Promise.resolve() });
  const { onStatus } = signals;
  return createLab({ gateway, queue, vectors, now, newId, random: () => 0.5, onStatus, unsaved }, engine);
}

async function aLab(script: ChatScript) {
  const { bench, gateway } = await aTalk(script);
  const lab = await openLab(bench);
  lab.edit({ models: { A: model, B: '' } });
  return { bench, gateway, lab };
}

const inputOf = (body: Record<string, unknown>): readonly unknown[] =>
  Array.isArray(body['input']) ? body['input'] : [];

/** One vector for each text of the request, in this order. */
function embedded(answer: ScriptedAnswer, body: Record<string, unknown>): void {
  const data = inputOf(body).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [String(text).length, 3, 1],
  }));
  answer.json(200, { object: 'list', model, data });
}

describe('texts', () => {
  it('come from a file: columns are picked, groups are taken, doubles and empties are told', async () => {
    const { bench, gateway, lab } = await aLab((answer, { body }) => embedded(answer, body));
    const file = readLabFile(
      'questions.csv',
      'id,question,topic\n1,"Late, again",delivery\n2,Where is it?,delivery\n3,,refund\n4,"Late, again",delivery\n5,Money back,refund\n',
    );
    lab.edit({ file });
    await until(() => lab.state.getState().plan !== undefined);
    const card = labWords(bench, lab, createElement(FileCard, { file }));
    for (const words of ['questions.csv', 'question', 'topic']) expect(card).toContain(words);
    expect(labWords(bench, lab, createElement(CostPreview))).toContain(
      '4 texts, 1 duplicate, sent once, 1 blank line skipped. 3 to send: 1 request',
    );
    await lab.embed();
    expect(gateway.posts.map(({ body }) => inputOf(body))).toEqual([
      ['Late, again', 'Where is it?', 'Money back'],
    ]);
    expect(lab.state.getState().groups).toEqual(['delivery', 'refund']);
    expect(lab.state.getState().texts.map(({ text, group }) => [text, group])).toEqual([
      ['Late, again', 0],
      ['Where is it?', 0],
      ['Late, again', 0],
      ['Money back', 1],
    ]);
    expect(labWords(bench, lab, createElement(CostPreview))).toContain('All embedded.');
  });

  it('are asked for alone where a gateway makes one vector of all that a request holds', async () => {
    const { bench, gateway, lab } = await aLab((answer, { body }) => {
      const data = [{ object: 'embedding', index: 0, embedding: [inputOf(body).join('').length, 3, 1] }];
      answer.json(200, { object: 'list', model, data });
    });
    lab.edit({ typed: 'one\ntwo two\nthree three three' });
    await lab.embed();
    const alone = gateway.posts.map(({ body }) => inputOf(body)).filter((texts) => texts.length === 1);
    expect(new Set(alone.flat())).toEqual(new Set(['one', 'two two', 'three three three']));
    expect(labWords(bench, lab, createElement(TextsList))).not.toContain('failed');
  });

  it('stay where they are when they are refused, and what to do is said', async () => {
    const error = { message: 'This key is no longer valid', type: 'invalid_api_key', code: '401' };
    const { bench, gateway, lab } = await aLab((answer) => answer.json(401, { error }));
    lab.edit({ typed: 'one\ntwo' });
    await lab.embed();
    const strip = labWords(bench, lab, createElement(JobStrip));
    expect(strip).toContain('This key is no longer valid');
    expect(strip).toContain('Your texts are kept');
    expect(strip).toContain('Retry');
    expect(lab.state.getState().input.typed).toBe('one\ntwo');
    expect(gateway.posts).toHaveLength(1);
    expect(bench.signals.state.getState().keyRejectedAt).toBeDefined();
  });

  it('are there again at the next visit with the query and the chosen view, and only new ones are asked for', async () => {
    const { bench, gateway } = await aTalk((answer, { body }) => embedded(answer, body));
    const vectors = createMemoryVectorStore();
    const lab = await openLab(bench, vectors);
    lab.edit({ models: { A: model, B: '' }, typed: 'first\nsecond text' });
    await lab.embed();
    lab.showTab('wire');
    lab.changeFind({ query: 'soup', template: 'query: {query}' });
    await lab.saveNow();

    const next = await openLab(bench, vectors);
    await until(() => getShownSet(next.state.getState()) !== undefined);
    expect(next.state.getState().tab).toBe('wire');
    expect(next.state.getState().find).toMatchObject({ query: 'soup', template: 'query: {query}' });
    expect(gateway.posts).toHaveLength(1);
    next.edit({ typed: 'first\nsecond text\na third' });
    await until(() => next.state.getState().active === undefined);
    await next.embed();
    expect(inputOf(gateway.posts[1]?.body ?? {})).toEqual(['a third']);
    expect(getShownSet(next.state.getState())?.rows).toEqual([0, 1, 2]);
  });
});

describe('what is wrong on the wire', () => {
  it('names every fault of an embeddings answer in the Wire view', async () => {
    const vector = (seed: number) => Array.from({ length: 8 }, (_, at) => Math.sin(seed * 7 + at));
    const { bench, lab } = await aLab((answer, { body }) => {
      const data = inputOf(body).map((text, index) => ({
        object: 'embedding',
        index,
        embedding: text === 'bad' ? vector(0).map(() => 0) : vector(index + 1),
      }));
      answer.json(200, {
        object: 'list',
        model,
        data: data.toReversed(),
        usage: { prompt_tokens: 3, total_tokens: 3 },
      });
    });
    lab.edit({ typed: 'one\nbad\nthree' });
    await lab.embed();
    expect(labWords(bench, lab, createElement(JobStrip))).toContain('1 text of 3 has no vector');
    expect(labWords(bench, lab, createElement(TextsList))).toMatch(/bad\nfailed/);
    const wire = labWords(bench, lab, createElement(WireView));
    for (const words of [
      'Received float although base64 was requested',
      'Some vectors are all zeros',
      'not in the order of the texts',
    ])
      expect(wire).toContain(words);
  });
});

describe('a field that is refused', () => {
  it('names a refused field with the fix as the first button and lists omitted fields', async () => {
    const { bench, gateway, lab } = await aLab((answer, { body }) => {
      const name = ['encoding_format', 'input_type'].find((field) => field in body);
      const error = { message: `Unsupported parameter: '${name}'`, type: 'invalid_request', code: '400' };
      if (name === undefined) embedded(answer, body);
      else answer.json(400, { error });
    });
    lab.edit({ typed: 'one\ntwo words', fields: '{ "input_type": "passage", "user": 1 }' });
    const say = () => labWords(bench, lab, createElement(JobStrip)).split('\n');
    for (const name of ['encoding_format', 'input_type']) {
      await (name === 'encoding_format' ? lab.embed() : lab.omitRejectedField('A'));
      expect(say()).toContain(`The gateway rejected the field ${name}.`);
      expect(say().slice(-2)).toEqual([`Leave ${name} out`, 'Retry']);
    }
    expect(gateway.posts, 'one request for each').toHaveLength(2);
    await lab.omitRejectedField('A');
    expect(gateway.posts[2]?.body).toEqual({ model, input: ['one', 'two words'], user: 1 });
    const panel = labWords(bench, lab, createElement(TextsPanel, { hasFind: true }));
    expect(panel).toContain(`Not sent to ${model}: encoding_format, input_type`);
    expect(panel).toContain('Extra fields for the query');
    expect(labWords(bench, lab, createElement(JobStrip))).toBe('');
    const code = labWords(bench, lab, createElement(WireView));
    expect(code).toContain('"user": 1');
    expect(code).not.toContain('"input_type"');
  });

  it('offers to add a missing field', async () => {
    const { bench, lab } = await aLab((answer) =>
      answer.json(422, { detail: [{ loc: ['body', 'task'], msg: 'Field required', type: 'missing' }] }),
    );
    lab.edit({ typed: 'one\ntwo' });
    await lab.embed();
    const said = labWords(bench, lab, createElement(JobStrip)).split('\n');
    expect(said).toContain('The gateway requires the field task.');
    expect(said.slice(-2)).toEqual(['Add task', 'Retry']);
  });
});

describe('different texts with the same vector', () => {
  const start = 'the same beginning '.repeat(100);

  it('notes different texts with the same vector and the listed limit of the model', async () => {
    const { bench, lab } = await aLab((answer, { body }) => {
      const data = inputOf(body).map((text, index) => ({
        index,
        embedding: [String(text).slice(0, 40).length, 0.5, 1],
      }));
      answer.json(200, { object: 'list', model, data });
    });
    lab.edit({ typed: `${start}a\nshort\n${start}b\nSHORT` });
    await lab.embed();
    const cut = 'same vector: the model probably cut both texts';
    const list = createElement(TextsList);
    expect(labWords(bench, lab, list).split(`${cut}\n`)).toHaveLength(3);
    expect(labWords(bench, lab, list)).toContain('same vector: the model does not tell the texts apart');
    expect(labWords(bench, lab, createElement(WireView))).toContain('Different texts have the same vector');
    const queries = new QueryClient();
    queries.setQueryData(modelsKey, { models: [{ id: model, contextTokens: 512 }] });
    expect(labWords(bench, lab, list, queries)).toContain(`${cut} at 512 tokens`);
    lab.select(0);
    expect(labWords(bench, lab, createElement(TextsPanel, { hasFind: false }), queries)).toContain(
      `${cut} at 512 tokens. Other text:`,
    );
  });
});

describe('a query', () => {
  it('that Enter asked for is one request, also where the pause after the last key comes before its answer', async () => {
    const answered = aGate();
    const { gateway, lab } = await aLab(async (answer, { body }) => {
      if (inputOf(body).includes('query')) await answered.opened;
      embedded(answer, body);
    });
    lab.edit({ typed: 'first\nsecond text\na third one' });
    await lab.embed();
    lab.changeFind({ query: 'query' });
    const byEnter = lab.search({ canSendRequest: true });
    await until(() => gateway.posts.length === 2);
    await lab.search({ canSendRequest: false });
    expect(lab.state.getState().find.isSearching).toBe(true);
    answered.open();
    await byEnter;
    expect(lab.state.getState().find).toMatchObject({ isAsking: false, activeQuery: { query: 'query' } });
    // The same words once more are known: nothing is asked for.
    await lab.search({ canSendRequest: true });
    expect(gateway.posts.map(({ body }) => inputOf(body))).toEqual([
      ['first', 'second text', 'a third one'],
      ['query'],
    ]);
  });
});

describe('a command of the lab', () => {
  it('does what the views do, and says why it cannot', async () => {
    const { bench } = await aTalk((answer, { body }) => {
      const data = inputOf(body).map((text, index) => ({
        object: 'embedding',
        index,
        embedding: Array.from({ length: 256 }, (_, at) => Math.sin((String(text).length + 1) * (at + 1))),
      }));
      answer.json(200, { object: 'list', model, data });
    });
    const context = { playground: bench, pageState: createPageState(), announce: () => undefined };
    const command = (id: string) => {
      const found = labCommands.find((one) => one.id === id);
      if (!found) throw new Error(`There is no command ${id}`);
      return { why: () => found.disabledReason?.(context), run: () => found.run(context) };
    };
    const [shorter, longer, other] = ['lab-shorter', 'lab-longer', 'lab-otherModel'].map(command);
    const lab = await bench.lazyLab.load(() => openLab(bench));
    expect(shorter?.why(), 'in the playground').toBe('Only in the embeddings lab');
    bench.router.navigate({ screen: 'page', path: '/embeddings' });
    expect(shorter?.why()).toBe('Nothing embedded yet');
    lab.edit({ models: { A: model, B: '' }, typed: 'first\nsecond text' });
    await lab.embed();
    expect([shorter?.why(), longer?.why()]).toEqual([undefined, 'Already the full size']);
    void shorter?.run();
    expect(lab.state.getState().shownDimensions).toBe(128);
    void shorter?.run();
    void longer?.run();
    void longer?.run();
    expect(lab.state.getState().shownDimensions, 'the full size').toBeUndefined();
    lab.setDimensions(64);
    expect([shorter?.why(), other?.why()]).toEqual(['Already the smallest size', 'Only one model']);

    lab.edit({ models: { A: model, B: 'south/embed-large' } });
    await lab.embed();
    void other?.run();
    expect(getShownSet(lab.state.getState())?.model).toBe('south/embed-large');
  });
});
