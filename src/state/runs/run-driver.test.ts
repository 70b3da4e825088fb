import { describe, expect, it, onTestFinished } from 'vitest';

import type { TimedEvent } from '../../conversation/reply/run.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createBench, type Bench } from '../../testing/bench.ts';
import { createUserPrompt } from '../../testing/builders.ts';
import { startScriptedGateway } from '../../testing/scripted-gateway.ts';
import { createFrameBatch, isServerRateLimitEntry, getRateLimitWaitMs } from './run-driver.ts';

const createEvent = (atMs: number): TimedEvent => ({ atMs, event: { type: 'done' } });

function createTestBatch() {
  const applied: Record<string, number[]>[] = [];
  const frames: (() => void)[] = [];
  const batch = createFrameBatch(
    (batches) =>
      applied.push(
        Object.fromEntries([...batches].map(([runId, events]) => [runId, events.map(({ atMs }) => atMs)])),
      ),
    (run) => frames.push(run),
  );
  return { batch, applied, frames, runFrames: () => frames.splice(0).forEach((run) => run()) };
}

describe('the frame batch', () => {
  it('applies all events of a frame once, in order and for all runs', () => {
    const { batch, applied, frames, runFrames } = createTestBatch();
    batch.push('a', [createEvent(1), createEvent(2)]);
    batch.push('b', [createEvent(3)]);
    batch.push('a', [createEvent(4)]);
    expect([applied, frames.length]).toEqual([[], 1]);
    runFrames();
    batch.push('a', [createEvent(5)]);
    runFrames();
    expect(applied).toEqual([{ a: [1, 2, 4], b: [3] }, { a: [5] }]);
  });

  it('requests no frame without events', () => {
    const { batch, applied, frames } = createTestBatch();
    batch.push('a', []);
    batch.flush();
    expect([applied, frames]).toEqual([[], []]);
  });

  it('applies flushed events only once', () => {
    const { batch, applied, runFrames } = createTestBatch();
    batch.push('a', [createEvent(1)]);
    batch.flush();
    runFrames();
    batch.push('a', [createEvent(2)]);
    runFrames();
    expect(applied).toEqual([{ a: [1] }, { a: [2] }]);
  });

  it('does not modify the arrays passed to push', () => {
    const { batch, runFrames } = createTestBatch();
    const first = [createEvent(1)];
    batch.push('a', first);
    batch.push('a', [createEvent(2)]);
    runFrames();
    expect(first).toEqual([createEvent(1)]);
  });
});

describe('a request rejected because of the rate limit', () => {
  const createRejection = (retryAfter?: string, status = 429): TapeEntry => ({
    at: 1,
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });

  it('detects rejections by our own server, but not by the gateway', () => {
    expect(isServerRateLimitEntry(createRejection())).toBe(true);
    expect(isServerRateLimitEntry({ at: 1, status: 429, headers: {}, proxied: true })).toBe(false);
    expect(isServerRateLimitEntry(createRejection('1', 503))).toBe(false);
    expect(isServerRateLimitEntry({ at: 1, data: 'x' })).toBe(false);
  });

  it.each([
    ['5', 5000],
    ['1.5', 1500],
    ['0', 1000],
    ['soon', 1000],
    [undefined, 1000],
  ])('waits for the Retry-After time of %s, but at least one second', (retryAfter, ms) => {
    expect(getRateLimitWaitMs(createRejection(retryAfter))).toBe(ms);
  });
});

describe('the gateway of a run', () => {
  async function startGateway() {
    const gateway = await startScriptedGateway();
    onTestFinished(() => gateway.close());
    return gateway;
  }

  async function createTwoGatewayBench(options: { hasChannel?: boolean } = {}) {
    const [first, second] = [await startGateway(), await startGateway()];
    const bench = await createBench({
      settings: {
        GATEWAYS: 'main,staging',
        DEMO_GATEWAY_TOKENS_PER_SECOND: '0',
        GATEWAY_MAIN_BASE_URL: first.url,
        GATEWAY_STAGING_BASE_URL: second.url,
      },
      ...options,
    });
    return { bench, countPosts: () => [first, second].map(({ posts }) => posts.length) };
  }

  /** Sends a prompt to this gateway in a session of its own and returns the run. */
  async function sendTo(bench: Bench, gateway?: string) {
    await bench.actions.createSession();
    const laneId = bench.getOpenSession().session.laneIds[0] ?? '';
    bench.actions.changeSetups([laneId], ({ gateway: _, ...setup }) =>
      gateway === undefined ? setup : { ...setup, gateway },
    );
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    const run = bench.endedRuns.at(-1);
    if (!run) throw new Error('No run has ended');
    return run;
  }

  it.each([false, true])(
    'sends each run to the gateway that its setup names (over the channel: %s)',
    async (hasChannel) => {
      const { bench, countPosts } = await createTwoGatewayBench({ hasChannel });
      const counts: number[][] = [];
      for (const gateway of [undefined, 'main', 'staging']) {
        const run = await sendTo(bench, gateway);
        expect(run).toMatchObject({
          phase: { name: 'complete' },
          gateway: gateway ?? 'main',
          gatewayId: bench.gateways.getStatus(gateway)?.id,
        });
        counts.push(countPosts());
      }
      expect(counts).toEqual([
        [1, 0],
        [2, 0],
        [2, 1],
      ]);
      const countSent = (name?: string) => bench.getQueue(name).state.getState().sentAt.length;
      expect([countSent(), countSent('staging')]).toEqual([2, 1]);
    },
  );

  it('sends nothing if the server has no gateway with the name', async () => {
    const { bench, countPosts } = await createTwoGatewayBench();
    const run = await sendTo(bench, 'gone');
    expect(run.phase).toMatchObject({
      name: 'failed',
      error: { source: 'app', kind: 'unknown-gateway', message: expect.stringContaining('named gone') },
    });
    expect([run.sentAt, run.gateway, run.gatewayId]).toEqual([undefined, undefined, undefined]);
    expect(countPosts()).toEqual([0, 0]);
  });

  it('sends to the demo gateway whatever the setup names while the user has chosen it', async () => {
    const { bench, countPosts } = await createTwoGatewayBench();
    bench.setDemoMode(true);
    for (const gateway of ['staging', 'gone'])
      expect(await sendTo(bench, gateway)).toMatchObject({ phase: { name: 'complete' }, gateway: 'demo' });
    expect(countPosts()).toEqual([0, 0]);
  });
});
