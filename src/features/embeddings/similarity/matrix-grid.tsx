import { memo, useRef, type KeyboardEvent, type PointerEvent } from 'react';

import { shareOf, type Cell } from '../heat/heat-scene.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { cosineWords } from '../views/dimension-words.ts';
import { cellAfterKey } from './matrix-keys.ts';
import type { Matrix } from './use-matrix.ts';

interface MatrixGridProps {
  matrix: Matrix;
  cursor: Cell | undefined;
  onHover: (cell: Cell | undefined) => void;
  onMove: (cell: Cell) => void;
}

/** Numbers fit into the cells up to so many a side. */
const mostWithNumbers = 10;

function cellOf(target: EventTarget): Cell | undefined {
  const cell = target instanceof Element ? target.closest('td') : null;
  const row = cell?.parentElement;
  if (!cell || !(row instanceof HTMLTableRowElement)) return undefined;
  return { row: row.sectionRowIndex, column: cell.cellIndex - 1 };
}

/** A small matrix as a grid of cells: one tab stop, arrows move, each cell says its value and its texts. */
export function MatrixGrid({ matrix, cursor, onHover, onMove }: MatrixGridProps) {
  const table = useRef<HTMLTableElement>(null);
  const side = matrix.texts.length;
  const at = cursor ?? { row: 0, column: 0 };

  const onKeyDown = (event: KeyboardEvent) => {
    const next = cellAfterKey(at, event, side);
    if (!next || event.altKey || event.metaKey) return;
    event.preventDefault();
    onMove(next);
    table.current?.tBodies[0]?.rows[next.row]?.cells[next.column + 1]?.focus();
  };
  const pointed = (event: PointerEvent) => onHover(cellOf(event.target));

  return (
    <div className={matrix.bands.length > 0 ? 'matrix-box banded' : 'matrix-box'}>
      <div className="matrix-square">
        <table
          ref={table}
          role="grid"
          aria-label="Similarity"
          className={side <= mostWithNumbers ? 'lab-matrix numbers' : 'lab-matrix'}
          onKeyDown={onKeyDown}
          onPointerOver={pointed}
          onPointerLeave={() => onHover(undefined)}
          onClick={(event) => {
            const cell = cellOf(event.target);
            if (cell) onMove(cell);
          }}
        >
          <Cells matrix={matrix} row={at.row} column={at.column} isMarked={cursor !== undefined} />
        </table>
        {matrix.bands.map(({ name, from, to }) => {
          const place = { '--from': from / side, '--length': (to - from) / side };
          return (
            <span key={from} aria-hidden className="mx-bands">
              <span className="mx-band across" style={place}>
                {name}
              </span>
              <span className="mx-band down" style={place}>
                {name}
              </span>
            </span>
          );
        })}
      </div>
    </div>
  );
}

interface CellsProps {
  matrix: Matrix;
  row: number;
  column: number;
  isMarked: boolean;
}

/** Apart, so that pointing at a cell lays out none again. */
const Cells = memo(function Cells({ matrix, row: atRow, column: atColumn, isMarked }: CellsProps) {
  const texts = useLabState((state) => state.texts);
  const { overview, range } = matrix;
  const side = matrix.texts.length;
  const textAt = (position: number) => texts[matrix.texts[position] ?? -1]?.text;
  return (
    <>
      <colgroup>
        <col className="head" />
        <col span={side} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span>Text</span>
          </th>
          {matrix.texts.map((text, column) => (
            <th key={text} scope="col">
              <span>{textAt(column)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {matrix.texts.map((text, row) => (
          <tr key={text}>
            <th scope="row">
              <span>{textAt(row)}</span>
            </th>
            {matrix.texts.map((other, column) => {
              const value = overview.values[row * side + column] ?? 0;
              const step = Math.round(shareOf(value, range) * 10);
              const isAt = row === atRow && column === atColumn;
              return (
                <td
                  key={other}
                  tabIndex={isAt ? 0 : -1}
                  className={`${row === column ? 'self' : `h${step}`}${isAt && isMarked ? ' at' : ''}`}
                >
                  <span>{cosineWords(value, 2)}</span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </>
  );
});
