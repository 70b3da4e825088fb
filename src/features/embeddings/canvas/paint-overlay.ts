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

interface Place {
  x: number;
  y: number;
}

const mostWords = 44;
const mostRings = 400;

/** Axes, labels, lines, rings and the lasso, over the points. In CSS pixels. */
export function paintOverlay(context: CanvasRenderingContext2D, picture: OverlayPicture): void {
  const { overlay, scene, hovered } = picture;
  const placeOf = (point: number): Place | undefined => {
    const x = scene.xy[point * 2];
    const y = scene.xy[point * 2 + 1];
    return x === undefined || y === undefined || !Number.isFinite(x + y) ? undefined : picture.toPlace(x, y);
  };
  context.lineJoin = 'round';
  if (scene.axes) paintAxes(context, picture, scene.axes);
  paintLabels(context, picture);
  const from = overlay.query ? picture.toPlace(overlay.query.x, overlay.query.y) : undefined;
  const current = overlay.current === undefined ? undefined : placeOf(overlay.current);
  paintLinks(context, picture, from ?? current, overlay.links.map(placeOf));
  if (overlay.chosen.length > 1 && overlay.chosen.length <= mostRings)
    for (const point of overlay.chosen) ring(context, picture, placeOf(point), '--ink', 1);
  if (current) {
    ring(context, picture, current, '--needle', 2);
    writeBeside(context, picture, overlay.textOf(overlay.current ?? 0), current, '550 12px');
  }
  if (from) paintQuery(context, picture, from);
  const pointed = hovered === undefined || hovered === overlay.current ? undefined : placeOf(hovered);
  if (pointed && hovered !== undefined) {
    ring(context, picture, pointed, '--ink', 1.5);
    writeBeside(context, picture, overlay.textOf(hovered), pointed, '450 12px');
  }
  paintLasso(context, picture);
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

function line(context: CanvasRenderingContext2D, from: [number, number], to: [number, number]): void {
  context.moveTo(...from);
  context.lineTo(...to);
}

function paintLinks(
  context: CanvasRenderingContext2D,
  picture: OverlayPicture,
  from: Place | undefined,
  ends: readonly (Place | undefined)[],
): void {
  if (!from) return;
  context.strokeStyle = picture.css('--needle');
  context.lineWidth = 1.25;
  context.beginPath();
  for (const end of ends) if (end) line(context, [from.x, from.y], [end.x, end.y]);
  context.stroke();
  for (const [index, end] of ends.entries()) {
    if (!end) continue;
    const length = Math.hypot(end.x - from.x, end.y - from.y) || 1;
    const off = picture.radiusPx + 9;
    // Beyond the point, where the line does not run.
    const x = end.x + ((end.x - from.x) / length) * off;
    const y = end.y + ((end.y - from.y) / length) * off + 4;
    write(
      context,
      picture,
      String(index + 1),
      { x, y },
      {
        color: picture.css('--needle-ink'),
        font: '650 11px',
        align: 'center',
      },
    );
  }
}

function paintQuery(context: CanvasRenderingContext2D, picture: OverlayPicture, at: Place): void {
  context.strokeStyle = picture.css('--needle');
  context.fillStyle = picture.css('--paper');
  context.lineWidth = 1.5;
  context.beginPath();
  line(context, [at.x - 9, at.y], [at.x + 9, at.y]);
  line(context, [at.x, at.y - 9], [at.x, at.y + 9]);
  context.stroke();
  context.lineWidth = 2;
  context.beginPath();
  context.arc(at.x, at.y, 5, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  write(
    context,
    picture,
    'Query',
    { x: at.x - 14, y: at.y + 4 },
    {
      color: picture.css('--needle-ink'),
      font: '600 12px',
      align: 'right',
    },
  );
}

function ring(
  context: CanvasRenderingContext2D,
  { radiusPx, css }: OverlayPicture,
  at: Place | undefined,
  color: `--${string}`,
  widthPx: number,
): void {
  if (!at) return;
  context.strokeStyle = css(color);
  context.lineWidth = widthPx;
  context.beginPath();
  context.arc(at.x, at.y, radiusPx + 3, 0, 2 * Math.PI);
  context.stroke();
}

function paintLasso(context: CanvasRenderingContext2D, { lasso, css }: OverlayPicture): void {
  if (lasso.length < 4) return;
  context.strokeStyle = css('--needle');
  context.lineWidth = 1.5;
  context.setLineDash([5, 4]);
  context.beginPath();
  for (let at = 0; at < lasso.length; at += 2) context.lineTo(lasso[at] ?? 0, lasso[at + 1] ?? 0);
  context.closePath();
  context.stroke();
  context.setLineDash([]);
}

/** Beside a point, on the side where there is room. */
function writeBeside(
  context: CanvasRenderingContext2D,
  picture: OverlayPicture,
  text: string,
  { x, y }: Place,
  font: string,
): void {
  const words = shortened(text);
  const off = picture.radiusPx + 8;
  context.font = fontOf(picture.css, font);
  const length = context.measureText(words).width;
  const right = x + off + length < picture.widthPx - 4 ? x + off : x - off - length;
  const left = Math.max(4, Math.min(right, picture.widthPx - length - 4));
  write(
    context,
    picture,
    words,
    { x: left, y: Math.max(14, y - off + 2) },
    { color: picture.css('--ink'), font, align: 'left' },
  );
}

function shortened(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ');
  return oneLine.length > mostWords ? `${oneLine.slice(0, mostWords - 1)}…` : oneLine;
}

const fontOf = (css: OverlayPicture['css'], weightAndSize: string) => `${weightAndSize} ${css('--sans')}`;

function write(
  context: CanvasRenderingContext2D,
  { css }: OverlayPicture,
  text: string,
  { x, y }: Place,
  { color, font, align }: { color: string; font: string; align: CanvasTextAlign },
): void {
  context.font = fontOf(css, font);
  context.textAlign = align;
  context.textBaseline = 'alphabetic';
  // Parted from the points beneath.
  context.strokeStyle = css('--paper');
  context.lineWidth = 3;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}
