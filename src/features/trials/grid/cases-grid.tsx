import { clsx } from 'clsx';
import { useId, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react';

import { usePrefs } from '../../../state/contexts.tsx';
import { casesGrid } from '../trial-focus-targets.ts';
import { useTrialView, useFullTrialState } from '../use-trial.ts';
import { findDecidingTable, findDisagreeingRows, type CaseRow } from './case-rows.ts';
import { ColumnHandles } from './column-handles.tsx';
import { ColumnHeader } from './column-header.tsx';
import { findMainField } from './field-sizes.ts';
import { getNextGridCell, type RowLines } from './grid-layout.ts';
import { getGridCellId, GridRow } from './grid-row.tsx';
import { useColumnWidths } from './use-column-widths.ts';
import { useCursor } from './use-cursor.ts';
import { useFieldSizes } from './use-field-sizes.ts';
import { useVirtualCells } from './use-virtual-cells.ts';

const linePx = 20;
const groupedRowPx = 38;

/** Returns the height of a row, in px. With repeats, a cell lists two groups of answers. */
const getRowPx = (lines: RowLines): number => linePx * lines + (lines === 1 ? 9 : 7);
const getGroupedRowPx = (lines: RowLines): number => Math.max(groupedRowPx, getRowPx(lines));

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
  const fields = useFieldSizes();
  const mainField = findMainField(fields);
  const columnIds = useMemo(() => trial.columns.map((column) => column.id), [trial.columns]);
  const lines = usePrefs(({ trialRowLines }) => trialRowLines);
  const fixedWidths = useTrialView(({ columnWidths }) => columnWidths);
  const { layout, ...virtual } = useVirtualCells(
    scroller,
    header,
    {
      rowCount: rows.length,
      lines,
      getRowPx: trial.repeats > 1 ? getGroupedRowPx : getRowPx,
      fields,
      columnIds,
      fixedWidths,
    },
    cursor,
  );
  const widths = useColumnWidths(layout, fields);
  const table = findDecidingTable(state);
  const disagreeingRows = useMemo(() => findDisagreeingRows(table), [table]);
  const openCellKey = panel?.name === 'cell' ? panel.key : undefined;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.shiftKey && widths.resizeByKey(cursor.column, event.key)) return event.preventDefault();
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
          <ColumnHandles columns={virtual.columns} widths={widths} />
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
                className={clsx(
                  'flex items-end bg-bench pb-2 text-11 text-ink-3',
                  column === 0 ? 'sticky left-0 z-1 pl-4' : 'min-w-0 px-3.5',
                )}
              >
                <span className="truncate" title={trial.fields[column - 1]}>
                  {column === 0 ? 'Case' : trial.fields[column - 1]}
                </span>
              </div>
            );
          })}
        </div>
        <div role="rowgroup" className="relative" style={{ height: rows.length * virtual.rowPx }}>
          {virtual.rows.map((row) => {
            const caseRow = rows[row];
            return (
              caseRow && (
                <GridRow
                  key={virtual.getRowKey(row)}
                  state={state}
                  row={row}
                  caseRow={caseRow}
                  height={virtual.rowPx}
                  lines={virtual.lines}
                  visibleColumns={virtual.columns}
                  leadingColumns={layout.leadingColumns}
                  mainField={mainField}
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
