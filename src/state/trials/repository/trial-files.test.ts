import { describe, expect, it } from 'vitest';

import { toImageUrl } from '../../../conversation/request/message-images.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { createMemoryRecordStore } from '../../../storage/memory-record-store.ts';
import type { RecordStore } from '../../../storage/record-store.ts';
import { createGate } from '../../../testing/builders.ts';
import {
  createAnsweredRun,
  createCountInputs,
  createVerdictPlan,
  parseResultTable,
  testCheck,
  createTestTrial,
  createColumns,
} from '../../../testing/trials.ts';
import { getCellId, getCaseOrder } from '../../../trials/case-order.ts';
import { buildCell } from '../../../trials/cell.ts';
import { hashCheck } from '../../../trials/checks/score-answer.ts';
import type { Case, Cell, CellKey, Mark, Trial } from '../../../trials/trial.ts';
import { computeVerdict } from '../../../trials/verdict.ts';
import {
  buildCsvFile,
  importTrialFile,
  buildJsonLinesFile,
  readTrialLines,
  type TrialFileInput,
} from './trial-files.ts';
import { buildTrialDraftWrites } from './trial-records.ts';
import { buildAllCellWrites, readStoredTrial, toStoredCellRun } from './trial-records.ts';

const [firstColumn, secondColumn, retiredColumn] = createColumns('north/one', 'north/two', 'north/gone');
if (!firstColumn || !secondColumn || !retiredColumn) throw new Error('Three columns are expected');

const createUserMessage = (text: string) => ({ role: 'user' as const, content: text });
const marksCheck = { id: 'marks', name: 'mine', kind: 'marks', settings: {} } as const;

/** Creates a trial with all of its answers, in mixed order. Its last case and last column are retired. */
const createFileInput = (
  changes: Partial<Trial> = {},
): TrialFileInput & {
  cells: Map<string, Cell>;
  marks: Map<string, Mark>;
  runs: Map<string, Run>;
} => {
  const trial = createTestTrial(4, {
    columns: [firstColumn, secondColumn],
    retired: { columns: [retiredColumn], caseIds: ['4'] },
    repeats: 2,
    checks: [testCheck, marksCheck],
    ...changes,
  });
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  const cases = new Map(
    ids.map((id): [string, Case] => [id, { id, values: { ticket: `=${id}`, team: 'billing' } }]),
  );
  const runs = new Map<string, Run>();
  const cells = new Map<string, Cell>();
  const addAnswer = (key: CellKey): void => {
    const run = createAnsweredRun('{"team":"billing"}', {
      id: getCellId(key),
      requestId: `sent ${getCellId(key)}`,
    });
    const cell = buildCell(run, key, 1);
    if (!cell) throw new Error('The run has not ended');
    runs.set(run.id, run);
    cells.set(getCellId(key), cell);
  };
  for (const repeat of [2, 1])
    for (const columnId of ['c', 'b', 'a']) for (const caseId of ids) addAnswer({ caseId, columnId, repeat });
  return {
    trial,
    cases,
    cells,
    marks: new Map(),
    runs,
    readCell: async ({ runId }) => {
      const run = runs.get(runId);
      return run && { run, tape: [{ at: 1, data: 'x' }] };
    },
  };
};

