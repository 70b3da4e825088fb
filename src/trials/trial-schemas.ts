/**
 * Storage format of a trial: the trial record, blocks of cases and of cells, the heartbeat, and packed tapes of ended
 * cells. Stored data is untrusted and read only through these schemas.
 */
import * as v from 'valibot';

import { readTapeEntry } from '../conversation/files/tape-import.ts';
import type { Metric } from '../conversation/reply/metrics.ts';
import { messageSchema, setupSchema } from '../conversation/session/session-schemas.ts';
import type { RunId } from '../conversation/session/types.ts';
import { PARAMS } from '../conversation/setup/params.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { isRecord, getOwnProperty, parseJson, getStringProperty, type JsonObject } from '../lib/json.ts';
import type { UsageSum } from './trial-cost.ts';
import {
  checkKinds,
  noAnswerReasons,
  pauseReasons,
  type Case,
  type Cell,
  type CellKey,
  type Check,
  type Column,
  type ColumnId,
  type LiveCell,
  type Mark,
  type Trial,
  type TrialId,
} from './trial.ts';

/** Record of 64 cases, in the order in which they were added. */
export interface CaseBlock {
  trialId: TrialId;
  block: number;
  cases: Case[];
}

/** Record of the ended cells among 64 cases in one column and repeat. */
export interface CellBlock {
  trialId: TrialId;
  block: number;
  columnId: ColumnId;
  cells: Cell[];
}

/** Record `ID/alive` next to the trial: the time of the last write by its tab, and its runs in flight. */
export interface HeartbeatRecord {
  id: string;
  /** Epoch ms. */
  at: number;
  runs: (CellKey & { runId: RunId })[];
}

const casesPerBlock = 64;
/** Blocks of all repeats of the same cases are adjacent, so that adding repeats does not move any block. */
const maxBlockRepeats = 32;

/** Returns the block of a case from its index among all cases ever added. */
export function getCaseBlock(index: number): number {
  return Math.floor(index / casesPerBlock);
}

/** Returns the block of a cell; `repeat` counts from 1. */
export function getCellBlock(index: number, repeat: number): number {
  return getCaseBlock(index) * maxBlockRepeats + repeat - 1;
}

/** Returns the ID of a trial's heartbeat record. */
export function getHeartbeatId(trialId: TrialId): string {
  return `${trialId}/alive`;
}

export function buildCaseBlocks(trialId: TrialId, cases: readonly Case[]): CaseBlock[] {
  return Array.from({ length: Math.ceil(cases.length / casesPerBlock) }, (_, block) => ({
    trialId,
    block,
    cases: cases.slice(block * casesPerBlock, (block + 1) * casesPerBlock),
  }));
}

/** Groups cells into blocks. `getCaseIndex` returns the index of a case among all cases ever added. */
export function buildCellBlocks(
  trialId: TrialId,
  cells: readonly Cell[],
  getCaseIndex: (caseId: string) => number,
): CellBlock[] {
  const blocks = new Map<string, CellBlock>();
  for (const cell of cells) {
    const { columnId } = cell;
    const block = getCellBlock(getCaseIndex(cell.caseId), cell.repeat);
    const blockKey = `${block} ${columnId}`;
    const existingBlock = blocks.get(blockKey);
    if (existingBlock) existingBlock.cells.push(cell);
    else blocks.set(blockKey, { trialId, block, columnId, cells: [cell] });
  }
  return [...blocks.values()];
}

