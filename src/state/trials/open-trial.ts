/** State and actions of an open trial. */
import type { StoreApi } from 'zustand/vanilla';

import type { Run, Setup } from '../../conversation/session/types.ts';
import type { ParamName } from '../../conversation/setup/params.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { Message } from '../../gateway/wire.ts';
import type { CaseProblems } from '../../trials/cases.ts';
import type { EndedCells } from '../../trials/ended-cells.ts';
import type { LatencyQuantile } from '../../trials/latency.ts';
import type { ResultTable } from '../../trials/result-table.ts';
import type { TimeLeft } from '../../trials/trial-pace.ts';
import type { RunBlocker, TrialPlan } from '../../trials/trial-plan.ts';
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
import type { Verdict, VerdictContext } from '../../trials/verdict.ts';

/**
 * Maps keep their identity while the trial is open and are changed in place. Select values inside them
 * (`state.cells.get(name)`), or select `changeCount` as well, which increases with every change.
 */
export interface OpenTrialState {
  trial: Trial;
  /** All cases by ID, including retired ones. */
  cases: ReadonlyMap<CaseId, Case>;
  /** Random order of the cases, without retired ones; the rows of all tables. */
  order: readonly CaseId[];
  /** Cells that have ended by `getCellId`, including those of retired cases and columns. */
  cells: ReadonlyMap<string, Cell>;
  /** Cells in progress in any tab, by `getCellId`. */
  liveCells: ReadonlyMap<string, LiveCell>;
  /** Marks by `getCellId`. */
  marks: ReadonlyMap<string, Mark>;
  changeCount: number;
  /**
   * Set until all answers have been read and counted. Until then, `cells` has only the first rows and new cells, and no
   * totals are shown.
   */
  loading: { name: 'reading' | 'counting'; answers: number } | undefined;
  /** Result of each check for each cell. Rows follow `order`, columns those of the trial. */
  tables: ReadonlyMap<CheckId, ResultTable>;
  /** Endings of the cells by column index; rows follow `order`. Empty until all cells are loaded. */
  endedByColumn: readonly EndedCells[];
  /** Undefined without a deciding check. */
  verdict: Verdict | undefined;
  /** The trial and settings that the verdict was computed with. */
  verdictContext: VerdictContext;
  /** Statistics in column order. */
  columnStats: readonly ColumnStats[];
  plan: TrialPlan;
  problems: CaseProblems;
  progress: Progress;
  timeLeft: TimeLeft;
  /** True if there are answers; prompts and cases already sent are then retired instead of changed. */
  hasAnswers: boolean;
  runnerStatus: RunnerStatus;
  pace: PaceStatus;
  /** Number of cells waiting to be re-scored. */
  rescoringCount: number;
  /** Notices, newest last, each shown until it is dismissed. */
  notices: readonly TrialNotice[];
}

export interface LiveCell extends CellKey {
  runId: string;
  status: 'in line' | 'waiting' | 'streaming';
}

/** Returns true if the request of the cell was sent, not only queued. */
export function isSent(cell: LiveCell | undefined): boolean {
  return cell !== undefined && cell.status !== 'in line';
}

export interface ColumnStats {
  /** Number of cells, without retired cases. */
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
  /** Duration relative to the baseline, computed case by case; absent for the baseline. */
  ratio?: { factor: number; interval: readonly [number, number] };
}

export interface Progress {
  /** Number of cases that the deciding check applies to; without one, of all cases. */
  cases: number;
  counted: number;
  /** Number of cells in columns that have not stopped. */
  cells: number;
  ended: number;
  /** Number of cells whose request was sent and has not ended. */
  inFlight: number;
  /** Number of cells that ended without an answer and can be retried. */
  missing: number;
}

/** `counting down`: this page resumes the trial at that time (epoch milliseconds). */
export type RunnerStatus =
  | { name: 'nobody' | 'here' | 'another tab' }
  | { name: 'counting down'; resumeAt: number };

export interface PaceStatus {
  /** Current requests per minute; 0 means no limit. */
  perMinute: number;
  /** True if slower than the limit because the gateway rejected requests. */
  isSlowed: boolean;
  /** Time in epoch milliseconds before which no request is sent. */
  blockedUntil: number;
  slots: number;
}

export interface TrialNotice {
  id: string;
  tone: 'note' | 'problem';
  text: string;
}

/** Fields that can be edited directly. */
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
  /** Cases that were omitted, because they equal a case of the trial that this one confirms. */
  duplicates: NewCase[];
  /** Limit that was exceeded; if set, no case was added. */
  reason?: string;
}

/** Run of a cell with its tape. */
export interface CellData {
  run: Run;
  tape: TapeEntry[];
}

export interface TrialFile {
  name: string;
  type: string;
  pieces: string[];
}

/** A verdict in sentences, for a file. */
export interface VerdictSummary {
  words: string[];
  method: string;
}

export interface OpenTrial {
  id: TrialId;
  state: StoreApi<OpenTrialState>;

