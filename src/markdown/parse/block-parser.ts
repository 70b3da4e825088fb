import type { Attributes, NodeKind } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import type { BlockStart } from './block-starts.ts';
import { blockStartAt, LONGEST_UNDECIDED } from './block-starts.ts';
import { DefinitionLeaf, type Definition } from './definitions.ts';
import type { InlineContext } from './inline-delimiters.ts';
import { resolveSteps } from './inline-leaf.ts';
import { normalLabel, unescaped } from './inline-syntax.ts';
import type { Leaf } from './leaves.ts';
import { CodeLeaf, HeadingLeaf, MathLeaf, ParagraphLeaf, TableLeaf, TextLeaf } from './leaves.ts';
import type { LineCursor } from './line-cursor.ts';
import { indentOf, isBlank, skipIndent } from './line-cursor.ts';
import { DEEPEST, OpenContainers, type ContainerStart } from './open-containers.ts';
import { delimiterRow, splitRow } from './table-row.ts';

interface Fence {
  mark: string;
  length: number;
  indent: number;
}

// A few characters can ask for any number of elements, so their number is bounded.
const MOST_FILLED_CELLS = 10_000;
// `[a]` has a whole address drawn, and a definition may be long: three letters for many thousands.
const MOST_REPEATED = 50_000_000;
// What few letters draw: no line more is read past so many elements, or so many blocks side by side.
const MOST_ELEMENTS = 200_000;
const MOST_BLOCKS = 10_000;

/**
 * Reads markdown line by line (CommonMark's way: open containers and one open leaf). A line that is not
 * complete yet is taken as soon as its beginning decides what it is; the rest of it then goes straight to the leaf.
 */
