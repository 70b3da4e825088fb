/**
 * Data types of trials: cases, columns, repeats, checks, and a cell for each answer. All types are plain data and can
 * be stored directly.
 */
import type { RunId, Setup } from '../conversation/session/types.ts';
import type { ParamName } from '../conversation/setup/params.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import type { Message } from '../gateway/wire.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AnswerUsage, Budget, UsageSum } from './trial-cost.ts';

/** Shares its ID space with sessions, because the history lists both. */
export type TrialId = string;
/** Hash of the values sent for the case, 16 hexadecimal digits, with `-2` for a second equal case. Never changes. */
export type CaseId = string;
export type ColumnId = string;
export type CheckId = string;

export interface Trial {
  id: TrialId;
  title: string;
  /** Present if the user typed the title. */
  titled?: true;
  /** Epoch ms. */
  createdAt: number;
  updatedAt: number;
  /** Messages after the column's system prompt, with {{names}} of case values. A column may override them. */
  messages: Message[];
  /** Columns in display order; letters follow the position. */
  columns: Column[];
  /** Columns and cases that were replaced or removed after they had answers. */
  retired: { columns: Column[]; caseIds: CaseId[] };
  /** Names of the values, in the order of the file. */
  fields: string[];
  /** Field whose equal values mark cases as not independent. Fixed by the first run. */
  groupField?: string;
  /** Answers per case and column, 1 to 20. */
  repeats: number;
  checks: Check[];
  /** Deciding check; without it there is no verdict. */
  decides?: CheckId;
  baseline: ColumnId;
  /** Margin in points; smaller differences count as about the same. */
  margin: number;
  seed: number;
  /** True if an answer that timed out or was cut off is left out, instead of counting as failed. */
  leavesOutTimeouts?: true;
  /** Share of cases in which the baseline alone is expected to pass, for the plan; 0.05 if absent. */
  reverseShare?: number;
  /** Timeout in ms since the last byte, or since the POST if the reply is not streamed. */
  giveUpAfterMs: number;
  stopWhenDecided: boolean;
  /** Most money that the trial may cost; absent without a limit. */
  budget?: Budget;
  /** Tokens of requests that are not in a cell, by column: their answers were replaced or aborted. */
  discardedUsage?: Record<ColumnId, UsageSum>;
  /** All cases ever added, in order. Each batch is shuffled separately and only once. */
  batches: Batch[];
  /** Settings frozen by the first run. */
  plan?: Plan;
  state: TrialState;
  /** Cases whose expected or other unsent values were edited after the first answer. */
  valuesChanged?: CaseId[];
  follows?: { trialId: TrialId; why: 'new version' | 'confirm'; winner?: ColumnId };
}

/** Cases that were added together. */
export interface Batch {
  caseIds: CaseId[];
  addedAt: number;
  /** Number of each case's group within the batch; cases of a group are shuffled together. Absent without groups. */
  groups?: number[];
}

/**
 * Version of the rules by which a trial is run and counted. Version 2 shuffles groups as a whole, counts timeouts as
 * failed, looks once at the planned end and counts the setups tried.
 */
export type TrialRules = 1 | 2;

export interface Plan {
  /** Absent in trials that were started under version 1. */
  rules?: 2;
  at: number;
  cases: number;
  repeats: number;
  columns: ColumnId[];
  decides?: CheckId;
  /** Hash of the deciding check, without the expected values of the cases. */
  checkHash?: string;
  groupField?: string;
  leavesOutTimeouts?: true;
  baseline: ColumnId;
  margin: number;
}

export interface Column {
  id: ColumnId;
  setup: Setup;
  /** Messages that replace the trial's messages, to test a different wording. */
  messages?: Message[];
  /** Origin of a column created from a list of values of one parameter. */
  madeFrom?: { param: ParamName; value: string };
  stopped?: { at: number; report: ErrorReport };
  /**
   * Number of comparisons made on these cases when the column was added, its own included. Absent in columns of the
   * plan.
   */
  comparisons?: number;
  /** Origin of the answers of a column that were copied from another trial. Such a column never sends requests. */
  savedAnswers?: SavedAnswers;
}

export interface SavedAnswers {
  /** Title of the other trial, and the letter of the column there. */
  title: string;
  letter: string;
  /** Times at which the first and the last of these answers ended, in epoch ms. */
  firstAt: number;
  lastAt: number;
  /** Number of cases of the other trial that were not in this trial when the answers were copied. */
  unmatchedCases: number;
}

export interface Case {
  id: CaseId;
  /** Values by field name. */
  values: Record<string, string>;
  /** Messages sent before those of the trial. */
  history?: Message[];
  /** Line in the imported file. */
  line?: number;
}

export interface CellKey {
  caseId: CaseId;
  columnId: ColumnId;
  /** Counts from 1. */
  repeat: number;
}

