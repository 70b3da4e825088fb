import { expect, test } from 'vitest';

import { rowInView, type Row } from './rows.ts';

const rows: Row[] = ['one', 'two', 'three'].map((promptId, index) => ({
  promptId,
  cells: [],
  number: index + 1,
}));

test('the turn in view is the one whose prompt is named', () => {
  expect(rowInView(rows, 'two')?.number).toBe(2);
});

test('the turn in view is the last one where none is named or its prompt is not shown any more', () => {
  expect(rowInView(rows, undefined)?.number).toBe(3);
  expect(rowInView(rows, 'gone')?.number).toBe(3);
  expect(rowInView([], 'gone')).toBeUndefined();
});
