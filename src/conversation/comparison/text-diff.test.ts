import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import { describeDiff, diffTexts, diffWordByWord, type DiffSegment } from './text-diff.ts';

const getDiffTitle = (left: string, right: string) => describeDiff(diffTexts(left, right)).title;
const listMarkedSegments = (segments: readonly DiffSegment[]) =>
  segments.flatMap(({ kind, number, text }) => (kind === 'plain' ? [] : [`${number} ${text}`]));

describe('text diff', () => {
  it('marks shared phrases of at least four words, numbered in pairs, in texts with little in common', () => {
    const diff = diffTexts(
      'Your first board is set up with three columns and one sample card. Drag it, rename it, or delete it. When you are ready, invite one person.',
      'Nobody knows what comes next. When you are ready, bring a friend from across the street. Somebody laid out three columns and one sample card on this old wooden table, as anyone knows who has shared a kitchen.',
    );
    expect(diff.canShowInline).toBe(false);
    expect(describeDiff(diff)).toEqual({
      title: 'Little in common',
      detail: expect.stringMatching(/^\d\d% of the words are in 2 shared phrases\.$/),
    });
    expect(listMarkedSegments(diff.left)).toEqual([
      '1 three columns and one sample card',
      '2 When you are ready',
    ]);
    expect(listMarkedSegments(diff.right)).toEqual([
      '2 When you are ready',
      '1 three columns and one sample card',
    ]);
    expect(diff.inline).toEqual([]);
  });

  it('shows similar texts word by word and merges nearby changes into one difference', () => {
    const diff = diffTexts(
      'Welcome to Tern. Your board has three columns and a card. Then invite one person today.',
      'Welcome to Tern. Your board has three columns and one big card. Then invite one person for lunch.',
    );
    expect(diff.canShowInline).toBe(true);
    expect(diff.differenceCount).toBe(2);
    expect(listMarkedSegments(diff.left)).toEqual(['1 a', '2 today']);
    expect(listMarkedSegments(diff.right)).toEqual(['1 one big', '2 for lunch']);
    const mergedDiff = diffTexts(
      'We all know that one red house near the river bank well.',
      'We all know that two red barns near the river bank well.',
    );
    expect([listMarkedSegments(mergedDiff.left), listMarkedSegments(mergedDiff.right)]).toEqual([
      ['1 one red house'],
      ['1 two red barns'],
    ]);
  });

  it('reports 100% for equal words and little in common if only single words match', () => {
    expect(
      [
        ['Yes.', 'Yes.'],
        ['Paris', 'paris!'],
        ['a + b', 'a - b'],
        ['', 'Something'],
        ['One two three', 'One two four'],
        // Chinese has no spaces between words, so each character counts as a word.
        ['今天天气很好我们去公园', '今天天气很好我们去学校'],
      ].map(([left = '', right = '']) => getDiffTitle(left, right)),
    ).toEqual([
      '100% in common',
      '100% in common',
      '100% in common',
      'Little in common',
      'Little in common',
      '81% in common',
    ]);
  });

  it('marks each changed word on its own, also in short or very different texts', () => {
    const { inline, right } = diffWordByWord(
      'Answer in German. Be brief.',
      'Answer in French. Be very brief.',
    );
    expect(inline.map(({ text, side }) => `${side} ${text}`)).toEqual([
      'both Answer in ',
      'left German',
      'right French',
      'both . Be ',
      'right very',
      'both  brief.',
    ]);
    expect(right.flatMap(({ kind, text }) => (kind === 'difference' ? [text] : []))).toEqual([
      'French',
      'very',
    ]);
    expect(diffWordByWord('', 'New prompt').inline).toEqual([
      { text: 'New prompt', side: 'right', number: 1 },
    ]);
  });

  it('reports a difference if only punctuation differs', () => {
    expect(diffTexts('a + b', 'a - b').differenceCount).toBe(1);
  });

  it('keeps both texts complete and pairs their marks for arbitrary texts', () => {
    const word = fc.constantFrom('red', 'Red', 'blue', 'one', 'two', 'tree', ',', '\n', '山', 'x-y', '.');
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const diff = diffTexts(left, right);
        expect(diff.left.map((segment) => segment.text).join('')).toBe(left);
        expect(diff.right.map((segment) => segment.text).join('')).toBe(right);
        if (diff.canShowInline)
          expect(
            diff.inline.flatMap((segment) => (segment.side === 'left' ? [] : [segment.text])).join(''),
          ).toBe(right);
        else
          expect(diff.left.filter(({ kind }) => kind === 'phrase')).toHaveLength(
            diff.right.filter(({ kind }) => kind === 'phrase').length,
          );
      }),
      { numRuns: getCaseCount(200) },
    );
  });

  it('compares thousands of different words by shared phrases', () => {
    const createWords = (seed: number) =>
      Array.from({ length: 8000 }, (_, index) => `w${(index * seed) % 7919}`).join(' ');
    const sharedText = Array.from({ length: 9000 }, (_, index) => `s${index}`).join(' ');
    const diff = diffTexts(`${createWords(3)} ${sharedText}`, `${createWords(5)} ${sharedText}`);
    expect(diff.canShowInline).toBe(true);
    expect(diff.differenceCount).toBe(1);
  });
});
