import { panView, fitView, type ViewBox } from '../canvas/view-box.ts';
import type { HeatCell } from './heat-scene.ts';

/** Which part of a matrix is seen. The view is in cells; rows grow downwards, so that its y is the negative row. */
export interface HeatFrame {
  view: ViewBox;
  widthPx: number;
  heightPx: number;
}

interface PixelPoint {
  x: number;
  y: number;
}

/** Room for the names of groups at the left and at the top. */
const bandPx = 24;
/** Rows of this height can be read: then their texts are at the left, in place of the names of groups. */
export const minLabelledRowPx = 12;
/** Room for those texts. */
export const labelGutterPx = 148;
const edgePx = 6;

/** What names take at the left and at the top, over the matrix where it reaches so far. */
export interface LabelGutter {
  leftPx: number;
  topPx: number;
  hasLabels: boolean;
}

export function getLabelGutter(cellPx: number, hasBands: boolean): LabelGutter {
  const topPx = hasBands ? bandPx : 0;
  const hasLabels = cellPx >= minLabelledRowPx;
  return { leftPx: hasLabels ? labelGutterPx : topPx, topPx, hasLabels };
}

/** The view of a whole matrix beside its names. */
export function fitMatrix(side: number, hasBands: boolean, widthPx: number, heightPx: number): ViewBox {
  const box = { minX: 0, minY: -side, maxX: side, maxY: 0 };
  const fitBeside = ({ leftPx, topPx }: LabelGutter, maxCellPx: number) => {
    const view = fitView(box, widthPx - leftPx, heightPx - topPx, edgePx);
    const fitted = { ...view, pixelsPerUnit: Math.min(maxCellPx, view.pixelsPerUnit) };
    // The names are left and above: the matrix moves right and down by half of their room.
    return panView(fitted, leftPx / 2, topPx / 2);
  };
  const labelledView = fitBeside(getLabelGutter(minLabelledRowPx, hasBands), Infinity);
  if (labelledView.pixelsPerUnit >= minLabelledRowPx) return labelledView;
  // Without the texts there may be room for rows that would have them.
  return fitBeside(getLabelGutter(0, hasBands), minLabelledRowPx - 0.01);
}

/** The upper left corner of a cell, in CSS pixels. */
export function getCellCorner(
  { view, widthPx, heightPx }: HeatFrame,
  row: number,
  column: number,
): PixelPoint {
  return {
    x: (column - view.centerX) * view.pixelsPerUnit + widthPx / 2,
    y: (row + view.centerY) * view.pixelsPerUnit + heightPx / 2,
  };
}

/** The cell at a place, of a matrix with that many a side; none where names cover it. */
export function findCellAt(
  { view, widthPx, heightPx }: HeatFrame,
  { leftPx, topPx }: LabelGutter,
  side: number,
  x: number,
  y: number,
): HeatCell | undefined {
  if (x < leftPx || y < topPx) return undefined;
  const { centerX, centerY, pixelsPerUnit } = view;
  const column = Math.floor((x - widthPx / 2) / pixelsPerUnit + centerX);
  const row = Math.floor((y - heightPx / 2) / pixelsPerUnit - centerY);
  const cell: HeatCell = { row, column };
  return row >= 0 && column >= 0 && row < side && column < side ? cell : undefined;
}

/** The first and the last stretch of so many cells that is seen, along one axis that begins at a place. */
export function getVisibleRange(startPx: number, lengthPx: number, itemPx: number, last: number) {
  return {
    first: Math.max(0, Math.floor(-startPx / itemPx)),
    last: Math.min(last, Math.floor((lengthPx - startPx) / itemPx)),
  };
}

/** The first and the last row that are seen as a whole below the names at the top. */
export function getFullyVisibleRows(
  frame: HeatFrame,
  side: number,
  topPx: number,
): { first: number; last: number } {
  const cellPx = frame.view.pixelsPerUnit;
  const start = getCellCorner(frame, 0, 0).y;
  return {
    first: Math.max(0, Math.ceil((topPx - start) / cellPx)),
    last: Math.min(side, Math.floor((frame.heightPx - start) / cellPx)) - 1,
  };
}
