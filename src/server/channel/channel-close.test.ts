/** A channel ends on a close frame or when the server stops, but not when the connection breaks. */
import { once } from 'node:events';

import { expect, it } from 'vitest';

import { noResumeCloseCode } from '../../lib/channel-frames.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createAttachedChannel } from '../testing/attached-channel.ts';

it('ends the channel and all its runs on a close frame', async () => {
  const { connect, endEvents, finishedRuns, requests } = await createAttachedChannel();
  const { page, closed, sendRequest } = await connect();
  await sendRequest(1);
  page.close(1000);
  await closed;
  expect(endEvents).toHaveLength(1);
  expect(requests[0]?.signal.aborted).toBe(true);
  await waitUntil(() => finishedRuns.length === 1);
  expect(finishedRuns[0]).toMatchObject({ status: 0, bytes: 0, outcome: 'client-abort' });
});

it('keeps the channel when the connection breaks and resumes over the next one', async () => {
  const { channel, connect, endEvents, finishedRuns, requests } = await createAttachedChannel();
  const { page, closed, sendRequest } = await connect();
  await sendRequest(1);
  page.terminate();
  await closed;
  expect(endEvents).toEqual([]);
  expect(requests[0]?.signal.aborted).toBe(false);
  const next = await connect([{ run: 1, frames: 0, taken: 0 }]);
  expect(next.isAttached).toBe(true);
  await waitUntil(() => next.receivedTexts.length === 2);
  expect(next.receivedTexts.map((text): unknown => JSON.parse(text))).toEqual([
    { channel: 'n', runs: [{ run: 1, bytes: 0 }] },
    { run: 1, accepted: true },
  ]);
  channel.end();
  channel.end();
  const [code]: unknown[] = await once(next.page, 'close');
  expect(code).toBe(noResumeCloseCode);
  expect(endEvents).toHaveLength(1);
  await waitUntil(() => finishedRuns.length === 1);
});

it('stops the runs that a reconnecting page does not list and resumes the others', async () => {
  const { connect, requests, endEvents } = await createAttachedChannel();
  const { page, closed, sendRequest } = await connect();
  await sendRequest(1);
  await sendRequest(2);
  page.terminate();
  await closed;
  await connect([{ run: 2, frames: 1, taken: 0 }]);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(endEvents).toEqual([]);
});

it('ends a channel while its page is away', async () => {
  const { channel, connect, endEvents, requests } = await createAttachedChannel();
  const { page, closed, sendRequest } = await connect();
  await sendRequest(1);
  page.terminate();
  await closed;
  channel.end();
  expect(endEvents).toHaveLength(1);
  expect(requests[0]?.signal.aborted).toBe(true);
});

it('ends a draining channel after its last run or when its connection breaks', async () => {
  const { channel, connect, endEvents } = await createAttachedChannel();
  const { closed, sendFrame, sendRequest, waitForRoundTrip } = await connect();
  await sendRequest(1);
  await sendRequest(2);
  channel.drain();
  sendFrame({ run: 1, stop: true });
  await waitForRoundTrip();
  expect(endEvents, 'one run remains').toEqual([]);
  sendFrame({ run: 2, stop: true });
  await closed;
  expect(endEvents).toHaveLength(1);

  const otherChannel = await createAttachedChannel();
  const otherClient = await otherChannel.connect();
  await otherClient.sendRequest(1);
  otherChannel.channel.drain();
  otherClient.page.terminate();
  await otherClient.closed;
  expect(otherChannel.endEvents).toHaveLength(1);

  const idleChannel = await createAttachedChannel();
  await idleChannel.connect();
  idleChannel.channel.drain();
  expect(idleChannel.endEvents).toHaveLength(1);
});

it('rejects new requests on a draining channel', async () => {
  const { channel, connect } = await createAttachedChannel();
  const { receivedTexts, sendRequest } = await connect();
  await sendRequest(1);
  channel.drain();
  await sendRequest(2);
  const listSecondRunFrames = () => receivedTexts.filter((text) => text.includes('"run":2'));
  await waitUntil(() => listSecondRunFrames().some((text) => text.includes('"end"')));
  expect(listSecondRunFrames()[1]).toContain('"status":503');
});

