import { describe, expect, it } from 'vitest';

import { MarkdownStream } from './tree/markdown-stream.ts';
import type { MarkdownChild } from './tree/markdown-tree.ts';
import { sameNode } from './tree/markdown-tree.ts';
import { ModelTree } from './tree/model-tree.ts';
import { joinedPlain, PLAIN_NOTES } from './tree/plain-text.ts';

function drawn(pieces: readonly string[]): ModelTree {
  const tree = new ModelTree();
  const stream = new MarkdownStream(tree);
  for (const piece of pieces) stream.append(piece);
  stream.finish();
  stream.resolve();
  return tree;
}

function textsOf(child: MarkdownChild): string[] {
  return typeof child === 'string' ? [child] : child.children.flatMap(textsOf);
}

function slices(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );
}

const endless: readonly [string, string][] = [
  ['one word', 'a'.repeat(40_000)],
  ['words without line ends', 'word '.repeat(8_000).trim()],
  ['letters of Arabic', 'مرحبا'.repeat(8_000)],
  ['one letter with marks', `a${'\u0301'.repeat(40_000)}`],
  ['pairs of surrogates', '😀'.repeat(20_000)],
];

const places: readonly [string, string, string][] = [
  ['a paragraph', '', ''],
  ['a heading', '# ', ''],
  ['emphasis', '*', '*'],
  ['an item', '- ', ''],
  ['a formula', '$$\n', '\n$$'],
];

describe('a text of any length', () => {
  const cases = places.flatMap(([place, before, after]) =>
    endless.map(([kind, text]) => [kind, place, text, before + text + after] as const),
  );

  it.each(cases)('is drawn in short pieces and to the letter: %s in %s', (_kind, _place, text, source) => {
    const texts = textsOf(drawn([source]).root);
    expect(texts.join('')).toBe(text);
    expect(Math.max(...texts.map((piece) => piece.length))).toBeLessThanOrEqual(4_001);
    expect(texts.filter((piece) => /[\ud800-\udbff]$|^[\udc00-\udfff]/.test(piece))).toEqual([]);
  });

  it.each(cases)('is the same read at once and in slices: %s in %s', (_kind, _place, _text, source) => {
    const whole = `${source}\n\nand more`;
    expect(sameNode(drawn([whole]).root, drawn(slices(whole, 4_000)).root)).toBe(true);
  });

  it('ends its pieces at a space where one is near', () => {
    const texts = textsOf(drawn(['word '.repeat(10_000)]).root);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.slice(1).filter((piece, at) => !texts[at]?.endsWith(' ') && !piece.startsWith(' '))).toEqual(
      [],
    );
  });
});

describe('a line that looks like a short form for long and is none', () => {
  it.each([
    ['a rule of dashes', '- '.repeat(2_000)],
    ['a rule of asterisks', '*'.repeat(4_000)],
    ['a heading by equal signs', `words\n${'='.repeat(4_000)}`],
    ['a heading by dashes', `words\n${'-'.repeat(4_000)}`],
  ])('keeps the words at its end, also before it ended: %s', (_, beginning) => {
    const tree = new ModelTree();
    const stream = new MarkdownStream(tree);
    stream.append(beginning);
    stream.append('last words');
    expect(textsOf(tree.root).join('')).toContain('last words');
    stream.finish();
    expect(textsOf(tree.root).join('')).toContain('last words');
  });
});

describe('containers in one line, deeper than anyone draws', () => {
  it.each([
    ['quotes', '>'],
    ['quotes with blanks', '> '],
    ['items', '- '],
    ['numbered items', '1. '],
    ['quotes and items in turn', '> - '],
  ])('are plain text to the letter, at once and in slices: %s', (_, mark) => {
    const source = `${mark.repeat(20_000)}a`;
    for (const pieces of [[source], slices(source, 4_000)]) {
      const [note, ...plain] = drawn(pieces).root.children;
      expect(note).toMatchObject({ kind: 'note', children: [PLAIN_NOTES.tooMuch] });
      expect(joinedPlain(plain.map((piece) => textsOf(piece).join(''))).trimEnd()).toBe(source);
    }
  });

  it('are drawn as what they are while there are few', () => {
    const [quote] = drawn([`${'>'.repeat(40)} a`]).root.children;
    expect(quote).toMatchObject({ kind: 'quote' });
  });
});

it('plain text is cut into pieces of at most a hundred lines, and none is lost', () => {
  const source = `${'>'.repeat(9_999)}\n${'a\n\n'.repeat(10_000)}${'b'.repeat(5_000)}`;
  for (const pieces of [[source], slices(source, 700)]) {
    const [, ...plain] = drawn(pieces).root.children.map((piece) => textsOf(piece).join(''));
    expect(Math.max(...plain.map((piece) => piece.split('\n').length))).toBeLessThanOrEqual(100);
    expect(joinedPlain(plain).trimEnd()).toBe(source);
  }
});

describe('a text of few letters and many elements', () => {
  it.each([
    ['headings by underlines', 'a\n=\n'],
    ['paragraphs', 'a\n\n'],
    ['footnote marks', '[^a]\n'.repeat(20)],
    ['links in a list', '- a@b.c\n'],
  ])('is drawn up to a bound, and the rest of it is shown unchanged: %s', (_, piece) => {
    const source = piece.repeat(600_000 / piece.length);
    const tree = new ModelTree();
    const stream = new MarkdownStream(tree);
    for (const slice of slices(source, 4_000)) stream.append(slice);
    stream.finish();
    const { children } = tree.root;
    const at = children.findIndex((child) => typeof child !== 'string' && child.kind === 'note');
    if (at < 0) expect(tree.elements).toBeLessThanOrEqual(210_000);
    else {
      expect(textsOf(children[at] ?? '')).toEqual([PLAIN_NOTES.tooLong]);
      const rest = joinedPlain(children.slice(at + 1).map((each) => textsOf(each).join('')));
      expect(source.endsWith(rest.trimEnd() + '\n'.repeat(source.length - source.trimEnd().length))).toBe(
        true,
      );
    }
    expect(children.length).toBeLessThanOrEqual(15_000);
  });

  it.each([
    ['footnote marks', '[^a]', 30_000],
    ['emphasis', '*a* ', 45_000],
    ['mail addresses', 'a@b.c ', 45_000],
    ['formulas', '$a$ ', 3_000],
  ])(
    'is plain text to the letter where it is one line, whether more follows or not: %s',
    (_, piece, count) => {
      const source = `${piece.repeat(count)}\n\nThe end.`;
      for (const pieces of [[source], slices(source, 4_000)]) {
        const tree = new ModelTree();
        const stream = new MarkdownStream(tree);
        for (const slice of pieces) {
          stream.append(slice);
          expect(tree.elements).toBeLessThan(100_000);
        }
        stream.finish();
        const [note, ...plain] = tree.root.children;
        expect(note).toMatchObject({ kind: 'note', children: [PLAIN_NOTES.tooMuch] });
        expect(joinedPlain(plain.map((each) => textsOf(each).join(''))).trimEnd()).toBe(source.trimEnd());
      }
    },
  );
});
