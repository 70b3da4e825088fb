import { MarkdownStream } from '../tree/markdown-stream.ts';
import type { MarkdownNode } from '../tree/markdown-tree.ts';
import { mergeTextNodes } from '../tree/markdown-tree.ts';
import { RecordingSink } from './recording-sink.ts';

/** Returns a tree with adjacent texts joined, to compare only what is visible. */
export function toVisibleTree(node: MarkdownNode): unknown {
  const children = mergeTextNodes(node.children).map((child) =>
    typeof child === 'string' ? child : toVisibleTree(child),
  );
  const attributes = Object.entries(node.attributes).toSorted(([a], [b]) => a.localeCompare(b));
  return { kind: node.kind, ...Object.fromEntries(attributes), children };
}

/** Splits the text into pieces of the given size. */
export function splitText(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** Returns the result of the tree operations for a text that arrives in pieces. */
export function renderStreamed(pieces: readonly string[]): RecordingSink {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const piece of pieces) stream.append(piece);
  stream.finish();
  stream.resolve();
  return sink;
}
