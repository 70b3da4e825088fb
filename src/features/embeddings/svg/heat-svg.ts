import type { CssColors } from '../canvas/css-colors.ts';
import { shareOf, type HeatScene } from '../heat/heat-scene.ts';
import { svgText } from './svg-text.ts';

const side = 700;
const band = 24;
const margin = 8;
const legend = { width: 220, height: 12 };
const steps = 11;

/** A small matrix as a picture that scales: one path a colour, the names of groups, and what the colours stand for. */
export function svgOfMatrix(
  { side: count, overview, range, bands }: HeatScene,
  hex: CssColors['hex'],
): string {
  const cell = side / count;
  const left = margin + band;
  const top = margin + band;
  // A hairline between cells that are told apart.
  const gap = cell >= 7 ? 1 : 0;
  const colors = Array.from({ length: steps }, (_, step) => hex(`--heat-${step}`));
  const self = hex('--line');
  const paths = new Map<string, string>();
  for (let at = 0; at < count * count; at++) {
    const [row, column] = [Math.floor(at / count), at % count];
    const step = Math.round(shareOf(overview.values[at] ?? 0, range) * (steps - 1));
    const color = row === column ? self : (colors[step] ?? self);
    const place = `${(left + column * cell).toFixed(2)} ${(top + row * cell).toFixed(2)}`;
    const length = (cell - gap).toFixed(2);
    paths.set(color, `${paths.get(color) ?? ''}M${place}h${length}v${length}h-${length}z`);
  }
  const width = left + side + margin;
  const bottom = top + side + margin;
  const names = bands.flatMap(({ name, from, to }) => {
    const middle = ((from + to) / 2) * cell;
    const more = `text-anchor="middle" fill="${hex('--ink-3')}"`;
    const turned = `${more} transform="rotate(-90 ${(left - 8).toFixed(1)} ${(top + middle).toFixed(1)})"`;
    return [svgText(name, left + middle, top - 8, more), svgText(name, left - 8, top + middle, turned)];
  });
  const stepWidth = legend.width / steps;
  const words = `fill="${hex('--ink-2')}"`;
  const wordsAt = bottom + legend.height + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 40}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="${hex('--paper')}"/>`,
    ...Array.from(paths, ([color, d]) => `<path fill="${color}" d="${d}"/>`),
    ...names,
    ...colors.map(
      (color, step) =>
        `<rect x="${(left + step * stepWidth).toFixed(1)}" y="${bottom}" width="${stepWidth}" height="${legend.height}" fill="${color}"/>`,
    ),
    svgText(`${twoDigits(range.low)} or less`, left, wordsAt, words),
    svgText(`${twoDigits(range.high)} or more`, left + legend.width, wordsAt, `${words} text-anchor="end"`),
    '</svg>\n',
  ].join('\n');
}

function twoDigits(cosine: number): string {
  return cosine.toFixed(2).replace('-', '−');
}
