/** Large answers, unreachable gateways and Stop, through the real app over real sockets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import type { Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, reloaded, runOf, shownTurns } from '../testing/conversation-driver.ts';
import { drawnReplies } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

/** Returns how the last answer ended, and its text on screen. */
function lastReply(bench: Bench): { status: string | undefined; words: string } {
  const { markup = '', words = '' } = drawnReplies(bench).at(-1) ?? {};
  return { status: /data-status="(\w+)"/.exec(markup)?.[1], words };
}

/** Returns status and text of each answer after a reload. */
async function storedAnswers(bench: Bench): Promise<[status: string, text: string][]> {
  const again = await reloaded(bench);
  return shownTurns(again).map((turn) => {
    const run = runOf(again, turn);
    return [run.phase.name, getAnswerText(run.choices[0])];
  });
}

/** Resolves when the last answer contains these words. */
function heard(bench: Bench, words: string): Promise<void> {
  return until(() => shownTurns(bench).length > 0 && getAnswerText(runOf(bench).choices[0]).includes(words));
}

it.each([
  ['in one event of 8 MB', ['word '.repeat((8 * 1024 * 1024) / 5)]],
  ['in 100,000 events', Array.from({ length: 100_000 }, () => 'ab ')],
])('an answer %s is stored byte for byte, and the next one follows', async (_how, texts) => {
  const { bench, gateway } = await aTalk((answer) => answer.whole(...texts));
  await ask(bench, 'Much');
  expect(runOf(bench).deltas).toBe(texts.length);
  gateway.onChat((answer) => answer.whole('And on'));
  await ask(bench, 'Next');
  const [[status, text] = [], next] = await storedAnswers(bench);
  // The texts are compared outside of the matcher, which would print megabytes.
  expect([status, text === texts.join(''), next]).toEqual(['complete', true, ['complete', 'And on']]);
});

it.each([
  ['refuses the connection', 'http://127.0.0.1:1', '127.0.0.1:1'],
  ['has a name that does not exist', 'http://no-such-gateway.invalid', 'no-such-gateway.invalid'],
])('an error names a gateway that %s', async (_what, url, host) => {
  const { bench } = await aTalk(undefined, { url });
  await ask(bench, 'Anyone');
  const { status, words } = lastReply(bench);
  expect(status).toBe('failed');
  for (const part of ['The gateway cannot be reached', 'gateway_unreachable', host])
    expect(words).toContain(part);
});

it('a gateway that never accepts the connection times out, and Stop works before', async () => {
  const { bench } = await aTalk(undefined, {
    url: await aBlackHole(),
    settings: { GATEWAY_CONNECT_TIMEOUT_MS: '1000' },
  });
  const sending = ask(bench, 'Anyone');
  await until(() => lastReply(bench).status === 'waiting');
  await bench.actions.stop();
  await sending;
  expect(lastReply(bench).status).toBe('stopped');
  await ask(bench, 'Again');
  expect(lastReply(bench)).toMatchObject({
    status: 'failed',
    words: expect.stringContaining('did not accept a connection within 1 s'),
  });
});

describe('Stop', () => {
  it('closes the connection to the gateway before the headers and in the middle, and keeps the text', async () => {
    const { bench, gateway } = await aTalk(() => undefined);
    const silent = ask(bench, 'Silent');
    await until(() => gateway.posts.length === 1);
    await bench.actions.stop();
    await silent;
    await gateway.posts[0]?.left;
    expect(lastReply(bench)).toMatchObject({
      status: 'stopped',
      words: expect.stringContaining('You stopped it before the first token'),
    });

    gateway.onChat((answer) => answer.text('Half an'));
    const half = ask(bench, 'Half');
    await heard(bench, 'Half an');
    await bench.actions.stop();
    await half;
    await gateway.posts[1]?.left;
    for (const each of [bench, await reloaded(bench)]) {
      const { status, words } = lastReply(each);
      expect(status).toBe('stopped');
      expect(words).toContain('Half an');
      expect(words).toContain('You stopped it after 1 token');
    }
    expect(gateway.posts).toHaveLength(2);
    await until(() => bench.server.log.some((line) => line.includes('client-abort')));
  });

  it('followed by the next message at once mixes nothing of the stopped answer into the next one', async () => {
    const { bench, gateway } = await aTalk();
    const rounds = Array.from({ length: 12 }, (_, index) => index + 1);
    for (const round of rounds) {
      gateway.onChat((answer) => {
        const more = () => {
          if (answer.response.destroyed) return;
          answer.text(`old ${round} `);
          setTimeout(more, 1);
        };
        more();
      });
      const old = ask(bench, `Stop ${round}`);
      await heard(bench, `old ${round}`);
      gateway.onChat((answer) => answer.whole(`new ${round}`));
      await Promise.all([bench.actions.stop(), ask(bench, `Next ${round}`), old]);
    }
    const answers = await storedAnswers(bench);
    expect(answers.map(([status]) => status)).toEqual(rounds.flatMap(() => ['stopped', 'complete']));
    expect(answers.filter((_, index) => index % 2 === 1).map(([, text]) => text)).toEqual(
      rounds.map((round) => `new ${round}`),
    );
  });

  it('while the last chunk arrives gives one ending and the whole text', async () => {
    let gate = aGate();
    const { bench, gateway } = await aTalk(async (answer) => {
      answer.text(`All of ${gateway.posts.length}`);
      await gate.opened;
      answer.finish();
      answer.done();
    });
    const turnsToWait = [0, 1, 2, 3, 5, 8, 12, 20, 40, 80];
    for (const [index, turns] of turnsToWait.entries()) {
      gate = aGate();
      const sending = ask(bench, `After ${turns} turns`);
      await heard(bench, `All of ${index + 1}`);
      gate.open();
      let passed = 0;
      await until(() => (passed += 1) > turns);
      await bench.actions.stop();
      await sending;
    }
    const answers = await storedAnswers(bench);
    expect(answers.map(([, text]) => text)).toEqual(turnsToWait.map((_, index) => `All of ${index + 1}`));
    for (const [status] of answers) expect(status).toMatch(/^(?:complete|stopped)$/);
  });
});

/** Address of a port that accepts no connection and refuses none: its process is stopped, and its queue is full. */
async function aBlackHole(): Promise<string> {
  const listen = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      process.kill(process.pid, 'SIGSTOP');
    });`;
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port]: unknown[] = await once(child.stdout, 'data');
  // The queue holds one more than its length.
  for (const _ of ['first', 'second']) {
    const filler = connect(Number(String(port)), '127.0.0.1');
    filler.on('error', () => undefined);
    onTestFinished(() => void filler.destroy());
    await once(filler, 'connect');
  }
  return `http://127.0.0.1:${String(port)}`;
}
