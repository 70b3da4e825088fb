import type { Tick } from '../../../conversation/trace/trace.ts';
import { getTraceX, type TraceColumns } from './trace-columns.ts';

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

const labelGapPx = 5;

/** Size in CSS pixels. */
export interface TraceSize {
  width: number;
  height: number;
}

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

/**
 * Paints the trace in device pixels on a canvas of the given CSS size. Draws at most one mark per pixel column, the
 * tallest.
 */
export function paintTrace(
  canvas: HTMLCanvasElement,
  columns: TraceColumns,
  picture: TracePicture,
  {
    variant,
    width,
    height,
    getColor,
  }: { variant: TraceVariant; getColor: (name: string) => string } & TraceSize,
): void {
  const scale = window.devicePixelRatio || 1;
  if (width === 0) return;
  const [pixelsWide, pixelsHigh] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== pixelsWide) canvas.width = pixelsWide;
  if (canvas.height !== pixelsHigh) canvas.height = pixelsHigh;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);

  const { rangeMs } = picture;
  const { baseline, short, tall, top } = traceGeometry[variant];
  const toX = (ms: number) => getTraceX(ms, width, rangeMs);
  const label = variant === 'footer' || variant === 'stage' ? labelGeometry[variant] : undefined;
  const rangeText = rangeMs < 120_000 ? `${rangeMs / 1000} s` : `${rangeMs / 60_000} min`;
  if (label) context.font = `450 ${label.size}px ${getColor('--sans')}`;
  const labelStartX = label ? width - context.measureText(rangeText).width - labelGapPx : width;
  const getMinY = (columnX: number) => (label && columnX > labelStartX ? label.minY : 0);
  const drawLine = (lineX: number, startY: number, stroke: string, thickness = 1) => {
    context.strokeStyle = stroke;
    context.lineWidth = thickness;
    context.beginPath();
    context.moveTo(lineX, Math.max(startY, getMinY(lineX)));
    context.lineTo(lineX, baseline);
    context.stroke();
  };

  if (variant === 'large') {
    context.fillStyle = getColor('--warn-wash');
    for (const { fromMs, toMs } of picture.stalls ?? [])
      context.fillRect(toX(fromMs), top + 1, toX(toMs) - toX(fromMs), baseline - top - 1);
  }
  drawAxis(
    context,
    width,
    baseline,
    getColor(variant === 'large' ? '--edge' : '--line-2'),
    getAxisStepMs(rangeMs),
    rangeMs,
  );
  const firstMs = picture.firstMs ?? picture.ticks[0]?.atMs;
  drawWait(
    context,
    toX(Math.min(firstMs ?? Number.POSITIVE_INFINITY, picture.nowMs ?? picture.endMs)),
    baseline,
    getColor('--edge'),
  );
  const tracedColumns = columns.getColumns(
    picture.ticks,
    picture.visibleCount ?? picture.ticks.length,
    width,
    rangeMs,
  );
  const laneColor = getColor('--lane');
  for (const [columnX, { kind, size }] of tracedColumns) {
    const [minHeight, maxHeight] = kind === 'thinking' ? short : tall;
    context.globalAlpha = kind === 'thinking' ? 0.7 : 1;
    drawLine(
      columnX,
      baseline - minHeight - (maxHeight - minHeight) * size,
      laneColor,
      variant === 'stage' ? 2 : 1,
    );
  }
  context.globalAlpha = 1;
  const hasFirstToken =
    firstMs !== undefined && (picture.visibleCount === undefined || picture.visibleCount > 0);
  if (hasFirstToken) drawLine(toX(firstMs), top, getColor('--ink'));
  if (picture.end === 'failed') drawCross(context, toX(picture.endMs), baseline, getColor('--err'));
  else if (picture.end === 'whole' && picture.endMs > 0)
    drawLine(toX(picture.endMs), top, getColor('--ink'), variant === 'stage' ? 3 : 2);
  for (const ms of [picture.nowMs, picture.cursorMs]) {
    if (ms !== undefined)
      drawNeedle(context, toX(ms), { topY: getMinY(toX(ms)), baseline }, getColor('--needle'));
  }
  context.fillStyle = getColor('--ink-3');
  if (variant === 'large') drawScaleNumbers(context, width, height, rangeMs, getColor('--sans'));
  if (!label) return;
  context.font = `450 ${label.size}px ${getColor('--sans')}`;
  context.textAlign = 'right';
  context.fillText(rangeText, width, label.textY);
}

/**
 * Returns the step of the axis in ms: a tenth of the range, or an eighth or fifteenth where that gives round numbers.
 */
function getAxisStepMs(rangeMs: number): number {
  return (
    rangeMs / (rangeMs === 15_000 ? 15 : rangeMs === 8_000 || rangeMs === 4_000 || rangeMs === 2_000 ? 8 : 10)
  );
}

function drawAxis(
  context: CanvasRenderingContext2D,
  width: number,
  baseline: number,
  stroke: string,
  stepMs: number,
  rangeMs: number,
): void {
  context.strokeStyle = stroke;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, baseline + 0.5);
  context.lineTo(width, baseline + 0.5);
  for (let mark = 0; mark * stepMs <= rangeMs + 0.5; mark += 0.5) {
    const x = getTraceX(mark * stepMs, width, rangeMs);
    context.moveTo(x, baseline + 0.5);
    context.lineTo(x, baseline + (Number.isInteger(mark) ? 5.5 : 3.5));
  }
  context.stroke();
}

function drawWait(context: CanvasRenderingContext2D, endX: number, baseline: number, stroke: string): void {
  context.strokeStyle = stroke;
  context.setLineDash([1, 3]);
  context.beginPath();
  context.moveTo(1, baseline - 3.5);
  context.lineTo(Math.max(1, endX - 2), baseline - 3.5);
  context.stroke();
  context.setLineDash([]);
}

function drawNeedle(
  context: CanvasRenderingContext2D,
  x: number,
  { topY, baseline }: { topY: number; baseline: number },
  fill: string,
): void {
  context.fillStyle = fill;
  context.fillRect(x - 0.75, topY + 3, 1.5, baseline + 2 - topY);
  context.beginPath();
  context.moveTo(x - 3.5, topY);
  context.lineTo(x + 3.5, topY);
  context.lineTo(x, topY + 5);
  context.fill();
}

function drawCross(context: CanvasRenderingContext2D, x: number, baseline: number, stroke: string): void {
  context.strokeStyle = stroke;
  context.lineWidth = 2;
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x - 3.5, baseline - 7 + side * 3.5);
    context.lineTo(x + 3.5, baseline - 7 - side * 3.5);
  }
  context.stroke();
}

function drawScaleNumbers(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  rangeMs: number,
  font: string,
): void {
  context.font = `450 11px ${font}`;
  const stepMs = getAxisStepMs(rangeMs);
  const last = Math.round(rangeMs / stepMs);
  const inMinutes = rangeMs > 120_000;
  for (let mark = 0; mark <= last; mark += 1) {
    const value = (mark * stepMs) / (inMinutes ? 60_000 : 1000);
    const text = Number(value.toFixed(2)).toString();
    context.textAlign = mark === 0 ? 'left' : mark === last ? 'right' : 'center';
    context.fillText(
      mark === last ? `${text} ${inMinutes ? 'min' : 's'}` : text,
      getTraceX(mark * stepMs, width, rangeMs),
      height - 2,
    );
  }
}
