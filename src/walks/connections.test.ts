/** Answers of any size, people who stop, gateways that are not there (F22 to F24, F86, F87, F94, F95, F98, F99). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { textOf } from '../conversation/reply/run.ts';
import type { Bench, BenchOptions } from '../testing/bench.ts';
import { aBench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import { startFaultGateway } from '../testing/faults/fault-gateway.ts';
import { said } from '../testing/faults/fault-row.ts';
import { runsInOrder, saidBy, type StoredRun } from '../testing/faults/stored-run.ts';
import { ask, aTalk, reloaded, runOf, shownTurns } from '../testing/talk.ts';
import { until } from '../testing/until.ts';
import { drawnReplies } from '../testing/views.tsx';

const { role, text, finish, done } = said;

async function inFrontOfFaults(options: BenchOptions = {}) {
  const gateway = await startFaultGateway();
  onTestFinished(() => gateway.close());
  return { gateway, bench: await aBench({ url: gateway.url, path: '/', ...options }) };
}

async function storedRuns(bench: Bench): Promise<StoredRun[]> {
  await bench.saved();
  const records = await bench.records.session(bench.current().session.id);
  return runsInOrder(records?.turns ?? [], records?.runs ?? []);
}

/** How the last answer ended, as it is on screen. */
function lastReply(bench: Bench): { status: string | undefined; words: string } {
  const { markup = '', words = '' } = drawnReplies(bench).at(-1) ?? {};
  return { status: /data-status="(\w+)"/.exec(markup)?.[1], words };
}

/** Resolves when the last answer has said this. */
function heard(bench: Bench, words: string): Promise<void> {
  return until(() => shownTurns(bench).length > 0 && textOf(runOf(bench).choices[0]).includes(words));
}

describe('an answer', () => {
  it('in one event of 8 MB arrives byte for byte (F22)', async () => {
    const { bench, gateway } = await inFrontOfFaults();
    const words = 'word '.repeat((8 * 1024 * 1024) / 5);
    gateway.answerWith({
      body: [{ inPacketsOf: 64 * 1024, bytes: [role + text(words) + finish() + done] }],
    });
    await ask(bench, 'Much');
    expect(runOf(bench).phase.name).toBe('complete');
    const [run] = await storedRuns(bench);
    // A difference of megabytes is not to be printed.
    expect(run && saidBy(run, 'text')[0] === words).toBe(true);
    gateway.answerWith({ body: [role + text('And on') + finish() + done] });
    await ask(bench, 'What next?');
    expect(lastReply(bench)).toMatchObject({ status: 'complete', words: expect.stringContaining('And on') });
  });

  it('in 100,000 events in one packet has all of them (F23)', async () => {
    const { bench, gateway } = await inFrontOfFaults();
    const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"ab "}}]}\n\n';
    gateway.answerWith({ body: [role + chunk.repeat(100_000) + finish() + done] });
    await ask(bench, 'Many');
    expect(runOf(bench)).toMatchObject({ phase: { name: 'complete' }, deltas: 100_000 });
    const [run] = await storedRuns(bench);
    expect(run && saidBy(run, 'text')[0] === 'ab '.repeat(100_000)).toBe(true);
  });

  it('with a line that never ends is given up at 16 MB; what came before it stays, and the connection is closed (F24)', async () => {
    const { bench, gateway } = await inFrontOfFaults();
    const line = Array.from({ length: 64 }, () => ({ repeat: 'x', times: 1024 * 1024 }));
    gateway.answerWith({ body: [role + text('before'), 'data: ', ...line] });
    await ask(bench, 'Endless');
    expect(lastReply(bench)).toMatchObject({ status: 'failed', words: expect.stringContaining('16 MB') });
    await gateway.posts[0]?.closed;
    const [run] = await storedRuns(bench);
    expect(run && saidBy(run, 'text')).toEqual({ 0: 'before' });
  });
});

describe('a gateway', () => {
  it('that is not there is named (F86)', async () => {
    const { bench, gateway } = await inFrontOfFaults();
    await gateway.close();
    await ask(bench, 'Anyone');
    const { status, words } = lastReply(bench);
    expect(status).toBe('failed');
    for (const part of ['The gateway cannot be reached', 'gateway_unreachable', new URL(gateway.url).host])
      expect(words).toContain(part);
  });

  it('whose name does not exist is named (F86)', async () => {
    const bench = await aBench({ url: 'http://no-such-gateway.invalid', path: '/' });
    await ask(bench, 'Anyone');
    expect(lastReply(bench).words).toContain('no-such-gateway.invalid');
  });

  it('that never takes the connection is given up in time, and Stop works before (F87)', async () => {
    const bench = await aBench({
      url: await aBlackHole(),
      path: '/',
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
});

describe('Stop', () => {
  it('before the headers and in the middle closes the connection to the gateway and keeps the text (F94)', async () => {
    const { bench, gateway } = await inFrontOfFaults();
    gateway.answerWith({ framing: 'raw', body: [], end: 'hold' });
    const silent = ask(bench, 'Silent');
    await until(() => gateway.posts.length === 1);
    await bench.actions.stop();
    await silent;
    await gateway.posts[0]?.closed;
    expect(lastReply(bench)).toMatchObject({
      status: 'stopped',
      words: expect.stringContaining('You stopped it before the first token'),
    });

    gateway.answerWith({ body: [role, text('Half an')], end: 'hold' });
    const half = ask(bench, 'Half');
    await heard(bench, 'Half an');
    await bench.actions.stop();
    await half;
    await gateway.posts[1]?.closed;
    for (const each of [bench, await reloaded(bench)]) {
      const { status, words } = lastReply(each);
      expect(status).toBe('stopped');
      expect(words).toContain('Half an');
      expect(words).toContain('You stopped it after 1 token');
    }
    expect(gateway.posts).toHaveLength(2);
    await until(() => bench.server.log.some((line) => line.includes('client-abort')));
  });

  it('and the next message at once: nothing of the stopped answer reaches the next one (F95, F99)', async () => {
    const { bench, gateway } = await inFrontOfFaults();
    const rounds = Array.from({ length: 12 }, (_, index) => index + 1);
    for (const round of rounds) {
      const endless = Array.from({ length: 10_000 }, () => [text(`old ${round} `), { gapMs: 1 }]).flat();
      gateway.answerWith({ body: [role, ...endless] });
      const old = ask(bench, `Stop ${round}`);
      await heard(bench, `old ${round}`);
      gateway.answerWith({ body: [role + text(`new ${round}`) + finish() + done] });
      await Promise.all([bench.actions.stop(), ask(bench, `Next ${round}`), old]);
    }
    const runs = await storedRuns(bench);
    expect(runs.map((run) => run.phase.name)).toEqual(rounds.flatMap(() => ['stopped', 'complete']));
    expect(runs.filter((_, index) => index % 2 === 1).map((run) => saidBy(run, 'text'))).toEqual(
      rounds.map((round) => ({ 0: `new ${round}` })),
    );
  });

  it('at the moment of the last words gives one end and the whole text (F98)', async () => {
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
    const runs = await storedRuns(bench);
    expect(runs).toHaveLength(turnsToWait.length);
    for (const [index, run] of runs.entries()) {
      expect(run.phase.name).toMatch(/^(?:complete|stopped)$/);
      expect(saidBy(run, 'text')).toEqual({ 0: `All of ${index + 1}` });
    }
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
