import { BlockParser } from '../parse/block-parser.ts';
import type { MarkdownNode, TreeSink } from './markdown-tree.ts';
import { ModelTree } from './model-tree.ts';
import { PLAIN_NOTES, PlainText } from './plain-text.ts';

/**
 * Every element costs time on each key press and in each frame, visible or not. A message is drawn as Markdown up to
 * the first line end after this many characters, but never beyond the second number.
 */
const MAX_DRAWN_CHARS = 2_000_000;
const MAX_DRAWN_CHARS_TO_LINE_END = 2_100_000;

/**
 * A growing document that turns text into tree operations. Text is parsed once, as it arrives; at the end, only blocks
 * that use later definitions are parsed again.
 */
export class MarkdownStream {
  readonly #tree: ModelTree;
  readonly #blockParser: BlockParser;
  readonly #chunks: string[] = [];
  #plainText: PlainText | undefined;
  #length = 0;
  #endsWithCarriageReturn = false;

  constructor(sink?: TreeSink) {
    this.#tree = new ModelTree(sink);
    this.#blockParser = new BlockParser(this.#tree);
  }

  /** The document as drawn. Must not be modified. */
  get root(): MarkdownNode {
    return this.#tree.root;
  }

  append(chunk: string): void {
    if (chunk === '') return;
    const text = this.#normalizeLineEnds(chunk);
    if (text === '') return;
    const lengthBefore = this.#length;
    this.#chunks.push(text);
    this.#length += text.length;
    if (this.#plainText !== undefined) return this.#plainText.append(text);
    const drawnEnd = findDrawnEnd(text, lengthBefore);
    const readLength = this.#blockParser.feed(drawnEnd === undefined ? text : text.slice(0, drawnEnd));
    if (this.#blockParser.exceedsLimits) this.#showAllAsPlainText();
    else if (readLength < text.length) this.#continueAsPlainText(text.slice(readLength));
  }

  /** Number of characters received. */
  get length(): number {
    return this.#length;
  }

  /**
   * Closes everything because the text is complete. After this, no text may be appended, and `resolve` must be called.
   */
  finish(): void {
    if (this.#plainText !== undefined) return;
    this.#blockParser.finish();
    if (this.#blockParser.exceedsLimits) this.#showAllAsPlainText();
  }

  /** Resolves references to later definitions, and turns references without a definition back into text. */
  resolve(): void {
    for (const steps = this.resolveSteps(); steps.next().done !== true;);
  }

  /** Resolves references in steps, each of which parses one block. */
  resolveSteps(): Generator<void, void> {
    return this.#blockParser.resolveSteps();
  }

  /** Shows the message as plain lines, since it would be too expensive to draw and the page must stay usable. */
  #showAllAsPlainText(): void {
    this.#tree.truncate(0, 0);
    this.#plainText = new PlainText(this.#tree, PLAIN_NOTES.tooComplex);
    this.#plainText.append(this.#chunks.join(''));
  }

  /** Keeps the drawn part and shows the rest as plain lines. */
  #continueAsPlainText(remainingText: string): void {
    this.#blockParser.finish();
    if (this.#blockParser.exceedsLimits) return this.#showAllAsPlainText();
    this.#plainText = new PlainText(this.#tree, PLAIN_NOTES.tooLong);
    this.#plainText.append(remainingText);
  }

  /** Converts CR LF and CR to LF, also if a pair is split between two chunks. */
  #normalizeLineEnds(chunk: string): string {
    if (!this.#endsWithCarriageReturn && !chunk.includes('\r')) return chunk;
    let text = this.#endsWithCarriageReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    this.#endsWithCarriageReturn = chunk.endsWith('\r');
    text = text.replace(/\r\n?/g, '\n');
    return text;
  }
}

/**
 * Returns how much of this text is still drawn as Markdown, given the length before it; `undefined` means all of it.
 */
function findDrawnEnd(text: string, lengthBefore: number): number | undefined {
  if (lengthBefore + text.length <= MAX_DRAWN_CHARS) return undefined;
  const lineEnd = text.indexOf('\n', Math.max(0, MAX_DRAWN_CHARS - lengthBefore - 1)) + 1;
  if (lineEnd > 0 && lengthBefore + lineEnd <= MAX_DRAWN_CHARS_TO_LINE_END) return lineEnd;
  return lengthBefore + text.length <= MAX_DRAWN_CHARS_TO_LINE_END
    ? undefined
    : MAX_DRAWN_CHARS_TO_LINE_END - lengthBefore;
}
