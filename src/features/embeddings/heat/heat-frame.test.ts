import { describe, expect, it } from 'vitest';

import {
  cellAt,
  cornerOf,
  namesRoom,
  seenStretches,
  wholeMatrix,
  wholeRows,
  type HeatFrame,
} from './heat-frame.ts';

const frame: HeatFrame = {
  view: { centerX: 5, centerY: -5, pixelsPerUnit: 20 },
  widthPx: 300,
  heightPx: 240,
};

const none = { leftPx: 0, topPx: 0, hasLabels: false };

describe('the part of a matrix that is seen', () => {
  it('finds each cell where it is drawn', () => {
    for (const cell of [
      { row: 0, column: 0 },
      { row: 9, column: 3 },
    ]) {
      const { x, y } = cornerOf(frame, cell.row + 0.5, cell.column + 0.5);
      expect(cellAt(frame, none, 10, x, y)).toEqual(cell);
    }
  });

  it('has no cell beside the matrix', () => {
    const outside = cornerOf(frame, -0.5, 2);
    expect(cellAt(frame, none, 10, outside.x, outside.y)).toBeUndefined();
    const beyond = cornerOf(frame, 2, 10.5);
    expect(cellAt(frame, none, 10, beyond.x, beyond.y)).toBeUndefined();
  });

  it('names the stretches that are on screen, and none that does not exist', () => {
    expect(seenStretches(-250, 300, 100, 40)).toEqual({ first: 2, last: 5 });
    expect(seenStretches(50, 300, 100, 1)).toEqual({ first: 0, last: 1 });
  });
});

describe('the names beside a matrix', () => {
  const cornerIn = (side: number, hasBands: boolean) => {
    const view = wholeMatrix(side, hasBands, 900, 800);
    return { cellPx: view.pixelsPerUnit, ...cornerOf({ view, widthPx: 900, heightPx: 800 }, 0, 0) };
  };

  it('are the texts of its rows from 12 px a row on, else those of its groups; neither covers a cell of the whole', () => {
    for (const side of [2, 41, 60, 61, 62, 63, 200]) {
      for (const hasBands of [true, false]) {
        const { cellPx, x, y } = cornerIn(side, hasBands);
        const { leftPx, topPx, hasLabels } = namesRoom(cellPx, hasBands);
        expect(hasLabels, `${side}`).toBe(side <= 61);
        expect(x).toBeGreaterThanOrEqual(leftPx);
        expect(y).toBeGreaterThanOrEqual(topPx);
      }
    }
  });

  it('are read where one comes near: rows as a whole, and none of what they cover is pointed at', () => {
    const near: HeatFrame = {
      view: { centerX: 100, centerY: -100, pixelsPerUnit: 20 },
      widthPx: 400,
      heightPx: 200,
    };
    const room = namesRoom(20, true);
    expect(room).toEqual({ leftPx: 148, topPx: 24, hasLabels: true });
    // Rows begin at 0, 20, 40 px and so on: the first two are under the names at the top.
    expect(wholeRows(near, 200, room.topPx)).toEqual({ first: 97, last: 104 });
    expect(wholeRows(near, 100, room.topPx).last).toBe(99);
    expect(cellAt(near, room, 200, 147, 100)).toBeUndefined();
    expect(cellAt(near, room, 200, 200, 23)).toBeUndefined();
    expect(cellAt(near, room, 200, 149, 100)).toEqual({ row: 100, column: 97 });
  });
});
