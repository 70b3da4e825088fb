/** A position in a line: the rest, and its column (tabs advance to the next multiple of 4). */
export interface LineCursor {
  readonly rest: string;
  readonly column: number;
}

/** Returns the number of columns of leading white space. */
export function measureIndent({ rest, column }: LineCursor): number {
  let width = 0;
  for (const character of rest) {
    if (character === ' ') width += 1;
    else if (character === '\t') width += 4 - ((column + width) % 4);
    else break;
  }
  return width;
}

/** Returns the cursor after at most `columns` columns of white space; the rest of a wider tab stays as spaces. */
export function skipIndent(cursor: LineCursor, columns: number): LineCursor {
  let width = 0;
  let index = 0;
  while (width < columns) {
    const character = cursor.rest[index];
    if (character === ' ') width += 1;
    else if (character === '\t') width += 4 - ((cursor.column + width) % 4);
    else break;
    index += 1;
  }
  const excess = Math.max(0, width - columns);
  return { rest: ' '.repeat(excess) + cursor.rest.slice(index), column: cursor.column + width - excess };
}

/** Returns the cursor after `count` characters other than white space. */
export function skipCharacters(cursor: LineCursor, count: number): LineCursor {
  return { rest: cursor.rest.slice(count), column: cursor.column + count };
}

export function isBlank(text: string): boolean {
  return !/[^ \t]/.test(text);
}
