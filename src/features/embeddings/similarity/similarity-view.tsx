import {
  useId,
  useState,
  useEffect,
  useEffectEvent,
  useRef,
  type KeyboardEvent,
  type RefObject,
} from 'react';

import { formatCount } from '../../../lib/format.ts';
import { getTextRow, type ColorScale } from '../../../state/lab/lab-state.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { saveBlob } from '../../../ui/display/save-file.ts';
import { Download } from '../../../ui/late-icons.tsx';
import { HelpTip } from '../../../ui/overlays/help-tip.tsx';
import type { HeatCell, HeatScene } from '../heat/heat-scene.ts';
import { renderHeatPng, Heat, type HeatEvents } from '../heat/heat.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { ZoomButtons } from '../map/zoom-buttons.tsx';
import { formatCosine } from '../views/lab-number-format.ts';
import { useThemeChange } from '../views/use-theme-change.ts';
import { useVectorQuery, type SetViewModel } from '../views/use-vector-query.ts';
import { ViewEmptyState, ViewFrame } from '../views/view-frame.tsx';
import { MatrixGrid } from './matrix-grid.tsx';
import { getNextMatrixCell } from './matrix-navigation.ts';
import { useMatrix, type SimilarityMatrix, type MatrixOrder } from './use-matrix.ts';

/**
 * Maximum number of cells per side in the DOM; larger matrices are drawn, but each cell stays reachable by keyboard.
 */
const maxGridSide = 40;

const orderOptions: { value: MatrixOrder; label: string }[] = [
  { value: 'input', label: 'as entered' },
  { value: 'label', label: 'by group' },
  { value: 'cluster', label: 'by cluster' },
  { value: 'pc1', label: 'by component 1' },
];

const scaleOptions: { value: ColorScale; label: string }[] = [
  { value: 'fixed', label: '0 to 1' },
  { value: 'stretch', label: 'Stretch' },
];

/** Exact similarity of every pair of texts, from the whole matrix down to a single cell. */
export function SimilarityView({ setView }: { setView: SetViewModel }) {
  const { select, reportFailure, setScale } = useLab();
  const scale = useLabState((state) => state.scales[setView.set.slot] ?? 'fixed');
  const hasGroups = useLabState((state) => state.groups.length > 0);
  const current = useLabState((state) => state.selection.current);
  const [requestedOrder, setRequestedOrder] = useState<MatrixOrder>();
  const [otherText, setOtherText] = useState<number>();
  const [hovered, setHovered] = useState<HeatCell>();
  const [heat, setHeat] = useState<Heat>();
  const count = setView.set.rows.length;
  const order = requestedOrder ?? (hasGroups ? 'label' : count > maxGridSide ? 'cluster' : 'input');
  const { matrix, problem } = useMatrix(count > 1 ? setView : undefined, order);

  const row = matrix && current !== undefined ? matrix.getPosition(current) : undefined;
  const column = matrix && otherText !== undefined ? matrix.getPosition(otherText) : undefined;
  const cursor = row === undefined ? undefined : { row, column: column ?? row };
  const isGrid = count <= maxGridSide;

  const onPick = (cell: HeatCell) => {
    if (!matrix) return;
    setOtherText(matrix.texts[cell.column]);
    select(matrix.texts[cell.row]);
  };
  /** Saves the canvas as displayed, or renders the matrix to one first if there is none. */
  const save = async () => {
    if (matrix) saveBlob(await (heat?.toPng() ?? renderHeatPng(matrix.scene)), 'similarity.png');
  };

  return (
    <ViewFrame
      title="Similarity"
      controls={
        count > 1 && (
          <>
            <Select
              label="Order"
              value={order}
              options={orderOptions.filter(({ value }) => value !== 'label' || hasGroups)}
              onChange={setRequestedOrder}
            />
            <Segmented label="Scale" value={scale} choices={scaleOptions} onChange={setScale} />
            <span className="inline-flex gap-0.5">
              {!isGrid && <ZoomButtons zoomable={heat} factor={1.6} fitLabel="Fit whole matrix" />}
              <IconButton
                size="small"
                label="Save matrix"
                tip="Save matrix as PNG"
                onClick={() => reportFailure(save())}
              >
                <Download className="icon-14" aria-hidden />
              </IconButton>
            </span>
          </>
        )
      }
      note={
        count > 1 && (
          <span className="inline-flex items-center">
            {formatCount(count)} × {formatCount(count)}
            <HelpTip subject="Similarity">
              Cosine similarity of two text vectors: 1 means the same direction, 0 means unrelated.
            </HelpTip>
          </span>
        )
      }
    >
      {problem !== undefined && <ViewEmptyState>{problem}</ViewEmptyState>}
      {count < 2 && <ViewEmptyState>Add a second text to compare.</ViewEmptyState>}
      {count > 1 && !matrix && problem === undefined && <ViewEmptyState>Sorting texts…</ViewEmptyState>}
      {matrix && (
        <>
          <div className="relative flex min-h-0 flex-1 flex-col">
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
          <footer className="flex flex-none items-start justify-between gap-3 px-4 pt-1.5 pb-2">
            <HeatLegend range={matrix.range} isFixed={scale === 'fixed'} />
            <PairReadout matrix={matrix} cell={hovered ?? cursor} />
          </footer>
        </>
      )}
    </ViewFrame>
  );
}

