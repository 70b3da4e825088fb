/**
 * What a trial is: cases, columns, repeats and checks, and a cell for each answer. All of it is
 * plain data and can be stored as it is.
 */
import type { Metric } from '../conversation/reply/metrics.ts';
import type { RunId, Setup } from '../conversation/session/types.ts';
import type { ParamName } from '../conversation/setup/params.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import type { Message } from '../gateway/wire.ts';
import type { JsonObject } from '../lib/json.ts';

/** One space with the ids of sessions: the history lists both. */
export type TrialId = string;
/** A hash of what the case is sent with, 16 hexadecimal digits, `-2` for a second equal one. It never changes. */
export type CaseId = string;
export type ColumnId = string;
export type CheckId = string;

export interface Trial {
  id: TrialId;
  title: string;
  /** The title was typed by a person. */
  titled?: true;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Sent after the column's system prompt, with {{names}} of the cases; a column may have its own. */
  messages: Message[];
  /** In the order shown; letters go by position. */
  columns: Column[];
  /** Replaced or taken out after they had answers. */
  retired: { columns: Column[]; caseIds: CaseId[] };
  /** Names of the values, in the order of the file. */
  fields: string[];
  /** Cases with one value here are not independent. */
  groupField?: string;
  /** 1 to 20. */
  repeats: number;
  checks: Check[];
  /** Absent: nothing is decided. */
  decides?: CheckId;
  baseline: ColumnId;
  /** Points: what counts as about the same. */
  margin: number;
  seed: number;
  /** Milliseconds since the last byte (of a whole reply since the POST), after which there is no answer. */
  giveUpAfterMs: number;
  stopWhenDecided: boolean;
  /** Cases in the order they were added, all that there ever were; each batch is shuffled by itself and never again. */
  batches: { caseIds: CaseId[]; addedAt: number }[];
  /** What was fixed when Run was first pressed. */
  plan?: Plan;
  state: TrialState;
  /** Cases whose expected or other unsent values were changed after the first answer. */
  valuesChanged?: CaseId[];
  follows?: { trialId: TrialId; why: 'new version' | 'confirm'; winner?: ColumnId };
}

export interface Plan {
  at: number;
  cases: number;
  repeats: number;
  columns: ColumnId[];
  decides?: CheckId;
  baseline: ColumnId;
  margin: number;
}

export interface Column {
  id: ColumnId;
  setup: Setup;
  /** Instead of the trial's: another wording. */
  messages?: Message[];
  /** From a list of values of one parameter. */
  madeFrom?: { param: ParamName; value: string };
  stopped?: { at: number; report: ErrorReport };
}

export interface Case {
  id: CaseId;
  /** By name of the field. */
  values: Record<string, string>;
  /** Said before the trial's messages. */
  history?: Message[];
  /** Of the file that it came from. */
  line?: number;
}

export interface CellKey {
  caseId: CaseId;
  columnId: ColumnId;
  /** From 1. */
  repeat: number;
}

/** `settings` is read by a schema of the kind (checks/check-settings.ts). */
export interface Check {
  id: CheckId;
  name: string;
  kind: CheckKind;
  /** A path in the answer's JSON, such as `team` or `items[0].price`. */
  field?: string;
  expected?: Expected;
  settings: JsonObject;
}

/** A text, or the value of the case that has this name. */
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

/** What the grid needs of a cell; made from the run at its end, and again at any time. */
export interface Cell extends CellKey {
  runId: RunId;
  /** How many times it was asked. */
  tries: number;
  outcome: 'answered' | 'no answer';
  why?: NoAnswerReason;
  /** A running number: answered after its case had been counted without an answer here. */
  countedAt?: number;
  /** The first 120 characters, or the value that the deciding check looked at. */
  head: string;
  /** Of the whole answer: equal repeats are folded. */
  answerHash: string;
  finishReason?: string;
  firstTokenMs?: number;
  totalMs?: number;
  tokensIn?: Metric;
  tokensOut?: Metric;
  /** A cache: the run is the truth. */
  scores: Record<CheckId, Score>;
}

/** There is no fourth. */
export type Result = 'passed' | 'failed' | 'no answer';
export const noAnswerReasons = ['failed', 'cut', 'timed out', 'filtered'] as const;
export type NoAnswerReason = (typeof noAnswerReasons)[number];

/** What a check says of a cell. `of`: a hash of the check and of what it expected; another one is out of date. */
export interface Score {
  of: string;
  result: Result;
  why?: string;
}

/** A person's own. */
export interface Mark {
  trialId: TrialId;
  key: CellKey;
  mark: 'right' | 'wrong';
  /** Epoch milliseconds. */
  at: number;
}

/** State of a trial. Times are epoch milliseconds. */
export type TrialState =
  | { name: 'draft' }
  | { name: 'running'; since: number }
  | { name: 'paused'; at: number; why: PauseReason; report?: ErrorReport }
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

/** A key of the store of trials is that of a trial; others say what is alive of one. */
export function isTrialKey(key: string): boolean {
  return !key.includes('/');
}

/** The letter of a column by its place, A to L. */
export function getColumnLetter(index: number): string {
  return String.fromCharCode(65 + index);
}

/** The cases of a trial as it stands, without those that are retired. */
export function countCases({ batches, retired }: Pick<Trial, 'batches' | 'retired'>): number {
  return batches.reduce((sum, { caseIds }) => sum + caseIds.length, 0) - retired.caseIds.length;
}

/** The models of its columns, each once. */
export function getColumnModels({ columns }: Trial): string[] {
  return [...new Set(columns.map(({ setup }) => setup.model))];
}
