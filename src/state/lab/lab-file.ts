/** Text files of the lab, parsed on import and again when the user changes the options. */
import { readTableFile } from '../../embedding/items/read-table-file.ts';
import { guessColumns, type TableFile } from '../../embedding/items/table-file.ts';
import type { TableChoices } from '../../lib/table/read-table.ts';
import type { ImportedFile } from './lab-input.ts';

/** Contents of the files in use, for parsing them again. Not persisted. */
const sources = new WeakMap<TableFile, string | Uint8Array>();

/** Reads a file and guesses which columns hold texts and groups. Throws a readable Error if it contains no text. */
export function readLabFile(
  name: string,
  source: string | Uint8Array,
  choices: TableChoices = {},
): ImportedFile {
  const table = readTableFile(name, source, choices);
  sources.set(table, source);
  return { table, columns: guessColumns(table) };
}

/** Parses a file again with other options; undefined if its contents are no longer in memory. */
export function readFileAgain({ table }: ImportedFile, change: TableChoices): ImportedFile | undefined {
  const source = sources.get(table);
  if (source === undefined) return undefined;
  return readLabFile(table.name, source, { ...table.reading?.chosen, ...change });
}
