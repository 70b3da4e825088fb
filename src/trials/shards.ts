/** Splits a trial into shards that run on several machines, and merges their answers. */
import { isEqual, omit } from 'es-toolkit';

import type { Run } from '../conversation/session/types.ts';
import { getCaseOrder, getCellId, listPendingCells } from './case-order.ts';
import type { TrialAnswer } from './files/trial-file.ts';
import { addUsage, createUsageSum, type UsageSum } from './trial-cost.ts';
import type { CaseId, CellKey, Column, ColumnId, Mark, Trial } from './trial.ts';

/** One of `count` parts of a trial; `index` counts from 1. */
export interface Shard {
  index: number;
  count: number;
}

/**
 * Returns the cases of a shard: those at the places index, index + count and so on of the random order, so that every
 * shard is a fair sample. Groups are never split; a group has one place.
 */
export function listShardCases(trial: Trial, { index, count }: Shard): Set<CaseId> {
  const groupByCase = new Map(
    trial.batches.flatMap(({ caseIds, groups }, batch) =>
      caseIds.map((id, position) => [id, groups ? `${batch} ${groups[position]}` : undefined] as const),
    ),
  );
  const shardCases = new Set<CaseId>();
  let place = -1;
  let previousGroup: string | undefined;
  for (const caseId of getCaseOrder(trial)) {
    const group = groupByCase.get(caseId);
    if (group === undefined || group !== previousGroup) place += 1;
    previousGroup = group;
    if (place % count === index - 1) shardCases.add(caseId);
  }
  return shardCases;
}

/** The content of a shard's file. Trials, columns and checks have the same IDs in all shards of a trial. */
export interface ShardAnswers {
  /** Name of the folder or file, for messages. */
  name: string;
  trial: Trial;
  answers: readonly TrialAnswer[];
  marks: readonly Mark[];
}

/** An answer that does not count, since another one for its cell ended earlier. */
export interface ExtraAnswer {
  key: CellKey;
  requestId: string | undefined;
  /** Name of the shard. */
  name: string;
}

export interface MergedTrial {
  trial: Trial;
  answers: TrialAnswer[];
  marks: Mark[];
  extraAnswers: ExtraAnswer[];
  /** Cells without an answer, in running order, without those of stopped columns. */
  missingCells: CellKey[];
}

/** Returns the names of the shards that belong to another trial than the first one. */
export function findForeignShards(shards: readonly Pick<ShardAnswers, 'name' | 'trial'>[]): string[] {
  const [first] = shards;
  if (!first) return [];
  const firstDefinition = toDefinition(first.trial);
  return shards.filter(({ trial }) => !isEqual(toDefinition(trial), firstDefinition)).map(({ name }) => name);
}

/** Returns the trial without everything that differs between machines and changes while it runs. */
function toDefinition(trial: Trial): Partial<Trial> {
  return {
    ...omit(trial, ['state', 'discardedUsage', 'createdAt', 'updatedAt']),
    columns: trial.columns.map((column) => omit(column, ['stopped'])),
    batches: trial.batches.map((batch) => ({ ...batch, addedAt: 0 })),
    ...(trial.plan ? { plan: { ...trial.plan, at: 0 } } : {}),
  };
}

/**
 * Merges the answers of shards of one trial, in any order and with any of them given several times. If a cell has two
 * answers, the one that ended first counts.
 */
export function mergeShards(shards: readonly [ShardAnswers, ...ShardAnswers[]]): MergedTrial {
  const [{ trial: firstTrial }] = shards;
  const answers = new Map<string, { answer: TrialAnswer; name: string }>();
  const extraAnswers = new Map<string | undefined, ExtraAnswer>();
  for (const { name, answers: shardAnswers } of shards)
    for (const answer of shardAnswers) {
      const cellId = getCellId(answer.cell);
      const other = answers.get(cellId);
      if (other && other.answer.run.requestId === answer.run.requestId) continue;
      const isFirst = !other || getEndTime(answer.run) < getEndTime(other.answer.run);
      if (isFirst) answers.set(cellId, { answer, name });
      const extra = isFirst ? other : { answer, name };
      if (extra) extraAnswers.set(extra.answer.run.requestId, toExtraAnswer(extra.answer, extra.name));
    }
  const updatedAt = Math.max(...shards.map(({ trial }) => trial.updatedAt));
  const discardedUsage = sumDiscardedUsage(shards);
  const trial: Trial = {
    ...firstTrial,
    columns: firstTrial.columns.map((column) => withEarliestStop(column, shards)),
    ...(discardedUsage ? { discardedUsage } : {}),
    updatedAt,
  };
  const missingCells = [...listPendingCells(trial, (key) => answers.has(getCellId(key)))];
  const marks = shards.flatMap((shard) => shard.marks).toSorted((a, b) => a.at - b.at);
  return {
    trial: {
      ...trial,
      state:
        missingCells.length === 0
          ? { name: 'finished', at: updatedAt }
          : { name: 'paused', at: updatedAt, why: 'closed' },
    },
    answers: [...answers.values()].map(({ answer }) => answer),
    marks: [...new Map(marks.map((mark) => [getCellId(mark.key), mark])).values()],
    extraAnswers: [...extraAnswers.values()],
    missingCells,
  };
}

function toExtraAnswer(
  { cell: { caseId, columnId, repeat }, run: { requestId } }: TrialAnswer,
  name: string,
): ExtraAnswer {
  return { key: { caseId, columnId, repeat }, requestId, name };
}

/** Returns the epoch time in ms at which the run ended. */
function getEndTime({ sentAt = 0, endedMs = 0 }: Run): number {
  return sentAt + endedMs;
}

function withEarliestStop(column: Column, shards: readonly ShardAnswers[]): Column {
  const stops = shards.flatMap(
    ({ trial }) => trial.columns.find(({ id }) => id === column.id)?.stopped ?? [],
  );
  const [stopped] = stops.toSorted((a, b) => a.at - b.at);
  return { ...omit(column, ['stopped']), ...(stopped ? { stopped } : {}) };
}

function sumDiscardedUsage(shards: readonly ShardAnswers[]): Trial['discardedUsage'] {
  const sums: Record<ColumnId, UsageSum> = {};
  for (const { trial } of shards)
    for (const [columnId, usage] of Object.entries(trial.discardedUsage ?? {}))
      addUsage((sums[columnId] ??= createUsageSum()), usage);
  return Object.keys(sums).length === 0 ? undefined : sums;
}
