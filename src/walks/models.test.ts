/** Which models are offered, and what is said of one that is not in the gateway's list. */
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { ModelListStatus } from '../features/models/model-list-status.tsx';
import { ModelStatus } from '../features/models/model-status.tsx';
import { buildPickerOptions } from '../features/models/picker-options.ts';
import { pickDefaultModel } from '../features/models/use-default-model.ts';
import { describeEmptyList, getModelsQueryOptions, useModels } from '../features/models/use-models.ts';
import type { Bench } from '../testing/bench.ts';
import { aBrowser } from '../testing/browser.ts';
import { ask, aTalk, reloaded, runOf } from '../testing/conversation-driver.ts';
import { markupOf, readHook, wordsIn } from '../testing/render-views.tsx';

/** What the picker and the lane know of models, of a tab that has asked for the list. */
async function listOf(bench: Bench) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  await queries.query(getModelsQueryOptions(bench)).catch(() => undefined);
  const list = readHook(bench, useModels, queries);
  const models = list.data?.models ?? [];
  return {
    models,
    offered: () => {
      const { favouriteModels: favourites, recentModels: recent } = bench.prefs.getState();
      return buildPickerOptions({ models, kind: 'chat', favourites, recent, requiredAbilities: [] }).map(
        ({ id }) => id,
      );
    },
    state: () =>
      wordsIn(markupOf(bench, createElement(ModelListStatus, { list, count: 0, total: 0 }), queries)),
    hint: () => describeEmptyList(list),
    said: (model: string) => wordsIn(markupOf(bench, createElement(ModelStatus, { model }), queries)),
  };
}

function useModel(bench: Bench, model: string): void {
  bench.actions.changeSetup(bench.current().session.laneIds[0] ?? '', { model });
}

const modelOf = (bench: Bench) =>
  bench.current().lanes[bench.current().session.laneIds[0] ?? '']?.setup.model;
const few = { data: ['north/one', 'north/two', 'south/three', 'south/embed-small'].map((id) => ({ id })) };

describe('the models that are offered', () => {
  it('leave embedding models out of chat, which can still be asked', async () => {
    const { bench, gateway } = await aTalk();
    gateway.models = {
      data: [
        { id: 'south/embed-small' },
        { id: 'bge-large', object: 'model' },
        { id: 'plain', type: 'embedding' },
        { id: 'talker' },
      ],
    };
    const { models, offered } = await listOf(bench);
    expect(offered()).toEqual(['talker']);
    expect(pickDefaultModel(models)).toBe('talker');
    useModel(bench, 'bge-large');
    await ask(bench, 'Go');
    expect(gateway.posts[0]?.body['model']).toBe('bge-large');
  });

  it('begin with favourite and recent ones, each once, also after a reload', async () => {
    const { bench, gateway } = await aTalk();
    gateway.models = { data: Array.from({ length: 30 }, (_, index) => ({ id: `many/model-${index}` })) };
    for (const model of ['many/model-20', 'many/model-9']) {
      useModel(bench, model);
      await ask(bench, 'Go');
    }
    bench.prefs.setState({ favouriteModels: ['many/model-20'] });
    const again = await reloaded(bench);
    const { offered } = await listOf(again);
    expect(offered().slice(0, 4)).toEqual(['many/model-20', 'many/model-9', 'many/model-0', 'many/model-1']);
    expect(new Set(offered()).size).toBe(30);
    expect(offered()).toHaveLength(30);
  });

  it('start the next session, and the next visit, with the one that was used last', async () => {
    const { bench } = await aTalk();
    useModel(bench, 'south/three');
    await ask(bench, 'Go');
    await bench.actions.createSession();
    expect(modelOf(bench)).toBe('south/three');
    // A visit that finds no session: what was used last is a preference.
    const visit = await bench.another({ records: await aBrowser().openRecords(), path: '/' });
    expect(visit.current().runs).toEqual({});
    expect(modelOf(visit)).toBe('south/three');
  });

  it('give an empty session without a model the first that chats, and no other session', async () => {
    const { bench } = await aTalk();
    useModel(bench, '');
    bench.setDefaultModel('second/chat');
    expect(modelOf(bench)).toBe('second/chat');
    bench.setDefaultModel('third/chat');
    expect(modelOf(bench)).toBe('second/chat');
  });
});

describe('a model that the gateway does not list', () => {
  it('is sent as typed, and that is said, also once it was used', async () => {
    const { bench, gateway } = await aTalk();
    gateway.models = few;
    useModel(bench, 'north/on');
    const { said } = await listOf(bench);
    expect(said('north/on')).toContain('Not listed by the gateway; sent anyway');
    await ask(bench, 'Go');
    expect(gateway.posts[0]?.body['model']).toBe('north/on');
    expect(said('north/on')).toContain('Not listed by the gateway; sent anyway');
    expect(said('north/one')).not.toContain('Not listed');
  });

  it('and that was used while it was listed may have been retired, and can still be asked', async () => {
    const { bench, gateway } = await aTalk();
    gateway.models = few;
    await listOf(bench);
    useModel(bench, 'north/two');
    await ask(bench, 'Go');
    gateway.models = { data: [{ id: 'north/one' }] };
    const again = await reloaded(bench);
    expect(modelOf(again)).toBe('north/two');
    const { said } = await listOf(again);
    expect(said('north/two')).toContain('No longer in the list. It may have been retired.');
    await ask(again, 'Still there?');
    expect(gateway.posts[1]?.body['model']).toBe('north/two');
  });
});

describe('where the model list', () => {
  const refusal = '{"error":{"message":"no such key","type":"invalid_api_key","code":"401"}}';
  const page = '<html><body>welcome</body></html>';
  it.each([
    ['is refused with 401', 401, refusal, /^Could not load models\. .*no such key/],
    ['fails with 500', 500, 'Internal Server Error', /^Could not load models\. ./],
    ['is a web page', 200, page, /^Could not load models\. ./],
    ['is empty', 200, '{"data":[]}', /^0 models/],
  ])('%s, that is said, any model can be asked, and the list is asked for again', async (...row) => {
    const [, status, body, words] = row;
    const { bench, gateway } = await aTalk();
    gateway.onModels((answer) => answer.body(status, body));
    expect((await listOf(bench)).state()).toMatch(words);
    expect((await listOf(bench)).state()).toContain('Check again');
    expect((await listOf(bench)).hint()).toMatch(
      /^(?:The gateway lists no models\. )?Type an ID and press Enter to use it\.$/,
    );
    useModel(bench, 'my/own-model');
    await ask(bench, 'Go');
    expect(runOf(bench).phase.name).toBe('complete');
    expect(gateway.posts[0]?.body['model']).toBe('my/own-model');
    gateway.onModels(undefined);
    expect((await listOf(bench)).offered()).toContain('north/two');
  });
});
