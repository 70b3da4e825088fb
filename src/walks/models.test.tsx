/** Tests which models are offered, and the warnings about models missing from the gateway's list. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';

import { ModelListStatus } from '../features/models/model-list-status.tsx';
import { ModelStatus } from '../features/models/model-status.tsx';
import { buildPickerOptions } from '../features/models/picker-options.ts';
import { pickDefaultModel } from '../features/models/use-default-model.ts';
import { describeEmptyList, getModelsQueryOptions, useModels } from '../features/models/use-models.ts';
import type { Bench } from '../testing/bench.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { sendAndWait, createConversation, reloadPage, getTurnRun } from '../testing/conversation-driver.ts';
import { renderText, readHook } from '../testing/render-with-playground.tsx';

/** Requests the model list and returns what the picker and the lane show. */
async function loadModelList(bench: Bench) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  await queryClient.query(getModelsQueryOptions(bench)).catch(() => undefined);
  const list = readHook(bench, () => useModels(), queryClient);
  const models = list.data?.models ?? [];
  return {
    models,
    listOffered: () => {
      const { favouriteModels: favourites, recentModels: recent } = bench.prefs.getState();
      const getKey = bench.gateways.getModelKey;
      const input = { models, getKey, kind: 'chat' as const, favourites, recent, requiredAbilities: [] };
      return buildPickerOptions(input).map(({ id }) => id);
    },
    renderState: () =>
      renderText(bench, <ModelListStatus lists={[{ list }]} count={0} total={0} />, queryClient),
    getHint: () => describeEmptyList([list]),
    renderMarks: (model: string) => renderText(bench, <ModelStatus choice={{ model }} />, queryClient),
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

describe('offered models', () => {
  it('omits embedding models from the chat list, but sends to an embedding model if it is selected', async () => {
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

  it('lists favourite and recent models first and only once, also after a reload', async () => {
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

  it('starts the next session and the next visit with the last used model', async () => {
    const { bench } = await createConversation();
    selectModel(bench, 'south/three');
    await sendAndWait(bench, 'Go');
    await bench.actions.createSession();
    expect(getModel(bench)).toBe('south/three');
    // Simulates a visit without stored sessions. The last used model is remembered as a preference.
    const nextVisit = await bench.openAnotherTab({
      records: await createTestBrowser().openRecords(),
      path: '/',
    });
    expect(nextVisit.getOpenSession().runs).toEqual({});
    expect(getModel(nextVisit)).toBe('south/three');
  });

  it('sets the first chat model only in an empty session without a model', async () => {
    const { bench } = await createConversation();
    selectModel(bench, '');
    bench.setDefaultModel('second/chat');
    expect(getModel(bench)).toBe('second/chat');
    bench.setDefaultModel('third/chat');
    expect(getModel(bench)).toBe('second/chat');
  });
});

describe("model missing from the gateway's list", () => {
  it('sends an unlisted model as typed and notes that it is unlisted', async () => {
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

  it('warns that a model may be retired if it is no longer listed, but still sends to it', async () => {
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

describe('model list that fails or is empty', () => {
  const refusal = '{"error":{"message":"no such key","type":"invalid_api_key","code":"401"}}';
  const loginPage = '<html><body>welcome</body></html>';
  it.each([
    ['is refused with 401', 401, refusal, /^Could not load models\. .*no such key/],
    ['fails with 500', 500, 'Internal Server Error', /^Could not load models\. ./],
    ['is a web page', 200, loginPage, /^Could not load models\. ./],
    ['is empty', 200, '{"data":[]}', /^0 models/],
  ])('shows that the model list %s, accepts any model and offers a retry', async (...row) => {
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
