/** Rows of faults.md section 3 that are more than one answer: sizes, people who stop, servers that die (F22 to F24, F61, F86 to F102). */
import { spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { said, wholeAnswer } from '../../src/testing/faults/fault-row.ts';
import { startBench } from '../bench-server.ts';
import { canaryKey } from '../fixtures.ts';
import { expect, test } from './fault-fixtures.ts';
import { saidBy, storedRuns } from './stored-runs.ts';

const { role, text, finish, done } = said;
const slowly = { timeout: 60_000 };

// A picture of the page at every step would cost more than the answers that are tested.
test.use({ trace: 'off' });
test.describe.configure({ timeout: 90_000 });

test('F22: one event of 8 MB in packets of 1 KB arrives byte for byte', async ({
  bench,
  faults,
  faultServer,
  page,
}) => {
  const words = 'word '.repeat((8 * 1024 * 1024) / 5);
  await bench.open(faultServer.url);
  faults.answerWith({ body: [{ inPacketsOf: 64 * 1024, bytes: [role + text(words) + finish() + done] }] });
  await bench.send('Much');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete', slowly);
  const [run] = await storedRuns(page);
  expect(run && saidBy(run, 'text')[0] === words).toBe(true);
  await bench.message.fill('Still alive');
  await expect(bench.message).toHaveValue('Still alive');
});

test('F23: 100,000 events in one packet are all shown, and Bench can still be written to', async ({
  bench,
  faults,
  faultServer,
  page,
}) => {
  await bench.open(faultServer.url);
  const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"ab "}}]}\n\n';
  faults.answerWith({ body: [role + chunk.repeat(100_000) + finish() + done] });
  await bench.send('Many');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete', slowly);
  const [run] = await storedRuns(page);
  expect(run && saidBy(run, 'text')[0] === 'ab '.repeat(100_000)).toBe(true);
});

test('F24: a line without an end is given up at 16 MB; what came before it stays, and the connection is closed', async ({
  bench,
  faults,
  faultServer,
  page,
}) => {
  await bench.open(faultServer.url);
  faults.answerWith({
    body: [
      role + text('before'),
      'data: ',
      ...Array.from({ length: 64 }, () => ({ repeat: 'x', times: 1024 * 1024 })),
    ],
  });
  await bench.send('Endless');
  await expect(bench.lastReply).toHaveAttribute('data-status', /truncated|failed/, slowly);
  await expect(bench.error()).toContainText('16 MB');
  await faults.posts[0]?.closed;
  const [run] = await storedRuns(page);
  expect(run && saidBy(run, 'text')).toEqual({ 0: 'before' });
});

const bombs: [name: string, text: string][] = [
  ['emphasis that never closes', '*a_ '.repeat(20_000)],
  ['links that never close', '[a]('.repeat(20_000)],
  [
    'a list a thousand deep',
    Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n'),
  ],
  ['a megabyte without a break', 'x'.repeat(1_000_000)],
  ['five thousand fences', '```\n'.repeat(4999)],
  ['a table of five thousand columns', `${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n${'|b'.repeat(5000)}|`],
  ['twenty thousand dollar signs', '$'.repeat(20_000)],
  ['quotes a thousand deep', '> '.repeat(1000)],
];

for (const [name, bomb] of bombs) {
  test(`F61: ${name} ends complete, byte for byte, and Bench can be written to`, async ({
    bench,
    faults,
    faultServer,
    page,
  }) => {
    await bench.open(faultServer.url);
    faults.answerWith({ body: [role + text(bomb) + finish() + done] });
    await bench.send(name);
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete', slowly);
    await bench.message.fill(name);
    await expect(bench.message).toHaveValue(name);
    const [run] = await storedRuns(page);
    expect(run && saidBy(run, 'text')[0] === bomb).toBe(true);
  });
}

test('F86: a gateway that is not there is named, at once', async ({ bench, faults, faultServer }) => {
  await bench.open(faultServer.url);
  // The gateway was there when its models were listed.
  await expect(bench.model).not.toHaveValue('');
  await faults.close();
  await bench.ask('Anyone');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
  for (const words of ['can not be reached', 'gateway_unreachable', new URL(faults.url).host])
    await expect(bench.error()).toContainText(words);
});

