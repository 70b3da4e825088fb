/** Storage of trials: reads and validates their records, writes them in blocks and removes them. */
import * as v from 'valibot';

import { foldInterruptedTape } from '../../../conversation/reply/fold-tape.ts';
import { interruptRun, isLive, resetRun } from '../../../conversation/reply/run.ts';
import { runSchema } from '../../../conversation/session/session-schemas.ts';
import type { Run, RunId } from '../../../conversation/session/types.ts';
import { isUsageRefused } from '../../../conversation/setup/refused-fields.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { isRecord, getOwnProperty, getStringProperty } from '../../../lib/json.ts';
import type { CellRun, RecordStore, Write } from '../../../storage/record-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { buildCell } from '../../../trials/cell.ts';
import {
  getHeartbeatId,
  getCaseBlock,
  buildCaseBlocks,
  caseSchema,
  getCellBlock,
  buildCellBlocks,
  cellSchema,
  markSchema,
  packTape,
  readHeartbeat,
  trialSchema,
  type HeartbeatRecord,
} from '../../../trials/trial-schemas.ts';
import {
  isTrialKey,
  type Case,
  type CaseId,
  type Cell,
  type ColumnId,
  type Mark,
  type Trial,
  type TrialId,
} from '../../../trials/trial.ts';

/** Records of a trial in memory, without its runs. */
export interface TrialData {
  trial: Trial;
  cases: ReadonlyMap<CaseId, Case>;
  /** Cells by `getCellId`. */
  cells: ReadonlyMap<string, Cell>;
  marks: ReadonlyMap<string, Mark>;
}

export interface StoredTrial extends TrialData {
  cases: Map<CaseId, Case>;
  cells: Map<string, Cell>;
  marks: Map<string, Mark>;
  heartbeat: HeartbeatRecord | undefined;
}

const scanBatchSize = 50;

/** Returns every trial that can be read. */
export async function readTrials(records: RecordStore): Promise<Trial[]> {
  const trials: Trial[] = [];
  let cursor: string | undefined;
  for (;;) {
    const slice = await records.scan('trials', scanBatchSize, cursor);
    trials.push(...slice.flatMap((raw) => readTrial(raw) ?? []));
    cursor = getStringProperty(slice.at(-1), 'id');
    if (slice.length < scanBatchSize || cursor === undefined) return trials;
  }
}

function readTrial(raw: unknown): Trial | undefined {
  if (!isTrialKey(getStringProperty(raw, 'id') ?? '/')) return undefined;
  const parsed = v.safeParse(trialSchema, raw);
  return parsed.success ? parsed.output : undefined;
}

/** A trial whose cells are loaded in steps. */
export interface IncrementalTrial {
  /** Loaded so far; includes at least the cells of the first rows. */
  stored: StoredTrial;
  /**
   * Loads more cells into `stored` and returns them; undefined once all are loaded. Existing cells are not overwritten.
   */
  loadMore: () => Promise<readonly Cell[] | undefined>;
  /** Returns true once all cells are loaded. */
  isComplete: () => boolean;
}

/** Number of records per database request. */
const fetchBatchSize = 16;
/** Number of cell blocks parsed per step, so that the page stays responsive. */
const readBatchSize = 4;
/** Maximum number of cell blocks read before a trial is shown. */
const initialBlockCount = 32;

/**
 * Starts reading a trial; small trials are complete afterwards. Returns undefined if it is not stored. Rejects if its
 * own record is damaged; damaged cases and cells are skipped.
 */
