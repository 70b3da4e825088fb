import { expect, test } from 'vitest';

import { encodeBytesFrame, maxChannelRuns, ackBytes, ackFrames } from '../../lib/channel/frames.ts';
import { createChannelClient, type SocketListener } from './channel-client.ts';

/** A channel whose other end the test plays; `said`: the JSON that the page sent. */
async function openTestChannel() {
  const said: unknown[] = [];
  let listener: SocketListener | undefined;
  const channel = createChannelClient({
    now: () => 0,
    openSocket: (_path, _protocol, socketListener) => {
      listener = socketListener;
      return {
        send: (frame) => typeof frame === 'string' && said.push(JSON.parse(frame)),
        close: () => undefined,
      };
    },
  });
  const connecting = channel.ensureConnected();
  listener?.onOpen();
  listener?.onMessage(JSON.stringify({ channel: 'one', runs: [] }));
  await connecting;
  const came = (frame: unknown) => listener?.onMessage(frame);
  return { channel, said, came, connection: () => listener };
}

const request = { path: '/v1/chat/completions', accept: '*/*', requestId: undefined, body: '{}' };

async function openTestResponse() {
  const { channel, said, came } = await openTestChannel();
  const responsePromise = channel.send({ ...request, signal: new AbortController().signal });
  came(JSON.stringify({ run: 1, at: 1, status: 200, headers: [] }));
  const reader = (await responsePromise).body?.getReader();
  const take = async (bytes: number) => {
    came(encodeBytesFrame(1, 1, new Uint8Array(bytes)).buffer);
    await reader?.read();
  };
  return { said, take, taken: () => said.filter((frame) => JSON.stringify(frame).includes('taken')) };
}

test('the server is told what of an answer was taken after so many bytes', async () => {
  const { take, taken } = await openTestResponse();
  await take(ackBytes - 1);
  expect(taken()).toEqual([]);
  await take(1);
  expect(taken()).toEqual([{ run: 1, taken: ackBytes }]);
});

test('the server is told what of an answer was taken after so many frames however small they are', async () => {
  const { take, taken } = await openTestResponse();
  for (let count = 1; count < ackFrames; count += 1) await take(10);
  expect(taken()).toEqual([]);
  await take(10);
  expect(taken()).toEqual([{ run: 1, taken: 10 * ackFrames }]);
  for (let count = 0; count < ackFrames; count += 1) await take(1);
  expect(taken().at(-1)).toEqual({ run: 1, taken: 11 * ackFrames });
});

test('what was asked is lost where the server comes back with another channel, and is not asked again', async () => {
  const { channel, said, came, connection } = await openTestChannel();
  const responsePromise = channel.send({ ...request, signal: new AbortController().signal });
  const first = connection();
  first?.onClose(1006);
  expect(connection()).not.toBe(first);
  connection()?.onOpen();
  said.length = 0;
  came(JSON.stringify({ channel: 'two', runs: [] }));
  await expect(responsePromise).rejects.toThrow(TypeError);
  expect(said).toEqual([]);
  expect(channel.state()).toBe('open');
});

test('there is room for so many requests, and again when one of them has ended', async () => {
  const { channel, came } = await openTestChannel();
  const responsePromises = Array.from({ length: maxChannelRuns }, () =>
    channel.send({ ...request, signal: new AbortController().signal }),
  );
  expect(await channel.ensureConnected()).toBe(false);
  came(JSON.stringify({ run: 1, at: 1, status: 204, headers: [] }));
  came(JSON.stringify({ run: 1, at: 2, end: 'whole' }));
  expect((await responsePromises[0])?.status).toBe(204);
  expect(await channel.ensureConnected()).toBe(true);
  channel.closeAll();
  await Promise.allSettled(responsePromises);
});
