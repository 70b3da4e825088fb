import { describe, expect, it } from 'vitest';

import { groupedRows, orderByGroup, orderByScore } from './list-order.ts';

const goal = (minute: number) => ({ text: `She scored the winning goal in the ${minute}th minute` });

describe('the list of texts', () => {
  it('stands by score, without a score last', () => {
    const scores = [0.2, undefined, 0.9, 0.2];
    const texts = scores.map((_, at) => ({ text: String(at) }));
    expect(orderByScore(texts, (text) => scores[text])).toEqual([2, 0, 3, 1]);
  });

  it('stands by group where there are groups, else as entered', () => {
    const texts = [{ text: 'a', group: 1 }, { text: 'b' }, { text: 'c', group: 0 }, { text: 'd', group: 1 }];
    expect(orderByGroup(texts)).toEqual([2, 0, 3, 1]);
    expect(orderByGroup([{ text: 'a' }, { text: 'b' }])).toEqual([0, 1]);
  });

  it('shows near-equal texts as one row, which opens, and keeps every rank', () => {
    const texts = [goal(12), { text: 'The match was lost' }, goal(13), goal(14)];
    const order = [0, 2, 3, 1];
    const closed = groupedRows(order, texts, () => false);
    expect(closed.map(({ text, rank, others }) => [text, rank, others])).toEqual([
      [0, 1, 2],
      [1, 4, 0],
    ]);
    const open = groupedRows(order, texts, (text) => text === 0);
    expect(open.map(({ text, rank, like }) => [text, rank, like])).toEqual([
      [0, 1, undefined],
      [2, 2, 0],
      [3, 3, 0],
      [1, 4, undefined],
    ]);
  });
});
