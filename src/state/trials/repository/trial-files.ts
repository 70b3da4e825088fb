/** Trial files: CSV for spreadsheets, and JSON Lines that can be imported again. Loaded on first export or import. */
import { chunk, omit } from 'es-toolkit';

import { toFileName } from '../../../conversation/files/session-export.ts';
import type { Cost, ModelPrice } from '../../../conversation/reply/cost.ts';
import { interruptRun } from '../../../conversation/reply/run.ts';
import { findMediaHashes, findRunImageHashes } from '../../../conversation/request/message-images.ts';
import type { ModelChoice } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import type { Json } from '../../../lib/json.ts';
import { getDisplayTitle } from '../../../lib/text/trim.ts';
import type { RecordStore, Write } from '../../../storage/record-store.ts';
import { getCellId, getCaseOrder } from '../../../trials/case-order.ts';
import { getCheckedText } from '../../../trials/cell.ts';
import { getCurrentScore, isExcluded } from '../../../trials/checks/score-answer.ts';
import { buildTrialCsv, type CsvCell } from '../../../trials/files/trial-csv.ts';
import { createTrialWriter, parseTrialFile, type ImportedTrial } from '../../../trials/files/trial-file.ts';
import { computeUsageCost, toUsageSum } from '../../../trials/trial-cost.ts';
import { buildCellBlocks } from '../../../trials/trial-schemas.ts';
import type { Case, Cell, Column, TrialId } from '../../../trials/trial.ts';
import type { Verdict } from '../../../trials/verdict.ts';
import { buildImageWrites } from '../../drafts/image-data.ts';
import type { TrialCosts } from '../results/trial-results.ts';
import {
  buildPackedTapeWrites,
  buildTrialDraftWrites,
  getCaseIndexes,
  readAnswer,
  readTrialRun,
  readStoredTrial,
  toStoredCellRun,
  type AnswerSource,
  type CellData,
  type TrialData,
} from './trial-records.ts';

export interface TrialFile {
  name: string;
  type: string;
  pieces: string[];
}

/** A verdict in sentences, for a file. */
export interface VerdictSummary {
  words: string[];
  method: string;
}

export interface TrialFileInput extends TrialData {
  /** Returns the data of a cell, with its tape on request; undefined if it cannot be read. */
  readCell: (cell: Cell, includesTape: boolean) => Promise<CellData | undefined>;
  /** Returns the current price of a column's model; absent if the file states no costs. */
  getPrice?: (choice: ModelChoice) => ModelPrice | undefined;
  costs?: TrialCosts;
  /** The current verdict, which states the counted cases; absent if the file does not contain it. */
  verdict?: Verdict | undefined;
  /** Returns data URLs of stored images by hash; absent if the file contains them elsewhere. */
  readImages?: (hashes: readonly string[]) => Promise<Record<string, string>>;
}

/** Number of cells that are read at the same time, because each of them waits for the database. */
const cellsPerRead = 64;

/** Reads the cells in the order of a file. Cells that cannot be read are omitted. */
async function* readCells(
  input: TrialFileInput,
  includesTapes: boolean,
): AsyncGenerator<{ cell: Cell } & CellData> {
  for (const cells of chunk(sortCells(input), cellsPerRead)) {
    const answers = await Promise.all(cells.map((cell) => input.readCell(cell, includesTapes)));
    for (const [index, cell] of cells.entries()) {
      const answer = answers[index];
      if (answer) yield { cell, ...answer };
    }
  }
}

/** Builds a CSV file with one row per cell. Cases are in random order, retired ones last. */
export async function buildCsvFile(input: TrialFileInput, escapeFormulas: boolean): Promise<TrialFile> {
  const { trial, cases, marks } = input;
  const getCounted = createCountedLookup(input);
  const cells: CsvCell[] = [];
  for await (const { cell, run } of readCells(input, false)) {
    const testCase = cases.get(cell.caseId);
    if (!testCase) continue;
    const mark = marks.get(getCellId(cell))?.mark;
    const { returnedRequestId, requestId, gateway, setup } = run;
    const usage = toUsageSum(cell);
    const [amountEntry] = Object.entries(
      (usage && computeUsageCost(usage, input.getPrice?.(setup)))?.amounts ?? {},
    );
    const id = returnedRequestId ?? requestId;
    cells.push({
      cell: withScores(input, cell),
      case: testCase,
      answer: getCheckedText(run),
      ...(id === undefined ? {} : { requestId: id }),
      ...(mark ? { mark } : {}),
      ...getCounted(cell, testCase),
      ...(gateway === undefined ? {} : { gateway }),
      ...(amountEntry ? { cost: { currency: amountEntry[0], amount: amountEntry[1] } } : {}),
    });
  }
  return {
    name: toFileName(trial.title, 'csv'),
    type: 'text/csv',
    pieces: [...buildTrialCsv(trial, cells, escapeFormulas)],
  };
}

