import type { CssColors } from '../canvas/css-colors.ts';
import { cornerOf, namesRoom, wholeRows, type HeatFrame, type NamesRoom } from './heat-frame.ts';
import type { Cell, HeatScene } from './heat-scene.ts';

export interface HeatMarks {
  frame: HeatFrame;
  scene: HeatScene;
  hovered: Cell | undefined;
  cursor: Cell | undefined;
  css: CssColors['css'];
}

/** The marked cells, and over them the names of groups and the texts of rows. In CSS pixels. */
export function paintHeatMarks(context: CanvasRenderingContext2D, marks: HeatMarks): void {
  const { frame, scene, css } = marks;
  paintMark(context, marks, marks.hovered, '--ink', 1);
  paintMark(context, marks, marks.cursor, '--needle', 2);
  const room = namesRoom(frame.view.pixelsPerUnit, scene.bands.length > 0);
  const corner = cornerOf(frame, 0, 0);
  context.fillStyle = css('--paper');
  if (corner.y < room.topPx) context.fillRect(0, 0, frame.widthPx, room.topPx);
  if (corner.x < room.leftPx) context.fillRect(0, 0, room.leftPx, frame.heightPx);
  paintBands(context, marks, room);
  if (room.hasLabels) paintLabels(context, marks, room);
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

function paintBands(
  context: CanvasRenderingContext2D,
  { frame, scene, css }: HeatMarks,
  { leftPx, topPx, hasLabels }: NamesRoom,
): void {
  const { bands } = scene;
  const { widthPx, heightPx } = frame;
  context.strokeStyle = css('--line-2');
  context.font = `450 11px ${css('--sans')}`;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.lineWidth = 1;
  const corner = cornerOf(frame, 0, 0);
  // Along the edge while the matrix reaches beyond it.
  const top = Math.max(topPx, corner.y) - 5;
  const left = Math.max(leftPx, corner.x) - 5;
  context.fillStyle = css('--ink-3');
  for (const { name, from, to } of bands) {
    const start = cornerOf(frame, from, from);
    const end = cornerOf(frame, to, to);
    const firstX = Math.max(start.x, leftPx);
    context.beginPath();
    if (firstX < end.x) {
      context.moveTo(firstX + 1, top + 3);
      context.lineTo(firstX + 1, top);
      context.lineTo(end.x - 1, top);
      context.lineTo(end.x - 1, top + 3);
    }
    if (!hasLabels) {
      context.moveTo(left + 3, start.y + 1);
      context.lineTo(left, start.y + 1);
      context.lineTo(left, end.y - 1);
      context.lineTo(left + 3, end.y - 1);
    }
    context.stroke();
    // In the middle of what is seen of the band, where that is long enough.
    const needed = context.measureText(name).width + 4;
    const [across, alongX] = middleOf(start.x, end.x, leftPx, widthPx);
    if (alongX >= needed) context.fillText(name, across, top - 6);
    const [down, alongY] = middleOf(start.y, end.y, topPx, heightPx);
    if (hasLabels || alongY < needed) continue;
    context.save();
    context.translate(left - 6, down);
    context.rotate(-Math.PI / 2);
    context.fillText(name, 0, 0);
    context.restore();
  }
}

/** The texts of the rows that are seen as a whole, each at its row. */
function paintLabels(
  context: CanvasRenderingContext2D,
  { frame, scene, cursor, css }: HeatMarks,
  { leftPx, topPx }: NamesRoom,
): void {
  const right = Math.max(leftPx, cornerOf(frame, 0, 0).x) - gapPx;
  const { first, last } = wholeRows(frame, scene.side, topPx);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let row = first; row <= last; row += 1) {
    const isMarked = row === cursor?.row;
    context.font = `${isMarked ? 600 : 450} 10.5px ${css('--sans')}`;
    context.fillStyle = css(isMarked ? '--needle-ink' : '--ink-2');
    const words = cutToFit(context, scene.textAt(row), leftPx - 2 * gapPx);
    context.fillText(words, right, cornerOf(frame, row + 0.5, 0).y);
  }
}

const gapPx = 8;
/** More letters than this have no room in any font. */
const mostLetters = 80;

/** As much of the beginning of a text as fits. */
function cutToFit(context: CanvasRenderingContext2D, text: string, widthPx: number): string {
  const letters = Array.from(text.slice(0, 2 * mostLetters)).slice(0, mostLetters);
  const start = letters.join('');
  const startPx = context.measureText(start).width;
  if (start.length === text.length && startPx <= widthPx) return text;
  let count = Math.min(letters.length, Math.ceil((letters.length * widthPx) / Math.max(1, startPx)));
  const cut = () => `${letters.slice(0, count).join('').trimEnd()}…`;
  while (count > 0 && context.measureText(cut()).width > widthPx) count -= 1;
  return cut();
}

/** The middle and the length of the part of a stretch that lies between two places. */
function middleOf(from: number, to: number, least: number, most: number): [number, number] {
  const start = Math.max(from, least);
  const end = Math.min(to, most);
  return [(start + end) / 2, end - start];
}
