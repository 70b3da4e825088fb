/**
 * Reads and writes the folder of a trial that runs by command. Ended cells are appended to `trial.jsonl` at once, so
 * that a killed run continues where it was; requests in flight are listed in `in-flight.log`.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

import * as v from 'valibot';

import { formatError } from '../../lib/format-error.ts';
import { parseJson, type JsonObject } from '../../lib/json.ts';
import { parseTrialFile, type ImportedTrial } from '../../trials/files/trial-file.ts';
import { UsageError } from '../usage-error.ts';

/** Facts that a later run needs to continue in the folder; stored in the first line of its trial file. */
export interface CommandInfo {
  /** Hash of the trial, its cases, the baseline and the shard that were given. */
  source: string;
  shard?: { index: number; count: number } | undefined;
  /** Number of requests in flight when the process was killed. Their cells were asked again. */
  interruptedRequests: number;
}

const commandInfoSchema = v.object({
  source: v.string(),
  shard: v.optional(v.object({ index: v.number(), count: v.number() })),
  interruptedRequests: v.optional(v.number(), 0),
});

/** Returns the JSON of the first line that `readFolder` reads again. */
export function toInfoJson({ source, shard, interruptedRequests }: CommandInfo): JsonObject {
  return {
    source,
    ...(shard ? { shard: { ...shard } } : {}),
    ...(interruptedRequests > 0 ? { interruptedRequests } : {}),
  };
}

export const trialFileName = 'trial.jsonl';
const inFlightName = 'in-flight.log';
const lockName = 'running.lock';

/** Content of the folder of an earlier run. */
export interface StoredFolder {
  imported: ImportedTrial;
  info: CommandInfo | undefined;
  /** Bytes of the trial file. */
  text: string;
}

/**
 * Reads the trial file of a folder; undefined if there is none. The last line is dropped if the process was killed while
 * writing it. Throws a UsageError if the file is damaged.
 */
export function readFolder(
  folder: string,
  newId: () => string,
  newRunId?: () => string,
): StoredFolder | undefined {
  const file = path.join(folder, trialFileName);
  if (!existsSync(file)) return undefined;
  const text = readTextFile(file);
  // A complete line ends with a line break.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const result = parseTrialFile(lines, newId, newRunId);
  if (!result.ok) throw new UsageError(`${file}, line ${result.line}: ${result.reason}`);
  const header = parseJson(lines[0] ?? '');
  const info = v.safeParse(v.object({ command: commandInfoSchema }), header.ok ? header.value : undefined);
  return { imported: result, info: info.success ? info.output.command : undefined, text };
}

/** Reads a text file. Throws a UsageError that names it. */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Could not read ${file}: ${formatError(error)}`);
  }
}

/** A folder that this process writes to. Cells have names that are the same in every process. */
export interface TrialFolder {
  /** Returns the cells whose requests were in flight when an earlier process was killed. */
  listInFlight: () => string[];
  /** Replaces the trial file in one step. Its first line then has the number of requests in flight at a kill. */
  replaceTrial: (pieces: readonly string[]) => void;
  appendLine: (line: string) => void;
  markSent: (cellName: string) => void;
  markEnded: (cellName: string) => void;
  /** Writes another file of the results. */
  writeResult: (name: string, text: string) => void;
  /** Lets other processes use the folder. */
  close: () => void;
}

/** Creates the folder and locks it. Throws a UsageError if another process uses it or it cannot be written. */
export function openFolder(folder: string): TrialFolder {
  const getPath = (name: string): string => path.join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    lockFolder(folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Could not write to ${folder}: ${formatError(error)}`);
  }
  const replaceFile = (name: string, pieces: readonly string[]): void => {
    const part = openSync(getPath(`${name}.part`), 'w');
    for (const piece of pieces) writeSync(part, piece);
    closeSync(part);
    renameSync(getPath(`${name}.part`), getPath(name));
  };
  const mark = (state: 'sent' | 'ended', cellName: string): void =>
    appendFileSync(getPath(inFlightName), `${state} ${cellName}\n`);
  return {
    listInFlight: () => {
      const file = getPath(inFlightName);
      const inFlight = new Set<string>();
      for (const line of existsSync(file) ? readTextFile(file).split('\n') : []) {
        const [, state, cellName] = /^(sent|ended) (.+)$/.exec(line) ?? [];
        if (cellName === undefined) continue;
        if (state === 'sent') inFlight.add(cellName);
        else inFlight.delete(cellName);
      }
      return [...inFlight];
    },
    replaceTrial: (pieces) => {
      replaceFile(trialFileName, pieces);
      rmSync(getPath(inFlightName), { force: true });
    },
    appendLine: (line) => appendFileSync(getPath(trialFileName), line),
    markSent: (cellName) => mark('sent', cellName),
    markEnded: (cellName) => mark('ended', cellName),
    writeResult: (name, text) => replaceFile(name, [text]),
    close: () => rmSync(getPath(lockName), { force: true }),
  };
}

/** Writes the ID of this process into the folder. The lock of a process that no longer runs is replaced. */
function lockFolder(folder: string): void {
  const file = path.join(folder, lockName);
  const owner = existsSync(file) ? Number(readTextFile(file)) : Number.NaN;
  // In a container, the next process may have the same ID.
  if (owner > 0 && owner !== process.pid && isProcessRunning(owner))
    throw new UsageError(
      `Process ${owner} is using ${folder}. Wait for it, choose another folder with --out, or remove ${file}.`,
    );
  writeFileSync(file, String(process.pid));
}

function isProcessRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // A process of another user exists as well.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
