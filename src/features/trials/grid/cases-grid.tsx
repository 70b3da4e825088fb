import { useId, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react';

import { casesGrid } from '../trial-focus-targets.ts';
import { useTrialView, useFullTrialState } from '../use-trial.ts';
import { findDecidingTable, findDisagreeingRows, type CaseRow } from './case-rows.ts';
import { ColumnHeader } from './column-header.tsx';
import { getNextGridCell } from './grid-layout.ts';
import { getGridCellId, GridRow } from './grid-row.tsx';
import { useCursor } from './use-cursor.ts';
import { useVirtualCells } from './use-virtual-cells.ts';

const rowPx = 29;
const groupedRowPx = 38;

/**
 * Grid with cases as rows and the trial's columns as columns. Cells are hollow in a draft and are filled in during the
 * run. Mounts only the visible part.
 */
export function CasesGrid({ rows }: { rows: readonly CaseRow[] }) {
  const state = useFullTrialState();
  const { trial } = state;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const header = useRef<HTMLDivElement>(null);
  const { cursor, moveTo, open } = useCursor(rows);
  const panel = useTrialView((view) => view.panel);
  const rowHeight = trial.repeats > 1 ? groupedRowPx : rowPx;
  const { layout, ...virtual } = useVirtualCells(
    scroller,
    header,
    {
      rowCount: rows.length,
      rowPx: rowHeight,
      fieldCount: trial.fields.length,
      columnCount: trial.columns.length,
    },
    cursor,
  );
  const table = findDecidingTable(state);
  const disagreeingRows = useMemo(() => findDisagreeingRows(table), [table]);
  const openCellKey = panel?.name === 'cell' ? panel.key : undefined;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const isCtrl = event.ctrlKey || event.metaKey;
    if (!isCtrl && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      return open(cursor, event.key === ' ' ? 'play' : 'look');
    }
    const next = getNextGridCell(
      cursor,
      { key: event.key, isCtrl },
      {
        rows: rows.length,
        columns: layout.widths.length,
        page: virtual.pageRows,
      },
    );
    if (!next) return;
    event.preventDefault();
    moveTo(next);
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const cell = event.target instanceof Element ? event.target.closest('[data-row] > *') : null;
    const row = cell?.parentElement?.dataset['row'];
    if (!(cell instanceof HTMLElement) || row === undefined) return;
    const clickedCell = { row: Number(row), column: Number(cell.getAttribute('aria-colindex')) - 1 };
    moveTo(clickedCell);
    open(clickedCell, event.detail === 2 ? 'edit' : 'point');
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Cases"
      aria-rowcount={rows.length + 1}
      aria-colcount={layout.widths.length}
      aria-activedescendant={rows.length > 0 ? getGridCellId(id, cursor.row, cursor.column) : undefined}
      tabIndex={0}
      {...casesGrid.attributes}
      data-region-home
      // Sticky columns cost time in each frame, so they are used only while scrolled sideways.
      data-aside={virtual.isScrolledSideways || undefined}
      className="group/cases relative min-h-0 flex-1 overflow-auto bg-paper [overflow-anchor:none] focus-visible:-outline-offset-2"
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div
        className="min-w-full"
        style={{
          '--columns': layout.widths.map((width) => `${width}px`).join(' '),
          width: virtual.totalWidth,
        }}
      >
        <div
          ref={header}
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-3 grid grid-cols-(--columns) border-b border-line-2 bg-bench"
        >
          {virtual.columns.map((column) => {
            const trialColumn = trial.columns[column - layout.leadingColumns];
            if (trialColumn)
              return (
                <ColumnHeader
                  key={trialColumn.id}
                  column={trialColumn}
                  columnIndex={column - layout.leadingColumns}
                  gridColumn={column + 1}
                />
              );
            return (
              <div
                key={column}
                role="columnheader"
                aria-colindex={column + 1}
                style={{ gridColumn: column + 1 }}
                className={`flex items-end truncate bg-bench pb-2 text-11 text-ink-3 ${column === 0 ? 'sticky left-0 z-1 pl-4' : 'px-3.5'}`}
              >
                {column === 0 ? 'Case' : trial.fields[column - 1]}
              </div>
            );
          })}
        </div>
        <div role="rowgroup" className="relative" style={{ height: rows.length * rowHeight }}>
          {virtual.rows.map((row) => {
            const caseRow = rows[row];
            return (
              caseRow && (
                <GridRow
                  key={virtual.getRowKey(row)}
                  state={state}
                  row={row}
                  caseRow={caseRow}
                  height={rowHeight}
                  visibleColumns={virtual.columns}
                  leadingColumns={layout.leadingColumns}
                  isTinted={disagreeingRows.has(caseRow.tableRow)}
                  cursorColumn={row === cursor.row ? cursor.column : undefined}
                  openColumnId={openCellKey?.caseId === caseRow.caseId ? openCellKey.columnId : undefined}
                  gridId={id}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}