it('accepts the same request again over a new connection if no part of it had arrived', async () => {
  const { connect } = await createAttachedChannel();
  const { page, closed, sendRequest } = await connect();
  await sendRequest(1);
  page.terminate();
  await closed;
  const { isAttached } = await connect([
    { run: 1, frames: 0, taken: 0 },
    { run: 2, frames: 0, taken: 0 },
  ]);
  expect(isAttached).toBe(true);
});

it('ends the channel of a page that repeats a finished request', async () => {
  const { connect, endEvents } = await createAttachedChannel();
  const { page, closed, sendFrame, sendRequest, waitForRoundTrip } = await connect();
  await sendRequest(1);
  sendFrame({ run: 1, stop: true });
  await waitForRoundTrip();
  page.terminate();
  await closed;
  expect((await connect([{ run: 1, frames: 0, taken: 0 }])).isAttached).toBe(false);
  expect(endEvents).toHaveLength(1);
});

it('resumes only over the new connection if the page reconnects before the server detects the break', async () => {
  const { connect, endEvents } = await createAttachedChannel();
  const first = await connect();
  await first.sendRequest(1);
  const second = await connect([{ run: 1, frames: 0, taken: 0 }]);
  await first.closed;
  await second.sendRequest(2);
  await second.waitForRoundTrip();
  expect(second.receivedTexts.join()).toContain('{"run":2,"accepted":true}');
  expect(endEvents).toEqual([]);
});

it('ignores frames that follow an invalid frame', async () => {
  const { connect, requests } = await createAttachedChannel();
  const { page, closed, sendFrame } = await connect();
  page.send('rubbish');
  sendFrame({ run: 1, path: '/v1/embeddings', accept: '*/*', bytes: 0 });
  await closed;
  expect(requests).toEqual([]);
});

/** Creates a channel whose page has received a whole run, consumed five bytes of it and then lost its connection. */
async function createBrokenChannel() {
  const attachedChannel = await createAttachedChannel({ handle: async () => new Response('hello') });
  const { page, receivedTexts, closed, sendFrame, sendRequest, waitForRoundTrip } =
    await attachedChannel.connect();
  await sendRequest(1);
  await waitUntil(() => receivedTexts.some((text) => text.includes('"end":"whole"')));
  sendFrame({ run: 1, taken: 5 });
  // An acknowledgement may be repeated.
  sendFrame({ run: 1, taken: 5 });
  await waitForRoundTrip();
  page.terminate();
  await closed;
  return attachedChannel;
}

it.each([
  ['fewer frames than it had acknowledged', { frames: 2, taken: 5 }],
  ['more frames than were sent', { frames: 5, taken: 5 }],
  ['fewer bytes than it had acknowledged', { frames: 3, taken: 4 }],
  ['more bytes than exist', { frames: 3, taken: 6 }],
])('ends the channel of a reconnecting page that claims %s', async (_what, claim) => {
  const { connect, endEvents } = await createBrokenChannel();
  const { isAttached } = await connect([{ run: 1, ...claim }]);
  expect(isAttached).toBe(false);
  expect(endEvents).toHaveLength(1);
});

it('resends exactly the frames that a reconnecting page has not received', async () => {
  for (const frames of [3, 4]) {
    const { connect, endEvents, finishedRuns } = await createBrokenChannel();
    const { receivedTexts, waitForRoundTrip } = await connect([{ run: 1, frames, taken: 5 }]);
    await waitForRoundTrip();
    expect(receivedTexts.map((text) => text.includes('"end":"whole"'))).toEqual(
      frames === 3 ? [false, true] : [false],
    );
    expect(endEvents).toEqual([]);
    expect(finishedRuns).toMatchObject([{ status: 200, bytes: 5, outcome: 'whole' }]);
  }
});

it('ends the channel of a page that lowers its acknowledged bytes', async () => {
  const { connect, endEvents } = await createAttachedChannel({ handle: async () => new Response('hello') });
  const { receivedTexts, closed, sendFrame, sendRequest } = await connect();
  await sendRequest(1);
  await waitUntil(() => receivedTexts.some((text) => text.includes('"end":"whole"')));
  for (const taken of [3, 5, 4]) sendFrame({ run: 1, taken });
  const [code]: unknown[] = await closed;
  expect(code).toBe(1008);
  expect(endEvents).toHaveLength(1);
});
