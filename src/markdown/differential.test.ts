/**
 * Compares our parser with marked over generated documents: 1,000 of each kind in `npm test`, 20,000 in `npm run soak`.
 * If they differ, ours follows CommonMark 0.31 and GFM; each kind of difference is listed.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { getCaseCount } from '../testing/seeds.ts';
import { anyCharacters, referringDocument, wellFormedDocument } from './__fixtures__/generated-documents.ts';
import { parseWithMarked } from './__fixtures__/marked-tree.ts';
import { splitText, toVisibleTree, renderStreamed } from './__fixtures__/visible-tree.ts';

const size = fc.integer({ min: 1, max: 40 });

it.each([
  ['a well-formed document', wellFormedDocument],
  ['a document with references, definitions and rare blocks', referringDocument],
])('parses %s like marked for every split', (_, documents) => {
  fc.assert(
    fc.property(documents, size, (text, pieceSize) => {
      expect(toVisibleTree(renderStreamed(splitText(text, pieceSize)).tree.root)).toEqual(
        toVisibleTree(parseWithMarked(text)),
      );
    }),
    { numRuns: getCaseCount(1_000) },
  );
});

it.each([
  ['a URL with an open parenthesis, which defines no reference', '[a]: b(c'],
  ['a URL with an unmatched closing parenthesis, which defines no reference', '[a]: b)c'],
  ['a URL with escaped and paired parentheses', '[a]: b(c)\\)\n\n[a]'],
  ['two spaces after a possible table row, which break the line', '|a  \nb'],
  ['a backslash and a space after a possible table row, which do not break the line', '|a\\ \nb'],
])('parses in the same way as marked: %s', (_, text) => {
  expect(toVisibleTree(renderStreamed([text]).tree.root)).toEqual(toVisibleTree(parseWithMarked(text)));
});

/** Differences from marked, by the text that causes them, with the reason why our result is right. */
const differences: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern: /\$|\\[[(]/,
    reason:
      'A formula, of which neither specification knows: here it binds as closely as a code span, and its lines begin ' +
      'where those of the paragraph do. Through the extension marked finds emphasis and links first.',
  },
  {
    pattern: /[*_]~|~[*_]/,
    reason:
      'A tilde is punctuation (CommonMark §2.1), which decides what a run beside it opens and closes (§6.2).',
  },
  {
    pattern: /[\0\ud83d]/,
    reason:
      'NUL and half a surrogate pair are neither punctuation nor white space, so `_` beside them is within a word (§6.2).',
  },
  {
    pattern: /^[ \t]*(?:>|[-+*][ \t]|\d[.)][ \t]).*\n[^\n]/m,
    reason:
      'A line that only carries a paragraph of a quote or an item on: however it is indented (§5.1, laziness), and ' +
      'also an empty item, which cannot interrupt a paragraph (§5.2).',
  },
  {
    pattern: /\*\*[^]*\*|\*[^]*\*\*|__[^]*_|_[^]*__/,
    reason: 'Runs whose lengths add up to a multiple of three (§6.2, rules 9 and 10).',
  },
  {
    pattern: /`[^`]*\n[ \t]/,
    reason:
      'The white space that a line begins with belongs to neither its paragraph (§4.8) nor a code span in it.',
  },
  {
    pattern: /\|.*\n(?:.*\n)?[ \t]*-/,
    reason:
      'Lines over dashes that do not make a delimiter row are a heading (§4.3), also where a pipe stands in them.',
  },
  {
    pattern: /[>*+\-.] *\t/,
    reason: 'Behind a marker a tab goes to the next multiple of four columns (§2.2).',
  },
];

it('parses any characters in the same way as marked, except for the listed differences', () => {
  let comparedCount = 0;
  fc.assert(
    fc.property(anyCharacters, (text) => {
      const normalizedText = text.replace(/\r\n?/g, '\n');
      if (differences.some(({ pattern }) => pattern.test(normalizedText))) return;
      comparedCount += 1;
      expect(toVisibleTree(renderStreamed([text]).tree.root)).toEqual(toVisibleTree(parseWithMarked(text)));
    }),
    { numRuns: getCaseCount(1_000) },
  );
  expect(comparedCount).toBeGreaterThan(getCaseCount(300));
});

it('gives the same result for any characters however they are split', () => {
  fc.assert(
    fc.property(anyCharacters, fc.integer({ min: 1, max: 7 }), (text, pieceSize) => {
      const expected = toVisibleTree(renderStreamed([text]).tree.root);
      expect(toVisibleTree(renderStreamed(splitText(text, pieceSize)).tree.root)).toEqual(expected);
    }),
    { numRuns: getCaseCount(1_000) },
  );
});
