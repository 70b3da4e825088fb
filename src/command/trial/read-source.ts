/** Reads the file of a trial: an exported trial or a promptfoo configuration. Nothing in it is executed or fetched. */
import path from 'node:path';

import type { NewCase } from '../../state/trials/store/trial-edits.ts';
import { parseCases } from '../../trials/files/parse-cases.ts';
import { isTrialFile, parseTrialFile, type ImportedTrial } from '../../trials/files/trial-file.ts';
import { UsageError } from '../usage-error.ts';
import { readTextFile } from './trial-folder.ts';

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
  throw new UsageError(`${file} is neither an exported trial (JSON Lines) nor a promptfoo configuration.`);
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
