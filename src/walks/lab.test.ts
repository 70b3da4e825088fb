/** The embeddings lab as a person works in it: from texts to what is said about them and about the answers. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { createLocalEngine } from '../embedding/engine/local-engine.ts';
import { JobStrip } from '../features/embeddings/job-strip.tsx';
import { createLabControl } from '../features/embeddings/lab/lab-control.ts';
import { importedFile } from '../features/embeddings/lab/lab-input.ts';
import { shownSet } from '../features/embeddings/lab/lab-store.ts';
import { findStore, firstFind } from '../features/embeddings/nearest/find-store.ts';
import { lookFor, type UnderWay } from '../features/embeddings/nearest/look-for.ts';
import { FileCard } from '../features/embeddings/texts/file-card.tsx';
import { CostPreview } from '../features/embeddings/texts/texts-panel.tsx';
import { TextsTable } from '../features/embeddings/texts/texts-table.tsx';
import { WireView } from '../features/embeddings/texts/wire-view.tsx';
import { memoryVectorStore } from '../storage/vector-store.ts';
import type { Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import type { ChatScript, ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { aTalk } from '../testing/talk.ts';
import { until } from '../testing/until.ts';
import { labWords } from '../testing/views.tsx';

const model = 'south/embed-small';

/** The lab of a tab, on this thread. */
function openLab(bench: Bench, vectors = memoryVectorStore()) {
  const { gateway, queue, page, signals, unsaved } = bench;
  const { now, newId } = page;
  const engine = createLocalEngine({ now, pause: () => Promise.resolve(), kernel: 'javascript' });
  const { heardStatus } = signals;
  return createLabControl(
    { gateway, queue, vectors, now, newId, random: () => 0.5, heardStatus, unsaved },
    engine,
  );
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
    const file = importedFile(
      'questions.csv',
      'id,question,topic\n1,"Late, again",delivery\n2,Where is it?,delivery\n3,,refund\n4,"Late, again",delivery\n5,Money back,refund\n',
    );
    if (!file) throw new Error('The file holds no rows');
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
    expect(lab.store.getState().groups).toEqual(['delivery', 'refund']);
    expect(lab.store.getState().texts.map(({ text, group }) => [text, group])).toEqual([
      ['Late, again', 0],
      ['Where is it?', 0],
      ['Late, again', 0],
      ['Money back', 1],
    ]);
    expect(labWords(bench, lab, createElement(CostPreview))).toContain('All embedded.');
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
    const vectors = memoryVectorStore();
    const lab = await openLab(bench, vectors);
    lab.edit({ models: { A: model, B: '' }, typed: 'first\nsecond text' });
    await lab.embed();
    lab.store.setState({ tab: 'wire' });
    findStore.setState({ query: 'soup', template: 'query: {query}' });
    await lab.keep();
    findStore.setState(firstFind);

    const next = await openLab(bench, vectors);
    await until(() => shownSet(next.store.getState()) !== undefined);
    expect(next.store.getState().tab).toBe('wire');
    expect(findStore.getState()).toMatchObject({ query: 'soup', template: 'query: {query}' });
    expect(gateway.posts).toHaveLength(1);
    next.edit({ typed: 'first\nsecond text\na third' });
    await until(() => next.state.getState().active === undefined);
    await next.embed();
    expect(inputOf(gateway.posts[1]?.body ?? {})).toEqual(['a third']);
    expect(shownSet(next.store.getState())?.rows).toEqual([0, 1, 2]);
  });
});

describe('what is wrong on the wire', () => {
  it('is named, with what a careless client would have made of it', async () => {
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
    expect(labWords(bench, lab, createElement(TextsTable))).toMatch(/^bad~1failed/m);
    const wire = labWords(bench, lab, createElement(WireView));
    for (const words of [
      'Received float although base64 was requested',
      'Some vectors are all zeros',
      'not in the order of the texts',
      '2 numbers, all zero, and no error. 8 were sent.',
    ])
      expect(wire).toContain(words);
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
    const set = shownSet(lab.store.getState());
    if (!set) throw new Error('Nothing is loaded');
    const under: { current: UnderWay | undefined } = { current: undefined };
    const asked = { set, words: 'query', template: '{query}' };
    const byEnter = lookFor(lab, under, { ...asked, maySpend: true });
    await until(() => gateway.posts.length === 2);
    await lookFor(lab, under, { ...asked, maySpend: false });
    expect(findStore.getState().isAsking).toBe(true);
    answered.open();
    await byEnter;
    expect(findStore.getState()).toMatchObject({ isAsking: false, found: { query: 'query' } });
    // The same words once more are known: nothing is asked for.
    await lookFor(lab, under, { ...asked, maySpend: true });
    expect(gateway.posts.map(({ body }) => inputOf(body))).toEqual([
      ['first', 'second text', 'a third one'],
      ['query'],
    ]);
  });
});
