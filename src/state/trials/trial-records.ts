/** A trial as it is stored: read into what a page works with, written in blocks, removed with all that it has. */
import * as v from 'valibot';

import { runSchema } from '../../conversation/session/session-schemas.ts';
import type { Run, RunId } from '../../conversation/session/types.ts';
import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { CellRun, RecordStore, Write } from '../../storage/record-store.ts';
import { cellName } from '../../trials/case-order.ts';
import {
  aliveId,
  caseBlockAt,
  caseBlocks,
  caseSchema,
  cellBlockAt,
  cellBlocks,
  cellSchema,
  markSchema,
  readAlive,
  trialSchema,
  type AliveRecord,
} from '../../trials/trial-schemas.ts';
import {
  isTrialKey,
  type Case,
  type CaseId,
  type Cell,
  type ColumnId,
  type Mark,
  type Trial,
  type TrialId,
} from '../../trials/trial.ts';

export interface StoredTrial {
  trial: Trial;
  cases: Map<CaseId, Case>;
  /** By `cellName`. */
  cells: Map<string, Cell>;
  marks: Map<string, Mark>;
  alive: AliveRecord | undefined;
}

const scanLength = 50;

/** Every trial that can be read. */
export async function readTrials(records: RecordStore): Promise<Trial[]> {
  const trials: Trial[] = [];
  let after: string | undefined;
  for (;;) {
    const slice = await records.scan('trials', scanLength, after);
    trials.push(...slice.flatMap((raw) => readTrial(raw) ?? []));
    after = getStringProperty(slice.at(-1), 'id');
    if (slice.length < scanLength || after === undefined) return trials;
  }
}

function readTrial(raw: unknown): Trial | undefined {
  if (!isTrialKey(getStringProperty(raw, 'id') ?? '/')) return undefined;
  const read = v.safeParse(trialSchema, raw);
  return read.success ? read.output : undefined;
}

/** A trial whose cells are read bit by bit. */
export interface TrialReading {
  /** What has been read so far; of the cells those of the first rows at least. */
  stored: StoredTrial;
  /** Reads some more cells into `stored`, and says which; undefined after the last. What is there already stays. */
  more: () => Promise<readonly Cell[] | undefined>;
  /** All cells are there. */
  isWhole: () => boolean;
}

/** So many records are asked for at a time. */
const blocksAtATime = 16;
/** So many blocks of cells are read of them between two looks at what else waits. */
const blocksAtOnce = 4;
/** Up to so many blocks of cells are read before a trial is shown. */
const fewBlocks = 32;

/**
 * Begins to read a trial: one that is not large is whole then. Undefined where none is stored. Rejects where its own
 * record is damaged; cases and cells that are damaged are left out.
 */
export async function beginReading(records: RecordStore, id: TrialId): Promise<TrialReading | undefined> {
  const raw = await records.record('trials', id);
  if (raw === undefined) return undefined;
  const trial = readTrial(raw);
  if (!trial) throw new Error('Its record is damaged.');
  const cells = new Map<string, Cell>();
  let fetched: unknown[] = [];
  /** Fetched while those before are read; undefined once there are no more. */
  let next: Promise<unknown[]> | undefined = fetchAfter(undefined, fewBlocks);

  function fetchAfter(after: unknown, most: number): Promise<unknown[]> {
    const blocks = records.ofTrial('cells', id, { most, after });
    // Whoever waits for it hears of it.
    blocks.catch(() => undefined);
    return blocks;
  }

  async function fetchMore(asked: number): Promise<void> {
    fetched = (await next) ?? [];
    next = fetched.length < asked ? undefined : fetchAfter(fetched.at(-1), blocksAtATime);
  }

  function read(count: number): Cell[] {
    const blocks = fetched.splice(0, count);
    const fresh = inBlocks(blocks, 'cells', cellSchema).filter((cell) => !cells.has(cellName(cell)));
    for (const cell of fresh) cells.set(cellName(cell), cell);
    return fresh;
  }

  const [cases, marks, alive] = await Promise.all([
    readCases(records, id),
    records.ofTrial('marks', id),
    records.record('trials', aliveId(id)),
    fetchMore(fewBlocks),
  ]);
  read(fewBlocks);
  const isWhole = (): boolean => fetched.length === 0 && next === undefined;
  return {
    stored: {
      trial,
      cases,
      cells,
      marks: new Map(all(marks, markSchema).map((mark) => [cellName(mark.key), mark])),
      alive: readAlive(alive),
    },
    more: async () => {
      if (isWhole()) return undefined;
      if (fetched.length === 0) await fetchMore(blocksAtATime);
      return read(blocksAtOnce);
    },
    isWhole,
  };
}

async function readCases(records: RecordStore, id: TrialId): Promise<Map<CaseId, Case>> {
  const cases = new Map<CaseId, Case>();
  let after: unknown;
  for (;;) {
    const blocks = await records.ofTrial('cases', id, { most: blocksAtATime, after });
    for (const each of inBlocks(blocks, 'cases', caseSchema)) cases.set(each.id, each);
    if (blocks.length < blocksAtATime) return cases;
    after = blocks.at(-1);
  }
}

