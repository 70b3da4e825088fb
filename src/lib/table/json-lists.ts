/** Finds lists of rows in a JSON object: `{"data": [...]}`, nested results, and the formats of pandas. */
import { withoutDuplicateKeys } from '../exact-json.ts';
import { isJsonObject, JsonSource, type Json } from '../json.ts';
import { sanitizeForSentence } from '../text/safe-text.ts';

export interface JsonList {
  /** Path of the list, such as `results.results`; empty if the object itself is the only row. */
  name: string;
  items: Json[];
  /** Sentence about the rows and the omitted members. */
  note?: string;
}

/** Returns the members of an object without duplicate names, `undefined` for other values. */
export function listUniqueMembers(value: Json | undefined): [string, Json][] | undefined {
  const record = value instanceof JsonSource ? withoutDuplicateKeys(value) : value;
  return isJsonObject(record) ? Object.entries(record) : undefined;
}

/**
 * Returns the lists that may be the rows of an object, most likely first, and the object itself; an empty list for
 * other values.
 */
export function findJsonLists(value: Json | undefined): JsonList[] {
  const members = listUniqueMembers(value);
  if (!members || value === undefined) return [];
  const wholeObject: JsonList = { name: '', items: [value] };
  const columnTable = readColumns(members);
  if (columnTable) return [columnTable, wholeObject];
  const lists = findNestedLists(members, [], maxListLevels);
  const plainLists = lists.filter(({ items }) => !items.some(isRow));
  const isOneList = plainLists.length === 1 && members.length === 1;
  const rowLists = lists.filter(({ items }) => items.some(isRow));
  const sortedRowLists = rowLists.toSorted(
    (a, b) => countKeys(a) - countKeys(b) || b.items.length - a.items.length,
  );
  return sortedRowLists.length > 0 || isOneList
    ? [...sortedRowLists, ...plainLists, wholeObject]
    : [wholeObject, ...plainLists];
}

const maxListLevels = 3;

function countKeys({ name }: JsonList): number {
  return name.split('.').length;
}

function isRow(value: Json): boolean {
  return Array.isArray(value) || listUniqueMembers(value) !== undefined;
}

/** Returns true for chat messages, which form one conversation instead of rows. */
function isConversation(items: readonly Json[]): boolean {
  return (
    items.length > 0 && items.every((item) => listUniqueMembers(item)?.some(([name]) => name === 'role'))
  );
}

function findNestedLists(
  members: readonly [string, Json][],
  path: readonly string[],
  levels: number,
): JsonList[] {
  return members.flatMap(([key, value]): JsonList[] => {
    const name = [...path, key].join('.');
    if (Array.isArray(value)) {
      if (value.length === 0 || isConversation(value)) return [];
      const header = members.find(([memberName]) => memberName === 'columns')?.[1];
      // Pandas stores column names separately from the rows.
      const isSplit = Array.isArray(header) && value !== header && value.every((row) => Array.isArray(row));
      const otherNames = members
        .map(([memberName]) => memberName)
        .filter((memberName) => memberName !== key && !(isSplit && memberName === 'columns'));
      const omitted =
        otherNames.length === 0 ? '' : ` Left out: ${sanitizeForSentence(otherNames.join(', '))}.`;
      const note = `Rows were read from the list “${sanitizeForSentence(name)}”.${omitted}`;
      return [{ name, items: isSplit ? [header, ...value] : value, note }];
    }
    const inner = listUniqueMembers(value);
    return inner && levels > 1 ? findNestedLists(inner, [...path, key], levels - 1) : [];
  });
}

/**
 * Reads objects with one member per column (lists of equal length, or objects keyed by row number) or one object per
 * row.
 */
function readColumns(members: readonly [string, Json][]): JsonList | undefined {
  if (members.length > 1 && members.every(([, value]) => Array.isArray(value))) {
    const columns = members.map(([name, value]) => [name, Array.isArray(value) ? value : []] as const);
    const [, firstCells] = columns[0] ?? ['', []];
    const haveEqualLengths = columns.every(
      ([, cells]) => cells.length === firstCells.length && !cells.some(isRow),
    );
    if (haveEqualLengths && firstCells.length > 0)
      return createTable(
        'by column',
        firstCells.map((_, rowIndex) => columns.map(([name, cells]) => [name, cells[rowIndex] ?? null])),
      );
  }
  const records = members.map(([name, value]) => [name, listUniqueMembers(value)] as const);
  if (members.length === 0 || records.some(([, inner]) => !inner || inner.length === 0)) return undefined;
  if (members.every(([name]) => isIndexKey(name)))
    return createTable(
      'by row',
      records.map(([, inner]) => inner ?? []),
    );
  const keys = [...new Set(records.flatMap(([, inner]) => inner?.map(([key]) => key) ?? []))];
  if (!keys.every(isIndexKey)) return undefined;
  const columns = records.map(([name, inner]) => [name, new Map(inner)] as const);
  return createTable(
    'by column',
    keys.map((key) => columns.map(([name, inner]) => [name, inner.get(key) ?? null])),
  );
}

function isIndexKey(key: string): boolean {
  return /^\d+$/.test(key);
}

function createTable(name: 'by column' | 'by row', rows: readonly (readonly [string, Json][])[]): JsonList {
  const note =
    name === 'by row'
      ? 'Each property was read as a row, without its name.'
      : 'Each property was read as a column.';
  return { name, items: rows.map((row) => Object.fromEntries(row)), note };
}
