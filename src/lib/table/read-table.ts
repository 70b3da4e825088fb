/**
 * Files and pasted text as tables, for trials and for the lab: text with delimiters, JSON in several shapes, or one row per
 * line. Guesses that the user can change are returned as they were used; rows that cannot be read are named by their line.
 */
import { plural } from '../format.ts';
import type { Json } from '../json.ts';
import { outsideWords } from '../text/safe-text.ts';
import { decodeText, describeBinary, type DecodedText, type Encoding } from './decode-text.ts';
import {
  delimiters,
  readDelimited,
  readSeparatorLine,
  withLineFeeds,
  type DelimitedRow,
  type Delimiter,
} from './delimited.ts';
import { findJsonLists, listRecord, type JsonList } from './json-lists.ts';
import { formatCell, readJsonSequence, type JsonSequence } from './json-values.ts';

export type TableFormat = 'delimited' | 'json' | 'lines';

/** Guesses about a file, each of which the user can set. */
export interface TableChoices {
  /** Files only: pasted text has none. */
  encoding?: Encoding;
  format?: TableFormat;
  delimiter?: Delimiter;
  /** True if the first row holds the names of the columns. */
  hasHeader?: boolean;
  /** True if the first column is left out because it only counts the rows. */
  omitsIndex?: boolean;
  /** True if rows with too few fields get empty ones; otherwise they are left out. */
  fillsShortRows?: boolean;
  /** Name of the list in a JSON object that holds the rows; empty for the object itself. */
  list?: string;
}

export interface TableRow {
  /** Number of its first line, or of the item of a list in JSON, from 1. */
  line: number;
  /** Undefined where an object of JSON has no such member. */
  cells: (string | undefined)[];
}

/** A line that cannot be a row. `why` is a sentence: "Line 41 has 3 fields and not 2." */
export interface OddLine {
  line: number;
  why: string;
  /** Its beginning. */
  text: string;
}

export interface TableReading {
  kind: 'CSV' | 'TSV' | 'JSON' | 'JSON Lines' | 'text';
  /** The choices as used; absent where they make no difference. */
  choices: TableChoices & { format: TableFormat };
  /** Names of the lists that `choices.list` can be. */
  lists: string[];
  columns: string[];
  rows: TableRow[];
  odd: OddLine[];
  /** Sentences about what was guessed and left out. */
  notes: string[];
}

/** The column of texts that have no name: lines, and plain values of JSON. */
const plainColumn = 'text';
const sampleChars = 64_000;
const sampleRows = 40;

