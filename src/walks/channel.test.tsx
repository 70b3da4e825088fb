/**
 * Tests lanes over the channel: simultaneous requests, server timestamps, and the same results as without a channel.
 */
import { describe, expect, it } from 'vitest';

import { computeMetrics } from '../conversation/reply/metrics.ts';
import { getAnswerText } from '../conversation/reply/run.ts';
import { createTraceList } from '../conversation/trace/trace-events.ts';
import {
  sendAndWait,
  createConversation,
  reloadPage,
  getTurnRun,
  getLaneTurn,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { createPausedAnswer } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

describe('six lanes over the channel', () => {
  it('sends the requests of six lanes together over the channel without queueing', async () => {
    const { script, finish } = createPausedAnswer('First', ' and last');
    const { bench, gateway } = await createConversation(script, { hasChannel: true });
    for (let laneCount = 1; laneCount < 6; laneCount += 1) bench.actions.addLane();
    const sendPromise = sendAndWait(bench, 'All at once');
    await waitUntil(() => gateway.posts.length === 6);
    expect(bench.getQueue().state.getState()).toMatchObject({ inFlight: 6, waiting: [] });
    finish();
    await sendPromise;
    expect(
      Object.values(bench.getOpenSession().runs).map((run) => [
        run.phase.name,
        getAnswerText(run.choices[0]),
      ]),
    ).toEqual(Array.from({ length: 6 }, () => ['complete', 'First and last']));
  });
});

describe('clocks of a tape', () => {
  it('stores server and page times over the channel and computes metrics from server times', async () => {
    let pageMs = 0;
    const { bench } = await createConversation(undefined, {
      hasChannel: true,
      // Simulates a busy page: each reading of its clock is one minute later than the previous one.
      clock: () => (pageMs += 60_000),
    });
    await sendAndWait(bench, 'Hello');
    const run = getTurnRun(bench);
    expect(run).toMatchObject({ phase: { name: 'complete' }, timedBy: 'server' });
    expect(run.firstTokenMs).toBeLessThan(60_000);
    expect(computeMetrics(run).duration).toEqual({ kind: 'exact', value: run.endedMs });
    expect(run.endedMs).toBeLessThan(60_000);

    const reloadedBench = await reloadPage(bench);
    const entries = await reloadedBench.library.readTape(run.id);
    expect(entries.slice(1).every(({ serverAt }) => serverAt !== undefined && serverAt < 60_000)).toBe(true);
    expect(entries.slice(1).every(({ at }) => at >= 60_000)).toBe(true);
    expect(getTurnRun(reloadedBench)).toEqual(run);

    const list = createTraceList();
    list.push(entries);
    expect(list.events.some(({ delayMs = 0 }) => delayMs > 60_000 - 1)).toBe(true);
    expect(list.events.every(({ gapMs }) => gapMs < 60_000)).toBe(true);
  });

  it('stores only page times without a channel', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Hello');
    expect(getTurnRun(bench).timedBy).toBeUndefined();
    const list = createTraceList();
    list.push(await bench.library.readTape(getTurnRun(bench).id));
    expect(list.events.some(({ delayMs }) => delayMs !== undefined)).toBe(false);
  });
});

describe('closed page', () => {
  it("ends a page's requests at the gateway when the user leaves the page", async () => {
    const { bench, gateway } = await createConversation((answer) => answer.sendText('First'), {
      hasChannel: true,
    });
    void sendAndWait(bench, 'Hello');
    await waitUntil(() => getAnswerText(getTurnRun(bench, getLaneTurn(bench)).choices[0]) === 'First');
    bench.tab.hide();
    await gateway.posts[0]?.disconnection;
    expect(renderReplies(bench)).toHaveLength(1);
  });
});
