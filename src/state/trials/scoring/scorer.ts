/** Scores of answers: at once where a check cannot take long, in a worker that can be ended where it can. */
import { scoreOf, tooSlowScore, type Answer } from '../../../trials/checks/score-answer.ts';
import type { Case, Cell, Check, CheckKind, Score } from '../../../trials/trial.ts';

export interface ScoreJob {
  check: Check;
  values: Case['values'];
  cell: Pick<Cell, 'outcome' | 'why'>;
  answer: Answer;
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
const patienceMs = 100;
/** Until the worker has loaded. */
const startPatienceMs = 10_000;

const direct = ({ check, values, cell, answer }: ScoreJob): Score => scoreOf(check, values, cell, { answer });

/** Without a worker all is scored at once. */
export function createScorer(startWorker?: () => Promise<ScoreWorker>): Scorer {
  let worker: ScoreWorker | undefined;
  let line: Promise<unknown> = Promise.resolve();
  let isWarm = false;

  /** As far as the worker gets: one that is too slow is ended, and what it was at has no answer. */
  async function scoreSome(jobs: readonly ScoreJob[], start: () => Promise<ScoreWorker>): Promise<Score[]> {
    const running = (worker ??= await start());
    return new Promise((resolve) => {
      const scores: Score[] = [];
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (isBroken: boolean): void => {
        clearTimeout(timer);
        running.onScore(() => undefined);
        if (isBroken) {
          running.terminate();
          worker = undefined;
          isWarm = false;
        }
        resolve(scores);
      };
      const giveUp = (): void => {
        const slow = jobs[scores.length];
        if (slow) scores.push(tooSlowScore(slow.check, slow.values));
        end(true);
      };
      const watch = (): void => {
        clearTimeout(timer);
        timer = setTimeout(
          () => {
            // What has come meanwhile waits behind this timer where the page was busy, and clears the next.
            timer = setTimeout(giveUp, 0);
          },
          isWarm ? patienceMs : startPatienceMs,
        );
      };
      running.onScore((score) => {
        isWarm = true;
        scores.push(score);
        if (scores.length === jobs.length) end(false);
        else watch();
      });
      running.onError(giveUp);
      watch();
      running.postMessage(jobs);
    });
  }

  async function scoreApart(jobs: readonly ScoreJob[], start: () => Promise<ScoreWorker>): Promise<Score[]> {
    const scores: Score[] = [];
    while (scores.length < jobs.length) {
      const rest = jobs.slice(scores.length);
      // One that cannot be slow tells that the worker has loaded: the patience with the next begins then.
      const first = rest.slice(0, 1).map((job): ScoreJob => ({ ...job, cell: { outcome: 'no answer' } }));
      const isCold = worker === undefined;
      const came = await scoreSome(isCold ? [...first, ...rest] : rest, start);
      const own = isCold ? came.slice(1) : came;
      const [stuck] = rest;
      // A worker that does not even load is asked once for each.
      if (own.length > 0 || !stuck) scores.push(...own);
      else scores.push(tooSlowScore(stuck.check, stuck.values));
    }
    return scores;
  }

  return {
    score: async (jobs) => {
      if (!startWorker) return jobs.map(direct);
      const slow = jobs.filter(({ check }) => slowKinds.has(check.kind));
      if (slow.length === 0) return jobs.map(direct);
      const turn = line.then(() => scoreApart(slow, startWorker));
      line = turn.catch(() => undefined);
      // The answers stay, and are scored when the worker can be had: it is fetched again each time.
      const apart = await turn.catch(() => undefined);
      let next = 0;
      return jobs.map((job) => {
        if (!slowKinds.has(job.check.kind)) return direct(job);
        const score = apart?.[next];
        next += 1;
        return apart && (score ?? tooSlowScore(job.check, job.values));
      });
    },
    close: () => worker?.terminate(),
  };
}
