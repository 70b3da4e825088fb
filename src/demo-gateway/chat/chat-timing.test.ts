import { describe, expect, it } from 'vitest';

import { createChatPost, demoKey, createScriptedModel, toTextPieces } from '../../testing/demo-requests.ts';
import { waitForStableNumber } from '../../testing/wait-until.ts';
import { createDemoGateway, waitOrAbort, type DemoGatewayOptions } from '../gateway.ts';
import type { ModelOutput } from '../model.ts';

function createGateway(
  reply: readonly ModelOutput[] | (() => Iterable<ModelOutput>),
  options: DemoGatewayOptions = {},
) {
  return createDemoGateway({ key: demoKey, models: [createScriptedModel(reply)], ...options });
}

/** A clock that stands still but for waiting: what was said when is exact. */
function createGatewayWithClock(reply: readonly ModelOutput[], lateMs = 0) {
  const startedAt = 1_700_000_000_000;
  let nowMs = startedAt;
  const waits: number[] = [];
  const gateway = createGateway(reply, {
    now: () => nowMs,
    wait: async (ms) => {
      waits.push(ms);
      nowMs += ms > 0 ? ms + lateMs : 0;
    },
  });
  return { gateway, waits, getElapsedMs: () => nowMs - startedAt };
}

describe('timing', () => {
  const hundredTokens = toTextPieces(...Array<string>(100).fill('x'));

  it('waits 250 to 450 ms for the first token, then gives about 60 a second', async () => {
    const { gateway, waits, getElapsedMs } = createGatewayWithClock(hundredTokens);
    await (await gateway(createChatPost({ demo_tokens_per_second: null, stream: true }))).text();
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThan(460);
    expect(getElapsedMs() - (waits[0] ?? 0)).toBeGreaterThan(1640);
    expect(getElapsedMs() - (waits[0] ?? 0)).toBeLessThan(1690);
    expect(waits).toHaveLength(101);
  });

  it('makes up for late timers instead of adding them up', async () => {
    const { gateway, waits, getElapsedMs } = createGatewayWithClock(hundredTokens, 40);
    await (await gateway(createChatPost({ demo_tokens_per_second: null, stream: true }))).text();
    expect(getElapsedMs() - (waits[0] ?? 0)).toBeLessThan(1690 + 80);
  });

  it('takes another pace from demo_tokens_per_second, and takes as long whole as streamed', async () => {
    const { gateway, getElapsedMs } = createGatewayWithClock(hundredTokens);
    await (await gateway(createChatPost({ demo_tokens_per_second: 10 }))).json();
    expect(getElapsedMs()).toBeGreaterThan(10_200);
    expect(getElapsedMs()).toBeLessThan(10_600);
  });

  it('with a pace of 0 never waits and comes in few parts', async () => {
    const { gateway, waits } = createGatewayWithClock(toTextPieces(...Array<string>(2000).fill('x')));
    const response = await gateway(createChatPost({ stream: true, demo_tokens_per_second: 0 }));
    let partCount = 0;
    for await (const part of response.body ?? []) partCount += Math.sign(part.byteLength);
    expect(partCount).toBeLessThanOrEqual(7);
    expect(waits.every((ms) => ms === 0)).toBe(true);
  });
});

/** Counts what is asked of the model, and whether it was told to end. */
function createEndlessReply() {
  const state = { generatedCount: 0, hasEnded: false };
  const reply = function* (): Generator<ModelOutput> {
    try {
      for (;;) {
        state.generatedCount += 1;
        yield { text: 'word ' };
      }
    } finally {
      state.hasEnded = true;
    }
  };
  return { state, reply };
}

/** Stops while the model waits for the second time, whose first wait is none. */
function createAbortDuringWait() {
  const stop = new AbortController();
  let waitCount = 0;
  const wait = (ms: number, signal: AbortSignal) => {
    waitCount += 1;
    if (waitCount === 2) setImmediate(() => stop.abort());
    return waitOrAbort(waitCount === 1 ? 0 : ms, signal);
  };
  return { signal: stop.signal, wait };
}

describe('stopping', () => {
  it('generates nothing that is not read', async () => {
    const { state, reply } = createEndlessReply();
    const response = await createGateway(reply)(createChatPost({ stream: true }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(state.generatedCount).toBe(0);
    const reader = response.body?.getReader();
    await reader?.read();
    const countAfterRead = state.generatedCount;
    expect([countAfterRead > 0, await waitForStableNumber(() => state.generatedCount)]).toEqual([
      true,
      countAfterRead,
    ]);
    await reader?.cancel();
  });

  it('ends the model when the stream is cancelled', async () => {
    const { state, reply } = createEndlessReply();
    const response = await createGateway(reply)(createChatPost({ stream: true }));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(state.hasEnded).toBe(true);
  });

  it('ends the model when the stream is cancelled during a wait', async () => {
    const { state, reply } = createEndlessReply();
    const { wait } = createAbortDuringWait();
    const gateway = createGateway(reply, { wait });
    const response = await gateway(createChatPost({ stream: true, demo_tokens_per_second: 0.01 }));
    const reader = response.body?.getReader();
    await reader?.read();
    const pendingRead = reader?.read();
    await new Promise((resolve) => setImmediate(resolve));
    await reader?.cancel();
    expect([await pendingRead, state.hasEnded]).toEqual([{ done: true, value: undefined }, true]);
  });

  it.each([0, 60, 0.01])(
    'ends the model and breaks the stream when the request is aborted, at pace %d',
    async (pace) => {
      const { state, reply } = createEndlessReply();
      const { signal, wait } = createAbortDuringWait();
      const gateway = createGateway(reply, { wait });
      const response = await gateway(
        createChatPost({ stream: true, demo_tokens_per_second: pace }, { signal }),
      );
      const drained = response.body?.pipeTo(new WritableStream());
      await expect(drained).rejects.toThrow(/abort/i);
      expect(state.hasEnded).toBe(true);
    },
  );

  it.each([0, 60, 0.01])(
    'ends the model when the request of a whole answer is aborted, at pace %d',
    async (pace) => {
      const { state, reply } = createEndlessReply();
      const { signal, wait } = createAbortDuringWait();
      const responsePromise = createGateway(reply, { wait })(
        createChatPost({ demo_tokens_per_second: pace }, { signal }),
      );
      expect((await responsePromise).status).toBe(499);
      expect(state.hasEnded).toBe(true);
    },
  );

  it('says nothing when the request was aborted before', async () => {
    const { state, reply } = createEndlessReply();
    const response = await createGateway(reply)(createChatPost({}, { signal: AbortSignal.abort() }));
    expect([response.status, state.generatedCount]).toEqual([499, 0]);
  });
});
