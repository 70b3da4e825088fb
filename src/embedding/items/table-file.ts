/** A file of texts as a table. The column with the texts is guessed and can be changed; read-table-file.ts reads it. */
import type { TableChoices, ParsedTable } from '../../lib/table/read-table.ts';
import type { TextItem, ParsedTexts } from './text-items.ts';

export interface TableFile extends Pick<ParsedTable, 'kind' | 'columns'> {
  name: string;
  rows: string[][];
  /** Unreadable lines with their numbers from 1; at most `maxProblems`. */
  problems: { line: number; message: string }[];
  /** Choices and notes of the reading. Absent for a file from an earlier visit, which cannot be read again. */
  reading?: Pick<ParsedTable, 'choices' | 'lists' | 'notes'> & {
    /** Choices made by the user; all others are guessed. */
    chosen: TableChoices;
    leftOut: number;
  };
}

export const maxProblems = 20;

const textNamePattern =
  /^(?:text|texts|input|content|sentence|query|question|title|body|message|prompt|document|phrase)$/i;
const labelNamePattern =
  /^(?:label|labels|group|category|class|topic|cluster|intent|tag|type|lang|language)$/i;

/** Guesses the columns with texts and labels, by name or, failing that, by content. */
export function guessColumns({ columns, rows }: TableFile): { text: number; label?: number } {
  const sampleRows = rows.slice(0, 500);
  const namedTextColumn = columns.findIndex((column) => textNamePattern.test(column));
  const computeMeanLength = (column: number) =>
    sampleRows.reduce(
      (sum, row) => sum + (/^[\d.,\s-]*$/.test(row[column] ?? '') ? 0 : (row[column] ?? '').length),
      0,
    ) / Math.max(1, sampleRows.length);
  const meanLengths = columns.map((_, index) => computeMeanLength(index));
  const text =
    namedTextColumn >= 0 ? namedTextColumn : Math.max(0, meanLengths.indexOf(Math.max(...meanLengths)));
  const namedLabelColumn = columns.findIndex(
    (column, index) => index !== text && labelNamePattern.test(column),
  );
  if (namedLabelColumn >= 0) return { text, label: namedLabelColumn };
  const fewValuesColumn = columns.findIndex((_, index) => {
    if (index === text || sampleRows.length < 8) return false;
    const values = new Set(sampleRows.map((row) => row[index] ?? ''));
    return values.size > 1 && values.size <= 12 && values.size * 3 <= sampleRows.length;
  });
  return fewValuesColumn >= 0 ? { text, label: fewValuesColumn } : { text };
}

/**
 * Returns the texts of one column with the labels of another column. In token mode, a cell with a list of numbers is a
 * token input.
 */
export function getTableItems(
  { rows, problems }: TableFile,
  columns: { text: number; label?: number | undefined },
  mode: 'texts' | 'tokens',
): ParsedTexts {
  const items: TextItem[] = [];
  const faults = [...problems];
  let blanks = 0;
  for (const [rowIndex, row] of rows.entries()) {
    const text = (row[columns.text] ?? '').trim();
    const label = columns.label === undefined ? '' : (row[columns.label] ?? '').trim();
    if (text === '') {
      blanks += 1;
      continue;
    }
    const tokens = mode === 'tokens' ? parseTokens(text) : undefined;
    if (mode === 'tokens' && !tokens) {
      if (faults.length < maxProblems)
        faults.push({ line: rowIndex + 1, message: `Row ${rowIndex + 1} is not a list of token IDs.` });
      continue;
    }
    items.push({
      text: tokens ? tokens.join(', ') : text,
      ...(tokens ? { tokens } : {}),
      ...(label === '' ? {} : { label }),
    });
  }
  return { items, blanks, problems: faults };
}

function parseTokens(cell: string): number[] | undefined {
  const parts = cell
    .replace(/^\[(.*)\]$/, '$1')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const tokens = parts.map(Number);
  return tokens.length > 0 && tokens.every((token) => Number.isSafeInteger(token) && token >= 0)
    ? tokens
    : undefined;
}
