/** Tabs that die, or let go, at the worst moments: no answer is lost, and none is asked for twice. */
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { readStoredTrial } from '../state/trials/trial-records.ts';
import { memoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { aBrowser } from '../testing/browser.ts';
import { aGate } from '../testing/builders.ts';
import { anOpenTrial, aTrialBench, openTrialIn, someCases } from '../testing/open-trials.ts';
import type { ChatScript } from '../testing/scripted-gateway.ts';
import { someColumns } from '../testing/trials.ts';
import { until } from '../testing/until.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const columns = someColumns('north/one');

/** A gateway that answers after a moment. */
const soon: ChatScript = async (answer) => {
  await turn();
  answer.whole('{"team":"billing"}');
};

/** These records, but cells are never written; `isTried` tells that they were to be. */
function withoutCells(records: RecordStore): { records: RecordStore; isTried: () => boolean } {
  let isTried = false;
  const never = new Promise<never>(() => undefined);
  return {
    records: {
      ...records,
      write: (writes, options) => {
        if (!writes.some((write) => write.store === 'cells' && 'put' in write))
          return records.write(writes, options);
        isTried = true;
        return never;
      },
    },
    isTried: () => isTried,
  };
}

const stateOnDisk = async (records: RecordStore) =>
  (await readStoredTrial(records, 'trial'))?.trial.state.name;

describe('a tab that dies', () => {
  it('before its last answers are stored as cells leaves them to the next', async () => {
    const records = memoryRecordStore();
    const { bench, gateway } = await aTrialBench(soon, { records: withoutCells(records).records });
    const trial = await anOpenTrial(bench, someCases(5), { columns });
    await trial.run();
    await until(async () => (await stateOnDisk(records)) === 'finished');
    const next = await openTrialIn(await bench.reopened({ records }));
    expect(next.state.getState().cells.size).toBe(5);
    expect(gateway.posts).toHaveLength(5);
  });

  it('while it takes in what another had left leaves all of that as it was', async () => {
    const records = memoryRecordStore();
    const { bench, gateway } = await aTrialBench(soon, { records: withoutCells(records).records });
    const trial = await anOpenTrial(bench, someCases(5), { columns });
    await trial.run();
    await until(async () => (await stateOnDisk(records)) === 'finished');
    const stuck = withoutCells(records);
    const second = await bench.reopened({ records: stuck.records });
    void openTrialIn(second);
    await until(stuck.isTried);
    await second.saved();
    const next = await openTrialIn(await second.reopened({ records }));
    expect(next.state.getState().cells.size).toBe(5);
    expect(gateway.posts).toHaveLength(5);
  });

  it('while another reads what is stored leaves to that also what came meanwhile', async () => {
    const records = memoryRecordStore();
    // Nothing but the store tells one tab of the other.
    const { bench, gateway } = await aTrialBench(soon, {
      records,
      browser: aBrowser({ hasChannels: false }),
    });
    const gate = aGate();
    gateway.onChat(async (answer) => {
      const count = gateway.posts.length;
      if (count > 3) await gate.opened;
      // Those beyond are under way when the tab dies.
      if (count <= 15) answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(30), { columns });
    await trial.run();
    await until(() => gateway.posts.length === 6);
    await trial.saved();
    const [isRead, goesOn] = [aGate(), aGate()];
    const second = await bench.another({
      records: {
        ...records,
        ofTrial: async (...of) => {
          const found = await records.ofTrial(...of);
          isRead.open();
          await goesOn.opened;
          return found;
        },
      },
    });
    const opening = openTrialIn(second);
    await isRead.opened;
    gate.open();
    await until(() => trial.state.getState().cells.size === 15);
    await trial.saved();
    bench.tab.kill();
    goesOn.open();
    expect((await opening).state.getState().cells.size).toBe(15);
  });
});
