import type { ViewBox } from '../canvas/view-box.ts';
import type { Cell } from './heat-scene.ts';

/** Which part of a matrix is seen. The view is in cells; rows grow downwards, so that its y is the negative row. */
export interface HeatFrame {
  view: ViewBox;
  widthPx: number;
  heightPx: number;
}

interface Place {
  x: number;
  y: number;
}

/** Room for the names of groups at the left and at the top. */
export const bandPx = 24;

/** The upper left corner of a cell, in CSS pixels. */
export function cornerOf({ view, widthPx, heightPx }: HeatFrame, row: number, column: number): Place {
  return {
    x: (column - view.centerX) * view.pixelsPerUnit + widthPx / 2,
    y: (row + view.centerY) * view.pixelsPerUnit + heightPx / 2,
  };
}

/** The cell at a place, of a matrix with that many a side. */
export function cellAt({ view, widthPx, heightPx }: HeatFrame, side: number, x: number, y: number) {
  const { centerX, centerY, pixelsPerUnit } = view;
  const column = Math.floor((x - widthPx / 2) / pixelsPerUnit + centerX);
  const row = Math.floor((y - heightPx / 2) / pixelsPerUnit - centerY);
  const cell: Cell = { row, column };
  return row >= 0 && column >= 0 && row < side && column < side ? cell : undefined;
}

/** The first and the last stretch of so many cells that is seen, along one axis that begins at a place. */
export function seenStretches(startPx: number, lengthPx: number, stretchPx: number, last: number) {
  return {
    first: Math.max(0, Math.floor(-startPx / stretchPx)),
    last: Math.min(last, Math.floor((lengthPx - startPx) / stretchPx)),
  };
}
