import { describe, expect, it } from 'vitest';

import { createBench } from '../testing/bench.ts';
import { createTestGatewayStatus, createTestSetup, createUserPrompt } from '../testing/builders.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { createStorageState } from './storage.ts';

const fast = { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' };

describe('the rate limit of a playground', () => {
  it("uses the lower of the server's and the user's limit, where 0 means none", async () => {
    const bench = await createBench();
    const applyLimits = (serverLimit: number, userLimit: number | undefined) => {
      bench.setServerStatus([createTestGatewayStatus({ requestsPerMinute: serverLimit })]);
      bench.prefs.setState({ requestsPerMinute: userLimit });
      return bench.getQueue().getLimit();
    };
    expect(applyLimits(50, undefined)).toBe(50);
    expect(applyLimits(50, 0)).toBe(50);
    expect(applyLimits(50, 10)).toBe(10);
    expect(applyLimits(10, 50)).toBe(10);
    expect(applyLimits(0, 10)).toBe(10);
    expect(applyLimits(0, undefined)).toBe(0);
  });
});

describe('the default model', () => {
  it('sets the first listed model in lanes without a model until the session has messages', async () => {
    const bench = await createBench({ settings: fast });
    bench.setDefaultModel('before there is a session');
    bench.prefs.setState({ lastSetup: createTestSetup({ model: '' }) });
    await bench.actions.createSession();
    bench.actions.addLane(undefined, (setup) => ({ ...setup, model: 'chosen' }));
    const getModels = () =>
      bench.getOpenSession().session.laneIds.map((id) => bench.getOpenSession().lanes[id]?.setup.model);
    bench.setDefaultModel('offered');
    expect(getModels()).toEqual(['offered', 'chosen']);
    bench.setDefaultModel('later');
    expect(getModels()).toEqual(['offered', 'chosen']);
    const [firstLaneId = ''] = bench.getOpenSession().session.laneIds;
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    bench.actions.changeSetup(firstLaneId, { model: '' });
    bench.setDefaultModel('too late');
    expect(getModels()).toEqual(['', 'chosen']);
  });
});

describe('a database that opens late', () => {
  it('reloads the lists in all tabs once the database has opened', async () => {
    const storage = createStorageState('opening');
    const bench = await createBench({ storage });
    const otherTab = await bench.openAnotherTab({ storage: createStorageState('durable') });
    const getCounts = () => [bench, otherTab].map(({ library }) => library.changes.getState().count);
    const previousCounts = getCounts();
    await bench.records.write([{ store: 'presets', put: { id: 'p', name: 'P', createdAt: 1, setup: {} } }]);
    storage.setState({ isBlocked: true });
    expect(getCounts()).toEqual(previousCounts);
    storage.setState({ mode: 'durable', isBlocked: false });
    await waitUntil(() => getCounts().every((count, index) => count > (previousCounts[index] ?? 0)));
    for (const tab of [bench, otherTab])
      await waitUntil(
        () =>
          tab.presets.state
            .getState()
            .presets.map(({ name }) => name)
            .join() === 'P',
      );
    const currentCounts = getCounts();
    storage.setState({ deletionCount: 1 });
    expect(getCounts()).toEqual(currentCounts);
  });
});

describe('a database that is deleted or outdated', () => {
  it('stores open sessions again after a deletion, and flushes the last writes when the database becomes outdated', async () => {
    const storage = createStorageState('durable');
    const bench = await createBench({ settings: fast, storage });
    await bench.actions.createSession();
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    await bench.waitUntilSaved();
    const storedBefore = await bench.records.readSession(bench.getOpenSession().session.id);
    await bench.records.clear();
    storage.setState({ isBlocked: true });
    await bench.waitUntilSaved();
    expect(await bench.records.listKeys('sessions')).toEqual([]);
    storage.setState({ deletionCount: 1 });
    await bench.waitUntilSaved();
    expect(await bench.records.readSession(bench.getOpenSession().session.id)).toEqual(storedBefore);

    expect(storage.getState().lastWrites).toBeUndefined();
    await bench.actions.renameSession('Last words');
    storage.setState({ isOutdated: true });
    const { lastWrites } = storage.getState();
    expect(lastWrites).toBeInstanceOf(Promise);
    await lastWrites;
    storage.setState({ deletionCount: 1 });
    expect(storage.getState().lastWrites).toBe(lastWrites);
    expect(await bench.records.listSessions()).toMatchObject([{ title: 'Last words' }]);
  });
});
