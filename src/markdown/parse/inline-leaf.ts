import type { MarkdownChild } from '../tree/markdown-tree.ts';
import { emitNode, isSameNode } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import { MAX_BLOCK_ELEMENTS, MAX_LINE_ELEMENTS, type InlineContext } from './inline-delimiters.ts';
import { parseInline, type InlineResult, type MissingReference } from './inline.ts';

// Maximum length of open markup to wait for. Beyond it, the text before the markup becomes final. If the markup closes
// after all, the block is parsed again at its end.
const MAX_PENDING_CHARS = 2_000;
// A longer block keeps the content drawn so far, since redrawing the whole block would be one long task.
const MAX_REDRAW_CHARS = 50_000;

/**
 * The inline content of an open block (the innermost open node). Text before the last safe point is drawn only once;
 * the few characters after it are redrawn as more text arrives.
 */
export class InlineLeaf {
  readonly #tree: ModelTree;
  readonly #context: InlineContext;
  readonly #initialElementCount: number;
  readonly #finalTexts: string[] = [];
  #finalChildCount = 0;
  #tail = '';
  /** True if text became final before open markup could close. */
  #hasGuessed = false;
  #missing: MissingReference;

  constructor(tree: ModelTree, context: InlineContext) {
    this.#tree = tree;
    this.#context = context;
    this.#initialElementCount = tree.elementCount;
  }

  /** The whole text so far. */
  get text(): string {
    return this.#finalTexts.join('') + this.#tail;
  }

  append(text: string): void {
    this.#tail += text;
  }

  /** Draws the appended text, closing open markup in the most likely way. */
  draw(): void {
    let result = this.#parse(this.#tail, true);
    if (this.#tail.length - result.safeEnd > MAX_PENDING_CHARS) {
      this.#hasGuessed = true;
      const end = findLastSpace(this.#tail);
      this.#commit(end, this.#parse(this.#tail.slice(0, end), false).children);
      result = this.#parse(this.#tail, true);
    }
    this.#commit(result.safeEnd, result.children.slice(0, result.safeChildCount));
    for (const child of result.children.slice(result.safeChildCount)) emitNode(child, this.#tree);
    this.#checkElementCount();
  }

  /** Draws the rest as final; the node of the block stays open. */
  finish(): void {
    this.#tail = withoutEndSpaces(this.#tail);
    this.#commit(this.#tail.length, this.#parse(this.#tail, false).children);
    this.#checkElementCount();
    const { text } = this;
    if (text.length > MAX_REDRAW_CHARS) return;
    const node = this.#tree.getOpenNode();
    if (this.#hasGuessed) {
      const { children } = this.#parse(text, false);
      if (!isSameNode(node, { ...node, children })) {
        this.#tree.truncate(this.#tree.depth, 0);
        for (const child of children) emitNode(child, this.#tree);
      }
    }
    if (this.#missing === undefined) return;
    const { unresolvedBlocks, references } = this.#context;
    this.#tree.saveNode(unresolvedBlocks.length);
    const isAssumedDefined = this.#missing === 'assumed';
    unresolvedBlocks.push({ node, text, isAssumedDefined, definitionCount: references.size });
  }

  /** Checks whether the block has more elements than a browser should lay out in one piece. */
  #checkElementCount(): void {
    const elements = this.#tree.elementCount - this.#initialElementCount;
    if (elements > MAX_BLOCK_ELEMENTS) this.#context.hasMaxElements = true;
    if (elements > MAX_LINE_ELEMENTS) this.#context.exceedsLimits = true;
  }

  #parse(text: string, isLive: boolean): InlineResult {
    const result = parseInline(text, this.#context, isLive);
    if (this.#missing !== 'assumed') this.#missing = result.missingReference ?? this.#missing;
    return result;
  }

  #commit(end: number, children: readonly MarkdownChild[]): void {
    this.#tree.truncate(this.#tree.depth, this.#finalChildCount);
    for (const child of children) emitNode(child, this.#tree);
    this.#finalChildCount = this.#tree.getOpenNode().children.length;
    if (end > 0) this.#finalTexts.push(this.#tail.slice(0, end));
    this.#tail = this.#tail.slice(end);
  }
}

/**
 * Parses blocks again if the end of the text resolves their references, one block per step. All definitions are known,
 * and everything is closed.
 */
export function* resolveSteps(tree: ModelTree, context: InlineContext): Generator<void, void> {
  context.hasAllDefinitions = true;
  for (const [id, { node, text, isAssumedDefined, definitionCount }] of context.unresolvedBlocks.entries()) {
    if (!isAssumedDefined && definitionCount === context.references.size) continue;
    const { children } = parseInline(text, context, false);
    // A block that would now nest too deeply stays as it is.
    if (!context.exceedsLimits && !isSameNode(node, { ...node, children })) {
      tree.reopen(id);
      for (const child of children) emitNode(child, tree);
      tree.close();
    }
    context.exceedsLimits = false;
    yield;
  }
}

function withoutEndSpaces(text: string): string {
  let end = text.length;
  while (' \t\n'.includes(text[end - 1] ?? 'x')) end -= 1;
  return text.slice(0, end);
}

function findLastSpace(text: string): number {
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end > 0 ? end : text.length;
}