/** Packs a tape: the JSON of its entries, compressed as deflate-raw. */
export async function packTape(entries: readonly TapeEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([JSON.stringify(entries)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Unpacks the entries of a tape. Throws if the bytes do not form a packed tape. */
export async function unpackTape(packed: Uint8Array<ArrayBuffer>): Promise<TapeEntry[]> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  // Failed decompression is handled like unreadable content.
  const parsed = parseJson(await new Response(stream).text().catch(() => ''));
  const entries = parsed.ok && Array.isArray(parsed.value) ? parsed.value.map(readTapeEntry) : [undefined];
  if (!entries.every((entry) => entry !== undefined)) throw new Error('The packed tape cannot be read.');
  return entries;
}

const id = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.check((text) => !(text in Object.prototype), 'Not a valid ID'),
);
const ids = v.array(id);
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const duration = v.pipe(v.number(), v.finite());
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const jsonObject = v.custom<JsonObject>((value) => isRecord(value));
/** Valibot's record schema drops names such as `constructor`. */
const textMapSchema = v.custom<Record<string, string>>(
  (value) => isRecord(value) && Object.values(value).every((text) => typeof text === 'string'),
);
/** Accepts unknown kinds, which may come from a newer version. */
const report = v.custom<ErrorReport>((value) =>
  ['message', 'kind', 'source'].every((key) => getStringProperty(value, key) !== undefined),
);
const metricSchema = v.custom<Metric>((value) => {
  const kind = getStringProperty(value, 'kind');
  if (kind === 'exact' || kind === 'estimated') return typeof getOwnProperty(value, 'value') === 'number';
  return kind === 'not yet' || (kind === 'none' && getStringProperty(value, 'why') !== undefined);
});

const columnSchema: v.GenericSchema<unknown, Column> = v.object({
  id,
  setup: setupSchema,
  messages: v.exactOptional(v.array(messageSchema)),
  madeFrom: v.exactOptional(
    v.object({ param: v.picklist(PARAMS.map(({ name }) => name)), value: v.string() }),
  ),
  stopped: v.exactOptional(v.object({ at: time, report })),
  comparisons: v.exactOptional(count),
  savedAnswers: v.exactOptional(
    v.object({ title: v.string(), letter: v.string(), firstAt: time, lastAt: time, unmatchedCases: count }),
  ),
});

const checkSchema: v.GenericSchema<unknown, Check> = v.object({
  id,
  name: v.string(),
  kind: v.picklist(checkKinds),
  field: v.exactOptional(v.string()),
  expected: v.exactOptional(v.union([v.object({ text: v.string() }), v.object({ value: v.string() })])),
  settings: jsonObject,
});

const usageSumSchema: v.GenericSchema<unknown, UsageSum> = v.object({
  answers: count,
  estimatedAnswers: count,
  uncachedTokens: amount,
  cachedTokens: amount,
  textTokens: amount,
  reasoningTokens: amount,
  reportedAnswers: count,
  reportedUsd: amount,
});

const stateSchema = v.variant('name', [
  v.object({ name: v.literal('draft') }),
  v.object({ name: v.literal('running'), since: time }),
  v.object({
    name: v.literal('paused'),
    at: time,
    why: v.picklist(pauseReasons),
    report: v.exactOptional(report),
    nextCost: v.exactOptional(amount),
  }),
  v.object({ name: v.literal('stopped'), at: time, why: v.picklist(['person', 'decided']) }),
  v.object({ name: v.literal('finished'), at: time }),
]);

export const trialSchema: v.GenericSchema<unknown, Trial> = v.object({
  id,
  title: v.string(),
  titled: v.exactOptional(v.literal(true)),
  createdAt: time,
  updatedAt: time,
  messages: v.array(messageSchema),
  columns: v.array(columnSchema),
  retired: v.object({ columns: v.array(columnSchema), caseIds: ids }),
  fields: v.array(v.string()),
  groupField: v.exactOptional(v.string()),
  repeats: v.pipe(count, v.minValue(1), v.maxValue(maxBlockRepeats)),
  checks: v.array(checkSchema),
  decides: v.exactOptional(id),
  baseline: id,
  margin: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  seed: v.pipe(v.number(), v.safeInteger()),
  leavesOutTimeouts: v.exactOptional(v.literal(true)),
  reverseShare: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(0.5))),
  giveUpAfterMs: count,
  stopWhenDecided: v.boolean(),
  budget: v.exactOptional(v.object({ amount, currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)) })),
  discardedUsage: v.exactOptional(v.record(id, usageSumSchema)),
  batches: v.array(v.object({ caseIds: ids, addedAt: time, groups: v.exactOptional(v.array(count)) })),
  plan: v.exactOptional(
    v.object({
      rules: v.exactOptional(v.literal(2)),
      at: time,
      cases: count,
      repeats: count,
      columns: ids,
      decides: v.exactOptional(id),
      checkHash: v.exactOptional(v.string()),
      groupField: v.exactOptional(v.string()),
      leavesOutTimeouts: v.exactOptional(v.literal(true)),
      baseline: id,
      margin: v.number(),
    }),
  ),
  state: stateSchema,
  valuesChanged: v.exactOptional(ids),
  follows: v.exactOptional(
    v.object({
      trialId: id,
      why: v.picklist(['new version', 'confirm']),
      winner: v.exactOptional(id),
    }),
  ),
});

