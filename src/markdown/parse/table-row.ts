import type { Alignment } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import type { InlineContext } from './inline-delimiters.ts';
import { InlineLeaf } from './inline-leaf.ts';

const WIDEST = 250;

/**
 * A row that grows: the innermost open node of the tree while it is open. A cell is final as soon as the pipe behind
 * it has come, so that only the last one is drawn again. Splits as `splitRow` does.
 */
export class TableRow {
  readonly #tree: ModelTree;
  readonly #context: InlineContext;
  readonly #header: boolean;
  readonly #columns: readonly (Alignment | undefined)[] | undefined;
  #cell: InlineLeaf | undefined;
  #cells = 0;
  #first = true;
  /** A backslash, which belongs to the character that follows. */
  #escape = false;
  /** White space behind the cell's text, which counts only where more text follows. */
  #held = '';

  /** Opens the row. Without `columns` it has as many cells as come. */
  constructor(
    tree: ModelTree,
    context: InlineContext,
    header: boolean,
    columns: readonly (Alignment | undefined)[] | undefined,
  ) {
    this.#tree = tree;
    this.#context = context;
    this.#header = header;
    this.#columns = columns;
    tree.open('row', {});
  }

  add(text: string): void {
    let run = '';
    for (const character of text) {
      if (this.#escape) {
        this.#escape = false;
        run += character === '|' ? '|' : `\\${character}`;
      } else if (character === '\\') this.#escape = true;
      else if (character === '|') {
        this.#append(run);
        run = '';
        this.#endCell();
      } else run += character;
    }
    this.#append(run);
  }

  draw(): void {
    this.#cell?.draw();
  }

  /** The line has ended: the row gets the cells it lacks, and is closed. */
  finish(): void {
    if (this.#escape) this.#append('\\');
    if (this.#cell !== undefined) this.#endCell();
    while (this.#cells < (this.#columns?.length ?? 0)) {
      this.#context.filledCells += 1;
      this.#openCell();
      this.#closeCell();
    }
    this.#tree.close();
  }

  #append(text: string): void {
    const whole = this.#cell === undefined ? text.trimStart() : this.#held + text;
    const sure = whole.trimEnd();
    this.#held = whole.slice(sure.length);
    if (sure === '' || this.#full) return;
    if (this.#cell === undefined) this.#openCell();
    this.#cell?.append(sure);
  }

  #endCell(): void {
    const empty = this.#cell === undefined;
    const edge = this.#first && empty;
    this.#first = false;
    this.#held = '';
    if (edge || this.#full) return;
    if (empty) this.#openCell();
    this.#closeCell();
  }

  get #full(): boolean {
    return this.#cell === undefined && this.#cells >= (this.#columns?.length ?? WIDEST + 1);
  }

  #openCell(): void {
    const align = this.#columns?.[this.#cells];
    this.#tree.open('cell', { header: this.#header, ...(align === undefined ? {} : { align }) });
    this.#cell = new InlineLeaf(this.#tree, this.#context);
    this.#cells += 1;
    if (this.#cells > WIDEST) this.#context.tooMuch = true;
  }

  #closeCell(): void {
    this.#cell?.finish();
    this.#cell = undefined;
    this.#tree.close();
  }
}

/** The columns of the line below a table's header, or undefined when it is not one (GFM, tables). */
export function delimiterRow(line: string): (Alignment | undefined)[] | undefined {
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
