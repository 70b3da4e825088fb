/** Trials as files: CSV for spreadsheets, JSON Lines that come back in. Loaded with the first that is asked for. */
import { toFileName } from '../../conversation/files/session-export.ts';
import { interruptRun } from '../../conversation/reply/run.ts';
import { findImageHashes, imageHashesInRuns } from '../../conversation/request/message-images.ts';
import type { Message } from '../../gateway/wire.ts';
import type { Json } from '../../lib/json.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { cellName, drawnOrder } from '../../trials/case-order.ts';
import { answerText } from '../../trials/cell.ts';
import { plainWords, type VerdictWords } from '../../trials/describe-verdict.ts';
import { trialCsv, type CsvCell } from '../../trials/files/trial-csv.ts';
import { createTrialWriter, readTrialFile, type ImportedTrial } from '../../trials/files/trial-file.ts';
import { cellBlocks, packTape } from '../../trials/trial-schemas.ts';
import type { Cell, TrialId } from '../../trials/trial.ts';
import type { Verdict } from '../../trials/verdict.ts';
import { importedImages } from '../drafts/image-store.ts';
import type { CellReading, TrialFile } from './open-trial.ts';
import { currentScore, type Standings } from './results/trial-results.ts';
import { casePlaces, casesWrites, readCellRun, readStoredTrial, storedCellRun } from './trial-records.ts';

export interface FileParts extends Standings {
  /** Undefined where it cannot be read. */
  read: (cell: Cell) => Promise<CellReading | undefined>;
  /** Data URLs of stored images by hash; absent where the file has them elsewhere. */
  images?: (hashes: readonly string[]) => Promise<Record<string, string>>;
}

/** One line a cell, in the drawn order, retired ones last. */
export async function csvFile(parts: FileParts, isGuarded: boolean): Promise<TrialFile> {
  const { trial, cases, marks } = parts;
  const cells: CsvCell[] = [];
  for (const cell of inOrder(parts)) {
    const reading = await parts.read(cell);
    const of = cases.get(cell.caseId);
    if (!reading || !of) continue;
    const mark = marks.get(cellName(cell))?.mark;
    const { returnedRequestId, requestId } = reading.run;
    const id = returnedRequestId ?? requestId;
    cells.push({
      cell: withScores(parts, cell),
      case: of,
      answer: answerText(reading.run),
      ...(id === undefined ? {} : { requestId: id }),
      ...(mark ? { mark } : {}),
    });
  }
  return {
    name: toFileName(trial.title, 'csv'),
    type: 'text/csv',
    pieces: [...trialCsv(trial, cells, isGuarded)],
  };
}

