import type { CssColors } from '../canvas/css-colors.ts';
import { bandPx, cornerOf, type HeatFrame } from './heat-frame.ts';
import type { Cell, HeatScene } from './heat-scene.ts';

export interface HeatMarks {
  frame: HeatFrame;
  scene: HeatScene;
  hovered: Cell | undefined;
  cursor: Cell | undefined;
  css: CssColors['css'];
}

/** The names of groups and the marked cells, over the matrix. In CSS pixels. */
export function paintHeatMarks(context: CanvasRenderingContext2D, marks: HeatMarks): void {
  paintBands(context, marks);
  paintMark(context, marks, marks.hovered, '--ink', 1);
  paintMark(context, marks, marks.cursor, '--needle', 2);
}

function paintMark(
  context: CanvasRenderingContext2D,
  { frame, scene, css }: HeatMarks,
  cell: Cell | undefined,
  color: `--${string}`,
  widthPx: number,
): void {
  if (!cell) return;
  const cellPx = frame.view.pixelsPerUnit;
  const { x, y } = cornerOf(frame, cell.row, cell.column);
  context.strokeStyle = css(color);
  context.lineWidth = 1;
  if (cellPx < 24) {
    // A crosshair, or the cell would not be found.
    const corner = cornerOf(frame, 0, 0);
    const end = cornerOf(frame, scene.side, scene.side);
    context.globalAlpha = 0.55;
    context.beginPath();
    context.moveTo(Math.max(0, corner.x), y + cellPx / 2);
    context.lineTo(Math.min(frame.widthPx, end.x), y + cellPx / 2);
    context.moveTo(x + cellPx / 2, Math.max(0, corner.y));
    context.lineTo(x + cellPx / 2, Math.min(frame.heightPx, end.y));
    context.stroke();
    context.globalAlpha = 1;
  }
  context.lineWidth = widthPx;
  const grow = cellPx < 5 ? 3 : 1;
  context.strokeRect(x - grow, y - grow, cellPx + 2 * grow, cellPx + 2 * grow);
}

function paintBands(context: CanvasRenderingContext2D, { frame, scene, css }: HeatMarks): void {
  const { bands } = scene;
  const { widthPx, heightPx } = frame;
  context.strokeStyle = css('--line-2');
  context.font = `450 11px ${css('--sans')}`;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.lineWidth = 1;
  const corner = cornerOf(frame, 0, 0);
  // Along the edge while the matrix reaches beyond it.
  const top = Math.max(bandPx, corner.y) - 5;
  const left = Math.max(bandPx, corner.x) - 5;
  context.fillStyle = css('--paper');
  if (corner.y < bandPx && bands.length > 0) context.fillRect(0, 0, widthPx, bandPx);
  if (corner.x < bandPx && bands.length > 0) context.fillRect(0, 0, bandPx, heightPx);
  context.fillStyle = css('--ink-3');
  for (const { name, from, to } of bands) {
    const start = cornerOf(frame, from, from);
    const end = cornerOf(frame, to, to);
    context.beginPath();
    context.moveTo(start.x + 1, top + 3);
    context.lineTo(start.x + 1, top);
    context.lineTo(end.x - 1, top);
    context.lineTo(end.x - 1, top + 3);
    context.moveTo(left + 3, start.y + 1);
    context.lineTo(left, start.y + 1);
    context.lineTo(left, end.y - 1);
    context.lineTo(left + 3, end.y - 1);
    context.stroke();
    // In the middle of what is seen of the band, where that is long enough.
    const needed = context.measureText(name).width + 4;
    const [across, alongX] = middleOf(start.x, end.x, bandPx, widthPx);
    if (alongX >= needed) context.fillText(name, across, top - 6);
    const [down, alongY] = middleOf(start.y, end.y, bandPx, heightPx);
    if (alongY < needed) continue;
    context.save();
    context.translate(left - 6, down);
    context.rotate(-Math.PI / 2);
    context.fillText(name, 0, 0);
    context.restore();
  }
}

/** The middle and the length of the part of a stretch that lies between two places. */
function middleOf(from: number, to: number, least: number, most: number): [number, number] {
  const start = Math.max(from, least);
  const end = Math.min(to, most);
  return [(start + end) / 2, end - start];
}
