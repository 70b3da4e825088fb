/** Runs a trial, or one shard of it, from a file into a folder. */
import path from 'node:path';

import { summarizeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { formatCount, formatList, pluralize } from '../../lib/format.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import { getCellId, listPendingCells } from '../../trials/case-order.ts';
import type { Shard } from '../../trials/shards.ts';
import { countCases, type CaseId } from '../../trials/trial.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { countEnded } from './progress.ts';
import { openReadyTrial, type RunInputs, type RunTrialOptions } from './ready-trial.ts';
import {
  checkExpectations,
  judgeTrial,
  printVerdict,
  toExitCode,
  writeResults,
  type JudgedTrial,
} from './results.ts';
import { runToEnd, type StopReason } from './run-to-end.ts';
import { openFolder, toInfoJson, trialFileName } from './trial-folder.ts';
import { createTrialHost, isGatewayOut } from './trial-host.ts';

/** Runs the trial and writes its results. Throws UsageError and ConfigurationError. */
export async function runTrial(
  file: string,
  options: RunTrialOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const sourceFile = path.resolve(context.folder, file);
  const folderName = path.resolve(context.folder, options.out ?? getDefaultFolder(sourceFile));
  const host = await createTrialHost({ ...context, requestsPerMinute: options.rpm });
  try {
    const folder = openFolder(folderName);
    try {
      return await runInFolder({ sourceFile, folderName, folder, host, options, context });
    } finally {
      folder.close();
    }
  } finally {
    await host.close();
  }
}

/** Returns the folder for the results of a file: that of a trial file in such a folder, or one with the file's name. */
function getDefaultFolder(file: string): string {
  const { dir, name, base } = path.parse(file);
  return base === trialFileName ? dir : path.join(dir, `${name}-results`);
}

async function runInFolder(inputs: RunInputs): Promise<ExitCode> {
  const { folder, host, options, context } = inputs;
  const ready = await openReadyTrial(inputs);
  const { trial, info, caseIds } = ready;
  if (options.stopWhenDecided) trial.edit({ stopWhenDecided: true });
  const { trial: openedTrial } = trial.state.getState();
  if (!options.shard) checkExpectations(openedTrial, options);
  const gatewayError = await host.checkGateways(openedTrial.columns);
  if (gatewayError) {
    context.printError(`Nothing was sent. ${gatewayError.message}`);
    return exitCodes.gatewayOut;
  }
  if (options.shard && caseIds)
    context.printError(describeShard(trial.state.getState(), caseIds, options.shard, options));
  const stopReason = await runToEnd(ready, inputs);
  await trial.whenSaved();
  const { pieces } = await trial.exportJsonLines(summarizeVerdict, false, toInfoJson(info));
  folder.replaceTrial(pieces);

  const state = trial.state.getState();
  const missingCells = [...listPendingCells(state.trial, (key) => state.cells.has(getCellId(key)))].filter(
    ({ caseId }) => caseIds?.has(caseId) !== false,
  );
  if (info.interruptedRequests > 0)
    context.print(
      `${pluralize(info.interruptedRequests, 'request was', 'requests were')} in flight when an earlier process was killed and sent again.`,
    );
  if (options.shard) {
    const { index, count } = options.shard;
    context.print(
      `Shard ${index} of ${count}: ${formatCount(countEnded(state, caseIds))} answers. Merge the shards for the verdict.`,
    );
    if (stopReason) context.printError(stopReason.text);
    return stopReason?.exitCode ?? exitCodes.asExpected;
  }
  const judged = judgeTrial(state, options);
  const exitCode = getExitCode(state, judged, stopReason);
  const { interruptedRequests } = info;
  writeResults(folder, state, judged, options, {
    exitCode,
    interruptedRequests,
    missingCells,
    extraAnswers: [],
  });
  printVerdict(state, judged, context);
  if (stopReason) context.printError(stopReason.text);
  context.print(`Results: ${inputs.folderName}`);
  return exitCode;
}

/** Returns what a shard runs, and its limits, which hold for each shard on its own. */
function describeShard(
  { trial, paces }: OpenTrialState,
  caseIds: ReadonlySet<CaseId>,
  { index, count }: Shard,
  { maxRequests, maxMinutes }: RunTrialOptions,
): string {
  const perMinute = paces.map((pace) => pace.perMinute).filter((limit) => limit > 0);
  const limits = [
    ...perMinute.map((limit) => `${formatCount(limit)} requests per minute`),
    ...(maxRequests === undefined ? [] : [pluralize(maxRequests, 'request')]),
    ...(maxMinutes === undefined ? [] : [`${maxMinutes} min`]),
    ...(trial.budget ? [`a budget of ${trial.budget.amount} ${trial.budget.currency}`] : []),
  ];
  const limitsText = limits.length === 0 ? '' : ` Limits of each shard: ${formatList(limits)}.`;
  return `Shard ${index} of ${count}: ${formatCount(caseIds.size)} of ${pluralize(countCases(trial), 'case')}.${limitsText}`;
}

/**
 * Returns the exit code of a trial. A verdict against the expectation counts even if the trial was stopped afterwards;
 * otherwise the reason of the stop counts, then that of a column whose gateway is out.
 */
function getExitCode(
  { trial }: OpenTrialState,
  { judgement }: JudgedTrial,
  stopReason: StopReason | undefined,
): ExitCode {
  if (judgement === 'decided against') return exitCodes.decidedAgainst;
  if (stopReason) return stopReason.exitCode;
  if (trial.columns.some(({ stopped }) => stopped && isGatewayOut(stopped.report)))
    return exitCodes.gatewayOut;
  return toExitCode(judgement);
}
