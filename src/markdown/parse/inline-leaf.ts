import type { ModelTree } from '../tree/model-tree.ts';
import type { MarkdownChild } from '../tree/tree.ts';
import { emitNode, sameNode } from '../tree/tree.ts';
import type { InlineContext } from './inline-delimiters.ts';
import { parseInline } from './inline.ts';

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
  readonly #settledTexts: string[] = [];
  #settledChildren = 0;
  #tail = '';
  #guessed = false;

  constructor(tree: ModelTree, context: InlineContext) {
    this.#tree = tree;
    this.#context = context;
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
    let result = parseInline(this.#tail, this.#context, true);
    if (this.#tail.length - result.safe > LONGEST_WAIT) {
      this.#guessed = true;
      const end = lastSpace(this.#tail);
      this.#settle(end, parseInline(this.#tail.slice(0, end), this.#context, false).children);
      result = parseInline(this.#tail, this.#context, true);
    }
    this.#settle(result.safe, result.children.slice(0, result.safeChildren));
    for (const child of result.children.slice(result.safeChildren)) emitNode(child, this.#tree);
  }

  /** Draws the rest as final; the block's node stays open. */
  finish(): void {
    this.#tail = withoutEndSpaces(this.#tail);
    this.#context.referenceSteps += referenceStepsFor(this.text);
    if (!this.#guessed) {
      this.#settle(this.#tail.length, parseInline(this.#tail, this.#context, false).children);
      return;
    }
    const node = this.#tree.at();
    const { children } = parseInline(this.text, this.#context, false);
    this.#settle(this.#tail.length, parseInline(this.#tail, this.#context, false).children);
    if (this.text.length > LONGEST_DRAWN_AGAIN || sameNode(node, { ...node, children })) return;
    this.#tree.cut(this.#tree.depth, 0);
    for (const child of children) emitNode(child, this.#tree);
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
 * The reference parser looks through the rest of a paragraph again at each of these characters (measured: about a
 * nanosecond a step), which only a text made for it makes expensive.
 */
function referenceStepsFor(text: string): number {
  if (text.length < LONGEST_WAIT) return 0;
  if (text.split(/[^ \t]+/).some((blanks) => blanks.length >= LONGEST_WAIT)) return Number.POSITIVE_INFINITY;
  return text.length * (text.match(/[_<\\]/g)?.length ?? 0);
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
