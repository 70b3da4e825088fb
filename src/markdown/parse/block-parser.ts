import type { Attributes, NodeKind } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import type { BlockStart } from './block-starts.ts';
import { parseBlockStart, MAX_UNDECIDED_CHARS } from './block-starts.ts';
import { DefinitionLeaf, type Definition } from './definitions.ts';
import type { InlineContext } from './inline-delimiters.ts';
import { resolveSteps } from './inline-leaf.ts';
import { normalizeLabel, unescapeText } from './inline-syntax.ts';
import type { Leaf } from './leaves.ts';
import { CodeLeaf, HeadingLeaf, MathLeaf, ParagraphLeaf, TableLeaf, TextLeaf } from './leaves.ts';
import type { LineCursor } from './line-cursor.ts';
import { measureIndent, isBlank, skipIndent } from './line-cursor.ts';
import { MAX_NESTING, OpenContainers, type ContainerStart } from './open-containers.ts';
import { parseDelimiterRow, splitRow } from './table-row.ts';

interface Fence {
  mark: string;
  length: number;
  indent: number;
}

// A few characters can require any number of table cells, so their number is limited.
const MAX_PADDING_CELLS = 10_000;
// `[a]` draws a whole URL, and a definition may be long: three characters can stand for many thousands.
const MAX_REPEATED_CHARS = 50_000_000;
// Parsing stops at this many elements, or this many sibling blocks.
const MAX_ELEMENTS = 200_000;
const MAX_BLOCKS = 10_000;

/**
 * Parses Markdown line by line, as described in CommonMark (open containers and one open leaf). An incomplete line is
 * accepted as soon as its beginning determines its kind; the rest then goes directly to the leaf.
 */
