import { describe, expect, it } from 'vitest';

import { buildGroupedRows, sortTextsByGroup, sortTextsByScore } from './list-order.ts';

const createGoalText = (minute: number) => ({
  text: `She scored the winning goal in the ${minute}th minute`,
});

describe('order of the text list', () => {
  it('sorts texts by score, with texts without a score last', () => {
    const scores = [0.2, undefined, 0.9, 0.2];
    const texts = scores.map((_, index) => ({ text: String(index) }));
    expect(sortTextsByScore(texts, (text) => scores[text])).toEqual([2, 0, 3, 1]);
  });

  it('sorts texts by group, or keeps the input order if there are no groups', () => {
    const texts = [{ text: 'a', group: 1 }, { text: 'b' }, { text: 'c', group: 0 }, { text: 'd', group: 1 }];
    expect(sortTextsByGroup(texts)).toEqual([2, 0, 3, 1]);
    expect(sortTextsByGroup([{ text: 'a' }, { text: 'b' }])).toEqual([0, 1]);
  });

  it('shows nearly equal texts as one expandable row and keeps all ranks', () => {
    const texts = [
      createGoalText(12),
      { text: 'The match was lost' },
      createGoalText(13),
      createGoalText(14),
    ];
    const order = [0, 2, 3, 1];
    const collapsedRows = buildGroupedRows(order, texts, () => false);
    expect(collapsedRows.map(({ text, rank, nearEqualCount }) => [text, rank, nearEqualCount])).toEqual([
      [0, 1, 2],
      [1, 4, 0],
    ]);
    const expandedRows = buildGroupedRows(order, texts, (text) => text === 0);
    expect(expandedRows.map(({ text, rank, nearEqualTo }) => [text, rank, nearEqualTo])).toEqual([
      [0, 1, undefined],
      [2, 2, 0],
      [3, 3, 0],
      [1, 4, undefined],
    ]);
  });
});
