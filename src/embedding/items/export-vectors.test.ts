import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, it } from 'vitest';

import {
  formatVectorCsv,
  formatIdLines,
  formatJsonLines,
  encodeNpy,
  formatSpecJson,
  type ExportedVector,
} from './export-vectors.ts';
import { readTableFile } from './read-table-file.ts';

const rows: ExportedVector[] = [
  { id: 0, text: 'one, "two"\nthree', label: 'A', vector: Float32Array.of(0.1, -1 / 3) },
  { id: 2, text: '=1+1', vector: Float32Array.of(1e-20, 12345678) },
];
const joinPieces = (pieces: Iterable<string>) => [...pieces].join('');
/** Converts numbers from JSON or CSV to the stored type, float32. */
const toFloats = (numbers: readonly unknown[]) => Array.from(Float32Array.from(numbers, Number));

it('exports JSON in the shape of an embeddings response', () => {
  const value: unknown = JSON.parse(joinPieces(formatSpecJson(rows, { model: 'm', tokens: 7 })));
  expect(value).toMatchObject({
    object: 'list',
    model: 'm',
    usage: { prompt_tokens: 7, total_tokens: 7 },
    data: [
      { object: 'embedding', index: 0 },
      { object: 'embedding', index: 1 },
    ],
  });
});

it('exports JSON Lines and CSV that restore the same float32 numbers and texts', () => {
  const lines = joinPieces(formatJsonLines(rows))
    .trimEnd()
    .split('\n')
    .map((line): { embedding: number[]; text: string } => JSON.parse(line));
  expect(lines.map((line) => toFloats(line.embedding))).toEqual(rows.map(({ vector }) => Array.from(vector)));
  expect(lines.map((line) => line.text)).toEqual(rows.map(({ text }) => text));
  const [head, first, second] = Papa.parse<string[]>(joinPieces(formatVectorCsv(rows, 2))).data;
  expect(head).toEqual(['id', 'text', 'label', 'd0', 'd1']);
  expect(first?.slice(0, 3)).toEqual(['0', rows[0]?.text, 'A']);
  expect(second?.[1]).toBe("'=1+1");
  expect(toFloats(first?.slice(3) ?? [])).toEqual(Array.from(rows[0]?.vector ?? []));
});

it('escapes cells that begin like a formula and restores each text', () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@a',
    '\tb',
    '\rc',
    '\nd',
    '＝1',
    '＋1',
    '－1',
    '＠a',
    "'d",
    "'=2",
    "''=2",
    "''d",
    "'",
    "'\tb",
    "'＝1",
    "it's =1",
    '"=3',
    'plain',
    '',
  ];
  const exportedVectors = texts.map((text, id) => ({ id, text, label: text, vector: Float32Array.of(1) }));
  const cells = Papa.parse<string[]>(joinPieces(formatVectorCsv(exportedVectors, 1))).data.slice(1);
  for (const row of cells)
    for (const cell of row.slice(1, 3)) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
  const { rows: importedRows } = readTableFile('export.csv', joinPieces(formatVectorCsv(exportedVectors, 1)));
  expect(importedRows.map((row) => row.slice(1, 3))).toEqual(texts.map((text) => [text, text]));
});

it('restores any float32 from nine digits', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const [line = ''] = formatJsonLines([{ id: 0, text: '', vector: Float32Array.of(value) }]);
      const parsedLine: { embedding: number[] } = JSON.parse(line);
      expect(Math.fround(parsedLine.embedding[0] ?? Number.NaN)).toBe(value === 0 ? 0 : value);
    }),
  );
});

it('writes an npy header that NumPy can read, then the bytes, with a separate list of IDs', () => {
  const [header, ...bodies] = [...encodeNpy(rows, 2, 2)];
  const text = Buffer.from(header ?? []).toString('latin1');
  expect(header?.length).toBe(128);
  expect(text.slice(1, 6)).toBe('NUMPY');
  expect(text.slice(10)).toMatch(/^\{'descr': '<f4', 'fortran_order': False, 'shape': \(2, 2\), \} *\n$/);
  expect(Buffer.concat(bodies).readFloatLE(4)).toBe(rows[0]?.vector[1]);
  expect(Buffer.concat(bodies)).toHaveLength(16);
  expect(
    joinPieces(formatIdLines(rows))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { id: 0, text: 'one, "two"\nthree', label: 'A' },
    { id: 2, text: '=1+1' },
  ]);
});
