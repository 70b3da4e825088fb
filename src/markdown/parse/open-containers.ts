import type { Attributes } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import type { BlockStart } from './block-starts.ts';
import { indentOf, isBlank, skipCharacters, skipIndent, type LineCursor } from './line-cursor.ts';

/** An open container. Its node is open in the tree at the depth that is its index. */
interface Container {
  kind: 'root' | 'quote' | 'list' | 'item' | 'footnote';
  /** item: columns to its content. list: its marker, which further items must share. */
  indent: number;
  marker: string;
  attributes: Attributes;
}

export type ContainerStart = Extract<BlockStart, { type: 'quote' | 'item' | 'footnote' }>;

/** What nests deeper is not drawn as markdown. */
export const DEEPEST = 64;

/** The quotes, lists, items and footnotes that are open, the outermost first, and what a blank line makes of a list. */
export class OpenContainers {
  /** The line before was blank. */
  blankBefore = false;
  tooDeep = false;
  readonly #tree: ModelTree;
  readonly #open: Container[] = [{ kind: 'root', indent: 0, marker: '', attributes: {} }];

  constructor(tree: ModelTree) {
    this.#tree = tree;
  }

  /** With the root. */
  get length(): number {
    return this.#open.length;
  }

  get lastKind(): Container['kind'] | undefined {
    return this.#open.at(-1)?.kind;
  }

  kindAt(index: number): Container['kind'] | undefined {
    return this.#open[index]?.kind;
  }

  closeTo(count: number): void {
    while (this.#open.length > Math.max(count, 1)) this.#pop();
  }

  /** Goes through the open containers that the line belongs to. */
  walk(line: string, complete: boolean): { cursor: LineCursor; matched: number } | undefined {
    let cursor: LineCursor = { rest: line, column: 0 };
    let matched = 1;
    for (; matched < this.#open.length; matched += 1) {
      const container = this.#open[matched];
      if (container?.kind === 'quote') {
        const indent = indentOf(cursor);
        const behind = skipIndent(cursor, indent);
        if (indent > 3 || behind.rest[0] !== '>') {
          if (!complete && behind.rest === '') return undefined;
          break;
        }
        if (!complete && behind.rest === '>') return undefined;
        cursor = skipIndent(skipCharacters(behind, 1), 1);
      } else if (container?.kind === 'item' || container?.kind === 'footnote') {
        if (isBlank(cursor.rest)) {
          if (!complete) return undefined;
          if (this.#isEmpty(matched)) break;
        } else if (indentOf(cursor) >= container.indent) cursor = skipIndent(cursor, container.indent);
        else break;
      }
    }
    return { cursor, matched };
  }

  #isEmpty(index: number): boolean {
    return this.#tree.at(index).children.length === 0;
  }

  open(start: ContainerStart): void {
    if (start.type === 'quote') this.#push({ kind: 'quote', indent: 0, marker: '', attributes: {} });
    else if (start.type === 'footnote') {
      this.#push({ kind: 'footnote', indent: 4, marker: '', attributes: { label: start.label } });
    } else this.#openItem(start);
  }

  #openItem(start: Extract<BlockStart, { type: 'item' }>): void {
    const list = this.#open.at(-1);
    if (list?.kind === 'list' && list.marker !== start.marker) this.#pop();
    if (this.#open.at(-1)?.kind !== 'list') {
      const attributes = { ...(start.start === undefined ? {} : { start: start.start }), loose: false };
      this.#push({ kind: 'list', indent: 0, marker: start.marker, attributes });
    } else if (this.blankBefore) this.#loosen(this.#open.length - 1);
    this.blankBefore = false;
    const attributes = start.checked === undefined ? {} : { checked: start.checked };
    this.#push({ kind: 'item', indent: start.indent, marker: '', attributes });
  }

  #push(container: Container): void {
    this.beforeChild(container.kind === 'item');
    this.#tree.open(container.kind, container.attributes);
    this.#open.push(container);
    if (this.#open.length > DEEPEST) this.tooDeep = true;
  }

  #pop(): void {
    this.#open.pop();
    this.#tree.close();
  }

  /** A new block below a blank line makes the list around it loose; a list without a next item is over. */
  beforeChild(isItem: boolean): void {
    if (!isItem && this.#open.at(-1)?.kind === 'list') this.#pop();
    const top = this.#open.length - 1;
    if (this.blankBefore && this.#open[top]?.kind === 'item' && !this.#isEmpty(top)) this.#loosen(top - 1);
    this.blankBefore = false;
  }

  #loosen(index: number): void {
    const list = this.#open[index];
    if (list === undefined || list.attributes.loose === true) return;
    list.attributes = { ...list.attributes, loose: true };
    this.#tree.set(index, list.attributes);
  }
}
