import * as v from 'valibot';
import { expect, it } from 'vitest';

import type { TapeEntry } from '../gateway/stream/tape.ts';
import { createLargeTrial, createTestTrial } from '../testing/trials.ts';
import {
  getHeartbeatId,
  buildCaseBlocks,
  caseSchema,
  getCellBlock,
  buildCellBlocks,
  cellSchema,
  markSchema,
  packTape,
  readHeartbeat,
  trialSchema,
  unpackTape,
} from './trial-schemas.ts';

const tape: TapeEntry[] = [
  { at: 0, request: { model: 'm', messages: [{ role: 'user', content: 'Hi “there”' }] }, requestId: 'r' },
  { at: 12.5, status: 200, headers: { 'content-type': 'text/event-stream' }, proxied: true },
  ...Array.from({ length: 600 }, (_, index): TapeEntry => ({
    at: 20 + index,
    data: JSON.stringify({ id: 'chatcmpl-1', choices: [{ index: 0, delta: { content: ` word ${index}` } }] }),
  })),
  { at: 700, end: 'closed' },
];

it('restores a packed tape exactly from at most a tenth of its size', async () => {
  const packed = await packTape(tape);
  expect(JSON.stringify(await unpackTape(packed))).toBe(JSON.stringify(tape));
  expect(packed.length * 10).toBeLessThan(JSON.stringify(tape).length);
});

it('rejects bytes that are not a packed tape', async () => {
  await expect(unpackTape(new Uint8Array([1, 2, 3]))).rejects.toThrow('cannot be read');
  const stream = new Blob(['[{"at":1}]']).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  await expect(unpackTape(packed)).rejects.toThrow('cannot be read');
});

it('stores cases and cells in blocks of 64', () => {
  const { cases, cells } = createLargeTrial(200, 3);
  const caseIndexes = new Map(cases.map(({ id }, index) => [id, index]));
  const blocks = buildCellBlocks('trial', cells, (id) => caseIndexes.get(id) ?? 0);
  expect(
    blocks.map(({ block, columnId, cells: blockCells }) => `${block} ${columnId} ${blockCells.length}`),
  ).toEqual(
    [0, 32, 64, 96].flatMap((block) =>
      ['a', 'b', 'c'].map((id) => `${block} ${id} ${block === 96 ? 8 : 64}`),
    ),
  );
  expect(buildCaseBlocks('trial', cases).flatMap((block) => block.cases)).toEqual(cases);
});

it('stores the cells of 10,000 cases and 12 columns in 1,884 records', () => {
  const blocks = new Set(Array.from({ length: 10_000 }, (_, index) => getCellBlock(index, 1)));
  expect(12 * blocks.size).toBe(1884);
});

it('assigns blocks by case and repeat, so that adding repeats does not move any cell', () => {
  const blocks = [0, 63, 64, 9999].flatMap((index) =>
    [1, 2, 20].map((repeat) => getCellBlock(index, repeat)),
  );
  expect(blocks).toEqual([0, 1, 19, 0, 1, 19, 32, 33, 51, 4992, 4993, 5011]);
});

it('reads records as they were written, with fields in the order of the schema', () => {
  const { trial, cases, cells } = createLargeTrial(20, 3);
  const fullTrial = {
    ...trial,
    plan: { at: 1, cases: 20, repeats: 1, columns: ['a'], baseline: 'a', margin: 5 },
    state: { name: 'paused', at: 1, why: 'refused' },
    follows: { trialId: 'x', why: 'confirm', winner: 'b' },
  };
  expect(v.parse(trialSchema, fullTrial)).toEqual(fullTrial);
  expect(cases.map((testCase) => v.parse(caseSchema, testCase))).toEqual(cases);
  expect(cells.map((cell) => v.parse(cellSchema, cell))).toEqual(cells);
  const mark = { trialId: 't', key: { caseId: 'x', columnId: 'a', repeat: 1 }, mark: 'right', at: 1 };
  expect(v.parse(markSchema, mark)).toEqual(mark);
  const heartbeat = { id: getHeartbeatId('t'), at: 1, runs: [{ ...mark.key, runId: 'r' }] };
  expect(readHeartbeat(heartbeat)).toEqual(heartbeat);
});

it('rejects invalid trial, case and heartbeat records', () => {
  expect(v.is(trialSchema, { ...createTestTrial(2), repeats: 0 })).toBe(false);
  expect(v.is(trialSchema, { ...createTestTrial(2), state: { name: 'gone' } })).toBe(false);
  expect(v.is(caseSchema, { id: '1', values: { a: 1 } })).toBe(false);
  expect(v.is(caseSchema, { id: 'constructor', values: {} })).toBe(false);
  expect(readHeartbeat({ id: 't/alive', at: 'now', runs: [] })).toBeUndefined();
});
