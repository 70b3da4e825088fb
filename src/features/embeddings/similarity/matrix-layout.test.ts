import { expect, it } from 'vitest';

import { computeMatrixLayout } from './matrix-grid.tsx';

it('labels matrix rows of at least 12 px, and otherwise uses the space for the cells', () => {
  const contentSize = { widthPx: 500, heightPx: 400 };
  expect(computeMatrixLayout(contentSize, 24, true)).toEqual({ sidePx: 350, leftPx: 148, hasLabels: true });
  expect(computeMatrixLayout(contentSize, 29, true).hasLabels).toBe(true);
  expect(computeMatrixLayout(contentSize, 30, true)).toEqual({ sidePx: 372, leftPx: 26, hasLabels: false });
  expect(computeMatrixLayout({ widthPx: 300, heightPx: 400 }, 24, false)).toEqual({
    sidePx: 298,
    leftPx: 0,
    hasLabels: false,
  });
  expect(computeMatrixLayout({ widthPx: 0, heightPx: 0 }, 24, true).sidePx).toBe(0);
});
