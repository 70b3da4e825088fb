import type { Attributes, MarkdownChild, MarkdownNode, NodeKind } from '../tree/markdown-tree.ts';
import { countElements, mergeTextNodes, createNode } from '../tree/markdown-tree.ts';

/**
 * Definitions found so far in a message, and whether it nests too deeply to be drawn. A reference without a definition
 * is shown as if it had one, since definitions usually come last; this is corrected at the end of the text if
 * necessary.
 */
export interface InlineContext {
  readonly references: Map<string, { href: string; title: string | undefined }>;
  /** Labels of footnotes. */
  readonly footnoteLabels: Set<string>;
  /** True if no more definitions can follow. */
  hasAllDefinitions: boolean;
  /** Blocks that may change at the end of the text, saved in the tree under their index. */
  readonly unresolvedBlocks: UnresolvedBlock[];
  exceedsLimits: boolean;
  /** A block has the maximum number of elements. Everything after its line is plain text. */
  hasMaxElements: boolean;
  /** Number of missing table cells, which are drawn without any text. */
  paddingCellCount: number;
}

/** A closed block with references that were undefined when it was parsed. */
interface UnresolvedBlock {
  readonly node: MarkdownNode;
  readonly text: string;
  /** Drawn as if its references were defined. */
  readonly isAssumedDefined: boolean;
  /** Number of link definitions when the block was parsed. */
  readonly definitionCount: number;
}

/** One element of the list that is being built: finished content, or a delimiter that may still become markup. */
export interface InlineItem {
  child: MarkdownChild;
  depth: number;
  next: InlineItem | undefined;
}

interface Delimiter {
  readonly item: InlineItem;
  /** Position in the text. */
  readonly offset: number;
  readonly mark: string;
  /** Remaining characters, and the original number. */
  count: number;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

const MAX_INLINE_DEPTH = 64;
/** A browser lays out a paragraph as a whole on every change; with many more elements, this takes minutes. */
export const MAX_BLOCK_ELEMENTS = 20_000;
/** A line that has more elements than this is not drawn as Markdown. */
export const MAX_LINE_ELEMENTS = 40_000;

/** The inline content parsed so far, as a list whose end can be folded into nodes. */
export class InlineList {
  readonly #context: InlineContext;
  readonly #head: InlineItem = { child: '', depth: 0, next: undefined };
  #tail: InlineItem = this.#head;
  #elementCount = 0;

  constructor(context: InlineContext) {
    this.#context = context;
  }

  get tail(): InlineItem {
    return this.#tail;
  }

  push(child: MarkdownChild, depth = 0): void {
    const item: InlineItem = { child, depth, next: undefined };
    if (typeof child !== 'string') this.#addElements(child.kind);
    this.#tail.next = item;
    this.#tail = item;
  }

  /** Removes white space before a line end. Returns the number of spaces. */
  dropEndSpaces(): number {
    const text = this.#tail.child;
    if (typeof text !== 'string') return 0;
    let end = text.length;
    while (text[end - 1] === ' ') end -= 1;
    const spaceCount = text.length - end;
    while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
    this.#tail.child = text.slice(0, end);
    return spaceCount;
  }

  /** Removes everything after an item from the list. */
  removeAfter(item: InlineItem): MarkdownChild[] {
    const removed = getChildrenBetween(item, undefined);
    item.next = undefined;
    this.#tail = item;
    return removed.children;
  }

  /** Wraps everything between two items (or to the end) in one node. */
  enclose(from: InlineItem, to: InlineItem | undefined, kind: NodeKind, attributes: Attributes): void {
    const { children, depth } = getChildrenBetween(from, to);
    if (depth >= MAX_INLINE_DEPTH) {
      this.#context.exceedsLimits = true;
      return;
    }
    this.#addElements(kind);
    const newItem: InlineItem = {
      child: createNode(kind, attributes, mergeTextNodes(children)),
      depth: depth + 1,
      next: to,
    };
    from.next = newItem;
    if (to === undefined) this.#tail = newItem;
  }

  #addElements(kind: NodeKind): void {
    this.#elementCount += countElements(kind);
    if (this.#elementCount > MAX_LINE_ELEMENTS) this.#context.exceedsLimits = true;
  }

