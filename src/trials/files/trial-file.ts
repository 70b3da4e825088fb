/**
 * A trial as JSON Lines: exact, and it comes back in. Ids are those of the file alone, given in
 * order, and records are written in the order of their schemas; so export, import and export give the same bytes.
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
import type { Case, Cell, Mark, Trial } from '../trial.ts';

export const trialFormat = 'bench-trial';
/** 2: histories and answers with the opaque fields of their provider. */
export const trialVersion = 2;
/** Version of the formulas: another number would give other figures for the same answers. */
export const statisticsVersion = 1;

/** A cell with its run, and its tape where that was wished for. */
export interface TrialAnswer {
  cell: Cell;
  run: Run;
  tape?: readonly TapeEntry[];
}

/** What the ids of records become in a file, or in the trial that is made of one. */
interface Naming {
  trial: string;
  column: (id: string) => string;
  check: (id: string) => string;
  run: (id: RunId) => RunId;
}

function renamedTrial(trial: Trial, { trial: id, column, check }: Naming): Trial {
  const { decides, plan, state, follows: _, ...rest } = trial;
  const renamed = (columns: Trial['columns']) => columns.map((each) => ({ ...each, id: column(each.id) }));
  return {
    ...rest,
    id,
    columns: renamed(trial.columns),
    retired: { ...trial.retired, columns: renamed(trial.retired.columns) },
    checks: trial.checks.map((each) => ({ ...each, id: check(each.id) })),
    ...(decides === undefined ? {} : { decides: check(decides) }),
    baseline: column(trial.baseline),
    ...(plan
      ? {
          plan: {
            ...plan,
            columns: plan.columns.map(column),
            ...(plan.decides === undefined ? {} : { decides: check(plan.decides) }),
            baseline: column(plan.baseline),
          },
        }
      : {}),
    // Nobody asks for it where it comes in.
    state: state.name === 'running' ? { name: 'paused', at: trial.updatedAt, why: 'closed' } : state,
  };
}

function renamedAnswer({ cell, run, tape }: TrialAnswer, naming: Naming): TrialAnswer {
  const columnId = naming.column(cell.columnId);
  const runId = naming.run(cell.runId);
  const scores = Object.fromEntries(
    Object.entries(cell.scores).map(([id, score]) => [naming.check(id), score]),
  );
  return {
    cell: { ...cell, columnId, runId, scores },
    run: {
      ...run,
      id: runId,
      sessionId: naming.trial,
      ...(run.cell ? { cell: { ...run.cell, trialId: naming.trial, columnId } } : {}),
    },
    ...(tape ? { tape } : {}),
  };
}

function renamedMark(mark: Mark, { trial, column }: Naming): Mark {
  return { ...mark, trialId: trial, key: { ...mark.key, columnId: column(mark.key.columnId) } };
}

/** `a1`, `a2` and so on, in the order in which ids are first met. */
function numbered(prefix: string): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const name = known.get(id) ?? `${prefix}${known.size + 1}`;
    known.set(id, name);
    return name;
  };
}

/** The lines of a file; every one ends with a line break. Answers may come one by one, as they are read. */
export interface TrialWriter {
  /** The first line. `verdict`: its words and numbers, for whoever reads the file by eye. */
  head: (verdict: Json) => string;
  case: (each: Case) => string;
  answer: (each: TrialAnswer) => string;
  mark: (each: Mark) => string;
  /** `url`: its bytes as a data URL. */
  image: (hash: string, url: string) => string;
}

export function createTrialWriter(trial: Trial): TrialWriter {
  const naming = {
    trial: 'trial',
    column: numbered('column-'),
    check: numbered('check-'),
    run: numbered('run-'),
  };
  const renamed = v.parse(trialSchema, renamedTrial(changeMessages(trial, withoutImportMarks), naming));
  const isDemo = [...trial.columns, ...trial.retired.columns].some(({ setup }) =>
    setup.model.startsWith('demo/'),
  );
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
  return {
    head: (verdict) =>
      line({
        format: trialFormat,
        version: trialVersion,
        trial: renamed,
        verdict,
        statistics: statisticsVersion,
        ...(isDemo ? { note: demoNote } : {}),
      }),
    case: (each) => line({ case: v.parse(caseSchema, withoutHistoryMarks(each)) }),
    answer: (each) => {
      const { cell, run: markedRun, tape } = renamedAnswer(each, naming);
      const { isImported: _, ...run } = markedRun;
      return line({
        cell: v.parse(cellSchema, cell),
        run: v.parse(runSchema, run),
        ...(tape ? { tape: tape.map((entry) => readTapeEntry(entry) ?? entry) } : {}),
      });
    },
    mark: (each) => line({ mark: v.parse(markSchema, renamedMark(each, naming)) }),
    image: (hash, url) => line({ image: hash, data: url }),
  };
}

export interface ImportedTrial {
  trial: Trial;
  cases: Case[];
  answers: TrialAnswer[];
  marks: Mark[];
  /** What messages refer to, as data URLs; nobody has compared them with their hashes yet. */
  images: { hash: string; url: string; line: number }[];
  /** Number of opaque fields that no provider can have written, or that are too large: they are left out. */
  droppedFields: number;
}

export type TrialReading = ({ ok: true } & ImportedTrial) | { ok: false; line: number; reason: string };

const headSchema = v.object({
  format: v.literal(trialFormat),
  version: v.number(),
  trial: v.unknown(),
});

