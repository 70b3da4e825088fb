import { maxLabelShiftPx, placeLabels } from './place-labels.ts';
import { groupColors, type ScatterOverlay, type ScatterScene } from './scatter-scene.ts';
import type { ViewBox } from './view-box.ts';

export interface OverlayFrame {
  scene: ScatterScene;
  overlay: ScatterOverlay;
  hovered: number | undefined;
  /** Lasso line being drawn, in CSS pixels. */
  lasso: readonly number[];
  widthPx: number;
  heightPx: number;
  radiusPx: number;
  view: ViewBox;
  toCanvasPoint: (x: number, y: number) => CanvasPoint;
  getCssValue: (name: `--${string}`) => string;
}

export interface CanvasPoint {
  x: number;
  y: number;
}

/**
 * Paints axes and group names above the points; paint-marks.ts then draws marks on top. All lengths are in CSS pixels.
 */
export function paintOverlay(context: CanvasRenderingContext2D, frame: OverlayFrame): void {
  context.lineJoin = 'round';
  if (frame.scene.axes) paintAxes(context, frame, frame.scene.axes);
  paintLabels(context, frame);
}

const labelFont = '600 13px';

/** Maximum number of points that labels avoid; a larger number covers the whole map. */
const maxAvoidedPoints = 20_000;

/** Paints group names without overlapping their points or each other. */
function paintLabels(context: CanvasRenderingContext2D, frame: OverlayFrame): void {
  const { scene, toCanvasPoint, getCssValue } = frame;
  // Skip groups outside the view, so that their names do not pile up at the edge.
  const labels = (scene.labels ?? []).filter(({ x, y }) => isNearFrame(toCanvasPoint(x, y), frame));
  if (labels.length === 0) return;
  context.font = getCanvasFont(getCssValue, labelFont);
  const labelBoxes = labels.map(({ text, x, y }) => ({
    widthPx: context.measureText(text).width,
    center: toCanvasPoint(x, y),
  }));
  const centers = placeLabels(labelBoxes, generateAvoidedPoints(frame), frame);
  for (const [index, { text, group }] of labels.entries()) {
    const center = centers[index];
    if (!center) continue;
    const color = getCssValue(groupColors[group % groupColors.length] ?? '--ink-2');
    drawText(
      context,
      frame,
      text,
      { x: center.x, y: center.y + 5 },
      { color, font: labelFont, align: 'center' },
    );
  }
}

function isNearFrame({ x, y }: CanvasPoint, { widthPx, heightPx }: OverlayFrame): boolean {
  return (
    x > -maxLabelShiftPx &&
    y > -maxLabelShiftPx &&
    x < widthPx + maxLabelShiftPx &&
    y < heightPx + maxLabelShiftPx
  );
}

function* generateAvoidedPoints({
  scene: { xy },
  overlay,
  toCanvasPoint,
}: OverlayFrame): Generator<CanvasPoint> {
  if (overlay.query) yield toCanvasPoint(overlay.query.x, overlay.query.y);
  if (xy.length / 2 > maxAvoidedPoints) return;
  for (let index = 0; index < xy.length; index += 2)
    yield toCanvasPoint(xy[index] ?? Number.NaN, xy[index + 1] ?? Number.NaN);
}

function paintAxes(
  context: CanvasRenderingContext2D,
  { widthPx, heightPx, toCanvasPoint, view, getCssValue }: OverlayFrame,
  titles: { x: string; y: string },
): void {
  const left = 20.5;
  const bottom = heightPx - 22.5;
  const zero = toCanvasPoint(0, 0);
  context.lineWidth = 1;
  context.strokeStyle = getCssValue('--line');
  context.setLineDash([2, 3]);
  context.beginPath();
  if (zero.x > left) addLine(context, [Math.round(zero.x) + 0.5, 8], [Math.round(zero.x) + 0.5, bottom]);
  if (zero.y < bottom)
    addLine(context, [left, Math.round(zero.y) + 0.5], [widthPx - 8, Math.round(zero.y) + 0.5]);
  context.stroke();
  context.setLineDash([]);
  context.strokeStyle = getCssValue('--edge');
  context.beginPath();
  addLine(context, [left, 8], [left, bottom]);
  addLine(context, [left, bottom], [widthPx - 8, bottom]);
  // Ticks are at round steps, about 100 px apart. They have no numbers, because a component has no unit.
  const step = 10 ** Math.round(Math.log10(100 / view.pixelsPerUnit));
  const stepPx = step * view.pixelsPerUnit;
  if (stepPx > 8) {
    for (let x = zero.x - Math.floor((zero.x - left) / stepPx) * stepPx; x < widthPx - 8; x += stepPx)
      addLine(context, [Math.round(x) + 0.5, bottom], [Math.round(x) + 0.5, bottom + 5]);
    for (let y = zero.y + Math.floor((bottom - zero.y) / stepPx) * stepPx; y > 8; y -= stepPx)
      addLine(context, [left - 5, Math.round(y) + 0.5], [left, Math.round(y) + 0.5]);
  }
  context.stroke();
  context.fillStyle = getCssValue('--ink-3');
  context.font = getCanvasFont(getCssValue, '450 11px');
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillText(titles.y, left + 7, 18);
  context.textAlign = 'right';
  context.fillText(titles.x, widthPx - 8, heightPx - 5);
}

/** Adds a straight line to the path. */
export function addLine(
  context: CanvasRenderingContext2D,
  from: [number, number],
  to: [number, number],
): void {
  context.moveTo(...from);
  context.lineTo(...to);
}

/** Returns a font in the syntax of `context.font`. */
export const getCanvasFont = (getCssValue: OverlayFrame['getCssValue'], weightAndSize: string) =>
  `${weightAndSize} ${getCssValue('--sans')}`;

/** Draws text with an outline in the background colour, which sets it off from the points beneath. */
export function drawText(
  context: CanvasRenderingContext2D,
  { getCssValue }: OverlayFrame,
  text: string,
  { x, y }: CanvasPoint,
  { color, font, align }: { color: string; font: string; align: CanvasTextAlign },
): void {
  context.font = getCanvasFont(getCssValue, font);
  context.textAlign = align;
  context.textBaseline = 'alphabetic';
  context.strokeStyle = getCssValue('--paper');
  context.lineWidth = 4;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}
