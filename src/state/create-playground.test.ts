import { describe, expect, it } from 'vitest';

import { aBench } from '../testing/bench.ts';
import { aSetup, spoken } from '../testing/builders.ts';
import { until } from '../testing/wait-until.ts';
import { createStorageState } from './storage.ts';

const fast = { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' };

describe('the limit of requests per minute', () => {
  it('is the lower one of the server’s and the person’s own, where 0 is none', async () => {
    const bench = await aBench();
    const limitOf = (server: number, own: number | undefined) => {
      bench.setServer({ requestsPerMinute: server });
      bench.prefs.setState({ requestsPerMinute: own });
      return bench.queue.limit();
    };
    expect(limitOf(50, undefined)).toBe(50);
    expect(limitOf(50, 0)).toBe(50);
    expect(limitOf(50, 10)).toBe(10);
    expect(limitOf(10, 50)).toBe(10);
    expect(limitOf(0, 10)).toBe(10);
    expect(limitOf(0, undefined)).toBe(0);
  });
});

describe('the first model that is offered', () => {
  it('goes to lanes without a model, as long as it has no messages', async () => {
    const bench = await aBench({ settings: fast });
    bench.offerModel('before there is a session');
    bench.prefs.setState({ lastSetup: aSetup({ model: '' }) });
    await bench.actions.createSession();
    bench.actions.addLane(undefined, { model: 'chosen' });
    const models = () => bench.current().session.laneIds.map((id) => bench.current().lanes[id]?.setup.model);
    bench.offerModel('offered');
    expect(models()).toEqual(['offered', 'chosen']);
    bench.offerModel('later');
    expect(models()).toEqual(['offered', 'chosen']);
    const [first = ''] = bench.current().session.laneIds;
    await bench.actions.sendPrompt(spoken('Hi'));
    bench.actions.changeSetup(first, { model: '' });
    bench.offerModel('too late');
    expect(models()).toEqual(['', 'chosen']);
  });
});

describe('a database that opens later', () => {
  it('has the lists drawn again, here and in other tabs, and only then', async () => {
    const storage = createStorageState('opening');
    const bench = await aBench({ storage });
    const other = await bench.another({ storage: createStorageState('durable') });
    const counts = () => [bench, other].map(({ library }) => library.changes.getState().count);
    const before = counts();
    await bench.records.write([{ store: 'presets', put: { id: 'p', name: 'P', createdAt: 1, setup: {} } }]);
    storage.setState({ isBlocked: true });
    expect(counts()).toEqual(before);
    storage.setState({ mode: 'durable', isBlocked: false });
    await until(() => counts().every((count, index) => count > (before[index] ?? 0)));
    for (const tab of [bench, other])
      await until(
        () =>
          tab.presets.state
            .getState()
            .presets.map(({ name }) => name)
            .join() === 'P',
      );
    const after = counts();
    storage.setState({ deletions: 1 });
    expect(counts()).toEqual(after);
  });
});

describe('a database that changes under the page', () => {
  it('is given again what is open here where all was deleted, and takes the last writes of an outdated page', async () => {
    const storage = createStorageState('durable');
    const bench = await aBench({ settings: fast, storage });
    await bench.actions.createSession();
    await bench.actions.sendPrompt(spoken('Hi'));
    await bench.saved();
    const before = await bench.records.session(bench.current().session.id);
    await bench.records.clear();
    storage.setState({ isBlocked: true });
    await bench.saved();
    expect(await bench.records.keys('sessions')).toEqual([]);
    storage.setState({ deletions: 1 });
    await bench.saved();
    expect(await bench.records.session(bench.current().session.id)).toEqual(before);

    expect(storage.getState().lastWrites).toBeUndefined();
    await bench.actions.renameSession('Last words');
    storage.setState({ isOutdated: true });
    const { lastWrites } = storage.getState();
    expect(lastWrites).toBeInstanceOf(Promise);
    await lastWrites;
    storage.setState({ deletions: 1 });
    expect(storage.getState().lastWrites).toBe(lastWrites);
    expect(await bench.records.sessions()).toMatchObject([{ title: 'Last words' }]);
  });
});