export class BlockParser {
  readonly #tree: ModelTree;
  readonly #context: InlineContext = {
    references: new Map(),
    footnoteLabels: new Set(),
    hasAllDefinitions: false,
    unresolvedBlocks: [],
    exceedsLimits: false,
    hasMaxElements: false,
    paddingCellCount: 0,
  };
  readonly #containers: OpenContainers;
  #leaf: Leaf | undefined;
  #fence: Fence | undefined;
  #pendingText = '';
  #isMidLine = false;
  /**
   * True if the line is a delimiter (of a fence, or below a table header), so its end is not the end of a line of the
   * leaf.
   */
  #isDelimiterLine = false;
  /** The current line as written, and the lines of the open formula. */
  #currentLine = '';
  #formulaLines: string[] = [];
  /** True while lines that looked like a formula are parsed again as text. */
  #isRereading = false;
  #closingBracketCount = 0;
  #longestAddressChars = 0;

  constructor(tree: ModelTree) {
    this.#tree = tree;
    this.#containers = new OpenContainers(tree);
  }

  /**
   * Returns true once the text nests more deeply, has a larger table, has more content in one line, or repeats more
   * than a page should draw.
   */
  get exceedsLimits(): boolean {
    const { exceedsLimits, paddingCellCount } = this.#context;
    // Each closing bracket may repeat the longest URL.
    const repeatedChars = this.#longestAddressChars * this.#closingBracketCount;
    return (
      exceedsLimits ||
      this.#containers.exceedsMaxNesting ||
      paddingCellCount > MAX_PADDING_CELLS ||
      repeatedChars > MAX_REPEATED_CHARS
    );
  }

  /**
   * Parses more text, whose only line ends are line feeds. Returns the number of characters read: all, or only up to
   * the end of a line once the page has enough to draw.
   */
  feed(text: string): number {
    let offset = 0;
    while (offset < text.length && !this.exceedsLimits && (this.#isMidLine || !this.#isFull)) {
      const lineEnd = text.indexOf('\n', offset);
      this.#addPiece(text.slice(offset, lineEnd < 0 ? undefined : lineEnd), lineEnd >= 0);
      offset = lineEnd < 0 ? text.length : lineEnd + 1;
    }
    if (!this.exceedsLimits) this.#leaf?.draw();
    return offset;
  }

  get #isFull(): boolean {
    const exceedsElementLimit =
      this.#tree.elementCount > MAX_ELEMENTS || this.#tree.root.children.length > MAX_BLOCKS;
    return exceedsElementLimit || this.#context.hasMaxElements;
  }

  /** Parses text that was held back and closes everything. */
  finish(): void {
    if (this.#isMidLine || this.#pendingText !== '') this.#addPiece('', true);
    this.#closeTo(0);
  }

  /** After `finish`, resolves references that were used before their definition; undefined references become text. */
  *resolveSteps(): Generator<void, void> {
    if (!this.exceedsLimits) yield* resolveSteps(this.#tree, this.#context);
  }

  #addPiece(piece: string, isComplete: boolean): void {
    this.#closingBracketCount += countClosingBrackets(piece);
    if (this.#isMidLine) {
      if (!this.#isDelimiterLine) this.#leaf?.add(piece);
      if (this.#leaf instanceof MathLeaf) this.#currentLine += piece;
      if (isComplete) this.#endLine();
      return;
    }
    this.#pendingText += piece;
    if (!this.#readLine(this.#pendingText, isComplete)) return;
    this.#currentLine = this.#pendingText;
    this.#pendingText = '';
    this.#isMidLine = !isComplete;
    if (isComplete) this.#endLine();
  }

  #endLine(): void {
    this.#isMidLine = false;
    const leaf = this.#leaf;
    if (!this.#isDelimiterLine) leaf?.endLine();
    this.#isDelimiterLine = false;
    if (leaf instanceof MathLeaf) this.#formulaLines.push(this.#currentLine);
    if ((leaf instanceof TextLeaf || leaf instanceof MathLeaf) && leaf.hasEnded) this.#closeLeaf();
    if (leaf instanceof DefinitionLeaf) this.#applyDefinitions(leaf, false);
  }

  /**
   * Parses a line from its beginning. Returns false, without any change, if the beginning is not enough to determine
   * its kind.
   */
  #readLine(line: string, isComplete: boolean): boolean {
    const lineMatch = this.#containers.matchLine(line, isComplete);
    if (lineMatch === undefined) return false;
    const { cursor, matchedCount } = lineMatch;
    const isBlankLine = isBlank(cursor.rest);
    if (isBlankLine && !isComplete) return false;
    const matchesAllContainers = matchedCount === this.#containers.length;
    if (matchesAllContainers && isBlankLine && this.#leaf instanceof MathLeaf) {
      this.#closeLeaf();
      return this.#readLine(line, isComplete);
    }
    if (matchesAllContainers && this.#hasVerbatimBlock()) return this.#readVerbatim(cursor, isComplete);
    if (matchesAllContainers && this.#leaf instanceof TableLeaf && !this.#leaf.isConfirmed) {
      const isShort = cursor.rest.length < MAX_UNDECIDED_CHARS;
      if (!isComplete && isShort && /^[|:\- \t]*$/.test(cursor.rest)) return false;
      if (isComplete && isShort && this.#leaf.confirm(cursor.rest)) {
        this.#isDelimiterLine = true;
        return true;
      }
    }
    if (isBlankLine) {
      this.#readBlankLine(cursor, matchedCount);
      return true;
    }
    return this.#openBlocks(cursor, matchedCount, isComplete);
  }

  #hasVerbatimBlock(): boolean {
    return this.#fence !== undefined || this.#leaf instanceof TextLeaf || this.#leaf instanceof MathLeaf;
  }

  /** Parses a line inside code, HTML or a formula. */
  #readVerbatim(cursor: LineCursor, isComplete: boolean): boolean {
    const fence = this.#fence;
    if (fence !== undefined) {
      const trimmedLine = cursor.rest.trimEnd();
      const indent = measureIndent(cursor);
      const markRun = indent < 4 ? trimmedLine.trimStart() : ' ';
      const hasOnlyMarks = markRun === fence.mark.repeat(markRun.length);
      if (!isComplete && hasOnlyMarks) return false;
      if (isComplete && hasOnlyMarks && markRun.length >= fence.length) {
        this.#closeLeaf();
        return true;
      }
      this.#leaf?.add(
        fence.indent > 0 ? skipIndent(cursor, Math.min(indent, fence.indent)).rest : cursor.rest,
      );
      return true;
    }
    const leaf = this.#leaf;
    if (isComplete && leaf instanceof TextLeaf && !leaf.hasEndPattern && isBlank(cursor.rest)) {
      this.#closeLeaf();
      this.#containers.isAfterBlankLine = true;
      return true;
    }
    leaf?.add(cursor.rest);
    return true;
  }

  #readBlankLine(cursor: LineCursor, matchedCount: number): void {
    if (matchedCount === this.#containers.length && this.#leaf instanceof CodeLeaf) {
      this.#leaf.addBlank(skipIndent(cursor, 4).rest);
    } else {
      this.#closeLeaf();
      this.#closeTo(matchedCount);
    }
    this.#containers.isAfterBlankLine = this.#containers.lastKind !== 'quote';
  }

  /** Parses the blocks that begin on the line after its containers. */
  #openBlocks(startCursor: LineCursor, matchedCount: number, isComplete: boolean): boolean {
    const newContainers: ContainerStart[] = [];
    let cursor = startCursor;
    let start: BlockStart;
    const matchesAllContainers = matchedCount === this.#containers.length;
    const canContinueParagraph =
      this.#leaf instanceof ParagraphLeaf ||
      this.#leaf instanceof DefinitionLeaf ||
      (this.#leaf instanceof TableLeaf && !this.#leaf.isConfirmed);
    const isInList = this.#containers.getKind(matchedCount) === 'item';
    for (;;) {
      const hasOpenParagraph = canContinueParagraph && newContainers.length === 0;
      if (newContainers.length > 0 && isBlank(cursor.rest)) {
        if (!isComplete) return false;
        start = { type: 'text' };
        break;
      }
      const lastContainer = newContainers.at(-1);
      if (lastContainer?.type === 'item' && lastContainer.checked !== undefined) {
        start = { type: 'text' };
        break;
      }
      const allowsFormulas = !this.#isRereading;
      start = parseBlockStart(cursor, {
        isComplete,
        hasOpenParagraph,
        canUnderline: matchesAllContainers,
        isInList,
        allowsFormulas,
      });
      if (start.type === 'undecided') return false;
      if (start.type !== 'quote' && start.type !== 'item' && start.type !== 'footnote') break;
      newContainers.push(start);
      cursor = start.cursor;
      // Deeper nesting is not drawn as Markdown, so parsing can stop.
      if (matchedCount + newContainers.length > MAX_NESTING) {
        this.#context.exceedsLimits = true;
        return true;
      }
    }
    if (newContainers.length === 0 && start.type === 'text') {
      if (this.#leaf instanceof DefinitionLeaf && !isComplete && cursor.rest.length < MAX_UNDECIDED_CHARS)
        return false;
      if (this.#continueLeaf(cursor, matchesAllContainers, isComplete)) return true;
    }
    this.#closeOutside(start, matchedCount, matchesAllContainers, newContainers.length > 0);
    for (const container of newContainers) {
      this.#containers.open(container);
      if (container.type === 'footnote') this.#context.footnoteLabels.add(container.label);
    }
    if (newContainers.length === 0 || !isBlank(cursor.rest)) this.#openLeaf(start, cursor, isComplete);
    this.#containers.isAfterBlankLine = false;
    return true;
  }

  /** Continues an open paragraph (also lazily) or the rows of an open table. */
  #continueLeaf(cursor: LineCursor, matchesAllContainers: boolean, isComplete: boolean): boolean {
    if (this.#leaf instanceof TableLeaf && !this.#leaf.isConfirmed) this.#convertToParagraph(this.#leaf);
    if (this.#leaf instanceof DefinitionLeaf && !isComplete) this.#applyDefinitions(this.#leaf, true);
    const leaf = this.#leaf;
    if (leaf instanceof DefinitionLeaf) {
      leaf.add(cursor.rest.trimStart());
      return true;
    }
    if (leaf instanceof ParagraphLeaf) {
      if (matchesAllContainers && isComplete && this.#convertToTable(leaf, cursor.rest)) return true;
      leaf.add(cursor.rest.replace(/^[ \t]+/, ''));
      return true;
    }
    if (leaf instanceof TableLeaf && matchesAllContainers) {
      leaf.add(cursor.rest);
      return true;
    }
    return false;
  }

  /** Turns a supposed header back into a paragraph. */
  #convertToParagraph(table: TableLeaf): void {
    const header = table.header;
    this.#dropLeaf();
    const paragraph = new ParagraphLeaf(this.#tree, this.#context);
    this.#open('paragraph', {}, paragraph);
    // Trailing blanks may be a line break.
    paragraph.add(header.trimStart());
    paragraph.endLine();
  }

  /** Turns the last line of a paragraph into a table if the line below it is a delimiter row. */
  #convertToTable(paragraph: ParagraphLeaf, line: string): boolean {
    const columns = line.length < MAX_UNDECIDED_CHARS ? parseDelimiterRow(line) : undefined;
    const header = paragraph.lastLine;
    if (columns === undefined || columns.length !== splitRow(header).length) return false;
    const textBefore = paragraph.text.slice(0, paragraph.text.length - header.length).trimEnd();
    this.#dropLeaf();
    if (textBefore !== '') {
      const remainingParagraph = new ParagraphLeaf(this.#tree, this.#context);
      this.#open('paragraph', {}, remainingParagraph);
      remainingParagraph.add(textBefore);
      this.#closeLeaf();
    }
    const table = new TableLeaf(this.#tree, this.#context);
    this.#open('table', {}, table);
    table.add(header);
    table.endLine();
    table.confirm(line);
    this.#isDelimiterLine = true;
    return true;
  }

  #closeOutside(
    start: BlockStart,
    matchedCount: number,
    matchesAllContainers: boolean,
    isNested: boolean,
  ): void {
    if (start.type === 'setext' && matchesAllContainers) return;
    const continuesCode =
      start.type === 'indented' && matchesAllContainers && !isNested && this.#leaf instanceof CodeLeaf;
    if (!continuesCode) this.#closeLeaf();
    this.#closeTo(matchedCount);
  }

  #openLeaf(start: BlockStart, cursor: LineCursor, isComplete: boolean): void {
    switch (start.type) {
      case 'setext':
        return this.#openUnderlinedHeading(start.level, cursor);
      case 'heading':
        return this.#openWith(
          'heading',
          { level: start.level },
          new HeadingLeaf(this.#tree, this.#context),
          start.text,
        );
      case 'rule':
        this.#containers.prepareChild(false);
        this.#tree.open('rule', {});
        return this.#tree.close();
      case 'fence':
        this.#open('code', toLanguageAttribute(start.language), new CodeLeaf(this.#tree, false));
        this.#fence = { mark: start.mark, length: start.length, indent: start.indent };
        this.#isDelimiterLine = true;
        return;
      case 'math':
        this.#formulaLines = [];
        return this.#openWith('math', { display: true }, new MathLeaf(this.#tree, start), start.rest);
      case 'html':
        return this.#openWith('html', {}, new TextLeaf(this.#tree, start.endPattern), cursor.rest);
      case 'indented':
        if (!(this.#leaf instanceof CodeLeaf)) this.#open('code', {}, new CodeLeaf(this.#tree, true));
        return this.#leaf?.add(start.cursor.rest);
      case 'definition':
        this.#containers.prepareChild(false);
        this.#leaf = new DefinitionLeaf();
        return this.#leaf.add(cursor.rest.trimStart());
      default:
        return this.#openText(cursor.rest.trimStart(), isComplete);
    }
  }

  #openText(text: string, isComplete: boolean): void {
    const isLikelyTable = text.startsWith('|') && (!isComplete || splitRow(text).length > 0);
    if (isLikelyTable) this.#openWith('table', {}, new TableLeaf(this.#tree, this.#context), text);
    else this.#openWith('paragraph', {}, new ParagraphLeaf(this.#tree, this.#context), text);
  }

  /** Applies the definitions at the start of a paragraph. The rest is an ordinary paragraph. */
  #applyDefinitions(leaf: DefinitionLeaf, isComplete: boolean): void {
    const { definitions, canContinue } = leaf.takeDefinitions(isComplete);
    for (const definition of definitions) this.#addDefinition(definition);
    if (canContinue) return;
    this.#leaf = undefined;
    if (leaf.text === '') return;
    for (const line of leaf.text.split('\n')) {
      if (!this.#continueLeaf({ rest: line, column: 0 }, true, true)) this.#openText(line, true);
      this.#endLine();
    }
  }

  #addDefinition({ label, href, title }: Definition): void {
    const { references } = this.#context;
    const normalizedLabel = normalizeLabel(label);
    if (references.has(normalizedLabel)) return;
    references.set(normalizedLabel, {
      href: unescapeText(href),
      title: title === undefined ? undefined : unescapeText(title),
    });
    this.#longestAddressChars = Math.max(this.#longestAddressChars, href.length + (title?.length ?? 0));
  }

  #openUnderlinedHeading(level: number, cursor: LineCursor): void {
    if (this.#leaf instanceof TableLeaf) this.#convertToParagraph(this.#leaf);
    if (this.#leaf instanceof DefinitionLeaf) this.#applyDefinitions(this.#leaf, true);
    // Below definitions alone, the line is not an underline.
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
    this.#containers.prepareChild(false);
    this.#tree.open(kind, attributes);
    this.#leaf = leaf;
  }

  /** Removes the open leaf from the document. */
  #dropLeaf(): void {
    const depth = this.#containers.length - 1;
    this.#tree.truncate(depth, this.#tree.getOpenNode(depth).children.length - 1);
    this.#leaf = undefined;
  }

  #closeLeaf(): void {
    if (this.#leaf instanceof MathLeaf && !this.#leaf.isFormula) this.#readAsText(this.#leaf);
    if (this.#leaf instanceof DefinitionLeaf) this.#applyDefinitions(this.#leaf, true);
    if (this.#leaf instanceof TableLeaf) {
      if (!this.#leaf.isConfirmed && this.#leaf.header !== '') this.#convertToParagraph(this.#leaf);
    }
    const leaf = this.#leaf;
    if (leaf === undefined) return;
    leaf.finish();
    this.#tree.close();
    this.#leaf = undefined;
    this.#fence = undefined;
  }

  /** A formula without an end is not a formula, so its lines are parsed as ordinary text. */
  #readAsText(formula: MathLeaf): void {
    const [, ...lines] = this.#formulaLines;
    this.#dropLeaf();
    this.#openText(formula.firstLine, true);
    this.#endLine();
    this.#isRereading = true;
    for (const line of lines) {
      this.#readLine(line, true);
      this.#endLine();
    }
    this.#isRereading = false;
  }

  #closeTo(count: number): void {
    if (this.#containers.length > count) this.#closeLeaf();
    this.#containers.closeTo(count);
  }
}

function toLanguageAttribute(language: string | undefined): Attributes {
  return language === undefined ? {} : { language };
}

function countClosingBrackets(text: string): number {
  let count = 0;
  for (let offset = text.indexOf(']'); offset >= 0; offset = text.indexOf(']', offset + 1)) count += 1;
  return count;
}
