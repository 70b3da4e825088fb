import type { Attributes, MarkdownChild, MarkdownNode, NodeKind } from '../tree/markdown-tree.ts';
import { elementsOf, joinedChildren, nodeOf } from '../tree/markdown-tree.ts';

/**
 * What a message has defined so far, and whether it nests too deep to be drawn. A reference to what is not defined yet
 * is shown as if it were, since definitions mostly come last; the end of the text decides.
 */
export interface InlineContext {
  readonly references: Map<string, { href: string; title: string | undefined }>;
  /** The labels of footnotes. */
  readonly footnotes: Set<string>;
  /** Nothing more will be defined. */
  complete: boolean;
  /** Blocks that the end of the text may change. Each is kept in the tree under its index. */
  readonly unresolved: UnresolvedBlock[];
  tooMuch: boolean;
  /** A block has as many elements as one should. What follows the end of its line is plain text. */
  crowded: boolean;
  /** How many cells the rows of tables lack, which are drawn although nothing stands for them in the text. */
  filledCells: number;
}

/** A closed block that refers, or seems to refer, to what was not defined when it was read. */
interface UnresolvedBlock {
  readonly node: MarkdownNode;
  readonly text: string;
  /** Drawn as if what it refers to were defined. */
  readonly assumed: boolean;
  /** How many definitions of links there were. */
  readonly definitions: number;
}

/** One element of the list that is being built: finished content, or a delimiter that may still become markup. */
export interface Piece {
  child: MarkdownChild;
  depth: number;
  next: Piece | undefined;
}

interface Delimiter {
  readonly piece: Piece;
  /** Where in the text it stands. */
  readonly at: number;
  readonly mark: string;
  /** How many of its characters are left, and how many there were. */
  count: number;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

const DEEPEST = 64;
/** A browser lays a paragraph out as a whole, at every change of it: with many times as many elements, for minutes. */
export const MOST_ELEMENTS_IN_A_BLOCK = 20_000;
/** A line that goes on after that is not drawn as markdown. */
export const MOST_ELEMENTS_IN_A_LINE = 40_000;

/** The inline content read so far, as a list whose end can be folded into nodes. */
export class PieceList {
  readonly #context: InlineContext;
  readonly #head: Piece = { child: '', depth: 0, next: undefined };
  #tail: Piece = this.#head;
  #elements = 0;

  constructor(context: InlineContext) {
    this.#context = context;
  }

  get tail(): Piece {
    return this.#tail;
  }

  push(child: MarkdownChild, depth = 0): void {
    const piece: Piece = { child, depth, next: undefined };
    if (typeof child !== 'string') this.#count(child.kind);
    this.#tail.next = piece;
    this.#tail = piece;
  }

  /** Removes white space at the end, before a line end; returns how many spaces there were. */
  dropEndSpaces(): number {
    const text = this.#tail.child;
    if (typeof text !== 'string') return 0;
    let end = text.length;
    while (text[end - 1] === ' ') end -= 1;
    const spaces = text.length - end;
    while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
    this.#tail.child = text.slice(0, end);
    return spaces;
  }

  /** Takes what stands behind a piece out of the list. */
  takeAfter(piece: Piece): MarkdownChild[] {
    const taken = childrenBetween(piece, undefined);
    piece.next = undefined;
    this.#tail = piece;
    return taken.children;
  }

  /** Makes one node of what stands between two pieces (to the end without the second). */
  enclose(from: Piece, to: Piece | undefined, kind: NodeKind, attributes: Attributes): void {
    const { children, depth } = childrenBetween(from, to);
    if (depth >= DEEPEST) {
      this.#context.tooMuch = true;
      return;
    }
    this.#count(kind);
    const made: Piece = {
      child: nodeOf(kind, attributes, joinedChildren(children)),
      depth: depth + 1,
      next: to,
    };
    from.next = made;
    if (to === undefined) this.#tail = made;
  }

  #count(kind: NodeKind): void {
    this.#elements += elementsOf(kind);
    if (this.#elements > MOST_ELEMENTS_IN_A_LINE) this.#context.tooMuch = true;
  }

