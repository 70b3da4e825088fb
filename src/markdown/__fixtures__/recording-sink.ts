import type { Attributes, NodeKind, TreeSink } from '../tree/markdown-tree.ts';
import { ModelTree } from '../tree/model-tree.ts';

/**
 * A sink that builds the document from the operations alone, counts them, and records every operation on a block that
 * was already closed.
 */
export class RecordingSink implements TreeSink {
  readonly tree = new ModelTree();
  operationCount = 0;
  charCount = 0;
  reopenCount = 0;

  open(kind: NodeKind, attributes: Attributes): void {
    this.operationCount += 1;
    this.tree.open(kind, attributes);
  }

  appendText(text: string): void {
    this.operationCount += 1;
    this.charCount += text.length;
    this.tree.appendText(text);
  }

  close(): void {
    this.operationCount += 1;
    this.tree.close();
  }

  truncate(depth: number, count: number): void {
    this.operationCount += 1;
    this.tree.truncate(depth, count);
  }

  setAttributes(depth: number, attributes: Attributes): void {
    this.operationCount += 1;
    this.tree.setAttributes(depth, attributes);
  }

  saveNode(id: number): void {
    this.operationCount += 1;
    this.tree.saveNode(id);
  }

  reopen(id: number): void {
    this.operationCount += 1;
    this.reopenCount += 1;
    this.tree.reopen(id);
  }
}
