/** Scores of one open trial, and the worker that applies slow checks. */
import { chunk } from 'es-toolkit';

import { parseJsonReply } from '../../../conversation/reply/json-reply-text.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { parseExactNumbers, writeExactJson } from '../../../lib/exact-json.ts';
import { formatError } from '../../../lib/format-error.ts';
import { pluralize } from '../../../lib/format.ts';
import type { RecordStore } from '../../../storage/record-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { getCheckedText, maxHeadChars } from '../../../trials/cell.ts';
import { getValueAtPath } from '../../../trials/checks/check-settings.ts';
import {
  applyCheck,
  createTimeoutScore,
  getCurrentScore,
  isTimeoutScore,
  toCheckedAnswer,
  type CheckedAnswer,
} from '../../../trials/checks/score-answer.ts';
import type { Case, Cell, Check, CheckKind, Score } from '../../../trials/trial.ts';
import type { Recorder } from '../../runs/recorder.ts';
import { getCaseIndexes, buildCellBlockWrites, readTrialRun } from '../repository/trial-records.ts';
import type { TrialStore } from '../store/trial-store.ts';

export interface TrialScores {
  /** Returns the cell with its head and its scores. */
  scoreCell: (cell: Cell, run: Run) => Promise<Cell>;
  /**
   * Recounts the results, then updates outdated scores in slices; a later call cancels an earlier one. Waits until all
   * cells are loaded. Errors are shown as a notice.
   */
  rescore: () => void;
  /** Returns true if an answer could not be scored because its check could not be loaded. */
  hasUnscoredAnswers: () => boolean;
  /** Updates scores that could not be updated before all cells were loaded, or whose check could not be loaded. */
  rescoreLoaded: () => void;
  /** Returns the scores of an unsaved check for all answers, by `getCellId`. */
  previewCheck: (check: Check, signal?: AbortSignal) => Promise<Map<string, Score>>;
}

type ScoredStore = Pick<
  TrialStore,
  | 'getTrial'
  | 'cases'
  | 'cells'
  | 'ownsCells'
  | 'isComplete'
  | 'recountAll'
  | 'notifyCells'
  | 'notify'
  | 'setRescoringCount'
  | 'addNotice'
>;

interface TrialScoresDeps {
  recorder: Pick<Recorder, 'flush' | 'put'>;
  scorer: Pick<Scorer, 'score'>;
  records: Pick<RecordStore, 'readRecord'>;
}

const batchSize = 32;

