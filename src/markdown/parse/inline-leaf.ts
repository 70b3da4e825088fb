import type { MarkdownChild } from '../tree/markdown-tree.ts';
import { emitNode, sameNode } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import {
  MOST_ELEMENTS_IN_A_BLOCK,
  MOST_ELEMENTS_IN_A_LINE,
  type InlineContext,
} from './inline-delimiters.ts';
import { parseInline, type InlineResult, type Missing } from './inline.ts';

// Markup that has stayed open for longer is not waited for: the text before counts as final. If it closes after all,
// the block is read once more when it ends.
const LONGEST_WAIT = 2_000;
// A longer one keeps what was drawn: to draw all of it again would be one long task.
const LONGEST_DRAWN_AGAIN = 50_000;

/**
 * The inline content of an open block (the innermost open node of the tree). What stands before the last safe point
 * is drawn once; only the few characters after it are drawn again as more arrives.
 */
export class InlineLeaf {
  readonly #tree: ModelTree;
  readonly #context: InlineContext;
  readonly #elementsBefore: number;
  readonly #settledTexts: string[] = [];
  #settledChildren = 0;
  #tail = '';
  /** Markup was not waited for. */
  #guessed = false;
  #missing: Missing;

  constructor(tree: ModelTree, context: InlineContext) {
    this.#tree = tree;
    this.#context = context;
    this.#elementsBefore = tree.elements;
  }

  /** The whole text so far. */
  get text(): string {
    return this.#settledTexts.join('') + this.#tail;
  }

  append(text: string): void {
    this.#tail += text;
  }

  /** Draws what was appended, half-open markup as it will most likely close. */
  draw(): void {
    let result = this.#read(this.#tail, true);
    if (this.#tail.length - result.safe > LONGEST_WAIT) {
      this.#guessed = true;
      const end = lastSpace(this.#tail);
      this.#settle(end, this.#read(this.#tail.slice(0, end), false).children);
      result = this.#read(this.#tail, true);
    }
    this.#settle(result.safe, result.children.slice(0, result.safeChildren));
    for (const child of result.children.slice(result.safeChildren)) emitNode(child, this.#tree);
    this.#weigh();
  }

  /** Draws the rest as final; the block's node stays open. */
  finish(): void {
    this.#tail = withoutEndSpaces(this.#tail);
    this.#settle(this.#tail.length, this.#read(this.#tail, false).children);
    this.#weigh();
    const { text } = this;
    if (text.length > LONGEST_DRAWN_AGAIN) return;
    const node = this.#tree.at();
    if (this.#guessed) {
      const { children } = this.#read(text, false);
      if (!sameNode(node, { ...node, children })) {
        this.#tree.cut(this.#tree.depth, 0);
        for (const child of children) emitNode(child, this.#tree);
      }
    }
    if (this.#missing === undefined) return;
    const { unresolved, references } = this.#context;
    this.#tree.keep(unresolved.length);
    const assumed = this.#missing === 'assumed';
    unresolved.push({ node, text, assumed, definitions: references.size });
  }

  /** Tells whether the block is more than a browser should lay out in one piece. */
  #weigh(): void {
    const elements = this.#tree.elements - this.#elementsBefore;
    if (elements > MOST_ELEMENTS_IN_A_BLOCK) this.#context.crowded = true;
    if (elements > MOST_ELEMENTS_IN_A_LINE) this.#context.tooMuch = true;
  }

  #read(text: string, live: boolean): InlineResult {
    const result = parseInline(text, this.#context, live);
    if (this.#missing !== 'assumed') this.#missing = result.missing ?? this.#missing;
    return result;
  }

  #settle(end: number, children: readonly MarkdownChild[]): void {
    this.#tree.cut(this.#tree.depth, this.#settledChildren);
    for (const child of children) emitNode(child, this.#tree);
    this.#settledChildren = this.#tree.at().children.length;
    if (end > 0) this.#settledTexts.push(this.#tail.slice(0, end));
    this.#tail = this.#tail.slice(end);
  }
}

/**
 * Reads the blocks again whose references the end of the text resolves, a block a step. All definitions are known, and
 * everything is closed.
 */
export function* resolveSteps(tree: ModelTree, context: InlineContext): Generator<void, void> {
  context.complete = true;
  for (const [id, { node, text, assumed, definitions }] of context.unresolved.entries()) {
    if (!assumed && definitions === context.references.size) continue;
    const { children } = parseInline(text, context, false);
    // Nested too deeply as it would be now, it stays as it is.
    if (!context.tooMuch && !sameNode(node, { ...node, children })) {
      tree.reopen(id);
      for (const child of children) emitNode(child, tree);
      tree.close();
    }
    context.tooMuch = false;
    yield;
  }
}

function withoutEndSpaces(text: string): string {
  let end = text.length;
  while (' \t\n'.includes(text[end - 1] ?? 'x')) end -= 1;
  return text.slice(0, end);
}

function lastSpace(text: string): number {
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end > 0 ? end : text.length;
}
