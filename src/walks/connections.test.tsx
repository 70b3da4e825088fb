/** Tests large answers, unreachable gateways and Stop through the real app over real sockets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import type { Bench } from '../testing/bench.ts';
import { createGate } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  reloadPage,
  getTurnRun,
  getLaneTurns,
} from '../testing/conversation-driver.ts';
import { renderReply } from '../testing/render-turns.tsx';
import { waitUntil } from '../testing/wait-until.ts';

/** Returns the status and the visible text of the last answer. */
function getLastReply(bench: Bench): { status: string | null; text: string } {
  const { status, text } = renderReply(bench);
  return { status, text };
}

/** Returns status and text of every answer after a reload. */
async function readStoredAnswers(bench: Bench): Promise<[status: string, text: string][]> {
  const reloadedBench = await reloadPage(bench);
  return getLaneTurns(reloadedBench).map((turn) => {
    const run = getTurnRun(reloadedBench, turn);
    return [run.phase.name, getAnswerText(run.choices[0])];
  });
}

/** Resolves when the last answer contains this text. */
function waitForText(bench: Bench, text: string): Promise<void> {
  return waitUntil(
    () => getLaneTurns(bench).length > 0 && getAnswerText(getTurnRun(bench).choices[0]).includes(text),
  );
}

it.each([
  ['in one event of 8 MB', ['word '.repeat((8 * 1024 * 1024) / 5)]],
  ['in 30,000 events', Array.from({ length: 30_000 }, () => 'ab ')],
])('stores an answer %s byte for byte and completes the next answer', async (_how, texts) => {
  const { bench, gateway } = await createConversation((answer) => answer.sendAnswer(...texts));
  await sendAndWait(bench, 'Much');
  expect(getTurnRun(bench).deltas).toBe(texts.length);
  gateway.setChatScript((answer) => answer.sendAnswer('And on'));
  await sendAndWait(bench, 'Next');
  const [[status, text] = [], nextAnswer] = await readStoredAnswers(bench);
  // Compares the texts outside the matcher, which would print megabytes on failure.
  expect([status, text === texts.join(''), nextAnswer]).toEqual(['complete', true, ['complete', 'And on']]);
});

it.each([
  ['refuses the connection', 'http://127.0.0.1:1', '127.0.0.1:1'],
  ['has an unknown host name', 'http://no-such-gateway.invalid', 'no-such-gateway.invalid'],
])('names the host in the error for a gateway that %s', async (_what, url, host) => {
  const { bench } = await createConversation(undefined, { url });
  await sendAndWait(bench, 'Anyone');
  const { status, text } = getLastReply(bench);
  expect(status).toBe('failed');
  for (const fragment of ['Could not reach the gateway', 'gateway_unreachable', host])
    expect(text).toContain(fragment);
});

it('stops, or times out, while the gateway does not accept the connection', async () => {
  const { bench } = await createConversation(undefined, {
    url: await startBlackHole(),
    settings: { GATEWAY_CONNECT_TIMEOUT_MS: '1000' },
  });
  const sendPromise = sendAndWait(bench, 'Anyone');
  await waitUntil(() => getLastReply(bench).status === 'waiting');
  await bench.actions.stop();
  await sendPromise;
  expect(getLastReply(bench).status).toBe('stopped');
  await sendAndWait(bench, 'Again');
  expect(getLastReply(bench)).toMatchObject({
    status: 'failed',
    text: expect.stringContaining('did not accept a connection within 1 s'),
  });
});

describe('Stop', () => {
  it('closes the gateway connection on Stop, before the headers or mid-stream, and keeps the text', async () => {
    const { bench, gateway } = await createConversation(() => undefined);
    const silentRequest = sendAndWait(bench, 'Silent');
    await waitUntil(() => gateway.posts.length === 1);
    await bench.actions.stop();
    await silentRequest;
    await gateway.posts[0]?.disconnection;
    expect(getLastReply(bench)).toMatchObject({
      status: 'stopped',
      text: expect.stringContaining('Stopped before the first token'),
    });

    gateway.setChatScript((answer) => answer.sendText('Half an'));
    const partialRequest = sendAndWait(bench, 'Half');
    await waitForText(bench, 'Half an');
    await bench.actions.stop();
    await partialRequest;
    await gateway.posts[1]?.disconnection;
    for (const tab of [bench, await reloadPage(bench)]) {
      const { status, text } = getLastReply(tab);
      expect(status).toBe('stopped');
      expect(text).toContain('Half an');
      expect(text).toContain('Stopped after 1 token');
    }
    expect(gateway.posts).toHaveLength(2);
    await waitUntil(() => bench.server.log.some((line) => line.includes('client-abort')));
  });

  it('mixes no text from a stopped answer into an answer requested immediately afterwards', async () => {
    const { bench, gateway } = await createConversation();
    const rounds = Array.from({ length: 6 }, (_, index) => index + 1);
    for (const round of rounds) {
      gateway.setChatScript((answer) => {
        const sendMore = () => {
          if (answer.response.destroyed) return;
          answer.sendText(`old ${round} `);
          setTimeout(sendMore, 1);
        };
        sendMore();
      });
      const stoppedRequest = sendAndWait(bench, `Stop ${round}`);
      await waitForText(bench, `old ${round}`);
      gateway.setChatScript((answer) => answer.sendAnswer(`new ${round}`));
      await Promise.all([bench.actions.stop(), sendAndWait(bench, `Next ${round}`), stoppedRequest]);
    }
    const answers = await readStoredAnswers(bench);
    expect(answers.map(([status]) => status)).toEqual(rounds.flatMap(() => ['stopped', 'complete']));
    expect(answers.filter((_, index) => index % 2 === 1).map(([, text]) => text)).toEqual(
      rounds.map((round) => `new ${round}`),
    );
  });

  it('stores one ending and the whole text if Stop coincides with the last chunk', async () => {
    let gate = createGate();
    const { bench, gateway } = await createConversation(async (answer) => {
      answer.sendText(`All of ${gateway.posts.length}`);
      await gate.opened;
      answer.sendFinishReason();
      answer.sendDone();
    });
    const tickCounts = [0, 1, 2, 3, 5, 8, 12, 20, 40, 80];
    for (const [index, ticks] of tickCounts.entries()) {
      gate = createGate();
      const sendPromise = sendAndWait(bench, `After ${ticks} turns`);
      await waitForText(bench, `All of ${index + 1}`);
      gate.open();
      let passedTicks = 0;
      await waitUntil(() => (passedTicks += 1) > ticks);
      await bench.actions.stop();
      await sendPromise;
    }
    const answers = await readStoredAnswers(bench);
    expect(answers.map(([, text]) => text)).toEqual(tickCounts.map((_, index) => `All of ${index + 1}`));
    for (const [status] of answers) expect(status).toMatch(/^(?:complete|stopped)$/);
  });
});

/**
 * Returns the URL of a port that neither accepts nor refuses connections: its process is stopped and its backlog is
 * full.
 */
async function startBlackHole(): Promise<string> {
  const script = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      process.kill(process.pid, 'SIGSTOP');
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port]: unknown[] = await once(child.stdout, 'data');
  // The server accepts no connections, and its queue holds one more than its backlog.
  for (const _ of ['first', 'second']) {
    const filler = connect(Number(String(port)), '127.0.0.1');
    filler.on('error', () => undefined);
    onTestFinished(() => void filler.destroy());
    await once(filler, 'connect');
  }
  return `http://127.0.0.1:${String(port)}`;
}
