import { getCanvasFont, addLine, drawText, type OverlayFrame, type CanvasPoint } from './paint-overlay.ts';
import { wrapText } from './wrap-text.ts';

const maxLabelChars = 44;
const maxCardLines = 3;
const maxCardTextPx = 240;
const cardPaddingPx = 8;
const cardLinePx = 17;
const maxRings = 400;

/**
 * Paints lines to the nearest points, rings, point labels and the lasso above the points, axes and group names. All
 * lengths are in CSS pixels.
 */
export function paintMarks(context: CanvasRenderingContext2D, frame: OverlayFrame): void {
  const { overlay, scene, hovered } = frame;
  const getCanvasPoint = (point: number): CanvasPoint | undefined => {
    const x = scene.xy[point * 2];
    const y = scene.xy[point * 2 + 1];
    return x === undefined || y === undefined || !Number.isFinite(x + y)
      ? undefined
      : frame.toCanvasPoint(x, y);
  };
  const queryPoint = overlay.query ? frame.toCanvasPoint(overlay.query.x, overlay.query.y) : undefined;
  const currentPoint = overlay.current === undefined ? undefined : getCanvasPoint(overlay.current);
  paintLinks(context, frame, queryPoint ?? currentPoint, overlay.links.map(getCanvasPoint));
  if (overlay.chosen.length > 1 && overlay.chosen.length <= maxRings)
    for (const point of overlay.chosen) drawRing(context, frame, getCanvasPoint(point), '--ink', 1);
  if (currentPoint) {
    drawRing(context, frame, currentPoint, '--needle', 2);
    drawTextBeside(context, frame, overlay.getLabel(overlay.current ?? 0), currentPoint, '550 12px');
  }
  if (queryPoint) paintQuery(context, frame, queryPoint);
  const hoveredPoint =
    hovered === undefined || hovered === overlay.current ? undefined : getCanvasPoint(hovered);
  if (hoveredPoint && hovered !== undefined) {
    drawRing(context, frame, hoveredPoint, '--ink', 1.5);
    drawCard(context, frame, overlay.getLabel(hovered), hoveredPoint);
  }
  paintLasso(context, frame);
}

function paintLinks(
  context: CanvasRenderingContext2D,
  frame: OverlayFrame,
  from: CanvasPoint | undefined,
  ends: readonly (CanvasPoint | undefined)[],
): void {
  if (!from) return;
  context.strokeStyle = frame.getCssValue('--needle');
  context.lineWidth = 1.25;
  context.beginPath();
  for (const end of ends) if (end) addLine(context, [from.x, from.y], [end.x, end.y]);
  context.stroke();
  for (const [index, end] of ends.entries()) {
    if (!end) continue;
    const length = Math.hypot(end.x - from.x, end.y - from.y) || 1;
    const offsetPx = frame.radiusPx + 9;
    // The rank is placed beyond the point, where the line does not cross it.
    const x = end.x + ((end.x - from.x) / length) * offsetPx;
    const y = end.y + ((end.y - from.y) / length) * offsetPx + 4;
    drawText(
      context,
      frame,
      String(index + 1),
      { x, y },
      {
        color: frame.getCssValue('--needle-ink'),
        font: '650 11px',
        align: 'center',
      },
    );
  }
}

