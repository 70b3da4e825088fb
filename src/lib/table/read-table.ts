/**
 * Reads files and pasted text as tables, for trials and for the lab: delimited text, several JSON shapes, or one row
 * per line. Returns the choices it made, which the user can change, and the invalid rows by line.
 */
import { pluralize } from '../format.ts';
import type { Json } from '../json.ts';
import { sanitizeForSentence } from '../text/safe-text.ts';
import { decodeText, describeBinary, type DecodedText, type Encoding } from './decode-text.ts';
import {
  delimiters,
  readDelimited,
  readSeparatorLine,
  withLineFeeds,
  type DelimitedRow,
  type Delimiter,
} from './delimited.ts';
import { findJsonLists, listUniqueMembers, type JsonList } from './json-lists.ts';
import { formatCell, readJsonSequence, type JsonSequence } from './json-values.ts';

export type TableFormat = 'delimited' | 'json' | 'lines';

/** Choices for reading a file; missing ones are guessed. */
export interface TableChoices {
  /** Encoding of a file; pasted text has none. */
  encoding?: Encoding;
  format?: TableFormat;
  delimiter?: Delimiter;
  /** True if the first row has the column names. */
  hasHeader?: boolean;
  /** True if the first column is omitted because it only numbers the rows. */
  shouldOmitIndex?: boolean;
  /** True to pad rows with too few fields; otherwise they are skipped. */
  shouldFillShortRows?: boolean;
  /** Name of the list with the rows in a JSON object; empty for the object itself. */
  list?: string;
}

export interface TableRow {
  /** Number of the row's first line, or of the item in a JSON list, from 1. */
  line: number;
  /** Cell values; `undefined` if a JSON object has no such member. */
  cells: (string | undefined)[];
}

/** Line that is not a valid row. `reason` is a sentence: "Line 41 has 3 fields and not 2." */
export interface InvalidLine {
  line: number;
  reason: string;
  /** Start of the line. */
  text: string;
}

export interface ParsedTable {
  kind: 'CSV' | 'TSV' | 'JSON' | 'JSON Lines' | 'text';
  /** Choices that were used; absent if they make no difference. */
  choices: TableChoices & { format: TableFormat };
  /** Possible values of `choices.list`. */
  lists: string[];
  columns: string[];
  rows: TableRow[];
  invalidLines: InvalidLine[];
  /** Sentences about guesses and omissions. */
  notes: string[];
}

/** Column name for values without one: lines and plain JSON values. */
const defaultColumn = 'text';
const maxSampleChars = 64_000;
const maxSampleRows = 40;

