import type { Attributes } from '../tree/markdown-tree.ts';
import type { ModelTree } from '../tree/model-tree.ts';
import type { BlockStart } from './block-starts.ts';
import { measureIndent, isBlank, skipCharacters, skipIndent, type LineCursor } from './line-cursor.ts';

/** An open container. Its node is open in the tree at the depth of its index. */
interface Container {
  kind: 'root' | 'quote' | 'list' | 'item' | 'footnote';
  /** item: columns up to its content. list: its marker, which later items must share. */
  indent: number;
  marker: string;
  attributes: Attributes;
}

export type ContainerStart = Extract<BlockStart, { type: 'quote' | 'item' | 'footnote' }>;

/** Deeper nesting is not drawn as Markdown. */
export const MAX_NESTING = 64;

/** The open quotes, lists, items and footnotes, outermost first, and the effect of blank lines on lists. */
export class OpenContainers {
  /** The previous line was blank. */
  isAfterBlankLine = false;
  exceedsMaxNesting = false;
  readonly #tree: ModelTree;
  readonly #containers: Container[] = [{ kind: 'root', indent: 0, marker: '', attributes: {} }];

  constructor(tree: ModelTree) {
    this.#tree = tree;
  }

  /** Number of containers, including the root. */
  get length(): number {
    return this.#containers.length;
  }

  get lastKind(): Container['kind'] | undefined {
    return this.#containers.at(-1)?.kind;
  }

  getKind(index: number): Container['kind'] | undefined {
    return this.#containers[index]?.kind;
  }

  closeTo(count: number): void {
    while (this.#containers.length > Math.max(count, 1)) this.#pop();
  }

  /** Matches the open containers to which the line belongs. */
  matchLine(line: string, isComplete: boolean): { cursor: LineCursor; matchedCount: number } | undefined {
    let cursor: LineCursor = { rest: line, column: 0 };
    let matchedCount = 1;
    for (; matchedCount < this.#containers.length; matchedCount += 1) {
      const container = this.#containers[matchedCount];
      if (container?.kind === 'quote') {
        const indent = measureIndent(cursor);
        const afterIndent = skipIndent(cursor, indent);
        if (indent > 3 || afterIndent.rest[0] !== '>') {
          if (!isComplete && afterIndent.rest === '') return undefined;
          break;
        }
        if (!isComplete && afterIndent.rest === '>') return undefined;
        cursor = skipIndent(skipCharacters(afterIndent, 1), 1);
      } else if (container?.kind === 'item' || container?.kind === 'footnote') {
        if (isBlank(cursor.rest)) {
          if (!isComplete) return undefined;
          if (this.#isEmpty(matchedCount)) break;
        } else if (measureIndent(cursor) >= container.indent) cursor = skipIndent(cursor, container.indent);
        else break;
      }
    }
    return { cursor, matchedCount };
  }

  #isEmpty(index: number): boolean {
    return this.#tree.getOpenNode(index).children.length === 0;
  }

  open(start: ContainerStart): void {
    if (start.type === 'quote') this.#push({ kind: 'quote', indent: 0, marker: '', attributes: {} });
    else if (start.type === 'footnote') {
      this.#push({ kind: 'footnote', indent: 4, marker: '', attributes: { label: start.label } });
    } else this.#openItem(start);
  }

  #openItem(start: Extract<BlockStart, { type: 'item' }>): void {
    const list = this.#containers.at(-1);
    if (list?.kind === 'list' && list.marker !== start.marker) this.#pop();
    if (this.#containers.at(-1)?.kind !== 'list') {
      const attributes = { ...(start.start === undefined ? {} : { start: start.start }), loose: false };
      this.#push({ kind: 'list', indent: 0, marker: start.marker, attributes });
    } else if (this.isAfterBlankLine) this.#markLoose(this.#containers.length - 1);
    this.isAfterBlankLine = false;
    const attributes = start.checked === undefined ? {} : { checked: start.checked };
    this.#push({ kind: 'item', indent: start.indent, marker: '', attributes });
  }

  #push(container: Container): void {
    this.prepareChild(container.kind === 'item');
    this.#tree.open(container.kind, container.attributes);
    this.#containers.push(container);
    if (this.#containers.length > MAX_NESTING) this.exceedsMaxNesting = true;
  }

  #pop(): void {
    this.#containers.pop();
    this.#tree.close();
  }

  /** A new block after a blank line makes the surrounding list loose; a list without a next item ends. */
  prepareChild(isItem: boolean): void {
    if (!isItem && this.#containers.at(-1)?.kind === 'list') this.#pop();
    const topIndex = this.#containers.length - 1;
    if (this.isAfterBlankLine && this.#containers[topIndex]?.kind === 'item' && !this.#isEmpty(topIndex))
      this.#markLoose(topIndex - 1);
    this.isAfterBlankLine = false;
  }

  #markLoose(index: number): void {
    const list = this.#containers[index];
    if (list === undefined || list.attributes.loose === true) return;
    list.attributes = { ...list.attributes, loose: true };
    this.#tree.setAttributes(index, list.attributes);
  }
}
