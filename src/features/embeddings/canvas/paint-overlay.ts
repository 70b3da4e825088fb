import { mostMovedPx, placeLabels } from './place-labels.ts';
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

/** More points than these lie everywhere: there is no place beside them. */
const mostAvoided = 20_000;

/** Names of groups, beside their points and each other. */
function paintLabels(context: CanvasRenderingContext2D, picture: OverlayPicture): void {
  const { scene, toPlace, css } = picture;
  // Of a group beyond the edge no name stands at the edge.
  const labels = (scene.labels ?? []).filter(({ x, y }) => isNear(toPlace(x, y), picture));
  if (labels.length === 0) return;
  context.font = fontOf(css, labelFont);
  const wanted = labels.map(({ text, x, y }) => ({
    widthPx: context.measureText(text).width,
    at: toPlace(x, y),
  }));
  const places = placeLabels(wanted, pointsOf(picture), picture);
  for (const [index, { text, group }] of labels.entries()) {
    const place = places[index];
    if (!place) continue;
    const color = css(groupColors[group % groupColors.length] ?? '--ink-2');
    write(
      context,
      picture,
      text,
      { x: place.x, y: place.y + 5 },
      { color, font: labelFont, align: 'center' },
    );
  }
}

function isNear({ x, y }: Place, { widthPx, heightPx }: OverlayPicture): boolean {
  return x > -mostMovedPx && y > -mostMovedPx && x < widthPx + mostMovedPx && y < heightPx + mostMovedPx;
}

function* pointsOf({ scene: { xy }, overlay, toPlace }: OverlayPicture): Generator<Place> {
  if (overlay.query) yield toPlace(overlay.query.x, overlay.query.y);
  if (xy.length / 2 > mostAvoided) return;
  for (let at = 0; at < xy.length; at += 2) yield toPlace(xy[at] ?? Number.NaN, xy[at + 1] ?? Number.NaN);
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
  context.lineWidth = 4;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}
