import { clsx } from 'clsx';
import {
  memo,
  useRef,
  useLayoutEffect,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';

import { GroupIcon } from '../group-icon.tsx';
import { labelGutterPx, minLabelledRowPx } from '../heat/heat-frame.ts';
import { toRangeShare, type HeatCell } from '../heat/heat-scene.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { formatCosine } from '../views/lab-number-format.ts';
import { getNextMatrixCell } from './matrix-navigation.ts';
import type { SimilarityMatrix } from './use-matrix.ts';

interface MatrixGridProps {
  matrix: SimilarityMatrix;
  cursor: HeatCell | undefined;
  onHover: (cell: HeatCell | undefined) => void;
  onMove: (cell: HeatCell) => void;
}

/** Maximum number of cells per side that show numbers. */
const maxNumberedSide = 10;

function findCell(target: EventTarget): HeatCell | undefined {
  const cell = target instanceof Element ? target.closest('td') : null;
  const row = cell?.parentElement;
  if (!cell || !(row instanceof HTMLTableRowElement)) return undefined;
  return { row: row.sectionRowIndex, column: cell.cellIndex - 1 };
}

/**
 * Small matrix as a grid of cells: one tab stop, moved by arrow keys. Each cell is labelled with its value and its
 * texts.
 */
export function MatrixGrid({ matrix, cursor, onHover, onMove }: MatrixGridProps) {
  const table = useRef<HTMLTableElement>(null);
  const side = matrix.texts.length;
  const hasBands = matrix.bands.length > 0;
  const box = useRef<HTMLDivElement>(null);
  const contentSize = useContentSize(box, 16);
  const layout = computeMatrixLayout(contentSize, side, hasBands);
  const activeCell = cursor ?? { row: 0, column: 0 };

  const onKeyDown = (event: KeyboardEvent) => {
    const next = getNextMatrixCell(activeCell, event, side);
    if (!next || event.altKey || event.metaKey) return;
    event.preventDefault();
    onMove(next);
    table.current?.tBodies[0]?.rows[next.row]?.cells[next.column + 1]?.focus();
  };
  const onPointerOver = (event: PointerEvent) => onHover(findCell(event.target));

  return (
    <div ref={box} className="relative min-h-30 flex-1 px-4">
      <div
        className="relative mx-auto h-full w-[calc(var(--side)+var(--left))] pt-(--top)"
        style={{
          '--side': `${layout.sidePx}px`,
          '--left': `${layout.leftPx}px`,
          '--top': hasBands ? `${bandPx}px` : '0px',
        }}
      >
        <div className="relative ml-(--left) size-(--side)">
          <table
            ref={table}
            role="grid"
            aria-label="Similarity"
            className={clsx(
              'size-full table-fixed border-separate border-spacing-px',
              '[&_td]:cursor-pointer [&_td]:overflow-hidden [&_td]:p-0 [&_th]:relative [&_th]:h-0 [&_th]:p-0',
              '[&_td]:hover:outline [&_td]:hover:outline-ink [&_th_span]:sr-only',
              '[&_td]:focus-visible:relative [&_td]:focus-visible:z-1 [&_td]:focus-visible:rounded-none',
              '[&_td]:focus-visible:shadow-[0_0_0_5px_var(--ink)] [&_td]:focus-visible:outline-2',
              '[&_td]:focus-visible:outline-offset-1 [&_td]:focus-visible:outline-needle',
              side <= maxNumberedSide ? '[&_td]:text-center [&_td]:text-12' : '[&_td_span]:sr-only',
            )}
            onKeyDown={onKeyDown}
            onPointerOver={onPointerOver}
            onPointerLeave={() => onHover(undefined)}
            onClick={(event) => {
              const cell = findCell(event.target);
              if (cell) onMove(cell);
            }}
          >
            <Cells
              matrix={matrix}
              activeRow={activeCell.row}
              activeColumn={activeCell.column}
              hasCursor={cursor !== undefined}
            />
          </table>
          {matrix.bands.map(({ name, from, to }) => (
            <GroupBand key={from} name={name} from={from / side} length={(to - from) / side} isOnTop />
          ))}
          {layout.hasLabels ? (
            <RowLabels matrix={matrix} markedRow={cursor?.row} />
          ) : (
            matrix.bands.map(({ name, from, to }) => (
              <GroupBand key={from} name={name} from={from / side} length={(to - from) / side} />
            ))
          )}
        </div>
      </div>
    </div>
  );
}

/** Name of a group along the edge of its cells. */
function GroupBand(props: { name: string; from: number; length: number; isOnTop?: boolean }) {
  const { name, from, length, isOnTop = false } = props;
  return (
    <span
      aria-hidden
      className={`absolute truncate border-line-2 text-center text-11 leading-[14px] text-ink-3 ${
        isOnTop
          ? 'bottom-[calc(100%+4px)] left-[calc(var(--from)*100%+1px)] h-5 w-[calc(var(--length)*100%-2px)] border-b'
          : 'top-[calc(var(--from)*100%+1px)] right-[calc(100%+4px)] h-[calc(var(--length)*100%-2px)] w-5 border-r [writing-mode:sideways-lr]'
      }`}
      style={{ '--from': from, '--length': length }}
    >
      {name}
    </span>
  );
}

/** Text of each row beside it; screen readers read them as row headers. */
function RowLabels({ matrix, markedRow }: { matrix: SimilarityMatrix; markedRow: number | undefined }) {
  const texts = useLabState((state) => state.texts);
  return (
    <ul
      aria-hidden
      className="absolute inset-y-0 right-full flex w-(--left) flex-col py-px text-[10.5px] text-ink-2"
    >
      {matrix.texts.map((text, row) => (
        <li
          key={text}
          title={texts[text]?.text}
          className={`flex min-h-0 flex-1 items-center justify-end gap-1.5 pr-2 ${row === markedRow ? 'font-semibold text-needle-ink' : ''}`}
        >
          <span dir="auto" className="truncate leading-none">
            {texts[text]?.text}
          </span>
          <GroupIcon group={texts[text]?.group} name={undefined} />
        </li>
      ))}
    </ul>
  );
}

interface CellsProps {
  matrix: SimilarityMatrix;
  activeRow: number;
  activeColumn: number;
  hasCursor: boolean;
}

/** Memoised, so that hovering over a cell does not re-render all the others. */
const Cells = memo(function Cells({ matrix, activeRow, activeColumn, hasCursor }: CellsProps) {
  const texts = useLabState((state) => state.texts);
  const { overview, range } = matrix;
  const side = matrix.texts.length;
  const getText = (position: number) => texts[matrix.texts[position] ?? -1]?.text;
  return (
    <>
      <colgroup>
        <col className="w-0" />
        <col span={side} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span>Text</span>
          </th>
          {matrix.texts.map((text, column) => (
            <th key={text} scope="col">
              <span>{getText(column)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {matrix.texts.map((text, row) => (
          <tr key={text}>
            <th scope="row">
              <span>{getText(row)}</span>
            </th>
            {matrix.texts.map((columnText, column) => {
              const value = overview.values[row * side + column] ?? 0;
              const step = Math.round(toRangeShare(value, range) * 10);
              const isActive = row === activeRow && column === activeColumn;
              return (
                <td
                  key={columnText}
                  tabIndex={isActive ? 0 : -1}
                  className={clsx(
                    row === column && 'text-ink-3',
                    row !== column && step === 6 && 'text-[oklch(19%_0.006_84)]',
                    row !== column &&
                      step > 6 &&
                      'text-[light-dark(oklch(98.5%_0.003_84),oklch(19%_0.006_84))]',
                    isActive && hasCursor && 'outline-2 outline-needle',
                  )}
                  style={{ background: row === column ? 'var(--line)' : `var(--heat-${step})` }}
                >
                  <span>{formatCosine(value, 2)}</span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </>
  );
});

/** Layout of a small matrix. */
interface MatrixLayout {
  /** Side of the square of cells, in px. */
  sidePx: number;
  /** Space in px on the left for the labels of all texts, for group names, or 0. */
  leftPx: number;
  hasLabels: boolean;
}

/** Size of group names, in px: at the top, and on the left if there are no labels. */
const bandPx = 26;

/**
 * Computes the layout. Rows have labels if each is then still at least 12 px high; otherwise the matrix takes their
 * space.
 */
export function computeMatrixLayout(
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
  count: number,
  hasBands: boolean,
): MatrixLayout {
  const topPx = hasBands ? bandPx : 0;
  const computeSidePx = (leftPx: number) => Math.floor(Math.min(widthPx - leftPx, heightPx - topPx)) - 2;
  const labelledSidePx = computeSidePx(labelGutterPx);
  if (count > 0 && labelledSidePx / count >= minLabelledRowPx)
    return { sidePx: labelledSidePx, leftPx: labelGutterPx, hasLabels: true };
  return { sidePx: Math.max(0, computeSidePx(topPx)), leftPx: topPx, hasLabels: false };
}

/** Returns the inner size of an element, without the padding on both sides, in px. */
function useContentSize(
  element: RefObject<HTMLElement | null>,
  paddingPx: number,
): { widthPx: number; heightPx: number } {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const observer = new ResizeObserver(() =>
      setSize({ widthPx: box.clientWidth - 2 * paddingPx, heightPx: box.clientHeight }),
    );
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, paddingPx]);
  return size;
}
