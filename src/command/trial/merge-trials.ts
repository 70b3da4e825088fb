/** Merges the folders of shards into the folder of the whole trial. */
import path from 'node:path';

import { summarizeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { formatList, pluralize } from '../../lib/format.ts';
import { createRandomId } from '../../lib/ids.ts';
import { findForeignShards, listShardCases, mergeShards, type ShardAnswers } from '../../trials/shards.ts';
import { isDecided } from '../../trials/verdict.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { Expectations } from './expectations.ts';
import {
  checkExpectations,
  describeMissingCases,
  judgeTrial,
  printVerdict,
  toExitCode,
  writeResults,
} from './results.ts';
import {
  openFolder,
  readFolder,
  toInfoJson,
  trialFileName,
  type CommandInfo,
  type StoredFolder,
} from './trial-folder.ts';
import { createTrialHost } from './trial-host.ts';

export interface MergeOptions extends Expectations {
  out: string;
  /** A verdict that is decided on the counted cases counts, whatever is missing after them. */
  stopWhenDecided?: boolean | undefined;
}

interface ReadShard extends ShardAnswers {
  stored: StoredFolder;
  info: CommandInfo;
}

/** Merges the shards and computes the verdict again. Throws UsageError and ConfigurationError. */
export async function mergeTrials(
  folderNames: readonly string[],
  options: MergeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const [firstShard, ...otherShards] = readShards(
    folderNames.map((name) => path.resolve(context.folder, name)),
  );
  if (!firstShard) throw new UsageError('Name the folders of the shards.');
  const shards = [firstShard, ...otherShards] as const;
  const foreignNames = findForeignShards(shards);
  if (foreignNames.length > 0)
    throw new UsageError(`${formatList(foreignNames)} belongs to another trial than ${firstShard.name}.`);
  const { trial, answers, marks, extraAnswers, missingCells } = mergeShards(shards);
  checkExpectations(trial, options);

  const host = await createTrialHost(context);
  const folderName = path.resolve(context.folder, options.out);
  const folder = openFolder(folderName);
  try {
    const { cases, images } = firstShard.stored.imported;
    const openTrial = await host.open({
      trial: { ...trial, ...(options.stopWhenDecided ? { stopWhenDecided: true } : {}) },
      cases,
      answers,
      marks,
      images,
      droppedFields: 0,
    });
    await openTrial.whenSaved();
    const { source } = firstShard.info;
    const { pieces } = await openTrial.exportJsonLines(
      summarizeVerdict,
      false,
      toInfoJson({ source, interruptedRequests: 0 }),
    );
    folder.replaceTrial(pieces);
    const state = openTrial.state.getState();
    const judged = judgeTrial(state, options);
    const isSettled =
      options.stopWhenDecided === true && state.verdict !== undefined && isDecided(state.verdict);
    const exitCode =
      missingCells.length > 0 && !isSettled ? exitCodes.notDecided : toExitCode(judged.judgement);
    const interruptedRequests = shards.reduce((sum, { info }) => sum + info.interruptedRequests, 0);
    writeResults(folder, state, judged, options, {
      exitCode,
      interruptedRequests,
      missingCells,
      extraAnswers,
    });
    printVerdict(state, judged, context);
    for (const line of [
      ...describeMissingShards(shards, trial),
      describeMissingCases(trial, missingCells) ?? '',
    ])
      if (line !== '') context.printError(line);
    if (extraAnswers.length > 0)
      context.printError(
        `${pluralize(extraAnswers.length, 'answer')} not counted: another one for the same cell ended earlier. See verdict.json.`,
      );
    context.print(`Results: ${folderName}`);
    return exitCode;
  } finally {
    folder.close();
    await host.close();
  }
}

/** Reads the folders; the same content is read only once. */
function readShards(folderNames: readonly string[]): ReadShard[] {
  const texts = new Set<string>();
  return folderNames.flatMap((name): ReadShard[] => {
    let idCount = 0;
    // The same IDs in every shard for everything but the runs.
    const newId = (): string => `id-${(idCount += 1)}`;
    const stored = readFolder(name, newId, () => createRandomId(Date.now()));
    if (!stored) throw new UsageError(`${name} contains no ${trialFileName}.`);
    if (!stored.info) throw new UsageError(`${name} was not written by the trial command.`);
    if (texts.has(stored.text)) return [];
    texts.add(stored.text);
    const { trial, answers, marks } = stored.imported;
    return [{ name, trial, answers, marks, stored, info: stored.info }];
  });
}

/** Names the shards that were not given. */
function describeMissingShards(shards: readonly ReadShard[], trial: ShardAnswers['trial']): string[] {
  const counts = new Set(shards.flatMap(({ info }) => info.shard?.count ?? []));
  return [...counts].flatMap((count) => {
    const given = new Set(
      shards.flatMap(({ info }) => (info.shard?.count === count ? [info.shard.index] : [])),
    );
    return Array.from({ length: count }, (_, position) => position + 1)
      .filter((index) => !given.has(index) && listShardCases(trial, { index, count }).size > 0)
      .map((index) => `Shard ${index} of ${count} is missing.`);
  });
}
