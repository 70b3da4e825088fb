import { expect, it } from 'vitest';

import { matrixLayout } from './matrix-layout.ts';

it('labels the rows of a matrix from 12 px a row on, and gives the room to the cells below that', () => {
  const room = { widthPx: 500, heightPx: 400 };
  expect(matrixLayout(room, 24, true)).toEqual({ sidePx: 350, leftPx: 148, hasLabels: true });
  expect(matrixLayout(room, 29, true).hasLabels).toBe(true);
  expect(matrixLayout(room, 30, true)).toEqual({ sidePx: 372, leftPx: 26, hasLabels: false });
  expect(matrixLayout({ widthPx: 300, heightPx: 400 }, 24, false)).toEqual({
    sidePx: 298,
    leftPx: 0,
    hasLabels: false,
  });
  expect(matrixLayout({ widthPx: 0, heightPx: 0 }, 24, true).sidePx).toBe(0);
});
