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
import { createTestBrowser } from '../testing/browser.ts';
import { sendAndWait, createConversation, reloadPage, getTurnRun } from '../testing/conversation-driver.ts';
import { renderMarkup, readHook, getTextContent } from '../testing/render-views.tsx';

/** What the picker and the lane know of models, of a tab that has asked for the list. */
async function loadModelList(bench: Bench) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  await queryClient.query(getModelsQueryOptions(bench)).catch(() => undefined);
  const list = readHook(bench, useModels, queryClient);
  const models = list.data?.models ?? [];
  return {
    models,
    listOffered: () => {
      const { favouriteModels: favourites, recentModels: recent } = bench.prefs.getState();
      return buildPickerOptions({ models, kind: 'chat', favourites, recent, requiredAbilities: [] }).map(
        ({ id }) => id,
      );
    },
    renderState: () =>
      getTextContent(
        renderMarkup(bench, createElement(ModelListStatus, { list, count: 0, total: 0 }), queryClient),
      ),
    getHint: () => describeEmptyList(list),
    renderMarks: (model: string) =>
      getTextContent(renderMarkup(bench, createElement(ModelStatus, { model }), queryClient)),
  };
}

function selectModel(bench: Bench, model: string): void {
  bench.actions.changeSetup(bench.getOpenSession().session.laneIds[0] ?? '', { model });
}

const getModel = (bench: Bench) =>
  bench.getOpenSession().lanes[bench.getOpenSession().session.laneIds[0] ?? '']?.setup.model;
const fewModels = {
  data: ['north/one', 'north/two', 'south/three', 'south/embed-small'].map((id) => ({ id })),
};

describe('the models that are offered', () => {
  it('leave embedding models out of chat, which can still be asked', async () => {
    const { bench, gateway } = await createConversation();
    gateway.models = {
      data: [
        { id: 'south/embed-small' },
        { id: 'bge-large', object: 'model' },
        { id: 'plain', type: 'embedding' },
        { id: 'talker' },
      ],
    };
    const { models, listOffered } = await loadModelList(bench);
    expect(listOffered()).toEqual(['talker']);
    expect(pickDefaultModel(models)).toBe('talker');
    selectModel(bench, 'bge-large');
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.body['model']).toBe('bge-large');
  });

  it('begin with favourite and recent ones, each once, also after a reload', async () => {
    const { bench, gateway } = await createConversation();
    gateway.models = { data: Array.from({ length: 30 }, (_, index) => ({ id: `many/model-${index}` })) };
    for (const model of ['many/model-20', 'many/model-9']) {
      selectModel(bench, model);
      await sendAndWait(bench, 'Go');
    }
    bench.prefs.setState({ favouriteModels: ['many/model-20'] });
    const reloadedBench = await reloadPage(bench);
    const { listOffered } = await loadModelList(reloadedBench);
    expect(listOffered().slice(0, 4)).toEqual([
      'many/model-20',
      'many/model-9',
      'many/model-0',
      'many/model-1',
    ]);
    expect(new Set(listOffered()).size).toBe(30);
    expect(listOffered()).toHaveLength(30);
  });

  it('start the next session, and the next visit, with the one that was used last', async () => {
    const { bench } = await createConversation();
    selectModel(bench, 'south/three');
    await sendAndWait(bench, 'Go');
    await bench.actions.createSession();
    expect(getModel(bench)).toBe('south/three');
    // A visit that finds no session: what was used last is a preference.
    const nextVisit = await bench.openAnotherTab({
      records: await createTestBrowser().openRecords(),
      path: '/',
    });
    expect(nextVisit.getOpenSession().runs).toEqual({});
    expect(getModel(nextVisit)).toBe('south/three');
  });

  it('give an empty session without a model the first that chats, and no other session', async () => {
    const { bench } = await createConversation();
    selectModel(bench, '');
    bench.setDefaultModel('second/chat');
    expect(getModel(bench)).toBe('second/chat');
    bench.setDefaultModel('third/chat');
    expect(getModel(bench)).toBe('second/chat');
  });
});

describe('a model that the gateway does not list', () => {
  it('is sent as typed, and that is said, also once it was used', async () => {
    const { bench, gateway } = await createConversation();
    gateway.models = fewModels;
    selectModel(bench, 'north/on');
    const { renderMarks } = await loadModelList(bench);
    expect(renderMarks('north/on')).toContain('Not listed by the gateway. Requests are sent anyway.');
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.body['model']).toBe('north/on');
    expect(renderMarks('north/on')).toContain('Not listed by the gateway. Requests are sent anyway.');
    expect(renderMarks('north/one')).not.toContain('Not listed');
  });

  it('and that was used while it was listed may have been retired, and can still be asked', async () => {
    const { bench, gateway } = await createConversation();
    gateway.models = fewModels;
    await loadModelList(bench);
    selectModel(bench, 'north/two');
    await sendAndWait(bench, 'Go');
    gateway.models = { data: [{ id: 'north/one' }] };
    const reloadedBench = await reloadPage(bench);
    expect(getModel(reloadedBench)).toBe('north/two');
    const { renderMarks } = await loadModelList(reloadedBench);
    expect(renderMarks('north/two')).toContain('No longer listed. It may have been retired.');
    await sendAndWait(reloadedBench, 'Still there?');
    expect(gateway.posts[1]?.body['model']).toBe('north/two');
  });
});

describe('where the model list', () => {
  const refusal = '{"error":{"message":"no such key","type":"invalid_api_key","code":"401"}}';
  const loginPage = '<html><body>welcome</body></html>';
  it.each([
    ['is refused with 401', 401, refusal, /^Could not load models\. .*no such key/],
    ['fails with 500', 500, 'Internal Server Error', /^Could not load models\. ./],
    ['is a web page', 200, loginPage, /^Could not load models\. ./],
    ['is empty', 200, '{"data":[]}', /^0 models/],
  ])('%s, that is said, any model can be asked, and the list is asked for again', async (...row) => {
    const [, status, body, statePattern] = row;
    const { bench, gateway } = await createConversation();
    gateway.setModelsScript((answer) => answer.sendBody(status, body));
    expect((await loadModelList(bench)).renderState()).toMatch(statePattern);
    expect((await loadModelList(bench)).renderState()).toContain('Check again');
    expect((await loadModelList(bench)).getHint()).toMatch(
      /^(?:The gateway lists no models\. )?Type an ID and press Enter to use it\.$/,
    );
    selectModel(bench, 'my/own-model');
    await sendAndWait(bench, 'Go');
    expect(getTurnRun(bench).phase.name).toBe('complete');
    expect(gateway.posts[0]?.body['model']).toBe('my/own-model');
    gateway.setModelsScript(undefined);
    expect((await loadModelList(bench)).listOffered()).toContain('north/two');
  });
});
