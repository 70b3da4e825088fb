/** Scores of answers: at once where a check cannot take long, in a worker that can be ended where it can. */
import { applyCheck, createTimeoutScore, type CheckedAnswer } from '../../../trials/checks/score-answer.ts';
import type { Case, Cell, Check, CheckKind, Score } from '../../../trials/trial.ts';

export interface ScoreJob {
  check: Check;
  values: Case['values'];
  cell: Pick<Cell, 'outcome' | 'why'>;
  answer: CheckedAnswer;
}

export interface Scorer {
  /** The scores of these jobs, in their order; undefined where the worker that would make one could not be started. */
  score: (jobs: readonly ScoreJob[]) => Promise<(Score | undefined)[]>;
  close: () => void;
}

/** The part of a Worker that is used. */
export interface ScoreWorker {
  postMessage: (jobs: readonly ScoreJob[]) => void;
  onScore: (listener: (score: Score) => void) => void;
  onError: (listener: () => void) => void;
  terminate: () => void;
}

/** A pattern may go back and forth for ever, one in a schema too. */
const slowKinds: ReadonlySet<CheckKind> = new Set(['matches', 'matches none', 'fits schema']);
/** How long one answer may take. */
const answerTimeoutMs = 100;
/** Until the worker has loaded. */
const startTimeoutMs = 10_000;

const scoreDirectly = ({ check, values, cell, answer }: ScoreJob): Score =>
  applyCheck(check, values, cell, { answer });

/** Without a worker all is scored at once. */
export function createScorer(startWorker?: () => Promise<ScoreWorker>): Scorer {
  let worker: ScoreWorker | undefined;
  let chain: Promise<unknown> = Promise.resolve();
  let isWorkerReady = false;

  /** As far as the worker gets: one that is too slow is ended, and what it was at has no answer. */
  async function scoreUntilTimeout(
    jobs: readonly ScoreJob[],
    start: () => Promise<ScoreWorker>,
  ): Promise<Score[]> {
    const activeWorker = (worker ??= await start());
    return new Promise((resolve) => {
      const scores: Score[] = [];
      let timer: ReturnType<typeof setTimeout> | undefined;
      const finish = (shouldTerminate: boolean): void => {
        clearTimeout(timer);
        activeWorker.onScore(() => undefined);
        if (shouldTerminate) {
          activeWorker.terminate();
          worker = undefined;
          isWorkerReady = false;
        }
        resolve(scores);
      };
      const handleTimeout = (): void => {
        const slowJob = jobs[scores.length];
        if (slowJob) scores.push(createTimeoutScore(slowJob.check, slowJob.values));
        finish(true);
      };
      const restartTimer = (): void => {
        clearTimeout(timer);
        timer = setTimeout(
          () => {
            // What has come meanwhile waits behind this timer where the page was busy, and clears the next.
            timer = setTimeout(handleTimeout, 0);
          },
          isWorkerReady ? answerTimeoutMs : startTimeoutMs,
        );
      };
      activeWorker.onScore((score) => {
        isWorkerReady = true;
        scores.push(score);
        if (scores.length === jobs.length) finish(false);
        else restartTimer();
      });
      activeWorker.onError(handleTimeout);
      restartTimer();
      activeWorker.postMessage(jobs);
    });
  }

  async function scoreInWorker(
    jobs: readonly ScoreJob[],
    start: () => Promise<ScoreWorker>,
  ): Promise<Score[]> {
    const scores: Score[] = [];
    while (scores.length < jobs.length) {
      const remainingJobs = jobs.slice(scores.length);
      // One that cannot be slow tells that the worker has loaded: the timeout of the next begins then.
      const warmUpJobs = remainingJobs
        .slice(0, 1)
        .map((job): ScoreJob => ({ ...job, cell: { outcome: 'no answer' } }));
      const needsWarmUp = worker === undefined;
      const newScores = await scoreUntilTimeout(
        needsWarmUp ? [...warmUpJobs, ...remainingJobs] : remainingJobs,
        start,
      );
      const jobScores = needsWarmUp ? newScores.slice(1) : newScores;
      const [stuckJob] = remainingJobs;
      // A worker that does not even load is asked once for each.
      if (jobScores.length > 0 || !stuckJob) scores.push(...jobScores);
      else scores.push(createTimeoutScore(stuckJob.check, stuckJob.values));
    }
    return scores;
  }

  return {
    score: async (jobs) => {
      if (!startWorker) return jobs.map(scoreDirectly);
      const slowJobs = jobs.filter(({ check }) => slowKinds.has(check.kind));
      if (slowJobs.length === 0) return jobs.map(scoreDirectly);
      const pendingScores = chain.then(() => scoreInWorker(slowJobs, startWorker));
      chain = pendingScores.catch(() => undefined);
      // The answers stay, and are scored when the worker can be had: it is fetched again each time.
      const workerScores = await pendingScores.catch(() => undefined);
      let nextIndex = 0;
      return jobs.map((job) => {
        if (!slowKinds.has(job.check.kind)) return scoreDirectly(job);
        const score = workerScores?.[nextIndex];
        nextIndex += 1;
        return workerScores && (score ?? createTimeoutScore(job.check, job.values));
      });
    },
    close: () => worker?.terminate(),
  };
}
