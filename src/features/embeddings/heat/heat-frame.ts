import { panView, fitView, type ViewBox } from '../canvas/view-box.ts';
import type { HeatCell } from './heat-scene.ts';

/** Visible part of a matrix. The view is in cells; rows grow downwards, so its y is the negative row. */
export interface HeatFrame {
  view: ViewBox;
  widthPx: number;
  heightPx: number;
}

interface PixelPoint {
  x: number;
  y: number;
}

/** Space for group names on the left and at the top, in px. */
const bandPx = 24;
/** Minimum row height for readable text, in px; from this height on, texts replace the group names on the left. */
export const minLabelledRowPx = 12;
/** Width of the row texts, in px. */
export const labelGutterPx = 148;
const edgePx = 6;

/**
 * Space taken by labels on the left and at the top, in px. It covers part of the matrix if the matrix extends that far.
 */
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

/** Returns the view of a whole matrix beside its labels. */
export function fitMatrix(side: number, hasBands: boolean, widthPx: number, heightPx: number): ViewBox {
  const box = { minX: 0, minY: -side, maxX: side, maxY: 0 };
  const fitBeside = ({ leftPx, topPx }: LabelGutter, maxCellPx: number) => {
    const view = fitView(box, widthPx - leftPx, heightPx - topPx, edgePx);
    const fitted = { ...view, pixelsPerUnit: Math.min(maxCellPx, view.pixelsPerUnit) };
    // Labels are on the left and at the top, so the matrix moves right and down by half of their space.
    return panView(fitted, leftPx / 2, topPx / 2);
  };
  const labelledView = fitBeside(getLabelGutter(minLabelledRowPx, hasBands), Infinity);
  if (labelledView.pixelsPerUnit >= minLabelledRowPx) return labelledView;
  // Without labels, rows may become just tall enough to have labels, so their height is kept below that limit.
  return fitBeside(getLabelGutter(0, hasBands), minLabelledRowPx - 0.01);
}

/** Returns the upper left corner of a cell, in CSS pixels. */
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

/** Returns the cell at a position in a matrix of `side` cells per side; `undefined` outside it or under labels. */
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

/** Returns the first and last visible item along one axis that starts at `startPx`. */
export function getVisibleRange(startPx: number, lengthPx: number, itemPx: number, last: number) {
  return {
    first: Math.max(0, Math.floor(-startPx / itemPx)),
    last: Math.min(last, Math.floor((lengthPx - startPx) / itemPx)),
  };
}

/** Returns the first and last row that are fully visible below the labels at the top. */
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
