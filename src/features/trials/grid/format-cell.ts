/** What a cell of the grid shows and is called. */
import { pluralize } from '../../../lib/format.ts';
import { hasLeft, type OpenTrialState } from '../../../state/trials/open-trial.ts';
import { cellName } from '../../../trials/case-order.ts';
import { expectedOf } from '../../../trials/checks/score-answer.ts';
import {
  letterAt,
  type Case,
  type Cell,
  type Check,
  type Column,
  type NoAnswer,
  type Result,
} from '../../../trials/trial.ts';

export type CellLook = Result | 'unchecked' | 'running' | 'waiting' | 'stopped' | 'not loaded yet';

/** Equal answers of one cell, folded. */
export interface Fold {
  look: CellLook;
  text: string;
  count: number;
  /** In grey after it. */
  rest: string;
}

export interface CellFacts {
  look: CellLook;
  folds: Fold[];
  passed: number;
  answered: number;
  /** At the right: its time, or "3 of 5". */
  note: string;
  /** The whole of it as a name, after "Case 12, column A: ". */
  words: string;
}

const noAnswerWords: Record<NoAnswer, string> = {
  failed: 'failed',
  cut: 'cut off',
  'timed out': 'timed out',
  filtered: 'filtered',
};

/** Returns why a cell has no answer. A finish reason that means failure is the provider's own word. */
export function describeNoAnswer({ why, finishReason }: Pick<Cell, 'why' | 'finishReason'>): string {
  if (why === undefined) return '';
  return why === 'failed' && finishReason !== undefined ? 'the provider failed' : noAnswerWords[why];
}

/** Milliseconds as the grid has them: "0.54 s". */
export function secondsWords(ms: number | undefined): string {
  return ms === undefined ? '' : `${(ms / 1000).toFixed(2)} s`;
}

type CellState = Pick<OpenTrialState, 'cells' | 'live' | 'opening'> & {
  repeats: number;
  check: Check | undefined;
};

/** Everything about the cells of a case in a column, all repeats. */
export function cellFacts(
  { cells, live, opening, repeats, check }: CellState,
  own: Case | undefined,
  column: Column,
): CellFacts {
  const caseId = own?.id ?? '';
  const names = Array.from({ length: repeats }, (_, index) =>
    cellName({ caseId, columnId: column.id, repeat: index + 1 }),
  );
  const ended = names.flatMap((name) => cells.get(name) ?? []);
  const expected = check && own ? expectedOf(check, own.values)?.trim() : undefined;
  const looks = ended.map((cell) => lookOf(cell, check));
  const passed = looks.filter((look) => look === 'passed').length;
  const answered = looks.filter((look) => look !== 'no answer').length;
  // Of some repeats nothing is said: the others may be there in a moment.
  if (opening?.name === 'reading' && ended.length < repeats) return emptyFacts('not loaded yet');
  if (ended.length === 0) return openFacts(names, live, column);
  const folds = foldsOf(ended, looks, expected);
  const isWhole = repeats === 1;
  const first = ended[0];
  const look = isWhole ? (looks[0] ?? 'waiting') : foldedLook(looks);
  const note = isWhole ? secondsWords(first?.totalMs) : check ? `${passed} of ${answered}` : `${answered}`;
  const main = folds[0];
  const says = look === 'unchecked' ? 'answered' : look;
  const words = [
    says,
    ...(main && look !== 'no answer' ? [main.text] : []),
    ...(look === 'no answer' && main && main.rest !== '' ? [main.rest] : []),
    ...(look === 'failed' && expected !== undefined && expected !== ''
      ? [`expected ${clipped(expected)}`]
      : []),
    ...(isWhole ? [] : [`${passed} of ${answered} passed`]),
  ].join(', ');
  return { look, folds, passed, answered, note, words };
}

function openFacts(names: readonly string[], live: CellState['live'], { stopped }: Column): CellFacts {
  const isRunning = names.some((name) => hasLeft(live.get(name)));
  const look = isRunning ? 'running' : stopped ? 'stopped' : 'waiting';
  return emptyFacts(look);
}

function emptyFacts(look: CellLook): CellFacts {
  const words = look === 'stopped' ? 'not asked' : look;
  return { look, folds: [], passed: 0, answered: 0, note: '', words };
}

function lookOf(cell: Cell, check: Check | undefined): CellLook {
  if (cell.outcome === 'no answer') return 'no answer';
  if (!check) return 'unchecked';
  return cell.scores[check.id]?.result ?? 'unchecked';
}

/** Of several repeats: failed where one has. */
function foldedLook(looks: readonly CellLook[]): CellLook {
  return (
    (['failed', 'passed', 'unchecked', 'no answer'] as const).find((look) => looks.includes(look)) ??
    'waiting'
  );
}

function foldsOf(ended: readonly Cell[], looks: readonly CellLook[], expected: string | undefined): Fold[] {
  const folds = new Map<string, Fold>();
  for (const [index, cell] of ended.entries()) {
    const look = looks[index] ?? 'unchecked';
    const isMissing = cell.outcome === 'no answer';
    const text = isMissing ? 'no answer' : clipped(cell.head.trim()) || 'empty';
    const key = `${look} ${isMissing ? describeNoAnswer(cell) : text}`;
    const known = folds.get(key);
    if (known) known.count += 1;
    else folds.set(key, { look, text, count: 1, rest: restOf(cell, look, expected) });
  }
  return [...folds.values()].toSorted((one, other) => other.count - one.count);
}

function restOf(cell: Cell, look: CellLook, expected: string | undefined): string {
  if (cell.outcome === 'no answer') return describeNoAnswer(cell);
  return look === 'failed' && expected !== undefined && expected !== ''
    ? `expected ${clipped(expected)}`
    : '';
}

const mostLetters = 80;

/** The beginning of a text on one line: the browser lays out all of a text whose end it then cuts off. */
export function clipped(text: string, most = mostLetters): string {
  const beginning = text.slice(0, 4 * most);
  const line = beginning.replaceAll(/\s+/g, ' ');
  if (line.length <= most && beginning === text) return line;
  return `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** "Case 12, column A: passed, billing" */
export function cellLabel(number: number, column: number, { words }: Pick<CellFacts, 'words'>): string {
  return `Case ${number}, column ${letterAt(column)}: ${words}`;
}

/** "5 answers, 3 passed" */
export function answersWords({ passed, answered }: Pick<CellFacts, 'passed' | 'answered'>): string {
  return `${pluralize(answered, 'answer')}, ${passed} passed`;
}
