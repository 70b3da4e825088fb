/** Scores answers: fast checks on the page, slow ones in a worker that can be terminated. */
import { applyCheck, createTimeoutScore, type CheckedAnswer } from '../../../trials/checks/score-answer.ts';
import type { Case, Cell, Check, CheckKind, Score } from '../../../trials/trial.ts';

export interface ScoreJob {
  check: Check;
  values: Case['values'];
  cell: Pick<Cell, 'outcome' | 'why'>;
  answer: CheckedAnswer;
}

export interface Scorer {
  /** Returns the scores in the order of the jobs; undefined if the worker for one could not be started. */
  score: (jobs: readonly ScoreJob[]) => Promise<(Score | undefined)[]>;
  close: () => void;
}

/** Subset of Worker that Bench uses. */
export interface ScoreWorker {
  postMessage: (jobs: readonly ScoreJob[]) => void;
  onScore: (listener: (score: Score) => void) => void;
  onError: (listener: () => void) => void;
  terminate: () => void;
}

/** Checks with regular expressions, which may backtrack forever; a schema can also contain regular expressions. */
const slowKinds: ReadonlySet<CheckKind> = new Set(['matches', 'matches none', 'fits schema']);
/** Maximum time in ms to score one answer. */
const answerTimeoutMs = 100;
/** Maximum time in ms for the worker to load. */
const startTimeoutMs = 10_000;

const scoreDirectly = ({ check, values, cell, answer }: ScoreJob): Score =>
  applyCheck(check, values, cell, { answer });

/** Creates a scorer. Without a worker, all checks run on the page. */
export function createScorer(startWorker?: () => Promise<ScoreWorker>): Scorer {
  let worker: ScoreWorker | undefined;
  let chain: Promise<unknown> = Promise.resolve();
  let isWorkerReady = false;

  /** Scores jobs until one takes too long. The worker is then terminated, and that job gets a timeout score. */
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
            // On a busy page, messages that have already arrived are handled before this second timer, and clear it.
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
      // This job is always fast and proves that the worker has loaded; only then does the timeout of the next job
      // start.
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
      // If the worker does not even load, one job times out and the next attempt continues with the others.
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
      // If the worker cannot be loaded, the answers stay unscored, and the next call tries again.
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
