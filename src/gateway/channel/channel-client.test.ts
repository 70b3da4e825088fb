import { expect, test } from 'vitest';

import {
  encodeBytesFrame,
  maxChannelRuns,
  ackIntervalBytes,
  ackIntervalFrames,
} from '../../lib/channel-frames.ts';
import { createChannelClient, type SocketListener } from './channel-client.ts';

/** Opens a channel whose other end is the test. `sentFrames` holds the JSON sent by the page. */
async function openTestChannel() {
  const sentFrames: unknown[] = [];
  let listener: SocketListener | undefined;
  const channel = createChannelClient({
    now: () => 0,
    openSocket: (_path, _protocol, socketListener) => {
      listener = socketListener;
      return {
        send: (frame) => typeof frame === 'string' && sentFrames.push(JSON.parse(frame)),
        close: () => undefined,
      };
    },
  });
  const connecting = channel.ensureConnected();
  listener?.onOpen();
  listener?.onMessage(JSON.stringify({ channel: 'one', runs: [] }));
  await connecting;
  const receiveFrame = (frame: unknown) => listener?.onMessage(frame);
  return { channel, sentFrames, receiveFrame, getListener: () => listener };
}

const request = { path: '/v1/chat/completions', accept: '*/*', requestId: undefined, body: '{}' };

async function openTestResponse() {
  const { channel, sentFrames, receiveFrame } = await openTestChannel();
  const responsePromise = channel.send({ ...request, signal: new AbortController().signal });
  receiveFrame(JSON.stringify({ run: 1, at: 1, status: 200, headers: [] }));
  const reader = (await responsePromise).body?.getReader();
  const receiveBytes = async (bytes: number) => {
    receiveFrame(encodeBytesFrame(1, 1, new Uint8Array(bytes)).buffer);
    await reader?.read();
  };
  return {
    sentFrames,
    receiveBytes,
    listAcks: () => sentFrames.filter((frame) => JSON.stringify(frame).includes('taken')),
  };
}

test('acknowledges consumed bytes after every 16 KiB', async () => {
  const { receiveBytes, listAcks } = await openTestResponse();
  await receiveBytes(ackIntervalBytes - 1);
  expect(listAcks()).toEqual([]);
  await receiveBytes(1);
  expect(listAcks()).toEqual([{ run: 1, taken: ackIntervalBytes }]);
});

test('acknowledges consumed bytes after a number of frames, however small they are', async () => {
  const { receiveBytes, listAcks } = await openTestResponse();
  for (let count = 1; count < ackIntervalFrames; count += 1) await receiveBytes(10);
  expect(listAcks()).toEqual([]);
  await receiveBytes(10);
  expect(listAcks()).toEqual([{ run: 1, taken: 10 * ackIntervalFrames }]);
  for (let count = 0; count < ackIntervalFrames; count += 1) await receiveBytes(1);
  expect(listAcks().at(-1)).toEqual({ run: 1, taken: 11 * ackIntervalFrames });
});

test('fails requests without resending them if the server returns with a different channel', async () => {
  const { channel, sentFrames, receiveFrame, getListener } = await openTestChannel();
  const responsePromise = channel.send({ ...request, signal: new AbortController().signal });
  const firstListener = getListener();
  firstListener?.onClose(1006);
  expect(getListener()).not.toBe(firstListener);
  getListener()?.onOpen();
  sentFrames.length = 0;
  receiveFrame(JSON.stringify({ channel: 'two', runs: [] }));
  await expect(responsePromise).rejects.toThrow(TypeError);
  expect(sentFrames).toEqual([]);
  expect(channel.getState()).toBe('open');
});

test('rejects requests beyond the maximum number of runs until a run ends', async () => {
  const { channel, receiveFrame } = await openTestChannel();
  const responsePromises = Array.from({ length: maxChannelRuns }, () =>
    channel.send({ ...request, signal: new AbortController().signal }),
  );
  expect(await channel.ensureConnected()).toBe(false);
  receiveFrame(JSON.stringify({ run: 1, at: 1, status: 204, headers: [] }));
  receiveFrame(JSON.stringify({ run: 1, at: 2, end: 'whole' }));
  expect((await responsePromises[0])?.status).toBe(204);
  expect(await channel.ensureConnected()).toBe(true);
  channel.closeAll();
  await Promise.allSettled(responsePromises);
});
