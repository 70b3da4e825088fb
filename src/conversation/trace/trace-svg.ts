import { escapeHtml } from '../../lib/text/safe-text.ts';
import { createTraceColumns } from './trace-columns.ts';
import { drawTrace, type TraceLabel, type TracePicture, type TraceShape } from './trace-drawing.ts';

const width = 320;
const height = 28;

const textAnchors = { left: 'start', center: 'middle', right: 'end' } as const;

/**
 * Returns the trace as an SVG element, as under an answer in the app. Its colours are the CSS variables of the page;
 * `description` is its accessible name and its tooltip.
 */
export function buildTraceSvg(picture: TracePicture, description: string): string {
  const { shapes, labels } = drawTrace(createTraceColumns(), picture, { variant: 'footer', width, height });
  return `<svg class="trace" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${escapeHtml(description)}</title>${shapes.map(buildPath).join('')}${labels.map(buildText).join('')}</svg>`;
}

function buildPath({ path, color, lineWidth, opacity, dashes }: TraceShape): string {
  const paint =
    lineWidth === undefined
      ? `fill="var(--${color})"`
      : `fill="none" stroke="var(--${color})" stroke-width="${lineWidth}"`;
  const opacityAttribute = opacity === undefined ? '' : ` opacity="${opacity}"`;
  const dashAttribute = dashes === undefined ? '' : ` stroke-dasharray="${dashes.join(' ')}"`;
  return `<path d="${path}" ${paint}${opacityAttribute}${dashAttribute}/>`;
}

function buildText({ text, x, y, fontSize, align }: TraceLabel): string {
  return `<text x="${x}" y="${y}" font-size="${fontSize}" text-anchor="${textAnchors[align]}" fill="var(--ink-3)">${escapeHtml(text)}</text>`;
}
