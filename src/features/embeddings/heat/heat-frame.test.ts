import { describe, expect, it } from 'vitest';

import { cellAt, cornerOf, seenStretches, type HeatFrame } from './heat-frame.ts';

const frame: HeatFrame = {
  view: { centerX: 5, centerY: -5, pixelsPerUnit: 20 },
  widthPx: 300,
  heightPx: 240,
};

describe('the part of a matrix that is seen', () => {
  it('finds each cell where it is drawn', () => {
    for (const cell of [
      { row: 0, column: 0 },
      { row: 9, column: 3 },
    ]) {
      const { x, y } = cornerOf(frame, cell.row + 0.5, cell.column + 0.5);
      expect(cellAt(frame, 10, x, y)).toEqual(cell);
    }
  });

  it('has no cell beside the matrix', () => {
    const outside = cornerOf(frame, -0.5, 2);
    expect(cellAt(frame, 10, outside.x, outside.y)).toBeUndefined();
    const beyond = cornerOf(frame, 2, 10.5);
    expect(cellAt(frame, 10, beyond.x, beyond.y)).toBeUndefined();
  });

  it('names the stretches that are on screen, and none that does not exist', () => {
    expect(seenStretches(-250, 300, 100, 40)).toEqual({ first: 2, last: 5 });
    expect(seenStretches(50, 300, 100, 1)).toEqual({ first: 0, last: 1 });
  });
});
