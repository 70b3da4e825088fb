/** Inputs that are not lines of text: those of a file, and numbers of tokens. Loaded with the first of them. */
import { readTableFile } from '../../../embedding/items/table-file.ts';
import { guessColumns, itemsOf, type TableFile } from '../../../embedding/items/table-items.ts';
import type { TextReading } from '../../../embedding/items/text-items.ts';
import { readTokenLines } from '../../../embedding/items/token-items.ts';
import { numberProperty, ownProperty, stringProperty } from '../../../lib/json.ts';
import type { ImportedFile, LabInput } from './lab-input.ts';

/** The inputs that the file holds, or the field in token mode. */
export function readOther({ mode, typed, file }: Pick<LabInput, 'mode' | 'typed' | 'file'>): TextReading {
  return file ? itemsOf(file.table, file.columns, mode) : readTokenLines(typed);
}

/** A file that was chosen, with the columns that most likely hold texts and groups; undefined where it holds no rows. */
export function importedFile(name: string, text: string): ImportedFile | undefined {
  const table = readTableFile(name, text);
  return table.rows.length === 0 ? undefined : { table, columns: guessColumns(table) };
}

const kinds: readonly TableFile['kind'][] = ['CSV', 'TSV', 'JSON Lines', 'JSON', 'text'];

/** The file in use on the last visit; undefined where it cannot be read. */
export function reviveFile(stored: unknown): ImportedFile | undefined {
  const table = ownProperty(stored, 'table');
  const columns = stringsOf(ownProperty(table, 'columns'));
  const rows = ownProperty(table, 'rows');
  const name = stringProperty(table, 'name');
  const kind = kinds.find((one) => one === stringProperty(table, 'kind'));
  const text = numberProperty(ownProperty(stored, 'columns'), 'text');
  const label = numberProperty(ownProperty(stored, 'columns'), 'label');
  if (!columns || !Array.isArray(rows) || name === undefined || !kind || text === undefined) return undefined;
  return {
    table: { name, kind, columns, rows: rows.map((row) => stringsOf(row) ?? []), problems: [] },
    columns: label === undefined ? { text } : { text, label },
  };
}

function stringsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : '')) : undefined;
}
