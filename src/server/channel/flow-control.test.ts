/** Flow control of runs: progress with a slow page, stall timeouts, and reported times. */
import { afterEach, expect, it, vi } from 'vitest';

import { encodeBytesFrame, maxUnackedBytes, maxFrameBytes } from '../../lib/channel-frames.ts';
import { waitForStableNumber, countTimers, waitUntil } from '../../testing/wait-until.ts';
import { createAttachedChannel } from '../testing/attached-channel.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Creates an endless response in pieces of the maximum frame size. */
function createEndlessResponse() {
  let sentCount = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sentCount += 1;
        controller.enqueue(new Uint8Array(maxFrameBytes));
      },
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  return {
    handle: async () => new Response(body),
    getSentCount: () => sentCount,
    hasBeenCancelled: () => isCancelled,
  };
}

const creditFrames = maxUnackedBytes / maxFrameBytes;

it('sends at most 64 KB to a page that consumes nothing, and more after each acknowledgement', async () => {
  const endlessResponse = createEndlessResponse();
  const { connect, finishedRuns } = await createAttachedChannel(endlessResponse);
  const { receivedTexts, bytesFrames, sendFrame, sendRequest, waitForRoundTrip } = await connect();
  await sendRequest(1);
  expect(await waitForStableNumber(endlessResponse.getSentCount)).toBe(creditFrames);
  await waitForRoundTrip();
  expect(bytesFrames).toHaveLength(creditFrames);

  sendFrame({ run: 1, taken: maxFrameBytes });
  await waitForRoundTrip();
  expect(await waitForStableNumber(endlessResponse.getSentCount)).toBe(creditFrames + 1);
  await waitForRoundTrip();
  expect(bytesFrames).toHaveLength(creditFrames + 1);

  sendFrame({ run: 1, stop: true });
  await waitUntil(() => finishedRuns.length === 1);
  expect(finishedRuns[0]).toMatchObject({
    status: 200,
    outcome: 'client-abort',
    bytes: maxUnackedBytes + maxFrameBytes,
  });
  expect(endlessResponse.hasBeenCancelled()).toBe(true);
  await waitForRoundTrip();
  expect(receivedTexts.join(), 'the page receives nothing more of a stopped run').not.toContain('"end"');
});

it('buffers 256 KB while the page is disconnected and sends it as the page consumes it', async () => {
  const endlessResponse = createEndlessResponse();
  const { connect } = await createAttachedChannel(endlessResponse);
  const { page, closed, sendRequest } = await connect();
  await sendRequest(1);
  page.terminate();
  await closed;
  const bufferedFrames = (256 * 1024) / maxFrameBytes;
  expect(await waitForStableNumber(endlessResponse.getSentCount)).toBe(bufferedFrames);

  const { bytesFrames, waitForRoundTrip } = await connect([{ run: 1, frames: 0, taken: 0 }]);
  expect(await waitForStableNumber(endlessResponse.getSentCount)).toBe(bufferedFrames);
  await waitForRoundTrip();
  expect(bytesFrames).toHaveLength(creditFrames);
});

it('disconnects a page that consumes nothing for too long, but not a slow one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const endlessResponse = createEndlessResponse();
  const { connect, finishedRuns } = await createAttachedChannel({ ...endlessResponse, stallTimeoutMs: 1013 });
  const countStallTimers = countTimers((ms) => ms === 1013);
  const { receivedTexts, sendFrame, sendRequest, waitForRoundTrip } = await connect();
  await sendRequest(1);
  await waitForStableNumber(endlessResponse.getSentCount);
  expect(countStallTimers()).toBe(1);
  await vi.advanceTimersByTimeAsync(1012);

  sendFrame({ run: 1, taken: maxFrameBytes });
  await waitForRoundTrip();
  await waitForStableNumber(endlessResponse.getSentCount);
  expect(countStallTimers(), 'the previous timer has ended').toBe(1);
  await vi.advanceTimersByTimeAsync(1012);
  await waitForRoundTrip();
  expect([
    endlessResponse.hasBeenCancelled(),
    receivedTexts.filter((text) => text.includes('"end"')),
  ]).toEqual([false, []]);

  await vi.advanceTimersByTimeAsync(1);
  await waitUntil(() => finishedRuns.length === 1);
  expect(endlessResponse.hasBeenCancelled()).toBe(true);
  expect(finishedRuns[0]).toMatchObject({ status: 200, outcome: 'gateway-cut' });
  await waitForRoundTrip();
  expect(receivedTexts.at(-1)).toContain('"end":"broken"');
  expect(countStallTimers()).toBe(0);
});

