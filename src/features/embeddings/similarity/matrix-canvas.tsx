import { useId, type KeyboardEvent } from 'react';

import { rowOf } from '../../../state/lab/lab-state.ts';
import type { Cell } from '../heat/heat-scene.ts';
import type { Heat } from '../heat/heat.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { cosineWords } from '../views/dimension-words.ts';
import { useReady } from '../views/use-ready.ts';
import { useVectors } from '../views/use-vectors.ts';
import { cellAfterKey } from './matrix-keys.ts';
import { useHeat } from './use-heat.ts';
import type { Matrix } from './use-matrix.ts';

interface MatrixCanvasProps {
  matrix: Matrix;
  cursor: Cell | undefined;
  onHover: (cell: Cell | undefined) => void;
  onMove: (cell: Cell) => void;
  /** The picture, when it is there and when it goes. */
  onReady: (heat: Heat | undefined) => void;
}

/** A large matrix as a picture, and as a grid of which the one cell that is pointed at is there to be read. */
export function MatrixCanvas({ matrix, cursor, onHover, onMove, onReady }: MatrixCanvasProps) {
  const texts = useLabState((state) => state.texts);
  const cellId = useId();
  const { host, heat } = useHeat({ scene: matrix.scene, cursor, events: { onHover, onPick: onMove } });
  useReady(heat, onReady);
  const side = matrix.texts.length;
  const at = cursor ?? { row: 0, column: 0 };
  const one = matrix.texts[at.row] ?? 0;
  const other = matrix.texts[at.column] ?? 0;
  const row = rowOf(matrix.shown.set, one) ?? 0;
  const otherRow = rowOf(matrix.shown.set, other) ?? 0;
  const value = useVectors(
    matrix.shown,
    ['pair', row, otherRow],
    async (engine, view) => ({ cosine: await engine.pair(view, row, otherRow) }),
    { isWanted: row !== otherRow },
  ).data;

  const onKeyDown = (event: KeyboardEvent) => {
    const next = cellAfterKey(cursor, event, side);
    if (event.altKey || event.metaKey) return;
    if (next) onMove(next);
    else if (event.key === '+' || event.key === '=') heat?.zoom(1.6);
    else if (event.key === '-') heat?.zoom(1 / 1.6);
    else if (event.key === '0') heat?.fit();
    else return;
    event.preventDefault();
  };

  return (
    <div
      className="lab-canvas"
      ref={host}
      role="grid"
      aria-label="Similarity"
      aria-rowcount={side + 1}
      aria-colcount={side + 1}
      aria-activedescendant={cellId}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="row" className="vh" aria-rowindex={1}>
        <span role="columnheader" aria-colindex={at.column + 2}>
          {texts[other]?.text}
        </span>
      </div>
      <div role="row" className="vh" aria-rowindex={at.row + 2}>
        <span role="rowheader" aria-colindex={1}>
          {texts[one]?.text}
        </span>
        <span role="gridcell" id={cellId} aria-colindex={at.column + 2}>
          {row === otherRow ? 'itself' : value && cosineWords(value.cosine, 3)}
        </span>
      </div>
    </div>
  );
}
