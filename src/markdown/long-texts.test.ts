import { describe, expect, it } from 'vitest';

import { MarkdownStream } from './tree/markdown-stream.ts';
import type { MarkdownChild } from './tree/markdown-tree.ts';
import { isSameNode } from './tree/markdown-tree.ts';
import { ModelTree } from './tree/model-tree.ts';
import { joinPlainLines, PLAIN_NOTES } from './tree/plain-text.ts';

function buildTree(pieces: readonly string[]): ModelTree {
  const tree = new ModelTree();
  const stream = new MarkdownStream(tree);
  for (const piece of pieces) stream.append(piece);
  stream.finish();
  stream.resolve();
  return tree;
}

function listTexts(child: MarkdownChild): string[] {
  return typeof child === 'string' ? [child] : child.children.flatMap(listTexts);
}

function splitIntoSlices(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

const longTexts: readonly [string, string][] = [
  ['one long word', 'a'.repeat(40_000)],
  ['words without line ends', 'word '.repeat(8_000).trim()],
  ['Arabic letters', 'مرحبا'.repeat(8_000)],
  ['one letter with many combining marks', `a${'\u0301'.repeat(40_000)}`],
  ['surrogate pairs', '😀'.repeat(20_000)],
];

const contexts: readonly [string, string, string][] = [
  ['a paragraph', '', ''],
  ['a heading', '# ', ''],
  ['emphasis', '*', '*'],
  ['a list item', '- ', ''],
  ['a formula', '$$\n', '\n$$'],
];

describe('text of any length', () => {
  const cases = contexts.flatMap(([context, prefix, suffix]) =>
    longTexts.map(([kind, text]) => [kind, context, text, prefix + text + suffix] as const),
  );

  it.each(cases)(
    'draws a text in short pieces without losing a character: %s in %s',
    (_kind, _place, text, source) => {
      const texts = listTexts(buildTree([source]).root);
      expect(texts.join('')).toBe(text);
      expect(Math.max(...texts.map((piece) => piece.length))).toBeLessThanOrEqual(4_001);
      expect(texts.filter((piece) => /[\ud800-\udbff]$|^[\udc00-\udfff]/.test(piece))).toEqual([]);
    },
  );

  it.each(cases)(
    'gives the same result as a whole and in slices: %s in %s',
    (_kind, _place, _text, source) => {
      const fullText = `${source}\n\nand more`;
      expect(isSameNode(buildTree([fullText]).root, buildTree(splitIntoSlices(fullText, 4_000)).root)).toBe(
        true,
      );
    },
  );

  it('splits long text at a nearby space', () => {
    const texts = listTexts(buildTree(['word '.repeat(10_000)]).root);
    expect(texts.length).toBeGreaterThan(10);
    expect(
      texts.slice(1).filter((piece, index) => !texts[index]?.endsWith(' ') && !piece.startsWith(' ')),
    ).toEqual([]);
  });
});

describe('long line that looks like a short form', () => {
  it.each([
    ['a rule of dashes', '- '.repeat(2_000)],
    ['a rule of asterisks', '*'.repeat(4_000)],
    ['a heading with equal signs', `words\n${'='.repeat(4_000)}`],
    ['a heading with dashes', `words\n${'-'.repeat(4_000)}`],
  ])('keeps the last words of a long line, even before the line has ended: %s', (_, beginning) => {
    const tree = new ModelTree();
    const stream = new MarkdownStream(tree);
    stream.append(beginning);
    stream.append('last words');
    expect(listTexts(tree.root).join('')).toContain('last words');
    stream.finish();
    expect(listTexts(tree.root).join('')).toContain('last words');
  });
});

describe('deeply nested containers in one line', () => {
  it.each([
    ['quotes', '>'],
    ['quotes with spaces', '> '],
    ['list items', '- '],
    ['numbered list items', '1. '],
    ['alternating quotes and list items', '> - '],
  ])('shows deeply nested text unchanged as plain text, as a whole and in slices: %s', (_, marker) => {
    const source = `${marker.repeat(20_000)}a`;
    for (const pieces of [[source], splitIntoSlices(source, 4_000)]) {
      const [note, ...plainChildren] = buildTree(pieces).root.children;
      expect(note).toMatchObject({ kind: 'note', children: [PLAIN_NOTES.tooComplex] });
      expect(joinPlainLines(plainChildren.map((piece) => listTexts(piece).join(''))).trimEnd()).toBe(source);
    }
  });

  it('draws a moderate number of nested containers', () => {
    const [quote] = buildTree([`${'>'.repeat(40)} a`]).root.children;
    expect(quote).toMatchObject({ kind: 'quote' });
  });
});

it('splits plain text into pieces of at most a hundred lines without losing any', () => {
  const source = `${'>'.repeat(9_999)}\n${'a\n\n'.repeat(10_000)}${'b'.repeat(5_000)}`;
  for (const pieces of [[source], splitIntoSlices(source, 700)]) {
    const [, ...plainTexts] = buildTree(pieces).root.children.map((piece) => listTexts(piece).join(''));
    expect(Math.max(...plainTexts.map((piece) => piece.split('\n').length))).toBeLessThanOrEqual(100);
    expect(joinPlainLines(plainTexts).trimEnd()).toBe(source);
  }
});

describe('short text with many elements', () => {
  it.each([
    ['underlined headings', 'a\n=\n'],
    ['paragraphs', 'a\n\n'],
    ['footnote references', '[^a]\n'.repeat(20)],
    ['links in a list', '- a@b.c\n'],
  ])('draws many elements up to a limit and shows the rest unchanged: %s', (_, piece) => {
    const source = piece.repeat(600_000 / piece.length);
    const tree = new ModelTree();
    const stream = new MarkdownStream(tree);
    for (const slice of splitIntoSlices(source, 4_000)) stream.append(slice);
    stream.finish();
    const { children } = tree.root;
    const noteIndex = children.findIndex((child) => typeof child !== 'string' && child.kind === 'note');
    if (noteIndex < 0) expect(tree.elementCount).toBeLessThanOrEqual(210_000);
    else {
      expect(listTexts(children[noteIndex] ?? '')).toEqual([PLAIN_NOTES.tooLong]);
      const remaining = joinPlainLines(
        children.slice(noteIndex + 1).map((child) => listTexts(child).join('')),
      );
      expect(
        source.endsWith(remaining.trimEnd() + '\n'.repeat(source.length - source.trimEnd().length)),
      ).toBe(true);
    }
    expect(children.length).toBeLessThanOrEqual(15_000);
  });

  it.each([
    ['footnote references', '[^a]', 30_000],
    ['emphasis', '*a* ', 45_000],
    ['email addresses', 'a@b.c ', 45_000],
    ['formulas', '$a$ ', 3_000],
  ])(
    'shows one long line unchanged as plain text, whether or not more text follows: %s',
    (_, piece, count) => {
      const source = `${piece.repeat(count)}\n\nThe end.`;
      for (const pieces of [[source], splitIntoSlices(source, 4_000)]) {
        const tree = new ModelTree();
        const stream = new MarkdownStream(tree);
        for (const slice of pieces) {
          stream.append(slice);
          expect(tree.elementCount).toBeLessThan(100_000);
        }
        stream.finish();
        const [note, ...plainChildren] = tree.root.children;
        expect(note).toMatchObject({ kind: 'note', children: [PLAIN_NOTES.tooComplex] });
        expect(joinPlainLines(plainChildren.map((child) => listTexts(child).join(''))).trimEnd()).toBe(
          source.trimEnd(),
        );
      }
    },
  );
});
