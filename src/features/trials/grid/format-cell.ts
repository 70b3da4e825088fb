/** Formats the content and accessible name of a grid cell. */
import { pluralize } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { isSent } from '../../../trials/cell.ts';
import { getCountedResult, getExpectedText, isExcluded } from '../../../trials/checks/score-answer.ts';
import {
  getColumnLetter,
  type Case,
  type Cell,
  type Check,
  type Column,
  type NoAnswerReason,
  type Result,
} from '../../../trials/trial.ts';

export type CellDisplayStatus =
  | Result
  | 'unchecked'
  | 'running'
  | 'waiting'
  | 'stopped'
  | 'absent'
  | 'not loaded yet';

/** Group of equal answers in a cell. */
export interface AnswerGroup {
  status: CellDisplayStatus;
  text: string;
  count: number;
  /** Grey text after the answer. */
  suffix: string;
}

export interface CellSummary {
  status: CellDisplayStatus;
  answerGroups: AnswerGroup[];
  passed: number;
  answered: number;
  /** Note on the right: the time or, for example, "3 of 5". */
  note: string;
  /** Accessible name after the prefix "Case 12, column A: ". */
  label: string;
}

const noAnswerLabels: Record<NoAnswerReason, string> = {
  failed: 'error',
  cut: 'incomplete',
  lost: 'connection lost',
  'timed out': 'timed out',
  filtered: 'filtered',
};

/** Returns why a cell has no answer; quotes the provider's finish reason if it means failure. */
export function describeNoAnswer({ why, finishReason }: Pick<Cell, 'why' | 'finishReason'>): string {
  if (why === undefined) return '';
  return why === 'failed' && finishReason !== undefined ? 'provider error' : noAnswerLabels[why];
}

/** Formats ms as seconds, such as "0.54 s". */
export function formatCellTime(ms: number | undefined): string {
  return ms === undefined ? '' : `${(ms / 1000).toFixed(2)} s`;
}

type CellState = Pick<OpenTrialState, 'trial' | 'cells' | 'liveCells' | 'loading'>;

/** Summarises the cells of a case in one column, across all repeats. */
export function summarizeCell(
  { trial, cells, liveCells, loading }: CellState,
  testCase: Case | undefined,
  column: Column,
): CellSummary {
  const { repeats, checks, decides } = trial;
  const check = checks.find(({ id }) => id === decides);
  const caseId = testCase?.id ?? '';
  const cellIds = Array.from({ length: repeats }, (_, index) =>
    getCellId({ caseId, columnId: column.id, repeat: index + 1 }),
  );
  const endedCells = cellIds.flatMap((name) => cells.get(name) ?? []);
  const expected = check && testCase ? getExpectedText(check, testCase.values)?.trim() : undefined;
  // A check decides nothing about a case without an expected value.
  const ownCheck = check && testCase && isExcluded(check, testCase.values) ? undefined : check;
  const statuses = endedCells.map((cell) => getDisplayStatus(cell, ownCheck));
  const passed = statuses.filter((cellStatus) => cellStatus === 'passed').length;
  const isCountedAsFailed = (cell: Cell): boolean =>
    ownCheck !== undefined && getCountedResult(trial, ownCheck, cell, undefined) === 'failed';
  const answered = endedCells.filter(
    (cell, index) => statuses[index] !== 'no answer' || isCountedAsFailed(cell),
  ).length;
  // Nothing is shown for part of the repeats as long as more repeats may load.
  if (loading?.name === 'reading' && endedCells.length < repeats) return createEmptySummary('not loaded yet');
  if (endedCells.length === 0) return createPendingSummary(cellIds, liveCells, column);
  const answerGroups = groupAnswers(endedCells, statuses, (cell, cellStatus) =>
    isCountedAsFailed(cell)
      ? `${describeNoAnswer(cell)}, counts as failed`
      : getSuffix(cell, cellStatus, expected),
  );
  const isSingleRepeat = repeats === 1;
  const first = endedCells[0];
  const status = isSingleRepeat ? (statuses[0] ?? 'waiting') : getGroupStatus(statuses);
  const note = isSingleRepeat
    ? formatCellTime(first?.totalMs)
    : ownCheck
      ? `${passed} of ${answered}`
      : `${answered}`;
  const mainGroup = answerGroups[0];
  const statusText = status === 'unchecked' ? 'answered' : status;
  const label = [
    statusText,
    ...(mainGroup && status !== 'no answer' ? [mainGroup.text] : []),
    ...(status === 'no answer' && mainGroup && mainGroup.suffix !== '' ? [mainGroup.suffix] : []),
    ...(status === 'failed' && expected !== undefined && expected !== ''
      ? [`expected ${truncate(expected)}`]
      : []),
    ...(isSingleRepeat ? [] : [`${passed} of ${answered} passed`]),
  ].join(', ');
  return { status, answerGroups, passed, answered, note, label };
}

