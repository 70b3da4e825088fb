import type { Alignment } from '../tree/markdown-tree.ts';
import { emitNode } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import type { InlineContext } from './inline-delimiters.ts';
import { InlineLeaf } from './inline-leaf.ts';
import { MarkdownTableRow } from './table-row.ts';
import { parseDelimiterRow, splitRow } from './table-row.ts';

/** The innermost open block, which contains text. Its node is the innermost open node of the tree. */
export interface Leaf {
  /** Adds a piece of the current line. */
  add(text: string): void;
  /** Ends the current line. */
  endLine(): void;
  /** Adds received text that is not in the tree yet. */
  draw(): void;
  /** Adds the remaining text to the tree as final. The caller then closes the node. */
  finish(): void;
}

export class ParagraphLeaf implements Leaf {
  readonly #inline: InlineLeaf;
  #lineCount = 0;
  #lastLine = '';
  #isLineOpen = false;

  constructor(tree: ModelTree, context: InlineContext) {
    this.#inline = new InlineLeaf(tree, context);
  }

  get text(): string {
    return this.#inline.text;
  }

  /** The line added last, complete or not. */
  get lastLine(): string {
    return this.#lastLine;
  }

  add(text: string): void {
    if (!this.#isLineOpen && this.#lineCount > 0) this.#inline.append('\n');
    if (!this.#isLineOpen) this.#lineCount += 1;
    this.#lastLine = this.#isLineOpen ? this.#lastLine + text : text;
    this.#isLineOpen = true;
    this.#inline.append(text);
  }

  endLine(): void {
    this.#isLineOpen = false;
  }

  draw(): void {
    this.#inline.draw();
  }

  finish(): void {
    this.#inline.finish();
  }
}

export class HeadingLeaf implements Leaf {
  readonly #inline: InlineLeaf;
  /** Trailing spaces and hashes, which may close the heading or may be followed by more text. */
  #pendingText = '';
  #hasText = false;

  constructor(tree: ModelTree, context: InlineContext) {
    this.#inline = new InlineLeaf(tree, context);
  }

  add(text: string): void {
    const combined = this.#pendingText + text;
    this.#pendingText = getClosingPart(combined, this.#hasText);
    const finalText = combined.slice(0, combined.length - this.#pendingText.length);
    if (finalText !== '') this.#hasText = true;
    this.#inline.append(finalText);
  }

  endLine(): void {
    this.#pendingText = '';
  }

  draw(): void {
    this.#inline.draw();
  }

  finish(): void {
    this.#inline.finish();
  }
}

/** Returns the trailing white space of a heading with the hashes that would close it. */
function getClosingPart(text: string, hasText: boolean): string {
  let end = findRunStart(text, text.length, ' \t');
  const hashesStart = findRunStart(text, end, '#');
  const spaceStart = findRunStart(text, hashesStart, ' \t');
  if (hashesStart < end && (spaceStart < hashesStart || (hashesStart === 0 && !hasText))) end = spaceStart;
  return text.slice(end);
}

/** Returns the start of the run of the given characters that ends at `end`. */
function findRunStart(text: string, end: number, characters: string): number {
  let offset = end;
  while (offset > 0 && characters.includes(text[offset - 1] ?? '')) offset -= 1;
  return offset;
}

/** Code, line by line: a line is closed when it ends; only the current line grows. */
export class CodeLeaf implements Leaf {
  readonly #tree: ModelTree;
  readonly #isIndented: boolean;
  readonly #blankLines: string[] = [];
  #isLineOpen = false;
  #blankText = '';

  /** With `isIndented`, blank lines belong to the block only if another line follows. */
  constructor(tree: ModelTree, isIndented: boolean) {
    this.#tree = tree;
    this.#isIndented = isIndented;
  }

  add(text: string): void {
    if (text === '') return;
    if (!this.#isLineOpen) {
      for (const blankLine of this.#blankLines.splice(0)) this.#addLine(blankLine);
      this.#tree.open('line', {});
      this.#isLineOpen = true;
    }
    this.#tree.appendText(text);
  }

  /** Adds a blank line; `text` is its white space. */
  addBlank(text: string): void {
    this.#blankText = text;
  }

  endLine(): void {
    if (this.#isLineOpen) this.#tree.close();
    else if (this.#isIndented) this.#blankLines.push(this.#blankText);
    else this.#addLine('');
    this.#isLineOpen = false;
    this.#blankText = '';
  }

  draw(): void {}

  finish(): void {
    if (this.#isLineOpen) this.endLine();
  }

  #addLine(text: string): void {
    this.#tree.open('line', {});
    if (text !== '') this.#tree.appendText(text);
    this.#tree.close();
  }
}

/** Literal text: HTML, and formulas while they are open. */
export class TextLeaf implements Leaf {
  readonly #tree: ModelTree;
  readonly #end: RegExp | undefined;
  #line = '';
  #lineEnds = '';
  hasEnded = false;

  /** False if only a blank line ends the block. */
  get hasEndPattern(): boolean {
    return this.#end !== undefined;
  }

  /** `endPattern` matches a line that ends the block. */
  constructor(tree: ModelTree, endPattern: RegExp | undefined) {
    this.#tree = tree;
    this.#end = endPattern;
  }

  add(text: string): void {
    if (text === '') return;
    this.#line += text;
    this.#tree.appendText(this.#lineEnds + text);
    this.#lineEnds = '';
  }

  endLine(): void {
    if (this.#end?.test(this.#line) === true) this.hasEnded = true;
    this.#line = '';
    this.#lineEnds += '\n';
  }

  draw(): void {}

  finish(): void {}
}

/** A formula on separate lines: its source while open, one text when complete. */
export class MathLeaf implements Leaf {
  readonly #tree: ModelTree;
  readonly #open: string;
  readonly #close: string;
  readonly #lines: string[] = [];
  #line = '';
  hasEnded = false;

  constructor(tree: ModelTree, { open, close }: { open: string; close: string }) {
    this.#tree = tree;
    this.#open = open;
    this.#close = close;
  }

  /** The first line as written. */
  get firstLine(): string {
    return this.#open + (this.#lines[0] ?? this.#line);
  }

  add(text: string): void {
    this.#line += text;
  }

  endLine(): void {
    this.#lines.push(this.#line);
    this.hasEnded = this.#line.trimEnd().endsWith(this.#close);
    if (!this.hasEnded && this.#line !== '') emitNode(`${this.#line}\n`, this.#tree);
    this.#line = '';
  }

  draw(): void {}

  /** True if the formula has ended and is not empty. */
  get isFormula(): boolean {
    return this.hasEnded && this.#tex !== '';
  }

  get #tex(): string {
    return this.#lines.join('\n').trimEnd().slice(0, -this.#close.length).trim();
  }

  finish(): void {
    this.#tree.truncate(this.#tree.depth, 0);
    emitNode(this.#tex, this.#tree);
  }
}

/** A table, row by row. Until the line below the header arrives, the table is only a guess. */
export class TableLeaf implements Leaf {
  readonly #tree: ModelTree;
  readonly #context: InlineContext;
  #columns: (Alignment | undefined)[] | undefined;
  #row: MarkdownTableRow | undefined;
  #header = '';

  constructor(tree: ModelTree, context: InlineContext) {
    this.#tree = tree;
    this.#context = context;
  }

  /** True once the line below the header has confirmed the table. */
  get isConfirmed(): boolean {
    return this.#columns !== undefined;
  }

  /** The line that looks like a header. */
  get header(): string {
    return this.#header;
  }

  /** Parses the line below the header. Returns false if it does not make this a table. */
  confirm(line: string): boolean {
    const columns = parseDelimiterRow(line);
    if (columns === undefined || columns.length !== splitRow(this.#header).length) return false;
    this.#columns = columns;
    this.#tree.truncate(this.#tree.depth, 0);
    const row = new MarkdownTableRow(this.#tree, this.#context, true, columns);
    row.add(this.#header);
    row.finish();
    return true;
  }

  add(text: string): void {
    if (!this.isConfirmed) this.#header += text;
    this.#row ??= new MarkdownTableRow(this.#tree, this.#context, !this.isConfirmed, this.#columns);
    this.#row.add(text);
  }

  endLine(): void {
    this.#row?.finish();
    this.#row = undefined;
  }

  draw(): void {
    this.#row?.draw();
  }

  finish(): void {
    this.endLine();
  }
}
