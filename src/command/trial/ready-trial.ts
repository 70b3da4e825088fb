/** Opens the trial that a command runs: that of its folder, or a new one from a file. */
import { createHash } from 'node:crypto';
import path from 'node:path';

import { isEqual } from 'es-toolkit';

import { pluralize } from '../../lib/format.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import { createCaseIdAllocator, findSentFields } from '../../trials/cases.ts';
import { withGroups, withNewCases, type TrialWithCases } from '../../trials/edit-trial.ts';
import type { ImportedTrial } from '../../trials/files/trial-file.ts';
import { addSavedBaseline } from '../../trials/saved-baseline.ts';
import { listShardCases, type Shard } from '../../trials/shards.ts';
import type { Case, CaseId, CellKey, ColumnId, Trial } from '../../trials/trial.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './command-context.ts';
import type { Expectations } from './expectations.ts';
import { readCases, readTrialSource, type CaseSource } from './read-source.ts';
import {
  readFolder,
  trialFileName,
  type CommandInfo,
  type StoredFolder,
  type TrialFolder,
} from './trial-folder.ts';
import type { TrialHost } from './trial-host.ts';

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

/** The files, host and options of a run. The host sends its requests. */
export interface RunInputs {
  sourceFile: string;
  folderName: string;
  folder: TrialFolder;
  host: TrialHost;
  options: RunTrialOptions;
  context: CommandContext;
}

/** A trial that is ready to run, and what the first line of its file says about the command. */
export interface ReadyTrial {
  trial: OpenTrial;
  info: CommandInfo;
  /** Cases of the shard; all if absent. */
  caseIds: ReadonlySet<CaseId> | undefined;
}

/** Opens the trial of the folder, or a new one from the file. */
export async function openReadyTrial(inputs: RunInputs): Promise<ReadyTrial> {
  const { sourceFile, folderName, folder, host, options, context } = inputs;
  const isOwnFile = sourceFile === path.join(folderName, trialFileName);
  const stored = readFolder(folderName, host.newId);
  const interruptedCells = folder.listInFlight();
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
export function getCellName(
  { trial }: Pick<OpenTrialState, 'trial'>,
  { caseId, columnId, repeat }: CellKey,
): string {
  return `${caseId} ${trial.columns.findIndex(({ id }) => id === columnId)} ${repeat}`;
}

function hasEndedCell(state: OpenTrialState, cellName: string): boolean {
  return [...state.cells.values()].some((cell) => getCellName(state, cell) === cellName);
}