export async function openIncrementalTrial(
  records: RecordStore,
  id: TrialId,
): Promise<IncrementalTrial | undefined> {
  const raw = await records.readRecord('trials', id);
  if (raw === undefined) return undefined;
  const trial = readTrial(raw);
  if (!trial) throw new Error('The stored trial is damaged.');
  const cells = new Map<string, Cell>();
  let fetchedBlocks: unknown[] = [];
  /** Prefetched records; undefined once there are no more. */
  let nextFetch: Promise<unknown[]> | undefined = fetchAfter(undefined, initialBlockCount);

  function fetchAfter(cursor: unknown, max: number): Promise<unknown[]> {
    const blocks = records.listByTrial('cells', id, { limit: max, after: cursor });
    // The error is handled where the result is awaited.
    blocks.catch(() => undefined);
    return blocks;
  }

  async function fetchMore(requestedCount: number): Promise<void> {
    fetchedBlocks = (await nextFetch) ?? [];
    nextFetch =
      fetchedBlocks.length < requestedCount ? undefined : fetchAfter(fetchedBlocks.at(-1), fetchBatchSize);
  }

  function readBlocks(count: number): Cell[] {
    const blocks = fetchedBlocks.splice(0, count);
    const newCells = parseBlocks(blocks, 'cells', cellSchema).filter((cell) => !cells.has(getCellId(cell)));
    for (const cell of newCells) cells.set(getCellId(cell), cell);
    return newCells;
  }

  const [cases, marks, rawHeartbeat] = await Promise.all([
    readCases(records, id),
    records.listByTrial('marks', id),
    records.readRecord('trials', getHeartbeatId(id)),
    fetchMore(initialBlockCount),
  ]);
  readBlocks(initialBlockCount);
  const isComplete = (): boolean => fetchedBlocks.length === 0 && nextFetch === undefined;
  return {
    stored: {
      trial,
      cases,
      cells,
      marks: new Map(parseAll(marks, markSchema).map((mark) => [getCellId(mark.key), mark])),
      heartbeat: readHeartbeat(rawHeartbeat),
    },
    loadMore: async () => {
      if (isComplete()) return undefined;
      if (fetchedBlocks.length === 0) await fetchMore(fetchBatchSize);
      return readBlocks(readBatchSize);
    },
    isComplete,
  };
}

async function readCases(records: RecordStore, id: TrialId): Promise<Map<CaseId, Case>> {
  const cases = new Map<CaseId, Case>();
  let cursor: unknown;
  for (;;) {
    const blocks = await records.listByTrial('cases', id, { limit: fetchBatchSize, after: cursor });
    for (const testCase of parseBlocks(blocks, 'cases', caseSchema)) cases.set(testCase.id, testCase);
    if (blocks.length < fetchBatchSize) return cases;
    cursor = blocks.at(-1);
  }
}

/** Reads a complete trial (see `openIncrementalTrial`). */
export async function readStoredTrial(records: RecordStore, id: TrialId): Promise<StoredTrial | undefined> {
  const incrementalTrial = await openIncrementalTrial(records, id);
  if (!incrementalTrial) return undefined;
  while (!incrementalTrial.isComplete()) await incrementalTrial.loadMore();
  return incrementalTrial.stored;
}

/** Returns the cells from the first stored blocks of a trial, including some from each column. */
export async function readFirstCells(records: RecordStore, id: TrialId): Promise<Cell[]> {
  return parseBlocks(await records.listByTrial('cells', id, { limit: fetchBatchSize }), 'cells', cellSchema);
}

function parseBlocks<T>(blocks: readonly unknown[], field: string, schema: v.GenericSchema<unknown, T>): T[] {
  return blocks.flatMap((block) => {
    const list = getOwnProperty(block, field);
    return Array.isArray(list) ? parseAll(list, schema) : [];
  });
}

function parseAll<T>(records: readonly unknown[], schema: v.GenericSchema<unknown, T>): T[] {
  return records.flatMap((raw) => {
    const parsed = v.safeParse(schema, raw);
    return parsed.success ? [parsed.output] : [];
  });
}

/** Returns the record of a cell's run, with a reference to the column instead of a setup. */
export function toStoredCellRun(run: Run, columnId: ColumnId): CellRun {
  return { ...run, setup: { of: columnId } };
}

/** Run of a cell with its tape. */
export interface CellData {
  run: Run;
  tape: TapeEntry[];
}

/** Reads the run of a cell with the setup of its column; undefined if it cannot be read. */
export async function readTrialRun(
  records: Pick<RecordStore, 'readRecord'>,
  trial: Pick<Trial, 'columns' | 'retired'>,
  runId: RunId,
): Promise<Run | undefined> {
  return readCellRun(await records.readRecord('runs', runId), trial);
}