/** Reads a table. Throws an Error with a message for the user if the file contains no text. */
export function readTable(
  source: string | Uint8Array,
  { name = '', ...choices }: TableChoices & { name?: string },
): ParsedTable {
  const { text, ...decoding } =
    typeof source === 'string' ? removeByteOrderMark(source) : decodeFile(source, choices);
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const sequence = /^\s*[[{]/.test(text) || choices.format === 'json' ? readJsonSequence(text) : undefined;
  const format = choices.format ?? guessFormat(text, extension, sequence);
  const table =
    format === 'json'
      ? readJson(text, sequence ?? readJsonSequence(text), choices, extension)
      : format === 'lines'
        ? readLines(text)
        : readDelimitedTable(text, choices, extension);
  return {
    ...table,
    choices: {
      ...table.choices,
      format,
      ...(decoding.encoding ? { encoding: decoding.encoding } : {}),
    },
    invalidLines: table.invalidLines.toSorted((a, b) => a.line - b.line),
    notes: [...describeDecoding(decoding, choices), ...table.notes],
  };
}

type FormatTable = Omit<ParsedTable, 'choices'> & { choices: TableChoices };
type TableContent = Omit<FormatTable, 'kind'>;

function removeByteOrderMark(text: string): Partial<DecodedText> & { text: string } {
  return { text: text.replace(/^\uFEFF/, '') };
}

function decodeFile(bytes: Uint8Array, { encoding }: TableChoices): DecodedText {
  const binary = describeBinary(bytes);
  if (binary !== undefined)
    throw new Error(`This file is ${binary}. Save the table as CSV or JSON and open that file.`);
  return decodeText(bytes, encoding);
}

function describeDecoding(
  { encoding, unreadableCount = 0 }: Partial<DecodedText>,
  choices: TableChoices,
): string[] {
  const isGuess = choices.encoding === undefined && encoding === 'windows-1252';
  return [
    ...(isGuess ? ['The file is not UTF-8 and was read as Windows-1252.'] : []),
    ...(unreadableCount > 0 ? [`${pluralize(unreadableCount, 'character')} could not be read.`] : []),
  ];
}

function guessFormat(text: string, extension: string, sequence: JsonSequence | undefined): TableFormat {
  if (['json', 'jsonl', 'ndjson'].includes(extension)) return 'json';
  const readableValues = sequence?.values.filter(({ value }) => value !== undefined) ?? [];
  const isJson = readableValues.some(({ value }) => typeof value === 'object' || sequence?.isArray === true);
  if (isJson && 2 * readableValues.length >= (sequence?.values.length ?? 0)) return 'json';
  if (['csv', 'tsv', 'tab', 'psv'].includes(extension) || readSeparatorLine(text)) return 'delimited';
  const sample = takeSample(text);
  return guessDelimiter(sample) !== undefined || isQuotedColumn(sample) ? 'delimited' : 'lines';
}

/** Returns the first complete lines of a text. */
function takeSample(text: string): string {
  const sample = withLineFeeds(text.slice(0, maxSampleChars));
  return text.length > maxSampleChars ? sample.slice(0, sample.lastIndexOf('\n') + 1) || sample : sample;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Returns the delimiter that splits most rows into the same number of fields. */
function guessDelimiter(sample: string): Delimiter | undefined {
  const scores = delimiters.map((delimiter) => {
    const rows = readSample(sample, delimiter, maxSampleRows).rows.filter(
      ({ cells, problem }) => problem !== undefined || !isBlank(cells),
    );
    const counts = new Map<number, number>();
    for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
    const [fields, matchingRows] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [0, 0];
    const [first] = rows;
    const isProse =
      delimiter === ',' && !sample.includes('"') && first?.cells.some((cell) => cell.length > 60);
    const isTable = fields > 1 && rows.length > 1 && 2 * matchingRows > rows.length && isProse !== true;
    return { delimiter, fields, share: matchingRows / rows.length, isTable };
  });
  const tables = scores.filter(({ isTable }) => isTable);
  return tables.toSorted((a, b) => b.share - a.share || b.fields - a.fields)[0]?.delimiter;
}

/** Returns true for a single column of quoted values, such as multi-line texts. */
function isQuotedColumn(sample: string): boolean {
  const rows = readDelimited(sample, { delimiter: ',', hasQuotes: true }, maxSampleRows);
  const quotedRows = rows.filter(({ start }) => sample[start] === '"');
  return (
    quotedRows.length > 0 &&
    rows.every(({ cells }) => cells.length === 1) &&
    quotedRows.length >= rows.length - 1
  );
}

function readDelimitedTable(text: string, choices: TableChoices, extension: string): FormatTable {
  const separator = readSeparatorLine(text);
  const source = text.slice(separator?.length ?? 0);
  const sample = takeSample(source);
  const delimiter =
    choices.delimiter ??
    separator?.delimiter ??
    guessDelimiter(sample) ??
    (extension === 'tsv' || extension === 'tab' ? '\t' : ',');
  const { hasQuotes } = readSample(sample, delimiter);
  let body = withLineFeeds(source);
  let rows = readDelimited(body, { delimiter, hasQuotes });
  if (source.includes('\r') && rows.some(({ problem }) => problem !== undefined)) {
    // After a stray quote, text inside and outside quotes would be swapped.
    body = source.replaceAll(/\r\n?/g, '\n');
    rows = readDelimited(body, { delimiter, hasQuotes });
  }
  const matrix = rows.map(({ cells, line, problem, start, end }) => ({
    cells,
    line: line + (separator ? 1 : 0),
    problem,
    text: () => sanitizeForSentence(body.slice(start, Math.min(end, start + 200)).trimEnd()),
  }));
  const table = readMatrix(matrix, 'Line', choices);
  return {
    ...table,
    kind: delimiter === '\t' ? 'TSV' : 'CSV',
    choices: { ...table.choices, delimiter },
    notes: [...(hasQuotes ? [] : ['Quotes were read as ordinary characters.']), ...table.notes],
  };
}

/** Reads the first rows, ignoring quotes if they break too many rows. */
function readSample(
  sample: string,
  delimiter: Delimiter,
  maxRows?: number,
): { rows: DelimitedRow[]; hasQuotes: boolean } {
  const rows = readDelimited(sample, { delimiter, hasQuotes: true }, maxRows);
  const problemCount = rows.filter(({ problem }) => problem !== undefined).length;
  if (problemCount <= 3 || 20 * problemCount <= rows.length) return { rows, hasQuotes: true };
  return { rows: readDelimited(sample, { delimiter, hasQuotes: false }, maxRows), hasQuotes: false };
}

interface MatrixRow {
  cells: string[];
  line: number;
  problem?: string | undefined;
  /** Returns the start of the row. */
  text: () => string;
}

/** Converts rows of cells to a table: detects the header and the index column, and collects rows that do not fit. */
function readMatrix(
  matrix: readonly MatrixRow[],
  rowLabel: 'Line' | 'Item',
  choices: TableChoices,
): TableContent {
  const invalidLines: InvalidLine[] = [];
  const rejectRow = ({ line, text }: MatrixRow, reason: string) =>
    invalidLines.push({ line, reason: `${rowLabel} ${line} ${reason}`, text: text() });
  const readableRows = matrix.filter((row) => {
    const reason = row.problem ?? (isBlank(row.cells) ? 'is empty.' : undefined);
    if (reason !== undefined) rejectRow(row, reason);
    return reason === undefined;
  });
  const hasHeader = choices.hasHeader ?? hasHeaderRow(readableRows.map(({ cells }) => cells));
  const body = hasHeader ? readableRows.slice(1) : readableRows;
  const header = readHeader(readableRows[0]?.cells ?? [], body, hasHeader);
  const width = header.length;

  const rows: TableRow[] = [];
  let shortRowCount = 0;
  for (const row of body) {
    const { cells, line } = row;
    const isShort = cells.length < width;
    if (isShort) shortRowCount += 1;
    if ((isShort && choices.shouldFillShortRows !== true) || !isBlank(cells.slice(width)))
      rejectRow(row, `has ${pluralize(cells.length, 'field')} instead of ${width}.`);
    else rows.push({ line, cells: header.map((_, index) => cells[index] ?? '') });
  }

  const hasIndex = hasHeader && isIndex(header[0], rows);
  const shouldOmitIndex = hasIndex && (choices.shouldOmitIndex ?? true);
  const isColumnKept = header.map((name, index) =>
    index === 0 && shouldOmitIndex
      ? false
      : name !== '' || rows.some(({ cells }) => (cells[index] ?? '').trim() !== ''),
  );
  const emptyCount = isColumnKept.filter(
    (isKept, index) => !isKept && !(index === 0 && shouldOmitIndex),
  ).length;
  const namedColumns = nameColumns(header, isColumnKept);
  return {
    choices: {
      hasHeader,
      ...(hasIndex ? { shouldOmitIndex } : {}),
      ...(shortRowCount > 0 ? { shouldFillShortRows: choices.shouldFillShortRows === true } : {}),
    },
    lists: [],
    columns: namedColumns.columns,
    rows: rows.map(({ line, cells }) => ({ line, cells: cells.filter((_, index) => isColumnKept[index]) })),
    invalidLines,
    notes: [
      ...(shouldOmitIndex ? ['The index column was left out.'] : []),
      ...(emptyCount > 0 ? [`Left out ${pluralize(emptyCount, 'empty column')}.`] : []),
      ...namedColumns.notes,
      ...(shortRowCount > 0 && choices.shouldFillShortRows === true
        ? [`Missing fields in ${pluralize(shortRowCount, 'row')} were left empty.`]
        : []),
    ],
  };
}

const maxNameChars = 200;

/** Returns true if the first row has names: short, not only numbers, and rarely repeated in their column. */
function hasHeaderRow([firstRow = [], ...otherRows]: readonly (readonly string[])[]): boolean {
  const sample = otherRows.slice(0, maxSampleRows);
  const names = firstRow.map((cell) => cell.trim());
  const repeatedNames = names.filter(
    (name, index) => name !== '' && sample.some((cells) => cells[index]?.trim() === name),
  );
  const isName = (name: string) =>
    !(/\d/.test(name) && /^[-+\d.,\s%]*$/.test(name)) && name.length <= maxNameChars && !/\n.*\n/s.test(name);
  return names.every(isName) && 3 * repeatedNames.length < names.length;
}

/** Reads the header, adds a name for the column of R row names and drops empty columns at the end. */
function readHeader(firstCells: readonly string[], body: readonly MatrixRow[], hasHeader: boolean): string[] {
  const header = firstCells.map((cell) => (hasHeader ? cell.trim() : ''));
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

/** Returns true for an index column. Pandas names an index that was written twice "Unnamed: 0". */
function isIndex(name: string | undefined, rows: readonly TableRow[]): boolean {
  const isUnnamed = name === '' || /^Unnamed: ?\d+(?:_level_\d+)?$/.test(name ?? 'none');
  if (!isUnnamed || rows.length === 0 || (rows[0]?.cells.length ?? 0) < 2) return false;
  const values = rows.map(({ cells }) => cells[0]?.trim() ?? '');
  return values.every((value) => /^\d+$/.test(value)) && new Set(values).size === values.length;
}

/** Names columns whose name is missing or not unique. */
function nameColumns(
  header: readonly string[],
  isColumnKept: readonly boolean[],
): { columns: string[]; notes: string[] } {
  const columns: string[] = [];
  const notes: string[] = [];
  for (const [index, name] of header.entries()) {
    if (isColumnKept[index] !== true) continue;
    let [columnName, suffix] = [name === '' ? `column_${index + 1}` : name, 2];
    while (columns.includes(columnName)) {
      columnName = `${name === '' ? 'column' : name}_${suffix}`;
      suffix += 1;
    }
    columns.push(columnName);
    if (name !== '' && columnName !== name)
      notes.push(
        `Two columns are called ${sanitizeForSentence(name)}. The later one was renamed ${sanitizeForSentence(columnName)}.`,
      );
  }
  return { columns, notes };
}

function readLines(text: string): FormatTable {
  const lines = text.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/);
  const invalidLines: InvalidLine[] = [];
  const rows = lines.flatMap((lineText, index): TableRow[] => {
    const line = index + 1;
    if (lineText.trim() !== '') return [{ line, cells: [lineText.trim()] }];
    invalidLines.push({ line, reason: `Line ${line} is empty.`, text: '' });
    return [];
  });
  return { kind: 'text', choices: {}, lists: [], columns: [defaultColumn], rows, invalidLines, notes: [] };
}

function readJson(
  text: string,
  { isArray, values }: JsonSequence,
  choices: TableChoices,
  extension: string,
): FormatTable {
  const [onlyValue] = values;
  const lists = isArray || values.length !== 1 ? [] : findJsonLists(onlyValue?.value);
  // A single line of JSON Lines is a row, not a list of rows.
  const defaultList = ['jsonl', 'ndjson'].includes(extension) ? '' : lists[0]?.name;
  const list = lists.find(({ name }) => name === (choices.list ?? defaultList));
  if (list) return { ...readList(list, choices), kind: 'JSON', lists: lists.map(({ name }) => name) };
  const items = values.map(({ value, line, start }) => ({
    value,
    line,
    text: () => sanitizeForSentence(text.slice(start, start + 200).split('\n', 1)[0] ?? ''),
  }));
  return { ...readItems(items, 'Line', choices), kind: isArray ? 'JSON' : 'JSON Lines' };
}

function readList({ name, items, note }: JsonList, choices: TableChoices): TableContent {
  const content = readItems(
    items.map((value, index) => ({
      value,
      line: index + 1,
      text: () => sanitizeForSentence(formatCell(value)),
    })),
    'Item',
    choices,
  );
  const notes = note === undefined ? [] : [note];
  return { ...content, choices: { ...content.choices, list: name }, notes: [...notes, ...content.notes] };
}

interface JsonItem {
  value: Json | undefined;
  line: number;
  /** Returns the start of the item. */
  text: () => string;
}

/** Reads objects by key, arrays by position, or plain values as texts, depending on which kind occurs first. */
function readItems(
  items: readonly JsonItem[],
  rowLabel: 'Line' | 'Item',
  choices: TableChoices,
): TableContent {
  const records = items.map((item) => ({ ...item, record: listUniqueMembers(item.value) }));
  const hasRecords = records.some(({ record }) => record !== undefined);
  if (!hasRecords && items.some(({ value }) => Array.isArray(value)))
    return readMatrix(
      items.map(({ value, ...item }) => ({
        ...item,
        cells: Array.isArray(value) ? value.map(formatCell) : [],
        problem: Array.isArray(value) ? undefined : 'is not a JSON array.',
      })),
      rowLabel,
      choices,
    );
  const invalidLines: InvalidLine[] = [];
  const columnIndexes = new Map<string, number>();
  const rows = records.flatMap(({ value, record, line, text }): TableRow[] => {
    const members =
      record ?? (hasRecords || value === undefined ? undefined : [[defaultColumn, value] as const]);
    if (!members) {
      invalidLines.push({ line, reason: `${rowLabel} ${line} is not a JSON object.`, text: text() });
      return [];
    }
    const cells: (string | undefined)[] = [];
    for (const [name, member] of members) {
      const index = columnIndexes.get(name) ?? columnIndexes.size;
      columnIndexes.set(name, index);
      cells[index] = formatCell(member);
    }
    return [{ line, cells }];
  });
  const columns = [...columnIndexes.keys()];
  return {
    choices: {},
    lists: [],
    columns,
    rows: rows.map(({ line, cells }) => ({ line, cells: columns.map((_, index) => cells[index]) })),
    invalidLines,
    notes: [],
  };
}
