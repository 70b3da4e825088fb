/** A trial that is open on this page: what its views show, and all that can be done in it. */
import type { StoreApi } from 'zustand/vanilla';

import type { Run, Setup } from '../../conversation/session/types.ts';
import type { ParamName } from '../../conversation/setup/params.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { Message } from '../../gateway/wire.ts';
import type { CaseProblems } from '../../trials/cases.ts';
import type { ColumnName, VerdictText } from '../../trials/describe-verdict.ts';
import type { EndedCells } from '../../trials/ended-cells.ts';
import type { LatencyQuantile } from '../../trials/latency.ts';
import type { ResultTable } from '../../trials/result-table.ts';
import type { TimeLeft } from '../../trials/trial-pace.ts';
import type { TrialPlan } from '../../trials/trial-plan.ts';
import type {
  Case,
  CaseId,
  Cell,
  CellKey,
  Check,
  CheckId,
  ColumnId,
  Mark,
  Score,
  Trial,
  TrialId,
} from '../../trials/trial.ts';
import type { Verdict } from '../../trials/verdict.ts';

/**
 * Maps are the same objects for as long as the trial is open and change in place: select what is inside of them
 * (`state.cells.get(name)`), or select `changeCount` with them, which counts up whenever one has changed.
 */
export interface OpenTrialState {
  trial: Trial;
  /** All that there ever were, retired ones too, by their ids. */
  cases: ReadonlyMap<CaseId, Case>;
  /** The drawn order, without retired ones: the rows of all tables. */
  order: readonly CaseId[];
  /** Cells that have ended, those of retired cases and columns too, by `getCellId`. */
  cells: ReadonlyMap<string, Cell>;
  /** Cells that are under way, here or in another tab, by `getCellId`. */
  liveCells: ReadonlyMap<string, LiveCell>;
  /** By `getCellId`. */
  marks: ReadonlyMap<string, Mark>;
  changeCount: number;
  /**
   * Not all answers have been read, or not all are counted: `cells` are those of the first rows and what has come since,
   * and nothing that is counted is said.
   */
  loading: { name: 'reading' | 'counting'; answers: number } | undefined;
  /** What each check says of each cell; rows are `order`, columns those of the trial. */
  tables: ReadonlyMap<CheckId, ResultTable>;
  /** How each cell ended, by place of the column; rows are `order`. Not of a part: empty while it opens. */
  endedByColumn: readonly EndedCells[];
  /** Undefined where no check decides. */
  verdict: Verdict | undefined;
  verdictText: VerdictText;
  columnNames: readonly ColumnName[];
  /** In their order. */
  columnStats: readonly ColumnStats[];
  plan: TrialPlan;
  problems: CaseProblems;
  progress: Progress;
  timeLeft: TimeLeft;
  /** Something has been answered: what was sent is not changed any more, but retired. */
  hasAnswers: boolean;
  runnerStatus: RunnerStatus;
  pace: PaceStatus;
  /** Scores are being made again: so many are still of an earlier check. */
  rescoringCount: number;
  /** Said once, newest last, each until it is dismissed. */
  notices: readonly TrialNotice[];
}

export interface LiveCell extends CellKey {
  runId: string;
  status: 'in line' | 'waiting' | 'streaming';
}

/** Its request has left: it does not stand in line for its turn. */
export function isSent(cell: LiveCell | undefined): boolean {
  return cell !== undefined && cell.status !== 'in line';
}

export interface ColumnStats {
  /** Of all cells of cases that are not retired. */
  cells: number;
  answered: number;
  missing: number;
  firstToken: LatencyStats;
  total: LatencyStats;
}

export interface LatencyStats {
  median: LatencyQuantile;
  p90: LatencyQuantile;
  p95: LatencyQuantile;
  /** How many times as long as the baseline, case by case; not of the baseline. */
  ratio?: { factor: number; interval: readonly [number, number] };
}

export interface Progress {
  /** For the check that decides, or of all where none does. */
  cases: number;
  counted: number;
  /** Of columns that have not stopped. */
  cells: number;
  ended: number;
  /** Their requests have left. */
  inFlight: number;
  /** Ended without an answer: "Ask the 7 missing again". */
  missing: number;
}

/** `counting down`: this page goes on at that time, in epoch milliseconds. */
export type RunnerStatus =
  | { name: 'nobody' | 'here' | 'another tab' }
  | { name: 'counting down'; resumeAt: number };

export interface PaceStatus {
  /** Requests per minute now; 0: no limit. */
  perMinute: number;
  /** Slower than the limit, since the gateway has refused. */
  isSlowed: boolean;
  /** Nothing leaves before then, in epoch milliseconds. */
  blockedUntil: number;
  slots: number;
}

export interface TrialNotice {
  id: string;
  tone: 'note' | 'problem';
  text: string;
}

/** What is edited by a field alone. */
export type TrialFields = Pick<
  Trial,
  'title' | 'margin' | 'baseline' | 'seed' | 'giveUpAfterMs' | 'stopWhenDecided'
