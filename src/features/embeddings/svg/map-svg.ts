import type { CssColors } from '../canvas/css-colors.ts';
import { groupColors, noGroup, type ScatterScene } from '../canvas/scatter-scene.ts';
import { shapes } from '../canvas/splat.ts';
import { escaped, svgText } from './svg-text.ts';
import { boundsOf, fittedView } from './view-box.ts';

const width = 900;
const height = 700;
const margin = 60;
const radius = 4.4;
/** Paths of groups are numbered as these; the eleven steps of similarity come after them. */
const firstHeat = 1000;

function markOf(shape: number, x: number, y: number): string {
  const at = (dx: number, dy: number) => `${(x + dx).toFixed(2)} ${(y + dy).toFixed(2)}`;
  switch (shapes[shape % shapes.length]) {
    case 'square':
      return `M${at(-4, -4)}h8v8h-8z`;
    case 'triangle':
      return `M${at(0, -radius)}L${at(4.6, 3.7)}L${at(-4.6, 3.7)}z`;
    case 'diamond':
      return `M${at(0, -5.4)}L${at(5.4, 0)}L${at(0, 5.4)}L${at(-5.4, 0)}z`;
    default:
      return `M${at(-radius, 0)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  }
}

/** All points of a map as a picture that scales: one path a group, so that a drawing program can take hold of each. */
export function svgOfMap({ xy, colors, labels = [], axes }: ScatterScene, hex: CssColors['hex']): string {
  const bounds = boundsOf(xy);
  const view = bounds && fittedView(bounds, width, height, margin);
  const placeOf = (x: number, y: number) => ({
    x: view ? (x - view.centerX) * view.pixelsPerUnit + width / 2 : 0,
    y: view ? height / 2 - (y - view.centerY) * view.pixelsPerUnit : 0,
  });
  const paths = new Map<number, string>();
  for (let point = 0; point * 2 + 1 < xy.length; point++) {
    const { x, y } = placeOf(xy[point * 2] ?? Number.NaN, xy[point * 2 + 1] ?? Number.NaN);
    if (!Number.isFinite(x + y)) continue;
    const of = colors?.of[point] ?? noGroup;
    const path = colors?.by === 'heat' ? firstHeat + Math.round((of / 255) * 10) : of;
    paths.set(path, (paths.get(path) ?? '') + markOf(path < noGroup ? path : 0, x, y));
  }
  const colorOf = (path: number) => {
    if (path >= firstHeat) return hex(`--heat-${path - firstHeat}`);
    return hex(path === noGroup ? '--ink-2' : (groupColors[path % groupColors.length] ?? '--ink-2'));
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${escaped(hex('--paper'))}"/>`,
    ...Array.from(paths, ([group, d]) => `<path fill="${escaped(colorOf(group))}" d="${d}"/>`),
    ...labels.map((label) => {
      const { x, y } = placeOf(label.x, label.y);
      return svgText(
        label.text,
        x,
        y - 14,
        `fill="${escaped(colorOf(label.group))}" font-size="13" font-weight="600" text-anchor="middle"`,
      );
    }),
    axes ? svgText(axes.x, width - 8, height - 8, 'font-size="11" text-anchor="end" fill="gray"') : '',
    axes ? svgText(axes.y, 8, 16, 'font-size="11" fill="gray"') : '',
    '</svg>\n',
  ].join('\n');
}
