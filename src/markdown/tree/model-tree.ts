import type { Attributes, MarkdownChild, MarkdownNode, NodeKind, TreeSink } from './markdown-tree.ts';
import { elementsOf, nodeOf } from './markdown-tree.ts';

/** The document as plain objects, built by the operations and passed on to a further sink where one is given. */
export class ModelTree implements TreeSink {
  readonly root: MarkdownNode = nodeOf('root');
  readonly #open: MarkdownNode[] = [this.root];
  readonly #kept = new Map<number, MarkdownNode>();
  readonly #next: TreeSink | undefined;
  #elements = 0;

  constructor(next?: TreeSink) {
    this.#next = next;
  }

  /** About how many elements its nodes become. */
  get elements(): number {
    return this.#elements;
  }

  /** How many nodes are open, the root not counted: the depth of the innermost one. */
  get depth(): number {
    return this.#open.length - 1;
  }

  /** The open node at a depth; the innermost without one. */
  at(depth: number = this.depth): MarkdownNode {
    const node = this.#open[depth];
    if (node === undefined) throw new Error(`No node is open at depth ${depth}`);
    return node;
  }

  open(kind: NodeKind, attributes: Attributes): void {
    const node = nodeOf(kind, attributes);
    this.#elements += elementsOf(kind);
    this.at().children.push(node);
    this.#open.push(node);
    this.#next?.open(kind, attributes);
  }

  text(text: string): void {
    this.at().children.push(text);
    this.#next?.text(text);
  }

  close(): void {
    if (this.depth === 0) throw new Error('The root cannot be closed');
    this.#open.pop();
    this.#next?.close();
  }

  cut(depth: number, count: number): void {
    const node = this.at(depth);
    if (this.depth === depth && node.children.length === count) return;
    for (let at = count; at < node.children.length; at += 1) this.#elements -= elementsIn(node.children[at]);
    this.#open.length = depth + 1;
    node.children.length = count;
    this.#next?.cut(depth, count);
  }

  set(depth: number, attributes: Attributes): void {
    this.at(depth).attributes = attributes;
    this.#next?.set(depth, attributes);
  }

  keep(id: number): void {
    this.#kept.set(id, this.at());
    this.#next?.keep(id);
  }

  reopen(id: number): void {
    const node = this.#kept.get(id);
    if (node === undefined) throw new Error(`No node was kept as ${id}`);
    for (const child of node.children) this.#elements -= elementsIn(child);
    node.children.length = 0;
    this.#open.push(node);
    this.#next?.reopen(id);
  }
}

function elementsIn(child: MarkdownChild | undefined): number {
  if (child === undefined || typeof child === 'string') return 0;
  return child.children.reduce((sum, grandchild) => sum + elementsIn(grandchild), elementsOf(child.kind));
}