>;

export interface NewCase {
  values: Record<string, string>;
  history?: Message[];
  line?: number;
}

export interface AddCasesResult {
  added: number;
  /** Equal to a case of the trial that this one confirms, and left out. */
  duplicates: NewCase[];
  /** Beyond a limit; then nothing was added. */
  reason?: string;
}

/** A cell with all that was asked and came. */
export interface CellData {
  run: Run;
  tape: TapeEntry[];
}

export interface TrialFile {
  name: string;
  type: string;
  pieces: string[];
}

export interface OpenTrial {
  id: TrialId;
  state: StoreApi<OpenTrialState>;

  /** A seed changes nothing once there is a plan: the order was drawn. */
  edit: (change: Partial<TrialFields>) => void;
  /** Undefined: cases are independent. */
  setGroup: (field: string | undefined) => void;
  /** Undefined: nothing is decided. */
  setDecidingCheck: (check: CheckId | undefined) => void;
  /** The words of all columns that have none of their own. Refused (false) where there are answers: see `createNextVersion`. */
  setMessages: (messages: Message[]) => boolean;
  /** More repeats begin to count again from the first case; a finished trial goes on when it is resumed. */
  setRepeats: (repeats: number) => void;

  addCases: (cases: readonly NewCase[], fields?: readonly string[]) => Promise<AddCasesResult>;
  editCase: (caseId: CaseId, change: NewCase) => Promise<void>;
  /** Removes the opaque fields that came with a file from the histories of the cases and from the prompts. */
  dropImportedFields: () => void;
  removeCases: (caseIds: readonly CaseId[]) => void;
  /** One value in all cases, empty where nothing is given. */
  addField: (name: string) => void;

  /** The ids of what is new. */
  addColumn: (setup?: Setup) => ColumnId;
  duplicateColumn: (columnId: ColumnId) => ColumnId | undefined;
  removeColumn: (columnId: ColumnId) => void;
  /** A column for each value, made from this one, which stays. */
  addValueColumns: (columnId: ColumnId, param: ParamName, values: readonly string[]) => ColumnId[];
  /** Of the lanes of the session on screen, or of a stored one; the words of its last prompt where the trial has none. */
  addLaneColumns: (sessionId?: string) => Promise<ColumnId[]>;
  setSetup: (columnId: ColumnId, setup: Setup) => void;
  /** Undefined: the trial's. */
  setColumnPrompt: (columnId: ColumnId, messages: Message[] | undefined) => void;
  /** The system prompt of all columns. */
  setSystem: (system: string) => void;
  moveColumn: (columnId: ColumnId, index: number) => void;
  /** What has stopped a column is thought to be mended. */
  restartColumn: (columnId: ColumnId) => void;

  /** The first one decides. */
  addCheck: (check: Omit<Check, 'id'>) => CheckId;
  editCheck: (check: Check) => void;
  removeCheck: (checkId: CheckId) => void;
  /** What a check would say of the answers that are there, by `getCellId`, without sending or storing. */
  previewCheck: (check: Check, signal?: AbortSignal) => Promise<ReadonlyMap<string, Score>>;
  /** Undefined takes the mark off. */
  setMark: (key: CellKey, mark: Mark['mark'] | undefined) => void;

  /** Run, Resume, or more of a finished trial. Rejects with a sentence where it cannot. */
  run: () => Promise<void>;
  /** What is under way ends and counts; nothing new leaves. */
  pause: () => Promise<void>;
  /** What is under way is aborted, and asked again when the trial goes on. */
  stop: () => Promise<void>;
  /** Asks again what has ended without an answer, or these cells only. */
  retry: (keys?: readonly CellKey[]) => Promise<void>;
  /** The tab that asks lets go, and this one goes on. */
  takeOver: () => Promise<void>;

  /** Also of a cell that is under way; undefined where it was never asked. */
  readCell: (key: CellKey) => Promise<CellData | undefined>;
  /**
   * A new session with the case as its prompt: its lanes are the baseline and up to five columns, those given or the
   * first. `omittedColumns` are the columns that had no room.
   */
  openAsLanes: (
    caseId: CaseId,
    columnIds?: readonly ColumnId[],
    repeat?: number,
  ) => Promise<{ sessionId: string; omittedColumns: ColumnId[] }>;
  exportCsv: (escapeFormulas?: boolean) => Promise<TrialFile>;
  exportJsonLines: (includeTapes?: boolean) => Promise<TrialFile>;
  /** A draft with the same cases, columns and checks, and other words if given. */
  createNextVersion: (messages?: Message[]) => Promise<TrialId>;
  /** A draft with the baseline and the winner only, empty of cases. */
  createConfirmation: (winner: ColumnId) => Promise<TrialId>;

  dismissNotice: (noticeId: string) => void;
  /** Resolves when all that was done is stored. */
  whenSaved: () => Promise<void>;
  /** It is no longer on screen. It goes on if it runs. */
  release: () => void;
}
