import { defaultRangeExtractor, observeElementOffset, useVirtualizer } from '@tanstack/react-virtual';
import { range } from 'es-toolkit';
import { useLayoutEffect, useMemo, useState, type RefObject } from 'react';

import { withIndex } from '../../../ui/hooks/use-virtual-rows.ts';
import type { FieldSize } from './field-sizes.ts';
import { computeGridLayout, numberPx, type FixedWidths, type RowLines } from './grid-layout.ts';
import type { GridCursor } from './use-cursor.ts';

const overscanRows = 3;

interface GridSize {
  rowCount: number;
  /** Number of lines per row; undefined for the number that suits the values. */
  lines: RowLines | undefined;
  /** Returns the height of a row with this number of lines, in px. */
  getRowPx: (lines: RowLines) => number;
  fields: readonly FieldSize[];
  columnIds: readonly string[];
  fixedWidths: FixedWidths;
}

/**
 * Virtualises the rows and columns of the grid and scrolls the cell of the cursor into view when it changes. This cell
 * stays mounted, since it is the active descendant, and so does the sticky first column.
 */
export function useVirtualCells(
  scroller: RefObject<HTMLElement | null>,
  header: RefObject<HTMLElement | null>,
  { rowCount, lines: chosenLines, getRowPx, fields, columnIds, fixedWidths }: GridSize,
  cursor: GridCursor,
) {
  const [isScrolledSideways, setScrolledSideways] = useState(false);
  const [restingRow, setRestingRow] = useState(0);
  const headPx = useElementPx(header, 'offsetHeight');
  const height = useElementPx(scroller, 'clientHeight');
  const width = useElementPx(scroller, 'clientWidth');
  const layout = useMemo(
    () => computeGridLayout(width, fields, columnIds, fixedWidths),
    [width, fields, columnIds, fixedWidths],
  );
  const lines = chosenLines ?? layout.lines;
  const rowPx = getRowPx(lines);
  const pageRows = Math.max(1, Math.ceil((height - headPx) / rowPx));

  // The number of rows stays the same during scrolling, so that a new row reuses the elements of a row that has left.
  const poolSize = pageRows + 1 + 2 * overscanRows;
  const getFirstRow = (visible: { startIndex: number } | null) =>
    Math.max(0, (visible?.startIndex ?? 0) - overscanRows);
  const rowVirtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    // The sticky header takes part of the height.
    paddingEnd: headPx,
    scrollPaddingEnd: headPx,
    rangeExtractor: (visible) => {
      const first = getFirstRow(visible);
      return withIndex(range(first, Math.min(rowCount, first + poolSize)), cursor.row);
    },
    onChange: ({ isScrolling, range: visible }) => isScrolling || setRestingRow(getFirstRow(visible)),
    useFlushSync: false,
  });
  const columnVirtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    horizontal: true,
    count: layout.widths.length,
    getScrollElement: () => scroller.current,
    estimateSize: (column) => layout.widths[column] ?? 0,
    overscan: 0,
    scrollPaddingStart: numberPx,
    rangeExtractor: (visible) => withIndex(withIndex(defaultRangeExtractor(visible), 0), cursor.column),
    observeElementOffset: (instance, onOffset) =>
      observeElementOffset(instance, (offset, isScrolling) => {
        setScrolledSideways(offset > 0);
        onOffset(offset, isScrolling);
      }),
    useFlushSync: false,
  });
  useLayoutEffect(() => rowVirtualizer.measure(), [rowVirtualizer, rowPx]);
  useLayoutEffect(() => columnVirtualizer.measure(), [columnVirtualizer, layout]);
  // Only if the cell changes, so that the user can scroll away.
  useLayoutEffect(() => {
    rowVirtualizer.scrollToIndex(cursor.row);
    columnVirtualizer.scrollToIndex(cursor.column);
  }, [rowVirtualizer, columnVirtualizer, cursor.row, cursor.column]);

  const columnsKey = columnVirtualizer
    .getVirtualItems()
    .map(({ index }) => index)
    .join(' ');
  // The array is stable, so that rows re-render only if their content changes.
  const columns = useMemo(() => columnsKey.split(' ').map(Number), [columnsKey]);
  const firstRow = getFirstRow(rowVirtualizer.range);
  // During scrolling, each row keeps its place in the DOM; at rest, the rows are in order.
  const getPlace = (row: number) => (row - restingRow + poolSize * rowCount) % poolSize;
  const rows = rowVirtualizer
    .getVirtualItems()
    .map(({ index }) => index)
    .toSorted((one, other) => getPlace(one) - getPlace(other));
  return {
    rows,
    /** Returns the React key of a row. */
    getRowKey: (row: number) => (row < firstRow || row >= firstRow + poolSize ? 'cursor' : row % poolSize),
    columns,
    layout,
    lines,
    rowPx,
    totalWidth: columnVirtualizer.getTotalSize(),
    /** Number of rows that fit into the visible part. */
    pageRows: Math.max(1, pageRows - 1),
    isScrolledSideways,
  };
}

/** Returns a size of an element in px, and updates it when the element is resized; 0 before it is mounted. */
function useElementPx(
  element: RefObject<HTMLElement | null>,
  size: 'clientWidth' | 'clientHeight' | 'offsetHeight',
): number {
  const [px, setPx] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const update = () => setPx(current[size]);
    update();
    const observer = new ResizeObserver(update);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, size]);
  return px;
}
