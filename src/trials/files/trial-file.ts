/**
 * Exports and imports a trial as JSON Lines, without loss. IDs are numbered per file and keys follow the schemas, so
 * exporting, importing and exporting again yields identical bytes.
 */
import * as v from 'valibot';

import {
  countOpaqueFields,
  markImportedMessages,
  markImportedRun,
  withoutImportMarks,
} from '../../conversation/files/imported-fields.ts';
import { demoNote } from '../../conversation/files/session-export.ts';
import { readTapeEntry } from '../../conversation/files/tape-import.ts';
import { runSchema } from '../../conversation/session/session-schemas.ts';
import type { Run, RunId } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { isRecord, getOwnProperty, parseJson, type Json } from '../../lib/json.ts';
import { changeMessages } from '../edit-trial.ts';
import { caseSchema, cellSchema, markSchema, trialSchema } from '../trial-schemas.ts';
import { getTrialRules, type Case, type Cell, type Mark, type Trial } from '../trial.ts';

export const trialFormat = 'bench-trial';
/**
 * Version 2 adds the opaque provider fields of histories and answers. Version 3 adds the gateways of columns, the budget
 * and the token counts from which costs are computed. Version 4 adds the rules of the plan, groups, and copied answers,
 * version 5 documents and sounds of messages, version 6 columns with copied answers.
 */
export const trialVersion = 6;
const readableVersions = new Set([1, 2, 3, 4, 5, trialVersion]);

/** A cell with its run, and its tape if requested. */
export interface TrialAnswer {
  cell: Cell;
  run: Run;
  tape?: readonly TapeEntry[];
}

/** Maps record IDs to those in a file, or to those of the imported trial. */
interface IdMapping {
  trial: string;
  mapColumnId: (id: string) => string;
  mapCheckId: (id: string) => string;
  mapRunId: (id: RunId) => RunId;
}

function renameTrialIds(trial: Trial, { trial: id, mapColumnId, mapCheckId }: IdMapping): Trial {
  const { decides, plan, state, discardedUsage, follows: _, ...rest } = trial;
  const renameColumns = (columns: Trial['columns']) =>
    columns.map((item) => ({ ...item, id: mapColumnId(item.id) }));
  return {
    ...rest,
    id,
    columns: renameColumns(trial.columns),
    retired: { ...trial.retired, columns: renameColumns(trial.retired.columns) },
    checks: trial.checks.map((item) => ({ ...item, id: mapCheckId(item.id) })),
    ...(decides === undefined ? {} : { decides: mapCheckId(decides) }),
    baseline: mapColumnId(trial.baseline),
    ...(discardedUsage
      ? {
          discardedUsage: Object.fromEntries(
            Object.entries(discardedUsage).map(([columnId, usage]) => [mapColumnId(columnId), usage]),
          ),
        }
      : {}),
    ...(plan
      ? {
          plan: {
            ...plan,
            columns: plan.columns.map(mapColumnId),
            ...(plan.decides === undefined ? {} : { decides: mapCheckId(plan.decides) }),
            baseline: mapColumnId(plan.baseline),
          },
        }
      : {}),
    // No tab is running the imported trial.
    state: state.name === 'running' ? { name: 'paused', at: trial.updatedAt, why: 'closed' } : state,
  };
}

function renameAnswerIds({ cell, run, tape }: TrialAnswer, idMapping: IdMapping): TrialAnswer {
  const columnId = idMapping.mapColumnId(cell.columnId);
  const runId = idMapping.mapRunId(cell.runId);
  const scores = Object.fromEntries(
    Object.entries(cell.scores).map(([id, score]) => [idMapping.mapCheckId(id), score]),
  );
  return {
    cell: { ...cell, columnId, runId, scores },
    run: {
      ...run,
      id: runId,
      sessionId: idMapping.trial,
      ...(run.cell ? { cell: { ...run.cell, trialId: idMapping.trial, columnId } } : {}),
    },
    ...(tape ? { tape } : {}),
  };
}

function renameMarkIds(mark: Mark, { trial, mapColumnId }: IdMapping): Mark {
  return { ...mark, trialId: trial, key: { ...mark.key, columnId: mapColumnId(mark.key.columnId) } };
}

/** Returns a function that numbers IDs in order of appearance: `a1`, `a2` and so on for the prefix `a`. */
function createNumberedIdMapper(prefix: string, firstNumber = 1): (id: string) => string {
  const newIds = new Map<string, string>();
  return (id) => {
    const name = newIds.get(id) ?? `${prefix}${newIds.size + firstNumber}`;
    newIds.set(id, name);
    return name;
  };
}