/** The stores from which answers are read. */
export interface AnswerSource {
  records: RecordStore;
  readTape: (runId: RunId) => Promise<TapeEntry[]>;
}

/** Reads a cell that has ended, without its tape if it is not needed. */
export async function readAnswer(
  { records, readTape }: AnswerSource,
  trial: Trial,
  { runId }: Cell,
  includesTape = true,
): Promise<CellData | undefined> {
  const [run, tape] = await Promise.all([
    readTrialRun(records, trial, runId),
    // A missing or unreadable tape must not hide the answer.
    includesTape ? readTape(runId).catch(() => []) : [],
  ]);
  return run && { run, tape };
}

/** Returns a stored run with the setup of its column; undefined if it cannot be read. */
export function readCellRun(raw: unknown, trial: Pick<Trial, 'columns' | 'retired'>): Run | undefined {
  if (!isRecord(raw)) return undefined;
  const columnId = getStringProperty(raw['setup'], 'of');
  const column = [...trial.columns, ...trial.retired.columns].find(({ id }) => id === columnId);
  const parsed = v.safeParse(runSchema, column ? { ...raw, setup: column.setup } : raw);
  return parsed.success ? parsed.output : undefined;
}

/** Returns the index of each case among all cases ever added, which determines its block. */
export function getCaseIndexes({ batches }: Pick<Trial, 'batches'>): Map<CaseId, number> {
  return new Map(batches.flatMap(({ caseIds }) => caseIds).map((id, index) => [id, index]));
}

/** Returns the cases in the order of their blocks. */
export function sortCases(trial: Pick<Trial, 'batches'>, cases: ReadonlyMap<CaseId, Case>): Case[] {
  return trial.batches.flatMap(({ caseIds }) => caseIds.flatMap((id) => cases.get(id) ?? []));
}

/** Returns writes for all cases after some were added, removed or moved. */
export function buildAllCaseWrites(trial: Trial, cases: ReadonlyMap<CaseId, Case>): Write[] {
  return [
    { store: 'cases', remove: trial.id },
    ...buildCaseBlocks(trial.id, sortCases(trial, cases)).map((put): Write => ({ store: 'cases', put })),
  ];
}

/** Returns the write for the block of a case whose values have changed. */
export function buildCaseBlockWrite(
  trial: Trial,
  cases: ReadonlyMap<CaseId, Case>,
  caseId: CaseId,
): Write | undefined {
  const caseIndex = getCaseIndexes(trial).get(caseId);
  if (caseIndex === undefined) return undefined;
  const put = buildCaseBlocks(trial.id, sortCases(trial, cases))[getCaseBlock(caseIndex)];
  return put && { store: 'cases', put };
}

/** Returns writes for all cells after their cases have moved. */
export function buildAllCellWrites(trial: Trial, cells: ReadonlyMap<string, Cell>): Write[] {
  const caseIndexes = getCaseIndexes(trial);
  const listedCells = [...cells.values()].filter(({ caseId }) => caseIndexes.has(caseId));
  return [
    { store: 'cells', remove: trial.id },
    ...buildCellBlocks(trial.id, listedCells, (id) => caseIndexes.get(id) ?? 0).map((put): Write => ({
      store: 'cells',
      put,
    })),
  ];
}

/** Returns writes for the blocks that contain these cells, each with all of its cells. */
export function buildCellBlockWrites(
  trial: Trial,
  changedCells: readonly Cell[],
  cells: ReadonlyMap<string, Cell>,
  caseIndexes: ReadonlyMap<CaseId, number>,
): Write[] {
  const getCaseIndex = (caseId: CaseId): number => caseIndexes.get(caseId) ?? 0;
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  const blocks = new Map<string, Write>();
  for (const { caseId, columnId, repeat } of changedCells) {
    const block = getCellBlock(getCaseIndex(caseId), repeat);
    const blockKey = `${block} ${columnId}`;
    if (blocks.has(blockKey) || !caseIndexes.has(caseId)) continue;
    const firstIndex = getCaseBlock(getCaseIndex(caseId)) * casesPerBlock;
    const blockCells = ids
      .slice(firstIndex, firstIndex + casesPerBlock)
      .flatMap((id) => cells.get(getCellId({ caseId: id, columnId, repeat })) ?? []);
    blocks.set(blockKey, { store: 'cells', put: { trialId: trial.id, block, columnId, cells: blockCells } });
  }
  return [...blocks.values()];
}