/** All of a trial; see `beginReading`. */
export async function readStoredTrial(records: RecordStore, id: TrialId): Promise<StoredTrial | undefined> {
  const reading = await beginReading(records, id);
  if (!reading) return undefined;
  while (!reading.isWhole()) await reading.more();
  return reading.stored;
}

/** The answers of a trial that were stored first, of each column some. */
export async function firstCells(records: RecordStore, id: TrialId): Promise<Cell[]> {
  return inBlocks(await records.ofTrial('cells', id, { most: blocksAtATime }), 'cells', cellSchema);
}

function inBlocks<T>(blocks: readonly unknown[], field: string, schema: v.GenericSchema<unknown, T>): T[] {
  return blocks.flatMap((block) => {
    const list = getOwnProperty(block, field);
    return Array.isArray(list) ? all(list, schema) : [];
  });
}

function all<T>(records: readonly unknown[], schema: v.GenericSchema<unknown, T>): T[] {
  return records.flatMap((raw) => {
    const read = v.safeParse(schema, raw);
    return read.success ? [read.output] : [];
  });
}

/** The record of a cell's run: the setup is that of the column. */
export function storedCellRun(run: Run, columnId: ColumnId): CellRun {
  return { ...run, setup: { of: columnId } };
}

/** A stored run with the setup of its column filled in; undefined where it cannot be read. */
export function readCellRun(raw: unknown, trial: Pick<Trial, 'columns' | 'retired'>): Run | undefined {
  if (!isRecord(raw)) return undefined;
  const of = getStringProperty(raw['setup'], 'of');
  const column = [...trial.columns, ...trial.retired.columns].find(({ id }) => id === of);
  const read = v.safeParse(runSchema, column ? { ...raw, setup: column.setup } : raw);
  return read.success ? read.output : undefined;
}

/** The places of cases among all that were ever added: blocks go by them. */
export function casePlaces({ batches }: Pick<Trial, 'batches'>): Map<CaseId, number> {
  return new Map(batches.flatMap(({ caseIds }) => caseIds).map((id, place) => [id, place]));
}

/** In the order of their blocks. */
export function orderedCases(trial: Pick<Trial, 'batches'>, cases: ReadonlyMap<CaseId, Case>): Case[] {
  return trial.batches.flatMap(({ caseIds }) => caseIds.flatMap((id) => cases.get(id) ?? []));
}

/** All cases again: some have come, gone or moved. */
export function casesWrites(trial: Trial, cases: ReadonlyMap<CaseId, Case>): Write[] {
  return [
    { store: 'cases', remove: trial.id },
    ...caseBlocks(trial.id, orderedCases(trial, cases)).map((put): Write => ({ store: 'cases', put })),
  ];
}

/** The block of a case whose values have changed. */
export function caseBlockWrite(
  trial: Trial,
  cases: ReadonlyMap<CaseId, Case>,
  caseId: CaseId,
): Write | undefined {
  const place = casePlaces(trial).get(caseId);
  if (place === undefined) return undefined;
  const put = caseBlocks(trial.id, orderedCases(trial, cases))[caseBlockAt(place)];
  return put && { store: 'cases', put };
}

/** All cells again: their cases have other places. */
export function cellsWrites(trial: Trial, cells: ReadonlyMap<string, Cell>): Write[] {
  const places = casePlaces(trial);
  const placed = [...cells.values()].filter(({ caseId }) => places.has(caseId));
  return [
    { store: 'cells', remove: trial.id },
    ...cellBlocks(trial.id, placed, (id) => places.get(id) ?? 0).map((put): Write => ({
      store: 'cells',
      put,
    })),
  ];
}

/** The blocks that these cells are in, each with all of its cells. */
export function cellBlocksWrites(
  trial: Trial,
  changed: readonly Cell[],
  cells: ReadonlyMap<string, Cell>,
  places: ReadonlyMap<CaseId, number>,
): Write[] {
  const placeOf = (caseId: CaseId): number => places.get(caseId) ?? 0;
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  const blocks = new Map<string, Write>();
  for (const { caseId, columnId, repeat } of changed) {
    const block = cellBlockAt(placeOf(caseId), repeat);
    const name = `${block} ${columnId}`;
    if (blocks.has(name) || !places.has(caseId)) continue;
    const first = caseBlockAt(placeOf(caseId)) * perBlock;
    const inBlock = ids
      .slice(first, first + perBlock)
      .flatMap((id) => cells.get(cellName({ caseId: id, columnId, repeat })) ?? []);
    blocks.set(name, { store: 'cells', put: { trialId: trial.id, block, columnId, cells: inBlock } });
  }
  return [...blocks.values()];
}

const perBlock = 64;

/** Everything of a trial, runs and recordings too. */
export async function trialRemovals(records: RecordStore, id: TrialId): Promise<Write[]> {
  const runIds: RunId[] = await records.runIdsOf(id);
  return [
    { store: 'trials', remove: id },
    { store: 'trials', remove: aliveId(id) },
    ...(['cases', 'cells', 'marks'] as const).map((store): Write => ({ store, remove: id })),
    ...runIds.flatMap((remove): Write[] => [
      { store: 'runs', remove },
      { store: 'tapes', remove },
    ]),
  ];
}
