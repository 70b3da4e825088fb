/** A file of texts as a table: CSV, TSV, JSON Lines, JSON, or plain text. Which column holds the texts is guessed, and asked. */
import { dsvFormat } from 'd3-dsv';

import { isRecord, parseJson } from '../../lib/json.ts';
import { unguarded } from '../../lib/text/safe-text.ts';
import type { TextItem, TextReading } from './text-items.ts';

/** Reads a whole file. Never throws: what cannot be read is among the problems. */
export function readTableFile(name: string, source: string): TableFile {
  const text = source.replace(/^\uFEFF/, '');
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const start = text.trimStart();
  if (extension === 'json' || (extension === '' && start.startsWith('['))) {
    const whole = parseJson(text);
    if (whole.ok)
      return fromValues(
        name,
        'JSON',
        valuesOf(whole.value).map((value, at) => ({ value, line: at + 1 })),
        [],
      );
  }
  if (['jsonl', 'ndjson', 'json'].includes(extension) || start.startsWith('{'))
    return fromJsonLines(name, text);
  if (extension === 'tsv' || extension === 'tab') return fromDelimited(name, 'TSV', text, '\t');
  if (extension === 'csv') return fromDelimited(name, 'CSV', text, delimiterOf(text));
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return { name, kind: 'text', columns: ['line'], rows: lines.map((line) => [line]), problems: [] };
}

/** A JSON file is a list, or holds one. */
function valuesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [value];
  const list = Object.values(value).find((inner) => Array.isArray(inner));
  return Array.isArray(list) ? list : [value];
}

function fromJsonLines(name: string, text: string): TableFile {
  const values: { value: unknown; line: number }[] = [];
  const problems: TableFile['problems'] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const reading = parseJson(line);
    if (reading.ok) values.push({ value: reading.value, line: at + 1 });
    else if (problems.length < mostProblems)
      problems.push({ line: at + 1, message: 'This line is not JSON.' });
  }
  return fromValues(name, 'JSON Lines', values, problems);
}

function fromValues(
  name: string,
  kind: TableFile['kind'],
  values: readonly { value: unknown; line: number }[],
  problems: TableFile['problems'],
): TableFile {
  const columns: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (column: string): number => {
    const known = places.get(column);
    if (known !== undefined) return known;
    places.set(column, columns.length);
    return columns.push(column) - 1;
  };
  const rows = values.map(({ value }) => {
    const row: string[] = [];
    if (isRecord(value))
      for (const [column, cell] of Object.entries(value)) row[placeOf(column)] = textOf(cell);
    else row[placeOf('value')] = textOf(value);
    return row;
  });
  return { name, kind, columns, rows: rows.map((row) => columns.map((_, at) => row[at] ?? '')), problems };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return JSON.stringify(value);
}

/** Semicolons are the commas of half of Europe. */
function delimiterOf(text: string): string {
  const head = text.slice(0, 4096).split('\n', 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((character) => ({ character, count: head.split(character).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.character ?? ',';
}

/** `parseRows` only: the other readers of the package make functions from strings, which the page does not allow. */
function fromDelimited(name: string, kind: TableFile['kind'], text: string, delimiter: string): TableFile {
  const [head = [], ...rows] = dsvFormat(delimiter).parseRows(text);
  const problems: TableFile['problems'] = [];
  for (const [at, row] of rows.entries()) {
    if (row.length === head.length || (row.length === 1 && row[0] === '') || problems.length >= mostProblems)
      continue;
    problems.push({
      line: at + 2,
      message: `This row has ${row.length} fields, the first has ${head.length}.`,
    });
  }
  const columns = head.map((column, at) => column.trim() || `column ${at + 1}`);
  return {
    name,
    kind,
    columns,
    rows: rows.map((row) => columns.map((_, at) => unguarded(row[at] ?? ''))),
    problems,
  };
}

export interface TableFile {
  name: string;
  kind: 'CSV' | 'TSV' | 'JSON Lines' | 'JSON' | 'text';
  columns: string[];
  rows: string[][];
  /** Lines that could not be read, each with its number from 1; at most `mostProblems`. */
  problems: { line: number; message: string }[];
}

const mostProblems = 20;

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
        faults.push({ line: at + 1, message: 'This cell is not a list of token numbers.' });
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