  /**
   * Returns all content in two parts: up to and including `last`, and after it. Without `last`, the first part is
   * empty.
   */
  split(last: InlineItem | undefined): [before: MarkdownChild[], behind: MarkdownChild[]] {
    const leading: MarkdownChild[] = [];
    const trailing: MarkdownChild[] = [];
    let target = last === undefined || last === this.#head ? trailing : leading;
    for (let item = this.#head.next; item !== undefined; item = item.next) {
      target.push(item.child);
      if (item === last) target = trailing;
    }
    return [leading, trailing];
  }
}

function getChildrenBetween(
  from: InlineItem,
  to: InlineItem | undefined,
): { children: MarkdownChild[]; depth: number } {
  const children: MarkdownChild[] = [];
  let depth = 0;
  for (let item = from.next; item !== to && item !== undefined; item = item.next) {
    children.push(item.child);
    depth = Math.max(depth, item.depth);
  }
  return { children, depth };
}

const MAX_REPAIRS = 12;

/**
 * Delimiters that may still open emphasis (CommonMark §6.2, with GFM's strikethrough). A closer is matched as soon as
 * it arrives, except inside brackets, which may become a link whose text is resolved separately.
 */
export class DelimiterStack {
  readonly #items: InlineList;
  readonly #stack: Delimiter[] = [];
  /** Height of the stack below which there is no matching opener, by kind of closer. */
  #floors = new Map<string, number>();
  /** Number of stacked delimiters that have already tried to close something. */
  #resolvedCount = 0;

  constructor(items: InlineList) {
    this.#items = items;
  }

  get height(): number {
    return this.#stack.length;
  }

  /** Defers a delimiter inside brackets until their meaning is known. */
  defer(delimiter: Delimiter): void {
    this.#stack.push(delimiter);
  }

  /** Closes everything that a delimiter can close; if the delimiter may also open something, it stays on the stack. */
  resolve(closer: Delimiter): void {
    this.#matchCloser(closer, 0);
    this.#resolvedCount = this.#stack.length;
  }

  /** Resolves the deferred delimiters. */
  resolveDeferred(): void {
    const deferred = this.#stack.slice(this.#resolvedCount);
    this.discardFrom(this.#resolvedCount);
    for (const delimiter of deferred) this.resolve(delimiter);
  }

  /** Resolves delimiters above a height among themselves, because their brackets became a link. */
  resolveFrom(height: number): void {
    const deferred = this.#stack.slice(height);
    const outerFloors = this.#floors;
    this.#stack.length = height;
    this.#floors = new Map();
    for (const delimiter of deferred) this.#matchCloser(delimiter, height);
    this.#floors = outerFloors;
  }

  /** Discards delimiters above a height, which stay text. */
  discardFrom(height: number): void {
    this.#stack.length = height;
    this.#resolvedCount = Math.min(this.#resolvedCount, height);
    for (const [key, floor] of this.#floors) if (floor > height) this.#floors.set(key, height);
  }

  /** Closes, at the end of a growing text, the markup opened above a height and after an offset. */
  closeOpeners(height: number, minOffset: number): void {
    const openers = this.#stack
      .slice(height)
      .filter((delimiter) => delimiter.canOpen && delimiter.offset >= minOffset);
    for (const opener of openers.slice(-MAX_REPAIRS).toReversed()) {
      if (opener.item.next === undefined || (opener.mark === '~' && opener.count < 2)) continue;
      for (; opener.count > 0; opener.count -= Math.min(opener.count, 2)) {
        this.#items.enclose(opener.item, undefined, getNodeKind(opener.mark, opener.count), {});
      }
      opener.item.child = '';
    }
    this.discardFrom(height);
  }

  #matchCloser(closer: Delimiter, bottom: number): void {
    while (closer.canClose && closer.count > 0) {
      const key = `${closer.mark}${closer.canOpen}${closer.length % 3}${closer.mark === '~' ? closer.count : ''}`;
      const floor = Math.max(bottom, this.#floors.get(key) ?? 0);
      let index = this.#stack.length - 1;
      while (index >= floor && !canMatch(this.#stack[index], closer)) index -= 1;
      const opener = this.#stack[index];
      if (index < floor || opener === undefined) {
        this.#floors.set(key, this.#stack.length);
        break;
      }
      this.#wrap(opener, closer);
      this.discardFrom(opener.count > 0 ? index + 1 : index);
    }
    if (closer.count > 0 && closer.canOpen) this.#stack.push(closer);
  }

  #wrap(opener: Delimiter, closer: Delimiter): void {
    const usedCount = opener.mark === '~' ? closer.count : opener.count >= 2 && closer.count >= 2 ? 2 : 1;
    this.#items.enclose(opener.item, closer.item, getNodeKind(opener.mark, usedCount), {});
    for (const delimiter of [opener, closer]) {
      delimiter.count -= usedCount;
      delimiter.item.child = delimiter.mark.repeat(delimiter.count);
    }
  }
}

function getNodeKind(mark: string, count: number): NodeKind {
  if (mark === '~') return 'deleted';
  return count >= 2 ? 'strong' : 'emphasis';
}

function canMatch(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener === undefined || opener.mark !== closer.mark || !opener.canOpen || opener.count === 0)
    return false;
  if (closer.mark === '~') return opener.count === closer.count;
  // CommonMark §6.2, rules 9 and 10: if either delimiter can both open and close, the multiple-of-three rule applies.
  const isTwoSided = opener.canClose || closer.canOpen;
  return (
    !isTwoSided ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}
