import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readLearnedAbilities } from '../../conversation/setup/learned-abilities.ts';
import { createDemoGateway } from '../../demo-gateway/gateway.ts';
import { createBench } from '../../testing/bench.ts';
import { createTestSetup, createUserPrompt, createTickedParams } from '../../testing/builders.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createInspectorStore } from './inspector-store.ts';
import { learnFromRun, openSighting } from './learn-abilities.ts';

let demo: TestServer;
beforeAll(async () => {
  const respond = createDemoGateway({ wait: () => new Promise((resolve) => setImmediate(resolve)) });
  demo = await startTestServer((request) => {
    const headers = new Headers(request.headers);
    headers.set('authorization', 'Bearer fk-test');
    return respond(new Request(request, { headers }));
  });
});
afterAll(() => demo.close());

async function runModel(model: string) {
  const bench = await createBench({ url: demo.url });
  await bench.actions.createSession();
  const laneId = bench.getOpenSession().session.laneIds[0] ?? '';
  const params = createTickedParams({
    stream: 'true',
    stream_options: '{"include_usage":true}',
    enable_thinking: 'true',
  });
  bench.actions.changeSetup(laneId, createTestSetup({ model, params }));
  await bench.actions.sendPrompt(createUserPrompt('What is 12 times 12?'));
  await waitUntil(() => bench.endedRuns.length > 0);
  const [run] = bench.endedRuns;
  if (!run) throw new Error('No run ended');
  await learnFromRun(run, { library: bench.library, learnedModels: bench.learnedModels, now: () => 5 });
  return { bench, run, learned: readLearnedAbilities(bench.learnedModels.state.getState(), model) };
}

describe('learning from a run against the demo gateway', () => {
  it("remembers the model's reasoning and usage with the run in which they were observed", async () => {
    const { run, learned } = await runModel('demo/thinker');
    const sighting = { sessionId: run.sessionId, runId: run.id, at: 5 };
    expect(learned).toEqual({ thinking: { seen: sighting }, usage: { seen: sighting } });
  });

  it('learns nothing about a model that does not exist', async () => {
    const { bench, learned } = await runModel('demo/none');
    expect([learned, bench.learnedModels.state.getState()]).toEqual([{}, {}]);
  });

  it('opens the run from another session, and returns false if it was deleted', async () => {
    const { bench, run, learned } = await runModel('demo/thinker');
    await bench.recorder.flush();
    await bench.actions.createSession();
    expect(bench.getOpenSession().session.id).not.toBe(run.sessionId);
    const inspector = createInspectorStore();
    const deps = { session: bench.session, router: bench.router, actions: bench.actions, inspector };
    const sighting = learned.thinking?.seen;
    if (!sighting) throw new Error('No abilities were stored');
    expect(await openSighting(sighting, deps)).toBe(true);
    expect(bench.getOpenSession().session.id).toBe(run.sessionId);
    expect(inspector.getState()).toMatchObject({
      isOpen: true,
      laneId: bench.getOpenSession().session.laneIds[0],
    });
    expect(await openSighting({ ...sighting, runId: 'gone' }, deps)).toBe(false);

    // If the user navigates in the meantime, nothing opens.
    await bench.actions.createSession();
    const secondInspector = createInspectorStore();
    const opening = openSighting(sighting, { ...deps, inspector: secondInspector });
    bench.router.navigate({ screen: 'page', path: '/history' });
    expect(await opening).toBe(true);
    expect(bench.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(secondInspector.getState().isOpen).toBe(false);
  });
});