/** Returns a function that tells whether a cell counts for the deciding check, so that a file contains the verdict. */
function createCountedLookup({
  trial,
  verdict,
}: TrialFileInput): (cell: Cell, testCase: Case) => Pick<CsvCell, 'counted'> {
  const check = trial.checks.find(({ id }) => id === trial.decides);
  if (!check || !verdict) return () => ({});
  const order = getCaseOrder(trial);
  const countedByColumn = new Map(
    trial.columns.map(({ id }, column) => [
      id,
      new Set(verdict.columns[column]?.rows.map((row) => order[row])),
    ]),
  );
  return ({ columnId, caseId }, { values }) => {
    const counted = countedByColumn.get(columnId);
    if (!counted) return {};
    if (isExcluded(check, values)) return { counted: 'left out' };
    return { counted: counted.has(caseId) ? 'yes' : 'no' };
  };
}

/**
 * Builds a lossless export. Cells whose run cannot be read any more are omitted. `command` is stored for the trial
 * command.
 */
export async function buildJsonLinesFile(
  input: TrialFileInput,
  verdict: Verdict | undefined,
  summary: VerdictSummary,
  includeTapes: boolean,
  command?: Json,
): Promise<TrialFile> {
  const { trial, cases, marks } = input;
  const writer = createTrialWriter(trial);
  const hashes = new Set(findMediaHashes(listMessages(input)));
  const pieces = [writer.writeHeader(buildVerdictJson(verdict, summary), buildCostsJson(input), command)];
  for (const id of trial.batches.flatMap(({ caseIds }) => caseIds)) {
    const testCase = cases.get(id);
    if (testCase) pieces.push(writer.writeCase(testCase));
  }
  for await (const { cell, run, tape } of readCells(input, includeTapes)) {
    for (const hash of findRunImageHashes([run])) hashes.add(hash);
    pieces.push(
      writer.writeAnswer({
        cell: withoutExcludedScores(input, cell),
        run,
        ...(includeTapes ? { tape } : {}),
      }),
    );
  }
  for (const mark of [...marks.values()].toSorted((a, b) => a.at - b.at)) pieces.push(writer.writeMark(mark));
  const images = (await input.readImages?.([...hashes])) ?? {};
  for (const [hash, url] of Object.entries(images).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    pieces.push(writer.writeImage(hash, url));
  return { name: toFileName(trial.title, 'jsonl'), type: 'application/jsonl', pieces };
}

/**
 * Returns the title of a stored trial, its lines without tapes, and the hashes of its images; undefined if there is
 * none. The import recomputes the verdict.
 */
export async function readTrialLines(
  records: RecordStore,
  id: TrialId,
): Promise<{ title: string; lines: string[]; hashes: string[] } | undefined> {
  const storedTrial = await readStoredTrial(records, id);
  if (!storedTrial) return undefined;
  const { trial } = storedTrial;
  const hashes: string[] = [];
  const readCell = async (cell: Cell): Promise<CellData | undefined> => {
    const run = await readTrialRun(records, trial, cell.runId);
    return run && { run, tape: [] };
  };
  // The file contains each image once for all trials.
  const collectHashes = async (imageHashes: readonly string[]) => {
    hashes.push(...imageHashes);
    return {};
  };
  const { pieces } = await buildJsonLinesFile(
    { ...storedTrial, readCell, readImages: collectHashes },
    undefined,
    { words: [], method: '' },
    false,
  );
  return { title: trial.title, lines: pieces.map((line) => line.trimEnd()), hashes };
}

/** Stores a copy of a trial with its answers and tapes under new IDs. */
export async function duplicateTrial(source: AnswerSource, id: TrialId, newId: () => string): Promise<void> {
  const { records } = source;
  const storedTrial = await readStoredTrial(records, id);
  if (!storedTrial) return;
  const { trial } = storedTrial;
  const { pieces } = await buildJsonLinesFile(
    {
      ...storedTrial,
      trial: { ...trial, title: `${getDisplayTitle(trial.title)} (copy)` },
      readCell: (cell) => readAnswer(source, trial, cell),
    },
    undefined,
    { words: [], method: '' },
    true,
  );
  const result = await importTrialFile(records, pieces, newId);
  if (!result.ok) throw new Error(result.reason);
}

/** Returns all messages that the trial sends or has sent. */
function listMessages({ trial, cases }: Pick<TrialData, 'trial' | 'cases'>): Message[] {
  const columns = [...trial.columns, ...trial.retired.columns];
  return [
    ...trial.messages,
    ...columns.flatMap((column) => column.messages ?? []),
    ...[...cases.values()].flatMap(({ history = [] }) => history),
  ];
}

/** Builds a readable summary of the verdict; the import recomputes it. */
function buildVerdictJson(verdict: Verdict | undefined, { words, method }: VerdictSummary): Json {
  if (!verdict) return null;
  return {
    words,
    method,
    cases: verdict.cases,
    counted: verdict.counted,
    comparisons: verdict.comparisons.map(
      ({ column, outcome, difference, interval, evidence, logEvidence, requiredEvidence }) => ({
        column,
        outcome,
        difference,
        range: interval ? [interval[0], interval[1]] : null,
        // JSON has no number for evidence above 1e308, but for its logarithm.
        evidence: Number.isFinite(evidence) ? evidence : null,
        logEvidence,
        needed: requiredEvidence,
      }),
    ),
  };
}

/** Builds the costs at the prices of the export; `undefined` without a known cost. The import recomputes them. */
function buildCostsJson({ trial, costs }: TrialFileInput): Json | undefined {
  if (!costs?.total || costs.total.source === 'unknown') return undefined;
  const buildCost = (cost: Cost | undefined): Json =>
    cost ? { amounts: { ...cost.amounts }, estimated: cost.isEstimated, unpriced: cost.unpricedCount } : null;
  return {
    total: buildCost(costs.total),
    columns: trial.columns.map((_, index) => buildCost(costs.byColumn[index])),
  };
}

/**
 * Sorts cells by the random order of the cases and by column, retired ones last. Cells of cases that were removed while
 * in flight are omitted.
 */
function sortCells({ trial, cells }: TrialData): Cell[] {
  const rows = new Map([...getCaseOrder(trial), ...trial.retired.caseIds].map((id, row) => [id, row]));
  const columns = new Map([...trial.columns, ...trial.retired.columns].map(({ id }, index) => [id, index]));
  const positionedCells = [...cells.values()].flatMap((cell) => {
    const [row, column] = [rows.get(cell.caseId), columns.get(cell.columnId)];
    if (row === undefined || column === undefined) return [];
    return [{ cell, sortIndex: (row * columns.size + column) * 100 + cell.repeat }];
  });
  return positionedCells.toSorted((a, b) => a.sortIndex - b.sortIndex).map(({ cell }) => cell);
}

/** Returns the cell without scores of checks that its case is left out of. The import computes them again. */
function withoutExcludedScores({ trial, cases }: TrialData, cell: Cell): Cell {
  const values = cases.get(cell.caseId)?.values ?? {};
  const excludedIds = trial.checks.filter((check) => isExcluded(check, values)).map(({ id }) => id);
  return excludedIds.length === 0 ? cell : { ...cell, scores: omit(cell.scores, excludedIds) };
}

/** Returns the cell with its current scores, including marks. */
function withScores({ trial, cases, marks }: TrialData, cell: Cell): Cell {
  const values = cases.get(cell.caseId)?.values ?? {};
  const scores = trial.checks.flatMap((check) => {
    const score = getCurrentScore(check, cell, values, marks.get(getCellId(cell)));
    return score ? [[check.id, score] as const] : [];
  });
  return { ...cell, scores: Object.fromEntries(scores) };
}

export type TrialImportResult =
  | { ok: true; id: string; title: string; droppedFields: number; columns: readonly Column[] }
  | { ok: false; line: number; reason: string };

/** Imports a trial file in one transaction, or rejects it with the faulty line. */
export async function importTrialFile(
  records: RecordStore,
  lines: Iterable<string>,
  newId: () => string,
): Promise<TrialImportResult> {
  const result = parseTrialFile(lines, newId);
  if (!result.ok) return result;
  const error = await storeImportedTrial(records, result);
  if (error) return { ok: false, ...error };
  const { trial, droppedFields } = result;
  return { ok: true, id: trial.id, title: trial.title, droppedFields, columns: trial.columns };
}

/** Stores a trial read from a file in one transaction. Returns the line of an image that is damaged, if any. */
export async function storeImportedTrial(
  records: RecordStore,
  imported: ImportedTrial,
): Promise<{ line: number; reason: string } | undefined> {
  const images: Write[] = [];
  for (const { hash, url, line } of imported.images) {
    const writes = await buildImageWrites(records, { [hash]: url });
    if (!writes) return { line, reason: 'The image does not match its hash.' };
    images.push(...writes);
  }
  await records.write([...(await buildImportWrites(imported)), ...images], { strict: true });
  return undefined;
}

/** Returns the writes for an imported trial under new IDs, without images. */
export async function buildImportWrites({ trial, cases, answers, marks }: ImportedTrial): Promise<Write[]> {
  const caseIndexes = getCaseIndexes(trial);
  const tapes = await Promise.all(
    answers.flatMap(({ run, tape }) => (tape ? [buildPackedTapeWrites(run.id, tape)] : [])),
  );
  return [
    ...buildTrialDraftWrites(trial, cases),
    ...buildCellBlocks(
      trial.id,
      answers.map(({ cell }) => cell),
      (caseId) => caseIndexes.get(caseId) ?? 0,
    ).map((put): Write => ({ store: 'cells', put })),
    ...answers.map(({ cell, run }): Write => ({
      store: 'runs',
      put: toStoredCellRun(interruptRun(run), cell.columnId),
    })),
    ...tapes.flat(),
    ...marks.map((put): Write => ({ store: 'marks', put })),
  ];
}
