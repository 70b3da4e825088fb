import { describe, expect, it } from 'vitest';

import { toImageUrl } from '../../conversation/request/message-images.ts';
import type { Run } from '../../conversation/session/types.ts';
import { memoryRecordStore } from '../../storage/memory-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { anAnsweredRun, aCheck, aTrial, someColumns } from '../../testing/trials.ts';
import { cellName, drawnOrder } from '../../trials/case-order.ts';
import { cellOf } from '../../trials/cell.ts';
import { checkHash } from '../../trials/checks/score-answer.ts';
import type { Case, Cell, CellKey, Mark, Trial } from '../../trials/trial.ts';
import { draftWrites } from './stored-trial-opener.ts';
import { csvFile, importTrial, jsonLinesFile, storedTrialLines, type FileParts } from './trial-files.ts';
import { cellsWrites, readStoredTrial, storedCellRun } from './trial-records.ts';

const [one, two, gone] = someColumns('north/one', 'north/two', 'north/gone');
if (!one || !two || !gone) throw new Error('There are three');

const said = (text: string) => ({ role: 'user' as const, content: text });
const marksCheck = { id: 'marks', name: 'mine', kind: 'marks', settings: {} } as const;

/** A trial whose last case and last column are retired, with all of its answers, in an order of their own. */
const someParts = (
  changes: Partial<Trial> = {},
): FileParts & {
  cells: Map<string, Cell>;
  marks: Map<string, Mark>;
  runs: Map<string, Run>;
} => {
  const trial = aTrial(4, {
    columns: [one, two],
    retired: { columns: [gone], caseIds: ['4'] },
    repeats: 2,
    checks: [aCheck, marksCheck],
    ...changes,
  });
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  const cases = new Map(
    ids.map((id): [string, Case] => [id, { id, values: { ticket: `=${id}`, team: 'billing' } }]),
  );
  const runs = new Map<string, Run>();
  const cells = new Map<string, Cell>();
  const answer = (key: CellKey): void => {
    const run = anAnsweredRun('{"team":"billing"}', {
      id: cellName(key),
      requestId: `sent ${cellName(key)}`,
    });
    const cell = cellOf(run, key, 1);
    if (!cell) throw new Error('It has not ended');
    runs.set(run.id, run);
    cells.set(cellName(key), cell);
  };
  for (const repeat of [2, 1])
    for (const columnId of ['c', 'b', 'a']) for (const caseId of ids) answer({ caseId, columnId, repeat });
  return {
    trial,
    cases,
    cells,
    marks: new Map(),
    runs,
    read: async ({ runId }) => {
      const run = runs.get(runId);
      return run && { run, tape: [{ at: 1, data: 'x' }] };
    },
  };
};

