/** Kinds of elements in a rendered message. The DOM writer creates elements from this list only. */
export type NodeKind =
  | 'root'
  | 'paragraph'
  | 'heading'
  | 'list'
  | 'item'
  | 'quote'
  | 'code'
  | 'line'
  | 'rule'
  | 'table'
  | 'row'
  | 'cell'
  | 'html'
  | 'footnote'
  | 'math'
  | 'plain'
  | 'note'
  | 'emphasis'
  | 'strong'
  | 'deleted'
  | 'code-span'
  | 'link'
  | 'image'
  | 'break'
  | 'footnote-mark';

export type Alignment = 'left' | 'center' | 'right';

/** Attributes of a node other than its children. Attributes that do not apply are absent. */
export interface Attributes {
  /** heading: 1 to 6 */
  readonly level?: number;
  /** list: the first number; absent for a bullet list */
  readonly start?: number;
  /** list: blank lines between its items */
  readonly loose?: boolean;
  /** item: whether a task is done; absent if the item is not a task */
  readonly checked?: boolean;
  /** code: the first word after the fence */
  readonly language?: string;
  /** cell */
  readonly header?: boolean;
  readonly align?: Alignment;
  /** link, image: as written, character references resolved; checked by the writer */
  readonly href?: string;
  readonly title?: string;
  /** image: its description */
  readonly alt?: string;
  /** math: displayed on its own line */
  readonly display?: boolean;
  /** footnote, footnote-mark: the label as written */
  readonly label?: string;
}

export interface MarkdownNode {
  readonly kind: NodeKind;
  attributes: Attributes;
  readonly children: MarkdownChild[];
}

export type MarkdownChild = MarkdownNode | string;

/**
 * Operations that build a document at its growing edge: a node can change only while it is open, so closed nodes are
 * stable. The only exceptions are saved nodes, which depend on definitions that may come later. Depth 0 is the root,
 * which is always open.
 */
export interface TreeSink {
  /** Appends a node to the innermost open one and opens it. */
  open(kind: NodeKind, attributes: Attributes): void;
  /** Appends a text to the innermost open node; the text counts as one child. */
  appendText(text: string): void;
  /** Closes the innermost open node. */
  close(): void;
  /**
   * Closes everything deeper than `depth`, then drops the children of the open node at that depth from index `count`
   * on.
   */
  truncate(depth: number, count: number): void;
  /** Replaces the attributes of the open node at `depth`. */
  setAttributes(depth: number, attributes: Attributes): void;
  /** Saves the innermost open node under an ID. */
  saveNode(id: number): void;
  /** Empties a saved node and makes it the innermost open node; allowed only after everything has been closed. */
  reopen(id: number): void;
}

/** Creates a node without children. */
export function createNode(
  kind: NodeKind,
  attributes: Attributes = {},
  children: MarkdownChild[] = [],
): MarkdownNode {
  return { kind, attributes, children };
}

// A browser lays out a text as a whole, for many scripts in quadratic time, so a longer text is split.
const MAX_TEXT_CHARS = 4_000;
const MAX_LOOK_BACK_CHARS = 500;

function* splitLongText(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > MAX_TEXT_CHARS) {
    const maxEnd = from + MAX_TEXT_CHARS;
    const spaceIndex = text.lastIndexOf(' ', maxEnd);
    const isSurrogatePair = /[\ud800-\udbff]/.test(text.charAt(maxEnd - 1));
    const end =
      spaceIndex > maxEnd - MAX_LOOK_BACK_CHARS ? spaceIndex + 1 : isSurrogatePair ? maxEnd - 1 : maxEnd;
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}

/** Appends a whole closed subtree; a long text is split into pieces, each of which counts as one child. */
export function emitNode(child: MarkdownChild, sink: TreeSink): void {
  if (typeof child === 'string') {
    for (const piece of splitLongText(child)) sink.appendText(piece);
    return;
  }
  sink.open(child.kind, child.attributes);
  for (const grandchild of child.children) emitNode(grandchild, sink);
  sink.close();
}

const ATTRIBUTE_NAMES = [
  'level',
  'start',
  'loose',
  'checked',
  'language',
  'header',
  'align',
  'href',
  'title',
  'alt',
  'display',
  'label',
] as const satisfies readonly (keyof Attributes)[];

function hasSameAttributes(a: Attributes, b: Attributes): boolean {
  return a === b || ATTRIBUTE_NAMES.every((name) => a[name] === b[name]);
}

/** Joins adjacent texts, so that the result does not depend on how a text was split while streaming. */
export function mergeTextNodes(children: readonly MarkdownChild[]): MarkdownChild[] {
  const merged: MarkdownChild[] = [];
  let texts: string[] = [];
  const flush = () => {
    const joinedText = texts.length === 1 ? texts[0] : texts.join('');
    if (joinedText) merged.push(joinedText);
    texts = [];
  };
  for (const child of children) {
    if (typeof child === 'string') texts.push(child);
    else {
      flush();
      merged.push(child);
    }
  }
  flush();
  return merged;
}

/** Returns true if both nodes look the same: kinds, attributes and texts, however the texts are split. */
export function isSameNode(a: MarkdownNode, b: MarkdownNode): boolean {
  if (a.kind !== b.kind || !hasSameAttributes(a.attributes, b.attributes)) return false;
  const childrenA = mergeTextNodes(a.children);
  const childrenB = mergeTextNodes(b.children);
  return (
    childrenA.length === childrenB.length &&
    childrenA.every((child, index) => isSameChild(child, childrenB[index]))
  );
}

function isSameChild(a: MarkdownChild, b: MarkdownChild | undefined): boolean {
  if (b === undefined) return false;
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return isSameNode(a, b);
}

/** Returns the plain text of inline content, for example for an image description. */
export function getInlineText(children: readonly MarkdownChild[]): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return child;
      if (child.kind === 'break') return '\n';
      return child.kind === 'image' ? (child.attributes.alt ?? '') : getInlineText(child.children);
    })
    .join('');
}

/** Estimates the number of elements of a node: a formula is itself a tree, and a footnote mark contains a button. */
export function countElements(kind: NodeKind): number {
  return kind === 'math' ? 20 : kind === 'footnote-mark' ? 2 : 1;
}