/** Reads a table. Throws an Error with a sentence for files that hold no text. */
export function readTable(
  source: string | Uint8Array,
  { name = '', ...given }: TableChoices & { name?: string },
): TableReading {
  const { text, ...decoded } = typeof source === 'string' ? removeMark(source) : decodeFile(source, given);
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const sequence = /^\s*[[{]/.test(text) || given.format === 'json' ? readJsonSequence(text) : undefined;
  const format = given.format ?? guessFormat(text, extension, sequence);
  const reading =
    format === 'json'
      ? readJson(text, sequence ?? readJsonSequence(text), given, extension)
      : format === 'lines'
        ? readLines(text)
        : readDelimitedTable(text, given, extension);
  return {
    ...reading,
    choices: {
      ...reading.choices,
      format,
      ...(decoded.encoding ? { encoding: decoded.encoding } : {}),
    },
    odd: reading.odd.toSorted((one, other) => one.line - other.line),
    notes: [...describeDecoding(decoded, given), ...reading.notes],
  };
}

type Part = Omit<TableReading, 'choices'> & { choices: TableChoices };
type Rows = Omit<Part, 'kind'>;

function removeMark(text: string): Partial<DecodedText> & { text: string } {
  return { text: text.replace(/^\uFEFF/, '') };
}

function decodeFile(bytes: Uint8Array, { encoding }: TableChoices): DecodedText {
  const binary = describeBinary(bytes);
  if (binary !== undefined)
    throw new Error(`This file is ${binary}. Save its table as CSV or JSON and choose that file.`);
  return decodeText(bytes, encoding);
}

function describeDecoding({ encoding, unreadable = 0 }: Partial<DecodedText>, given: TableChoices): string[] {
  const isGuess = given.encoding === undefined && encoding === 'windows-1252';
  return [
    ...(isGuess ? ['The file is not UTF-8 and was read as Windows-1252.'] : []),
    ...(unreadable > 0 ? [`${plural(unreadable, 'character')} could not be read.`] : []),
  ];
}

function guessFormat(text: string, extension: string, sequence: JsonSequence | undefined): TableFormat {
  if (['json', 'jsonl', 'ndjson'].includes(extension)) return 'json';
  const readable = sequence?.values.filter(({ value }) => value !== undefined) ?? [];
  const isJson = readable.some(({ value }) => typeof value === 'object' || sequence?.isArray === true);
  if (isJson && 2 * readable.length >= (sequence?.values.length ?? 0)) return 'json';
  if (['csv', 'tsv', 'tab', 'psv'].includes(extension) || readSeparatorLine(text)) return 'delimited';
  const sample = takeSample(text);
  return guessDelimiter(sample) !== undefined || isQuotedColumn(sample) ? 'delimited' : 'lines';
}

/** Returns the first whole lines of a text. */
function takeSample(text: string): string {
  const sample = withLineFeeds(text.slice(0, sampleChars));
  return text.length > sampleChars ? sample.slice(0, sample.lastIndexOf('\n') + 1) || sample : sample;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Finds the delimiter that divides most rows into the same number of fields. */
function guessDelimiter(sample: string): Delimiter | undefined {
  const scores = delimiters.map((delimiter) => {
    const rows = readSample(sample, delimiter, sampleRows).rows.filter(
      ({ cells, problem }) => problem !== undefined || !isBlank(cells),
    );
    const counts = new Map<number, number>();
    for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
    const [fields, alike] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [0, 0];
    const [first] = rows;
    const isProse =
      delimiter === ',' && !sample.includes('"') && first?.cells.some((cell) => cell.length > 60);
    const isTable = fields > 1 && rows.length > 1 && 2 * alike > rows.length && isProse !== true;
    return { delimiter, fields, share: alike / rows.length, isTable };
  });
  const tables = scores.filter(({ isTable }) => isTable);
  return tables.toSorted((one, other) => other.share - one.share || other.fields - one.fields)[0]?.delimiter;
}

/** True for one column of quoted values, such as texts of several lines. */
function isQuotedColumn(sample: string): boolean {
  const rows = readDelimited(sample, { delimiter: ',', hasQuotes: true }, sampleRows);
  const quoted = rows.filter(({ start }) => sample[start] === '"');
  return (
    quoted.length > 0 && rows.every(({ cells }) => cells.length === 1) && quoted.length >= rows.length - 1
  );
}

function readDelimitedTable(text: string, given: TableChoices, extension: string): Part {
  const separator = readSeparatorLine(text);
  const source = text.slice(separator?.length ?? 0);
  const sample = takeSample(source);
  const delimiter =
    given.delimiter ??
    separator?.delimiter ??
    guessDelimiter(sample) ??
    (extension === 'tsv' || extension === 'tab' ? '\t' : ',');
  const { hasQuotes } = readSample(sample, delimiter);
  let body = withLineFeeds(source);
  let rows = readDelimited(body, { delimiter, hasQuotes });
  if (source.includes('\r') && rows.some(({ problem }) => problem !== undefined)) {
    // A stray quote confuses the inside and outside of quotes.
    body = source.replaceAll(/\r\n?/g, '\n');
    rows = readDelimited(body, { delimiter, hasQuotes });
  }
  const matrix = rows.map(({ cells, line, problem, start, end }) => ({
    cells,
    line: line + (separator ? 1 : 0),
    problem,
    text: () => outsideWords(body.slice(start, Math.min(end, start + 200)).trimEnd()),
  }));
  const table = readMatrix(matrix, 'Line', given);
  return {
    ...table,
    kind: delimiter === '\t' ? 'TSV' : 'CSV',
    choices: { ...table.choices, delimiter },
    notes: [...(hasQuotes ? [] : ['Quotes are read as ordinary characters.']), ...table.notes],
  };
}

/** Reads the first rows; without quotes if too many rows break with them. */
function readSample(
  sample: string,
  delimiter: Delimiter,
  maxRows?: number,
): { rows: DelimitedRow[]; hasQuotes: boolean } {
  const rows = readDelimited(sample, { delimiter, hasQuotes: true }, maxRows);
  const problems = rows.filter(({ problem }) => problem !== undefined).length;
  if (problems <= 3 || 20 * problems <= rows.length) return { rows, hasQuotes: true };
  return { rows: readDelimited(sample, { delimiter, hasQuotes: false }, maxRows), hasQuotes: false };
}

interface MatrixRow {
  cells: string[];
  line: number;
  problem?: string | undefined;
  /** Its beginning. */
  text: () => string;
}

/** Reads rows of cells as a table: its header, its index column, and rows that do not fit. */
function readMatrix(matrix: readonly MatrixRow[], place: 'Line' | 'Item', given: TableChoices): Rows {
  const odd: OddLine[] = [];
  const leaveOut = ({ line, text }: MatrixRow, why: string) =>
    odd.push({ line, why: `${place} ${line} ${why}`, text: text() });
  const readable = matrix.filter((row) => {
    const why = row.problem ?? (isBlank(row.cells) ? 'is empty.' : undefined);
    if (why !== undefined) leaveOut(row, why);
    return why === undefined;
  });
  const hasHeader = given.hasHeader ?? hasHeaderRow(readable.map(({ cells }) => cells));
  const body = hasHeader ? readable.slice(1) : readable;
  const header = readHeader(readable[0]?.cells ?? [], body, hasHeader);
  const width = header.length;

  const rows: TableRow[] = [];
  let short = 0;
  for (const row of body) {
    const { cells, line } = row;
    const isShort = cells.length < width;
    if (isShort) short += 1;
    if ((isShort && given.fillsShortRows !== true) || !isBlank(cells.slice(width)))
      leaveOut(row, `has ${plural(cells.length, 'field')} and not ${width}.`);
    else rows.push({ line, cells: header.map((_, at) => cells[at] ?? '') });
  }

  const hasIndex = hasHeader && isIndex(header[0], rows);
  const omitsIndex = hasIndex && (given.omitsIndex ?? true);
  const isKept = header.map((name, at) =>
    at === 0 && omitsIndex ? false : name !== '' || rows.some(({ cells }) => (cells[at] ?? '').trim() !== ''),
  );
  const empty = isKept.filter((kept, at) => !kept && !(at === 0 && omitsIndex)).length;
  const named = nameColumns(header, isKept);
  return {
    choices: {
      hasHeader,
      ...(hasIndex ? { omitsIndex } : {}),
      ...(short > 0 ? { fillsShortRows: given.fillsShortRows === true } : {}),
    },
    lists: [],
    columns: named.columns,
    rows: rows.map(({ line, cells }) => ({ line, cells: cells.filter((_, at) => isKept[at]) })),
    odd,
    notes: [
      ...(omitsIndex ? ['The index column is left out.'] : []),
      ...(empty > 0 ? [`${plural(empty, 'empty column')} left out.`] : []),
      ...named.notes,
      ...(short > 0 && given.fillsShortRows === true
        ? [`${plural(short, 'row')} had missing fields, which are empty now.`]
        : []),
    ],
  };
}

const maxNameChars = 200;

/** True if the first row has names: short, not only numbers, and rarely repeated in their own column. */
function hasHeaderRow([first = [], ...others]: readonly (readonly string[])[]): boolean {
  const sample = others.slice(0, sampleRows);
  const names = first.map((cell) => cell.trim());
  const repeated = names.filter(
    (name, at) => name !== '' && sample.some((cells) => cells[at]?.trim() === name),
  );
  const isName = (name: string) =>
    !(/\d/.test(name) && /^[-+\d.,\s%]*$/.test(name)) && name.length <= maxNameChars && !/\n.*\n/s.test(name);
  return names.every(isName) && 3 * repeated.length < names.length;
}

/** Reads the header, adds a name for the row names of R and drops empty columns at the end. */
function readHeader(first: readonly string[], body: readonly MatrixRow[], hasHeader: boolean): string[] {
  const header = first.map((cell) => (hasHeader ? cell.trim() : ''));
  const hasRowNames =
    hasHeader &&
    body.length > 0 &&
    body.every(({ cells }) => cells.length === header.length + 1 && !isBlank(cells.slice(-1))) &&
    body.every(({ cells }) => /^\d+$/.test(cells[0] ?? ''));
  if (hasRowNames) return ['', ...header];
  while (header.at(-1) === '' && body.every(({ cells }) => isBlank(cells.slice(header.length - 1))))
    header.pop();
  return header;
}

/** True for an index column. Pandas names an index that was written twice "Unnamed: 0". */
function isIndex(name: string | undefined, rows: readonly TableRow[]): boolean {
  const isUnnamed = name === '' || /^Unnamed: ?\d+(?:_level_\d+)?$/.test(name ?? 'none');
  if (!isUnnamed || rows.length === 0 || (rows[0]?.cells.length ?? 0) < 2) return false;
  const values = rows.map(({ cells }) => cells[0]?.trim() ?? '');
  return values.every((value) => /^\d+$/.test(value)) && new Set(values).size === values.length;
}

/** Names columns without a name or with the name of another. */
function nameColumns(
  header: readonly string[],
  isKept: readonly boolean[],
): { columns: string[]; notes: string[] } {
  const columns: string[] = [];
  const notes: string[] = [];
  for (const [at, name] of header.entries()) {
    if (isKept[at] !== true) continue;
    let [next, count] = [name === '' ? `column_${at + 1}` : name, 2];
    while (columns.includes(next)) {
      next = `${name === '' ? 'column' : name}_${count}`;
      count += 1;
    }
    columns.push(next);
    if (name !== '' && next !== name)
      notes.push(`The name ${outsideWords(name)} occurs twice; the later column is ${outsideWords(next)}.`);
  }
  return { columns, notes };
}

function readLines(text: string): Part {
  const lines = text.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/);
  const odd: OddLine[] = [];
  const rows = lines.flatMap((own, index): TableRow[] => {
    const line = index + 1;
    if (own.trim() !== '') return [{ line, cells: [own.trim()] }];
    odd.push({ line, why: `Line ${line} is empty.`, text: '' });
    return [];
  });
  return { kind: 'text', choices: {}, lists: [], columns: [plainColumn], rows, odd, notes: [] };
}

function readJson(
  text: string,
  { isArray, values }: JsonSequence,
  given: TableChoices,
  extension: string,
): Part {
  const [only] = values;
  const lists = isArray || values.length !== 1 ? [] : findJsonLists(only?.value);
  // The only line of JSON Lines is a row and not a list of rows.
  const best = ['jsonl', 'ndjson'].includes(extension) ? '' : lists[0]?.name;
  const list = lists.find(({ name }) => name === (given.list ?? best));
  if (list) return { ...readList(list, given), kind: 'JSON', lists: lists.map(({ name }) => name) };
  const items = values.map(({ value, line, start }) => ({
    value,
    line,
    text: () => outsideWords(text.slice(start, start + 200).split('\n', 1)[0] ?? ''),
  }));
  return { ...readItems(items, 'Line', given), kind: isArray ? 'JSON' : 'JSON Lines' };
}

function readList({ name, items, note }: JsonList, given: TableChoices): Rows {
  const part = readItems(
    items.map((value, index) => ({
      value,
      line: index + 1,
      text: () => outsideWords(formatCell(value)),
    })),
    'Item',
    given,
  );
  const notes = note === undefined ? [] : [note];
  return { ...part, choices: { ...part.choices, list: name }, notes: [...notes, ...part.notes] };
}

interface JsonItem {
  value: Json | undefined;
  line: number;
  /** Its beginning. */
  text: () => string;
}

/** Reads objects by key, arrays by position, or plain values as texts: the first kind that occurs. */
function readItems(items: readonly JsonItem[], place: 'Line' | 'Item', given: TableChoices): Rows {
  const records = items.map((item) => ({ ...item, record: listRecord(item.value) }));
  const hasRecords = records.some(({ record }) => record !== undefined);
  if (!hasRecords && items.some(({ value }) => Array.isArray(value)))
    return readMatrix(
      items.map(({ value, ...item }) => ({
        ...item,
        cells: Array.isArray(value) ? value.map(formatCell) : [],
        problem: Array.isArray(value) ? undefined : 'is not a JSON array.',
      })),
      place,
      given,
    );
  const odd: OddLine[] = [];
  const places = new Map<string, number>();
  const rows = records.flatMap(({ value, record, line, text }): TableRow[] => {
    const members =
      record ?? (hasRecords || value === undefined ? undefined : [[plainColumn, value] as const]);
    if (!members) {
      odd.push({ line, why: `${place} ${line} is not a JSON object.`, text: text() });
      return [];
    }
    const cells: (string | undefined)[] = [];
    for (const [name, member] of members) {
      const at = places.get(name) ?? places.size;
      places.set(name, at);
      cells[at] = formatCell(member);
    }
    return [{ line, cells }];
  });
  const columns = [...places.keys()];
  return {
    choices: {},
    lists: [],
    columns,
    rows: rows.map(({ line, cells }) => ({ line, cells: columns.map((_, at) => cells[at]) })),
    odd,
    notes: [],
  };
}
