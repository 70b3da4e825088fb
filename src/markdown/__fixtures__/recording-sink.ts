import type { Attributes, NodeKind, TreeSink } from '../tree/markdown-tree.ts';
import { ModelTree } from '../tree/model-tree.ts';

/**
 * A sink that keeps the document as the operations alone describe it, counts them, and notes every operation that
 * would touch a block which was already closed.
 */
export class RecordingSink implements TreeSink {
  readonly tree = new ModelTree();
  operations = 0;
  characters = 0;
  reopened = 0;

  open(kind: NodeKind, attributes: Attributes): void {
    this.operations += 1;
    this.tree.open(kind, attributes);
  }

  text(text: string): void {
    this.operations += 1;
    this.characters += text.length;
    this.tree.text(text);
  }

  close(): void {
    this.operations += 1;
    this.tree.close();
  }

  cut(depth: number, count: number): void {
    this.operations += 1;
    this.tree.cut(depth, count);
  }

  set(depth: number, attributes: Attributes): void {
    this.operations += 1;
    this.tree.set(depth, attributes);
  }

  keep(id: number): void {
    this.operations += 1;
    this.tree.keep(id);
  }

  reopen(id: number): void {
    this.operations += 1;
    this.reopened += 1;
    this.tree.reopen(id);
  }
}
