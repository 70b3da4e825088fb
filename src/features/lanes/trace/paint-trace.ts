import type { TraceColumns } from '../../../conversation/trace/trace-columns.ts';
import {
  drawTrace,
  type TracePicture,
  type TraceSize,
  type TraceVariant,
} from '../../../conversation/trace/trace-drawing.ts';

/** Paints the trace in device pixels on a canvas of the given CSS size. */
export function paintTrace(
  canvas: HTMLCanvasElement,
  columns: TraceColumns,
  picture: TracePicture,
  { getColor, ...options }: { variant: TraceVariant; getColor: (name: string) => string } & TraceSize,
): void {
  const { width, height } = options;
  const scale = window.devicePixelRatio || 1;
  if (width === 0) return;
  const [pixelsWide, pixelsHigh] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== pixelsWide) canvas.width = pixelsWide;
  if (canvas.height !== pixelsHigh) canvas.height = pixelsHigh;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);

  const { shapes, labels } = drawTrace(columns, picture, options);
  for (const { path, color, lineWidth, opacity = 1, dashes = [] } of shapes) {
    context.globalAlpha = opacity;
    if (lineWidth === undefined) {
      context.fillStyle = getColor(`--${color}`);
      context.fill(parsePath(path));
    } else {
      context.strokeStyle = getColor(`--${color}`);
      context.lineWidth = lineWidth;
      context.setLineDash([...dashes]);
      context.stroke(parsePath(path));
    }
  }
  context.globalAlpha = 1;
  context.fillStyle = getColor('--ink-3');
  for (const { text, x, y, fontSize, align } of labels) {
    context.font = `450 ${fontSize}px ${getColor('--sans')}`;
    context.textAlign = align;
    context.fillText(text, x, y);
  }
}

/** Parses a path in the format of SVG. */
function parsePath(path: string): Path2D {
  return new Path2D(path);
}
