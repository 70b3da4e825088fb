import { rangeFor, type Tick } from '../../../conversation/trace.ts';

export interface TracePicture {
  ticks: readonly Tick[];
  firstMs?: number;
  endMs: number;
  failed: boolean;
  /** Where the needle stands, while the run is live. */
  nowMs?: number;
}

const baseline = 22;

/** Draws the trace at the canvas's own size in device pixels. One mark a pixel column at most, the tallest. */
export function paintTrace(canvas: HTMLCanvasElement, picture: TracePicture): void {
  const { width, height } = canvas.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  if (width === 0) return;
  const [pixelsWide, pixelsHigh] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== pixelsWide) canvas.width = pixelsWide;
  if (canvas.height !== pixelsHigh) canvas.height = pixelsHigh;
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);

  const rangeMs = rangeFor(Math.max(picture.endMs, picture.nowMs ?? 0));
  const x = (ms: number) => Math.round((Math.min(ms, rangeMs) / rangeMs) * (width - 1)) + 0.5;
  const line = (at: number, top: number, bottom: number, stroke: string, thickness = 1) => {
    context.strokeStyle = stroke;
    context.lineWidth = thickness;
    context.beginPath();
    context.moveTo(at, top);
    context.lineTo(at, bottom);
    context.stroke();
  };

  axis(context, width, color('--line-2'));
  wait(context, x(picture.firstMs ?? picture.nowMs ?? picture.endMs), color('--edge'));
  for (const [column, { kind, height: tall }] of columnsOf(picture.ticks, x)) {
    context.globalAlpha = kind === 'thinking' ? 0.7 : 1;
    line(column, baseline - tall, baseline, color('--lane'));
  }
  context.globalAlpha = 1;
  if (picture.firstMs !== undefined) line(x(picture.firstMs), 3, baseline, color('--ink'));
  if (picture.nowMs !== undefined) needle(context, x(picture.nowMs), color('--needle'));
  else if (picture.failed) cross(context, x(picture.endMs), color('--err'));
  else if (picture.endMs > 0) line(x(picture.endMs), 3, baseline, color('--ink'), 2);
  label(context, width, rangeMs, color('--ink-3'), color('--sans'));
}

/** Per pixel column the tallest mark: short for reasoning, tall for the answer, taller for more text. */
function columnsOf(ticks: readonly Tick[], x: (ms: number) => number): Map<number, { kind: Tick['kind']; height: number }> {
  const columns = new Map<number, { kind: Tick['kind']; height: number }>();
  for (const { atMs, kind, size } of ticks) {
    const grown = Math.min(1, Math.log2(1 + size) / 5);
    const height = kind === 'thinking' ? 5 + 4 * grown : 9 + 10 * grown;
    const column = x(atMs);
    const known = columns.get(column);
    if (!known || known.height < height) columns.set(column, { kind, height });
  }
  return columns;
}

function axis(context: CanvasRenderingContext2D, width: number, stroke: string): void {
  context.strokeStyle = stroke;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, baseline + 0.5);
  context.lineTo(width, baseline + 0.5);
  for (let mark = 0; mark <= 10; mark += 1) {
    const at = Math.round((mark / 10) * (width - 1)) + 0.5;
    context.moveTo(at, baseline + 0.5);
    context.lineTo(at, baseline + (mark % 2 === 0 ? 5.5 : 3.5));
  }
  context.stroke();
}

function wait(context: CanvasRenderingContext2D, to: number, stroke: string): void {
  context.strokeStyle = stroke;
  context.setLineDash([1, 3]);
  context.beginPath();
  context.moveTo(1, baseline - 3.5);
  context.lineTo(to - 2, baseline - 3.5);
  context.stroke();
  context.setLineDash([]);
}

function needle(context: CanvasRenderingContext2D, at: number, fill: string): void {
  context.fillStyle = fill;
  context.fillRect(at - 0.75, 3, 1.5, baseline + 2);
  context.beginPath();
  context.moveTo(at - 3.5, 0);
  context.lineTo(at + 3.5, 0);
  context.lineTo(at, 5);
  context.fill();
}

function cross(context: CanvasRenderingContext2D, at: number, stroke: string): void {
  context.strokeStyle = stroke;
  context.lineWidth = 2;
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(at - 3.5, baseline - 7 + side * 3.5);
    context.lineTo(at + 3.5, baseline - 7 - side * 3.5);
  }
  context.stroke();
}

function label(context: CanvasRenderingContext2D, width: number, rangeMs: number, fill: string, font: string): void {
  const words = rangeMs < 120_000 ? `${rangeMs / 1000} s` : `${rangeMs / 60_000} min`;
  context.font = `450 10.5px ${font}`;
  context.textAlign = 'right';
  context.fillStyle = fill;
  context.fillText(words, width, 10);
}