/** A cell in progress. */
export interface LiveCell extends CellKey {
  runId: RunId;
  status: 'in line' | 'waiting' | 'streaming';
}

/** A check. `settings` is validated by a schema per kind (checks/check-settings.ts). */
export interface Check {
  id: CheckId;
  name: string;
  kind: CheckKind;
  /** Path in the answer's JSON, such as `team` or `items[0].price`. */
  field?: string;
  expected?: Expected;
  settings: JsonObject;
}

/** A fixed text, or the name of a case value. */
export type Expected = { text: string } | { value: string };

export const checkKinds = [
  'equals',
  'one of',
  'contains',
  'contains none',
  'matches',
  'matches none',
  'is JSON',
  'fits schema',
  'number within',
  'finish reason',
  'called tool',
  'length',
  'first token within',
  'whole answer within',
  'marks',
] as const;
export type CheckKind = (typeof checkKinds)[number];

/** A summary of a cell for the grid, built when its run ends; can be rebuilt at any time. */
export interface Cell extends CellKey, AnswerUsage {
  runId: RunId;
  /** Number of times the cell was run. */
  tries: number;
  outcome: 'answered' | 'no answer';
  why?: NoAnswerReason;
  /** Sequence number of an answer that arrived after its case had been counted without it. */
  countedAt?: number;
  /** First 120 characters of the answer, or the value used by the deciding check. */
  head: string;
  /** Hash of the whole answer, used to collapse equal repeats. */
  answerHash: string;
  finishReason?: string;
  firstTokenMs?: number;
  totalMs?: number;
  /** Cached scores, derived from the run. */
  scores: Record<CheckId, Score>;
}

export type Result = 'passed' | 'failed' | 'no answer';
/** `cut`: the gateway ended the answer early. `lost`: the connection was lost. */
export const noAnswerReasons = ['failed', 'cut', 'lost', 'timed out', 'filtered'] as const;
export type NoAnswerReason = (typeof noAnswerReasons)[number];

/**
 * Score of a cell for one check. `of` is a hash of the check and its expected text; a score with another hash is out of
 * date.
 */
export interface Score {
  of: string;
  result: Result;
  why?: string;
}

/** A mark set by the user. */
export interface Mark {
  trialId: TrialId;
  key: CellKey;
  mark: 'right' | 'wrong';
  /** Epoch ms. */
  at: number;
}

/** State of a trial. Times are epoch ms. */
export type TrialState =
  | { name: 'draft' }
  | { name: 'running'; since: number }
  | {
      name: 'paused';
      at: number;
      why: PauseReason;
      report?: ErrorReport;
      /** Estimated cost of the request that would have passed the budget. */
      nextCost?: number;
    }
  | { name: 'stopped'; at: number; why: 'person' | 'decided' }
  | { name: 'finished'; at: number };

export const pauseReasons = [
  'person',
  'closed',
  'refused',
  'key',
  'offline',
  'storage',
  'columns stopped',
  'baseline stopped',
  'budget',
] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** Limits of a trial. Each is shown before it is reached. */
export const trialLimits = {
  cases: 10_000,
  columns: 12,
  cells: 250_000,
  values: 64,
  caseBytes: 100_000,
  fileBytes: 50_000_000,
  checks: 40,
  repeats: 20,
};

/** Returns true for the key of a trial in the trial store; other keys belong to heartbeats. */
export function isTrialKey(key: string): boolean {
  return !key.includes('/');
}

/** Returns the rules that a trial is run and counted by. Trials that have not started follow the current ones. */
export function getTrialRules({ plan }: Pick<Trial, 'plan'>): TrialRules {
  return plan ? (plan.rules ?? 1) : 2;
}

/** Returns a value of the case; empty if there is no case or it has no such value. */
export function getCaseValue(testCase: Pick<Case, 'values'> | undefined, field: string): string {
  return testCase && Object.hasOwn(testCase.values, field) ? (testCase.values[field] ?? '') : '';
}

/** Returns the letter of a column by its index, A to L. */
export function getColumnLetter(index: number): string {
  return String.fromCharCode(65 + index);
}

/** Counts the cases of a trial without retired ones. */
export function countCases({ batches, retired }: Pick<Trial, 'batches' | 'retired'>): number {
  return batches.reduce((sum, { caseIds }) => sum + caseIds.length, 0) - retired.caseIds.length;
}

/** Returns true if the trial sends requests for the column: it has not stopped and has no copied answers. */
export function sendsRequests({ stopped, savedAnswers }: Pick<Column, 'stopped' | 'savedAnswers'>): boolean {
  return stopped === undefined && savedAnswers === undefined;
}

/** Returns the distinct models of the columns. */
export function getColumnModels({ columns }: Trial): string[] {
  return [...new Set(columns.map(({ setup }) => setup.model))];
}
