/** Widths of the grid columns: the case number, its values, then the columns of the trial. */
import { clamp, sum } from 'es-toolkit';

import { computeFieldWidths, needsSecondLine, type FieldSize } from './field-sizes.ts';

export interface GridLayout {
  /** Column widths, in px. */
  widths: number[];
  /** Keys by which the widths set by the user are stored, for all columns but the first. */
  keys: string[];
  /** Number of lines per row that suits the values. */
  lines: RowLines;
  /** Number of grid columns before those of the trial. */
  leadingColumns: number;
}

/** Width of the sticky first column, in px. */
export const numberPx = 60;
const minColumnPx = 208;

export const rowLineChoices = [1, 2, 3] as const;
/** Number of lines of text in a row. */
export type RowLines = (typeof rowLineChoices)[number];

/** Widths set by the user, in px, by the key of a grid column. */
export type FixedWidths = Readonly<Record<string, number>>;

/** Limits a width set by the user. */
export function clampFixedWidth(width: number): number {
  return clamp(Math.round(width), 48, 1200);
}

/**
 * Computes the grid columns for a width. All values have columns; columns that do not fit are reached by scrolling. The
 * columns of the trial share the rest of the width, unless the user has set theirs.
 */
export function computeGridLayout(
  width: number,
  fields: readonly FieldSize[],
  columnIds: readonly string[],
  fixedWidths: FixedWidths = {},
): GridLayout {
  const keys = [...fields.map(({ field }) => `field ${field}`), ...columnIds];
  const isNarrow = width < numberPx + sum(computeFieldWidths(fields, false)) + columnIds.length * minColumnPx;
  const fieldWidths = computeFieldWidths(fields, isNarrow).map(
    (fieldWidth, index) => fixedWidths[keys[index] ?? ''] ?? fieldWidth,
  );
  const fixedColumns = columnIds.flatMap((id) => fixedWidths[id] ?? []);
  const restPx = width - numberPx - sum(fieldWidths) - sum(fixedColumns);
  const autoCount = columnIds.length - fixedColumns.length;
  const columnWidth = autoCount === 0 ? 0 : Math.max(minColumnPx, Math.floor(restPx / autoCount));
  const columnWidths = columnIds.map((id) => fixedWidths[id] ?? columnWidth);
  return {
    widths: [numberPx, ...fieldWidths, ...columnWidths],
    keys,
    lines: needsSecondLine(fields, fieldWidths) ? 2 : 1,
    leadingColumns: 1 + fields.length,
  };
}

const arrowSteps: Record<string, readonly [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Returns the cell that a key moves to, or `undefined`. `page` is the number of visible rows. */
export function getNextGridCell(
  cell: { row: number; column: number },
  { key, isCtrl }: { key: string; isCtrl: boolean },
  size: { rows: number; columns: number; page: number },
): { row: number; column: number } | undefined {
  const clampRow = (index: number) => Math.max(0, Math.min(size.rows - 1, index));
  const clampColumn = (index: number) => Math.max(0, Math.min(size.columns - 1, index));
  if (size.rows === 0) return undefined;
  const step = isCtrl ? undefined : arrowSteps[key];
  if (step) return { row: clampRow(cell.row + step[0]), column: clampColumn(cell.column + step[1]) };
  switch (key) {
    case 'PageUp':
      return { ...cell, row: clampRow(cell.row - size.page) };
    case 'PageDown':
      return { ...cell, row: clampRow(cell.row + size.page) };
    case 'Home':
      return { row: isCtrl ? 0 : cell.row, column: 0 };
    case 'End':
      return { row: isCtrl ? size.rows - 1 : cell.row, column: size.columns - 1 };
    default:
      return undefined;
  }
}
