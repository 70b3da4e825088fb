import { memo } from 'react';

import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import type { ColumnId } from '../../../trials/trial.ts';
import { CaseCell } from './case-cell.tsx';
import { getCaseValue, type CaseRow } from './case-rows.ts';
import { summarizeCell, formatCellLabel, truncate } from './format-cell.ts';
import type { RowLines } from './grid-layout.ts';

interface GridRowProps {
  /** State of the trial, a new object after each change. */
  state: OpenTrialState;
  row: number;
  caseRow: CaseRow;
  height: number;
  lines: RowLines;
  /** Visible columns. */
  visibleColumns: readonly number[];
  /** Number of grid columns before those of the trial. */
  leadingColumns: number;
  isTinted: boolean;
  /** Field whose values are in the main text colour. */
  mainField: string;
  /** Column of the cursor, if it is in this row. */
  cursorColumn: number | undefined;
  /** Column of the cell that is open beside the grid, if it is in this row. */
  openColumnId: ColumnId | undefined;
  /** Prefix of the cell IDs. */
  gridId: string;
}

const maxLineChars = 100;

/** Classes of text with at most this many lines. */
export const lineClasses: Record<RowLines, string> = {
  1: 'truncate',
  2: 'line-clamp-2 wrap-anywhere',
  3: 'line-clamp-3 wrap-anywhere',
};

export function getGridCellId(gridId: string, row: number, column: number): string {
  return `${gridId}-${row}-${column}`;
}

/** Row of a case: number, values and cells. Re-renders only if its content changes, so that scrolling is fast. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const {
    state,
    row,
    caseRow,
    height,
    lines,
    visibleColumns,
    leadingColumns,
    isTinted,
    mainField,
    cursorColumn,
    openColumnId,
    gridId,
  } = props;
  const { trial, cases } = state;
  const testCase = cases.get(caseRow.caseId);
  // No `inherit` in cells, because browsers would recompute the styles of the whole row whenever it moves.
  const background = isTinted ? 'bg-[color-mix(in_oklab,var(--warn-wash)_62%,var(--paper))]' : 'bg-paper';
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      data-row={row}
      className={`absolute inset-x-0 grid grid-cols-(--columns) grid-rows-1 [contain:layout_size] ${background}`}
      style={{ transform: `translateY(${row * height}px)`, height }}
    >
      {visibleColumns.map((column) => {
        const columnIndex = column - leadingColumns;
        const trialColumn = trial.columns[columnIndex];
        const isCurrent = column === cursorColumn;
        if (trialColumn) {
          const summary = summarizeCell(state, testCase, trialColumn);
          return (
            <CaseCell
              key={trialColumn.id}
              id={getGridCellId(gridId, row, column)}
              label={formatCellLabel(caseRow.number, columnIndex, summary)}
              summary={summary}
              lines={lines}
              isCurrent={isCurrent}
              isOpen={openColumnId === trialColumn.id}
              gridColumn={column + 1}
              columnId={trialColumn.id}
            />
          );
        }
        return (
          <div
            key={column}
            id={getGridCellId(gridId, row, column)}
            role={column === 0 ? 'rowheader' : 'gridcell'}
            aria-colindex={column + 1}
            aria-label={column === 0 ? `Case ${caseRow.number}` : undefined}
            aria-selected={isCurrent}
            style={{ gridColumn: column + 1 }}
            className={`flex min-w-0 items-center border-b border-line text-13 group-focus-visible/cases:aria-selected:shadow-[inset_0_0_0_2px_var(--ink)] ${column === 0 ? `left-0 z-1 ${background} pl-4 text-ink-3 group-data-aside/cases:sticky ${openColumnId === undefined ? '' : 'border-l-3 border-l-ink pl-[13px]'}` : `px-3.5 ${trial.fields[column - 1] === mainField ? '' : 'text-ink-2'}`}`}
          >
            <span
              className={column === 0 ? 'truncate' : lineClasses[lines]}
              dir={column === 0 ? undefined : 'auto'}
            >
              {column === 0
                ? caseRow.number
                : truncate(getCaseValue(testCase, trial.fields[column - 1] ?? ''), lines * maxLineChars)}
            </span>
          </div>
        );
      })}
    </div>
  );
});