export function createTrialScores(
  store: ScoredStore,
  { recorder, scorer, records }: TrialScoresDeps,
): TrialScores {
  const { cells } = store;
  let lastRescoreId = 0;
  /** True if checks were changed before all answers had been loaded. */
  let isRescorePending = false;
  let hasReportedUnscored = false;
  let headField = getDecidingField();

  const getScorableChecks = (): Check[] => store.getTrial().checks.filter(({ kind }) => kind !== 'marks');
  const getValues = ({ caseId }: Cell): Case['values'] => store.cases.get(caseId)?.values ?? {};

  /** Returns the answer field that the deciding check uses; empty if it uses none. */
  function getDecidingField(): string {
    const { checks, decides } = store.getTrial();
    return checks.find(({ id }) => id === decides)?.field ?? '';
  }

  async function scoreCell(cell: Cell, run: Run): Promise<Cell> {
    const values = getValues(cell);
    const answer = toCheckedAnswer(run);
    const checks = getScorableChecks();
    const scores = await scorer.score(checks.map((check) => ({ check, values, cell, answer })));
    if (scores.includes(undefined)) reportUnscored();
    const scoreEntries = checks.flatMap((check, index): [string, Score][] => {
      const score = scores[index];
      return score ? [[check.id, score]] : [];
    });
    return { ...cell, head: getHead(run, cell), scores: Object.fromEntries(scoreEntries) };
  }

  function reportUnscored(): void {
    if (hasReportedUnscored) return;
    hasReportedUnscored = true;
    store.addNotice(
      'Could not load pattern and schema checks. Answers are saved. Reopen the trial to check them.',
      'problem',
    );
  }

  /** Returns the value of the field that the deciding check uses. */
  function getHead(run: Run, cell: Cell): string {
    const field = getDecidingField();
    if (field === '') return cell.head;
    const text = getCheckedText(run);
    const parsed = parseExactNumbers(parseJsonReply(text, false, true)?.text ?? text);
    const value = parsed.ok ? getValueAtPath(parsed.value, field) : undefined;
    if (value === undefined) return cell.head;
    return truncateHead(typeof value === 'string' ? value : writeExactJson(value));
  }

  function isStale(cell: Cell): boolean {
    const values = getValues(cell);
    return store
      .getTrial()
      .checks.some((check) => getCurrentScore(check, cell, values, undefined) === undefined);
  }

  async function rescoreAll(): Promise<void> {
    const rescoreId = (lastRescoreId += 1);
    await recorder.flush();
    const field = getDecidingField();
    const staleCells = [...cells.values()].filter((cell) => field !== headField || isStale(cell));
    let remainingCount = staleCells.length;
    store.setRescoringCount(remainingCount);
    let slowCount = 0;
    for (const slice of chunk(staleCells, batchSize)) {
      const rescoredCells = await Promise.all(
        slice.map(async (cell) => {
          const run = await readTrialRun(records, store.getTrial(), cell.runId);
          return run && scoreCell({ ...cell, head: truncateHead(getCheckedText(run)) }, run);
        }),
      );
      if (rescoreId !== lastRescoreId) return;
      const newCells = rescoredCells.filter((cell) => cell !== undefined);
      for (const cell of newCells) {
        // A cell that was run again in the meantime has current scores.
        if (cells.get(getCellId(cell))?.runId === cell.runId) cells.set(getCellId(cell), cell);
        if (Object.values(cell.scores).some(isTimeoutScore)) slowCount += 1;
      }
      // Otherwise the tab that runs the trial stores the same scores.
      if (store.ownsCells()) storeBlocks(newCells);
      remainingCount -= slice.length;
      store.setRescoringCount(remainingCount);
      store.notifyCells(newCells);
    }
    headField = field;
    if (slowCount > 0)
      store.addNotice(
        `The pattern took over 100 ms on ${pluralize(slowCount, 'answer, which counts', 'answers, which count')} as missing.`,
      );
    store.notify();
  }

  function rescore(): void {
    rescoreAll().catch((error: unknown) =>
      store.addNotice(`Could not update scores: ${formatError(error)}`, 'problem'),
    );
  }

  function hasUnscoredAnswers(): boolean {
    const checks = getScorableChecks();
    return [...cells.values()].some(
      ({ outcome, scores }) => outcome === 'answered' && checks.some(({ id }) => scores[id] === undefined),
    );
  }

  function storeBlocks(changedCells: readonly Cell[]): void {
    const trial = store.getTrial();
    for (const write of buildCellBlockWrites(trial, changedCells, cells, getCaseIndexes(trial)))
      if ('put' in write && write.store === 'cells')
        recorder.put(`cells ${trial.id} ${write.put.block} ${write.put.columnId}`, write);
  }

  return {
    scoreCell,
    rescore: () => {
      store.recountAll();
      if (store.isComplete()) rescore();
      else isRescorePending = true;
    },
    hasUnscoredAnswers,
    rescoreLoaded: () => {
      if (isRescorePending || hasUnscoredAnswers()) rescore();
    },
    previewCheck: async (check, signal) => {
      const previewScores = new Map<string, Score>();
      for (const slice of chunk([...cells.values()], batchSize)) {
        signal?.throwIfAborted();
        const loadedRuns = await Promise.all(
          slice.map(async (cell) => ({
            cell,
            run: await readTrialRun(records, store.getTrial(), cell.runId),
          })),
        );
        const readableAnswers = loadedRuns.flatMap(({ cell, run }) =>
          run ? [{ cell, answer: toCheckedAnswer(run) }] : [],
        );
        const scores = await scorer.score(
          readableAnswers.map(({ cell, answer }) => ({ check, values: getValues(cell), cell, answer })),
        );
        readableAnswers.forEach(({ cell }, index) => {
          const score = scores[index];
          if (score) previewScores.set(getCellId(cell), score);
        });
      }
      return previewScores;
    },
  };
}

/** Returns the first characters of a text without splitting a character. */
function truncateHead(text: string): string {
  return Array.from(text.slice(0, 2 * maxHeadChars))
    .slice(0, maxHeadChars)
    .join('');
}

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
