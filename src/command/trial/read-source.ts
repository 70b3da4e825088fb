/** Reads the file of a trial: an exported trial or a promptfoo configuration. Nothing in it is executed or fetched. */
import { createHash } from 'node:crypto';
import path from 'node:path';

import type { NewCase } from '../../state/trials/store/trial-edits.ts';
import { parseCases } from '../../trials/files/parse-cases.ts';
import { describeImportNote } from '../../trials/files/promptfoo/config-notes.ts';
import {
  createTrialFromDraft,
  isPromptfooConfig,
  parsePromptfooConfig,
} from '../../trials/files/promptfoo/parse-promptfoo-config.ts';
import { isTrialFile, parseTrialFile, type ImportedTrial } from '../../trials/files/trial-file.ts';
import { createFolderFiles, readConfigText } from '../config-files.ts';
import { UsageError } from '../usage-error.ts';
import { readTextFile } from './trial-folder.ts';

/** Number of different random orders. */
const seedCount = 10_000;

/** A trial that was read, and what has to be said about its file. */
export interface TrialSource {
  imported: ImportedTrial;
  /** Bytes that define the trial, to recognise it again. */
  text: string;
  /** Parts of the file that were not read, with their reasons. */
  notes: string[];
}

/** Reads a file. Throws a UsageError if it is neither a trial nor a promptfoo configuration. */
export async function readTrialSource(file: string, newId: () => string): Promise<TrialSource> {
  const text = readTextFile(file);
  if (isTrialFile(text)) {
    const result = parseTrialFile(text.split('\n'), newId);
    if (!result.ok) throw new UsageError(`${file}, line ${result.line}: ${result.reason}`);
    return { imported: result, text, notes: [] };
  }
  if (!isPromptfooConfig(file, text))
    throw new UsageError(`${file} is neither an exported trial (JSON Lines) nor a promptfoo configuration.`);
  return readPromptfooSource(file, newId);
}

async function readPromptfooSource(file: string, newId: () => string): Promise<TrialSource> {
  const config = await readConfigText(file);
  if (!config.ok) throw new UsageError(`Could not read ${file}: ${config.reason}.`);
  const result = await parsePromptfooConfig(config.text, createFolderFiles(path.dirname(file)));
  if (!result.ok) throw new UsageError(`${file}: ${result.reason}`);
  const draft = { title: path.parse(file).name, ...result.draft };
  // Every shard reads the configuration by itself and has to draw the same order.
  const text = JSON.stringify(draft);
  const seed = createHash('sha256').update(text).digest().readUInt32BE() % seedCount;
  const { trial, cases } = await createTrialFromDraft(draft, { now: () => Date.now(), newId, seed });
  return {
    imported: { trial, cases, answers: [], marks: [], images: [], droppedFields: 0 },
    text,
    notes: [
      ...result.notes.map(describeImportNote),
      ...result.missingFiles.map((name) => `${name} was not found below the folder of the configuration.`),
    ],
  };
}

/** Cases from a file of their own. */
export interface CaseSource extends Pick<TrialSource, 'text' | 'notes'> {
  cases: NewCase[];
  fields: string[];
}

/** Reads cases from a CSV, JSON or JSON Lines file. Throws a UsageError if there are none. */
export function readCases(file: string): CaseSource {
  const text = readTextFile(file);
  const { cases, fields, invalidLines } = parseCases(text, { name: path.basename(file) });
  if (cases.length === 0) throw new UsageError(`${file} contains no cases.`);
  return { cases, fields, text, notes: invalidLines.map(({ reason }) => `${file}: ${reason}`) };
}
