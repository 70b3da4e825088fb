import { describe, expect, it } from 'vitest';

import {
  findCellAt,
  getCellCorner,
  getLabelGutter,
  getVisibleRange,
  fitMatrix,
  getFullyVisibleRows,
  type HeatFrame,
} from './heat-frame.ts';

const frame: HeatFrame = {
  view: { centerX: 5, centerY: -5, pixelsPerUnit: 20 },
  widthPx: 300,
  heightPx: 240,
};

const noGutter = { leftPx: 0, topPx: 0, hasLabels: false };

describe('visible part of a matrix', () => {
  it('finds each matrix cell at the position where it is drawn', () => {
    for (const cell of [
      { row: 0, column: 0 },
      { row: 9, column: 3 },
    ]) {
      const { x, y } = getCellCorner(frame, cell.row + 0.5, cell.column + 0.5);
      expect(findCellAt(frame, noGutter, 10, x, y)).toEqual(cell);
    }
  });

  it('returns no cell outside the matrix', () => {
    const outside = getCellCorner(frame, -0.5, 2);
    expect(findCellAt(frame, noGutter, 10, outside.x, outside.y)).toBeUndefined();
    const beyond = getCellCorner(frame, 2, 10.5);
    expect(findCellAt(frame, noGutter, 10, beyond.x, beyond.y)).toBeUndefined();
  });

  it('returns the visible range of a matrix, clamped to existing items', () => {
    expect(getVisibleRange(-250, 300, 100, 40)).toEqual({ first: 2, last: 5 });
    expect(getVisibleRange(50, 300, 100, 1)).toEqual({ first: 0, last: 1 });
  });
});

describe('labels beside a matrix', () => {
  const getFittedCorner = (side: number, hasBands: boolean) => {
    const view = fitMatrix(side, hasBands, 900, 800);
    return { cellPx: view.pixelsPerUnit, ...getCellCorner({ view, widthPx: 900, heightPx: 800 }, 0, 0) };
  };

  it('shows texts beside rows of 12 px or more and groups beside smaller rows, without covering cells', () => {
    for (const side of [2, 41, 60, 61, 62, 63, 200]) {
      for (const hasBands of [true, false]) {
        const { cellPx, x, y } = getFittedCorner(side, hasBands);
        const { leftPx, topPx, hasLabels } = getLabelGutter(cellPx, hasBands);
        expect(hasLabels, `${side}`).toBe(side <= 61);
        expect(x).toBeGreaterThanOrEqual(leftPx);
        expect(y).toBeGreaterThanOrEqual(topPx);
      }
    }
  });

  it('returns only fully visible rows when zoomed in, and no cells that labels cover', () => {
    const zoomedFrame: HeatFrame = {
      view: { centerX: 100, centerY: -100, pixelsPerUnit: 20 },
      widthPx: 400,
      heightPx: 200,
    };
    const gutter = getLabelGutter(20, true);
    expect(gutter).toEqual({ leftPx: 148, topPx: 24, hasLabels: true });
    // Rows begin at 0, 20, 40 px and so on, so the names at the top cover the first two.
    expect(getFullyVisibleRows(zoomedFrame, 200, gutter.topPx)).toEqual({ first: 97, last: 104 });
    expect(getFullyVisibleRows(zoomedFrame, 100, gutter.topPx).last).toBe(99);
    expect(findCellAt(zoomedFrame, gutter, 200, 147, 100)).toBeUndefined();
    expect(findCellAt(zoomedFrame, gutter, 200, 200, 23)).toBeUndefined();
    expect(findCellAt(zoomedFrame, gutter, 200, 149, 100)).toEqual({ row: 100, column: 97 });
  });
});
