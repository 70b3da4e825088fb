/** Scores of one open trial: new answers, outdated scores, and previews of a check. */
import { chunk } from 'es-toolkit';

import { parseJsonReply } from '../../../conversation/reply/json-reply-text.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { parseExactNumbers, writeExactJson } from '../../../lib/exact-json.ts';
import { formatError } from '../../../lib/format-error.ts';
import { pluralize } from '../../../lib/format.ts';
import type { Write } from '../../../storage/record-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { getCheckedText } from '../../../trials/cell.ts';
import { getValueAtPath } from '../../../trials/checks/check-settings.ts';
import { toCheckedAnswer } from '../../../trials/checks/score-answer.ts';
import type { Case, Cell, Check, Score } from '../../../trials/trial.ts';
import type { Recorder } from '../../runs/recorder.ts';
import type { OpenTrialStore } from '../open-trial-store.ts';
import { getCurrentScore } from '../results/trial-results.ts';
import { getCaseIndexes, buildCellBlockWrites } from '../trial-records.ts';
import type { Scorer } from './scorer.ts';

export interface TrialScores {
  /** Returns the cell with its head and its scores. */
  scoreCell: (cell: Cell, run: Run) => Promise<Cell>;
  /** Updates outdated scores in slices; a later call cancels an earlier one. Errors are shown as a notice. */
  rescore: () => void;
  /** Returns the number of cells waiting to be re-scored. */
  countRemaining: () => number;
  /** Returns true if an answer could not be scored because its check could not be loaded. */
  hasUnscoredAnswers: () => boolean;
  /** Returns the scores of an unsaved check for all answers, by `getCellId`. */
  previewCheck: (check: Check, signal?: AbortSignal) => Promise<Map<string, Score>>;
}

interface TrialScoresDeps {
  store: Pick<OpenTrialStore, 'getTrial' | 'cases' | 'cells' | 'notifyCells' | 'notify' | 'addNotice'>;
  put: (key: string, write: Write) => void;
  /** Returns true if this tab stores cells; otherwise the tab that runs the trial stores the same scores. */
  ownsCells: () => boolean;
  recorder: Pick<Recorder, 'flush'>;
  scorer: Pick<Scorer, 'score'>;
  /** Returns a stored run; undefined if it cannot be read. */
  readRun: (runId: string) => Promise<Run | undefined>;
}

const batchSize = 32;
const maxHeadChars = 120;

export function createTrialScores(deps: TrialScoresDeps): TrialScores {
  const { store, put, recorder, scorer, readRun } = deps;
  const { cells } = store;
  let lastRescoreId = 0;
  let remainingCount = 0;
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
    remainingCount = staleCells.length;
    let slowCount = 0;
    for (const slice of chunk(staleCells, batchSize)) {
      const rescoredCells = await Promise.all(
        slice.map(async (cell) => {
          const run = await readRun(cell.runId);
          return run && scoreCell({ ...cell, head: truncateHead(getCheckedText(run)) }, run);
        }),
      );
      if (rescoreId !== lastRescoreId) return;
      const newCells = rescoredCells.filter((cell) => cell !== undefined);
      for (const cell of newCells) {
        // A cell that was run again in the meantime has current scores.
        if (cells.get(getCellId(cell))?.runId === cell.runId) cells.set(getCellId(cell), cell);
        if (Object.values(cell.scores).some(({ why }) => why?.startsWith('the pattern took over')))
          slowCount += 1;
      }
      if (deps.ownsCells()) storeBlocks(newCells);
      remainingCount -= slice.length;
      store.notifyCells(newCells);
    }
    headField = field;
    if (slowCount > 0)
      store.addNotice(
        `The pattern took over 100 ms on ${pluralize(slowCount, 'answer, which counts', 'answers, which count')} as missing.`,
      );
    store.notify();
  }

  function storeBlocks(changedCells: readonly Cell[]): void {
    const trial = store.getTrial();
    for (const write of buildCellBlockWrites(trial, changedCells, cells, getCaseIndexes(trial)))
      if ('put' in write && write.store === 'cells')
        put(`cells ${trial.id} ${write.put.block} ${write.put.columnId}`, write);
  }

  return {
    scoreCell,
    rescore: () => {
      rescoreAll().catch((error: unknown) =>
        store.addNotice(`Could not update scores: ${formatError(error)}`, 'problem'),
      );
    },
    countRemaining: () => remainingCount,
    hasUnscoredAnswers: () => {
      const checks = getScorableChecks();
      return [...cells.values()].some(
        ({ outcome, scores }) => outcome === 'answered' && checks.some(({ id }) => scores[id] === undefined),
      );
    },
    previewCheck: async (check, signal) => {
      const previewScores = new Map<string, Score>();
      for (const slice of chunk([...cells.values()], batchSize)) {
        signal?.throwIfAborted();
        const loadedRuns = await Promise.all(
          slice.map(async (cell) => ({ cell, run: await readRun(cell.runId) })),
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