test('F86: a name that does not exist is named', async ({ bench }) => {
  const server = await startBench({ GATEWAY_BASE_URL: 'http://no-such-gateway.invalid' });
  await bench.open(server.url);
  await bench.useModel('north/one');
  await bench.ask('Anyone');
  await expect(bench.error()).toContainText('no-such-gateway.invalid');
  await server.stop();
});

test('F87: a gateway that never takes the connection is given up in time, and Stop works before', async ({
  bench,
}) => {
  const hole = await startBlackHole();
  const server = await startBench({ GATEWAY_BASE_URL: hole.url, GATEWAY_CONNECT_TIMEOUT_MS: '8000' });
  await bench.open(server.url);
  await bench.useModel('north/one');
  await bench.send('Anyone');
  await expect(bench.lastReply).toContainText('Waiting for the first token');
  await bench.button(/^Stop(?! lane)/).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  await bench.send('Again');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed', slowly);
  await expect(bench.error()).toContainText('did not accept a connection within 8 s');
  await server.stop();
  hole.close();
});

test('F94: Stop before the headers and in the middle closes the connection to the gateway and keeps the text', async ({
  bench,
  faults,
  faultServer,
}) => {
  await bench.open(faultServer.url);
  faults.answerWith({ framing: 'raw', body: [], end: 'hold' });
  await bench.send('Silent');
  await expect.poll(() => faults.posts.length).toBe(1);
  await bench.message.press('Escape');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  await faults.posts[0]?.closed;

  faults.answerWith({ body: [role, text('Half an')], end: 'hold' });
  await bench.send('Half');
  await expect(bench.lastReply).toContainText('Half an');
  await bench.message.press('Escape');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  await faults.posts[1]?.closed;
  await bench.reload();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  await expect(bench.lastReply).toContainText('Half an');
  expect(faults.posts).toHaveLength(2);
  await expect.poll(() => faultServer.output()).toContain('client-abort');
});

test('F94: a tab that closes lets go of the gateway', async ({ bench, faults, faultServer }) => {
  await bench.open(faultServer.url);
  const other = await bench.inNewTab(faultServer.url);
  faults.answerWith({ body: [role, text('Half an')], end: 'hold' });
  await other.send('Half');
  await expect(other.lastReply).toContainText('Half an');
  await other.page.close();
  await faults.posts[0]?.closed;
});

test('F95: what a stopped answer still sends never reaches the next one', async ({
  bench,
  faults,
  faultServer,
  page,
}) => {
  await bench.open(faultServer.url);
  for (let round = 1; round <= 12; round += 1) {
    // Longer than any machine takes to press Stop: an answer that ends by itself was not stopped.
    faults.answerWith({
      body: [role, ...Array.from({ length: 10_000 }, () => [text(`old ${round} `), { gapMs: 2 }]).flat()],
    });
    await bench.send(`Stop ${round}`);
    await expect(bench.lastReply).toContainText(`old ${round}`);
    // F99: the next one at once, while the first is still delivering.
    faults.answerWith({ body: [role + text(`new ${round}`) + finish() + done] });
    await bench.message.fill(`Next ${round}`);
    await bench.message.press('Escape');
    await bench.message.press('Enter');
    await expect(bench.reply(round * 2)).toHaveAttribute('data-status', 'complete');
  }
  const runs = await storedRuns(page);
  expect(runs.map((run) => run.phase.name)).toEqual(
    Array.from({ length: 12 }, () => ['stopped', 'complete']).flat(),
  );
  expect(runs.filter((_, index) => index % 2 === 1).map((run) => saidBy(run, 'text')[0])).toEqual(
    Array.from({ length: 12 }, (_, index) => `new ${index + 1}`),
  );
});

