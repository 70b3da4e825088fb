import type { Attributes, MarkdownChild, MarkdownNode, NodeKind, TreeSink } from './markdown-tree.ts';
import { countElements, createNode } from './markdown-tree.ts';

/** The document as plain objects, built by the operations, which are also forwarded to another sink if there is one. */
export class ModelTree implements TreeSink {
  readonly root: MarkdownNode = createNode('root');
  readonly #openNodes: MarkdownNode[] = [this.root];
  readonly #savedNodes = new Map<number, MarkdownNode>();
  readonly #nextSink: TreeSink | undefined;
  #elementCount = 0;

  constructor(nextSink?: TreeSink) {
    this.#nextSink = nextSink;
  }

  /** Estimated number of elements of all nodes. */
  get elementCount(): number {
    return this.#elementCount;
  }

  /** Depth of the innermost open node: the number of open nodes, not counting the root. */
  get depth(): number {
    return this.#openNodes.length - 1;
  }

  /** Returns the open node at a depth; by default the innermost. */
  getOpenNode(depth: number = this.depth): MarkdownNode {
    const node = this.#openNodes[depth];
    if (node === undefined) throw new Error(`No node is open at depth ${depth}`);
    return node;
  }

  open(kind: NodeKind, attributes: Attributes): void {
    const node = createNode(kind, attributes);
    this.#elementCount += countElements(kind);
    this.getOpenNode().children.push(node);
    this.#openNodes.push(node);
    this.#nextSink?.open(kind, attributes);
  }

  appendText(text: string): void {
    this.getOpenNode().children.push(text);
    this.#nextSink?.appendText(text);
  }

  close(): void {
    if (this.depth === 0) throw new Error('The root cannot be closed');
    this.#openNodes.pop();
    this.#nextSink?.close();
  }

  truncate(depth: number, count: number): void {
    const node = this.getOpenNode(depth);
    if (this.depth === depth && node.children.length === count) return;
    for (let index = count; index < node.children.length; index += 1)
      this.#elementCount -= countTreeElements(node.children[index]);
    this.#openNodes.length = depth + 1;
    node.children.length = count;
    this.#nextSink?.truncate(depth, count);
  }

  setAttributes(depth: number, attributes: Attributes): void {
    this.getOpenNode(depth).attributes = attributes;
    this.#nextSink?.setAttributes(depth, attributes);
  }

  saveNode(id: number): void {
    this.#savedNodes.set(id, this.getOpenNode());
    this.#nextSink?.saveNode(id);
  }

  reopen(id: number): void {
    const node = this.#savedNodes.get(id);
    if (node === undefined) throw new Error(`No node was kept as ${id}`);
    for (const child of node.children) this.#elementCount -= countTreeElements(child);
    node.children.length = 0;
    this.#openNodes.push(node);
    this.#nextSink?.reopen(id);
  }
}

function countTreeElements(child: MarkdownChild | undefined): number {
  if (child === undefined || typeof child === 'string') return 0;
  return child.children.reduce(
    (sum, grandchild) => sum + countTreeElements(grandchild),
    countElements(child.kind),
  );
}
