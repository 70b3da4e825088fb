import type { Alignment } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import type { InlineContext } from './inline-delimiters.ts';
import { InlineLeaf } from './inline-leaf.ts';

const MAX_COLUMNS = 250;

/**
 * A growing row, the innermost open node of the tree. A cell is final once the next pipe has arrived, so only the last
 * cell is redrawn. Splits in the same way as `splitRow`.
 */
export class MarkdownTableRow {
  readonly #tree: ModelTree;
  readonly #context: InlineContext;
  readonly #isHeader: boolean;
  readonly #columns: readonly (Alignment | undefined)[] | undefined;
  #cell: InlineLeaf | undefined;
  #cellCount = 0;
  #isFirstCell = true;
  /** A pending backslash, which belongs to the next character. */
  #hasBackslash = false;
  /** White space after the cell's text, which counts only if more text follows. */
  #pendingSpace = '';

  /** Opens the row. Without `columns`, it has as many cells as arrive. */
  constructor(
    tree: ModelTree,
    context: InlineContext,
    isHeader: boolean,
    columns: readonly (Alignment | undefined)[] | undefined,
  ) {
    this.#tree = tree;
    this.#context = context;
    this.#isHeader = isHeader;
    this.#columns = columns;
    tree.open('row', {});
  }

  add(text: string): void {
    let cellText = '';
    for (const character of text) {
      if (this.#hasBackslash) {
        this.#hasBackslash = false;
        cellText += character === '|' ? '|' : `\\${character}`;
      } else if (character === '\\') this.#hasBackslash = true;
      else if (character === '|') {
        this.#append(cellText);
        cellText = '';
        this.#endCell();
      } else cellText += character;
    }
    this.#append(cellText);
  }

  draw(): void {
    this.#cell?.draw();
  }

  /** Ends the row: adds missing cells and closes it. */
  finish(): void {
    if (this.#hasBackslash) this.#append('\\');
    if (this.#cell !== undefined) this.#endCell();
    while (this.#cellCount < (this.#columns?.length ?? 0)) {
      this.#context.paddingCellCount += 1;
      this.#openCell();
      this.#closeCell();
    }
    this.#tree.close();
  }

  #append(text: string): void {
    const combined = this.#cell === undefined ? text.trimStart() : this.#pendingSpace + text;
    const finalText = combined.trimEnd();
    this.#pendingSpace = combined.slice(finalText.length);
    if (finalText === '' || this.#isFull) return;
    if (this.#cell === undefined) this.#openCell();
    this.#cell?.append(finalText);
  }

  #endCell(): void {
    const isEmpty = this.#cell === undefined;
    const isEdge = this.#isFirstCell && isEmpty;
    this.#isFirstCell = false;
    this.#pendingSpace = '';
    if (isEdge || this.#isFull) return;
    if (isEmpty) this.#openCell();
    this.#closeCell();
  }

  get #isFull(): boolean {
    return this.#cell === undefined && this.#cellCount >= (this.#columns?.length ?? MAX_COLUMNS + 1);
  }

  #openCell(): void {
    const align = this.#columns?.[this.#cellCount];
    this.#tree.open('cell', { header: this.#isHeader, ...(align === undefined ? {} : { align }) });
    this.#cell = new InlineLeaf(this.#tree, this.#context);
    this.#cellCount += 1;
    if (this.#cellCount > MAX_COLUMNS) this.#context.exceedsLimits = true;
  }

  #closeCell(): void {
    this.#cell?.finish();
    this.#cell = undefined;
    this.#tree.close();
  }
}

/**
 * Returns the columns defined by the line below a table header, or undefined if it is not a delimiter row (GFM tables).
 */
export function parseDelimiterRow(line: string): (Alignment | undefined)[] | undefined {
  if (
    !/[|:]/.test(line) ||
    !/^ {0,3}(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/.test(line)
  )
    return undefined;
  return splitRow(line).map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
    return cell.startsWith(':') ? 'left' : undefined;
  });
}

/** Splits a row into trimmed cells. A pipe after a backslash belongs to its cell. */
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