export class BlockParser {
  readonly #tree: ModelTree;
  readonly #context: InlineContext = {
    references: new Map(),
    footnotes: new Set(),
    complete: false,
    unresolved: [],
    tooMuch: false,
    crowded: false,
    filledCells: 0,
  };
  readonly #containers: OpenContainers;
  #leaf: Leaf | undefined;
  #fence: Fence | undefined;
  #held = '';
  #midLine = false;
  /** The line was a delimiter (of a fence, below a header): its end is not a line of the leaf. */
  #delimiterLine = false;
  /** The current line as it was written, and those of the open formula. */
  #line = '';
  #formulaLines: string[] = [];
  /** Lines that looked like a formula are read as text. */
  #readsAgain = false;
  #closingBrackets = 0;
  #longestAddress = 0;

  constructor(tree: ModelTree) {
    this.#tree = tree;
    this.#containers = new OpenContainers(tree);
  }

  /** True once the text nests deeper, has a larger table or more in one line, or repeats more, than a page should draw. */
  get tooMuch(): boolean {
    const { tooMuch, filledCells } = this.#context;
    // Each closing bracket may be the use of the longest address.
    const repeated = this.#longestAddress * this.#closingBrackets;
    return tooMuch || this.#containers.tooDeep || filledCells > MOST_FILLED_CELLS || repeated > MOST_REPEATED;
  }

  /**
   * Takes further text, with line feeds as the only line ends, and brings the tree up to it. Returns how much of it was
   * read: less than all of it, up to the end of a line, once there is as much as a page should have to draw.
   */
  feed(text: string): number {
    let from = 0;
    while (from < text.length && !this.tooMuch && (this.#midLine || !this.#isFull)) {
      const end = text.indexOf('\n', from);
      this.#take(text.slice(from, end < 0 ? undefined : end), end >= 0);
      from = end < 0 ? text.length : end + 1;
    }
    if (!this.tooMuch) this.#leaf?.draw();
    return from;
  }

  get #isFull(): boolean {
    const isMuch = this.#tree.elements > MOST_ELEMENTS || this.#tree.root.children.length > MOST_BLOCKS;
    return isMuch || this.#context.crowded;
  }

  /** Reads what was held back and closes everything. */
  finish(): void {
    if (this.#midLine || this.#held !== '') this.#take('', true);
    this.#closeTo(0);
  }

  /** Resolves, after `finish`, what was used before it was defined; what never was is text. */
  *resolveSteps(): Generator<void, void> {
    if (!this.tooMuch) yield* resolveSteps(this.#tree, this.#context);
  }

  #take(piece: string, complete: boolean): void {
    this.#closingBrackets += closingBracketsIn(piece);
    if (this.#midLine) {
      if (!this.#delimiterLine) this.#leaf?.add(piece);
      if (this.#leaf instanceof MathLeaf) this.#line += piece;
      if (complete) this.#endLine();
      return;
    }
    this.#held += piece;
    if (!this.#read(this.#held, complete)) return;
    this.#line = this.#held;
    this.#held = '';
    this.#midLine = !complete;
    if (complete) this.#endLine();
  }

  #endLine(): void {
    this.#midLine = false;
    const leaf = this.#leaf;
    if (!this.#delimiterLine) leaf?.endLine();
    this.#delimiterLine = false;
    if (leaf instanceof MathLeaf) this.#formulaLines.push(this.#line);
    if ((leaf instanceof TextLeaf || leaf instanceof MathLeaf) && leaf.ended) this.#closeLeaf();
    if (leaf instanceof DefinitionLeaf) this.#takeDefinitions(leaf, false);
  }

  /** Reads a line from its beginning; false, and nothing done, when more of it is needed to decide. */
  #read(line: string, complete: boolean): boolean {
    const walked = this.#containers.walk(line, complete);
    if (walked === undefined) return false;
    const { cursor, matched } = walked;
    const blank = isBlank(cursor.rest);
    if (blank && !complete) return false;
    const inside = matched === this.#containers.length;
    if (inside && blank && this.#leaf instanceof MathLeaf) {
      this.#closeLeaf();
      return this.#read(line, complete);
    }
    if (inside && this.#takesWholeLines()) return this.#verbatim(cursor, complete);
    if (inside && this.#leaf instanceof TableLeaf && !this.#leaf.certain) {
      const isShort = cursor.rest.length < LONGEST_UNDECIDED;
      if (!complete && isShort && /^[|:\- \t]*$/.test(cursor.rest)) return false;
      if (complete && isShort && this.#leaf.confirm(cursor.rest)) {
        this.#delimiterLine = true;
        return true;
      }
    }
    if (blank) {
      this.#blankLine(cursor, matched);
      return true;
    }
    return this.#starts(cursor, matched, complete);
  }

  #takesWholeLines(): boolean {
    return this.#fence !== undefined || this.#leaf instanceof TextLeaf || this.#leaf instanceof MathLeaf;
  }

  /** A line inside code, HTML or a formula. */
  #verbatim(cursor: LineCursor, complete: boolean): boolean {
    const fence = this.#fence;
    if (fence !== undefined) {
      const bare = cursor.rest.trimEnd();
      const indent = indentOf(cursor);
      const run = indent < 4 ? bare.trimStart() : ' ';
      const onlyMarks = run === fence.mark.repeat(run.length);
      if (!complete && onlyMarks) return false;
      if (complete && onlyMarks && run.length >= fence.length) {
        this.#closeLeaf();
        return true;
      }
      this.#leaf?.add(
        fence.indent > 0 ? skipIndent(cursor, Math.min(indent, fence.indent)).rest : cursor.rest,
      );
      return true;
    }
    const leaf = this.#leaf;
    if (complete && leaf instanceof TextLeaf && !leaf.hasEnd && isBlank(cursor.rest)) {
      this.#closeLeaf();
      this.#containers.blankBefore = true;
      return true;
    }
    leaf?.add(cursor.rest);
    return true;
  }

  #blankLine(cursor: LineCursor, matched: number): void {
    if (matched === this.#containers.length && this.#leaf instanceof CodeLeaf) {
      this.#leaf.addBlank(skipIndent(cursor, 4).rest);
    } else {
      this.#closeLeaf();
      this.#closeTo(matched);
    }
    this.#containers.blankBefore = this.#containers.lastKind !== 'quote';
  }

  /** Reads what the line begins behind its containers, and does it. */
  #starts(from: LineCursor, matched: number, complete: boolean): boolean {
    const containers: ContainerStart[] = [];
    let cursor = from;
    let start: BlockStart;
    const inside = matched === this.#containers.length;
    const open =
      this.#leaf instanceof ParagraphLeaf ||
      this.#leaf instanceof DefinitionLeaf ||
      (this.#leaf instanceof TableLeaf && !this.#leaf.certain);
    const next = this.#containers.kindAt(matched) === 'item';
    for (;;) {
      const paragraph = open && containers.length === 0;
      if (containers.length > 0 && isBlank(cursor.rest)) {
        if (!complete) return false;
        start = { type: 'text' };
        break;
      }
      const task = containers.at(-1);
      if (task?.type === 'item' && task.checked !== undefined) {
        start = { type: 'text' };
        break;
      }
      const formulas = !this.#readsAgain;
      start = blockStartAt(cursor, { complete, paragraph, underline: inside, inList: next, formulas });
      if (start.type === 'undecided') return false;
      if (start.type !== 'quote' && start.type !== 'item' && start.type !== 'footnote') break;
      containers.push(start);
      cursor = start.cursor;
      // It will not be drawn as markdown, however much deeper it goes.
      if (matched + containers.length > DEEPEST) {
        this.#context.tooMuch = true;
        return true;
      }
    }
    if (containers.length === 0 && start.type === 'text') {
      if (this.#leaf instanceof DefinitionLeaf && !complete && cursor.rest.length < LONGEST_UNDECIDED)
        return false;
      if (this.#continues(cursor, inside, complete)) return true;
    }
    this.#closeOutside(start, matched, inside, containers.length > 0);
    for (const container of containers) {
      this.#containers.open(container);
      if (container.type === 'footnote') this.#context.footnotes.add(container.label);
    }
    if (containers.length === 0 || !isBlank(cursor.rest)) this.#openLeaf(start, cursor, complete);
    this.#containers.blankBefore = false;
    return true;
  }

  /** Text that carries an open paragraph on (also lazily) or is a row of an open table. */
  #continues(cursor: LineCursor, inside: boolean, complete: boolean): boolean {
    if (this.#leaf instanceof TableLeaf && !this.#leaf.certain) this.#demote(this.#leaf);
    if (this.#leaf instanceof DefinitionLeaf && !complete) this.#takeDefinitions(this.#leaf, true);
    const leaf = this.#leaf;
    if (leaf instanceof DefinitionLeaf) {
      leaf.add(cursor.rest.trimStart());
      return true;
    }
    if (leaf instanceof ParagraphLeaf) {
      if (inside && complete && this.#tableBelow(leaf, cursor.rest)) return true;
      leaf.add(cursor.rest.replace(/^[ \t]+/, ''));
      return true;
    }
    if (leaf instanceof TableLeaf && inside) {
      leaf.add(cursor.rest);
      return true;
    }
    return false;
  }

  /** A likely header that was none: its line is a paragraph. */
  #demote(table: TableLeaf): void {
    const header = table.header;
    this.#dropLeaf();
    const paragraph = new ParagraphLeaf(this.#tree, this.#context);
    this.#open('paragraph', {}, paragraph);
    // Blanks at its end may break the line.
    paragraph.add(header.trimStart());
    paragraph.endLine();
  }

  /** Makes a table of a paragraph's last line when the line below it says so. */
  #tableBelow(paragraph: ParagraphLeaf, line: string): boolean {
    const columns = line.length < LONGEST_UNDECIDED ? delimiterRow(line) : undefined;
    const header = paragraph.lastLine;
    if (columns === undefined || columns.length !== splitRow(header).length) return false;
    const before = paragraph.text.slice(0, paragraph.text.length - header.length).trimEnd();
    this.#dropLeaf();
    if (before !== '') {
      const kept = new ParagraphLeaf(this.#tree, this.#context);
      this.#open('paragraph', {}, kept);
      kept.add(before);
      this.#closeLeaf();
    }
    const table = new TableLeaf(this.#tree, this.#context);
    this.#open('table', {}, table);
    table.add(header);
    table.endLine();
    table.confirm(line);
    this.#delimiterLine = true;
    return true;
  }

  #closeOutside(start: BlockStart, matched: number, inside: boolean, nested: boolean): void {
    if (start.type === 'setext' && inside) return;
    const sameCode = start.type === 'indented' && inside && !nested && this.#leaf instanceof CodeLeaf;
    if (!sameCode) this.#closeLeaf();
    this.#closeTo(matched);
  }

  #openLeaf(start: BlockStart, cursor: LineCursor, complete: boolean): void {
    switch (start.type) {
      case 'setext':
        return this.#underline(start.level, cursor);
      case 'heading':
        return this.#openWith(
          'heading',
          { level: start.level },
          new HeadingLeaf(this.#tree, this.#context),
          start.text,
        );
      case 'rule':
        this.#containers.beforeChild(false);
        this.#tree.open('rule', {});
        return this.#tree.close();
      case 'fence':
        this.#open('code', languageAttribute(start.language), new CodeLeaf(this.#tree, false));
        this.#fence = { mark: start.mark, length: start.length, indent: start.indent };
        this.#delimiterLine = true;
        return;
      case 'math':
        this.#formulaLines = [];
        return this.#openWith('math', { display: true }, new MathLeaf(this.#tree, start), start.rest);
      case 'html':
        return this.#openWith('html', {}, new TextLeaf(this.#tree, start.end), cursor.rest);
      case 'indented':
        if (!(this.#leaf instanceof CodeLeaf)) this.#open('code', {}, new CodeLeaf(this.#tree, true));
        return this.#leaf?.add(start.cursor.rest);
      case 'definition':
        this.#containers.beforeChild(false);
        this.#leaf = new DefinitionLeaf();
        return this.#leaf.add(cursor.rest.trimStart());
      default:
        return this.#openText(cursor.rest.trimStart(), complete);
    }
  }

  #openText(text: string, complete: boolean): void {
    const likely = text.startsWith('|') && (!complete || splitRow(text).length > 0);
    if (likely) this.#openWith('table', {}, new TableLeaf(this.#tree, this.#context), text);
    else this.#openWith('paragraph', {}, new ParagraphLeaf(this.#tree, this.#context), text);
  }

  /** Defines what a paragraph begins with. The rest is an ordinary paragraph. */
  #takeDefinitions(leaf: DefinitionLeaf, complete: boolean): void {
    const { definitions, open } = leaf.take(complete);
    for (const definition of definitions) this.#define(definition);
    if (open) return;
    this.#leaf = undefined;
    if (leaf.text === '') return;
    for (const rest of leaf.text.split('\n')) {
      if (!this.#continues({ rest, column: 0 }, true, true)) this.#openText(rest, true);
      this.#endLine();
    }
  }

  #define({ label, href, title }: Definition): void {
    const { references } = this.#context;
    const name = normalLabel(label);
    if (references.has(name)) return;
    references.set(name, {
      href: unescaped(href),
      title: title === undefined ? undefined : unescaped(title),
    });
    this.#longestAddress = Math.max(this.#longestAddress, href.length + (title?.length ?? 0));
  }

  #underline(level: number, cursor: LineCursor): void {
    if (this.#leaf instanceof TableLeaf) this.#demote(this.#leaf);
    if (this.#leaf instanceof DefinitionLeaf) this.#takeDefinitions(this.#leaf, true);
    // Below definitions alone it underlines nothing.
    if (!(this.#leaf instanceof ParagraphLeaf)) return this.#openText(cursor.rest, true);
    const text = this.#leaf.text;
    this.#dropLeaf();
    const heading = new ParagraphLeaf(this.#tree, this.#context);
    this.#openWith('heading', { level }, heading, text);
    this.#closeLeaf();
  }

  #openWith(kind: NodeKind, attributes: Attributes, leaf: Leaf, text: string): void {
    this.#open(kind, attributes, leaf);
    leaf.add(text);
  }

  #open(kind: NodeKind, attributes: Attributes, leaf: Leaf): void {
    this.#containers.beforeChild(false);
    this.#tree.open(kind, attributes);
    this.#leaf = leaf;
  }

  /** Takes the open leaf out of the document again. */
  #dropLeaf(): void {
    const depth = this.#containers.length - 1;
    this.#tree.cut(depth, this.#tree.at(depth).children.length - 1);
    this.#leaf = undefined;
  }

  #closeLeaf(): void {
    if (this.#leaf instanceof MathLeaf && !this.#leaf.isFormula) this.#readAsText(this.#leaf);
    if (this.#leaf instanceof DefinitionLeaf) this.#takeDefinitions(this.#leaf, true);
    if (this.#leaf instanceof TableLeaf) {
      if (!this.#leaf.certain && this.#leaf.header !== '') this.#demote(this.#leaf);
    }
    const leaf = this.#leaf;
    if (leaf === undefined) return;
    leaf.finish();
    this.#tree.close();
    this.#leaf = undefined;
    this.#fence = undefined;
  }

  /** A formula that has no end is none: its lines are read as if nothing had begun one. */
  #readAsText(formula: MathLeaf): void {
    const [, ...lines] = this.#formulaLines;
    this.#dropLeaf();
    this.#openText(formula.firstLine, true);
    this.#endLine();
    this.#readsAgain = true;
    for (const line of lines) {
      this.#read(line, true);
      this.#endLine();
    }
    this.#readsAgain = false;
  }

  #closeTo(count: number): void {
    if (this.#containers.length > count) this.#closeLeaf();
    this.#containers.closeTo(count);
  }
}

function languageAttribute(language: string | undefined): Attributes {
  return language === undefined ? {} : { language };
}

function closingBracketsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(']'); at >= 0; at = text.indexOf(']', at + 1)) count += 1;
  return count;
}
