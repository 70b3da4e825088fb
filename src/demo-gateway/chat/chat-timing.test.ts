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

/** Creates a gateway whose clock advances only by waiting, so that times are exact. */
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

describe('timing of a stream', () => {
  const hundredTokens = toTextPieces(...Array<string>(100).fill('x'));

  it('waits 250 to 450 ms for the first token, then delivers about 60 per second', async () => {
    const { gateway, waits, getElapsedMs } = createGatewayWithClock(hundredTokens);
    await (await gateway(createChatPost({ demo_tokens_per_second: null, stream: true }))).text();
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThan(460);
    expect(getElapsedMs() - (waits[0] ?? 0)).toBeGreaterThan(1640);
    expect(getElapsedMs() - (waits[0] ?? 0)).toBeLessThan(1690);
    expect(waits).toHaveLength(101);
  });

  it('makes up for late timers so that their delays do not add up', async () => {
    const { gateway, waits, getElapsedMs } = createGatewayWithClock(hundredTokens, 40);
    await (await gateway(createChatPost({ demo_tokens_per_second: null, stream: true }))).text();
    expect(getElapsedMs() - (waits[0] ?? 0)).toBeLessThan(1690 + 80);
  });

  it('applies demo_tokens_per_second to complete responses', async () => {
    const { gateway, getElapsedMs } = createGatewayWithClock(hundredTokens);
    await (await gateway(createChatPost({ demo_tokens_per_second: 10 }))).json();
    expect(getElapsedMs()).toBeGreaterThan(10_200);
    expect(getElapsedMs()).toBeLessThan(10_600);
  });

  it('sends 2,000 tokens in a few parts without waiting at a pace of 0', async () => {
    const { gateway, waits } = createGatewayWithClock(toTextPieces(...Array<string>(2000).fill('x')));
    const response = await gateway(createChatPost({ stream: true, demo_tokens_per_second: 0 }));
    let partCount = 0;
    for await (const part of response.body ?? []) partCount += Math.sign(part.byteLength);
    expect(partCount).toBeLessThanOrEqual(7);
    expect(waits.every((ms) => ms === 0)).toBe(true);
  });
});

/** Counts the pieces pulled from the model, and records whether its generator was closed. */
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

/** Aborts during the model's second wait; the first wait takes no time. */
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

describe('cancellation', () => {
  it('generates tokens only on demand', async () => {
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

  it('stops the model when the stream is cancelled', async () => {
    const { state, reply } = createEndlessReply();
    const response = await createGateway(reply)(createChatPost({ stream: true }));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(state.hasEnded).toBe(true);
  });

  it('stops the model when the stream is cancelled during a wait', async () => {
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
    'stops the model and errors the stream when the request is aborted at pace %d',
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
    'stops the model when a non-streaming request is aborted at pace %d',
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

  it('returns 499 without running the model if the request is already aborted', async () => {
    const { state, reply } = createEndlessReply();
    const response = await createGateway(reply)(createChatPost({}, { signal: AbortSignal.abort() }));
    expect([response.status, state.generatedCount]).toEqual([499, 0]);
  });
});
