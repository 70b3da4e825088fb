import type { CssColors } from '../canvas/css-colors.ts';
import {
  getCellCorner,
  getLabelGutter,
  getFullyVisibleRows,
  type HeatFrame,
  type LabelGutter,
} from './heat-frame.ts';
import type { HeatCell, HeatScene } from './heat-scene.ts';

export interface HeatMarks {
  frame: HeatFrame;
  scene: HeatScene;
  hovered: HeatCell | undefined;
  cursor: HeatCell | undefined;
  getCssValue: CssColors['getCssValue'];
}

/** Paints the marked cells and, above them, group names and row texts. All lengths are in CSS pixels. */
export function paintHeatMarks(context: CanvasRenderingContext2D, marks: HeatMarks): void {
  const { frame, scene, getCssValue } = marks;
  paintMark(context, marks, marks.hovered, '--ink', 1);
  paintMark(context, marks, marks.cursor, '--needle', 2);
  const gutter = getLabelGutter(frame.view.pixelsPerUnit, scene.bands.length > 0);
  const corner = getCellCorner(frame, 0, 0);
  context.fillStyle = getCssValue('--paper');
  if (corner.y < gutter.topPx) context.fillRect(0, 0, frame.widthPx, gutter.topPx);
  if (corner.x < gutter.leftPx) context.fillRect(0, 0, gutter.leftPx, frame.heightPx);
  paintBands(context, marks, gutter);
  if (gutter.hasLabels) paintLabels(context, marks, gutter);
}

function paintMark(
  context: CanvasRenderingContext2D,
  { frame, scene, getCssValue }: HeatMarks,
  cell: HeatCell | undefined,
  color: `--${string}`,
  widthPx: number,
): void {
  if (!cell) return;
  const cellPx = frame.view.pixelsPerUnit;
  const { x, y } = getCellCorner(frame, cell.row, cell.column);
  context.strokeStyle = getCssValue(color);
  context.lineWidth = 1;
  if (cellPx < 24) {
    // The crosshair makes a small cell easy to find.
    const corner = getCellCorner(frame, 0, 0);
    const end = getCellCorner(frame, scene.side, scene.side);
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
  const outsetPx = cellPx < 5 ? 3 : 1;
  context.strokeRect(x - outsetPx, y - outsetPx, cellPx + 2 * outsetPx, cellPx + 2 * outsetPx);
}

function paintBands(
  context: CanvasRenderingContext2D,
  { frame, scene, getCssValue }: HeatMarks,
  { leftPx, topPx, hasLabels }: LabelGutter,
): void {
  const { bands } = scene;
  const { widthPx, heightPx } = frame;
  context.strokeStyle = getCssValue('--line-2');
  context.font = `450 11px ${getCssValue('--sans')}`;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.lineWidth = 1;
  const corner = getCellCorner(frame, 0, 0);
  // Drawn along the edge if the matrix reaches beyond it.
  const top = Math.max(topPx, corner.y) - 5;
  const left = Math.max(leftPx, corner.x) - 5;
  context.fillStyle = getCssValue('--ink-3');
  for (const { name, from, to } of bands) {
    const start = getCellCorner(frame, from, from);
    const end = getCellCorner(frame, to, to);
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
    // Centred in the visible part of the band, if that is long enough.
    const minLengthPx = context.measureText(name).width + 4;
    const [centerX, lengthX] = getVisibleSpan(start.x, end.x, leftPx, widthPx);
    if (lengthX >= minLengthPx) context.fillText(name, centerX, top - 6);
    const [centerY, lengthY] = getVisibleSpan(start.y, end.y, topPx, heightPx);
    if (hasLabels || lengthY < minLengthPx) continue;
    context.save();
    context.translate(left - 6, centerY);
    context.rotate(-Math.PI / 2);
    context.fillText(name, 0, 0);
    context.restore();
  }
}

/** Paints the texts of the fully visible rows. */
function paintLabels(
  context: CanvasRenderingContext2D,
  { frame, scene, cursor, getCssValue }: HeatMarks,
  { leftPx, topPx }: LabelGutter,
): void {
  const right = Math.max(leftPx, getCellCorner(frame, 0, 0).x) - gapPx;
  const { first, last } = getFullyVisibleRows(frame, scene.side, topPx);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let row = first; row <= last; row += 1) {
    const isCursorRow = row === cursor?.row;
    context.font = `${isCursorRow ? 600 : 450} 10.5px ${getCssValue('--sans')}`;
    context.fillStyle = getCssValue(isCursorRow ? '--needle-ink' : '--ink-2');
    const label = truncateToFit(context, scene.getText(row), leftPx - 2 * gapPx);
    context.fillText(label, right, getCellCorner(frame, row + 0.5, 0).y);
  }
}

const gapPx = 8;
/** Maximum length of a row text in characters; a longer text does not fit in any font. */
const maxLabelChars = 80;

/** Returns the longest beginning of a text that fits into the width. */
function truncateToFit(context: CanvasRenderingContext2D, text: string, widthPx: number): string {
  const chars = Array.from(text.slice(0, 2 * maxLabelChars)).slice(0, maxLabelChars);
  const prefix = chars.join('');
  const prefixWidthPx = context.measureText(prefix).width;
  if (prefix.length === text.length && prefixWidthPx <= widthPx) return text;
  let count = Math.min(chars.length, Math.ceil((chars.length * widthPx) / Math.max(1, prefixWidthPx)));
  const buildTruncated = () => `${chars.slice(0, count).join('').trimEnd()}…`;
  while (count > 0 && context.measureText(buildTruncated()).width > widthPx) count -= 1;
  return buildTruncated();
}

/** Returns the middle and length of the part of an interval that lies between two positions. */
function getVisibleSpan(from: number, to: number, min: number, max: number): [number, number] {
  const start = Math.max(from, min);
  const end = Math.min(to, max);
  return [(start + end) / 2, end - start];
}
