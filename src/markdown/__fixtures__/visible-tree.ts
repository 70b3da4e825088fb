import { MarkdownStream } from '../tree/markdown-stream.ts';
import type { MarkdownNode } from '../tree/markdown-tree.ts';
import { joinedChildren } from '../tree/markdown-tree.ts';
import { RecordingSink } from './recording-sink.ts';

/** A tree with neighbouring texts joined, to compare what is seen. */
export function seen(node: MarkdownNode): unknown {
  const children = joinedChildren(node.children).map((child) =>
    typeof child === 'string' ? child : seen(child),
  );
  const attributes = Object.entries(node.attributes).toSorted(([one], [other]) => one.localeCompare(other));
  return { kind: node.kind, ...Object.fromEntries(attributes), children };
}

/** The text in pieces of so many characters. */
export function piecesOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
}

/** What the operations on the tree have made of a text at its end, given piece by piece. */
export function streamed(pieces: readonly string[]): RecordingSink {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const piece of pieces) stream.append(piece);
  stream.finish();
  stream.resolve();
  return sink;
}