it('aborts a request whose body has not arrived after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { connect, finishedRuns } = await createAttachedChannel({
    handle: async (request) => new Response(await request.text()),
  });
  const { page, receivedTexts, sendRequest, waitForRoundTrip } = await connect();
  await sendRequest(1, 5);
  page.send(encodeBytesFrame(1, 0, Buffer.from('hel')));
  await waitForRoundTrip();
  await vi.advanceTimersByTimeAsync(59_999);
  await waitForRoundTrip();
  expect(receivedTexts.at(-1)).toBe('{"run":1,"accepted":true}');
  await vi.advanceTimersByTimeAsync(1);
  await waitUntil(() => finishedRuns.length === 1);
  expect(finishedRuns[0]).toMatchObject({ status: 0, outcome: 'gateway-cut' });
  await waitForRoundTrip();
  expect(receivedTexts.at(-1)).toContain('"end":"broken"');
});

it('reports times from the request to the gateway, and logs from the arrival of the request', async () => {
  let nowMs = 1000;
  const { connect, finishedRuns } = await createAttachedChannel({
    now: () => nowMs,
    handle: async (_request, onSent) => {
      nowMs = 1100;
      onSent();
      nowMs = 1112.3456;
      return new Response(new Uint8Array(2 * maxFrameBytes));
    },
  });
  const { receivedTexts, bytesFrames, sendRequest, waitForRoundTrip } = await connect();
  await sendRequest(1);
  await waitUntil(() => finishedRuns.length === 1);
  await waitForRoundTrip();
  expect(bytesFrames.map(({ run, atMs, bytes }) => [run, atMs, bytes.length])).toEqual([
    [1, 12.346, maxFrameBytes],
    [1, 12.346, maxFrameBytes],
  ]);
  expect(receivedTexts[2]).toContain('{"run":1,"at":12.346,"status":200,');
  expect(receivedTexts.at(-1)).toBe('{"run":1,"at":12.346,"end":"whole"}');
  expect(finishedRuns[0]?.durationMs).toBeCloseTo(112.3456, 3);
});

it('treats a response without a body as complete', async () => {
  const { connect, finishedRuns } = await createAttachedChannel({
    handle: async () => new Response(null, { status: 204 }),
  });
  const { receivedTexts, sendRequest, waitForRoundTrip } = await connect();
  await sendRequest(1);
  await waitUntil(() => finishedRuns.length === 1);
  expect(finishedRuns[0]).toMatchObject({ status: 204, bytes: 0, outcome: 'whole' });
  await waitForRoundTrip();
  expect(receivedTexts.at(-1)).toContain('"end":"whole"');
});

it('accepts 20,000 frames in a burst and 2,000 more per second', async () => {
  let nowMs = 0;
  const { connect, endEvents } = await createAttachedChannel({ now: () => nowMs });
  const { closed, sendFrame, waitForRoundTrip } = await connect();
  const sendMany = async (times: number) => {
    for (let count = 0; count < times; count += 1) sendFrame({ run: 1, stop: true });
    await waitForRoundTrip();
  };
  // Idle time does not accumulate allowance.
  nowMs = 3_600_000;
  await sendMany(20_000);
  expect(endEvents).toEqual([]);
  nowMs += 1000;
  await sendMany(2000);
  expect(endEvents).toEqual([]);
  sendFrame({ run: 1, stop: true });
  const [code]: unknown[] = await closed;
  expect(code).toBe(1008);
});
