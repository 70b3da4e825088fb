import { plural } from '../../lib/format.ts';
import type { CheckRow } from './conformance-check-call.ts';
import { countOf } from './conformance-finding.ts';

/** Characters that would move the cursor or colour the rest of a terminal. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

const widths = { verdict: 5, section: 4, about: 31, title: 31 };

/** One row as a line of the table. `width`: of the terminal; what is longer goes on below, indented. */
export function checkLine(row: CheckRow, width = 120): string {
  const start = [
    row.verdict.padEnd(widths.verdict),
    row.section.padEnd(widths.section),
    row.about.padEnd(widths.about),
    row.title.padEnd(widths.title),
  ].join('  ');
  const room = width - start.length - 2;
  const detail = row.detail.replace(unprintable, ' ');
  if (room < 40) return `${start.trimEnd()}\n${' '.repeat(13)}${detail}`;
  const lines = [''];
  for (const word of detail.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return `${start}  ${lines.join(`\n${' '.repeat(start.length + 2)}`)}`;
}

/** "31 pass, 6 seen, 2 faults. …" */
export function checkSummary(rows: readonly CheckRow[]): string {
  const faults = countOf(rows, 'fault');
  const counts = `${countOf(rows, 'pass')} pass, ${countOf(rows, 'seen')} seen, ${plural(faults, 'fault')}.`;
  const words =
    faults === 0
      ? 'Nothing contradicts the specification.'
      : 'Faults contradict the named section of the specification.';
  return `${counts} ${words} Seen: the specification leaves it open.`;
}