/** Whether this is the text of a trial's file, whatever else may be wrong with it. */
export function isTrialFile(text: string): boolean {
  const first = text.slice(0, 200).replace(/^\uFEFF/, '');
  return first.startsWith(`{"format":"${trialFormat}"`);
}

/** A trial under new ids, or what is wrong with the file, with its line: all or nothing. */
export function readTrialFile(lines: Iterable<string>, newId: () => string): TrialReading {
  let imported: ImportedTrial | undefined;
  let naming: Naming | undefined;
  let known = { columns: new Set<string>(), cases: new Set<string>() };
  let number = 0;
  let fieldCount = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const refused = (reason: string): TrialReading => ({ ok: false, line: number, reason });
    const reading = parseJson(number === 1 ? line.replace(/^\uFEFF/, '') : line);
    if (!reading.ok) return refused(`It is not valid JSON: ${reading.message}.`);
    fieldCount += countOpaqueFields(reading.value);
    if (!imported || !naming) {
      const trial = readHead(reading.value);
      if (typeof trial === 'string') return refused(trial);
      naming = { trial: newId(), column: fresh(newId), check: fresh(newId), run: fresh(newId) };
      imported = {
        trial: renamedTrial(trial, naming),
        cases: [],
        answers: [],
        marks: [],
        images: [],
        droppedFields: 0,
      };
      const columns = [...trial.columns, ...trial.retired.columns].map(({ id }) => id);
      known = { columns: new Set(columns), cases: new Set(trial.batches.flatMap(({ caseIds }) => caseIds)) };
      continue;
    }
    const image = readImage(reading.value);
    if (image === 'wrong') return refused('Its image cannot be read.');
    if (image) {
      imported.images.push({ ...image, line: number });
      continue;
    }
    const problem = readLine(reading.value, imported, naming, known);
    if (problem !== undefined) return refused(problem);
  }
  if (!imported) return { ok: false, line: 1, reason: 'The file is empty.' };
  const { trial, cases, answers } = imported;
  const droppedFields = fieldCount - countOpaqueFields([trial, cases, answers.map(({ run }) => run)]);
  return { ok: true, ...imported, droppedFields };
}

function fresh(newId: () => string): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const name = known.get(id) ?? newId();
    known.set(id, name);
    return name;
  };
}

function readHead(value: Json): Trial | string {
  const head = v.safeParse(headSchema, value);
  if (!head.success) return 'Its first line does not identify it as a Bench trial.';
  const { version, trial } = head.output;
  if (version !== trialVersion && version !== 1)
    return version > trialVersion
      ? `It was written by a newer version of Bench (format ${version}). This version reads format ${trialVersion}.`
      : 'Its version is unknown.';
  const read = v.safeParse(trialSchema, trial);
  if (read.success) return changeMessages(read.output, markImportedMessages);
  return `The trial cannot be read: ${v.getDotPath(read.issues[0]) ?? 'trial'}: ${read.issues[0].message}.`;
}

function withoutHistoryMarks({ history, ...each }: Case): Case {
  return history ? { ...each, history: withoutImportMarks(history) } : each;
}

/** Adds what the line holds; what is wrong with it, as a sentence. */
function readLine(
  value: Json,
  { cases, answers, marks }: ImportedTrial,
  naming: Naming,
  known: { columns: ReadonlySet<string>; cases: ReadonlySet<string> },
): string | undefined {
  if (!isRecord(value)) return 'It is not a line of a trial.';
  const isKnown = ({ caseId, columnId }: { caseId: string; columnId: string }): boolean =>
    known.cases.has(caseId) && known.columns.has(columnId);
  if ('case' in value) {
    const read = v.safeParse(caseSchema, value['case']);
    if (!read.success || !known.cases.has(read.output.id)) return 'It is not a case of this trial.';
    const { history } = read.output;
    cases.push(history ? { ...read.output, history: markImportedMessages(history) } : read.output);
    return undefined;
  }
  if ('cell' in value) {
    const cell = v.safeParse(cellSchema, value['cell']);
    const run = v.safeParse(runSchema, value['run']);
    const tape = readTape(getOwnProperty(value, 'tape'));
    if (!cell.success || !run.success || !isKnown(cell.output) || cell.output.runId !== run.output.id)
      return 'It is not an answer of this trial.';
    if (tape === 'wrong') return 'Its tape cannot be read.';
    const answer = { cell: cell.output, run: markImportedRun(run.output), ...(tape ? { tape } : {}) };
    answers.push(renamedAnswer(answer, naming));
    return undefined;
  }
  if ('mark' in value) {
    const read = v.safeParse(markSchema, value['mark']);
    if (!read.success || !isKnown(read.output.key)) return 'It is not a mark of this trial.';
    marks.push(renamedMark(read.output, naming));
    return undefined;
  }
  return 'It is not a line of a trial.';
}

const imageSchema = v.object({
  image: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  data: v.pipe(v.string(), v.regex(/^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]*={0,2}$/)),
});

function readImage(value: Json): { hash: string; url: string } | undefined | 'wrong' {
  if (!isRecord(value) || !('image' in value)) return undefined;
  const read = v.safeParse(imageSchema, value);
  return read.success ? { hash: read.output.image, url: read.output.data } : 'wrong';
}

function readTape(value: unknown): TapeEntry[] | undefined | 'wrong' {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return 'wrong';
  const entries = value.map(readTapeEntry);
  return entries.every((entry) => entry !== undefined) ? entries : 'wrong';
}
