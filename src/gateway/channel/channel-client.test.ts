import { expect, test } from 'vitest';

import { bytesFrame, mostRuns, reportBytes, reportFrames } from '../../lib/channel/frames.ts';
import { createChannel, type SocketListener } from './channel-client.ts';

/** A channel whose other end the test plays; `said`: the JSON that the page sent. */
async function openChannel() {
  const said: unknown[] = [];
  let listener: SocketListener | undefined;
  const channel = createChannel({
    now: () => 0,
    openSocket: (_path, _protocol, heard) => {
      listener = heard;
      return {
        send: (frame) => typeof frame === 'string' && said.push(JSON.parse(frame)),
        close: () => undefined,
      };
    },
  });
  const isThere = channel.isThere();
  listener?.opened();
  listener?.came(JSON.stringify({ channel: 'one', runs: [] }));
  await isThere;
  const came = (frame: unknown) => listener?.came(frame);
  return { channel, said, came, connection: () => listener };
}

const request = { path: '/v1/chat/completions', accept: '*/*', requestId: undefined, body: '{}' };

async function openAnswer() {
  const { channel, said, came } = await openChannel();
  const asked = channel.ask({ ...request, signal: new AbortController().signal });
  came(JSON.stringify({ run: 1, at: 1, status: 200, headers: [] }));
  const reader = (await asked).body?.getReader();
  const take = async (bytes: number) => {
    came(bytesFrame(1, 1, new Uint8Array(bytes)).buffer);
    await reader?.read();
  };
  return { said, take, taken: () => said.filter((frame) => JSON.stringify(frame).includes('taken')) };
}

test('the server is told what of an answer was taken after so many bytes', async () => {
  const { take, taken } = await openAnswer();
  await take(reportBytes - 1);
  expect(taken()).toEqual([]);
  await take(1);
  expect(taken()).toEqual([{ run: 1, taken: reportBytes }]);
});

test('the server is told what of an answer was taken after so many frames however small they are', async () => {
  const { take, taken } = await openAnswer();
  for (let count = 1; count < reportFrames; count += 1) await take(10);
  expect(taken()).toEqual([]);
  await take(10);
  expect(taken()).toEqual([{ run: 1, taken: 10 * reportFrames }]);
  for (let count = 0; count < reportFrames; count += 1) await take(1);
  expect(taken().at(-1)).toEqual({ run: 1, taken: 11 * reportFrames });
});

test('what was asked is lost where the server comes back with another channel, and is not asked again', async () => {
  const { channel, said, came, connection } = await openChannel();
  const asked = channel.ask({ ...request, signal: new AbortController().signal });
  const first = connection();
  first?.closed(1006);
  expect(connection()).not.toBe(first);
  connection()?.opened();
  said.length = 0;
  came(JSON.stringify({ channel: 'two', runs: [] }));
  await expect(asked).rejects.toThrow(TypeError);
  expect(said).toEqual([]);
  expect(channel.state()).toBe('open');
});

test('there is room for so many requests, and again when one of them has ended', async () => {
  const { channel, came } = await openChannel();
  const asked = Array.from({ length: mostRuns }, () =>
    channel.ask({ ...request, signal: new AbortController().signal }),
  );
  expect(await channel.isThere()).toBe(false);
  came(JSON.stringify({ run: 1, at: 1, status: 204, headers: [] }));
  came(JSON.stringify({ run: 1, at: 2, end: 'whole' }));
  expect((await asked[0])?.status).toBe(204);
  expect(await channel.isThere()).toBe(true);
  channel.leave();
  await Promise.allSettled(asked);
});
