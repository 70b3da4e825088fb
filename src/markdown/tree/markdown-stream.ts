import { BlockParser } from '../parse/block-parser.ts';
import type { MarkdownNode, TreeSink } from './markdown-tree.ts';
import { ModelTree } from './model-tree.ts';
import { PLAIN_NOTES, PlainText } from './plain-text.ts';

/**
 * Every element of a page costs a little at each key and frame, whether it is on screen or not. A
 * message is drawn as markdown up to the first line end past this many characters, at worst up to the second number.
 */
const LONGEST_DRAWN = 2_000_000;
const LONGEST_DRAWN_LINE_END = 2_100_000;

/**
 * A document that grows: text in, operations on a tree out. Text is read once, as it arrives; at the
 * end only blocks that use what was defined after them are read again.
 */
export class MarkdownStream {
  readonly #tree: ModelTree;
  readonly #blocks: BlockParser;
  readonly #chunks: string[] = [];
  #plain: PlainText | undefined;
  #length = 0;
  #carriageReturn = false;

  constructor(sink?: TreeSink) {
    this.#tree = new ModelTree(sink);
    this.#blocks = new BlockParser(this.#tree);
  }

  /** The document as it is drawn. Not to be changed. */
  get root(): MarkdownNode {
    return this.#tree.root;
  }

  append(chunk: string): void {
    if (chunk === '') return;
    const text = this.#withLineFeeds(chunk);
    if (text === '') return;
    const before = this.#length;
    this.#chunks.push(text);
    this.#length += text.length;
    if (this.#plain !== undefined) return this.#plain.append(text);
    const drawn = drawnLength(text, before);
    const read = this.#blocks.feed(drawn === undefined ? text : text.slice(0, drawn));
    if (this.#blocks.tooMuch) this.#fallBack();
    else if (read < text.length) this.#goOnPlainly(text.slice(read));
  }

  /** How many characters were taken. */
  get length(): number {
    return this.#length;
  }

  /** The text is complete: everything is closed. Afterwards nothing may be appended, and `resolve` is due. */
  finish(): void {
    if (this.#plain !== undefined) return;
    this.#blocks.finish();
    if (this.#blocks.tooMuch) this.#fallBack();
  }

  /** Resolves references to what was defined later, and takes back those to what never was. */
  resolve(): void {
    for (const steps = this.resolveSteps(); steps.next().done !== true;);
  }

  /** The same in steps, each of which reads one block. */
  resolveSteps(): Generator<void, void> {
    return this.#blocks.resolveSteps();
  }

  /** Shows the message as plain lines: it is built to be expensive, and a page must stay usable. */
  #fallBack(): void {
    this.#tree.cut(0, 0);
    this.#plain = new PlainText(this.#tree, PLAIN_NOTES.tooMuch);
    this.#plain.append(this.#chunks.join(''));
  }

  /** What is drawn stays; all that follows is plain lines. */
  #goOnPlainly(rest: string): void {
    this.#blocks.finish();
    if (this.#blocks.tooMuch) return this.#fallBack();
    this.#plain = new PlainText(this.#tree, PLAIN_NOTES.tooLong);
    this.#plain.append(rest);
  }

  /** CR LF and CR become LF, also when a pair is split between two chunks. */
  #withLineFeeds(chunk: string): string {
    if (!this.#carriageReturn && !chunk.includes('\r')) return chunk;
    let text = this.#carriageReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    this.#carriageReturn = chunk.endsWith('\r');
    text = text.replace(/\r\n?/g, '\n');
    return text;
  }
}

/** How much of this text is still drawn as markdown, `before` characters after the beginning; undefined: all of it. */
function drawnLength(text: string, before: number): number | undefined {
  if (before + text.length <= LONGEST_DRAWN) return undefined;
  const lineEnd = text.indexOf('\n', Math.max(0, LONGEST_DRAWN - before - 1)) + 1;
  if (lineEnd > 0 && before + lineEnd <= LONGEST_DRAWN_LINE_END) return lineEnd;
  return before + text.length <= LONGEST_DRAWN_LINE_END ? undefined : LONGEST_DRAWN_LINE_END - before;
}
