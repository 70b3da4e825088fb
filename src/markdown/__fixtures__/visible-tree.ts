import { MarkdownStream } from '../tree/markdown-stream.ts';
import type { MarkdownNode } from '../tree/markdown-tree.ts';
import { mergeTextNodes } from '../tree/markdown-tree.ts';
import { RecordingSink } from './recording-sink.ts';

/** A tree with neighbouring texts joined, to compare what is seen. */
export function toVisibleTree(node: MarkdownNode): unknown {
  const children = mergeTextNodes(node.children).map((child) =>
    typeof child === 'string' ? child : toVisibleTree(child),
  );
  const attributes = Object.entries(node.attributes).toSorted(([a], [b]) => a.localeCompare(b));
  return { kind: node.kind, ...Object.fromEntries(attributes), children };
}

/** The text in pieces of so many characters. */
export function splitText(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** What the operations on the tree have made of a text at its end, given piece by piece. */
export function renderStreamed(pieces: readonly string[]): RecordingSink {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const piece of pieces) stream.append(piece);
  stream.finish();
  stream.resolve();
  return sink;
}