const parseCsvRows = (pieces: readonly string[]): Record<string, string>[] => {
  const [header = '', ...lines] = pieces.map((line) => line.replace(/^\uFEFF/, '').trimEnd());
  const names = header.split(',');
  return lines.map((line) => {
    // Only the answer can contain a comma; it is then quoted.
    const fields =
      line.match(/(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g)?.map((field) => field.replace(/,$/, '')) ?? [];
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
  });
};

const emptySummary = { words: [], method: '' };
const parseLines = (pieces: readonly string[]): Record<string, unknown>[] =>
  pieces.map((piece): Record<string, unknown> => JSON.parse(piece));

describe('exported answers of a trial', () => {
  it('orders answers by case, column and repeat, retired ones last', async () => {
    const input = createFileInput();
    const caseIds = [...getCaseOrder(input.trial), '4'];
    expect(caseIds).toHaveLength(4);
    const orderedCellIds = caseIds.flatMap((caseId) =>
      ['a', 'b', 'c'].flatMap((columnId) => [1, 2].map((repeat) => getCellId({ caseId, columnId, repeat }))),
    );
    const { pieces } = await buildCsvFile(input, true);
    const lines = parseCsvRows(pieces);
    expect(lines.map((line) => line['run_id'])).toEqual(orderedCellIds);
    const isRetired = (cellId: string) => cellId.startsWith('4 ') || cellId.includes(' c ');
    expect(lines.map((line) => line['retired'] === 'retired')).toEqual(orderedCellIds.map(isRetired));
    const json = parseLines((await buildJsonLinesFile(input, undefined, emptySummary, false)).pieces);
    const cells = json.flatMap(({ cell }) => (cell === undefined ? [] : [cell]));
    expect(cells).toMatchObject(
      caseIds.flatMap((caseId) =>
        [1, 2, 3].flatMap((column) =>
          [1, 2].map((repeat) => ({ caseId, columnId: `column-${column}`, repeat })),
        ),
      ),
    );
  });

  it('omits cells of removed cases and columns, so that the file can be imported', async () => {
    const input = createFileInput();
    const [strayCell] = input.cells.values();
    if (!strayCell) throw new Error('The cell is missing');
    for (const key of [{ caseId: 'taken out' }, { columnId: 'taken out' }])
      input.cells.set(JSON.stringify(key), { ...strayCell, ...key });
    expect(parseCsvRows((await buildCsvFile(input, true)).pieces)).toHaveLength(24);
    const { pieces } = await buildJsonLinesFile(input, undefined, emptySummary, false);
    const records = createMemoryRecordStore();
    let ids = 0;
    const outcome = await importTrialFile(records, pieces, () => `id-${(ids += 1)}`);
    expect(outcome).toMatchObject({ ok: true, title: 'Ticket routing' });
    const copy = await readStoredTrial(records, outcome.ok ? outcome.id : '');
    expect(copy?.cells.size).toBe(24);
  });

  it('omits cells whose run cannot be read', async () => {
    const input = createFileInput();
    input.runs.delete('1 a 1');
    expect(parseCsvRows((await buildCsvFile(input, true)).pieces)).toHaveLength(23);
    const json = parseLines((await buildJsonLinesFile(input, undefined, emptySummary, false)).pieces);
    expect(json.filter((line) => 'cell' in line)).toHaveLength(23);
  });

  it('contains current scores, marks and request IDs in the CSV file', async () => {
    const input = createFileInput();
    const cell = input.cells.get('1 a 1');
    const run = input.runs.get('1 a 1');
    if (!cell || !run) throw new Error('The cell is missing');
    const hash = hashCheck(testCheck, { team: 'billing' });
    input.cells.set('1 a 1', { ...cell, scores: { check: { of: hash, result: 'passed' } } });
    // A score from an earlier version of the check.
    input.cells.set('1 a 2', { ...cell, repeat: 2, scores: { check: { of: 'old', result: 'passed' } } });
    input.runs.set('1 a 1', { ...run, returnedRequestId: 'returned' });
    input.marks.set('1 a 1', {
      trialId: 'trial',
      key: { caseId: '1', columnId: 'a', repeat: 1 },
      mark: 'wrong',
      at: 1,
    });
    input.runs.set('1 b 1', createAnsweredRun('', { id: '1 b 1' }));
    const lines = parseCsvRows((await buildCsvFile(input, true)).pieces).filter(
      (line) => line['case'] === '1',
    );
    const tableValues = lines.map((line) => [
      line['right team'],
      line['mine'],
      line['mark'],
      line['request_id'],
    ]);
    expect(tableValues.slice(0, 3)).toEqual([
      ['passed', 'failed', 'wrong', 'returned'],
      // Both cells refer to the run of the first cell.
      ['', 'no answer', '', 'returned'],
      ['', 'no answer', '', ''],
    ]);
  });

  it('escapes formulas for spreadsheets only on request', async () => {
    const readFirstTicket = async (escapeFormulas: boolean) =>
      parseCsvRows((await buildCsvFile(createFileInput(), escapeFormulas)).pieces)[0]?.['ticket'];
    expect((await readFirstTicket(true))?.startsWith("'=")).toBe(true);
    expect((await readFirstTicket(false))?.startsWith('=')).toBe(true);
  });
});

describe('exported lines of a trial', () => {
  it('contains tapes only on request, and marks in the order of creation', async () => {
    const input = createFileInput();
    const addMark = (caseId: string, markedAt: number) => {
      const key = { caseId, columnId: 'a', repeat: 1 };
      input.marks.set(getCellId(key), { trialId: 'trial', key, mark: 'right', at: markedAt });
    };
    for (const [caseId, markedAt] of [
      ['1', 30],
      ['2', 10],
      ['3', 20],
    ] as const)
      addMark(caseId, markedAt);
    const linesWithoutTapes = parseLines(
      (await buildJsonLinesFile(input, undefined, emptySummary, false)).pieces,
    );
    expect(linesWithoutTapes.filter((line) => 'tape' in line)).toEqual([]);
    expect(linesWithoutTapes.flatMap(({ mark }) => (mark === undefined ? [] : [mark]))).toMatchObject([
      { at: 10 },
      { at: 20 },
      { at: 30 },
    ]);
    expect(linesWithoutTapes[0]).toMatchObject({ verdict: null });
    const linesWithTapes = parseLines(
      (await buildJsonLinesFile(input, undefined, emptySummary, true)).pieces,
    );
    expect(linesWithTapes.filter((line) => 'tape' in line)).toHaveLength(24);
  });

  it('reads answers several at a time, and their tapes only if the file contains them', async () => {
    const input = createFileInput();
    const gate = createGate();
    const readTapes: boolean[] = [];
    const readCell: TrialFileInput['readCell'] = async (cell, includesTape) => {
      readTapes.push(includesTape);
      if (readTapes.length === 24) gate.open();
      await gate.opened;
      return input.readCell(cell, includesTape);
    };
    await buildCsvFile({ ...input, readCell }, true);
    expect(readTapes).toEqual(Array.from({ length: 24 }, () => false));
  });

  it('contains the logarithm of evidence that is too large for a number', async () => {
    const table = parseResultTable('-'.repeat(1100), '+'.repeat(1100));
    const verdict = computeVerdict(createCountInputs(table), createVerdictPlan(table));
    const { pieces } = await buildJsonLinesFile(createFileInput(), verdict, emptySummary, false);
    expect(parseLines(pieces)[0]).toMatchObject({
      verdict: { comparisons: [{ evidence: null, logEvidence: expect.closeTo(755.4579, 4) }] },
    });
  });

  it('lists the images of all messages and answers, including retired columns and histories', async () => {
    const createImageMessage = (letter: string) => ({
      role: 'user' as const,
      content: [{ type: 'image_url' as const, image_url: { url: toImageUrl(letter.repeat(64)) } }],
    });
    const input = createFileInput({
      messages: [createImageMessage('a')],
      columns: [firstColumn, { ...secondColumn, messages: [createImageMessage('b')] }],
      retired: { columns: [{ ...retiredColumn, messages: [createImageMessage('c')] }], caseIds: ['4'] },
    });
    const firstCase = input.cases.get('1');
    if (!firstCase) throw new Error('The case is missing');
    const cases = new Map([
      ...input.cases,
      ['1', { ...firstCase, history: [createImageMessage('d'), createUserMessage('no image')] }],
    ]);
    const [run] = input.runs.values();
    const imagePart = { type: 'image' as const, url: toImageUrl('e'.repeat(64)) };
    run?.choices[0]?.parts.push(imagePart);
    const requestedHashes: string[] = [];
    const collectHashes = async (hashes: readonly string[]) => {
      requestedHashes.push(...hashes);
      return Object.fromEntries(
        ['d', 'b'].map((letter) => [letter.repeat(64), 'data:image/png;base64,AA==']),
      );
    };
    const json = parseLines(
      (
        await buildJsonLinesFile(
          { ...input, cases, readImages: collectHashes },
          undefined,
          emptySummary,
          false,
        )
      ).pieces,
    );
    expect(requestedHashes.map((hash) => hash.slice(0, 1)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(json.flatMap(({ image }) => (image === undefined ? [] : [image]))).toEqual(
      ['b', 'd'].map((letter) => letter.repeat(64)),
    );
  });
});

describe('exporting a stored trial', () => {
  it('returns the same lines for a stored trial as for an open one, and none if the trial is not stored', async () => {
    const records = createMemoryRecordStore();
    const input = createFileInput();
    await records.write([
      ...buildTrialDraftWrites(input.trial, [...input.cases.values()]),
      ...buildAllCellWrites(input.trial, input.cells),
      ...[...input.cells.values()].flatMap(({ runId, columnId }) => {
        const run = input.runs.get(runId);
        return run ? [{ store: 'runs' as const, put: toStoredCellRun(run, columnId) }] : [];
      }),
    ]);
    const readCell = async (cell: Cell) => {
      const run = input.runs.get(cell.runId);
      const column = [firstColumn, secondColumn, retiredColumn].find(({ id }) => id === cell.columnId);
      return run && column && { run: { ...run, setup: column.setup }, tape: [] };
    };
    const exportedFile = await buildJsonLinesFile({ ...input, readCell }, undefined, emptySummary, false);
    expect(await readTrialLines(records, 'trial')).toEqual({
      title: input.trial.title,
      lines: exportedFile.pieces.map((piece) => piece.trimEnd()),
      hashes: [],
    });
    expect(await readTrialLines(records, 'gone')).toBeUndefined();
  });

  it('stores the tapes of an imported file as packed tapes', async () => {
    const input = createFileInput();
    const records = createMemoryRecordStore();
    // The user may delete the file right after the import, so the writes must be strict.
    const strictFlags: unknown[] = [];
    const observedRecords: RecordStore = {
      ...records,
      write: (writes, options) => {
        strictFlags.push(options?.strict);
        return records.write(writes, options);
      },
    };
    let ids = 0;
    const { pieces } = await buildJsonLinesFile(input, undefined, emptySummary, true);
    const outcome = await importTrialFile(observedRecords, pieces, () => `id-${(ids += 1)}`);
    expect(strictFlags).toEqual([true]);
    const copy = await readStoredTrial(records, outcome.ok ? outcome.id : '');
    for (const { runId } of copy?.cells.values() ?? []) {
      const [segment] = await records.readTape(runId);
      expect(segment).toMatchObject({ runId, firstSeq: 0, entries: [], count: 1 });
    }
    expect(copy?.cells.size).toBe(24);
    expect(await records.listByTrial('cells', copy?.trial.id ?? '')).toHaveLength(6);
  });
});