/** Legend of the eleven colours. */
function HeatLegend({
  range: { low, high },
  isFixed,
}: {
  range: { low: number; high: number };
  isFixed: boolean;
}) {
  const endLabels = isFixed
    ? ['0', '0.5', '1']
    : [`${formatCosine(low, 2)} or less`, ((low + high) / 2).toFixed(2), `${high.toFixed(2)} or more`];
  return (
    <div
      className="w-40 flex-none"
      role="img"
      aria-label={
        isFixed
          ? 'Colours from 0 or less to 1, in steps of 0.1'
          : `Colours from ${formatCosine(low, 2)} or less to ${high.toFixed(2)} or more`
      }
    >
      <div className="flex h-[9px]">
        {Array.from({ length: 11 }, (_, step) => (
          <span key={step} className="flex-1" style={{ background: `var(--heat-${step})` }} />
        ))}
      </div>
      <div className="flex justify-between pt-0.5 text-11 text-ink-3" aria-hidden>
        {endLabels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
    </div>
  );
}

/** The two texts of a cell and their exact similarity, even if the matrix shows means. */
function PairReadout({ matrix, cell }: { matrix: SimilarityMatrix; cell: HeatCell | undefined }) {
  const texts = useLabState((state) => state.texts);
  const rowText = cell && matrix.texts[cell.row];
  const columnText = cell && matrix.texts[cell.column];
  const { set } = matrix.setView;
  const rows = [rowText, columnText].map((text) => (text === undefined ? -1 : (getTextRow(set, text) ?? -1)));
  const [row = -1, otherRow = -1] = rows;
  const value = useVectorQuery(
    matrix.setView,
    ['pair', row, otherRow],
    async (engine, view) => ({ cosine: await engine.computePairScore(view, row, otherRow) }),
    { isEnabled: row >= 0 && otherRow >= 0 && row !== otherRow, keepsPreviousData: true },
  ).data;
  if (rowText === undefined || columnText === undefined)
    return <p className={`${readoutClasses} text-ink-3`}>Hover over a cell or use the arrow keys.</p>;
  return (
    <p className={readoutClasses}>
      {rowText !== columnText && value && (
        <b className="mr-1.5 text-13 font-semibold text-needle-ink">{formatCosine(value.cosine, 3)}</b>
      )}
      <span dir="auto">{texts[rowText]?.text}</span>
      {rowText === columnText ? (
        <span className="text-ink-3"> and itself</span>
      ) : (
        <span dir="auto" className="block">
          {texts[columnText]?.text}
        </span>
      )}
    </p>
  );
}

/** Tall enough for two texts, so that the height of the matrix above does not change while the pointer moves. */
const readoutClasses =
  'pair-readout max-h-24 min-h-12 max-w-[42ch] min-w-0 flex-1 overflow-y-auto text-right text-12 wrap-anywhere text-ink-2';

interface MatrixCanvasProps {
  matrix: SimilarityMatrix;
  cursor: HeatCell | undefined;
  onHover: (cell: HeatCell | undefined) => void;
  onMove: (cell: HeatCell) => void;
  /** Receives the canvas on mount and `undefined` on unmount. */
  onReady: (heat: Heat | undefined) => void;
}

/** Large matrix as a canvas, with a grid for screen readers that contains only the current cell. */
function MatrixCanvas({ matrix, cursor, onHover, onMove, onReady }: MatrixCanvasProps) {
  const texts = useLabState((state) => state.texts);
  const cellId = useId();
  const { host, heat } = useHeat({ scene: matrix.scene, cursor, events: { onHover, onPick: onMove } });
  useInstanceCallback(heat, onReady);
  const side = matrix.texts.length;
  const activeCell = cursor ?? { row: 0, column: 0 };
  const rowText = matrix.texts[activeCell.row] ?? 0;
  const columnText = matrix.texts[activeCell.column] ?? 0;
  const row = getTextRow(matrix.setView.set, rowText) ?? 0;
  const otherRow = getTextRow(matrix.setView.set, columnText) ?? 0;
  const value = useVectorQuery(
    matrix.setView,
    ['pair', row, otherRow],
    async (engine, view) => ({ cosine: await engine.computePairScore(view, row, otherRow) }),
    { isEnabled: row !== otherRow },
  ).data;

  const onKeyDown = (event: KeyboardEvent) => {
    const next = getNextMatrixCell(cursor, event, side);
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
      <div role="row" className="sr-only" aria-rowindex={1}>
        <span role="columnheader" aria-colindex={activeCell.column + 2}>
          {texts[columnText]?.text}
        </span>
      </div>
      <div role="row" className="sr-only" aria-rowindex={activeCell.row + 2}>
        <span role="rowheader" aria-colindex={1}>
          {texts[rowText]?.text}
        </span>
        <span role="gridcell" id={cellId} aria-colindex={activeCell.column + 2}>
          {row === otherRow ? 'itself' : value && formatCosine(value.cosine, 3)}
        </span>
      </div>
    </div>
  );
}

interface HeatProps {
  scene: HeatScene | undefined;
  cursor: HeatCell | undefined;
  events: HeatEvents;
}

/** Mounts a matrix on the element with this ref. `heat` is undefined until the matrix is mounted. */
function useHeat({ scene, cursor, events }: HeatProps): {
  host: RefObject<HTMLDivElement | null>;
  heat: Heat | undefined;
} {
  const host = useRef<HTMLDivElement>(null);
  const [heat, setHeat] = useState<Heat>();
  const onHover = useEffectEvent((cell: HeatCell | undefined) => events.onHover(cell));
  const onPick = useEffectEvent((cell: HeatCell) => events.onPick(cell));

  useEffect(() => {
    if (!host.current) return;
    const newHeat = new Heat(host.current, {
      onHover: (cell) => onHover(cell),
      onPick: (cell) => onPick(cell),
    });
    setHeat(newHeat);
    void document.fonts.ready.then(() => newHeat.refresh());
    return () => {
      newHeat.destroy();
      setHeat(undefined);
    };
  }, []);
  useEffect(() => {
    if (scene) heat?.setScene(scene);
  }, [heat, scene]);
  const { row, column } = cursor ?? {};
  useEffect(
    () => heat?.setCursor(row === undefined || column === undefined ? undefined : { row, column }),
    [heat, row, column],
  );
  useThemeChange(() => heat?.refresh());
  return { host, heat };
}

/** Passes an instance to the parent once it exists, and `undefined` on unmount. */
function useInstanceCallback<T>(instance: T | undefined, onReady: (instance: T | undefined) => void): void {
  const notify = useEffectEvent(onReady);
  useEffect(() => {
    notify(instance);
    return () => notify(undefined);
  }, [instance]);
}