/** Writes the lines of a file, each with its line break. Answers can be written one at a time as they are read. */
export interface TrialWriter {
  /**
   * Writes the first line. `verdict` and `costs` contain sentences and numbers for users of the file, `command` what the
   * trial command needs to continue.
   */
  writeHeader: (verdict: Json, costs?: Json, command?: Json) => string;
  writeCase: (testCase: Case) => string;
  writeAnswer: (answer: TrialAnswer) => string;
  writeMark: (mark: Mark) => string;
  /** Writes an image or file; `url` is a data URL. */
  writeImage: (hash: string, url: string) => string;
}

/** Creates a writer of lines. `firstRun` is the number of the first run, for lines that continue a file. */
export function createTrialWriter(trial: Trial, firstRun = 1): TrialWriter {
  const idMapping = {
    trial: 'trial',
    mapColumnId: createNumberedIdMapper('column-'),
    mapCheckId: createNumberedIdMapper('check-'),
    mapRunId: createNumberedIdMapper('run-', firstRun),
  };
  const renamedTrial = v.parse(
    trialSchema,
    renameTrialIds(changeMessages(trial, withoutImportMarks), idMapping),
  );
  const isDemo = [...trial.columns, ...trial.retired.columns].some(({ setup }) =>
    setup.model.startsWith('demo/'),
  );
  const formatLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
  return {
    writeHeader: (verdict, costs, command) =>
      formatLine({
        format: trialFormat,
        version: trialVersion,
        trial: renamedTrial,
        verdict,
        ...(costs === undefined ? {} : { costs }),
        ...(command === undefined ? {} : { command }),
        statistics: getTrialRules(trial),
        ...(isDemo ? { note: demoNote } : {}),
      }),
    writeCase: (testCase) => formatLine({ case: v.parse(caseSchema, withoutHistoryMarks(testCase)) }),
    writeAnswer: (answer) => {
      const { cell, run: markedRun, tape } = renameAnswerIds(answer, idMapping);
      const { isImported: _, ...run } = markedRun;
      return formatLine({
        cell: v.parse(cellSchema, cell),
        run: v.parse(runSchema, run),
        ...(tape ? { tape: tape.map((entry) => readTapeEntry(entry) ?? entry) } : {}),
      });
    },
    writeMark: (mark) => formatLine({ mark: v.parse(markSchema, renameMarkIds(mark, idMapping)) }),
    writeImage: (hash, url) => formatLine({ image: hash, data: url }),
  };
}

export interface ImportedTrial {
  trial: Trial;
  cases: Case[];
  answers: TrialAnswer[];
  marks: Mark[];
  /** Images referenced by messages, as data URLs. Their hashes are not verified yet. */
  images: { hash: string; url: string; line: number }[];
  /** Number of omitted opaque fields: too large, or not from any provider. */
  droppedFields: number;
}

export type TrialFileResult = ({ ok: true } & ImportedTrial) | { ok: false; line: number; reason: string };

const headerSchema = v.object({
  format: v.literal(trialFormat),
  version: v.number(),
  trial: v.unknown(),
});

/** Returns true if the text begins like a trial file, valid or not. */
export function isTrialFile(text: string): boolean {
  const [, format] = /^\uFEFF?\s*\{\s*"format"\s*:\s*"([^"]*)"/.exec(text.slice(0, 200)) ?? [];
  return format === trialFormat;
}

/**
 * Returns the trial under new IDs, or the first error with its line number. Nothing is imported from a file with an
 * error. `newRunId` creates the IDs of runs, if they differ from the others.
 */
export function parseTrialFile(
  lines: Iterable<string>,
  newId: () => string,
  newRunId: () => string = newId,
): TrialFileResult {
  let imported: ImportedTrial | undefined;
  let idMapping: IdMapping | undefined;
  let knownIds = { columns: new Set<string>(), cases: new Set<string>() };
  let lineNumber = 0;
  let fieldCount = 0;
  for (const line of lines) {
    lineNumber += 1;
    if (line.trim() === '') continue;
    const createError = (reason: string): TrialFileResult => ({ ok: false, line: lineNumber, reason });
    const parsed = parseJson(lineNumber === 1 ? line.replace(/^\uFEFF/, '') : line);
    if (!parsed.ok) return createError(`Not valid JSON: ${parsed.message}.`);
    fieldCount += countOpaqueFields(parsed.value);
    if (!imported || !idMapping) {
      const trial = parseHeader(parsed.value);
      if (typeof trial === 'string') return createError(trial);
      idMapping = {
        trial: newId(),
        mapColumnId: createIdMapper(newId),
        mapCheckId: createIdMapper(newId),
        mapRunId: createIdMapper(newRunId),
      };
      imported = {
        trial: renameTrialIds(trial, idMapping),
        cases: [],
        answers: [],
        marks: [],
        images: [],
        droppedFields: 0,
      };
      const columns = [...trial.columns, ...trial.retired.columns].map(({ id }) => id);
      knownIds = {
        columns: new Set(columns),
        cases: new Set(trial.batches.flatMap(({ caseIds }) => caseIds)),
      };
      continue;
    }
    const image = parseImage(parsed.value);
    if (image === 'wrong') return createError('The image cannot be read.');
    if (image) {
      imported.images.push({ ...image, line: lineNumber });
      continue;
    }
    const problem = parseLine(parsed.value, imported, idMapping, knownIds);
    if (problem !== undefined) return createError(problem);
  }
  if (!imported) return { ok: false, line: 1, reason: 'The file is empty.' };
  const { trial, cases, answers } = imported;
  const droppedFields = fieldCount - countOpaqueFields([trial, cases, answers.map(({ run }) => run)]);
  return { ok: true, ...imported, droppedFields };
}