const casesPerBlock = 64;

/** Returns writes that remove all records of a trial, including runs and tapes. */
export async function buildTrialRemovals(records: RecordStore, id: TrialId): Promise<Write[]> {
  const runIds: RunId[] = await records.listRunIds(id);
  return [
    { store: 'trials', remove: id },
    { store: 'trials', remove: getHeartbeatId(id) },
    ...(['cases', 'cells', 'marks'] as const).map((store): Write => ({ store, remove: id })),
    ...runIds.flatMap((remove): Write[] => [
      { store: 'runs', remove },
      { store: 'tapes', remove },
    ]),
  ];
}

/** Returns the writes for a new draft. */
export function buildTrialDraftWrites(trial: Trial, cases: readonly Case[]): Write[] {
  return [
    { store: 'trials', put: trial },
    ...buildAllCaseWrites(trial, new Map(cases.map((testCase) => [testCase.id, testCase]))),
  ];
}

/** Returns the writes that replace the tape of an ended run with a packed one. */
export async function buildPackedTapeWrites(runId: RunId, tape: readonly TapeEntry[]): Promise<Write[]> {
  const packed = await packTape(tape);
  return [
    { store: 'tapes', remove: runId },
    { store: 'tapes', put: { runId, firstSeq: 0, entries: [], packed, count: tape.length } },
  ];
}

/**
 * Recovers the runs of a closed tab, which its heartbeat lists: an ended run becomes its cell, an unfinished one is
 * interrupted and retried. Adds the cells to the trial and returns them with the writes that store them, and the runs
 * that yield no cell.
 */
export async function recoverCells(
  source: AnswerSource,
  { trial, cells }: Pick<StoredTrial, 'trial' | 'cells'>,
  heartbeat: HeartbeatRecord,
  scoreCell: (cell: Cell, run: Run) => Promise<Cell>,
): Promise<{ recoveredCells: Cell[]; discardedRuns: Run[]; writes: Write[] }> {
  const writes: Write[] = [];
  const recoveredCells: Cell[] = [];
  const discardedRuns: Run[] = [];
  for (const { runId, ...key } of heartbeat.runs) {
    const storedCell = cells.get(getCellId(key));
    if (storedCell?.runId === runId) continue;
    const run = await readTrialRun(source.records, trial, runId);
    if (!run) continue;
    const tape = await source.readTape(runId).catch(() => []);
    const foldedRun = foldStoredRun(run, tape);
    writes.push({ store: 'runs', put: toStoredCellRun(foldedRun, key.columnId) });
    const cell = buildCell(foldedRun, key, (storedCell?.tries ?? 0) + 1);
    if (!cell || foldedRun.status === 401 || isUsageRefused(foldedRun)) {
      discardedRuns.push(foldedRun);
      continue;
    }
    const scoredCell = await scoreCell(cell, foldedRun);
    cells.set(getCellId(key), scoredCell);
    recoveredCells.push(scoredCell);
    writes.push(...(await buildPackedTapeWrites(runId, tape)));
  }
  writes.push(...buildCellBlockWrites(trial, recoveredCells, cells, getCaseIndexes(trial)));
  return { recoveredCells, discardedRuns, writes };
}

/** Folds the tape of a run that no tab drives any more. */
function foldStoredRun(run: Run, tape: readonly TapeEntry[]): Run {
  if (!isLive(run)) return run;
  const folded = tape.length === 0 ? interruptRun(run) : foldInterruptedTape(resetRun(run), tape);
  return { ...folded, ...(run.cell ? { cell: run.cell } : {}) };
}
