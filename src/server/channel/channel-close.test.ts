/** How a channel ends: at a goodbye, when the server stops, and not when the connection merely breaks. */
import { once } from 'node:events';

import { expect, it } from 'vitest';

import { noResumeCloseCode } from '../../lib/channel/frames.ts';
import { until } from '../../testing/wait-until.ts';
import { aChannel } from '../testing/attached-channel.ts';

it('a goodbye ends it at once, with all its runs', async () => {
  const { connect, ended, ran, asked } = await aChannel();
  const { page, closed, ask } = await connect();
  await ask(1);
  page.close(1000);
  await closed;
  expect(ended).toHaveLength(1);
  expect(asked[0]?.signal.aborted).toBe(true);
  await until(() => ran.length === 1);
  expect(ran[0]).toMatchObject({ status: 0, bytes: 0, outcome: 'client-abort' });
});

it('a connection that breaks ends nothing: the page goes on over the next one', async () => {
  const { channel, connect, ended, ran, asked } = await aChannel();
  const { page, closed, ask } = await connect();
  await ask(1);
  page.terminate();
  await closed;
  expect(ended).toEqual([]);
  expect(asked[0]?.signal.aborted).toBe(false);
  const next = await connect([{ run: 1, frames: 0, taken: 0 }]);
  expect(next.isTaken).toBe(true);
  await until(() => next.heard.length === 2);
  expect(next.heard.map((text): unknown => JSON.parse(text))).toEqual([
    { channel: 'n', runs: [{ run: 1, bytes: 0 }] },
    { run: 1, accepted: true },
  ]);
  channel.end();
  channel.end();
  const [code]: unknown[] = await once(next.page, 'close');
  expect(code).toBe(noResumeCloseCode);
  expect(ended).toHaveLength(1);
  await until(() => ran.length === 1);
});

it('the runs that the page does not name when it comes back are stopped, the others go on', async () => {
  const { connect, asked, ended } = await aChannel();
  const { page, closed, ask } = await connect();
  await ask(1);
  await ask(2);
  page.terminate();
  await closed;
  await connect([{ run: 2, frames: 1, taken: 0 }]);
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(ended).toEqual([]);
});

it('can be ended while its page is away', async () => {
  const { channel, connect, ended, asked } = await aChannel();
  const { page, closed, ask } = await connect();
  await ask(1);
  page.terminate();
  await closed;
  channel.end();
  expect(ended).toHaveLength(1);
  expect(asked[0]?.signal.aborted).toBe(true);
});

it('of a server that stops ends when the page is through with its last run, and at any break', async () => {
  const { channel, connect, ended } = await aChannel();
  const { closed, say, ask, saidAndHeard } = await connect();
  await ask(1);
  await ask(2);
  channel.drain();
  say({ run: 1, stop: true });
  await saidAndHeard();
  expect(ended, 'a run is still there').toEqual([]);
  say({ run: 2, stop: true });
  await closed;
  expect(ended).toHaveLength(1);

  const other = await aChannel();
  const there = await other.connect();
  await there.ask(1);
  other.channel.drain();
  there.page.terminate();
  await there.closed;
  expect(other.ended).toHaveLength(1);

  const idle = await aChannel();
  await idle.connect();
  idle.channel.drain();
  expect(idle.ended).toHaveLength(1);
});

it('of a server that stops refuses what is asked then', async () => {
  const { channel, connect } = await aChannel();
  const { heard, ask } = await connect();
  await ask(1);
  channel.drain();
  await ask(2);
  const ofSecond = () => heard.filter((text) => text.includes('"run":2'));
  await until(() => ofSecond().some((text) => text.includes('"end"')));
  expect(ofSecond()[1]).toContain('"status":503');
});

it('a run that is asked for again over a new connection, as nothing of it had arrived, ends nothing', async () => {
  const { connect } = await aChannel();
  const { page, closed, ask } = await connect();
  await ask(1);
  page.terminate();
  await closed;
  const { isTaken } = await connect([
    { run: 1, frames: 0, taken: 0 },
    { run: 2, frames: 0, taken: 0 },
  ]);
  expect(isTaken).toBe(true);
});

it('a page that asks again for a run that it was through with has lost its channel', async () => {
  const { connect, ended } = await aChannel();
  const { page, closed, say, ask, saidAndHeard } = await connect();
  await ask(1);
  say({ run: 1, stop: true });
  await saidAndHeard();
  page.terminate();
  await closed;
  expect((await connect([{ run: 1, frames: 0, taken: 0 }])).isTaken).toBe(false);
  expect(ended).toHaveLength(1);
});

it('a page that comes back before its break is seen here goes on over the new connection alone', async () => {
  const { connect, ended } = await aChannel();
  const first = await connect();
  await first.ask(1);
  const second = await connect([{ run: 1, frames: 0, taken: 0 }]);
  await first.closed;
  await second.ask(2);
  await second.saidAndHeard();
  expect(second.heard.join()).toContain('{"run":2,"accepted":true}');
  expect(ended).toEqual([]);
});

it('carries nothing out that was said behind what broke the rules', async () => {
  const { connect, asked } = await aChannel();
  const { page, closed, say } = await connect();
  page.send('rubbish');
  say({ run: 1, path: '/v1/embeddings', accept: '*/*', bytes: 0 });
  await closed;
  expect(asked).toEqual([]);
});

/** All that the page heard of a run is here, five bytes of it are taken, and the connection has broken. */
async function afterABreak() {
  const all = await aChannel({ handle: async () => new Response('hello') });
  const { page, heard, closed, say, ask, saidAndHeard } = await all.connect();
  await ask(1);
  await until(() => heard.some((text) => text.includes('"end":"whole"')));
  say({ run: 1, taken: 5 });
  // It may say so twice.
  say({ run: 1, taken: 5 });
  await saidAndHeard();
  page.terminate();
  await closed;
  return all;
}

it.each([
  ['fewer frames than it had taken', { frames: 2, taken: 5 }],
  ['more frames than were sent', { frames: 5, taken: 5 }],
  ['fewer bytes than it had taken', { frames: 3, taken: 4 }],
  ['more bytes than there are', { frames: 3, taken: 6 }],
])('a page that comes back and claims %s has lost its channel', async (_what, claim) => {
  const { connect, ended } = await afterABreak();
  const { isTaken } = await connect([{ run: 1, ...claim }]);
  expect(isTaken).toBe(false);
  expect(ended).toHaveLength(1);
});

it('a page that comes back hears again exactly what it had not heard', async () => {
  for (const frames of [3, 4]) {
    const { connect, ended, ran } = await afterABreak();
    const { heard, saidAndHeard } = await connect([{ run: 1, frames, taken: 5 }]);
    await saidAndHeard();
    expect(heard.map((text) => text.includes('"end":"whole"'))).toEqual(
      frames === 3 ? [false, true] : [false],
    );
    expect(ended).toEqual([]);
    expect(ran).toMatchObject([{ status: 200, bytes: 5, outcome: 'whole' }]);
  }
});

it('a page that takes back what it took has lost its channel', async () => {
  const { connect, ended } = await aChannel({ handle: async () => new Response('hello') });
  const { heard, closed, say, ask } = await connect();
  await ask(1);
  await until(() => heard.some((text) => text.includes('"end":"whole"')));
  for (const taken of [3, 5, 4]) say({ run: 1, taken });
  const [code]: unknown[] = await closed;
  expect(code).toBe(1008);
  expect(ended).toHaveLength(1);
});
