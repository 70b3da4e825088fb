import { Download } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';

import { formatCount } from '../../../lib/format.ts';
import { rowOf } from '../../../state/lab/lab-state.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { saveBlob } from '../../../ui/display/save-file.ts';
import type { Cell } from '../heat/heat-scene.ts';
import { heatPng, type Heat } from '../heat/heat.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { ZoomButtons } from '../map/zoom-buttons.tsx';
import { cosineWords } from '../views/dimension-words.ts';
import { useVectors, type ShownView } from '../views/use-vectors.ts';
import { ViewBlank, ViewFrame } from '../views/view-frame.tsx';
import { MatrixGrid } from './matrix-grid.tsx';
import { cellAfterKey } from './matrix-keys.ts';
import { useHeat, useReady } from './use-heat.ts';
import { useMatrix, type Matrix, type MatrixOrder } from './use-matrix.ts';

/** More cells than this a side are drawn instead of laid out; each is reached by keys all the same. */
const mostLaidOut = 40;

const orders: { value: MatrixOrder; label: string }[] = [
  { value: 'input', label: 'as entered' },
  { value: 'label', label: 'by group' },
  { value: 'cluster', label: 'by cluster' },
  { value: 'pc1', label: 'by component 1' },
];

/** How alike each text is to each other: exact, from the whole matrix down to a single cell. */
export function SimilarityView({ shown }: { shown: ShownView }) {
  const { select, tell } = useLab();
  const hasGroups = useLabState((state) => state.groups.length > 0);
  const current = useLabState((state) => state.selection.current);
  const [wanted, setWanted] = useState<MatrixOrder>();
  const [other, setOther] = useState<number>();
  const [hovered, setHovered] = useState<Cell>();
  const [heat, setHeat] = useState<Heat>();
  const count = shown.set.rows.length;
  const by = wanted ?? (hasGroups ? 'label' : count > mostLaidOut ? 'cluster' : 'input');
  const { matrix, problem } = useMatrix(count > 1 ? shown : undefined, by);

  const row = matrix && current !== undefined ? matrix.positionOf(current) : undefined;
  const column = matrix && other !== undefined ? matrix.positionOf(other) : undefined;
  const cursor = row === undefined ? undefined : { row, column: column ?? row };
  const isGrid = count <= mostLaidOut;

  const onPick = (cell: Cell) => {
    if (!matrix) return;
    setOther(matrix.texts[cell.column]);
    select(matrix.texts[cell.row]);
  };
  /** As it is seen where it is a picture already. */
  const save = async () => {
    if (matrix) saveBlob(await (heat?.toPng() ?? heatPng(matrix.scene)), 'similarity.png');
  };

  return (
    <ViewFrame
      title="Similarity"
      controls={
        count > 1 && (
          <>
            <Select
              label="Order"
              value={by}
              options={orders.filter(({ value }) => value !== 'label' || hasGroups)}
              onChange={setWanted}
            />
            <span className="lab-buttons">
              {!isGrid && <ZoomButtons picture={heat} factor={1.6} fitLabel="Show the whole matrix" />}
              <IconButton
                size="small"
                label="Save the matrix"
                tip="Save the matrix as PNG"
                onClick={() => tell(save())}
              >
                <Download className="i s" aria-hidden />
              </IconButton>
            </span>
          </>
        )
      }
      note={count > 1 && `Cosine, ${formatCount(count)} × ${formatCount(count)}`}
    >
      {problem !== undefined && <ViewBlank>{problem}</ViewBlank>}
      {count < 2 && <ViewBlank>Add a second text to compare.</ViewBlank>}
      {count > 1 && !matrix && problem === undefined && <ViewBlank>Sorting the texts</ViewBlank>}
      {matrix && (
        <>
          <div className="lab-canvas-box">
            {isGrid ? (
              <MatrixGrid matrix={matrix} cursor={cursor} onHover={setHovered} onMove={onPick} />
            ) : (
              <MatrixCanvas
                matrix={matrix}
                cursor={cursor}
                onHover={setHovered}
                onMove={onPick}
                onReady={setHeat}
              />
            )}
          </div>
          <footer className="lab-legend-row">
            <HeatLegend range={matrix.range} />
            <span className="grow" />
            <PairReadout matrix={matrix} cell={hovered ?? cursor} />
          </footer>
        </>
      )}
    </ViewFrame>
  );
}

/** What the eleven colours stand for. */
function HeatLegend({ range: { low, high } }: { range: { low: number; high: number } }) {
  return (
    <div
      className="heat-legend"
      role="img"
      aria-label={`Colours from ${cosineWords(low, 2)} or less to ${high.toFixed(2)} or more`}
    >
      <div className="steps">
        {Array.from({ length: 11 }, (_, step) => (
          <i key={step} className={`h${step}`} />
        ))}
      </div>
      <div className="ends" aria-hidden>
        <span>{cosineWords(low, 2)} or less</span>
        <span>{((low + high) / 2).toFixed(2)}</span>
        <span>{high.toFixed(2)} or more</span>
      </div>
    </div>
  );
}

/** The two texts of a cell and their similarity, exact also where the picture shows means. */
function PairReadout({ matrix, cell }: { matrix: Matrix; cell: Cell | undefined }) {
  const texts = useLabState((state) => state.texts);
  const one = cell && matrix.texts[cell.row];
  const other = cell && matrix.texts[cell.column];
  const { set } = matrix.shown;
  const rows = [one, other].map((text) => (text === undefined ? -1 : (rowOf(set, text) ?? -1)));
  const [row = -1, otherRow = -1] = rows;
  const value = useVectors(
    matrix.shown,
    ['pair', row, otherRow],
    async (engine, view) => ({ cosine: await engine.pair(view, row, otherRow) }),
    { isWanted: row >= 0 && otherRow >= 0 && row !== otherRow, keepsLast: true },
  ).data;
  if (one === undefined || other === undefined)
    return <p className="lab-readout mut">Point at a cell or use the arrow keys.</p>;
  if (one === other)
    return (
      <p className="lab-readout">
        <span dir="auto">{texts[one]?.text}</span> <span className="mut">and itself</span>
      </p>
    );
  return (
    <p className="lab-readout">
      {value && <b>{cosineWords(value.cosine, 3)}</b>}
      <span dir="auto">{texts[one]?.text}</span> <span className="mut">and</span>{' '}
      <span dir="auto">{texts[other]?.text}</span>
    </p>
  );
}

interface MatrixCanvasProps {
  matrix: Matrix;
  cursor: Cell | undefined;
  onHover: (cell: Cell | undefined) => void;
  onMove: (cell: Cell) => void;
  /** The picture, when it is there and when it goes. */
  onReady: (heat: Heat | undefined) => void;
}

/** A large matrix as a picture, and as a grid of which the one cell that is pointed at is there to be read. */
function MatrixCanvas({ matrix, cursor, onHover, onMove, onReady }: MatrixCanvasProps) {
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
