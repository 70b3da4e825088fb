/** Parses delimited text (RFC 4180 and common variants) with papaparse. */
import Papa from 'papaparse';

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

export interface DelimitedRow {
  cells: string[];
  /** Number of the first line of the row, from 1. */
  line: number;
  /** Start and end offset of the row. */
  start: number;
  end: number;
  /** Reason why the row is invalid, such as "opens a quote that is never closed." */
  problem?: string;
}

export interface DelimitedSettings {
  delimiter: Delimiter;
  /** False if quotes are ordinary characters. */
  hasQuotes: boolean;
}

/** First line that Excel uses to declare the delimiter. */
const separatorLinePattern = /^"?sep=([,;\t|])"?\r?\n|^"?sep=([,;\t|])"?\r/i;

/** Returns the delimiter declared in the first line and the length of that line. */
export function readSeparatorLine(text: string): { delimiter: Delimiter; length: number } | undefined {
  const match = separatorLinePattern.exec(text);
  const delimiter = delimiters.find((candidate) => candidate === (match?.[1] ?? match?.[2]));
  return match && delimiter ? { delimiter, length: match[0].length } : undefined;
}

/** Converts line breaks between rows to line feeds; line breaks inside quotes stay unchanged. */
export function withLineFeeds(text: string): string {
  if (!text.includes('\r')) return text;
  return text
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/\r\n?/g, '\n') : part))
    .join('"');
}

/** Number of characters parsed in one pass, so that a stray quote does not cause a scan of the whole file. */
const sliceChars = 2_000_000;
const shortSliceChars = 20_000;
const maxCostlyProblems = 20;

/** Reads at most `maxRows` rows. A stray quote affects only its own line. */
export function readDelimited(
  text: string,
  { delimiter, hasQuotes }: DelimitedSettings,
  maxRows = Number.POSITIVE_INFINITY,
): DelimitedRow[] {
  const rows: DelimitedRow[] = [];
  let [start, line, sliceLength, problemCount] = [0, 1, sliceChars, 0];
  const addRow = (row: Pick<DelimitedRow, 'cells' | 'problem'>, end: number) => {
    rows.push({ ...row, line, start, end });
    for (
      let index = text.indexOf('\n', start);
      index >= 0 && index < end;
      index = text.indexOf('\n', index + 1)
    )
      line += 1;
    start = end;
  };
  while (start < text.length && rows.length < maxRows) {
    const sliceStart = start;
    const slice = text.slice(sliceStart, sliceStart + sliceLength);
    const hasMore = sliceStart + slice.length < text.length;
    Papa.parse<string[]>(slice, {
      delimiter,
      newline: '\n',
      quoteChar: hasQuotes ? '"' : '\0',
      step: ({ data, errors: [error], meta }, parser) => {
        const isTruncated = hasMore && meta.cursor === slice.length;
        if (isTruncated && (start > sliceStart || !error)) {
          if (start === sliceStart) sliceLength *= 2;
          parser.abort();
        } else if (error) {
          const isOpen = error.code === 'MissingQuotes';
          const problem = isOpen ? 'opens a quote that is never closed.' : 'has text after a closing quote.';
          const lineEnd = text.indexOf('\n', start) + 1;
          addRow({ cells: [], problem }, lineEnd === 0 ? text.length : lineEnd);
          problemCount += 1;
          if (problemCount === maxCostlyProblems) sliceLength = shortSliceChars;
          parser.abort();
        } else if (data.length > 1 || data[0] !== '' || sliceStart + meta.cursor > start) {
          addRow({ cells: data }, sliceStart + meta.cursor);
          if (rows.length >= maxRows) parser.abort();
        }
      },
    });
  }
  return rows;
}
