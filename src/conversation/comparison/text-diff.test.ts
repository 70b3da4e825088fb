import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cases } from '../../testing/seeds.ts';
import { differenceWords, textDifference, type Piece } from './text-diff.ts';

const titleOf = (left: string, right: string) => differenceWords(textDifference(left, right)).title;
const marked = (pieces: readonly Piece[]) =>
  pieces.flatMap(({ kind, number, text }) => (kind === 'plain' ? [] : [`${number} ${text}`]));

describe('two texts', () => {
  it('with little in common show the phrases of four words or more that both have, numbered in pairs', () => {
    const found = textDifference(
      'Your first board is set up with three columns and one sample card. Drag it, rename it, or delete it. When you are ready, invite one person.',
      'Nobody knows what comes next. When you are ready, bring a friend from across the street. Somebody laid out three columns and one sample card on this old wooden table, as anyone knows who has shared a kitchen.',
    );
    expect(found.isNear).toBe(false);
    expect(differenceWords(found)).toEqual({
      title: 'Little in common',
      more: expect.stringMatching(/^\d\d% of the words are in 2 phrases that both texts share\.$/),
    });
    expect(marked(found.left)).toEqual(['1 three columns and one sample card', '2 When you are ready']);
    expect(marked(found.right)).toEqual(['2 When you are ready', '1 three columns and one sample card']);
    expect(found.inline).toEqual([]);
  });

  it('that are near show what is in one only, and changed words that stand close together are one difference', () => {
    const found = textDifference(
      'Welcome to Tern. Your board has three columns and a card. Then invite one person today.',
      'Welcome to Tern. Your board has three columns and one big card. Then invite one person for lunch.',
    );
    expect(found.isNear).toBe(true);
    expect(found.differences).toBe(2);
    expect(marked(found.left)).toEqual(['1 a', '2 today']);
    expect(marked(found.right)).toEqual(['1 one big', '2 for lunch']);
    const joined = textDifference(
      'We all know that one red house near the river bank well.',
      'We all know that two red barns near the river bank well.',
    );
    expect([marked(joined.left), marked(joined.right)]).toEqual([['1 one red house'], ['1 two red barns']]);
  });

  it('have all in common where the words are the same, and little where only single words are', () => {
    expect(
      [
        ['Yes.', 'Yes.'],
        ['Paris', 'paris!'],
        ['a + b', 'a - b'],
        ['', 'Something'],
        ['One two three', 'One two four'],
        // No spaces between words: each sign counts.
        ['今天天气很好我们去公园', '今天天气很好我们去学校'],
      ].map(([left = '', right = '']) => titleOf(left, right)),
    ).toEqual([
      '100% in common',
      '100% in common',
      '100% in common',
      'Little in common',
      'Little in common',
      '81% in common',
    ]);
  });

  it('differ where only a sign does', () => {
    expect(textDifference('a + b', 'a - b').differences).toBe(1);
  });

  it('are shown whole, whatever they are, and the marks of both sides pair up', () => {
    const word = fc.constantFrom('red', 'Red', 'blue', 'one', 'two', 'tree', ',', '\n', '山', 'x-y', '.');
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const found = textDifference(left, right);
        expect(found.left.map((piece) => piece.text).join('')).toBe(left);
        expect(found.right.map((piece) => piece.text).join('')).toBe(right);
        if (found.isNear)
          expect(found.inline.flatMap((piece) => (piece.side === 'left' ? [] : [piece.text])).join('')).toBe(
            right,
          );
        else
          expect(found.left.filter(({ kind }) => kind === 'phrase')).toHaveLength(
            found.right.filter(({ kind }) => kind === 'phrase').length,
          );
      }),
      { numRuns: cases(200) },
    );
  });

  it('of many thousand words that all differ are compared by their phrases', () => {
    const words = (seed: number) =>
      Array.from({ length: 8000 }, (_, at) => `w${(at * seed) % 7919}`).join(' ');
    const shared = Array.from({ length: 9000 }, (_, at) => `s${at}`).join(' ');
    const found = textDifference(`${words(3)} ${shared}`, `${words(5)} ${shared}`);
    expect(found.isNear).toBe(true);
    expect(found.differences).toBe(1);
  });
});