function createIdMapper(newId: () => string): (id: string) => string {
  const newIds = new Map<string, string>();
  return (id) => {
    const name = newIds.get(id) ?? newId();
    newIds.set(id, name);
    return name;
  };
}

function parseHeader(value: Json): Trial | string {
  const header = v.safeParse(headerSchema, value);
  if (!header.success) return 'This is not a Bench trial file.';
  const { version, trial } = header.output;
  if (!readableVersions.has(version))
    return version > trialVersion
      ? `The file was written by a newer version of Bench (format ${version}). This version reads format ${trialVersion}.`
      : 'The format version is unknown.';
  const result = v.safeParse(trialSchema, trial);
  if (result.success) return changeMessages(result.output, markImportedMessages);
  return `The trial cannot be read: ${v.getDotPath(result.issues[0]) ?? 'trial'}: ${result.issues[0].message}.`;
}

function withoutHistoryMarks({ history, ...each }: Case): Case {
  return history ? { ...each, history: withoutImportMarks(history) } : each;
}

/** Adds the content of a line; returns a sentence if the line is invalid. */
function parseLine(
  value: Json,
  { cases, answers, marks }: ImportedTrial,
  idMapping: IdMapping,
  knownIds: { columns: ReadonlySet<string>; cases: ReadonlySet<string> },
): string | undefined {
  if (!isRecord(value)) return 'Not a line of a trial file.';
  const isKnownCell = ({ caseId, columnId }: { caseId: string; columnId: string }): boolean =>
    knownIds.cases.has(caseId) && knownIds.columns.has(columnId);
  if ('case' in value) {
    const result = v.safeParse(caseSchema, value['case']);
    if (!result.success || !knownIds.cases.has(result.output.id))
      return 'The case does not belong to this trial.';
    const { history } = result.output;
    cases.push(history ? { ...result.output, history: markImportedMessages(history) } : result.output);
    return undefined;
  }
  if ('cell' in value) {
    const cell = v.safeParse(cellSchema, value['cell']);
    const run = v.safeParse(runSchema, value['run']);
    const tape = parseTape(getOwnProperty(value, 'tape'));
    if (!cell.success || !run.success || !isKnownCell(cell.output) || cell.output.runId !== run.output.id)
      return 'The answer does not belong to this trial.';
    if (tape === 'wrong') return 'The recording cannot be read.';
    const answer = { cell: cell.output, run: markImportedRun(run.output), ...(tape ? { tape } : {}) };
    answers.push(renameAnswerIds(answer, idMapping));
    return undefined;
  }
  if ('mark' in value) {
    const result = v.safeParse(markSchema, value['mark']);
    if (!result.success || !isKnownCell(result.output.key)) return 'The mark does not belong to this trial.';
    marks.push(renameMarkIds(result.output, idMapping));
    return undefined;
  }
  return 'Not a line of a trial file.';
}

const imageSchema = v.object({
  image: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  data: v.pipe(
    v.string(),
    v.regex(/^data:(?:image|audio|application)\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]*={0,2}$/),
  ),
});

function parseImage(value: Json): { hash: string; url: string } | undefined | 'wrong' {
  if (!isRecord(value) || !('image' in value)) return undefined;
  const result = v.safeParse(imageSchema, value);
  return result.success ? { hash: result.output.image, url: result.output.data } : 'wrong';
}

function parseTape(value: unknown): TapeEntry[] | undefined | 'wrong' {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return 'wrong';
  const entries = value.map(readTapeEntry);
  return entries.every((entry) => entry !== undefined) ? entries : 'wrong';
}