export const caseSchema: v.GenericSchema<unknown, Case> = v.object({
  id,
  values: textMapSchema,
  history: v.exactOptional(v.array(messageSchema)),
  line: v.exactOptional(count),
});

const cellKeyFields = {
  caseId: id,
  columnId: id,
  repeat: v.pipe(count, v.minValue(1), v.maxValue(maxBlockRepeats)),
};

export const cellSchema: v.GenericSchema<unknown, Cell> = v.object({
  ...cellKeyFields,
  runId: id,
  tries: count,
  outcome: v.picklist(['answered', 'no answer']),
  why: v.exactOptional(v.picklist(noAnswerReasons)),
  countedAt: v.exactOptional(count),
  head: v.string(),
  answerHash: v.string(),
  finishReason: v.exactOptional(v.string()),
  firstTokenMs: v.exactOptional(duration),
  totalMs: v.exactOptional(duration),
  tokensIn: v.exactOptional(metricSchema),
  tokensOut: v.exactOptional(metricSchema),
  cachedTokens: v.exactOptional(amount),
  isCachedExtra: v.exactOptional(v.literal(true)),
  reasoningTokens: v.exactOptional(amount),
  costUsd: v.exactOptional(amount),
  scores: v.record(
    id,
    v.object({
      of: v.string(),
      result: v.picklist(['passed', 'failed', 'no answer']),
      why: v.exactOptional(v.string()),
    }),
  ),
});

export const markSchema: v.GenericSchema<unknown, Mark> = v.object({
  trialId: id,
  key: v.object(cellKeyFields),
  mark: v.picklist(['right', 'wrong']),
  at: time,
});

const heartbeatSchema: v.GenericSchema<unknown, HeartbeatRecord> = v.object({
  id,
  at: time,
  runs: v.array(v.object({ ...cellKeyFields, runId: id })),
});

/** Parses a stored heartbeat; `undefined` if it is unreadable. */
export function readHeartbeat(raw: unknown): HeartbeatRecord | undefined {
  const result = v.safeParse(heartbeatSchema, raw);
  return result.success ? result.output : undefined;
}

/** Message between tabs about one trial; its records are validated in the same way as external data. */
export interface TrialTabMessage {
  trialId: TrialId;
  /** New title, set in a tab that does not have the trial open. */
  title?: string;
  trial?: Trial;
  cells?: Cell[];
  marks?: { name: string; mark?: Mark }[];
  live?: LiveCell[];
  /** Added or changed cases, sent before the trial that lists them. */
  cases?: Case[];
  /** Request to the tab that runs the trial to hand it over. */
  release?: true;
}

const liveSchema = v.object({
  caseId: v.string(),
  columnId: v.string(),
  repeat: v.number(),
  runId: v.string(),
  status: v.picklist(['in line', 'waiting', 'streaming']),
});

/** Parses a message from this version of Bench about a trial; invalid fields are omitted. */
export function parseTrialMessage(raw: unknown): TrialTabMessage | undefined {
  const trialId = getStringProperty(raw, 'trialId');
  if (trialId === undefined) return undefined;
  const title = getStringProperty(raw, 'title');
  const trial = v.safeParse(trialSchema, getOwnProperty(raw, 'trial'));
  const cases = v.safeParse(v.array(caseSchema), getOwnProperty(raw, 'cases'));
  const cells = v.safeParse(v.array(cellSchema), getOwnProperty(raw, 'cells'));
  const live = v.safeParse(v.array(liveSchema), getOwnProperty(raw, 'live'));
  const marks = v.safeParse(
    v.array(v.object({ name: v.string(), mark: v.exactOptional(markSchema) })),
    getOwnProperty(raw, 'marks'),
  );
  return {
    trialId,
    ...(title === undefined ? {} : { title }),
    ...(trial.success ? { trial: trial.output } : {}),
    ...(cases.success ? { cases: cases.output } : {}),
    ...(cells.success ? { cells: cells.output } : {}),
    ...(live.success ? { live: live.output } : {}),
    ...(marks.success ? { marks: marks.output } : {}),
    ...(getOwnProperty(raw, 'release') === true ? { release: true } : {}),
  };
}
