import path from 'node:path';
import { Worker } from 'node:worker_threads';

import { build } from 'vite';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { Check, Score } from '../../../trials/trial.ts';
import { createScorer, type ScoreJob, type ScoreWorker } from './scorer.ts';

let code = '';
/** What a worker of Node lacks of one in a browser. */
const globals = `
const { parentPort } = require('node:worker_threads');
globalThis.addEventListener = (_, listener) => parentPort.on('message', (data) => listener({ data }));
globalThis.postMessage = (data) => parentPort.postMessage(data);
`;

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: path.join(import.meta.dirname, 'score-worker.ts'), formats: ['es'] },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  const chunk = output?.output[0];
  code = chunk?.type === 'chunk' ? globals + chunk.code : '';
});

async function aWorker(): Promise<ScoreWorker> {
  const worker = new Worker(code, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  let hear: (score: Score) => void = () => undefined;
  worker.on('message', (score: Score) => hear(score));
  return {
    postMessage: (jobs) => worker.postMessage(jobs),
    onScore: (listener) => (hear = listener),
    onError: (listener) => worker.on('error', listener),
    terminate: () => void worker.terminate(),
  };
}

const matches = (pattern: string): Check => ({
  id: 'check',
  name: 'matches',
  kind: 'matches',
  settings: { pattern },
});

const jobOf = (check: Check, text: string): ScoreJob => ({
  check,
  values: {},
  cell: { outcome: 'answered' },
  answer: { text, toolCalls: [], tokensOut: { kind: 'not yet' } },
});

describe('a pattern that goes back and forth for ever', () => {
  it('is ended and has no answer, and those beside it have theirs', async () => {
    let started = 0;
    const scorer = createScorer(() => {
      started += 1;
      return aWorker();
    });
    const slow = matches('^(a+)+$');
    const letters = `${'a'.repeat(40)}!`;
    const jobs = [
      jobOf(matches('b+'), 'abba'),
      jobOf(slow, letters),
      jobOf(matches('b+'), 'no'),
      jobOf({ ...matches(''), kind: 'equals', expected: { text: 'x' }, settings: {} }, 'x'),
      jobOf(slow, letters),
      jobOf(slow, 'aaa'),
    ];
    const scores = await scorer.score(jobs);
    expect(scores.map((score) => score?.result)).toEqual([
      'passed',
      'no answer',
      'failed',
      'passed',
      'no answer',
      'passed',
    ]);
    expect(scores[1]?.why).toBe('the pattern took over 100 ms');
    // Two were ended, each with another in its place.
    expect(started).toBe(3);
    expect((await scorer.score(jobs.slice(0, 1))).map((score) => score?.result)).toEqual(['passed']);
    expect(started).toBe(3);
    scorer.close();
  });

  it('leaves an answer without a score where no worker can be started, and scores it when one can', async () => {
    let isBroken = true;
    const scorer = createScorer(() => (isBroken ? Promise.reject(new Error('Gone')) : aWorker()));
    const equals = { ...matches(''), kind: 'equals' as const, expected: { text: 'x' } };
    const jobs = [jobOf(matches('b+'), 'abba'), jobOf(equals, 'x')];
    const results = async () => (await scorer.score(jobs)).map((score) => score?.result);
    expect(await results()).toEqual([undefined, 'passed']);
    isBroken = false;
    expect(await results()).toEqual(['passed', 'passed']);
    scorer.close();
  });

  it('keeps no check waiting that has none', async () => {
    const never = new Promise<ScoreWorker>(() => undefined);
    const scorer = createScorer(() => never);
    void scorer.score([jobOf(matches('b+'), 'abba')]);
    const equals = { ...matches(''), kind: 'equals' as const, expected: { text: 'x' } };
    expect((await scorer.score([jobOf(equals, 'x')])).map((score) => score?.result)).toEqual(['passed']);
  });

  it('ends its worker when it is closed, where there is one', async () => {
    let ended = 0;
    let hear: (score: Score) => void = () => undefined;
    const scorer = createScorer(async () => ({
      postMessage: (jobs) => jobs.forEach(() => hear({ of: 'x', result: 'passed' })),
      onScore: (listener) => (hear = listener),
      onError: () => undefined,
      terminate: () => (ended += 1),
    }));
    scorer.close();
    expect(ended).toBe(0);
    const scores = await scorer.score([jobOf(matches('b+'), 'abba'), jobOf(matches('b+'), 'abba')]);
    expect(scores.map((score) => score?.result)).toEqual(['passed', 'passed']);
    scorer.close();
    expect(ended).toBe(1);
  });

  it('costs no worker where no check has a pattern', async () => {
    const scorer = createScorer(() => Promise.reject(new Error('There is no worker')));
    const [score] = await scorer.score([
      jobOf({ ...matches(''), kind: 'contains', expected: { text: 'x' }, settings: {} }, 'axe'),
    ]);
    expect(score?.result).toBe('passed');
  });

  it('has no answer in a worker that fails at once, and is asked once for each; without any worker all are scored here', async () => {
    let started = 0;
    const scorer = createScorer(async () => {
      started += 1;
      let fail: () => void = () => undefined;
      return {
        postMessage: () => fail(),
        onScore: () => undefined,
        onError: (listener) => (fail = listener),
        terminate: () => undefined,
      };
    });
    const jobs = [jobOf(matches('b+'), 'abba'), jobOf({ ...matches('x'), kind: 'matches none' }, 'abba')];
    const results = (scores: readonly (Score | undefined)[]) => scores.map((score) => score?.result);
    expect(results(await scorer.score(jobs))).toEqual(['no answer', 'no answer']);
    expect(started).toBe(2);
    expect(results(await createScorer().score(jobs))).toEqual(['passed', 'passed']);
  });
});
