/** A place in a line: what is left of it, and the column it stands at (tabs go to the next multiple of 4). */
export interface LineCursor {
  readonly rest: string;
  readonly column: number;
}

/** How many columns of white space stand at the front. */
export function measureIndent({ rest, column }: LineCursor): number {
  let width = 0;
  for (const character of rest) {
    if (character === ' ') width += 1;
    else if (character === '\t') width += 4 - ((column + width) % 4);
    else break;
  }
  return width;
}

/** The cursor behind at most `columns` columns of white space; of a tab that is wider, the rest stays as spaces. */
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

/** The cursor behind `count` characters that are not white space. */
export function skipCharacters(cursor: LineCursor, count: number): LineCursor {
  return { rest: cursor.rest.slice(count), column: cursor.column + count };
}

export function isBlank(text: string): boolean {
  return !/[^ \t]/.test(text);
}
