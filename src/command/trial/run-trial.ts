/** Runs a trial, or one shard of it, from a file into a folder. */
import { createHash } from 'node:crypto';
import path from 'node:path';

import { isEqual } from 'es-toolkit';

import { formatRunBlocker } from '../../features/trials/format-problems.ts';
import { formatTimeLeft } from '../../features/trials/progress/format-progress.ts';
import { describeVerdict, summarizeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { toPlainText } from '../../features/trials/verdict/rich-text.ts';
import { formatError } from '../../lib/format-error.ts';
import { formatCount, formatList, pluralize } from '../../lib/format.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import { listPendingCells, getCellId } from '../../trials/case-order.ts';
import { createCaseIdAllocator, findSentFields } from '../../trials/cases.ts';
import { withGroups, withNewCases, type TrialWithCases } from '../../trials/edit-trial.ts';
import { createTrialWriter, type ImportedTrial, type TrialWriter } from '../../trials/files/trial-file.ts';
import { addSavedBaseline } from '../../trials/saved-baseline.ts';
import { listShardCases, type Shard } from '../../trials/shards.ts';
import {
  countCases,
  type Case,
  type CaseId,
  type CellKey,
  type ColumnId,
  type Trial,
} from '../../trials/trial.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { Expectations } from './expectations.ts';
import { readCases, readTrialSource, type CaseSource } from './read-source.ts';
import {
  checkExpectations,
  judgeTrial,
  printVerdict,
  toExitCode,
  writeResults,
  type JudgedTrial,
} from './results.ts';
import {
  openFolder,
  readFolder,
  toInfoJson,
  trialFileName,
  type CommandInfo,
  type StoredFolder,
  type TrialFolder,
} from './trial-folder.ts';
import { createTrialHost, isGatewayOut, type TrialHost } from './trial-host.ts';

export interface RunTrialOptions extends Expectations {
  /** Folder of the results; by default one beside the file, with its name. */
  out?: string | undefined;
  /** File with further cases. */
  cases?: string | undefined;
  /** Folder of an earlier run whose answers become the baseline. */
  baseline?: string | undefined;
  stopWhenDecided?: boolean | undefined;
  maxRequests?: number | undefined;
  maxMinutes?: number | undefined;
  /** Requests per minute. */
  rpm?: number | undefined;
  shard?: Shard | undefined;
}

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
export function getDefaultFolder(file: string): string {
  const { dir, name, base } = path.parse(file);
  return base === trialFileName ? dir : path.join(dir, `${name}-results`);
}

interface RunInputs {
  sourceFile: string;
  folderName: string;
  folder: TrialFolder;
  host: TrialHost;
  options: RunTrialOptions;
  context: CommandContext;
}

/** A trial that is ready to run, and what the first line of its file says about the command. */
interface ReadyTrial {
  trial: OpenTrial;
  info: CommandInfo;
  /** Cases of the shard; all if absent. */
  caseIds: ReadonlySet<CaseId> | undefined;
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

/** Opens the trial of the folder, or a new one from the file. */
async function openReadyTrial(inputs: RunInputs): Promise<ReadyTrial> {
  const { sourceFile, folderName, folder, host, options, context } = inputs;
  const isOwnFile = sourceFile === path.join(folderName, trialFileName);
  const stored = readFolder(folderName, host.newId);
  const interruptedCells = folder.takeInFlight();
  const source = isOwnFile ? undefined : await readTrialSource(sourceFile, host.newId);
  const cases =
    options.cases === undefined ? undefined : readCases(path.resolve(context.folder, options.cases));
  for (const note of [...(source?.notes ?? []), ...(cases?.notes ?? [])]) context.printError(note);
  const lastFolder =
    options.baseline === undefined ? undefined : path.resolve(context.folder, options.baseline);
  const lastRun = lastFolder === undefined ? undefined : readFolder(lastFolder, host.newId);
  if (lastFolder !== undefined && !lastRun)
    throw new UsageError(`${lastFolder} contains no ${trialFileName}.`);
  const sourceHash = source && hashTexts([source.text, cases?.text ?? '', lastRun?.text ?? '']);
  const shardText = formatShard(options.shard);
  if (stored) {
    const { info } = stored;
    if ((sourceHash !== undefined && info?.source !== sourceHash) || formatShard(info?.shard) !== shardText)
      throw new UsageError(
        `${folderName} holds the results of another trial or shard. Choose another folder with --out, or remove it.`,
      );
  }
  const imported = stored?.imported ?? (source && (await addInputs(source.imported, cases, lastRun, inputs)));
  if (!imported) throw new UsageError(`${sourceFile} does not exist.`);
  const trial = await host.open(imported);
  const state = trial.state.getState();
  const interruptedCount = interruptedCells.filter((name) => !hasEndedCell(state, name)).length;
  return {
    trial,
    caseIds: options.shard && listShardCases(withGroups(state.trial, state.cases), options.shard),
    info: {
      source: stored?.info?.source ?? sourceHash ?? '',
      ...(options.shard ? { shard: options.shard } : {}),
      interruptedRequests: (stored?.info?.interruptedRequests ?? 0) + interruptedCount,
    },
  };
}

/** Adds the cases of another file and the answers of an earlier run to a trial. */
async function addInputs(
  imported: ImportedTrial,
  addedCases: CaseSource | undefined,
  lastRun: StoredFolder | undefined,
  { host, context }: RunInputs,
): Promise<ImportedTrial> {
  const { trial, cases } = await withCaseSource(imported, addedCases);
  if (!lastRun) return { ...imported, trial, cases };
  const baseline = addSavedBaseline(
    { trial, cases },
    { ...lastRun.imported, columnId: findLastColumn(lastRun.imported.trial, trial) },
    host,
  );
  if (!baseline) throw new UsageError('The folder of --baseline has no answer to a case of this trial.');
  const { casesOnlyHere, casesOnlyThere } = baseline;
  if (casesOnlyHere.length + casesOnlyThere.length > 0)
    context.printError(
      `${pluralize(casesOnlyHere.length, 'case')} only in this trial and ${pluralize(casesOnlyThere.length, 'case')} only in the baseline are not compared.`,
    );
  return { ...imported, trial: baseline.trial, cases, answers: [...imported.answers, ...baseline.answers] };
}

async function withCaseSource(
  { trial, cases }: TrialWithCases,
  source: CaseSource | undefined,
): Promise<TrialWithCases> {
  if (!source) return { trial, cases };
  const createCaseId = createCaseIdAllocator(
    findSentFields(trial),
    cases.map(({ id }) => id),
  );
  const newCases: Case[] = [];
  for (const testCase of source.cases) newCases.push({ id: await createCaseId(testCase), ...testCase });
  const allCases = [...cases, ...newCases];
  const casesById = new Map(allCases.map((testCase) => [testCase.id, testCase]));
  return {
    trial: withNewCases(trial, newCases, { cases: casesById, fields: source.fields, at: Date.now() }),
    cases: allCases,
  };
}

/** Returns the column of an earlier run that has the setup of a column of this trial, otherwise the first that ran. */
function findLastColumn(lastTrial: Trial, trial: Trial): ColumnId {
  const columns = lastTrial.columns.filter(({ savedAnswers }) => !savedAnswers);
  const sameColumn = columns.find(({ setup }) =>
    trial.columns.some((column) => isEqual(column.setup, setup)),
  );
  return (sameColumn ?? columns[0])?.id ?? '';
}

function formatShard(shard: Shard | undefined): string {
  return shard ? `${shard.index}/${shard.count}` : '';
}

function hashTexts(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length} `).update(text);
  return hash.digest('hex');
}

/** Returns the name of a cell that is the same in every process: case, place of the column, repeat. */
function getCellName(
  { trial }: Pick<OpenTrialState, 'trial'>,
  { caseId, columnId, repeat }: CellKey,
): string {
  return `${caseId} ${trial.columns.findIndex(({ id }) => id === columnId)} ${repeat}`;
}

function hasEndedCell(state: OpenTrialState, cellName: string): boolean {
  return [...state.cells.values()].some((cell) => getCellName(state, cell) === cellName);
}

function countEnded({ cells }: OpenTrialState, caseIds: ReadonlySet<CaseId> | undefined): number {
  return [...cells.values()].filter(({ caseId }) => caseIds?.has(caseId) !== false).length;
}

/** Why a run ended before its last cell. */
interface StopReason {
  exitCode: ExitCode;
  text: string;
}

/**
 * Runs the trial until it is finished, decided or stopped. Each ended cell is appended to the trial file at once.
 * Returns the reason if it was stopped.
 */
async function runToEnd(
  { trial, info, caseIds }: ReadyTrial,
  { folder, options, context }: RunInputs,
): Promise<StopReason | undefined> {
  const { maxRequests, maxMinutes } = options;
  let pauseReason: string | undefined;
  let writeError: unknown;
  let writer: TrialWriter | undefined;

  const pause = (reason: string): void => {
    pauseReason ??= reason;
    void trial.pause();
  };
  /** A write that fails pauses the trial, since answers would be lost. */
  const guardWrite = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      writeError ??= error;
      pause('');
    }
  };

  const removeInterrupt = context.onInterrupt(() => {
    context.printError('Pausing: requests in flight end first. Press Ctrl+C again to end at once.');
    pause('Stopped by a signal. Run the command again to continue.');
  });
  const timer =
    maxMinutes === undefined
      ? undefined
      : setTimeout(
          () => pause(`Stopped after ${maxMinutes} min. Run the command again to continue.`),
          maxMinutes * 60_000,
        );
  const stopProgress = showProgress(trial, caseIds, context);
  try {
    const storedState = trial.state.getState();
    const blocker = await trial.run({
      ...(maxRequests === undefined ? {} : { maxRequests }),
      ...(caseIds ? { caseIds } : {}),
      onStart: async () => {
        const { pieces } = await trial.exportJsonLines(summarizeVerdict, false, toInfoJson(info));
        folder.replaceTrial(pieces);
        const { trial: startedTrial, cells } = trial.state.getState();
        writer = createTrialWriter(startedTrial, cells.size + 1);
      },
      onSend: (key) => guardWrite(() => folder.markSent(getCellName(trial.state.getState(), key))),
      onRequeue: (key) => guardWrite(() => folder.markEnded(getCellName(trial.state.getState(), key))),
      onCellEnd: (cell, run) =>
        guardWrite(() => {
          folder.appendLine(writer?.writeAnswer({ cell, run }) ?? '');
          folder.markEnded(getCellName(trial.state.getState(), cell));
        }),
    });
    if (blocker) throw new UsageError(formatRunBlocker(blocker, storedState.plan));
    await waitUntilEnded(trial);
  } finally {
    stopProgress();
    removeInterrupt();
    clearTimeout(timer);
  }
  if (writeError !== undefined)
    return {
      exitCode: exitCodes.stopped,
      text: `Could not write the answers: ${formatError(writeError)}. Free some space and run the command again.`,
    };
  return describeStop(trial.state.getState(), pauseReason, maxRequests);
}

/** Resolves when no request of the trial is in flight and none will be sent. */
function waitUntilEnded({ state }: OpenTrial): Promise<void> {
  return new Promise((resolve) => {
    const check = ({ trial, runnerStatus }: OpenTrialState): void => {
      if (trial.state.name === 'running' || runnerStatus.name !== 'nobody') return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = state.subscribe(check);
    check(state.getState());
  });
}

function describeStop(
  { trial: { state } }: OpenTrialState,
  pauseReason: string | undefined,
  maxRequests: number | undefined,
): StopReason | undefined {
  if (state.name !== 'paused') return undefined;
  const again = 'Run the command again to continue.';
  const { report } = state;
  switch (state.why) {
    case 'key':
    case 'offline':
      return {
        exitCode: exitCodes.gatewayOut,
        text: `${report?.message ?? 'The gateway refused the key.'} ${again}`,
      };
    case 'columns stopped':
    case 'baseline stopped':
      if (report && isGatewayOut(report))
        return { exitCode: exitCodes.gatewayOut, text: `${report.message} ${again}` };
      return { exitCode: exitCodes.notDecided, text: `Columns stopped. ${report?.message ?? ''}`.trim() };
    case 'budget':
      return {
        exitCode: exitCodes.stopped,
        text: `The budget of the trial is used up. Raise it in the trial.`,
      };
    case 'refused':
      return {
        exitCode: exitCodes.stopped,
        text: `The gateway refused requests three times in a row: ${report?.message ?? 'too many requests'}. ${again}`,
      };
    default:
      return {
        exitCode: exitCodes.stopped,
        text: pauseReason ?? `Stopped after ${pluralize(maxRequests ?? 0, 'request')}. ${again}`,
      };
  }
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

/** Time in ms between two lines of progress where standard error is not a terminal. */
const plainProgressMs = 30_000;
const terminalProgressMs = 500;

/** Shows cases, time left and the current sentence while the trial runs. Returns a function that ends it. */
function showProgress(
  { state }: OpenTrial,
  caseIds: ReadonlySet<CaseId> | undefined,
  { printError, showProgress: showLine }: CommandContext,
): () => void {
  const print = (): void => {
    const line = describeProgress(state.getState(), caseIds);
    if (showLine) showLine(line);
    else printError(line);
  };
  const timer = setInterval(print, showLine ? terminalProgressMs : plainProgressMs);
  return () => {
    clearInterval(timer);
    showLine?.('');
  };
}

function describeProgress(state: OpenTrialState, caseIds: ReadonlySet<CaseId> | undefined): string {
  const { progress } = state;
  if (caseIds) {
    const cellCount = caseIds.size * state.trial.columns.length * state.trial.repeats;
    return `${formatCount(countEnded(state, caseIds))} of ${pluralize(cellCount, 'answer')} of this shard.`;
  }
  const sentence = toPlainText(describeVerdict(state).first);
  return `${formatCount(progress.counted)} of ${pluralize(progress.cases, 'case')}. ${formatTimeLeft(state)} ${sentence}.`;
}