const columnsOf = (pieces: readonly string[]): Record<string, string>[] => {
  const [head = '', ...lines] = pieces.map((line) => line.replace(/^\uFEFF/, '').trimEnd());
  const names = head.split(',');
  return lines.map((line) => {
    // No field of these has a comma but the answer, which has quotes then.
    const fields =
      line.match(/(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g)?.map((field) => field.replace(/,$/, '')) ?? [];
    return Object.fromEntries(names.map((name, at) => [name, fields[at] ?? '']));
  });
};

const unsaid = { verdict: undefined, words: { first: [], below: [], method: '' } };
const linesOf = (pieces: readonly string[]): Record<string, unknown>[] =>
  pieces.map((piece): Record<string, unknown> => JSON.parse(piece));

describe('the answers of a trial in a file', () => {
  it('are in the drawn order, by column and repeat; what is retired comes last', async () => {
    const parts = someParts();
    const rows = [...drawnOrder(parts.trial), '4'];
    expect(rows).toHaveLength(4);
    const inOrder = rows.flatMap((caseId) =>
      ['a', 'b', 'c'].flatMap((columnId) => [1, 2].map((repeat) => cellName({ caseId, columnId, repeat }))),
    );
    const { pieces } = await csvFile(parts, true);
    const lines = columnsOf(pieces);
    expect(lines.map((line) => line['run_id'])).toEqual(inOrder);
    const isRetired = (name: string) => name.startsWith('4 ') || name.includes(' c ');
    expect(lines.map((line) => line['retired'] === 'retired')).toEqual(inOrder.map(isRetired));
    const json = linesOf((await jsonLinesFile(parts, unsaid, false)).pieces);
    const cells = json.flatMap(({ cell }) => (cell === undefined ? [] : [cell]));
    expect(cells).toMatchObject(
      rows.flatMap((caseId) =>
        [1, 2, 3].flatMap((column) =>
          [1, 2].map((repeat) => ({ caseId, columnId: `column-${column}`, repeat })),
        ),
      ),
    );
  });

  it('are none of what was taken out while it was being asked, so that the file can come back', async () => {
    const parts = someParts();
    const [stray] = parts.cells.values();
    if (!stray) throw new Error('There is none');
    for (const key of [{ caseId: 'taken out' }, { columnId: 'taken out' }])
      parts.cells.set(JSON.stringify(key), { ...stray, ...key });
    expect(columnsOf((await csvFile(parts, true)).pieces)).toHaveLength(24);
    const { pieces } = await jsonLinesFile(parts, unsaid, false);
    const records = memoryRecordStore();
    let ids = 0;
    const outcome = await importTrial(records, pieces, () => `id-${(ids += 1)}`);
    expect(outcome).toMatchObject({ ok: true, title: 'Ticket routing' });
    const copy = await readStoredTrial(records, outcome.ok ? outcome.id : '');
    expect(copy?.cells.size).toBe(24);
  });

  it('are left out where they cannot be read any more', async () => {
    const parts = someParts();
    parts.runs.delete('1 a 1');
    expect(columnsOf((await csvFile(parts, true)).pieces)).toHaveLength(23);
    const json = linesOf((await jsonLinesFile(parts, unsaid, false)).pieces);
    expect(json.filter((line) => 'cell' in line)).toHaveLength(23);
  });

  it('have the scores that count, the mark and the number of the request in the table', async () => {
    const parts = someParts();
    const cell = parts.cells.get('1 a 1');
    const run = parts.runs.get('1 a 1');
    if (!cell || !run) throw new Error('It is not there');
    const of = checkHash(aCheck, { team: 'billing' });
    parts.cells.set('1 a 1', { ...cell, scores: { check: { of, result: 'passed' } } });
    // Of an earlier check.
    parts.cells.set('1 a 2', { ...cell, repeat: 2, scores: { check: { of: 'old', result: 'passed' } } });
    parts.runs.set('1 a 1', { ...run, returnedRequestId: 'returned' });
    parts.marks.set('1 a 1', {
      trialId: 'trial',
      key: { caseId: '1', columnId: 'a', repeat: 1 },
      mark: 'wrong',
      at: 1,
    });
    parts.runs.set('1 b 1', anAnsweredRun('', { id: '1 b 1' }));
    const lines = columnsOf((await csvFile(parts, true)).pieces).filter((line) => line['case'] === '1');
    const shown = lines.map((line) => [line['right team'], line['mine'], line['mark'], line['request_id']]);
    expect(shown.slice(0, 3)).toEqual([
      ['passed', 'failed', 'wrong', 'returned'],
      // Both name the run of the first.
      ['', 'no answer', '', 'returned'],
      ['', 'no answer', '', ''],
    ]);
  });

  it('are guarded against spreadsheets only where that is wished for', async () => {
    const tickets = async (isGuarded: boolean) =>
      columnsOf((await csvFile(someParts(), isGuarded)).pieces)[0]?.['ticket'];
    expect((await tickets(true))?.startsWith("'=")).toBe(true);
    expect((await tickets(false))?.startsWith('=')).toBe(true);
  });
});

describe('the lines of a trial', () => {
  it('hold the tapes only where they are asked for, and marks in the order in which they were made', async () => {
    const parts = someParts();
    const markAt = (caseId: string, at: number) => {
      const key = { caseId, columnId: 'a', repeat: 1 };
      parts.marks.set(cellName(key), { trialId: 'trial', key, mark: 'right', at });
    };
    for (const [caseId, at] of [
      ['1', 30],
      ['2', 10],
      ['3', 20],
    ] as const)
      markAt(caseId, at);
    const plain = linesOf((await jsonLinesFile(parts, unsaid, false)).pieces);
    expect(plain.filter((line) => 'tape' in line)).toEqual([]);
    expect(plain.flatMap(({ mark }) => (mark === undefined ? [] : [mark]))).toMatchObject([
      { at: 10 },
      { at: 20 },
      { at: 30 },
    ]);
    expect(plain[0]).toMatchObject({ verdict: null });
    const whole = linesOf((await jsonLinesFile(parts, unsaid, true)).pieces);
    expect(whole.filter((line) => 'tape' in line)).toHaveLength(24);
  });

  it('name the images of every message and answer, also of columns that are retired and of what was said before', async () => {
    const shown = (letter: string) => ({
      role: 'user' as const,
      content: [{ type: 'image_url' as const, image_url: { url: toImageUrl(letter.repeat(64)) } }],
    });
    const parts = someParts({
      messages: [shown('a')],
      columns: [one, { ...two, messages: [shown('b')] }],
      retired: { columns: [{ ...gone, messages: [shown('c')] }], caseIds: ['4'] },
    });
    const first = parts.cases.get('1');
    if (!first) throw new Error('It is not there');
    const cases = new Map([...parts.cases, ['1', { ...first, history: [shown('d'), said('no image')] }]]);
    const [run] = parts.runs.values();
    const drawn = { type: 'image' as const, url: toImageUrl('e'.repeat(64)) };
    run?.choices[0]?.parts.push(drawn);
    const asked: string[] = [];
    const images = async (hashes: readonly string[]) => {
      asked.push(...hashes);
      return Object.fromEntries(
        ['d', 'b'].map((letter) => [letter.repeat(64), 'data:image/png;base64,AA==']),
      );
    };
    const json = linesOf((await jsonLinesFile({ ...parts, cases, images }, unsaid, false)).pieces);
    expect(asked.map((hash) => hash.slice(0, 1)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(json.flatMap(({ image }) => (image === undefined ? [] : [image]))).toEqual(
      ['b', 'd'].map((letter) => letter.repeat(64)),
    );
  });
});

describe('a stored trial', () => {
  it('has the lines that it has on screen, and none where it is not stored', async () => {
    const records = memoryRecordStore();
    const parts = someParts();
    await records.write([
      ...draftWrites(parts.trial, [...parts.cases.values()]),
      ...cellsWrites(parts.trial, parts.cells),
      ...[...parts.cells.values()].flatMap(({ runId, columnId }) => {
        const run = parts.runs.get(runId);
        return run ? [{ store: 'runs' as const, put: storedCellRun(run, columnId) }] : [];
      }),
    ]);
    const read = async (cell: Cell) => {
      const run = parts.runs.get(cell.runId);
      const column = [one, two, gone].find(({ id }) => id === cell.columnId);
      return run && column && { run: { ...run, setup: column.setup }, tape: [] };
    };
    const shown = await jsonLinesFile({ ...parts, read }, unsaid, false);
    const { lines, hashes } = await storedTrialLines(records, 'trial');
    expect(lines).toEqual(shown.pieces.map((piece) => piece.trimEnd()));
    expect(hashes).toEqual([]);
    expect(await storedTrialLines(records, 'gone')).toEqual({ lines: [], hashes: [] });
  });

  it('keeps the recordings that came with its file, packed', async () => {
    const parts = someParts();
    const records = memoryRecordStore();
    // A file that was taken from a disk to this one may be deleted as soon as it is here.
    const strict: unknown[] = [];
    const watched: RecordStore = {
      ...records,
      write: (writes, options) => {
        strict.push(options?.strict);
        return records.write(writes, options);
      },
    };
    let ids = 0;
    const { pieces } = await jsonLinesFile(parts, unsaid, true);
    const outcome = await importTrial(watched, pieces, () => `id-${(ids += 1)}`);
    expect(strict).toEqual([true]);
    const copy = await readStoredTrial(records, outcome.ok ? outcome.id : '');
    for (const { runId } of copy?.cells.values() ?? []) {
      const [segment] = await records.tape(runId);
      expect(segment).toMatchObject({ runId, firstSeq: 0, entries: [], count: 1 });
    }
    expect(copy?.cells.size).toBe(24);
    expect(await records.ofTrial('cells', copy?.trial.id ?? '')).toHaveLength(6);
  });
});
