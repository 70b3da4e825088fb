/** Lays out the trace of an answer as shapes. The app paints them on a canvas, exported files contain them as SVG. */
import { getTraceX, type TraceColumns } from './trace-columns.ts';
import type { Tick } from './trace.ts';

export interface TracePicture {
  ticks: readonly Tick[];
  /** Number of ticks to draw; all if absent. */
  visibleCount?: number;
  /** Length of the time axis, in ms. */
  rangeMs: number;
  firstMs?: number | undefined;
  endMs: number;
  /** Ending of the run; absent while it is live. */
  end?: 'whole' | 'failed' | undefined;
  /** Position of the needle in ms, while the run is live or replayed. */
  nowMs?: number | undefined;
  /** Position of the pointer, in ms. */
  cursorMs?: number | undefined;
  /** Gaps that are long enough to be marked as stalls. */
  stalls?: readonly { fromMs: number; toMs: number }[];
}

/**
 * Variants. `footer`: 28 px high, with the length of the axis at its end; `line`: 14 px high, without the length;
 * `large`: with numbers along the axis; `stage`: 34 px high, for projectors.
 */
export type TraceVariant = 'footer' | 'line' | 'large' | 'stage';

/** Size in CSS pixels. */
export interface TraceSize {
  width: number;
  height: number;
}

/** Design tokens of the colours. */
type TraceColor = 'ink' | 'edge' | 'line-2' | 'lane' | 'err' | 'needle' | 'warn-wash';

export interface TraceShape {
  /** SVG path data in CSS pixels. */
  path: string;
  color: TraceColor;
  /** Width of the line in px; the path is filled if absent. */
  lineWidth?: number;
  opacity?: number;
  /** Lengths of the dashes and the gaps between them, in px. */
  dashes?: readonly number[];
}

/** Text beside the axis, in the third ink. `y` is its baseline. */
export interface TraceLabel {
  text: string;
  x: number;
  y: number;
  fontSize: number;
  align: 'left' | 'center' | 'right';
}

export interface TraceDrawing {
  /** Shapes from back to front. */
  shapes: TraceShape[];
  labels: TraceLabel[];
}

const labelGapPx = 5;
/** Approximate width of a character of a label, as a share of the font size. */
const charWidthShare = 0.55;

const traceGeometry = {
  footer: { baseline: 22, short: [5, 9], tall: [9, 19], top: 3 },
  line: { baseline: 12, short: [3, 5], tall: [5, 11], top: 0 },
  large: { baseline: 46, short: [9, 18], tall: [16, 38], top: 7 },
  stage: { baseline: 29, short: [7, 12], tall: [13, 27], top: 2 },
} as const;

/** Label with the length of the axis, at its end. Ticks below the label are drawn shorter. */
const labelGeometry = {
  footer: { size: 10.5, textY: 10, minY: 13 },
  stage: { size: 12, textY: 12, minY: 15 },
} as const;