/** All of it, exactly. A run that cannot be read any more is left out with its cell. */
export async function jsonLinesFile(
  parts: FileParts,
  { verdict, words }: { verdict: Verdict | undefined; words: VerdictWords },
  withTapes: boolean,
): Promise<TrialFile> {
  const { trial, cases, marks } = parts;
  const writer = createTrialWriter(trial);
  const hashes = new Set(findImageHashes(messagesOf(parts)));
  const pieces = [writer.head(verdictJson(verdict, words))];
  for (const id of trial.batches.flatMap(({ caseIds }) => caseIds)) {
    const of = cases.get(id);
    if (of) pieces.push(writer.case(of));
  }
  for (const cell of inOrder(parts)) {
    const reading = await parts.read(cell);
    if (!reading) continue;
    const { run, tape } = reading;
    for (const hash of imageHashesInRuns([run])) hashes.add(hash);
    pieces.push(writer.answer({ cell, run, ...(withTapes ? { tape } : {}) }));
  }
  for (const mark of [...marks.values()].toSorted((one, other) => one.at - other.at))
    pieces.push(writer.mark(mark));
  const images = (await parts.images?.([...hashes])) ?? {};
  for (const [hash, url] of Object.entries(images).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    pieces.push(writer.image(hash, url));
  return { name: toFileName(trial.title, 'jsonl'), type: 'application/jsonl', pieces };
}

/** Writes the lines of a stored trial without its tapes and lists its images. The import computes the verdict again. */
export async function storedTrialLines(
  records: RecordStore,
  id: TrialId,
): Promise<{ lines: string[]; hashes: string[] }> {
  const stored = await readStoredTrial(records, id);
  if (!stored) return { lines: [], hashes: [] };
  const { trial } = stored;
  const hashes: string[] = [];
  const read = async (cell: Cell): Promise<CellReading | undefined> => {
    const run = readCellRun(await records.record('runs', cell.runId), trial);
    return run && { run, tape: [] };
  };
  // The file holds the images once for all of its trials.
  const images = async (of: readonly string[]) => {
    hashes.push(...of);
    return {};
  };
  const unsaid = { verdict: undefined, words: { first: [], below: [], method: '' } };
  const { pieces } = await jsonLinesFile({ ...stored, read, images }, unsaid, false);
  return { lines: pieces.map((line) => line.trimEnd()), hashes };
}

/** All that is sent of it, or was. */
function messagesOf({ trial, cases }: Pick<Standings, 'trial' | 'cases'>): Message[] {
  const columns = [...trial.columns, ...trial.retired.columns];
  return [
    ...trial.messages,
    ...columns.flatMap((column) => column.messages ?? []),
    ...[...cases.values()].flatMap(({ history = [] }) => history),
  ];
}

/** For whoever reads the file by eye: it is made again where the file comes in. */
function verdictJson(verdict: Verdict | undefined, { first, below, method }: VerdictWords): Json {
  if (!verdict) return null;
  return {
    words: [first, ...below].map(plainWords),
    method,
    cases: verdict.cases,
    counted: verdict.counted,
    comparisons: verdict.comparisons.map(({ column, outcome, difference, range, evidence, needed }) => ({
      column,
      outcome,
      difference,
      range: range ? [range[0], range[1]] : null,
      evidence,
      needed,
    })),
  };
}

/** In the drawn order, column by column; what is retired comes last. Of what was taken out while it was asked there is none. */
function inOrder({ trial, cells }: Standings): Cell[] {
  const rows = new Map([...drawnOrder(trial), ...trial.retired.caseIds].map((id, row) => [id, row]));
  const columns = new Map([...trial.columns, ...trial.retired.columns].map(({ id }, place) => [id, place]));
  const placed = [...cells.values()].flatMap((cell) => {
    const [row, column] = [rows.get(cell.caseId), columns.get(cell.columnId)];
    if (row === undefined || column === undefined) return [];
    return [{ cell, place: (row * columns.size + column) * 100 + cell.repeat }];
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ cell }) => cell);
}

/** With the scores as the screen counts them, marks too. */
function withScores({ trial, cases, marks }: Standings, cell: Cell): Cell {
  const values = cases.get(cell.caseId)?.values ?? {};
  const scores = trial.checks.flatMap((check) => {
    const score = currentScore(check, cell, values, marks.get(cellName(cell)));
    return score ? [[check.id, score] as const] : [];
  });
  return { ...cell, scores: Object.fromEntries(scores) };
}

export type TrialImport =
  | { ok: true; id: string; title: string; droppedFields: number }
  | { ok: false; line: number; reason: string };

/** A trial file into the store: all of it in one transaction, or nothing, with the line that is wrong. */
export async function importTrial(
  records: RecordStore,
  lines: Iterable<string>,
  newId: () => string,
): Promise<TrialImport> {
  const reading = readTrialFile(lines, newId);
  if (!reading.ok) return reading;
  const images: Write[] = [];
  for (const { hash, url, line } of reading.images) {
    const writes = await importedImages(records, { [hash]: url });
    if (!writes) return { ok: false, line, reason: 'Its image does not match its hash.' };
    images.push(...writes);
  }
  await records.write([...(await importedWrites(reading)), ...images], { strict: true });
  const { trial, droppedFields } = reading;
  return { ok: true, id: trial.id, title: trial.title, droppedFields };
}

/** Everything of a trial that comes in under new ids, but its images. */
export async function importedWrites({ trial, cases, answers, marks }: ImportedTrial): Promise<Write[]> {
  const places = casePlaces(trial);
  const known = new Map(cases.map((each) => [each.id, each]));
  const tapes = await Promise.all(
    answers.map(async ({ run, tape }): Promise<Write[]> => {
      if (!tape) return [];
      const packed = await packTape(tape);
      return [
        { store: 'tapes', put: { runId: run.id, firstSeq: 0, entries: [], packed, count: tape.length } },
      ];
    }),
  );
  return [
    { store: 'trials', put: trial },
    ...casesWrites(trial, known),
    ...cellBlocks(
      trial.id,
      answers.map(({ cell }) => cell),
      (caseId) => places.get(caseId) ?? 0,
    ).map((put): Write => ({ store: 'cells', put })),
    ...answers.map(({ cell, run }): Write => ({
      store: 'runs',
      put: storedCellRun(interruptRun(run), cell.columnId),
    })),
    ...tapes.flat(),
    ...marks.map((put): Write => ({ store: 'marks', put })),
  ];
}
