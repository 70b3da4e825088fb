/** Lanes over the channel: all at once, timed on the server, and as they are over the direct way. */
import { describe, expect, it } from 'vitest';

import { computeMetrics } from '../conversation/reply/metrics.ts';
import { getAnswerText } from '../conversation/reply/run.ts';
import { createTraceList } from '../conversation/trace/trace-events.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, reloaded, runOf, shownTurn } from '../testing/conversation-driver.ts';
import { drawnReplies } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

describe('six lanes over the channel', () => {
  it('are asked at once, and none waits for a place', async () => {
    const { opened, open } = aGate();
    const { bench, gateway } = await aTalk(
      async (answer) => {
        answer.text('First');
        await opened;
        answer.whole(' and last');
      },
      { hasChannel: true },
    );
    for (let lanes = 1; lanes < 6; lanes += 1) bench.actions.addLane();
    const asked = ask(bench, 'All at once');
    await until(() => gateway.posts.length === 6);
    expect(bench.queue.state.getState()).toMatchObject({ inFlight: 6, waiting: [] });
    open();
    await asked;
    expect(
      Object.values(bench.current().runs).map((run) => [run.phase.name, getAnswerText(run.choices[0])]),
    ).toEqual(Array.from({ length: 6 }, () => ['complete', 'First and last']));
  });
});

describe('the two clocks of a tape', () => {
  it('are the server’s and the page’s; numbers come from the server’s, and both are stored', async () => {
    let pageMs = 0;
    const { bench } = await aTalk(undefined, {
      hasChannel: true,
      // A page that is busy for a minute at each look.
      clock: () => (pageMs += 60_000),
    });
    await ask(bench, 'Hello');
    const run = runOf(bench);
    expect(run).toMatchObject({ phase: { name: 'complete' }, timedBy: 'server' });
    expect(run.firstTokenMs).toBeLessThan(60_000);
    expect(computeMetrics(run).duration).toEqual({ kind: 'exact', value: run.endedMs });
    expect(run.endedMs).toBeLessThan(60_000);

    const again = await reloaded(bench);
    const entries = await again.library.readTape(run.id);
    expect(entries.slice(1).every(({ serverAt }) => serverAt !== undefined && serverAt < 60_000)).toBe(true);
    expect(entries.slice(1).every(({ at }) => at >= 60_000)).toBe(true);
    expect(runOf(again)).toEqual(run);

    const list = createTraceList();
    list.push(entries);
    expect(list.events.some(({ delayMs = 0 }) => delayMs > 60_000 - 1)).toBe(true);
    expect(list.events.every(({ gapMs }) => gapMs < 60_000)).toBe(true);
  });

  it('are one over the direct way', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Hello');
    expect(runOf(bench).timedBy).toBeUndefined();
    const list = createTraceList();
    list.push(await bench.library.readTape(runOf(bench).id));
    expect(list.events.some(({ delayMs }) => delayMs !== undefined)).toBe(false);
  });
});

describe('a page that is left', () => {
  it('says goodbye, and its requests end at the gateway', async () => {
    const { bench, gateway } = await aTalk((answer) => answer.text('First'), { hasChannel: true });
    void ask(bench, 'Hello');
    await until(() => getAnswerText(runOf(bench, shownTurn(bench)).choices[0]) === 'First');
    bench.tab.hide();
    await gateway.posts[0]?.left;
    expect(drawnReplies(bench)).toHaveLength(1);
  });
});