/** Lays out a trace. Has at most one mark per pixel column, the tallest. */
export function drawTrace(
  columns: TraceColumns,
  picture: TracePicture,
  { variant, width, height }: { variant: TraceVariant } & TraceSize,
): TraceDrawing {
  const { ticks, rangeMs, visibleCount = ticks.length, endMs, end, nowMs, cursorMs } = picture;
  const { baseline, short, tall, top } = traceGeometry[variant];
  const toX = (ms: number) => getTraceX(ms, width, rangeMs);
  const rangeText = rangeMs < 120_000 ? `${rangeMs / 1000} s` : `${rangeMs / 60_000} min`;
  const label = variant === 'footer' || variant === 'stage' ? labelGeometry[variant] : undefined;
  const labelStartX = label
    ? width - rangeText.length * label.size * charWidthShare - labelGapPx
    : Number.POSITIVE_INFINITY;
  const getMinY = (x: number) => (label && x > labelStartX ? label.minY : 0);
  const buildLine = (x: number, startY: number) => `M${x} ${round(Math.max(startY, getMinY(x)))}V${baseline}`;
  const tracedColumns = [...columns.getColumns(ticks, visibleCount, width, rangeMs)];
  const buildTicks = (kind: Tick['kind'], [minHeight, maxHeight]: readonly [number, number]) =>
    tracedColumns
      .filter(([, column]) => column.kind === kind)
      .map(([x, { size }]) => buildLine(x, baseline - minHeight - (maxHeight - minHeight) * size))
      .join('');
  const firstMs = picture.firstMs ?? ticks[0]?.atMs;
  const waitEndX = toX(Math.min(firstMs ?? Number.POSITIVE_INFINITY, nowMs ?? endMs));
  const stepMs = getAxisStepMs(rangeMs);
  const tickWidth = variant === 'stage' ? 2 : 1;
  const stalls = variant === 'large' ? (picture.stalls ?? []) : [];
  const needles = [nowMs, cursorMs].filter((ms) => ms !== undefined);
  const shapes: TraceShape[] = [
    {
      path: stalls
        .map(({ fromMs, toMs }) => buildRectangle(toX(fromMs), top + 1, toX(toMs), baseline))
        .join(''),
      color: 'warn-wash',
    },
    {
      path: buildAxis(width, baseline, stepMs, rangeMs),
      color: variant === 'large' ? 'edge' : 'line-2',
      lineWidth: 1,
    },
    {
      path: `M1 ${baseline - 3.5}H${Math.max(1, waitEndX - 2)}`,
      color: 'edge',
      lineWidth: 1,
      dashes: [1, 3],
    },
    { path: buildTicks('thinking', short), color: 'lane', lineWidth: tickWidth, opacity: 0.7 },
    { path: buildTicks('answer', tall), color: 'lane', lineWidth: tickWidth },
    {
      path: firstMs === undefined || picture.visibleCount === 0 ? '' : buildLine(toX(firstMs), top),
      color: 'ink',
      lineWidth: 1,
    },
    {
      path: end === 'failed' ? buildCross(toX(endMs), baseline) : '',
      color: 'err',
      lineWidth: 2,
    },
    {
      path: end === 'whole' && endMs > 0 ? buildLine(toX(endMs), top) : '',
      color: 'ink',
      lineWidth: tickWidth + 1,
    },
    {
      path: needles.map((ms) => buildNeedle(toX(ms), getMinY(toX(ms)), baseline)).join(''),
      color: 'needle',
    },
  ];
  return {
    shapes: shapes.filter(({ path }) => path !== ''),
    labels: [
      ...(variant === 'large' ? buildScaleLabels(width, height, rangeMs, stepMs) : []),
      ...(label
        ? [{ text: rangeText, x: width, y: label.textY, fontSize: label.size, align: 'right' } as const]
        : []),
    ],
  };
}

/** Rounds to two decimals, so that paths stay short. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * Returns the step of the axis in ms: a tenth of the range, or an eighth or fifteenth where that gives round numbers.
 */
function getAxisStepMs(rangeMs: number): number {
  return (
    rangeMs / (rangeMs === 15_000 ? 15 : rangeMs === 8_000 || rangeMs === 4_000 || rangeMs === 2_000 ? 8 : 10)
  );
}

function buildAxis(width: number, baseline: number, stepMs: number, rangeMs: number): string {
  const halfSteps = Array.from(
    { length: Math.floor((2 * (rangeMs + 0.5)) / stepMs) + 1 },
    (_, index) => index,
  );
  const marks = halfSteps.map(
    (half) =>
      `M${getTraceX((half / 2) * stepMs, width, rangeMs)} ${baseline + 0.5}v${half % 2 === 0 ? 5 : 3}`,
  );
  return `M0 ${baseline + 0.5}H${width}${marks.join('')}`;
}

function buildRectangle(startX: number, topY: number, endX: number, bottomY: number): string {
  return `M${startX} ${topY}H${endX}V${bottomY}H${startX}Z`;
}

function buildNeedle(x: number, topY: number, baseline: number): string {
  return `${buildRectangle(x - 0.75, topY + 3, x + 0.75, baseline + 5)}M${x - 3.5} ${topY}h7L${x} ${topY + 5}Z`;
}

function buildCross(x: number, baseline: number): string {
  return `M${x - 3.5} ${baseline - 10.5}l7 7M${x - 3.5} ${baseline - 3.5}l7 -7`;
}

function buildScaleLabels(width: number, height: number, rangeMs: number, stepMs: number): TraceLabel[] {
  const last = Math.round(rangeMs / stepMs);
  const inMinutes = rangeMs > 120_000;
  return Array.from({ length: last + 1 }, (_, mark) => {
    const value = (mark * stepMs) / (inMinutes ? 60_000 : 1000);
    const text = Number(value.toFixed(2)).toString();
    return {
      text: mark === last ? `${text} ${inMinutes ? 'min' : 's'}` : text,
      x: getTraceX(mark * stepMs, width, rangeMs),
      y: height - 2,
      fontSize: 11,
      align: mark === 0 ? 'left' : mark === last ? 'right' : 'center',
    };
  });
}
