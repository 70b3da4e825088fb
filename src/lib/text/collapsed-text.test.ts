import { expect, it } from 'vitest';

import { collapseText } from './collapsed-text.ts';

it('collapses a text of more than 40 lines to its first 12', () => {
  const createLines = (count: number) =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
  expect(collapseText(createLines(40))).toBeUndefined();
  expect(collapseText(createLines(41))?.start).toBe(`${createLines(12)}…`);
  expect(collapseText('é'.repeat(20_000))?.bytes).toBe(40_000);
});

it('counts a long line as the lines that it fills and never splits a character', () => {
  expect(collapseText('x'.repeat(8000))).toBeUndefined();
  expect(collapseText('x'.repeat(8001))?.start).toHaveLength(2401);
  expect(collapseText(`x${'😀'.repeat(5000)}`)?.start).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
});
