/** The scores of one open trial: of what has just ended, of all that is of an earlier check, and of a check on trial. */
import { parseJsonReply } from '../../../conversation/reply/json-reply-text.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { parseExactNumbers, writeExactJson } from '../../../lib/exact-json.ts';
import { formatError } from '../../../lib/format-error.ts';
import { pluralize } from '../../../lib/format.ts';
import type { Write } from '../../../storage/record-store.ts';
import { cellName } from '../../../trials/case-order.ts';
import { answerText } from '../../../trials/cell.ts';
import { valueAt } from '../../../trials/checks/check-settings.ts';
import { answerOf } from '../../../trials/checks/score-answer.ts';
import type { Case, Cell, Check, Score } from '../../../trials/trial.ts';
import type { Recorder } from '../../runs/recorder.ts';
import type { TrialDesk } from '../open-trial-store.ts';
import { currentScore } from '../results/trial-results.ts';
import { casePlaces, cellBlocksWrites } from '../trial-records.ts';
import type { Scorer } from './scorer.ts';

export interface TrialScores {
  /** The cell with its head and its scores. */
  scored: (cell: Cell, run: Run) => Promise<Cell>;
  /** Scores again, in slices, what is of an earlier check; a later call ends an earlier one. What fails is told. */
  renew: () => void;
  /** So many are still to be scored again. */
  left: () => number;
  /** An answer came while what checks it could not be loaded. */
  hasUnscored: () => boolean;
  /** What a check that is not stored yet says of all answers, by `cellName`. */
  tryCheck: (check: Check, signal?: AbortSignal) => Promise<Map<string, Score>>;
}

interface TrialScoresParts {
  desk: Pick<TrialDesk, 'trial' | 'cases' | 'cells' | 'cellsChanged' | 'changed' | 'tell'>;
  put: (key: string, write: Write) => void;
  /** The tab that asks stores what it makes of the same cells. */
  storesCells: () => boolean;
  recorder: Pick<Recorder, 'flush'>;
  scorer: Pick<Scorer, 'score'>;
  /** Undefined where it cannot be read. */
  readRun: (runId: string) => Promise<Run | undefined>;
}

const runsAtATime = 32;
const headLetters = 120;

export function createTrialScores(parts: TrialScoresParts): TrialScores {
  const { desk, put, recorder, scorer, readRun } = parts;
  const { cells } = desk;
  let turns = 0;
  let left = 0;
  let isUnscoredTold = false;
  let headField = decidingField();

  const checksToScore = (): Check[] => desk.trial().checks.filter(({ kind }) => kind !== 'marks');
  const valuesOf = ({ caseId }: Cell): Case['values'] => desk.cases.get(caseId)?.values ?? {};

  /** The field of an answer that the deciding check looks at; empty where it looks at none. */
  function decidingField(): string {
    const { checks, decides } = desk.trial();
    return checks.find(({ id }) => id === decides)?.field ?? '';
  }

  async function scored(cell: Cell, run: Run): Promise<Cell> {
    const values = valuesOf(cell);
    const answer = answerOf(run);
    const checks = checksToScore();
    const scores = await scorer.score(checks.map((check) => ({ check, values, cell, answer })));
    if (scores.includes(undefined)) tellUnscored();
    const named = checks.flatMap((check, index): [string, Score][] => {
      const score = scores[index];
      return score ? [[check.id, score]] : [];
    });
    return { ...cell, head: headOf(run, cell), scores: Object.fromEntries(named) };
  }

  function tellUnscored(): void {
    if (isUnscoredTold) return;
    isUnscoredTold = true;
    desk.tell(
      'Could not load what checks answers with patterns and schemas. The answers are stored; they are checked when the trial is opened again.',
      'problem',
    );
  }

  /** The value that the deciding check looks at, where it looks at one. */
  function headOf(run: Run, cell: Cell): string {
    const field = decidingField();
    if (field === '') return cell.head;
    const text = answerText(run);
    const reading = parseExactNumbers(parseJsonReply(text, false, true)?.text ?? text);
    const value = reading.ok ? valueAt(reading.value, field) : undefined;
    if (value === undefined) return cell.head;
    return beginningOf(typeof value === 'string' ? value : writeExactJson(value));
  }

  function isStale(cell: Cell): boolean {
    const values = valuesOf(cell);
    return desk.trial().checks.some((check) => currentScore(check, cell, values, undefined) === undefined);
  }

  async function renewAll(): Promise<void> {
    const turn = (turns += 1);
    await recorder.flush();
    const field = decidingField();
    const stale = [...cells.values()].filter((cell) => field !== headField || isStale(cell));
    left = stale.length;
    let tooSlow = 0;
    for (let at = 0; at < stale.length; at += runsAtATime) {
      const slice = stale.slice(at, at + runsAtATime);
      const made = await Promise.all(
        slice.map(async (cell) => {
          const run = await readRun(cell.runId);
          return run && scored({ ...cell, head: beginningOf(answerText(run)) }, run);
        }),
      );
      if (turn !== turns) return;
      const done = made.filter((cell) => cell !== undefined);
      for (const cell of done) {
        // Asked again meanwhile: then it has its scores.
        if (cells.get(cellName(cell))?.runId === cell.runId) cells.set(cellName(cell), cell);
        if (Object.values(cell.scores).some(({ why }) => why?.startsWith('the pattern took over')))
          tooSlow += 1;
      }
      if (parts.storesCells()) storeBlocksOf(done);
      left = Math.max(0, stale.length - at - slice.length);
      desk.cellsChanged(done);
    }
    headField = field;
    if (tooSlow > 0)
      desk.tell(
        `The pattern took over 100 ms on ${pluralize(tooSlow, 'answer')}; ${tooSlow === 1 ? 'it counts' : 'they count'} as no answer.`,
      );
    desk.changed();
  }

  function storeBlocksOf(changed: readonly Cell[]): void {
    const trial = desk.trial();
    for (const write of cellBlocksWrites(trial, changed, cells, casePlaces(trial)))
      if ('put' in write && write.store === 'cells')
        put(`cells ${trial.id} ${write.put.block} ${write.put.columnId}`, write);
  }

  return {
    scored,
    renew: () => {
      renewAll().catch((error: unknown) =>
        desk.tell(`Scores could not be made again: ${formatError(error)}`, 'problem'),
      );
    },
    left: () => left,
    hasUnscored: () => {
      const checks = checksToScore();
      return [...cells.values()].some(
        ({ outcome, scores }) => outcome === 'answered' && checks.some(({ id }) => scores[id] === undefined),
      );
    },
    tryCheck: async (check, signal) => {
      const found = new Map<string, Score>();
      const all = [...cells.values()];
      for (let at = 0; at < all.length; at += runsAtATime) {
        signal?.throwIfAborted();
        const read = await Promise.all(
          all.slice(at, at + runsAtATime).map(async (cell) => ({ cell, run: await readRun(cell.runId) })),
        );
        const known = read.flatMap(({ cell, run }) => (run ? [{ cell, answer: answerOf(run) }] : []));
        const scores = await scorer.score(
          known.map(({ cell, answer }) => ({ check, values: valuesOf(cell), cell, answer })),
        );
        known.forEach(({ cell }, index) => {
          const score = scores[index];
          if (score) found.set(cellName(cell), score);
        });
      }
      return found;
    },
  };
}

/** The first letters of a text, whole ones. */
function beginningOf(text: string): string {
  return Array.from(text.slice(0, 2 * headLetters))
    .slice(0, headLetters)
    .join('');
}
