import path from 'node:path';
import { Worker } from 'node:worker_threads';

import { build } from 'vite';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { Check, Score } from '../../../trials/trial.ts';
import { createScorer, type ScoreJob, type ScoreWorker } from './trial-scores.ts';

let workerCode = '';
/** Browser globals that workers in Node lack. */
const workerGlobals = `
const { parentPort } = require('node:worker_threads');
globalThis.addEventListener = (_, listener) => parentPort.on('message', (data) => listener({ data }));
globalThis.postMessage = (data) => parentPort.postMessage(data);
`;

beforeAll(async () => {
  const buildOutput = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: path.join(import.meta.dirname, 'score-worker.ts'), formats: ['es'] },
    },
  });
  const [output] = Array.isArray(buildOutput) ? buildOutput : [];
  const chunk = output?.output[0];
  workerCode = chunk?.type === 'chunk' ? workerGlobals + chunk.code : '';
});

async function createWorker(): Promise<ScoreWorker> {
  const worker = new Worker(workerCode, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  let onScore: (score: Score) => void = () => undefined;
  worker.on('message', (score: Score) => onScore(score));
  return {
    postMessage: (jobs) => worker.postMessage(jobs),
    onScore: (listener) => (onScore = listener),
    onError: (listener) => worker.on('error', listener),
    terminate: () => void worker.terminate(),
  };
}

const createMatchesCheck = (pattern: string): Check => ({
  id: 'check',
  name: 'matches',
  kind: 'matches',
  settings: { pattern },
});

const createJob = (check: Check, text: string): ScoreJob => ({
  check,
  values: {},
  cell: { outcome: 'answered' },
  answer: { text, toolCalls: [], tokensOut: { kind: 'not yet' } },
});

describe('a regular expression that never finishes', () => {
  it('terminates a slow pattern without a score and scores the other answers', async () => {
    let startCount = 0;
    const scorer = createScorer(() => {
      startCount += 1;
      return createWorker();
    });
    const slowCheck = createMatchesCheck('^(a+)+$');
    const slowText = `${'a'.repeat(40)}!`;
    const jobs = [
      createJob(createMatchesCheck('b+'), 'abba'),
      createJob(slowCheck, slowText),
      createJob(createMatchesCheck('b+'), 'no'),
      createJob({ ...createMatchesCheck(''), kind: 'equals', expected: { text: 'x' }, settings: {} }, 'x'),
      createJob(slowCheck, slowText),
      createJob(slowCheck, 'aaa'),
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
    // Two workers were terminated and replaced.
    expect(startCount).toBe(3);
    expect((await scorer.score(jobs.slice(0, 1))).map((score) => score?.result)).toEqual(['passed']);
    expect(startCount).toBe(3);
    scorer.close();
  });

  it('leaves answers unscored while no worker can be started, and scores them later', async () => {
    let isBroken = true;
    const scorer = createScorer(() => (isBroken ? Promise.reject(new Error('Gone')) : createWorker()));
    const equals = { ...createMatchesCheck(''), kind: 'equals' as const, expected: { text: 'x' } };
    const jobs = [createJob(createMatchesCheck('b+'), 'abba'), createJob(equals, 'x')];
    const getResults = async () => (await scorer.score(jobs)).map((score) => score?.result);
    expect(await getResults()).toEqual([undefined, 'passed']);
    isBroken = false;
    expect(await getResults()).toEqual(['passed', 'passed']);
    scorer.close();
  });

  it('scores checks without patterns immediately while a worker is pending', async () => {
    const pendingWorker = new Promise<ScoreWorker>(() => undefined);
    const scorer = createScorer(() => pendingWorker);
    void scorer.score([createJob(createMatchesCheck('b+'), 'abba')]);
    const equals = { ...createMatchesCheck(''), kind: 'equals' as const, expected: { text: 'x' } };
    expect((await scorer.score([createJob(equals, 'x')])).map((score) => score?.result)).toEqual(['passed']);
  });

  it('terminates its worker on close, if there is one', async () => {
    let terminateCount = 0;
    let onScore: (score: Score) => void = () => undefined;
    const scorer = createScorer(async () => ({
      postMessage: (jobs) => jobs.forEach(() => onScore({ of: 'x', result: 'passed' })),
      onScore: (listener) => (onScore = listener),
      onError: () => undefined,
      terminate: () => (terminateCount += 1),
    }));
    scorer.close();
    expect(terminateCount).toBe(0);
    const scores = await scorer.score([
      createJob(createMatchesCheck('b+'), 'abba'),
      createJob(createMatchesCheck('b+'), 'abba'),
    ]);
    expect(scores.map((score) => score?.result)).toEqual(['passed', 'passed']);
    scorer.close();
    expect(terminateCount).toBe(1);
  });

  it('starts no worker if no check has a pattern', async () => {
    const scorer = createScorer(() => Promise.reject(new Error('The worker is missing')));
    const [score] = await scorer.score([
      createJob(
        { ...createMatchesCheck(''), kind: 'contains', expected: { text: 'x' }, settings: {} },
        'axe',
      ),
    ]);
    expect(score?.result).toBe('passed');
  });

  it('tries a failing worker once per answer without a result, and scores on the page without a worker', async () => {
    let startCount = 0;
    const scorer = createScorer(async () => {
      startCount += 1;
      let onError: () => void = () => undefined;
      return {
        postMessage: () => onError(),
        onScore: () => undefined,
        onError: (listener) => (onError = listener),
        terminate: () => undefined,
      };
    });
    const jobs = [
      createJob(createMatchesCheck('b+'), 'abba'),
      createJob({ ...createMatchesCheck('x'), kind: 'matches none' }, 'abba'),
    ];
    const getResults = (scores: readonly (Score | undefined)[]) => scores.map((score) => score?.result);
    expect(getResults(await scorer.score(jobs))).toEqual(['no answer', 'no answer']);
    expect(startCount).toBe(2);
    expect(getResults(await createScorer().score(jobs))).toEqual(['passed', 'passed']);
  });
});
