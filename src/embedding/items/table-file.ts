/** A file of texts as a table. Which column holds the texts is guessed, and asked; read-table-file.ts reads it. */
import type { TableChoices, ParsedTable } from '../../lib/table/read-table.ts';
import type { TextItem, TextReading } from './text-items.ts';

export interface TableFile extends Pick<ParsedTable, 'kind' | 'columns'> {
  name: string;
  rows: string[][];
  /** Lines that could not be read, each with its number from 1; at most `mostProblems`. */
  problems: { line: number; message: string }[];
  /** Choices and notes of the reading. Absent in a file of an earlier visit, which cannot be read again. */
  reading?: Pick<ParsedTable, 'choices' | 'lists' | 'notes'> & {
    /** Choices of the user; all others are guessed. */
    chosen: TableChoices;
    leftOut: number;
  };
}

export const mostProblems = 20;

const textNames =
  /^(?:text|texts|input|content|sentence|query|question|title|body|message|prompt|document|phrase)$/i;
const labelNames = /^(?:label|labels|group|category|class|topic|cluster|intent|tag|type|lang|language)$/i;

/** The columns that most likely hold texts and labels, by their names, else by what is in them. */
export function guessColumns({ columns, rows }: TableFile): { text: number; label?: number } {
  const looked = rows.slice(0, 500);
  const named = columns.findIndex((column) => textNames.test(column));
  const meanLength = (at: number) =>
    looked.reduce((sum, row) => sum + (/^[\d.,\s-]*$/.test(row[at] ?? '') ? 0 : (row[at] ?? '').length), 0) /
    Math.max(1, looked.length);
  const longest = columns.map((_, at) => meanLength(at));
  const text = named >= 0 ? named : Math.max(0, longest.indexOf(Math.max(...longest)));
  const namedLabel = columns.findIndex((column, at) => at !== text && labelNames.test(column));
  if (namedLabel >= 0) return { text, label: namedLabel };
  const few = columns.findIndex((_, at) => {
    if (at === text || looked.length < 8) return false;
    const values = new Set(looked.map((row) => row[at] ?? ''));
    return values.size > 1 && values.size <= 12 && values.size * 3 <= looked.length;
  });
  return few >= 0 ? { text, label: few } : { text };
}

/** The texts of one column with the labels of another. A cell that lists numbers only is a token input in token mode. */
export function itemsOf(
  { rows, problems }: TableFile,
  columns: { text: number; label?: number | undefined },
  mode: 'texts' | 'tokens',
): TextReading {
  const items: TextItem[] = [];
  const faults = [...problems];
  let blanks = 0;
  for (const [at, row] of rows.entries()) {
    const text = (row[columns.text] ?? '').trim();
    const label = columns.label === undefined ? '' : (row[columns.label] ?? '').trim();
    if (text === '') {
      blanks += 1;
      continue;
    }
    const tokens = mode === 'tokens' ? tokensOf(text) : undefined;
    if (mode === 'tokens' && !tokens) {
      if (faults.length < mostProblems)
        faults.push({ line: at + 1, message: `Row ${at + 1} is not a list of token numbers.` });
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

function tokensOf(cell: string): number[] | undefined {
  const words = cell
    .replace(/^\[(.*)\]$/, '$1')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const tokens = words.map(Number);
  return tokens.length > 0 && tokens.every((token) => Number.isSafeInteger(token) && token >= 0)
    ? tokens
    : undefined;
}