  /** All content: up to and with `last`, and behind it. Without `last` the first part is empty. */
  split(last: Piece | undefined): [before: MarkdownChild[], behind: MarkdownChild[]] {
    const before: MarkdownChild[] = [];
    const behind: MarkdownChild[] = [];
    let target = last === undefined || last === this.#head ? behind : before;
    for (let piece = this.#head.next; piece !== undefined; piece = piece.next) {
      target.push(piece.child);
      if (piece === last) target = behind;
    }
    return [before, behind];
  }
}

function childrenBetween(from: Piece, to: Piece | undefined): { children: MarkdownChild[]; depth: number } {
  const children: MarkdownChild[] = [];
  let depth = 0;
  for (let piece = from.next; piece !== to && piece !== undefined; piece = piece.next) {
    children.push(piece.child);
    depth = Math.max(depth, piece.depth);
  }
  return { children, depth };
}

const MOST_REPAIRS = 12;

/**
 * The delimiters that may still open emphasis (CommonMark's algorithm for §6.2, with GFM's strikethrough). A closer is
 * matched as soon as it arrives, except inside brackets: those may become a link, whose text is resolved apart.
 */
export class DelimiterStack {
  readonly #pieces: PieceList;
  readonly #stack: Delimiter[] = [];
  /** For a kind of closer, below which height of the stack no opener for it stands. */
  #floors = new Map<string, number>();
  /** How many of the stack have already tried to close something. */
  #resolved = 0;

  constructor(pieces: PieceList) {
    this.#pieces = pieces;
  }

  get height(): number {
    return this.#stack.length;
  }

  /** Keeps a delimiter that stands inside brackets until it is known what they are. */
  wait(delimiter: Delimiter): void {
    this.#stack.push(delimiter);
  }

  /** Lets a delimiter close what it can; if it may open something it stays on the stack. */
  resolve(closer: Delimiter): void {
    this.#resolve(closer, 0);
    this.#resolved = this.#stack.length;
  }

  /** Resolves the delimiters that waited. */
  settle(): void {
    const waiting = this.#stack.slice(this.#resolved);
    this.shrink(this.#resolved);
    for (const delimiter of waiting) this.resolve(delimiter);
  }

  /** Resolves those from a height on among themselves: they stand inside brackets that became a link. */
  settleFrom(height: number): void {
    const waiting = this.#stack.slice(height);
    const outside = this.#floors;
    this.#stack.length = height;
    this.#floors = new Map();
    for (const delimiter of waiting) this.#resolve(delimiter, height);
    this.#floors = outside;
  }

  /** Forgets the delimiters from a height on: they stay text. */
  shrink(height: number): void {
    this.#stack.length = height;
    this.#resolved = Math.min(this.#resolved, height);
    for (const [key, floor] of this.#floors) if (floor > height) this.#floors.set(key, height);
  }

  /** Closes, at the end of a text that grows, the markup that opened from a height and an offset on. */
  closeOpen(height: number, earliest: number): void {
    const open = this.#stack.slice(height).filter((each) => each.opens && each.at >= earliest);
    for (const opener of open.slice(-MOST_REPAIRS).toReversed()) {
      if (opener.piece.next === undefined || (opener.mark === '~' && opener.count < 2)) continue;
      for (; opener.count > 0; opener.count -= Math.min(opener.count, 2)) {
        this.#pieces.enclose(opener.piece, undefined, kindOf(opener.mark, opener.count), {});
      }
      opener.piece.child = '';
    }
    this.shrink(height);
  }

  #resolve(closer: Delimiter, bottom: number): void {
    while (closer.closes && closer.count > 0) {
      const key = `${closer.mark}${closer.opens}${closer.length % 3}${closer.mark === '~' ? closer.count : ''}`;
      const floor = Math.max(bottom, this.#floors.get(key) ?? 0);
      let index = this.#stack.length - 1;
      while (index >= floor && !matches(this.#stack[index], closer)) index -= 1;
      const opener = this.#stack[index];
      if (index < floor || opener === undefined) {
        this.#floors.set(key, this.#stack.length);
        break;
      }
      this.#wrap(opener, closer);
      this.shrink(opener.count > 0 ? index + 1 : index);
    }
    if (closer.count > 0 && closer.opens) this.#stack.push(closer);
  }

  #wrap(opener: Delimiter, closer: Delimiter): void {
    const used = opener.mark === '~' ? closer.count : opener.count >= 2 && closer.count >= 2 ? 2 : 1;
    this.#pieces.enclose(opener.piece, closer.piece, kindOf(opener.mark, used), {});
    for (const delimiter of [opener, closer]) {
      delimiter.count -= used;
      delimiter.piece.child = delimiter.mark.repeat(delimiter.count);
    }
  }
}

function kindOf(mark: string, count: number): NodeKind {
  if (mark === '~') return 'deleted';
  return count >= 2 ? 'strong' : 'emphasis';
}

function matches(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener === undefined || opener.mark !== closer.mark || !opener.opens || opener.count === 0)
    return false;
  if (closer.mark === '~') return opener.count === closer.count;
  // CommonMark §6.2, rules 9 and 10: where one of both could open and close, multiples of three decide.
  const both = opener.closes || closer.opens;
  return (
    !both || (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}
