import { readTable, type TableChoices } from '../../lib/table/read-table.ts';
import { unescapeCsvFormula } from '../../lib/text/safe-text.ts';
import { maxProblems, type TableFile } from './table-file.ts';

/** Reads a whole file. Throws an Error with a sentence for files without text. */
export function readTableFile(
  name: string,
  source: string | Uint8Array,
  chosen: TableChoices = {},
): TableFile {
  const { kind, columns, rows, invalidLines, choices, lists, notes } = readTable(source, { ...chosen, name });
  const isDelimited = choices.format === 'delimited';
  return {
    name,
    kind,
    columns,
    // Files exported by Bench have an apostrophe before text that a spreadsheet would evaluate.
    rows: rows.map(({ cells }) => cells.map((cell = '') => (isDelimited ? unescapeCsvFormula(cell) : cell))),
    problems: invalidLines.slice(0, maxProblems).map(({ line, reason }) => ({ line, message: reason })),
    reading: { choices, lists, notes, chosen, leftOut: invalidLines.length },
  };
}
