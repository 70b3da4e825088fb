/** Files of texts for the lab, read when they are chosen and again with every choice. */
import { readTableFile } from '../../embedding/items/read-table-file.ts';
import { guessColumns, type TableFile } from '../../embedding/items/table-file.ts';
import type { TableChoices } from '../../lib/table/read-table.ts';
import type { ImportedFile } from './lab-input.ts';

/** Contents of the files in use, to read them again. They are not stored. */
const sources = new WeakMap<TableFile, string | Uint8Array>();

/** Reads a file and guesses which columns hold texts and groups. Throws an Error with a sentence if it holds no text. */
export function readLabFile(
  name: string,
  source: string | Uint8Array,
  choices: TableChoices = {},
): ImportedFile {
  const table = readTableFile(name, source, choices);
  sources.set(table, source);
  return { table, columns: guessColumns(table) };
}

/** Reads a file again with another choice; undefined if its contents are no longer in memory. */
export function readFileAgain({ table }: ImportedFile, change: TableChoices): ImportedFile | undefined {
  const source = sources.get(table);
  if (source === undefined) return undefined;
  return readLabFile(table.name, source, { ...table.reading?.chosen, ...change });
}