function createPendingSummary(
  cellIds: readonly string[],
  liveCells: CellState['liveCells'],
  { stopped, savedAnswers }: Column,
): CellSummary {
  if (savedAnswers) return createEmptySummary('absent');
  const isRunning = cellIds.some((name) => isSent(liveCells.get(name)));
  const status = isRunning ? 'running' : stopped ? 'stopped' : 'waiting';
  return createEmptySummary(status);
}

const emptyLabels: Partial<Record<CellDisplayStatus, string>> = {
  stopped: 'not run',
  absent: 'no copied answer',
};

function createEmptySummary(cellStatus: CellDisplayStatus): CellSummary {
  const label = emptyLabels[cellStatus] ?? cellStatus;
  return { status: cellStatus, answerGroups: [], passed: 0, answered: 0, note: '', label };
}

function getDisplayStatus(cell: Cell, check: Check | undefined): CellDisplayStatus {
  if (cell.outcome === 'no answer') return 'no answer';
  if (!check) return 'unchecked';
  return cell.scores[check.id]?.result ?? 'unchecked';
}

/** Returns the status of several repeats: failed if one has failed. */
function getGroupStatus(statuses: readonly CellDisplayStatus[]): CellDisplayStatus {
  return (
    (['failed', 'passed', 'unchecked', 'no answer'] as const).find((cellStatus) =>
      statuses.includes(cellStatus),
    ) ?? 'waiting'
  );
}

function groupAnswers(
  endedCells: readonly Cell[],
  statuses: readonly CellDisplayStatus[],
  formatSuffix: (cell: Cell, status: CellDisplayStatus) => string,
): AnswerGroup[] {
  const groups = new Map<string, AnswerGroup>();
  for (const [index, cell] of endedCells.entries()) {
    const status = statuses[index] ?? 'unchecked';
    const hasNoAnswer = cell.outcome === 'no answer';
    const text = hasNoAnswer ? 'no answer' : truncate(cell.head.trim()) || 'empty';
    const key = `${status} ${hasNoAnswer ? describeNoAnswer(cell) : text}`;
    const existingGroup = groups.get(key);
    if (existingGroup) existingGroup.count += 1;
    else groups.set(key, { status, text, count: 1, suffix: formatSuffix(cell, status) });
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
}

function getSuffix(cell: Cell, cellStatus: CellDisplayStatus, expected: string | undefined): string {
  if (cell.outcome === 'no answer') return describeNoAnswer(cell);
  return cellStatus === 'failed' && expected !== undefined && expected !== ''
    ? `expected ${truncate(expected)}`
    : '';
}

const maxTextChars = 80;

/** Returns the beginning of a text on one line. Browsers lay out a text completely even if they then truncate it. */
export function truncate(text: string, maxChars = maxTextChars): string {
  const beginning = text.slice(0, 4 * maxChars);
  const line = beginning.replaceAll(/\s+/g, ' ');
  if (line.length <= maxChars && beginning === text) return line;
  return `${line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Formats the accessible name of a cell, such as "Case 12, column A: passed, billing". */
export function formatCellLabel(
  number: number,
  columnIndex: number,
  { label }: Pick<CellSummary, 'label'>,
): string {
  return `Case ${number}, column ${getColumnLetter(columnIndex)}: ${label}`;
}

/** Formats the number of answers, such as "5 answers, 3 passed". */
export function formatAnswerCount({ passed, answered }: Pick<CellSummary, 'passed' | 'answered'>): string {
  return `${pluralize(answered, 'answer')}, ${passed} passed`;
}
