import { beforeEach, describe, expect, it, vi, afterEach } from 'vitest';

import type { OpenTrial } from '../state/trials/open-trial.ts';
import { aBench, whenTrue, type Bench } from '../testing/bench.ts';
import { starters } from '../trials/starters/starters.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function openedStarter(bench: Bench, index: number): Promise<OpenTrial> {
  const starter = starters[index];
  if (!starter) throw new Error('There is no such starter');
  const trials = await bench.trials.open();
  const trial = await trials.open(await trials.createFromStarter(starter));
  if (!trial) throw new Error('The trial was not stored');
  return trial;
}

describe('a trial from a starter', () => {
  it('is asked to its end', async () => {
    const bench = await aBench();
    const trial = await openedStarter(bench, 0);
    await trial.run();
    await whenTrue(trial.state, ({ trial: { state } }) => state.name === 'finished');
    const { cells, words, progress, verdict } = trial.state.getState();
    expect(cells.size).toBe(120);
    console.log(JSON.stringify(words), JSON.stringify(progress), verdict?.counted);
  }, 60_000);
});
