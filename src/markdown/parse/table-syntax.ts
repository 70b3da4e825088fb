import type { Alignment } from '../tree/tree.ts';

/** The columns of the line below a table's header, or undefined when it is not one (GFM, tables). */
export function delimiterRow(line: string): (Alignment | undefined)[] | undefined {
  if (!/[|:]/.test(line) || !/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/.test(line))
    return undefined;
  return splitRow(line).map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
    return cell.startsWith(':') ? 'left' : undefined;
  });
}

/** The cells of a row, trimmed. A pipe behind a backslash belongs to its cell. */
export function splitRow(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (character === '\\' && line[index + 1] === '|') {
      cell += '|';
      index += 1;
    } else if (character === '\\') {
      cell += character + (line[index + 1] ?? '');
      index += 1;
    } else if (character === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  cells.push(cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}