function paintQuery(context: CanvasRenderingContext2D, frame: OverlayFrame, center: CanvasPoint): void {
  context.strokeStyle = frame.getCssValue('--needle');
  context.fillStyle = frame.getCssValue('--paper');
  context.lineWidth = 1.5;
  context.beginPath();
  addLine(context, [center.x - 9, center.y], [center.x + 9, center.y]);
  addLine(context, [center.x, center.y - 9], [center.x, center.y + 9]);
  context.stroke();
  context.lineWidth = 2;
  context.beginPath();
  context.arc(center.x, center.y, 5, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  drawText(
    context,
    frame,
    'Query',
    { x: center.x - 14, y: center.y + 4 },
    {
      color: frame.getCssValue('--needle-ink'),
      font: '600 12px',
      align: 'right',
    },
  );
}

function drawRing(
  context: CanvasRenderingContext2D,
  { radiusPx, getCssValue }: OverlayFrame,
  center: CanvasPoint | undefined,
  color: `--${string}`,
  widthPx: number,
): void {
  if (!center) return;
  context.strokeStyle = getCssValue(color);
  context.lineWidth = widthPx;
  context.beginPath();
  context.arc(center.x, center.y, radiusPx + 3, 0, 2 * Math.PI);
  context.stroke();
}

function paintLasso(context: CanvasRenderingContext2D, { lasso, getCssValue }: OverlayFrame): void {
  if (lasso.length < 4) return;
  context.strokeStyle = getCssValue('--needle');
  context.lineWidth = 1.5;
  context.setLineDash([5, 4]);
  context.beginPath();
  for (let index = 0; index < lasso.length; index += 2)
    context.lineTo(lasso[index] ?? 0, lasso[index + 1] ?? 0);
  context.closePath();
  context.stroke();
  context.setLineDash([]);
}

/** Draws text beside a point, on the side with enough space. */
function drawTextBeside(
  context: CanvasRenderingContext2D,
  frame: OverlayFrame,
  text: string,
  { x, y }: CanvasPoint,
  font: string,
): void {
  const label = truncateLabel(text);
  const offsetPx = frame.radiusPx + 8;
  context.font = getCanvasFont(frame.getCssValue, font);
  const labelWidthPx = context.measureText(label).width;
  const preferredX =
    x + offsetPx + labelWidthPx < frame.widthPx - 4 ? x + offsetPx : x - offsetPx - labelWidthPx;
  const labelX = Math.max(4, Math.min(preferredX, frame.widthPx - labelWidthPx - 4));
  drawText(
    context,
    frame,
    label,
    { x: labelX, y: Math.max(14, y - offsetPx + 2) },
    { color: frame.getCssValue('--ink'), font, align: 'left' },
  );
}

/** Draws text in a box beside a point, on the sides with enough space; the marks below it stay hidden. */
function drawCard(
  context: CanvasRenderingContext2D,
  { radiusPx, widthPx, heightPx, getCssValue }: OverlayFrame,
  text: string,
  { x, y }: CanvasPoint,
): void {
  context.font = getCanvasFont(getCssValue, '450 12px');
  const lines = wrapText(text, maxCardLines, (line) => context.measureText(line).width <= maxCardTextPx);
  const boxWidthPx = Math.max(...lines.map((line) => context.measureText(line).width)) + 2 * cardPaddingPx;
  const boxHeightPx = lines.length * cardLinePx + 2 * (cardPaddingPx - 2);
  const offsetPx = radiusPx + 8;
  const hasSpaceRight = x + offsetPx + boxWidthPx < widthPx - 4;
  const hasSpaceBelow = y + offsetPx + boxHeightPx < heightPx - 4;
  const left = Math.max(4, hasSpaceRight ? x + offsetPx : x - offsetPx - boxWidthPx);
  const top = Math.max(4, hasSpaceBelow ? y + offsetPx : y - offsetPx - boxHeightPx);
  context.fillStyle = getCssValue('--raised');
  context.strokeStyle = getCssValue('--edge');
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(left, top, boxWidthPx, boxHeightPx, 5);
  context.fill();
  context.stroke();
  context.fillStyle = getCssValue('--ink');
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  for (const [index, line] of lines.entries())
    context.fillText(line, left + cardPaddingPx, top + cardPaddingPx - 2 + cardLinePx * (index + 0.75));
}

function truncateLabel(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ');
  return oneLine.length > maxLabelChars ? `${oneLine.slice(0, maxLabelChars - 1)}…` : oneLine;
}