test('F98: Stop at the moment of the last words gives one end and the whole text', async ({
  bench,
  faults,
  faultServer,
  page,
}) => {
  await bench.open(faultServer.url);
  const rounds = 10;
  for (let round = 1; round <= rounds; round += 1) {
    faults.answerWith({ body: [role + text('All of it'), { gapMs: 30 * round }, finish() + done] });
    await bench.send(`Round ${round}`);
    await expect(bench.lastReply).toContainText('All of it');
    await sleep(round * 10);
    await bench.message.press('Escape');
    await expect(bench.lastReply).toHaveAttribute('data-status', /^(?:complete|stopped)$/);
  }
  const runs = await storedRuns(page);
  expect(runs).toHaveLength(rounds);
  for (const run of runs) {
    expect(run.phase.name).toMatch(/^(?:complete|stopped)$/);
    expect(saidBy(run, 'text')).toEqual({ 0: 'All of it' });
  }
});

test('F96: the server of Bench dies in the middle; the text stays, it is said, and all works again without a reload', async ({
  bench,
  faults,
  page,
}) => {
  const port = await freePort();
  const settings = { GATEWAY_BASE_URL: faults.url, GATEWAY_API_KEY: canaryKey, PORT: String(port) };
  const first = await startBench(settings);
  await bench.open(first.url);
  faults.answerWith({ body: [role, text('Half an')], end: 'hold' });
  await bench.send('Half');
  await expect(bench.lastReply).toContainText('Half an');
  await sleep(100);
  await first.stop();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'truncated');
  await expect(bench.error()).toContainText('The connection dropped');
  await bench.ask('Anyone');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
  await expect(bench.error()).toContainText('The Bench server does not answer');
  await expect(
    page.getByRole('status').filter({ hasText: "Bench's own server does not answer" }),
  ).toBeVisible();

  const second = await startBench(settings);
  faults.answerWith({ body: [wholeAnswer] });
  await bench.error().getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(
    page.getByRole('status').filter({ hasText: "Bench's own server does not answer" }),
  ).toHaveCount(0);
  await second.stop();
});

test('F101: offline before sending says so and keeps the words; a line that drops in the middle keeps the text', async ({
  bench,
  faults,
  faultServer,
  context,
}) => {
  await bench.open(faultServer.url);
  faults.answerWith({ body: [wholeAnswer] });
  await bench.ask('Online');
  await context.setOffline(true);
  await expect(bench.page.getByRole('alert').filter({ hasText: 'You are offline' })).toBeVisible();
  await bench.ask('Into the void');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
  await expect(bench.error()).toContainText('You are offline');
  await expect(bench.prompts.last()).toContainText('Into the void');
  await expect(bench.reply(1), 'what was said can be read').toContainText('Hello');
  await context.setOffline(false);
  await bench.error().getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

test('F102: a page that slept while its server went away wakes to the text, not to a spinner', async ({
  bench,
  faults,
  faultServer,
  page,
  context,
}) => {
  await bench.open(faultServer.url);
  faults.answerWith({ body: [role, text('Before sleep')], end: 'hold' });
  await bench.send('Sleep');
  await expect(bench.lastReply).toContainText('Before sleep');
  const session = await context.newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await faultServer.stop();
  await sleep(500);
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await expect(bench.lastReply).toHaveAttribute('data-status', 'truncated', { timeout: 5000 });
  await expect(bench.lastReply).toContainText('Before sleep');
});

test('F102: a page that slept while its answer went on has all of it', async ({
  bench,
  faults,
  faultServer,
  page,
  context,
}) => {
  await bench.open(faultServer.url);
  faults.answerWith({ body: [role, text('Before'), { gapMs: 700 }, text(' and after'), finish(), done] });
  await bench.send('Sleep');
  await expect(bench.lastReply).toContainText('Before');
  const session = await context.newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await sleep(1200);
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete', { timeout: 5000 });
  await expect(bench.lastReply).toContainText('Before and after');
});

/** A port that accepts no connection and refuses none: its process is stopped and its queue is full. */
async function startBlackHole(): Promise<{ url: string; close: () => void }> {
  const listen = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      process.stdout.write(String(server.address().port));
      setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 50);
    });`;
  const child: ChildProcess = spawn(process.execPath, ['-e', listen], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const port = await new Promise<number>((resolve) =>
    child.stdout?.once('data', (data: Buffer) => resolve(Number(data.toString()))),
  );
  await sleep(300);
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await sleep(200);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
