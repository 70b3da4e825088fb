import { useId, useRef, type KeyboardEvent, type MouseEvent } from 'react';

import { casesGrid } from '../places.ts';
import { useTrialView, useWholeTrial } from '../use-trial.ts';
import { CaseCell } from './case-cell.tsx';
import { tintedRows, valueOf, type CaseRow } from './case-rows.ts';
import { cellFacts, cellLabel } from './cell-words.ts';
import { ColumnHead } from './column-head.tsx';
import { cellAfterKey, columnsInView, gridLayout } from './grid-layout.ts';
import { useCursor } from './use-cursor.ts';
import { useCellInView, useGridWindow, useHeight } from './use-grid-window.ts';

const rowPx = 29;
const foldedRowPx = 38;

/** Cases down, columns across: hollow in a draft, then filling. Only what is in view is mounted. */
export function CasesGrid({ rows }: { rows: readonly CaseRow[] }) {
  const state = useWholeTrial();
  const { trial, cases } = state;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const { cursor, moveTo, open } = useCursor(rows);
  const panel = useTrialView((view) => view.panel);
  const height = trial.repeats > 1 ? foldedRowPx : rowPx;
  const headPx = useHeight(head);
  const view = useGridWindow(scroller, { count: rows.length, rowPx: height, headPx });
  const layout = gridLayout(view.width, trial.fields.length, trial.columns.length);
  const shown = columnsInView(layout, view.left, view.width + 80);
  useCellInView(scroller, layout, { row: cursor.row, column: cursor.column, rowPx: height, headPx });
  const tinted = tintedRows(state);
  const check = trial.checks.find(({ id: checkId }) => checkId === trial.decides);
  const total = layout.edges.at(-1) ?? 0;
  const cellId = (row: number, column: number) => `${id}-${row}-${column}`;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const isCtrl = event.ctrlKey || event.metaKey;
    if (!isCtrl && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      return open(cursor, event.key === ' ' ? 'play' : 'look');
    }
    const next = cellAfterKey(
      cursor,
      { key: event.key, isCtrl },
      {
        rows: rows.length,
        columns: layout.widths.length,
        page: view.page,
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
    const at = { row: Number(row), column: Number(cell.getAttribute('aria-colindex')) - 1 };
    moveTo(at);
    open(at, event.detail === 2 ? 'edit' : 'point');
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Cases"
      aria-rowcount={rows.length + 1}
      aria-colcount={layout.widths.length}
      aria-activedescendant={
        cursor.row >= view.from && cursor.row < view.to ? cellId(cursor.row, cursor.column) : undefined
      }
      tabIndex={0}
      {...casesGrid.here}
      data-region-home
      className="relative min-h-0 flex-1 overflow-auto bg-paper focus-visible:-outline-offset-2"
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div
        className="min-w-full"
        style={{ '--columns': layout.widths.map((width) => `${width}px`).join(' '), width: total }}
      >
        <div
          ref={head}
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-3 grid grid-cols-(--columns) border-b border-line-2 bg-bench"
        >
          {shown.map((column) => {
            const own = trial.columns[column - layout.before];
            if (own)
              return <ColumnHead key={own.id} column={own} place={column - layout.before} at={column + 1} />;
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
        <div role="rowgroup" className="relative" style={{ height: rows.length * height }}>
          {rows.slice(view.from, view.to).map(({ caseId, number, at }, index) => {
            const row = view.from + index;
            const own = cases.get(caseId);
            const isTinted = tinted.has(at);
            const isOpen = panel?.name === 'cell' && panel.key.caseId === caseId;
            return (
              <div
                key={caseId}
                role="row"
                aria-rowindex={row + 2}
                data-row={row}
                className={`absolute inset-x-0 grid translate-y-(--y) grid-cols-(--columns) ${isTinted ? 'bg-[color-mix(in_oklab,var(--warn-wash)_62%,var(--paper))]' : 'bg-paper'}`}
                style={{ '--y': `${row * height}px`, height }}
              >
                {shown.map((column) => {
                  const place = column - layout.before;
                  const trialColumn = trial.columns[place];
                  const isCurrent = row === cursor.row && column === cursor.column;
                  if (trialColumn) {
                    const facts = cellFacts({ ...state, repeats: trial.repeats, check }, own, trialColumn);
                    return (
                      <CaseCell
                        key={trialColumn.id}
                        id={cellId(row, column)}
                        label={cellLabel(number, place, facts)}
                        facts={facts}
                        isCurrent={isCurrent}
                        isOpen={isOpen && panel.key.columnId === trialColumn.id}
                        at={column + 1}
                        columnId={trialColumn.id}
                      />
                    );
                  }
                  return (
                    <div
                      key={column}
                      id={cellId(row, column)}
                      role={column === 0 ? 'rowheader' : 'gridcell'}
                      aria-colindex={column + 1}
                      aria-label={column === 0 ? `Case ${number}` : undefined}
                      aria-selected={isCurrent}
                      style={{ gridColumn: column + 1 }}
                      className={`flex min-w-0 items-center border-b border-line text-13 group-focus-visible/cases:aria-selected:shadow-[inset_0_0_0_2px_var(--ink)] ${column === 0 ? `sticky left-0 z-1 bg-inherit pl-4 text-ink-3 ${isOpen ? 'border-l-3 border-l-ink pl-[13px]' : ''}` : `px-3.5 ${column > 1 ? 'text-ink-2' : ''}`}`}
                    >
                      <span className="truncate" dir={column === 0 ? undefined : 'auto'}>
                        {column === 0 ? number : valueOf(own, trial.fields[column - 1] ?? '')}
                      </span>
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
