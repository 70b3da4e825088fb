/** How far a run gets whose page takes little or nothing of it, how long it is waited for, and what is told of its times. */
import { afterEach, expect, it, vi } from 'vitest';

import { encodeBytesFrame, creditBytes, maxFrameBytes } from '../../lib/channel/frames.ts';
import { settled, timersLeft, until } from '../../testing/wait-until.ts';
import { aChannel } from '../testing/attached-channel.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** An answer without end, in pieces as large as a frame may be. */
function endless() {
  let given = 0;
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        given += 1;
        controller.enqueue(new Uint8Array(maxFrameBytes));
      },
      cancel: () => void (isLeft = true),
    },
    { highWaterMark: 0 },
  );
  return { handle: async () => new Response(body), given: () => given, isLeft: () => isLeft };
}

const atOnce = creditBytes / maxFrameBytes;

it('a page that takes nothing is sent 64 KB, and the gateway is asked for no more; each that it takes lets one more come', async () => {
  const answer = endless();
  const { connect, ran } = await aChannel(answer);
  const { heard, pieces, say, ask, saidAndHeard } = await connect();
  await ask(1);
  expect(await settled(answer.given)).toBe(atOnce);
  await saidAndHeard();
  expect(pieces).toHaveLength(atOnce);

  say({ run: 1, taken: maxFrameBytes });
  await saidAndHeard();
  expect(await settled(answer.given)).toBe(atOnce + 1);
  await saidAndHeard();
  expect(pieces).toHaveLength(atOnce + 1);

  say({ run: 1, stop: true });
  await until(() => ran.length === 1);
  expect(ran[0]).toMatchObject({ status: 200, outcome: 'client-abort', bytes: creditBytes + maxFrameBytes });
  expect(answer.isLeft()).toBe(true);
  await saidAndHeard();
  expect(heard.join(), 'of a run that it has stopped a page hears nothing more').not.toContain('"end"');
});

it('256 KB of an answer are kept for a page that is away, and sent as it takes them when it is back', async () => {
  const answer = endless();
  const { connect } = await aChannel(answer);
  const { page, closed, ask } = await connect();
  await ask(1);
  page.terminate();
  await closed;
  const kept = (256 * 1024) / maxFrameBytes;
  expect(await settled(answer.given)).toBe(kept);

  const { pieces, saidAndHeard } = await connect([{ run: 1, frames: 0, taken: 0 }]);
  expect(await settled(answer.given)).toBe(kept);
  await saidAndHeard();
  expect(pieces).toHaveLength(atOnce);
});

it('a page that takes nothing for too long is given up; one that is only slow is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = endless();
  const { connect, ran } = await aChannel({ ...answer, stalledMs: 1013 });
  const left = timersLeft((ms) => ms === 1013);
  const { heard, say, ask, saidAndHeard } = await connect();
  await ask(1);
  await settled(answer.given);
  expect(left()).toBe(1);
  await vi.advanceTimersByTimeAsync(1012);

  say({ run: 1, taken: maxFrameBytes });
  await saidAndHeard();
  await settled(answer.given);
  expect(left(), 'the one before is over').toBe(1);
  await vi.advanceTimersByTimeAsync(1012);
  await saidAndHeard();
  expect([answer.isLeft(), heard.filter((text) => text.includes('"end"'))]).toEqual([false, []]);

  await vi.advanceTimersByTimeAsync(1);
  await until(() => ran.length === 1);
  expect(answer.isLeft()).toBe(true);
  expect(ran[0]).toMatchObject({ status: 200, outcome: 'gateway-cut' });
  await saidAndHeard();
  expect(heard.at(-1)).toContain('"end":"broken"');
  expect(left()).toBe(0);
});

it('a request whose body is not there after a minute is broken off', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { connect, ran } = await aChannel({ handle: async (request) => new Response(await request.text()) });
  const { page, heard, ask, saidAndHeard } = await connect();
  await ask(1, 5);
  page.send(encodeBytesFrame(1, 0, Buffer.from('hel')));
  await saidAndHeard();
  await vi.advanceTimersByTimeAsync(59_999);
  await saidAndHeard();
  expect(heard.at(-1)).toBe('{"run":1,"accepted":true}');
  await vi.advanceTimersByTimeAsync(1);
  await until(() => ran.length === 1);
  expect(ran[0]).toMatchObject({ status: 0, outcome: 'gateway-cut' });
  await saidAndHeard();
  expect(heard.at(-1)).toContain('"end":"broken"');
});

it('times are milliseconds since the request went to the gateway, and the log counts from when it arrived', async () => {
  let time = 1000;
  const { connect, ran } = await aChannel({
    now: () => time,
    handle: async (_request, sent) => {
      time = 1100;
      sent();
      time = 1112.3456;
      return new Response(new Uint8Array(2 * maxFrameBytes));
    },
  });
  const { heard, pieces, ask, saidAndHeard } = await connect();
  await ask(1);
  await until(() => ran.length === 1);
  await saidAndHeard();
  expect(pieces.map(({ run, atMs, bytes }) => [run, atMs, bytes.length])).toEqual([
    [1, 12.346, maxFrameBytes],
    [1, 12.346, maxFrameBytes],
  ]);
  expect(heard[2]).toContain('{"run":1,"at":12.346,"status":200,');
  expect(heard.at(-1)).toBe('{"run":1,"at":12.346,"end":"whole"}');
  expect(ran[0]?.ms).toBeCloseTo(112.3456, 3);
});

it('an answer without a body is whole', async () => {
  const { connect, ran } = await aChannel({ handle: async () => new Response(null, { status: 204 }) });
  const { heard, ask, saidAndHeard } = await connect();
  await ask(1);
  await until(() => ran.length === 1);
  expect(ran[0]).toMatchObject({ status: 204, bytes: 0, outcome: 'whole' });
  await saidAndHeard();
  expect(heard.at(-1)).toContain('"end":"whole"');
});

it('a page may say 20,000 things at once, and 2,000 more in each second', async () => {
  let time = 0;
  const { connect, ended } = await aChannel({ now: () => time });
  const { closed, say, saidAndHeard } = await connect();
  const sayOften = async (times: number) => {
    for (let count = 0; count < times; count += 1) say({ run: 1, stop: true });
    await saidAndHeard();
  };
  // An hour of silence saves nothing up.
  time = 3_600_000;
  await sayOften(20_000);
  expect(ended).toEqual([]);
  time += 1000;
  await sayOften(2000);
  expect(ended).toEqual([]);
  say({ run: 1, stop: true });
  const [code]: unknown[] = await closed;
  expect(code).toBe(1008);
});