  /** Changes fields of the trial. A seed has no effect once there is a plan, because the order is fixed then. */
  edit: (change: Partial<TrialFields>) => void;
  /** Sets the field that groups dependent cases; undefined treats cases as independent. */
  setGroup: (field: string | undefined) => void;
  /** Sets the deciding check; undefined yields no verdict. */
  setDecidingCheck: (check: CheckId | undefined) => void;
  /**
   * Sets the prompt of all columns without a custom one. Returns false if there are answers; use `createNextVersion`
   * then.
   */
  setMessages: (messages: Message[]) => boolean;
  /**
   * Sets the repeats per case. After an increase, counting restarts at the first case, and a finished trial continues
   * on Resume.
   */
  setRepeats: (repeats: number) => void;

  addCases: (cases: readonly NewCase[], fields?: readonly string[]) => Promise<AddCasesResult>;
  editCase: (caseId: CaseId, change: NewCase) => Promise<void>;
  /** Removes imported opaque fields from the messages of cases and from the prompts. */
  dropImportedFields: () => void;
  removeCases: (caseIds: readonly CaseId[]) => void;
  /** Adds a field to all cases, initially empty. */
  addField: (name: string) => void;

  /** Adds a column and returns its ID. */
  addColumn: (setup?: Setup) => ColumnId;
  duplicateColumn: (columnId: ColumnId) => ColumnId | undefined;
  removeColumn: (columnId: ColumnId) => void;
  /** Adds a copy of this column for each value and keeps the original. Returns the new IDs. */
  addValueColumns: (columnId: ColumnId, param: ParamName, values: readonly string[]) => ColumnId[];
  /**
   * Adds the lanes of the current or a stored session as columns. If the trial has no prompt, the session's last prompt
   * is used.
   */
  addLaneColumns: (sessionId?: string) => Promise<ColumnId[]>;
  setSetup: (columnId: ColumnId, setup: Setup) => void;
  /** Sets a custom prompt of the column; undefined restores the trial's prompt. */
  setColumnPrompt: (columnId: ColumnId, messages: Message[] | undefined) => void;
  /** Sets the system prompt of all columns. */
  setSystem: (system: string) => void;
  moveColumn: (columnId: ColumnId, index: number) => void;
  /** Restarts a stopped column after its cause was fixed. */
  restartColumn: (columnId: ColumnId) => void;

  /** Adds a check and returns its ID. The first check becomes the deciding one. */
  addCheck: (check: Omit<Check, 'id'>) => CheckId;
  editCheck: (check: Check) => void;
  removeCheck: (checkId: CheckId) => void;
  /** Returns the scores of a check for existing answers by `getCellId`, without storing or sending anything. */
  previewCheck: (check: Check, signal?: AbortSignal) => Promise<ReadonlyMap<string, Score>>;
  /** Sets or clears the mark of a cell. */
  setMark: (key: CellKey, mark: Mark['mark'] | undefined) => void;

  /**
   * Runs or resumes the trial, or continues a finished one. Returns what has to be corrected first, if anything.
   * Rejects if another tab runs it or the plan cannot be stored.
   */
  run: () => Promise<RunBlocker | undefined>;
  /** Pauses the trial. Requests in flight finish and count; no new ones are sent. */
  pause: () => Promise<void>;
  /** Stops the trial. Requests in flight are aborted and retried on Resume. */
  stop: () => Promise<void>;
  /** Retries all cells without an answer, or only these cells, and runs the trial like `run`. */
  retry: (keys?: readonly CellKey[]) => Promise<RunBlocker | undefined>;
  /** Takes the trial over from the tab that is running it. */
  takeOver: () => Promise<void>;

  /** Returns a cell in progress or ended; undefined if it was never run. */
  readCell: (key: CellKey) => Promise<CellData | undefined>;
  /**
   * Opens a new session with the case as its prompt. Its lanes are the baseline and up to five other columns: those in
   * `columnIds`, otherwise the first ones. `omittedColumns` lists columns that did not fit.
   */
  openAsLanes: (
    caseId: CaseId,
    columnIds?: readonly ColumnId[],
    repeat?: number,
  ) => Promise<{ sessionId: string; omittedColumns: ColumnId[] }>;
  exportCsv: (escapeFormulas?: boolean) => Promise<TrialFile>;
  /** `summarize` describes the verdict in the sentences that the file contains. */
  exportJsonLines: (
    summarize: (state: Pick<OpenTrialState, 'verdict' | 'verdictContext'>) => VerdictSummary,
    includeTapes?: boolean,
  ) => Promise<TrialFile>;
  /** Creates a draft with the same cases, columns and checks, and with another prompt if given. */
  createNextVersion: (messages?: Message[]) => Promise<TrialId>;
  /** Creates a draft with only the baseline and the winner, without cases. */
  createConfirmation: (winner: ColumnId) => Promise<TrialId>;

  dismissNotice: (noticeId: string) => void;
  /** Resolves when all changes are stored. */
  whenSaved: () => Promise<void>;
  /** Called when the trial is no longer visible. A running trial continues. */
  release: () => void;
}
