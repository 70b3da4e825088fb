import { fontOf, line, write, type OverlayPicture, type Place } from './paint-overlay.ts';

const mostWords = 44;
const mostRings = 400;

/** Lines to the nearest, rings, words beside points and the lasso, over points, axes and names. In CSS pixels. */
export function paintMarks(context: CanvasRenderingContext2D, picture: OverlayPicture): void {
  const { overlay, scene, hovered } = picture;
  const placeOf = (point: number): Place | undefined => {
    const x = scene.xy[point * 2];
    const y = scene.xy[point * 2 + 1];
    return x === undefined || y === undefined || !Number.isFinite(x + y) ? undefined : picture.toPlace(x, y);
  };
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
