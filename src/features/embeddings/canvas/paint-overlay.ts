import { groupColors, type ScatterOverlay, type ScatterScene } from './scatter-scene.ts';
import type { ViewBox } from './view-box.ts';

export interface OverlayPicture {
  scene: ScatterScene;
  overlay: ScatterOverlay;
  hovered: number | undefined;
  /** The line that is being drawn, in CSS pixels. */
  lasso: readonly number[];
  widthPx: number;
  heightPx: number;
  radiusPx: number;
  view: ViewBox;
  toPlace: (x: number, y: number) => Place;
  css: (name: `--${string}`) => string;
}

export interface Place {
  x: number;
  y: number;
}

/** Axes and the names of groups, over the points; what is marked lies upon them (paint-marks.ts). In CSS pixels. */
export function paintOverlay(context: CanvasRenderingContext2D, picture: OverlayPicture): void {
  context.lineJoin = 'round';
  if (picture.scene.axes) paintAxes(context, picture, picture.scene.axes);
  paintLabels(context, picture);
}

const labelFont = '600 13px';
const labelLinePx = 16;

/** Names of groups; one that would cover another stands higher, and is left out where there is no room at all. */
function paintLabels(context: CanvasRenderingContext2D, picture: OverlayPicture): void {
  const taken: { left: number; right: number; y: number }[] = [];
  context.font = fontOf(picture.css, labelFont);
  for (const label of picture.scene.labels ?? []) {
    const at = picture.toPlace(label.x, label.y);
    const half = context.measureText(label.text).width / 2 + 4;
    const x = Math.max(half, Math.min(picture.widthPx - half, at.x));
    const isFree = (y: number) =>
      taken.every(
        (other) => other.right < x - half || other.left > x + half || Math.abs(other.y - y) >= labelLinePx,
      );
    const y = [0, 1, 2, 3, 4].map((line) => Math.max(14, at.y - 14) - line * labelLinePx).find(isFree);
    if (y === undefined || y < 8) continue;
    taken.push({ left: x - half, right: x + half, y });
    const color = picture.css(groupColors[label.group % groupColors.length] ?? '--ink-2');
    write(context, picture, label.text, { x, y }, { color, font: labelFont, align: 'center' });
  }
}

function paintAxes(
  context: CanvasRenderingContext2D,
  { widthPx, heightPx, toPlace, view, css }: OverlayPicture,
  titles: { x: string; y: string },
): void {
  const left = 20.5;
  const bottom = heightPx - 22.5;
  const zero = toPlace(0, 0);
  context.lineWidth = 1;
  context.strokeStyle = css('--line');
  context.setLineDash([2, 3]);
  context.beginPath();
  if (zero.x > left) line(context, [Math.round(zero.x) + 0.5, 8], [Math.round(zero.x) + 0.5, bottom]);
  if (zero.y < bottom)
    line(context, [left, Math.round(zero.y) + 0.5], [widthPx - 8, Math.round(zero.y) + 0.5]);
  context.stroke();
  context.setLineDash([]);
  context.strokeStyle = css('--edge');
  context.beginPath();
  line(context, [left, 8], [left, bottom]);
  line(context, [left, bottom], [widthPx - 8, bottom]);
  // Ticks at round steps, about 100 px apart; they carry no numbers, for a component has no unit.
  const step = 10 ** Math.round(Math.log10(100 / view.pixelsPerUnit));
  const stepPx = step * view.pixelsPerUnit;
  if (stepPx > 8) {
    for (let x = zero.x - Math.floor((zero.x - left) / stepPx) * stepPx; x < widthPx - 8; x += stepPx)
      line(context, [Math.round(x) + 0.5, bottom], [Math.round(x) + 0.5, bottom + 5]);
    for (let y = zero.y + Math.floor((bottom - zero.y) / stepPx) * stepPx; y > 8; y -= stepPx)
      line(context, [left - 5, Math.round(y) + 0.5], [left, Math.round(y) + 0.5]);
  }
  context.stroke();
  context.fillStyle = css('--ink-3');
  context.font = fontOf(css, '450 11px');
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillText(titles.y, left + 7, 18);
  context.textAlign = 'right';
  context.fillText(titles.x, widthPx - 8, heightPx - 5);
}

/** Adds a straight line to the path. */
export function line(context: CanvasRenderingContext2D, from: [number, number], to: [number, number]): void {
  context.moveTo(...from);
  context.lineTo(...to);
}

/** As `context.font` takes it. */
export const fontOf = (css: OverlayPicture['css'], weightAndSize: string) =>
  `${weightAndSize} ${css('--sans')}`;

/** Words with a rim of paper, which parts them from the points beneath. */
export function write(
  context: CanvasRenderingContext2D,
  { css }: OverlayPicture,
  text: string,
  { x, y }: Place,
  { color, font, align }: { color: string; font: string; align: CanvasTextAlign },
): void {
  context.font = fontOf(css, font);
  context.textAlign = align;
  context.textBaseline = 'alphabetic';
  context.strokeStyle = css('--paper');
  context.lineWidth = 3;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}
