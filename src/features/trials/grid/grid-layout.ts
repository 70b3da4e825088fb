/** Widths of the grid columns: the case number, its values, then the columns of the trial. */

export interface GridLayout {
  /** Column widths, in px. */
  widths: number[];
  /** Number of grid columns before those of the trial. */
  leadingColumns: number;
}

/** Width of the sticky first column, in px. */
export const numberPx = 60;
const firstFieldPx = 300;
const fieldPx = 104;
const minColumnPx = 208;
const narrowFieldPx = 220;

/** Computes the grid columns for a width. All values have columns; columns that do not fit are reached by scrolling. */
export function computeGridLayout(width: number, fieldCount: number, columnCount: number): GridLayout {
  const isNarrow = width < numberPx + firstFieldPx + (fieldCount - 1) * fieldPx + columnCount * minColumnPx;
  const fieldWidths = Array.from({ length: fieldCount }, (_, index) =>
    index === 0 ? (isNarrow ? narrowFieldPx : firstFieldPx) : fieldPx,
  );
  const fixedWidth = fieldWidths.reduce((sum, fieldWidth) => sum + fieldWidth, numberPx);
  const columnWidth =
    columnCount === 0 ? 0 : Math.max(minColumnPx, Math.floor((width - fixedWidth) / columnCount));
  const widths = [numberPx, ...fieldWidths, ...Array.from({ length: columnCount }, () => columnWidth)];
  return { widths, leadingColumns: 1 + fieldCount };
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
