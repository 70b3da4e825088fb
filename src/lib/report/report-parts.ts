/** Builds the parts that reports are made of, as safe HTML. */
import { escapeHtml } from '../text/safe-text.ts';

/** Cell of a table: text, or safe HTML. */
export type ReportCell = string | { html: string };

export function buildReportTable(
  name: string,
  header: readonly ReportCell[],
  rows: readonly (readonly ReportCell[])[],
): string {
  const buildRow = (tag: 'th' | 'td', cells: readonly ReportCell[]) =>
    `<tr>${cells.map((cell) => `<${tag} dir="auto">${toHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<div class="scroll"><table class="report" aria-label="${escapeHtml(name)}"><thead>${buildRow('th', header)}</thead>
<tbody>${rows.map((cells) => buildRow('td', cells)).join('\n')}</tbody></table></div>`;
}

function toHtml(cell: ReportCell): string {
  return typeof cell === 'string' ? escapeHtml(cell) : cell.html;
}

/** Returns the class that sets the colour of a lane or column with this letter. */
export function getLetterClass(letter: string): string {
  return /^[A-F]$/.test(letter) ? `letter-${letter.toLowerCase()}` : 'letter-e';
}

/** Returns the coloured tile of a lane or column. */
export function buildLetterTile(letter: string): string {
  return `<b class="tile ${getLetterClass(letter)}">${escapeHtml(letter)}</b>`;
}

const barWidth = 96;

/** Returns a bar in the colour of this letter, filled by `share` from 0 to 1. The number itself stands beside it. */
export function buildReportBar(share: number, letter: string): string {
  const filledWidth = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `<svg class="bar ${getLetterClass(letter)}" aria-hidden="true" width="${barWidth}" height="8"><rect width="${barWidth}" height="8" rx="2"/><rect width="${filledWidth}" height="8" rx="2"/></svg>`;
}

/** Returns a line in small grey type, with the text escaped. */
export function buildQuietLine(text: string): string {
  return `<p class="quiet" dir="auto">${escapeHtml(text)}</p>`;
}
